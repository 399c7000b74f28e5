import type { KnownBlock } from '@slack/types';
import { lookalike } from '../../lib/lookalikes.ts';
import { plural, truncate } from '../../lib/text.ts';
import { lines } from '../../slack/kit/blocks.ts';
import { bulletList, mrkdwn, rich, strong, verbatim } from '../../slack/kit/text.ts';
import type { Rich } from '../../slack/kit/text.ts';
import type { Change } from '../change.ts';
import type { Facts, Plan } from '../kinds/kind.ts';

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
  if (state === 'failed' && order.kind === 'quota.request') {
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
