import { BigNumber } from 'bignumber.js';
import type { KnownBlock } from '@slack/types';
import { twoReadingsOfField } from '../../grammar/typed.ts';
import { Refusal } from '../../lib/errors.ts';
import { invisible, lookalike, revealed } from '../../lib/lookalikes.ts';
import { compareNames, plural, shorten, truncate } from '../../lib/text.ts';
import type { Listing } from '../../platform/billing/calls.ts';
import type { BillingClient } from '../../platform/billing/client.ts';
import { isSameEmail, knownRoles, type BillingRole } from '../../platform/billing/roles.ts';
import { checkNewEmail, checkTime } from '../../platform/errors.ts';
import { oneReading, readingsOf } from '../../reporting/amounts.ts';
import {
  checkboxes,
  dateInput,
  emailInput,
  numberInput,
  select,
  textInput,
  type Choice,
} from '../../slack/kit/inputs.ts';
import { escapeText, LIMITS, tidy } from '../../slack/kit/text.ts';
import type { FormValues, Person } from '../../slack/routing/routes.ts';
import { tagsText } from '../kinds/kind.ts';
import { ROLE_CHOICES } from '../kinds/role-rights.ts';

export interface FormView {
  readonly notes?: readonly string[];
  readonly consequences: readonly string[];
  /** With the labels of design section 5. */
  readonly fields: readonly KnownBlock[];
  /** Comes back with the form, such as the amount that was shown; no secret. */
  readonly memory?: Given;
}

/**
 * Initial values from a command, a button or a choice: the `amount` of the alert, the `email` of a user or a recipient,
 * the `id` of a recipient or a token, the `name` of a token, an org or a quota, the `org` of a quota, the missing `roles`
 * with commas between them, or all fields and the `reason` of an earlier request. Unknown values are ignored.
 */
export type Given = Readonly<Record<string, string>>;
export type ReadForm<Input> =
  | { readonly input: Input }
  | { readonly errors: Record<string, string> }
  | { readonly refusal: string };

export interface Opened {
  readonly platform: BillingClient;
  readonly given: Given;
  /** Ms since the epoch. */
  readonly now: number;
  readonly person: Person;
}

export interface Submitted {
  readonly values: FormValues;
  readonly memory: Given;
  /** Ms since the epoch. */
  readonly now: number;
  readonly person: Person;
}

/** A form as a kind declares it; it gives an input of the kind. */
export interface RequestForm<Input> {
  /** At most 24 characters. */
  readonly title: string;
  /** From a fresh read. @throws Refusal when there is nothing to request; PlatformError */
  open(opened: Opened): Promise<FormView>;
  /** The input, or errors by field id, one sentence each. Pure. */
  read(submitted: Submitted): ReadForm<Input>;
  /** Adds facts about the person, read afresh when the form is sent. @throws Refusal */
  complete?(input: Input, person: Person): Promise<Input>;
  /** It asks for roles of the person who fills it in: its inputs are `own`. */
  readonly isOwn?: true;
  /** It takes a review also with APPROVALS=off. */
  readonly isAlwaysReviewed?: true;
  /** The field under which a conflict is shown; absent when the form has no field. */
  readonly conflictField?: string;
  /** The field that others depend on, and its name in `Given` when the form is filled again. */
  readonly refills?: { readonly field: string; readonly given: string };
}

export type FormsOf<Name extends string, Input> = Readonly<Record<Name, RequestForm<Input>>>;

/** The value of one field, or the sentence that is shown under it. */
type Read<T> = { readonly value: T } | { readonly error: string };

/** A value of a form, and the field under which its error is shown. Fields on screen have a `block`, too. */
export interface Field<T> {
  readonly id: string;
  readonly read: (submitted: Submitted) => Read<T>;
}

interface Label {
  readonly id: string;
  readonly label: string;
  readonly hint?: string;
}

type ValuesOf<Fields> = {
  readonly [Name in keyof Fields]: Fields[Name] extends Field<infer T> ? T : never;
};

/** An input of all fields, or the errors of those that are invalid. */
export function inputOf<Fields extends Readonly<Record<string, Field<unknown>>>, Input>(
  fields: Fields,
  submitted: Submitted,
  make: (values: ValuesOf<Fields>) => Input,
): ReadForm<Input> {
  const errors: Record<string, string> = {};
  const values: Record<string, unknown> = {};
  for (const [name, { id, read }] of Object.entries(fields)) {
    const result = read(submitted);
    if ('error' in result) errors[id] = result.error;
    else values[name] = result.value;
  }
  if (Object.keys(errors).length > 0) return { errors };
  return { input: make(values as ValuesOf<Fields>) };
}

