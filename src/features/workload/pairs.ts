import { nearest } from '../../lib/nearest.ts';
import { Unreadable } from '../../lib/refusal.ts';
import { truncate } from '../../lib/text.ts';
import type { Word } from '../../lib/words.ts';
import type { Amount } from '../../platform/workload/plan.ts';

/** `key=value`, with the key as it is called here. */
export interface Pair {
  key: string;
  value: string;
}

/** Names of manifests (spec 2.13) for what is called shorter here, in lower case. */
const ALIASES: Readonly<Record<string, string>> = {
  maxsurgereplicas: 'maxsurge',
  surge: 'maxsurge',
  maxunavailablereplicas: 'maxunavailable',
  unavailable: 'maxunavailable',
  minreadyseconds: 'minready',
  scalingpolicy: 'policy',
  replica: 'replicas',
};

/**
 * Reads `key=value` in any order, and `org NAME`. What people and telephones make of it is understood:
 * blanks around the sign, `--key`, `max-surge`, `50 %`. `others` are the words without a sign.
 * @throws Unreadable with the nearest match, for what is no key or there twice
 */
export function pairsOf<Key extends string>(
  words: readonly Word[],
  keys: readonly Key[],
): { values: Partial<Record<Key, Pair>>; others: string[] } {
  const values: Partial<Record<Key, Pair>> = {};
  const others: string[] = [];
  const queue = tidied(words);
  for (let text = queue.shift(); text !== undefined; text = queue.shift()) {
    const takesOrg = text.toLowerCase() === 'org' && keys.some((key) => key === 'org');
    const at = takesOrg ? text.length : text.indexOf('=');
    if (at === -1) {
      others.push(text);
      continue;
    }
    const key = keyOf(text.slice(0, at), keys);
    if (values[key] !== undefined) {
      throw new Unreadable(`"${key}" is there twice: once is enough.`);
    }
    const value = takesOrg ? (queue.shift() ?? '') : text.slice(at + 1);
    if (value === '') throw new Unreadable(`After "${takesOrg ? key : `${key}=`}" comes a value.`);
    values[key] = { key, value };
  }
  return { values, others };
}

/** Names and values have no blanks, so all of them can go that stand around a sign. */
function tidied(words: readonly Word[]): string[] {
  const line = words.map(({ text }) => text).join(' ');
  return line
    .split(/[=＝]/)
    .map((side) => side.trim())
    .join('=')
    .replaceAll(/(?<=\d)\s*(?:[%％﹪]|percent\b|per cent\b)/gi, '%')
    .split(/\s+/)
    .filter((word) => word !== '');
}

function keyOf<Key extends string>(typed: string, keys: readonly Key[]): Key {
  const plain = typed.replaceAll(/[-_–—−]/g, '').toLowerCase();
  const name = ALIASES[plain] ?? plain;
  const key = keys.find((known) => known.toLowerCase() === name);
  if (key !== undefined) return key;
  const meant = nearest(name, keys);
  const known = keys.length === 1 ? `the only one is ${keys[0]}` : `there are ${keys.join(', ')}`;
  throw new Unreadable(`"${truncate(typed, 60)}" is no word here: ${known}.`, meant && `${meant}=`);
}

/** A whole number between bounds. @throws Unreadable with the example */
export function readCount(
  { key, value }: Pair,
  { min, max, example }: { min: number; max: number; example: number },
): number {
  const count = /^\d{1,6}$/.test(value) ? Number(value) : Number.NaN;
  if (count >= min && count <= max) return count;
  throw new Unreadable(
    `"${truncate(value, 60)}" is no ${key === 'port' ? 'port' : `number of ${key}`}: it takes ${min} to ${max.toLocaleString('en-US')}, for example ${key}=${example}.`,
  );
}

/** Replicas or percent, at most 1,000 of either: more than all of them changes nothing. @throws Unreadable */
export function readAmount({ key, value }: Pair): Amount {
  const [, digits, sign] = /^(\d{1,4}|\d{1,4}\.\d{1,3}(?=%))(%?)$/.exec(value) ?? [];
  if (digits !== undefined && Number(digits) <= 1_000) {
    return { value: Number(digits), percent: sign === '%' };
  }
  throw new Unreadable(
    `"${truncate(value, 60)}" is no value of ${key}: it takes a number of replicas or percent, 0 to 1,000, for example ${key}=50%.`,
  );
}

const DAY_SECONDS = 86_400;

/** `30`, `1.5`, `30s` or `2m`; at most a day. @returns seconds @throws Unreadable */
export function readSeconds({ key, value }: Pair): number {
  const [, digits, unit = ''] =
    /^(\d{1,5}(?:\.\d{1,3})?)(s|sec|secs|seconds?|m|min|mins|minutes?|)$/i.exec(value) ?? [];
  const seconds = Number(digits) * (unit.toLowerCase().startsWith('m') ? 60 : 1);
  if (seconds <= DAY_SECONDS) return seconds;
  throw new Unreadable(
    `"${truncate(value, 60)}" is no value of ${key}: it takes seconds, 0 to ${DAY_SECONDS.toLocaleString('en-US')}, for example ${key}=30.`,
  );
}
