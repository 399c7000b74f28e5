import { BigNumber } from 'bignumber.js';
import { LosslessNumber, parse } from 'lossless-json';

/**
 * What an answer says, read a second time without the client's readers: numbers as they were written,
 * and of objects their own members only.
 */

/** Stands for a text that is no JSON document. */
export const UNREADABLE = Symbol('unreadable');
/** Stands for one that is nested so deep that it depends on the stack whether it can be read. */
export const TOO_DEEP = Symbol('too deep');

export function readSent(body: Buffer): unknown {
  try {
    return parse(textOf(body), undefined, writtenAs);
  } catch (error) {
    return error instanceof RangeError ? TOO_DEEP : UNREADABLE;
  }
}

/** Whether a success says nothing more. */
export function isSilent(body: Buffer): boolean {
  return /^(?:null)?$/.test(textOf(body).trim());
}

/** The text without the mark that some software puts before it. */
function textOf(body: Buffer): string {
  return body.toString().replace(/^\uFEFF/, '');
}

/** A number in one writing, so that a name that is said twice may say the same in two. */
function writtenAs(text: string): LosslessNumber {
  return new LosslessNumber(canonical(text));
}

/** As `readSent`, by the rules of `JSON.parse`: of a name that is said twice the last counts. */
export function readSentPlain(body: Buffer): unknown {
  try {
    return JSON.parse(textOf(body), (_name, value: unknown) =>
      Number.isFinite(value) ? writtenAs(String(value)) : value,
    );
  } catch (error) {
    return error instanceof RangeError ? TOO_DEEP : UNREADABLE;
  }
}

/** An own member; undefined where there is none. */
export function member(value: unknown, ...names: readonly string[]): unknown {
  return names.reduce<unknown>((inner, name) => {
    const isObject = typeof inner === 'object' && inner !== null;
    return isObject && !isNumber(inner) && Object.hasOwn(inner, name)
      ? (inner as Record<string, unknown>)[name]
      : undefined;
  }, value);
}

/** The own members of an object that is no list. */
export function membersOf(value: unknown): [string, unknown][] {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject && !isNumber(value) ? Object.entries(value) : [];
}

/** A list, or null and absence as an empty one; undefined for anything else. */
export function listOf(value: unknown): readonly unknown[] | undefined {
  if (value === null || value === undefined) return [];
  return Array.isArray(value) ? value : undefined;
}

/** The rows of an answer: bare, in one of the wrappers, or in the only list that there is. */
export function rowsOf(document: unknown, ...wrappers: string[]): readonly unknown[] | undefined {
  if (Array.isArray(document)) return document;
  const said = wrappers
    .map((name) => member(document, name))
    .find((rows) => rows === null || Array.isArray(rows));
  if (said !== undefined) return listOf(said);
  const lists = membersOf(document).filter(
    ([name, rows]) => name !== 'links' && Array.isArray(rows),
  );
  return lists.length === 1 ? listOf(lists[0]?.[1]) : undefined;
}

export function isNumber(value: unknown): value is LosslessNumber {
  return value instanceof LosslessNumber;
}

/** Whether the number that is shown is the one that was written, digit by digit, be it in a text. */
export function isSame(shown: unknown, said: unknown): boolean {
  const isShown = typeof shown === 'number' || shown instanceof BigNumber;
  return isShown && canonical(shown.toString()) === digitsIn(said);
}

/** Whether the text is the number that was written, digit by digit. */
export function isWritten(shown: string | undefined, said: unknown): boolean {
  return shown !== undefined && isNumber(said) && canonical(shown) === said.value;
}

/** The one writing of a number, or of a text that is one as JSON has them. */
function digitsIn(said: unknown): string | undefined {
  if (isNumber(said)) return said.value;
  const isText = typeof said === 'string' && /^[-\d]/.test(said) && /\d$/.test(said);
  return isText ? canonical(said) : undefined;
}

/** As `isSame`; what is not shown was not said, or was said so that it is none. */
export function isSameOrHidden(shown: unknown, said: unknown): boolean {
  return shown === undefined || isSame(shown, said);
}

/** As `isSame`; it may be left out only where it was left out. */
export function isSameOrAbsent(shown: unknown, said: unknown): boolean {
  return shown === undefined ? said === undefined || said === null : isSame(shown, said);
}

/** Whether a number has no part behind the point. */
export function isWhole(said: unknown): boolean {
  return digitsIn(said)?.includes('e-') === false;
}

export function isNegative(said: unknown): boolean {
  return digitsIn(said)?.startsWith('-') === true;
}

/** One writing for every number: its digits without zeros at the ends, and a power of ten. */
export function canonical(text: string): string {
  const parts = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text);
  if (parts === null) return `no number: ${text}`;
  const [, sign, whole = '', fraction = '', exponent = '0'] = parts;
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  if (digits === '') return '0';
  const short = digits.replace(/0+$/, '');
  const power = BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - short.length);
  return `${sign}${short}e${power}`;
}

/** Whether a text is shown as it was said, or is empty or absent where none was said. */
export function isText(shown: unknown, said: unknown): boolean {
  return (shown ?? '') === (typeof said === 'string' ? said : '');
}

/** Whether an id is the one that was said, which may have been a number. */
export function isId(shown: string | undefined, said: unknown): boolean {
  return isText(shown, said) || isWritten(shown, said);
}

/** Whether a time, ms since the epoch, is the one that was said, or is left out. */
export function isTime(shown: number | undefined, said: unknown): boolean {
  return shown === undefined || (typeof said === 'string' && shown === Date.parse(said));
}

/** Whether the roles that are shown were all said, each for itself. */
export function areRoles(shown: readonly string[], said: unknown): boolean {
  return Array.isArray(said) && shown.every((role) => said.includes(role));
}
