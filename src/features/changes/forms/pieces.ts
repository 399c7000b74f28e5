import { lookalike, revealed } from '../../../lib/lookalikes.ts';
import { compareNames, plural, truncate } from '../../../lib/text.ts';
import { isSameEmail } from '../../../platform/billing/users.ts';
import type { Choice } from '../../../slack/kit/index.ts';
import type { FormField } from './form.ts';

/** What several forms are made of. */

/** A form shows what is there now, not what was a moment ago. */
export const FRESH = { fresh: true } as const;

/** The roles of spec 2.1, and what each lets people do (spec 4.3); at most 75 characters each. */
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

/** Options in the order of their names. A name that can be taken for another one is shown as such. */
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

/** Of some records those with this e-mail. */
export function withEmail<T extends { readonly email: string }>(
  records: readonly T[],
  email: string | undefined,
): T[] {
  return email === undefined ? [] : records.filter((one) => isSameEmail(one.email, email));
}

/** The one that is meant: by its id, else the only one of that name. */
export function onlyOf<T extends HasId>(
  records: readonly T[],
  id: string | undefined,
  named: readonly T[],
): T | undefined {
  return records.find((one) => one.id === id) ?? (named.length === 1 ? named[0] : undefined);
}

/** What is said where several answer to what was given, and none can be meant before the others. */
export function severalNote(named: readonly object[], what: string, by: string): string[] {
  if (named.length < 2) return [];
  return [`There are ${plural(named.length, what)} of the ${truncate(by, 70)}: choose one.`];
}

const ID_LENGTH = 8;

/**
 * How one of several of the same name is told from the others: the first eight characters of its id,
 * or as many as it takes. Nothing for the only one. @param namesakes itself among them
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

/** What is said of records that are there and could not be read. */
export function unreadNote(skipped: number, what: string): string[] {
  return skipped === 0
    ? []
    : [`${plural(skipped, what)} could not be read, and cannot be chosen here.`];
}

/** What is said where the one who was named before the form opened is not among those to choose. */
export function missedNote(
  asked: string | undefined,
  chosen: object | undefined,
  what: string,
): string[] {
  if (asked === undefined || chosen !== undefined) return [];
  return [`There is no ${what} ${truncate(asked, 60)} to choose here.`];
}

/** A moment in UTC, to the minute: "2026-11-05 at 12:30 UTC". @param at ms since the epoch */
export function timeOf(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' at ')} UTC`;
}

/** A day in UTC. @param at ms since the epoch */
export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
