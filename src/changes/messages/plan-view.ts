import type { KnownBlock } from '@slack/types';
import { lookalike, plural, revealed, stripControl, truncate } from '../../lib/text.ts';
import { lines } from '../../slack/kit/blocks.ts';
import {
  bulletList,
  code,
  joinMrkdwn,
  mentionGroup,
  mrkdwn,
  Mrkdwn,
  rich,
  strong,
  verbatim,
} from '../../slack/kit/text.ts';
import type { Rich } from '../../slack/kit/text.ts';
import type { Change, ChangeState } from '../change.ts';
import type { Facts, Plan } from '../kinds/kind.ts';
import { COMMANDS, isDecidedLater } from '../kinds/kinds.ts';
import type { ChangeKind } from '../kinds/kinds.ts';

/** Actions of the buttons on cards and in direct messages; their value is the id of the change. */
export const REVIEW_ACTION = 'changes.review';
export const WITHDRAW_ACTION = 'changes.withdraw';
export const REVEAL_ACTION = 'changes.reveal';

/** A sign beside the word; it never stands alone, and no two differ by colour only. */
const SIGNS: Record<ChangeState, string> = {
  pending: ':hourglass_flowing_sand:',
  approved: ':thumbsup:',
  executing: ':arrows_counterclockwise:',
  succeeded: ':white_check_mark:',
  failed: ':x:',
  unknown: ':grey_question:',
  rejected: ':no_entry:',
  expired: ':calendar:',
  withdrawn: ':heavy_minus_sign:',
  drifted: ':twisted_rightwards_arrows:',
};

export const KINDS = Object.keys(COMMANDS) as readonly ChangeKind[];

const TITLE_LENGTH = 250;
/** Of a sentence that somebody else wrote: the platform, or a person. */
const SENTENCE_LENGTH = 500;

/** The command that asks for such a change again. */
export function commandFor({ order }: Pick<Change, 'order'>): string {
  if (order.kind === 'alert.replace' && !order.enabled) return '/alert off';
  const { ask } = COMMANDS[order.kind];
  return ask === '/alert set' && 'amount' in order ? `${ask} ${order.amount}` : ask;
}

/** The command that shows what there is of what a change is about. */
export function lookFor({ order }: Pick<Change, 'order'>): string {
  return COMMANDS[order.kind].look;
}

export function signOf(state: ChangeState): Mrkdwn {
  return new Mrkdwn(SIGNS[state]);
}

/** The title, with a warning where a name in it is not what it looks like. */
export function titleOf({ title }: Pick<Change, 'title'>): string {
  const said = truncate(revealed(title), TITLE_LENGTH);
  const hides = lookalike(title);
  return hides === undefined ? said : `${said} ⚠ has ${hides}`;
}

/** A sentence of somebody else's, as long as there is room for. */
export function sentenceOf(text: string): string {
  return truncate(text, SENTENCE_LENGTH);
}

const QUOTED_LINES = 6;

/** What somebody wrote, quoted line by line; empty lines are left out, and those after the sixth counted. */
export function quotedLines(text: string): Mrkdwn[] {
  const written = stripControl(sentenceOf(text.trim()))
    .split('\n')
    .filter((line) => line.trim() !== '');
  const quoted = written.slice(0, QUOTED_LINES).map((line) => mrkdwn`> ${line.trim()}`);
  const more = written.length - quoted.length;
  return more === 0 ? quoted : [...quoted, mrkdwn`> … and ${plural(more, 'more line')}`];
}

/** How it ended, beside its state, which stands above it; none where that says it all. */
export function endingOf({ state, outcome }: Pick<Change, 'state' | 'outcome'>): Mrkdwn[] {
  const { sentence = '' } = outcome ?? {};
  const said = state === 'succeeded' ? sentence.replace(/^Done\.\s*/, '') : sentence;
  return said === '' ? [] : [mrkdwn`${sentenceOf(said)}`];
}

/** Those who may approve: a mention of their user group where there is one, and their roles. */
export function approversOf(change: Pick<Change, 'approvers' | 'group'>): Mrkdwn {
  const { approvers, group } = change;
  if (approvers.length === 0) return mrkdwn`people who may read the orgs`;
  const roles = joinMrkdwn(
    approvers.map((role) => code(role)),
    ' or ',
  );
  return group === undefined ? roles : mrkdwn`${mentionGroup(group)} (${roles})`;
}

/** Fields that stay as they are, and are still worth a line each. */
const MAX_UNCHANGED = 4;
const MAX_LINES = 15;
const MAX_CONSEQUENCES = 8;
const CONSEQUENCE_LENGTH = 200;
/** Of all of them, in UTF-16 units: eight of common letters. */
const CONSEQUENCES_LENGTH = 2_400;
/** At least what the forms take: whoever approves sees all that is sent. */
const VALUE_LENGTH = 500;
const LIST_LENGTH = 2_000;
const NAME_LENGTH = 60;
/** Of the plan, in characters: all that the forms take has room. */
const PLAN_LENGTH = 5_000;
/** Of what was read back, in characters: the plan stands above it, and a message has an end. */
const READ_LENGTH = 2_900;
/** Their values are lists: what somebody loses is easily overlooked in two of them. */
const LISTS = new Set(['Roles', 'Invitees']);
const NOTHING = '–';