/** The field with one more rule. @param problem the error of a value; undefined: it is valid */
export function checked<F extends Field<string>>(
  field: F,
  problem: (value: string) => string | undefined,
): F {
  return {
    ...field,
    read(submitted: Submitted): Read<string> {
      const result = field.read(submitted);
      const error = 'value' in result ? problem(result.value) : undefined;
      return error === undefined ? result : { error };
    },
  };
}

/** `mark` follows the text, and so is shown after the choice, too: Slack then hides `about`. */
export interface Option extends Pick<Choice, 'text' | 'value'> {
  readonly mark?: string | undefined;
  readonly about?: string | undefined;
}

function unmasked({ text, value, about, mark }: Option): Choice {
  const hides = lookalike(text);
  const lines = [hides && `⚠ ${hides}`, about].filter(Boolean);
  const end = mark === undefined ? '' : ` (${mark})`;
  return {
    text: shorten(revealed(text), LIMITS.optionText - end.length) + end,
    value,
    ...(lines.length > 0 && { about: lines.join(' · ') }),
  };
}

interface Choosing<T> {
  readonly what: string;
  readonly by: 'name' | 'address';
  readonly optionOf: (one: T, namesakes: readonly T[]) => Option;
  /** The refusal when there is nothing to choose. */
  readonly none: string;
  /** The command that shows all. */
  readonly look: string;
  /** Why one of that name is not among them; undefined: no such name is known. */
  readonly missing?: (name: string) => string | undefined;
}

/**
 * The options of a choice, the one asked for by its id, else by a name that no other has, and notes on all others.
 * @throws Refusal when nothing can be chosen
 */
export function choiceOf<T>(
  { items, skipped }: Listing<T>,
  { what, by, optionOf, none, look, missing }: Choosing<T>,
  { id, name }: { readonly id?: string | undefined; readonly name?: string | undefined },
) {
  const unread = `${plural(skipped, what)} could not be read, and`;
  if (items.length === 0) {
    const others = `${unread} there is no other to choose: look with ${look}.`;
    throw new Refusal(skipped === 0 ? none : others);
  }
  const byName = new Map<string, T[]>();
  const namesakesOf = (text: string) => byName.get(text.toLowerCase()) ?? [];
  for (const one of items) {
    const { text } = optionOf(one, []);
    byName.set(text.toLowerCase(), [...namesakesOf(text), one]);
  }
  const named = name === undefined ? [] : namesakesOf(name);
  const only = named.length === 1 ? named[0] : undefined;
  const hit = items.find((one) => optionOf(one, []).value === id) ?? only;
  const chosen = hit && optionOf(hit, []).value.length <= LIMITS.optionValue ? hit : undefined;
  const asked = name ?? id;
  const note =
    named.length > 1
      ? `There are ${plural(named.length, what)} of the ${truncate(`${by} ${name}`, 70)}: choose one.`
      : asked &&
        ((name && missing?.(name)) ?? `There is no ${what} ${truncate(asked, 60)} to choose here.`);
  return {
    chosen,
    options: items.map((one) => optionOf(one, namesakesOf(optionOf(one, []).text))),
    notes: [
      ...(note && chosen === undefined ? [note] : []),
      ...(skipped === 0 ? [] : [`${unread} cannot be chosen here.`]),
    ],
  };
}

/**
 * Distinguishes namesakes: the first eight characters of the id, or as many as it takes. Undefined without namesakes.
 * @param namesakes includes the record itself
 */
export function idMark<T extends { readonly id: string }>(
  { id }: T,
  namesakes: readonly T[],
): string | undefined {
  const others = namesakes.filter((one) => one.id !== id);
  if (others.length === 0) return undefined;
  let length = 8;
  const isShared = (): boolean => others.some((one) => one.id.startsWith(id.slice(0, length)));
  while (length < id.length && isShared()) length += 1;
  return `id ${id.slice(0, length)}`;
}

/** A field that is read from its own value alone. */
function fieldOf<T, Initial extends unknown[]>(
  id: string,
  block: (...initial: Initial) => KnownBlock,
  valueIn: (value: FormValues[string]) => Read<T>,
) {
  const read = ({ values }: Pick<Submitted, 'values'>) => valueIn(values[id]);
  return { id, block, read };
}

function startOf(initial: string | undefined): { initial?: string } {
  return initial === undefined ? {} : { initial };
}

type Least = '0 or more' | 'above 0';

/** @param field `more` in its block follows the hint */
export function numberField(field: Label & { readonly hint: string; readonly least: Least }) {
  const rules = { ...field, min: '0', decimals: true };
  return fieldOf(
    field.id,
    (initial?: string, more = '') =>
      numberInput({ ...rules, hint: field.hint + more, ...startOf(oneReading(initial)) }),
    (value) => {
      const text = textOf(value);
      const readings = readingsOf(text);
      return readings === undefined
        ? numberIn(value, field.least)
        : { error: twoReadingsOfField(text, readings) };
    },
  );
}

