import { BigNumber } from 'bignumber.js';
import { compareNames, invisible, lookalike, plural, revealed, truncate } from '../../lib/text.ts';
import { isSameEmail, knownRoles, type BillingRole } from '../../platform/billing/roles.ts';
import { checkEmail, checkTime } from '../../platform/errors.ts';
import type { Choice } from '../../slack/kit/inputs.ts';
import { escapeText, tidy } from '../../slack/kit/text.ts';
import type { FormValues } from '../../slack/routing/routes.ts';
import { tagsText } from '../kinds/kind.ts';
import type { ChangeInput } from '../kinds/kinds.ts';
import type { FormField, ReadForm } from './form.ts';

/** A form must show the current state. */
export const FRESH = { fresh: true } as const;

/** The roles of spec 2.1 with their rights (spec 4.3); at most 75 characters each. */
const ROLES: readonly Choice[] = [
  {
    text: 'billing_admin',
    value: 'billing_admin',
    about: 'Sees and changes everything of the account, and approves changes.',
  },
  {
    text: 'billing_viewer',
    value: 'billing_viewer',
    about: 'Sees the account, its charges, invoices and users; changes nothing.',
  },
  {
    text: 'org_creator',
    value: 'org_creator',
    about: 'Sees the account and its orgs, and creates orgs.',
  },
];

export function rolesField(id: string, initial: readonly string[] = [], hint?: string): FormField {
  const field = { id, type: 'boxes', label: 'Roles', options: ROLES, initial } as const;
  return hint === undefined ? field : { ...field, hint };
}

export function inOrder(options: readonly Choice[]): Choice[] {
  return options.toSorted((a, b) => compareNames(a.text, b.text)).map(unmasked);
}

function unmasked({ text, value, about }: Choice): Choice {
  const hides = lookalike(text);
  const lines = [...(hides === undefined ? [] : [`⚠ ${hides}`]), ...(about ? [about] : [])];
  return {
    text: revealed(text),
    value,
    ...(lines.length > 0 && { about: lines.join(' · ') }),
  };
}

export function withEmail<T extends { readonly email: string }>(
  records: readonly T[],
  email: string | undefined,
): T[] {
  return email === undefined ? [] : records.filter((one) => isSameEmail(one.email, email));
}

/** The selected record: by its id, else the only one of that name. */
export function onlyOf<T extends HasId>(
  records: readonly T[],
  id: string | undefined,
  named: readonly T[],
): T | undefined {
  return records.find((one) => one.id === id) ?? (named.length === 1 ? named[0] : undefined);
}

export function severalNote(named: readonly object[], what: string, by: string): string[] {
  if (named.length < 2) return [];
  return [`There are ${plural(named.length, what)} of the ${truncate(by, 70)}: choose one.`];
}

const ID_LENGTH = 8;

/**
 * Tells namesakes apart: the first eight characters of the id, or as many as it takes. Empty without namesakes.
 * @param namesakes includes the record itself
 */
export function idNote({ id }: HasId, namesakes: readonly HasId[]): string[] {
  const others = namesakes.filter((one) => one.id !== id);
  if (others.length === 0) return [];
  let length = ID_LENGTH;
  const isShared = (): boolean => others.some((one) => one.id.startsWith(id.slice(0, length)));
  while (length < id.length && isShared()) length += 1;
  return [`id ${id.slice(0, length)}`];
}

interface HasId {
  readonly id: string;
}

export function unreadNote(skipped: number, what: string): string[] {
  return skipped === 0
    ? []
    : [`${plural(skipped, what)} could not be read, and cannot be chosen here.`];
}

export function missedNote(
  asked: string | undefined,
  chosen: object | undefined,
  what: string,
): string[] {
  if (asked === undefined || chosen !== undefined) return [];
  return [`There is no ${what} ${truncate(asked, 60)} to choose here.`];
}

/** A day in UTC. @param at ms since the epoch */
export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** The value of one field, or the sentence that is shown under it. */
export type FieldRead<T> = { readonly id: string } & (
  { readonly value: T } | { readonly error: string }
);

type ValuesOf<Fields> = {
  readonly [Name in keyof Fields]: Fields[Name] extends FieldRead<infer T> ? T : never;
};

/** An input of all fields, or the errors of those that are invalid. */
export function inputOf<Fields extends Readonly<Record<string, FieldRead<unknown>>>>(
  fields: Fields,
  make: (values: ValuesOf<Fields>) => ChangeInput,
): ReadForm {
  const reads = Object.entries(fields);
  const errors = reads.flatMap(([, read]) => ('error' in read ? [[read.id, read.error]] : []));
  if (errors.length > 0) return { errors: Object.fromEntries(errors) as Record<string, string> };
  const values = reads.map(([name, read]) => [name, 'value' in read ? read.value : undefined]);
  return { input: make(Object.fromEntries(values) as ValuesOf<Fields>) };
}

/** A longer number is a typing error. */
const MAX_DIGITS = 30;

/** A decimal number of 0 or more, or above 0; a number that JavaScript would round is refused. */
export function numberIn(
  values: FormValues,
  id: string,
  least: '0 or more' | 'above 0',
): FieldRead<number> {
  const text = textOf(values[id]);
  const number = Number(text);
  if (!/^\+?(?:\d+(?:\.\d*)?|\.\d+)$/.test(text) || (least === 'above 0' && number === 0)) {
    return {
      id,
      error: `Type a number ${least === '0 or more' ? 'of ' : ''}${least}, such as 500 or 99.5.`,
    };
  }
  const isExact = text.length <= MAX_DIGITS && new BigNumber(text).eq(new BigNumber(number));
  return isExact
    ? { id, value: number }
    : { id, error: 'These are more digits than can be sent exactly: type a shorter number.' };
}

