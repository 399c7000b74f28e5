import { z } from 'zod';
import type { Identities } from '../../access/identities.ts';
import { ADMINS, type Need, type RequestNeed } from '../../access/policy.ts';
import { revealed, truncate, withoutStop } from '../../lib/text.ts';
import type { Clock } from '../../lib/time.ts';
import type { Secret } from '../../lib/secret.ts';
import type { BillingClient } from '../../platform/billing/client.ts';
import { knownRoles } from '../../platform/billing/roles.ts';
import type { PlatformError } from '../../platform/errors.ts';
import type { EndCode } from '../ends.ts';

/** One property of the changed thing in plain words: `Amount`, `$500.00`. */
export const Fact = z.object({ name: z.string(), text: z.string() });

export type Fact = z.infer<typeof Fact>;

export type Facts = readonly Fact[];

/** The effect of a change, as shown to a person; equal plans are the same change (see `fingerprint`). */
export const Plan = z.object({
  before: z.array(Fact),
  after: z.array(Fact),
  /** One sentence each. */
  consequences: z.array(z.string()),
  /** Changes by itself: consequences, such as the cost of this month, and names of facts. */
  passing: z.array(z.string()).optional(),
});

export type Plan = z.infer<typeof Plan>;

/** Stored before a call is sent, to find out afterwards whether it was done. */
export const Baseline = z.record(z.string(), z.array(z.string()));

export type Baseline = z.infer<typeof Baseline>;

export interface Planned {
  /** Why it cannot be done at the moment: one sentence, with the next step. */
  readonly conflict?: string;
  /** Only its `passing` changes by itself (so no "3 minutes ago" in it). */
  readonly plan: Plan;
  /** The current state in words; read after the call, it is the proof. */
  readonly now: Facts;
  readonly baseline: Baseline;
}

export const SECRETS = ['token', 'superuser key'] as const;
type SecretName = (typeof SECRETS)[number];

export type Reconciled =
  | { readonly kind: 'done' }
  /** Done, and its secret is lost: `tokenIds` can be deleted; empty: nothing can. */
  | {
      readonly kind: 'secret lost';
      readonly what: SecretName;
      readonly tokenIds: readonly string[];
    }
  | { readonly kind: 'not done' }
  /** The current state does not prove it either way. */
  | { readonly kind: 'unclear' };

export interface SentSecret {
  readonly value: Secret;
  readonly what: SecretName;
  readonly tokenId?: string;
}

export interface Sent {
  /** Follows "done": the org existed already, the quota waits for the platform. */
  readonly note?: string;
  /** Known from the answer; absent: reading back decides. */
  readonly ended?: Extract<EndCode, 'partly' | 'nothing' | 'granted' | 'later' | 'unsaid'>;
  /** The platform accepted the request and refuses it. */
  readonly denied?: string;
  /** Facts from the answer that reading back lacks. */
  readonly facts?: Facts;
  readonly secret?: SentSecret;
}

/** One kind of change: its rights, its plan, its call and the proof. */
export interface Kind<Input extends { readonly kind: string }> {
  readonly kind: Input['kind'];
  /** "Replace the spend alert": the beginning of a sentence. */
  title(input: Input): string;
  /** Roles for requesting and approving (design section 6). */
  readonly needs: { readonly request: RequestNeed; readonly approve: Need };
  hasSecret(input: Input): boolean;
  /** E-mails of the billing users that it changes: they may not take part in it. */
  subjects(input: Input): readonly string[];
  /** The Slack id of its only possible requester; absent: the role decides. */
  account?(input: Input): string;
  /** Sending it twice has the effect of sending it once. */
  readonly repeatable: boolean;
  /** Always a fresh read. @throws PlatformError */
  plan(platform: BillingClient, input: Input): Promise<Planned>;
  /** The one call that changes something. @throws PlatformError */
  send(platform: BillingClient, input: Input): Promise<Sent>;
  /** Reads whether a call that was sent was done. @param before `sentAt` in ms since the epoch @throws PlatformError */
  reconcile(
    platform: BillingClient,
    input: Input,
    before: { baseline: Baseline; sentAt: number },
  ): Promise<Reconciled>;
  /** A sentence with the next step for a platform refusal that this kind knows (409, 400, 404). */
  explain(input: Input, error: PlatformError): string | undefined;
}

