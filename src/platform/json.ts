import { BigNumber } from 'bignumber.js';
import { parse } from 'lossless-json';
import { cutForeign } from '../lib/text.ts';

/** No quantity or amount is larger or finer; a longer number would only cost memory. */
const MAX_MAGNITUDE = 60;
/** Length of a number within that magnitude, with some zeros. */
const MAX_LENGTH = 200;
/** Fewer digits are always exact in a double. */
const SAFE_LENGTH = 15;
/** Enough digits to identify any double. */
const MAX_DIGITS = 17;
/** The first inexact number is parsed as this one, the second as the next. */
const MARK = 2 ** 52;

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i;
/** All adjacent characters of numbers, so that no mark is joined with a neighbour. */
const RUN = /[-+.\de]+/iy;
const [QUOTE, MINUS, ZERO, NINE, COLON, BACKSLASH] = [0x22, 0x2d, 0x30, 0x39, 0x3a, 0x5c];

/**
 * Parses JSON with money and quantities: a number that a double holds exactly stays a number, any other
 * becomes a BigNumber with every digit (beyond 2^53 - 1, or long decimals). Numbers of absurd magnitude
 * become NaN, so that readers treat them as missing. JSON.parse does most of the work, because it is fast and
 * blocks the event loop least.
 * @throws SyntaxError, RangeError when it is nested too deep; also for an object with two different values
 *   under one name
 */
export function parseExact(text: string): unknown {
  const { marked, numbers, names } = markNumbers(text);
  const root: unknown[] = [JSON.parse(marked)];
  if (unmark(root, numbers) === names) return root[0];
  // A name is repeated, and JSON.parse has kept the last value; the slower parser compares them.
  return parse(text, undefined, exactNumber);
}

/** The text with a mark for each number that JSON.parse would change; all other numbers are below MARK. */
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

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    if (sign === QUOTE) return at + 1;
    if (sign === BACKSLASH) at += 1;
  }
  return text.length;
}

/** Whether JSON.parse is exact for it; JSON.parse keeps the sign of zero. */
function isHeld(text: string, exact: number | BigNumber): boolean {
  return Object.is(Number(text), exact) && Math.abs(Number(exact)) < MARK;
}

/** Replaces the marks by their numbers. @returns the number of members of all objects */
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

/** The number that a whole text represents, as in `parseExact`; undefined for any other text. */
export function numberIn(text: string): number | BigNumber | undefined {
  return NUMBER.test(text) ? exactNumber(text) : undefined;
}

function exactNumber(text: string): number | BigNumber {
  // Zero has no sign: "-0" must not be shown as negative.
  const double = Number(text) || 0;
  const isPlain = !/e/i.test(text);
  if (isPlain && (text.length <= SAFE_LENGTH || `${double}` === text)) return double;
  // Texts such as "1e" are left to the parser, too.
  if (text.length > MAX_LENGTH || !NUMBER.test(text)) return Number.NaN;
  const exact = new BigNumber(text);
  const magnitude = exact.e ?? Number.POSITIVE_INFINITY;
  if (Math.abs(magnitude) > MAX_MAGNITUDE || exact.dp()! > MAX_MAGNITUDE) return Number.NaN;
  // A number too small even for BigNumber.
  if (exact.isZero() && /^[^e]*[1-9]/i.test(text)) return Number.NaN;
  return exact.sd() <= MAX_DIGITS && exact.eq(double) ? double : exact;
}

/** Readers of foreign members. They see own properties only, so `__proto__` has no special meaning. */

export type Members = Readonly<Record<string, unknown>>;

/** Undefined for lists, numbers and anything else. */
export function objectOf(value: unknown): Members | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject && !(value instanceof BigNumber) ? (value as Members) : undefined;
}

export function own(object: Members, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Null means the same as absent. */
export function isNothing(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

/** An exact number, which may be written as text; other texts, NaN and infinities are undefined. */
export function numberOf(value: unknown): BigNumber | undefined {
  const said = typeof value === 'string' ? numberIn(value) : value;
  // Not `isBigNumber`, which accepts any object that claims to be one.
  if (!(said instanceof BigNumber) && typeof said !== 'number') return undefined;
  const number = typeof said === 'number' ? new BigNumber(said) : said;
  if (number.isZero()) return number.abs();
  return number.isFinite() ? number : undefined;
}

/** As `numberOf`, for values that are never negative: usage, in contrast to money (spec 2.7, 2.11). */
export function quantityOf(value: unknown): BigNumber | undefined {
  const number = numberOf(value);
  return number?.isNegative() ? undefined : number;
}

/** The name of a plan: the text itself, or the id or name of an object. */
export function labelOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  const object = objectOf(value);
  return (
    object && [own(object, 'id'), own(object, 'name')].find((name) => typeof name === 'string')
  );
}

/**
 * Tags or a group's key: texts, and the numbers of `volumeIndex`. Empty for null or absent; null tags are
 * omitted; undefined when any value has another type.
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

/** A fast path for almost all rows, of which there are thousands. */
function isAllText(object: Members): object is Readonly<Record<string, string>> {
  return Object.values(object).every((value) => typeof value === 'string');
}

export function tagOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : quantityOf(value)?.toFixed();
}

/** Readers for informational members: a wrong type counts as absent. */

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** A text for display, cut at 4 KB. */
export function messageOf(value: unknown): string {
  return cutForeign(textOf(value));
}

/** An id may be written as a number; empty for anything else. */
export function idOf(value: unknown): string {
  return typeof value === 'string' ? value : (numberOf(value)?.toFixed() ?? '');
}

/** A count, which may be written as text. Absent is not zero (design section 4: `idle` needs a stated 0). */
export function countOf(value: unknown): number | undefined {
  const count = typeof value === 'string' ? numberIn(value) : value;
  return typeof count === 'number' && count >= 0 && Number.isFinite(count) ? count : undefined;
}

const RFC_3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/i;

/** Milliseconds since the epoch; a time without a UTC offset is ambiguous and undefined. */
export function timeOf(value: unknown): number | undefined {
  const ms = typeof value === 'string' && RFC_3339.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
}

/** `11`, `11.0` and `"11"` are 11; absent and unreadable are 0, which means "not set". */
export function versionOf(value: unknown): number {
  const number = typeof value === 'string' ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number > 0 ? number : 0;
}

/** Empty for anything but an object. */
export function membersOf(value: unknown): Members {
  return objectOf(value) ?? {};
}

/** The objects of a list; other items are skipped. Empty for anything but a list. */
export function objectsOf(value: unknown): Members[] {
  return Array.isArray(value) ? value.map(objectOf).filter((item) => item !== undefined) : [];
}