/** Text on one line. @param missing the error for an empty field */
export function textIn(
  values: FormValues,
  id: string,
  rules: { readonly missing?: string; readonly max: number },
): FieldRead<string> {
  const value = textOf(values[id]).replace(/\s+/g, ' ');
  if (value === '' && rules.missing !== undefined) return { id, error: rules.missing };
  // Invisible characters are written out on the card, and all of that needs room.
  if (revealed(value).length > rules.max) {
    return { id, error: `This is too long: at most ${rules.max} characters are possible.` };
  }
  return { id, value };
}

/** As `textIn`, for a name: a look-alike name is refused. */
export function nameIn(...[values, id, rules]: Parameters<typeof textIn>): FieldRead<string> {
  const hides = lookalike(rawOf(values[id]));
  return hides === undefined
    ? textIn(values, id, rules)
    : { id, error: `This name has ${hides}, so ${TAKEN_FOR_ANOTHER}` };
}

export function emailIn(values: FormValues, id: string): FieldRead<string> {
  const value = rawOf(values[id]);
  const problem = emailProblem(value);
  return problem === undefined ? { id, value } : { id, error: problem };
}

const MAX_EMAILS = 50;
/** An approver sees the whole list, so it has to fit the card, as it is sent to Slack. */
const MAX_LIST = 1_800;

/** E-mail addresses divided by commas, semicolons, blanks or lines; each once. */
export function emailsIn(values: FormValues, id: string): FieldRead<string[]> {
  const typed = rawOf(values[id])
    .split(/[\s,;]+/)
    .filter((text) => text !== '');
  const value = typed.filter(
    (one, at) => typed.findIndex((other) => isSameEmail(one, other)) === at,
  );
  if (value.length === 0) {
    return { id, error: 'Name at least one e-mail address such as ada@example.com.' };
  }
  if (value.length > MAX_EMAILS) {
    return {
      id,
      error: `These are ${value.length} addresses: at most ${MAX_EMAILS} are possible.`,
    };
  }
  if (escapeText(value.join(', ')).length > MAX_LIST) {
    return { id, error: TOO_LONG_A_LIST };
  }
  const [error] = value.flatMap((one) => emailProblem(one) ?? []);
  return error === undefined ? { id, value } : { id, error };
}

const TOO_LONG_A_LIST =
  'These addresses are too long to be shown on the card: name fewer, at most 1,800 characters in all.';

function emailProblem(text: string): string | undefined {
  if (text === '') return 'Type an e-mail address such as ada@example.com.';
  const shown = truncate(revealed(text), 100);
  const hides = lookalike(text);
  if (hides !== undefined) return `"${shown}" has ${hides}, so ${TAKEN_FOR_ANOTHER}`;
  try {
    checkEmail(text);
    return undefined;
  } catch {
    return `"${shown}" is not an e-mail address: write one such as ada@example.com.`;
  }
}

const TAKEN_FOR_ANOTHER = 'it can be taken for another one: type it by hand, in one alphabet.';

const MAX_TAGS = 50;
/** A card shows all of them. */
const MAX_TAGS_LENGTH = 500;

/** Tags from lines such as `team=payments`, in the order of their keys; undefined without any. */
export function tagsIn(
  values: FormValues,
  id: string,
): FieldRead<Readonly<Record<string, string>> | undefined> {
  const lines = rawOf(values[id]).split(/[\r\n]+/);
  const reads = lines.map((line) => line.trim()).filter((line) => line !== '');
  const tags = new Map<string, string>();
  for (const line of reads) {
    const tag = tagOf(line);
    if (typeof tag === 'string') return { id, error: tag };
    const { key, value } = tag;
    if (tags.has(key)) return { id, error: `The key "${key}" is there twice: leave one of them.` };
    tags.set(key, value);
  }
  if (tags.size > MAX_TAGS) {
    return { id, error: `These are ${tags.size} tags: at most ${MAX_TAGS} are possible.` };
  }
  if (tags.size === 0) return { id, value: undefined };
  const sorted = [...tags].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const value = Object.fromEntries(sorted);
  return revealed(tagsText(value)).length > MAX_TAGS_LENGTH
    ? { id, error: TOO_MANY_TAGS }
    : { id, value };
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

export function rolesIn(values: FormValues, id: string): FieldRead<BillingRole[]> {
  const value = knownRoles([values[id]].flat());
  return value.length === 0 ? { id, error: 'Tick at least one role.' } : { id, value };
}

export function flagIn(values: FormValues, id: string): FieldRead<boolean> {
  return { id, value: [values[id]].flat().some((ticked) => Boolean(ticked)) };
}

/** The end of a day in UTC, RFC 3339; undefined without a day. @param now ms since the epoch */
export function expiryIn(
  values: FormValues,
  id: string,
  now: number,
): FieldRead<string | undefined> {
  const day = textOf(values[id]);
  if (day === '') return { id, value: undefined };
  const value = `${day}T23:59:59Z`;
  try {
    if (checkTime('Expires', value) > now) return { id, value };
  } catch {
    return { id, error: 'Choose a day such as 2027-12-31.' };
  }
  return { id, error: 'Choose a day in the future, or none for no expiry.' };
}

export function choiceIn(values: FormValues, id: string): FieldRead<string> {
  const value = values[id];
  return typeof value === 'string' && value !== '' ? { id, value } : { id, error: 'Choose one.' };
}

function textOf(value: FormValues[string]): string {
  return tidy(rawOf(value)).trim();
}

function rawOf(value: FormValues[string]): string {
  return typeof value === 'string' ? value.trim() : '';
}
