import { BigNumber } from 'bignumber.js';
import { parse } from 'lossless-json';
import { cutForeign } from '../lib/text.ts';

/** No quantity and no amount is larger or finer; a longer number would only cost memory. */
const MAX_MAGNITUDE = 60;
/** What a number within that magnitude can be written with, and some zeros. */
const MAX_LENGTH = 200;
/** Fewer digits than this are always exact in a double. */
const SAFE_LENGTH = 15;
/** What it takes at most to tell a double from any other. */
const MAX_DIGITS = 17;
/** The first number that JSON.parse would change is parsed as this one, the second as the next. */
const MARK = 2 ** 52;

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i;
/** All signs of numbers that stand together, so that no mark is joined with what stood beside a number. */
const RUN = /[-+.\de]+/iy;
const [QUOTE, MINUS, ZERO, NINE, COLON, BACKSLASH] = [0x22, 0x2d, 0x30, 0x39, 0x3a, 0x5c];

/**
 * Parses JSON in which money and quantities stand: a number that a double holds exactly stays one,
 * any other becomes a BigNumber with every digit that was sent (beyond 2^53 - 1, or long decimals).
 * Numbers of absurd magnitude become NaN, so that readers see that they are missing.
 * JSON.parse does most of it, because it is fast and blocks the event loop least.
 * @throws SyntaxError, RangeError when it is nested too deep; also for an object that says two
 * different things under one name
 */
export function parseExact(text: string): unknown {
  const { marked, numbers, names } = markNumbers(text);
  const root: unknown[] = [JSON.parse(marked)];
  if (unmark(root, numbers) === names) return root[0];
  // Some name is said twice, and JSON.parse has kept the last; the slower parser compares them.
  return parse(text, undefined, exactNumber);
}

/** The text with a mark for each number that JSON.parse would change; every other one is less than MARK. */
function markNumbers(text: string) {
  const numbers: (number | BigNumber)[] = [];
  const parts: string[] = [];
  let [at, kept, names] = [0, 0, 0];
  while (at < text.length) {
    const sign = text.charCodeAt(at);
    if (sign === QUOTE) at = endOfString(text, at);
    else if (sign === MINUS || (sign >= ZERO && sign <= NINE)) {
      const number = runAt(text, at);
      const exact = exactNumber(number);
      if (!isHeld(number, exact) && NUMBER.test(number)) {
        parts.push(text.slice(kept, at), `${MARK + numbers.length}`);
        numbers.push(exact);
        kept = at + number.length;
      }
      at += number.length;
    } else {
      if (sign === COLON) names += 1;
      at += 1;
    }
  }
  return { marked: parts.join('') + text.slice(kept), numbers, names };
}

function runAt(text: string, start: number): string {
  RUN.lastIndex = start;
  return RUN.test(text) ? text.slice(start, RUN.lastIndex) : '';
}

/** Where a string ends that begins at `start`; without its end, the text does. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    if (sign === QUOTE) return at + 1;
    if (sign === BACKSLASH) at += 1;
  }
  return text.length;
}

/** Whether JSON.parse gives that number by itself; it keeps the sign of zero. */
function isHeld(text: string, exact: number | BigNumber): boolean {
  return Object.is(Number(text), exact) && Math.abs(Number(exact)) < MARK;
}

/** Puts the numbers in the place of their marks. @returns the members of all objects */
function unmark(node: object, numbers: readonly (number | BigNumber)[]): number {
  const members = node as Record<string, unknown>;
  const names = Object.keys(members);
  let count = Array.isArray(node) ? 0 : names.length;
  for (const name of names) {
    const value = members[name];
    if (typeof value === 'object' && value !== null) count += unmark(value, numbers);
    else if (typeof value === 'number' && value >= MARK) members[name] = numbers[value - MARK];
  }
  return count;
}

/** The number that a whole text is, read as `parseExact` does; undefined where it is any other text. */
export function numberIn(text: string): number | BigNumber | undefined {
  return NUMBER.test(text) ? exactNumber(text) : undefined;
}

function exactNumber(text: string): number | BigNumber {
  // Zero has no sign: "-0" is not less than nothing, and it must not be shown as such.
  const double = Number(text) || 0;
  const isPlain = !/e/i.test(text);
  if (isPlain && (text.length <= SAFE_LENGTH || `${double}` === text)) return double;
  // What begins like a number and is none, such as "1e", is left to the parser, too.
  if (text.length > MAX_LENGTH || !NUMBER.test(text)) return Number.NaN;
  const exact = new BigNumber(text);
  const magnitude = exact.e ?? Number.POSITIVE_INFINITY;
  if (Math.abs(magnitude) > MAX_MAGNITUDE || exact.dp()! > MAX_MAGNITUDE) return Number.NaN;
  // A number so small that even the exact one lost it.
  if (exact.isZero() && /^[^e]*[1-9]/i.test(text)) return Number.NaN;
  return exact.sd() <= MAX_DIGITS && exact.eq(double) ? double : exact;
}

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

/** Readers for members that decide nothing: what has the wrong type counts as absent. */

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** A text for people, of which no more is read than anybody reads: at most 4 KB. */
export function messageOf(value: unknown): string {
  return cutForeign(textOf(value));
}

/** An id, which may be written as a number; empty for anything else. */
export function idOf(value: unknown): string {
  return typeof value === 'string' ? value : (numberOf(value)?.toFixed() ?? '');
}

/**
 * A count, which may be written as text, and which may be absent; absent is not zero (design section
 * 4: `idle` needs a stated 0).
 */
export function countOf(value: unknown): number | undefined {
  const count = typeof value === 'string' ? numberIn(value) : value;
  return typeof count === 'number' && count >= 0 && Number.isFinite(count) ? count : undefined;
}

const RFC_3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/i;

/** Milliseconds since the epoch; a time without its offset from UTC could be any of a day. */
export function timeOf(value: unknown): number | undefined {
  const ms = typeof value === 'string' && RFC_3339.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
}

/** `11`, `11.0` and `"11"` are 11; absent and unreadable are 0, which means "not set". */
export function versionOf(value: unknown): number {
  const number = typeof value === 'string' ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number > 0 ? number : 0;
}

/** The members of an object; of anything else, none. */
export function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

/** The objects in a list, without what else stands between them; of anything else, none. */
export function objectsOf(value: unknown): Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