/** What a change does, field by field: before -> after, what is new, or what goes. Pure. */
export function planBlocks({ before, after }: Pick<Plan, 'before' | 'after'>): KnownBlock[] {
  const shown = { max: MAX_LINES, room: PLAN_LENGTH };
  if (before.length + after.length === 0) return [];
  if (before.length === 0) return [bulletList(strong('New'), factLines(after), shown)];
  if (after.length === 0) return [bulletList(strong('Goes away'), factLines(before), shown)];
  return [bulletList(undefined, differences(before, after), shown)];
}

/** What follows from it, a line each; no block where nothing does. Pure. */
export function consequenceBlocks({ consequences }: Pick<Plan, 'consequences'>): KnownBlock[] {
  if (consequences.length === 0) return [];
  const said = consequences.map((one) => rich`${truncate(one, CONSEQUENCE_LENGTH)}`);
  const shown = { max: MAX_CONSEQUENCES, room: CONSEQUENCES_LENGTH };
  return [bulletList(strong('What follows'), said, shown)];
}

/**
 * What was read from the platform at the end; no block where nothing could be. Pure.
 * @param after what stands above it already, and need not be said again
 */
export function readBackBlocks(
  { order, state, outcome }: Pick<Change, 'order' | 'state' | 'outcome'>,
  after: Facts = [],
): KnownBlock[] {
  const now = outcome?.now;
  if (now === undefined) return [];
  // A denied request changes nothing that could be read back.
  if (state === 'failed' && isDecidedLater(order)) {
    return now.length === 0 ? [] : [factList('The platform’s answer', now)];
  }
  // Nothing was sent, so nothing comes back.
  const title = state === 'drifted' ? 'What is there now' : 'Read back';
  if (now.length === 0) return [lines([mrkdwn`*${title}*: there is none`])];
  const isAsWanted = after.length > 0 && after.every((fact) => isAmong(now, fact));
  if (state !== 'drifted' && isAsWanted && now.length === after.length) {
    return [lines([mrkdwn`*${title}*: exactly as ordered`])];
  }
  return [factList(title, now)];
}

function factList(title: string, facts: Facts): KnownBlock {
  return bulletList(strong(title), factLines(facts), { max: MAX_LINES, room: READ_LENGTH });
}

function isAmong(facts: Facts, { name, text }: Facts[number]): boolean {
  return facts.some((fact) => fact.name === name && fact.text === text);
}

function factLines(facts: Facts): Rich[] {
  return facts.map(({ name, text }) => rich`${nameOf(name)}: ${valueOf(name, text)}`);
}

/** First what differs, then what stays. */
function differences(before: Facts, after: Facts): Rich[] {
  const was = new Map(before.map(({ name, text }) => [name, text]));
  const becomes = new Map(after.map(({ name, text }) => [name, text]));
  const names = [...new Set([...was.keys(), ...becomes.keys()])];
  const stays = names.filter((name) => was.get(name) === becomes.get(name));
  const changed = names
    .filter((name) => was.get(name) !== becomes.get(name))
    .map((name) => {
      const [from, to] = [was.get(name), becomes.get(name)];
      return rich`${strong(nameOf(name))}: ${valueOf(name, from)} → ${valueOf(name, to)}${lostAndGained(name, from, to)}`;
    });
  const kept = stays.slice(0, MAX_UNCHANGED).map((name) => {
    return rich`${nameOf(name)}: ${valueOf(name, was.get(name))} (stays)`;
  });
  const more = stays.length - kept.length;
  const rest = more > 0 ? [rich`${plural(more, 'more field')} stay as they are`] : [];
  return [...changed, ...kept, ...rest];
}

/** ", loses billing_viewer, gains org_creator"; nothing for what is no list. */
function lostAndGained(name: string, from: string | undefined, to: string | undefined): string {
  if (!LISTS.has(name) || from === undefined || to === undefined) return '';
  const [had, has] = [membersOf(from), membersOf(to)];
  const lost = had.filter((one) => !has.includes(one));
  const gained = has.filter((one) => !had.includes(one));
  const parts = [
    ...(lost.length === 0 ? [] : [`loses ${lost.join(' and ')}`]),
    ...(gained.length === 0 ? [] : [`gains ${gained.join(' and ')}`]),
  ];
  return parts.length === 0 ? '' : ` (${truncate(parts.join(', '), VALUE_LENGTH)})`;
}

function membersOf(list: string): string[] {
  return list.split(/,\s*/).filter((one) => one !== '');
}

function nameOf(name: string): string {
  return truncate(name, NAME_LENGTH);
}

/** The value as it is, and a warning where it is not what it looks like. */
function valueOf(name: string, text: string | undefined): Rich {
  if (text === undefined || text.trim() === '') return rich`${NOTHING}`;
  const value = verbatim(text, LISTS.has(name) ? LIST_LENGTH : VALUE_LENGTH);
  const hides = lookalike(text);
  return hides === undefined ? value : rich`${value} ⚠ has ${hides}`;
}
