import type { KnownBlock } from '@slack/types';
import { plural, truncate } from '../../lib/text.ts';
import { lines, mrkdwn } from '../../slack/kit/index.ts';
import type { Mrkdwn } from '../../slack/kit/index.ts';
import type { Change, Facts, Plan } from '../change.ts';

/** Fields that stay as they are, and are still worth a line each. */
const MAX_UNCHANGED = 4;
const MAX_LINES = 15;
const MAX_CONSEQUENCES = 8;
const CONSEQUENCE_LENGTH = 200;
/** At least what the forms take: whoever approves sees all that is sent. */
const VALUE_LENGTH = 500;
const LIST_LENGTH = 2_000;
const NAME_LENGTH = 60;
/** Of the lines of one section; with less than Slack's 3,000 characters there is room to count the rest. */
const SECTION_LENGTH = 2_900;
/** Their values are lists: what somebody loses is easily overlooked in two of them. */
const LISTS = new Set(['Roles', 'Invitees']);
const NOTHING = '–';

/** What a change does, field by field: before -> after, what is new, or what goes. Pure. */
export function planBlocks({ before, after }: Pick<Plan, 'before' | 'after'>): KnownBlock[] {
  if (before.length + after.length === 0) return [];
  if (before.length === 0) return inSections([mrkdwn`*New*`, ...factLines(after)]);
  if (after.length === 0) return inSections([mrkdwn`*Goes away*`, ...factLines(before)]);
  return inSections(differences(before, after));
}

/** One section, or two where one has no room for all: with more, a message would be too long for Slack. */
function inSections(items: readonly Mrkdwn[]): KnownBlock[] {
  const first = fitting(items);
  if (first >= Math.min(items.length, MAX_LINES)) return [lines(items, MAX_LINES)];
  return [lines(items.slice(0, first)), lines(items.slice(first), MAX_LINES - first)];
}

/** How many of the first lines fit into one section; one line always does, or is cut. */
function fitting(items: readonly Mrkdwn[]): number {
  let used = 0;
  const over = items.findIndex(({ text }) => {
    used += text.length + 1;
    return used > SECTION_LENGTH;
  });
  return over === -1 ? items.length : Math.max(over, 1);
}

/** What follows from it, a line each; no block where nothing does. Pure. */
export function consequenceBlocks({ consequences }: Pick<Plan, 'consequences'>): KnownBlock[] {
  if (consequences.length === 0) return [];
  const said = consequences.map((one) => mrkdwn`• ${truncate(one, CONSEQUENCE_LENGTH)}`);
  return [lines([mrkdwn`*What follows*`, ...said], MAX_CONSEQUENCES + 1)];
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
    return now.length === 0 ? [] : titled(mrkdwn`*The platform’s answer*`, now);
  }
  if (now.length === 0) return [lines([mrkdwn`*Read back*: there is none`])];
  const isAsWanted = after.length > 0 && after.every((fact) => isAmong(now, fact));
  if (isAsWanted && now.length === after.length) {
    return [lines([mrkdwn`*Read back*: exactly as ordered`])];
  }
  return titled(mrkdwn`*Read back*`, now);
}

function titled(title: Mrkdwn, facts: Facts): KnownBlock[] {
  return [lines([title, ...factLines(facts)], MAX_LINES)];
}

function isAmong(facts: Facts, { name, text }: Facts[number]): boolean {
  return facts.some((fact) => fact.name === name && fact.text === text);
}

function factLines(facts: Facts): Mrkdwn[] {
  return facts.map(({ name, text }) => mrkdwn`• ${nameOf(name)}: ${valueOf(name, text)}`);
}

/** First what differs, then what stays. */
function differences(before: Facts, after: Facts): Mrkdwn[] {
  const was = new Map(before.map(({ name, text }) => [name, text]));
  const becomes = new Map(after.map(({ name, text }) => [name, text]));
  const names = [...new Set([...was.keys(), ...becomes.keys()])];
  const stays = names.filter((name) => was.get(name) === becomes.get(name));
  const changed = names
    .filter((name) => was.get(name) !== becomes.get(name))
    .map((name) => {
      const [from, to] = [was.get(name), becomes.get(name)];
      return mrkdwn`• *${nameOf(name)}*: ${valueOf(name, from)} → ${valueOf(name, to)}${lostAndGained(name, from, to)}`;
    });
  const kept = stays.slice(0, MAX_UNCHANGED).map((name) => {
    return mrkdwn`• ${nameOf(name)}: ${valueOf(name, was.get(name))} (stays)`;
  });
  const more = stays.length - kept.length;
  const rest = more > 0 ? [mrkdwn`• ${plural(more, 'more field')} stay as they are`] : [];
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

function valueOf(name: string, text: string | undefined): string {
  return truncate(text?.trim() || NOTHING, LISTS.has(name) ? LIST_LENGTH : VALUE_LENGTH);
}
