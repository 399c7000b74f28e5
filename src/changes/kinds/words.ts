import { ADMINS } from '../../access/roles.ts';
import { revealed } from '../../lib/lookalikes.ts';
import { truncate, withoutStop } from '../../lib/text.ts';
import { knownRoles } from '../../platform/billing/roles.ts';
import type { PlatformError } from '../../platform/errors.ts';
import type { Fact } from '../change.ts';
import type { Kind } from './kind.ts';

/** What the platform does not tell. */
export const NOT_SAID = 'not said';

/** What takes a billing_admin to ask for and to approve (design section 6). */
export const BY_ADMINS: Kind['needs'] = { request: { roles: ADMINS }, approve: { roles: ADMINS } };

export function fact(name: string, text: string): Fact {
  return { name, text };
}

/** A switch; undefined is one that the platform does not tell. */
export function yesNo(flag: boolean | undefined): string {
  if (flag === undefined) return NOT_SAID;
  return flag ? 'yes' : 'no';
}

/**
 * Tags in one line: `env=prod, team=payments`. A value in which another tag could hide is in quotes:
 * `note="a, b=c"`.
 */
export function tagsText(tags: Readonly<Record<string, string>>): string {
  return Object.entries(tags)
    .map(([key, value]) => `${key}=${isPlain(value) ? value : JSON.stringify(value)}`)
    .join(', ');
}

function isPlain(value: string): boolean {
  return value !== '' && value === value.trim() && !/[,="\\\n]/.test(value);
}

/** Roles as a fact: always in the same order, whatever the platform's; unknown ones are last. */
export function rolesText(roles: readonly string[]): string {
  return rolesInOrder(roles).join(', ') || 'none';
}

/** The known roles, and whatever else the platform says, each once and as one line. */
export function rolesInOrder(roles: readonly string[]): string[] {
  const known: readonly string[] = knownRoles(roles);
  const others = new Set(roles.filter((role) => !known.includes(role)));
  return [...known, ...[...others].toSorted().map((role) => short(role, 60))];
}

/** Roles in a title: "billing_viewer and org_creator", "all three billing roles". */
export function rolesNamed(roles: readonly string[]): string {
  const known = knownRoles(roles);
  return known.length === 3 ? 'all three billing roles' : listOf(known);
}

/** The same in a sentence: "the role billing_viewer". */
export function theRoles(roles: readonly string[]): string {
  const article = ['', 'the role ', 'the roles '][knownRoles(roles).length] ?? '';
  return `${article}${rolesNamed(roles)}`;
}

export function isSameRoles(one: readonly string[], other: readonly string[]): boolean {
  return one.every((role) => other.includes(role)) && other.every((role) => one.includes(role));
}

/** "a", "a and b", "a, b and c". */
export function listOf(names: readonly string[]): string {
  const [last = '', ...others] = names.toReversed();
  return others.length === 0 ? last : `${others.toReversed().join(', ')} and ${last}`;
}

/** A foreign name within a title or a sentence: one line, and no more characters than `max`. */
export function short(name: string, max = 40): string {
  return truncate(oneLine(name), max);
}

/** A time as a fact, to the minute. @param ms since the epoch */
export function timeText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** The platform's own words about what is wrong, in quotation marks. */
export function quoted({ message }: PlatformError): string {
  return `“${truncate(withoutStop(oneLine(message)), 200)}”`;
}

/** What the refusals that one kind knows mean; what is left out is explained in general. */
interface Meanings {
  /** 409. */
  readonly conflict?: string;
  /** 404 of what the order names. */
  readonly gone?: string;
  /** 400. */
  readonly refused?: string;
}

/** The sentence for a no of the platform; undefined for one that says nothing of the order. */
export function meaningOf(error: PlatformError, meanings: Meanings): string | undefined {
  const { reason, status, credential } = error;
  if (reason === 'conflict') return meanings.conflict;
  // Of the account itself: that is a matter of configuration.
  if (reason === 'not-found') return credential === undefined ? meanings.gone : undefined;
  // Without a status it was never sent, and the words are our own.
  if (reason === 'bad-request' && status !== undefined) return meanings.refused;
  return undefined;
}

/** What cannot be seen is written out: what is lost here would be lost to whoever approves. */
function oneLine(text: string): string {
  return revealed(text.replace(/\s+/g, ' ').trim());
}
