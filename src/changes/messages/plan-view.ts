import type { KnownBlock, RichTextElement } from '@slack/types';
import { lookalike, revealed } from '../../lib/lookalikes.ts';
import { plural, stripControl, truncate } from '../../lib/text.ts';
import { firstOf, isShort } from '../../slack/kit/fit.ts';
import {
  bulletList,
  code,
  instant,
  joinMrkdwn,
  joinRich,
  mentionGroup,
  mrkdwn,
  person,
  rich,
  strong,
  verbatim,
  type Mrkdwn,
  type Rich,
} from '../../slack/kit/text.ts';
import type { Change } from '../change.ts';
import { ACCOUNTS } from '../kinds/identity.ts';
import { changedFacts, textIn, type Facts, type Plan } from '../kinds/kind.ts';
import { COMMANDS, isDecidedLater, type ChangeKind } from '../kinds/kinds.ts';

/** Actions of the buttons on cards and in messages; their value is the id of the change. */
export const REVIEW_ACTION = 'changes.review';
export const REJECT_ACTION = 'changes.reject';
export const WITHDRAW_ACTION = 'changes.withdraw';
export const WITHDRAW_HERE_ACTION = 'changes.withdraw.here';
export const REVEAL_ACTION = 'changes.reveal';
/** Same as `/changes show`. */
export const SHOW_ACTION = 'changes.show';

export const KINDS = Object.keys(COMMANDS) as readonly ChangeKind[];

const TITLE_LENGTH = 250;
const SENTENCE_LENGTH = 500;

export function titleOf({ title }: Pick<Change, 'title'>): string {
  return truncate(revealed(title), TITLE_LENGTH);
}

/** The warning about a name that can be taken for another one, if there is one. */
export function lookalikeWarnings({ title, order }: Pick<Change, 'title' | 'order'>): string[] {
  const hides = lookalike(title);
  if (hides === undefined) return [];
  return 'email' in order
    ? [`⚠ The address has ${hides}: it can imitate another person’s.`]
    : [`⚠ The name has ${hides}: it can imitate another one.`];
}

export function sentenceOf(text: string): string {
  return truncate(text, SENTENCE_LENGTH);
}

/** Limits of a card; an approver sees everything that is sent. */
export interface Room {
  /** Lines of each list, and its characters. */
  readonly lines: number;
  readonly characters: number;
  readonly consequences: number;
  readonly kept: number;
  /** Characters of a value, and names of a list: at least the limits of the forms. */
  readonly value: number;
  readonly names: number;
  readonly comment: number;
}
const WHOLE: Room = {
  lines: 15,
  characters: 5_000,
  consequences: 8,
  kept: 4,
  value: 500,
  names: Infinity,
  comment: 500,
};
/** For a card that would be too long: its first lines, and fewer. */
const SOME: Room = {
  lines: 4,
  characters: 400,
  consequences: 2,
  kept: 2,
  value: 120,
  names: 5,
  comment: 300,
};
const FEW: Room = { ...SOME, lines: 3, consequences: 1, kept: 1, value: 80, names: 3 };

export function commentLines({ decision }: Pick<Change, 'decision'>, room = WHOLE): Mrkdwn[] {
  const comment = stripControl(decision?.comment ?? '').trim();
  return comment === '' ? [] : [mrkdwn`> ${truncate(comment, room.comment)}`];
}

/** With full details, or with the first lines if the message would be too long. */
export function fitted(build: (room: Room) => KnownBlock[]): KnownBlock[] {
  return build([WHOLE, SOME].find((one) => isShort(build(one).flatMap(linesOf))) ?? FEW);
}

/** The readable lines of a block, as they are sent. */
function linesOf(block: KnownBlock): string[] {
  if (block.type === 'section') return (block.text?.text ?? '').split('\n');
  if (block.type === 'context') return block.elements.map((one) => ('text' in one ? one.text : ''));
  if (block.type !== 'rich_text') return [];
  return block.elements.flatMap((one) =>
    one.type === 'rich_text_list' ? one.elements.map(textOf) : [textOf(one)],
  );
}

function textOf({ elements }: { readonly elements: readonly RichTextElement[] }): string {
  return elements.map((one) => ('text' in one ? one.text : '')).join('');
}

export function approversOf(change: Pick<Change, 'approvers' | 'group'>): Mrkdwn {
  const { approvers, group } = change;
  const roles = joinMrkdwn(
    approvers.map((role) => code(role)),
    ' or ',
  );
  return group === undefined ? roles : mrkdwn`${mentionGroup(group)} (${roles})`;
}

const CONSEQUENCE_LENGTH = 200;
/** All consequences, in UTF-16 units: eight of common letters. */
const CONSEQUENCES_LENGTH = 2_400;
const LIST_LENGTH = 2_000;
const NAME_LENGTH = 60;
/** Facts read back, in characters: they share the message with the plan. */
const READ_LENGTH = 2_900;
/** Their values are lists, in which a loss is easily overlooked. */
const LISTS = new Set(['Roles', 'Invitees']);
/** Moments, for each reader in their own zone. */
const TIMES = new Set(['Last used', 'Created']);
const NOTHING = '–';

/** `requested`: it had no effect, or possibly none, so the list must not read as done. */
type Phase = 'ahead' | 'done' | 'requested';

const CREATED: Readonly<Record<Phase, string>> = {
  ahead: 'Will be created',
  done: 'Created',
  requested: 'Requested',
};
const DELETED: Readonly<Record<Phase, string>> = {
  ahead: 'Will be deleted',
  done: 'Deleted',
  requested: 'Requested to be deleted',
};

