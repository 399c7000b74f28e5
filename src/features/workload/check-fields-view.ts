import { plural } from '../../lib/text.ts';
import type { Checked } from '../../platform/workload/finding.ts';
import { code, joinMrkdwn, LIMITS, mrkdwn } from '../../slack/kit/index.ts';
import type { Mrkdwn } from '../../slack/kit/index.ts';

type Fields = Checked['fields'];

/** "12 of 26 fields checked" */
export function countOf({ total, unchecked }: Fields): string {
  const all = plural(total, 'field');
  if (unchecked.length > 0) {
    return `${(total - unchecked.length).toLocaleString('en-US')} of ${all} checked`;
  }
  return total === 1 ? 'the only field is checked' : `all ${all} are checked`;
}

/** What may be said when nothing was found: ", no mistake in them"; of nothing, nothing. */
export function noMistakeIn({ total, unchecked }: Fields): string {
  const done = total - unchecked.length;
  if (done === 0) return '';
  return `, no mistake in ${done === 1 ? 'it' : 'them'}`;
}

/** So many are named one by one. */
const MAX_SINGLE = 40;
/** Of all names together, in characters: the findings need room as well. */
const MAX_NAMES = 8_000;
/** Kept for the words around a list. */
const REST_LENGTH = 100;

interface Unchecked {
  /** The end of the sentence. */
  readonly end: Mrkdwn;
  /** What it has no room for, each for a section. */
  readonly more: readonly Mrkdwn[];
}

/**
 * All fields that were not checked: one by one, else those of a list together, else by the field of
 * `spec` that they stand in. @param before the sentence up to here
 */
export function uncheckedOf({ unchecked }: Fields, before: string): Unchecked {
  if (unchecked.length === 0) return { end: mrkdwn`.`, more: [] };
  const room = LIMITS.sectionText - before.length - REST_LENGTH;
  const single = tallied(unchecked);
  const ofLists = tallied(unchecked.map((path) => path.replaceAll(/\[\d+\]/g, '[*]')));
  const names = [...(single.size > MAX_SINGLE ? ofLists : single)].map(([path, count]) =>
    withTimes(path, count),
  );
  const length = joinMrkdwn(names, ', ').text.length;
  if (length <= room) return { end: mrkdwn`; not checked: ${joinMrkdwn(names, ', ')}.`, more: [] };
  if (length > MAX_NAMES) {
    return { end: mrkdwn`; not checked: ${inShort(unchecked, room)}.`, more: [] };
  }
  return { end: mrkdwn`; not checked:`, more: packed(names) };
}

/** As many names in each as a section takes. */
function packed(names: readonly Mrkdwn[]): Mrkdwn[] {
  const packs: Mrkdwn[][] = [];
  let used = Infinity;
  for (const name of names) {
    used += name.text.length + 2;
    if (used > LIMITS.sectionText) {
      packs.push([]);
      used = name.text.length;
    }
    packs.at(-1)?.push(name);
  }
  return packs.map((pack) => joinMrkdwn(pack, ', '));
}

function withTimes(path: string, count: number): Mrkdwn {
  const name = code(path, MAX_PATH);
  return count === 1 ? name : mrkdwn`${name} ×${count.toLocaleString('en-US')}`;
}

const MAX_PATH = 120;

/** By the field of `spec`, as many as have room; those of the others are counted. */
function inShort(unchecked: readonly string[], room: number): Mrkdwn {
  const shown: Mrkdwn[] = [];
  let used = 0;
  let rest = unchecked.length;
  for (const [path, count] of tallied(
    unchecked.map((each) => /^spec[.[][^.[]*/.exec(each)?.[0] ?? each),
  )) {
    const name = mrkdwn`${code(path, MAX_PATH)} (${plural(count, 'field')})`;
    used += name.text.length + 2;
    if (used > room) break;
    shown.push(name);
    rest -= count;
  }
  const more = rest === 0 ? [] : [mrkdwn`${plural(rest, 'more field')}`];
  return joinMrkdwn([...shown, ...more], ', ');
}

/** How often each text is there, in the order of the first. */
function tallied(texts: readonly string[]): ReadonlyMap<string, number> {
  const tally = new Map<string, number>();
  for (const text of texts) tally.set(text, (tally.get(text) ?? 0) + 1);
  return tally;
}