/** A longer number is a typing error. */
const MAX_DIGITS = 30;

/** A decimal number of 0 or more, or above 0; a number that JavaScript would round is refused. */
export function numberIn(value: FormValues[string], least: Least): Read<number> {
  const text = textOf(value);
  const number = Number(text);
  if (!/^\+?(?:\d+(?:\.\d*)?|\.\d+)$/.test(text) || (least === 'above 0' && number === 0)) {
    return {
      error: `Type a number ${least === '0 or more' ? 'of ' : ''}${least}, such as 500 or 99.5.`,
    };
  }
  const isExact = text.length <= MAX_DIGITS && new BigNumber(text).eq(new BigNumber(number));
  return isExact
    ? { value: number }
    : { error: 'These are more digits than can be sent exactly: type a shorter number.' };
}

interface TextRules extends Label {
  readonly max: number;
  /** The error for an empty field; absent: it may be empty. */
  readonly missing?: string;
  readonly optional?: true;
}

export function textField(rules: TextRules) {
  return fieldOf(
    rules.id,
    (initial?: string) => textInput({ ...rules, maxLength: rules.max, ...startOf(initial) }),
    (value) => textIn(value, rules),
  );
}

/** As `textField`, for a name: look-alike names are refused. */
export function nameField(rules: TextRules) {
  return fieldOf(rules.id, textField(rules).block, (value) => {
    const hides = lookalike(rawOf(value));
    return hides === undefined
      ? textIn(value, rules)
      : { error: `This name has ${hides}, so ${TAKEN_FOR_ANOTHER}` };
  });
}

function textIn(raw: FormValues[string], { max, missing }: TextRules): Read<string> {
  const value = textOf(raw).replace(/\s+/g, ' ');
  if (value === '' && missing !== undefined) return { error: missing };
  // Invisible characters are written out on the card, and all of that needs room.
  return revealed(value).length > max
    ? { error: `This is too long: at most ${max} characters are possible.` }
    : { value };
}

export function emailField(id: string) {
  return fieldOf(
    id,
    (initial?: string) => emailInput({ id, label: 'E-mail', ...startOf(initial) }),
    (raw): Read<string> => {
      const value = rawOf(raw);
      const error = emailProblem(value);
      return error === undefined ? { value } : { error };
    },
  );
}

export function emailsField(field: Label) {
  return fieldOf(
    field.id,
    (initial?: string) => textInput({ ...field, multiline: true, ...startOf(initial) }),
    (value) => emailsIn(rawOf(value)),
  );
}

const MAX_EMAILS = 50;
/** An approver sees the whole list, so it has to fit the card, as it is sent to Slack. */
const MAX_LIST = 1_800;

/** E-mail addresses divided by commas, semicolons, blanks or lines; each once. */
function emailsIn(text: string): Read<string[]> {
  const typed = text.split(/[\s,;]+/).filter((part) => part !== '');
  const value = typed.filter(
    (one, at) => typed.findIndex((other) => isSameEmail(one, other)) === at,
  );
  if (value.length === 0) {
    return { error: 'Name at least one e-mail address such as ada@example.com.' };
  }
  if (value.length > MAX_EMAILS) {
    return { error: `These are ${value.length} addresses: at most ${MAX_EMAILS} are possible.` };
  }
  if (escapeText(value.join(', ')).length > MAX_LIST) return { error: TOO_LONG_A_LIST };
  const [error] = value.flatMap((one) => emailProblem(one) ?? []);
  return error === undefined ? { value } : { error };
}

const TOO_LONG_A_LIST =
  'These addresses are too long to be shown on the card: name fewer, at most 1,800 characters in all.';

function emailProblem(text: string): string | undefined {
  if (text === '') return 'Type an e-mail address such as ada@example.com.';
  const shown = truncate(revealed(text), 100);
  const hides = lookalike(text);
  if (hides !== undefined) return `"${shown}" has ${hides}, so ${TAKEN_FOR_ANOTHER}`;
  try {
    checkNewEmail(text);
    return undefined;
  } catch {
    return `"${shown}" is not an e-mail address: write one such as ada@example.com.`;
  }
}

const TAKEN_FOR_ANOTHER = 'it can be taken for another one: type it by hand, in one alphabet.';

export function tagsField(field: Label) {
  return fieldOf(
    field.id,
    (initial?: string) =>
      textInput({ ...field, optional: true, multiline: true, ...startOf(initial) }),
    (value) => tagsIn(rawOf(value)),
  );
}

const MAX_TAGS = 50;
/** A card shows all tags. */
const MAX_TAGS_LENGTH = 500;