/** The effect of a change by field: before -> after, new or removed. Pure. */
export function planBlocks(
  { before, after, changesNothing }: Pick<Plan, 'before' | 'after' | 'changesNothing'>,
  room = WHOLE,
  due: Phase = 'ahead',
): KnownBlock[] {
  const phase = changesNothing ? 'requested' : due;
  if (before.length + after.length === 0) return [];
  if (before.length === 0) return [listOf(strong(CREATED[phase]), factLines(after, room), room)];
  if (after.length === 0) return [listOf(strong(DELETED[phase]), factLines(before, room), room)];
  const title = phase === 'requested' ? strong('Requested') : undefined;
  const changed = differences(before, after, room);
  return changed.length === 0 ? [] : [listOf(title, changed, room)];
}

function isWarning(consequence: string): boolean {
  return consequence.startsWith('⚠');
}

export function warningLines(
  change: Pick<Change, 'title' | 'order' | 'plan'>,
  { consequences }: Pick<Plan, 'consequences'> = change.plan,
): string[] {
  return [...lookalikeWarnings(change), ...consequences.filter(isWarning)].map((one) =>
    truncate(one, CONSEQUENCE_LENGTH),
  );
}

/** One line each, without the warnings above it; no block without consequences. Pure. */
export function consequenceBlocks(
  { consequences }: Pick<Plan, 'consequences'>,
  room = WHOLE,
): KnownBlock[] {
  const others = consequences.filter((one) => !isWarning(one));
  if (others.length === 0) return [];
  const items = others.map((one) => rich`${truncate(one, CONSEQUENCE_LENGTH)}`);
  // The warnings share their room.
  const max = Math.max(0, room.consequences - (consequences.length - others.length));
  const shown = { max, room: CONSEQUENCES_LENGTH };
  return [bulletList(strong('What happens'), items, shown)];
}

/** Facts read back at the end; no block when they are unreadable or as requested. Pure. */
export function nowBlocks({ order, plan, state, outcome }: Change, room = WHOLE): KnownBlock[] {
  const now = outcome?.now;
  if (now === undefined) return [];
  // A denied request changes nothing that could be read back.
  const isDenied = state === 'failed' && isDecidedLater(order);
  if (isDenied && now.length === 0) return [];
  const { after } = plan;
  const isAsWanted = now.length === after.length && after.every((fact) => isAmong(now, fact));
  if (state === 'succeeded' && isAsWanted) return [];
  const title = strong(isDenied ? 'The platform’s answer' : 'What is there now');
  const items = now.length === 0 ? [rich`nothing`] : factLines(now, room);
  return [listOf(title, items, { ...room, characters: Math.min(room.characters, READ_LENGTH) })];
}

function listOf(title: Rich | undefined, items: readonly Rich[], room: Room): KnownBlock {
  return bulletList(title, items, { max: room.lines, room: room.characters });
}

function isAmong(facts: Facts, { name, text }: Facts[number]): boolean {
  return facts.some((fact) => fact.name === name && fact.text === text);
}

function factLines(facts: Facts, room: Room): Rich[] {
  return facts.map(({ name, text }) => rich`${nameOf(name)}: ${valueOf(name, text, room)}`);
}

function differences(before: Facts, after: Facts, room: Room): Rich[] {
  const changed = changedFacts(before, after).map(
    ({ name, from, to }) =>
      rich`${nameOf(name)}: ${valueOf(name, from, room)} → ${valueOf(name, to, room)}${lostAndGained(name, from, to)}`,
  );
  const stays = before.filter(({ name, text }) => textIn(after, name) === text);
  const kept = stays
    .slice(0, room.kept)
    .map(({ name, text }) => rich`${nameOf(name)}: ${valueOf(name, text, room)} (unchanged)`);
  const more = stays.length - kept.length;
  const isCounted = more > 0 && room.kept > 0;
  const rest = isCounted ? [rich`${plural(more, 'more field')} unchanged`] : [];
  return [...changed, ...kept, ...rest];
}

/** ", loses billing_viewer, gains org_creator"; empty for values that are no lists. */
function lostAndGained(name: string, from: string | undefined, to: string | undefined): string {
  if (!LISTS.has(name) || from === undefined || to === undefined) return '';
  const [had, has] = [membersOf(from), membersOf(to)];
  const lost = had.filter((one) => !has.includes(one));
  const gained = has.filter((one) => !had.includes(one));
  const parts = [
    ...(lost.length === 0 ? [] : [`loses ${lost.join(' and ')}`]),
    ...(gained.length === 0 ? [] : [`gains ${gained.join(' and ')}`]),
  ];
  return parts.length === 0 ? '' : ` (${truncate(parts.join(', '), WHOLE.value)})`;
}

function membersOf(list: string): string[] {
  return list.split(/,\s*/).filter((one) => one !== '');
}

function nameOf(name: string): string {
  return truncate(name, NAME_LENGTH);
}

function valueOf(name: string, text: string | undefined, room: Room): Rich {
  if (text === undefined || text.trim() === '') return rich`${NOTHING}`;
  if (name === ACCOUNTS) return joinRich(text.split(', ').map(accountOf), ', ');
  const at = TIMES.has(name) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(at)) return instant(at);
  const isList = LISTS.has(name);
  const members = isList ? membersOf(text) : [];
  const shown = members.length > room.names ? firstOf(members, room.names) : text;
  const value = verbatim(shown, isList ? LIST_LENGTH : room.value);
  const hides = lookalike(text);
  return hides === undefined ? value : rich`${value} ⚠ has ${hides}`;
}

/** "@ada (U0ADA)"; other text as it is. */
function accountOf(id: string): Rich {
  return /^[UW][A-Z0-9]+$/.test(id) ? rich`${person(id)} (${verbatim(id)})` : verbatim(id);
}