type Inputs = readonly z.ZodObject<{ kind: z.ZodLiteral<string> }>[];
type InputIn<I extends Inputs> = z.infer<I[number]>;

/** The commands that request a change and show the current state, and the button below the latter. */
export interface Commands {
  readonly ask: string;
  readonly look: string;
  readonly button?: string;
}

interface KindGroup<I extends Inputs> {
  readonly inputs: I;
  readonly commands: Readonly<Record<InputIn<I>['kind'], Commands>>;
  /**
   * The call only asks: the platform decides later, so reading back proves nothing, and an earlier request may change
   * the state.
   */
  readonly isDecidedLater?: true;
  /** @param currency ISO 4217 code of the account's currency, which no amount carries (spec 2.4) */
  create(
    currency: string,
    clock: Clock,
    identities: Pick<Identities, 'pinOf' | 'add'>,
  ): { readonly [K in InputIn<I>['kind']]: Kind<Extract<InputIn<I>, { kind: K }>> };
}

/** Type check: each input of a group has its commands and its kind. */
export function kindGroup<const I extends Inputs>(group: KindGroup<I>): KindGroup<I> {
  return group;
}

export const NOT_SAID = 'not said';

/** A billing_admin requests and approves (design section 6). */
export const BY_ADMINS = { request: { roles: ADMINS }, approve: { roles: ADMINS } } as const;

export function fact(name: string, text: string): Fact {
  return { name, text };
}

/** Most domains that a warning names. */
const DOMAINS_NAMED = 3;

/**
 * The warning about an address whose domain no other address has, if there is any other one. Pure.
 * @param known the addresses of the billing users
 */
export function outsideWarning(email: string, known: readonly string[]): string[] {
  const domain = domainOf(email);
  const own = [...new Set(known.map(domainOf))].toSorted();
  if (own.length === 0 || own.includes(domain)) return [];
  const [named, more] = [own.slice(0, DOMAINS_NAMED), own.length - DOMAINS_NAMED];
  const all = [...named.map((one) => short(one)), ...(more > 0 ? [`${more} more`] : [])];
  return [`⚠ ${short(domain)} is outside your domains (${all.join(', ')}).`];
}

function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1).toLowerCase();
}

/** A switch; undefined: omitted by the platform. */
export function yesNo(flag: boolean | undefined): string {
  if (flag === undefined) return NOT_SAID;
  return flag ? 'yes' : 'no';
}

/**
 * Tags in one line: `env=prod, team=payments`. A value in which another tag could hide is in quotes: `note="a, b=c"`.
 */
export function tagsText(tags: Readonly<Record<string, string>>): string {
  return Object.entries(tags)
    .map(([key, value]) => `${key}=${isPlain(value) ? value : JSON.stringify(value)}`)
    .join(', ');
}

function isPlain(value: string): boolean {
  return value !== '' && value === value.trim() && !/[,="\\\n]/.test(value);
}

/** Roles as a fact: in a fixed order; unknown ones are last. */
export function rolesText(roles: readonly string[]): string {
  return rolesInOrder(roles).join(', ') || 'none';
}

/** Known roles, then unknown ones, each once and as one line. */
function rolesInOrder(roles: readonly string[]): string[] {
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

/** A foreign name within a title or a sentence: one line of at most `max` characters. */
export function short(name: string, max = 40): string {
  return truncate(oneLine(name), max);
}

/** A time as a fact, to the minute. @param ms since the epoch */
export function timeText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

export function quoted({ message }: PlatformError): string {
  return `“${truncate(withoutStop(oneLine(message)), 200)}”`;
}

interface Meanings {
  /** 409. */
  readonly conflict?: string;
  /** 404 of the thing that the input names. */
  readonly gone?: string;
  /** 400. */
  readonly refused?: string;
}

/** The sentence for a platform refusal; undefined when it is not about the input. */
export function meaningOf(error: PlatformError, meanings: Meanings): string | undefined {
  const { reason, status, credential } = error;
  if (reason === 'conflict') return meanings.conflict;
  // A 404 of the account itself is a problem of the configuration.
  if (reason === 'not-found') return credential === undefined ? meanings.gone : undefined;
  // Without a status it was never sent, and the message is our own.
  if (reason === 'bad-request' && status !== undefined) return meanings.refused;
  return undefined;
}

/** Invisible characters are written out, for the approver to see. */
function oneLine(text: string): string {
  return revealed(text.replace(/\s+/g, ' ').trim());
}
