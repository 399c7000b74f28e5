import { BigNumber } from 'bignumber.js';
import { LosslessNumber, parse, stringify } from 'lossless-json';

/**
 * Reads an answer a second time without the client's readers (numbers as they were written, only own members of
 * objects), and has the rules that compare the client's result with it: `shown` is returned, `said` was sent.
 */

/** Stands for a text that is no JSON document. */
export const UNREADABLE = Symbol('unreadable');
/** Stands for one that is nested so deep that it depends on the stack whether it can be read. */
export const TOO_DEEP = Symbol('too deep');

/** @param isPlain by the rules of `JSON.parse`: the last of two members with the same name counts */
export function readSent(body: Buffer, isPlain = false): unknown {
  try {
    if (!isPlain) return parse(textOf(body), undefined, writtenAs);
    return JSON.parse(textOf(body), (_name, value: unknown) =>
      Number.isFinite(value) ? writtenAs(String(value)) : value,
    );
  } catch (error) {
    return error instanceof RangeError ? TOO_DEEP : UNREADABLE;
  }
}

/** Whether the body of a success is empty. */
export function isSilent(body: Buffer): boolean {
  return /^(?:null)?$/.test(textOf(body).trim());
}

/** The text without the mark that some software puts before it. */
function textOf(body: Buffer): string {
  return body.toString().replace(/^\uFEFF/, '');
}

/** A number in canonical form, so that two members with the same name are equal in any notation. */
function writtenAs(text: string): LosslessNumber {
  return new LosslessNumber(canonical(text));
}

/** An object that is no number; a list is one, too. */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !isNumber(value);
}

/** An own member; undefined where nothing is there. */
export function member(value: unknown, ...names: readonly string[]): unknown {
  return names.reduce<unknown>(
    (inner, name) =>
      isObject(inner) && Object.hasOwn(inner, name)
        ? (inner as Record<string, unknown>)[name]
        : undefined,
    value,
  );
}

/** The own members of an object that is no list. */
function membersOf(value: unknown): [string, unknown][] {
  return isObject(value) && !Array.isArray(value) ? Object.entries(value) : [];
}

/** A list, or null and absence as an empty one; undefined for anything else. */
export function listOf(value: unknown): readonly unknown[] | undefined {
  const list = value ?? [];
  return Array.isArray(list) ? list : undefined;
}

/** All rows in lists within lists, by the names of these. */
export function rowsIn(value: unknown, ...lists: readonly string[]): unknown[] {
  return lists.reduce<unknown[]>(
    (values, list) => values.flatMap((one) => listOf(member(one, list)) ?? []),
    [value],
  );
}

/** The rows of an answer: bare, in one of the wrappers, or in the only list that there is. */
export function rowsOf(document: unknown, ...wrappers: string[]): readonly unknown[] | undefined {
  if (Array.isArray(document)) return document;
  const said = wrappers
    .map((name) => member(document, name))
    .find((rows) => rows === null || Array.isArray(rows));
  const lists = membersOf(document).filter(
    ([name, rows]) => name !== 'links' && Array.isArray(rows),
  );
  if (said !== undefined) return listOf(said);
  return lists.length === 1 ? listOf(lists[0]?.[1]) : undefined;
}

export function isNumber(value: unknown): value is LosslessNumber {
  return value instanceof LosslessNumber;
}

/** Whether a row of the list of that name is unchanged from a true answer; then it must be shown. */
export type Intact = (row: unknown, list: string) => boolean;

/** @param documents true answers; the list that is a whole document has no name */
export function createIntact(documents: readonly unknown[]): Intact {
  const known = new Set<string>();
  const learn = (value: unknown, name: string): void => {
    if (Array.isArray(value)) for (const row of value) known.add(keyOf(row, name));
    if (!isObject(value)) return;
    const list = Array.isArray(value) ? name : undefined;
    for (const [inner, one] of Object.entries(value)) learn(one, list ?? inner);
  };
  for (const document of documents) learn(document, '');
  return (row, list) => known.has(keyOf(row, list));
}

function keyOf(row: unknown, list: string): string {
  try {
    return `${list} ${stringify(row)}`;
  } catch {
    return ''; // Nested too deep, or with a `toJSON` that is no function: not one of ours.
  }
}

/** Whether the shown value agrees with the sent one. */
export type Rule<Shown> = (shown: Shown, said: unknown, isIntact: Intact) => boolean;

/** The rule of every shown field, and its path in the answer when the name differs. */
type Fields<Shown> = {
  readonly [Name in keyof Shown]-?: Rule<Shown[Name]> | readonly [Rule<Shown[Name]>, ...string[]];
};

