import { BigNumber } from 'bignumber.js';
import { parse } from 'lossless-json';

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
 * Numbers of absurd magnitude become NaN, so that whoever needs them sees that they are not there.
 * JSON.parse does most of it, since nobody else is answered meanwhile.
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
