import type { KnownBlock } from '@slack/types';
import { plural, truncate } from '../../lib/text.ts';
import { lines, mrkdwn } from '../../slack/kit/index.ts';
import type { Mrkdwn } from '../../slack/kit/index.ts';
import type { Facts, Plan } from '../change.ts';

/** Fields that stay as they are, and are still worth a line each. */
const MAX_UNCHANGED = 4;
const MAX_LINES = 15;
const MAX_CONSEQUENCES = 8;
const VALUE_LENGTH = 200;
const NAME_LENGTH = 60;
/** Their values are lists: what somebody loses is easily overlooked in two of them. */
const LISTS = new Set(['Roles', 'Invitees']);
const NOTHING = '–';

/** What a change does, field by field: before -> after, what is new, or what goes. Pure. */
export function planBlocks({ before, after }: Pick<Plan, 'before' | 'after'>): KnownBlock[] {
  if (before.length + after.length === 0) return [];
  if (before.length === 0) return [lines([mrkdwn`*New*`, ...factLines(after)], MAX_LINES)];
  if (after.length === 0) return [lines([mrkdwn`*Goes away*`, ...factLines(before)], MAX_LINES)];
  return [lines(differences(before, after), MAX_LINES)];
}

/** What follows from it, a line each; no block where nothing does. Pure. */
export function consequenceBlocks({ consequences }: Pick<Plan, 'consequences'>): KnownBlock[] {
  if (consequences.length === 0) return [];
  const said = consequences.map((one) => mrkdwn`• ${truncate(one, VALUE_LENGTH)}`);
  return [lines([mrkdwn`*What follows*`, ...said], MAX_CONSEQUENCES + 1)];
}

/**
 * What was read from the platform at the end; no block where nothing could be. Pure.
 * @param after what stands above it already, and need not be said again
 */
export function readBackBlocks(now: Facts | undefined, after: Facts = []): KnownBlock[] {
  if (now === undefined) return [];
  if (now.length === 0) return [lines([mrkdwn`*Now, as read back*: there is none`])];
  const isAsWanted = after.length > 0 && after.every((fact) => isAmong(now, fact));
  if (isAsWanted && now.length === after.length) {
    return [lines([mrkdwn`*Now, as read back*: exactly so`])];
  }
  return [lines([mrkdwn`*Now, as read back*`, ...factLines(now)], MAX_LINES)];
}

function isAmong(facts: Facts, { name, text }: Facts[number]): boolean {
  return facts.some((fact) => fact.name === name && fact.text === text);
}

function factLines(facts: Facts): Mrkdwn[] {
  return facts.map(({ name, text }) => mrkdwn`• ${nameOf(name)}: ${valueOf(text)}`);
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
      return mrkdwn`• *${nameOf(name)}*: ${valueOf(from)} → ${valueOf(to)}${lostAndGained(name, from, to)}`;
    });
  const kept = stays.slice(0, MAX_UNCHANGED).map((name) => {
    return mrkdwn`• ${nameOf(name)}: ${valueOf(was.get(name))} (stays)`;
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

function valueOf(text: string | undefined): string {
  return truncate(text?.trim() || NOTHING, VALUE_LENGTH);
}
