import { BigNumber } from 'bignumber.js';

import { numberIn } from './exact-json.ts';

/** Readers of foreign members. They see an object's own ones only, so that `__proto__` is never one of ours. */

export type Members = Readonly<Record<string, unknown>>;

/** An object that is no list and no number; undefined for anything else. */
export function objectOf(value: unknown): Members | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject && !(value instanceof BigNumber) ? (value as Members) : undefined;
}

export function own(object: Members, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Null and absent say the same: nothing. */
export function isNothing(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

/** A number, exact, which may be written as text; other texts, NaN and infinities are none. */
export function numberOf(value: unknown): BigNumber | undefined {
  const said = typeof value === 'string' ? numberIn(value) : value;
  // Not `isBigNumber`, which believes any object that says so of itself.
  if (!(said instanceof BigNumber) && typeof said !== 'number') return undefined;
  const number = typeof said === 'number' ? new BigNumber(said) : said;
  // Zero has no sign.
  if (number.isZero()) return number.abs();
  return number.isFinite() ? number : undefined;
}

/** As `numberOf`, of what is never below zero: usage, in contrast to money (spec 2.7, 2.11). */
export function quantityOf(value: unknown): BigNumber | undefined {
  const number = numberOf(value);
  return number?.isNegative() ? undefined : number;
}

/** What a plan is called: the text itself, or the id or name of an object. */
export function labelOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  const object = objectOf(value);
  return (
    object && [own(object, 'id'), own(object, 'name')].find((name) => typeof name === 'string')
  );
}

/**
 * Tags or a group's key: text, and the numbers that `volumeIndex` has. None where they are null or
 * absent, and without each that is null; undefined when any is something else.
 */
export function tagsOf(value: unknown): Readonly<Record<string, string>> | undefined {
  const object = objectOf(value ?? {});
  if (object === undefined || isAllText(object)) return object;
  const tags: [string, string][] = [];
  for (const [tag, said] of Object.entries(object)) {
    if (isNothing(said)) continue;
    const text = tagOf(said);
    if (text === undefined) return undefined;
    tags.push([tag, text]);
  }
  return Object.fromEntries(tags);
}

/** Almost all are, and then there are thousands. */
function isAllText(object: Members): object is Readonly<Record<string, string>> {
  return Object.values(object).every((value) => typeof value === 'string');
}

/** The text of one tag's value. */
export function tagOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : quantityOf(value)?.toFixed();
}