export function record<Shown extends object>(fields: Fields<Shown>): Rule<Shown> {
  const rules = Object.entries(fields).map(([name, field]: [string, unknown]) => {
    const [rule, ...path] = [field].flat() as [Rule<unknown>, ...string[]];
    return { name: name as keyof Shown, rule, path: path.length > 0 ? path : [name] };
  });
  return (shown, said, isIntact) =>
    rules.every(({ name, rule, path }) => rule(shown[name], member(said, ...path), isIntact));
}

export function all<Shown>(...rules: readonly Rule<Shown>[]): Rule<Shown> {
  return (shown, said, isIntact) => rules.every((rule) => rule(shown, said, isIntact));
}

/** Rows agree by their index; anything but a list counts as one unreadable row. */
export function each<Row>(rule: Rule<Row>): Rule<readonly Row[]> {
  return (shown, said, isIntact) => {
    const rows = listOf(said) ?? [undefined];
    return rows.length === shown.length && shown.every((row, at) => rule(row, rows[at], isIntact));
  };
}

/** The rows are some of the sent ones, in their order, with every untouched one among them. */
export function some<Row>(rule: Rule<Row>, list: string): Rule<readonly Row[]> {
  return (shown, said, isIntact) => {
    const rows = listOf(said);
    let next = 0;
    for (const row of rows ?? []) {
      if (next < shown.length && rule(shown[next]!, row, isIntact)) next += 1;
      else if (isIntact(row, list)) return false;
    }
    return rows !== undefined && next === shown.length;
  };
}

/** For fields that are neither sent nor requested, such as the number of rows beside those that are shown. */
export const anything = () => true;
export const is: Rule<unknown> = (shown, said) => shown === said;

/** The number that is shown is the one that was written, digit by digit, be it in a text. */
export const isSame: Rule<unknown> = (shown, said) => {
  const isShown = typeof shown === 'number' || shown instanceof BigNumber;
  return isShown && canonical(shown.toString()) === digitsIn(said);
};

/** As `isSame`; undefined is allowed for an absent or invalid value. */
export const isSameOrHidden: Rule<unknown> = (shown, said, isIntact) =>
  shown === undefined || isSame(shown, said, isIntact);

/** As `isSame`; it may be left out only where it was left out. */
export const isSameOrAbsent: Rule<unknown> = (shown, said, isIntact) =>
  shown === undefined ? (said ?? null) === null : isSame(shown, said, isIntact);

/** The text is the number that was written, digit by digit. */
export function isWritten(shown: string | undefined, said: unknown): boolean {
  return shown !== undefined && isNumber(said) && canonical(shown) === said.value;
}

/** The one writing of a number, or of a text that is one as JSON has them. */
function digitsIn(said: unknown): string | undefined {
  if (isNumber(said)) return said.value;
  const isText = typeof said === 'string' && /^[-\d]/.test(said) && /\d$/.test(said);
  return isText ? canonical(said) : undefined;
}

/** Whether a number has no part behind the point. */
export function isWhole(said: unknown): boolean {
  return digitsIn(said)?.includes('e-') === false;
}

export function isNegative(said: unknown): boolean {
  return digitsIn(said)?.startsWith('-') === true;
}

/** One writing for every number: its digits without zeros at the ends, and a power of ten. */
function canonical(text: string): string {
  const parts = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text);
  if (parts === null) return `no number: ${text}`;
  const [, sign, whole = '', fraction = '', exponent = '0'] = parts;
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  if (digits === '') return '0';
  const short = digits.replace(/0+$/, '');
  const power = BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - short.length);
  return `${sign}${short}e${power}`;
}

/** A text is shown as it was sent, or is empty or absent when no text was sent. */
export const isText = (shown: string | undefined, said: unknown): boolean =>
  (shown ?? '') === (typeof said === 'string' ? said : '');

/** An id is the sent one, which may have been a number. */
export const isId = (shown: string | undefined, said: unknown): boolean =>
  isText(shown, said) || isWritten(shown, said);

/** A time, ms since the epoch, is the sent one, or is left out. */
export const isTime = (shown: number | undefined, said: unknown): boolean =>
  shown === undefined || (typeof said === 'string' && shown === Date.parse(said));

/** Every shown text was sent, each by itself. */
export const areTexts = (shown: readonly string[], said: unknown): boolean =>
  Array.isArray(said) && shown.every((text) => said.includes(text));

/** Texts and numbers by their names, without null values. */
export function areTags(shown: Readonly<Record<string, string>>, said: unknown): boolean {
  const sent = membersOf(said).filter(([, value]) => value !== null);
  return (
    sent.length === Object.keys(shown).length &&
    sent.every(([tag, value]) => shown[tag] === value || isWritten(shown[tag], value))
  );
}