/** Tags from lines such as `team=payments`, in the order of their keys; undefined without any. */
function tagsIn(text: string): Read<Readonly<Record<string, string>> | undefined> {
  const lines = text.split(/[\r\n]+/).map((line) => line.trim());
  const tags = new Map<string, string>();
  for (const line of lines.filter((one) => one !== '')) {
    const tag = tagOf(line);
    if (typeof tag === 'string') return { error: tag };
    const { key, value } = tag;
    if (tags.has(key)) return { error: `The key "${key}" is there twice: leave one.` };
    tags.set(key, value);
  }
  if (tags.size > MAX_TAGS) {
    return { error: `These are ${tags.size} tags: at most ${MAX_TAGS} are possible.` };
  }
  if (tags.size === 0) return { value: undefined };
  const sorted = [...tags].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const value = Object.fromEntries(sorted);
  return revealed(tagsText(value)).length > MAX_TAGS_LENGTH ? { error: TOO_MANY_TAGS } : { value };
}

const TOO_MANY_TAGS = `These tags are too long to be shown on the card: name fewer, at most ${MAX_TAGS_LENGTH} characters in all.`;

function tagOf(line: string): { key: string; value: string } | string {
  const shown = truncate(revealed(line), 100);
  const { key, text = '' } = TAG.exec(line)?.groups ?? {};
  if (key === undefined || key === '__proto__') {
    return `"${shown}" is not a tag: write each on a line of its own, such as team=payments.`;
  }
  const hides = lookalike(key);
  if (hides !== undefined) return `The key of "${shown}" has ${hides}, so ${TAKEN_FOR_ANOTHER}`;
  const value = scalarIn(text);
  if (value === undefined) {
    return `The value of "${shown}" cannot be read: write a text, a number, true or false.`;
  }
  const unseen = invisible(value);
  return unseen === undefined
    ? { key, value }
    : `The value of "${shown}" has ${unseen}, so ${TAKEN_FOR_ANOTHER}`;
}

/** A key has no blanks, and none of the characters that separate tags on one line. */
const TAG = /^(?<key>[^\s=,"]+)\s*=\s*(?<text>.*)$/u;

/** A value as text: as written, or the content of a JSON string in quotes. */
function scalarIn(text: string): string | undefined {
  if (!/^["[{]/.test(text)) return text;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

export function rolesField(id: string) {
  return fieldOf(
    id,
    (initial: readonly string[] = [], hint?: string) =>
      checkboxes({ id, label: 'Roles', options: ROLE_CHOICES, initial, ...(hint && { hint }) }),
    (ticked): Read<BillingRole[]> => {
      const value = knownRoles([ticked].flat());
      return value.length === 0 ? { error: 'Tick at least one role.' } : { value };
    },
  );
}

export function rolesIn({ roles = '' }: Given): BillingRole[] {
  return knownRoles(roles.split(','));
}

const TICKED = 'yes';

/** @param field `text` is that of its one box */
export function flagField(field: Label & { readonly text: string }) {
  const options = [{ text: field.text, value: TICKED }];
  return fieldOf(
    field.id,
    (initial: boolean) =>
      checkboxes({ ...field, optional: true, options, initial: initial ? [TICKED] : [] }),
    (ticked) => ({ value: [ticked].flat().some(Boolean) }),
  );
}

/** A day in UTC, read as its end in RFC 3339; undefined without a day. */
export function expiryField(field: Label) {
  return {
    id: field.id,
    block: (initial?: string) => dateInput({ ...field, optional: true, ...startOf(initial) }),
    read({ values, now }: Pick<Submitted, 'values' | 'now'>): Read<string | undefined> {
      const day = textOf(values[field.id]);
      if (day === '') return { value: undefined };
      const value = `${day}T23:59:59Z`;
      try {
        if (checkTime('Expires', value) > now) return { value };
      } catch {
        return { error: 'Choose a day such as 2027-12-31.' };
      }
      return { error: 'Choose a day in the future, or none for no expiry.' };
    },
  };
}

/** `refills`: other fields depend on it. */
export function choiceField(field: Label & { readonly refills?: true }) {
  return fieldOf(
    field.id,
    (options: readonly Option[], initial: string | undefined) =>
      select({
        ...field,
        options: options.toSorted((a, b) => compareNames(a.text, b.text)).map(unmasked),
        ...startOf(initial),
      }),
    (value): Read<string> =>
      typeof value === 'string' && value !== '' ? { value } : { error: 'Choose one.' },
  );
}

function textOf(value: FormValues[string]): string {
  return tidy(rawOf(value)).trim();
}

function rawOf(value: FormValues[string]): string {
  return typeof value === 'string' ? value.trim() : '';
}
