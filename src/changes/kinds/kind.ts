import { z } from 'zod';
import { ADMINS, type Need } from '../../access/policy.ts';
import { revealed, truncate, withoutStop } from '../../lib/text.ts';
import type { Clock } from '../../lib/time.ts';
import type { Secret } from '../../lib/secret.ts';
import type { BillingClient } from '../../platform/billing/client.ts';
import { knownRoles } from '../../platform/billing/roles.ts';
import type { PlatformError } from '../../platform/errors.ts';

/** One thing that can be said of what is changed, in plain words: `Amount`, `$500.00`. */
export const Fact = z.object({ name: z.string(), text: z.string() });

export type Fact = z.infer<typeof Fact>;

export type Facts = readonly Fact[];

/** What a change would do, as a person was shown it; equal plans are the same change (see `fingerprint`). */
export const Plan = z.object({
  before: z.array(Fact),
  after: z.array(Fact),
  /** What follows from it, one sentence each. */
  consequences: z.array(z.string()),
  /** Those of the consequences that change by themselves, such as what this month has cost. */
  passing: z.array(z.string()).optional(),
});

export type Plan = z.infer<typeof Plan>;

/** What is remembered before a call is sent, to tell afterwards whether it was done. */
export const Baseline = z.record(z.string(), z.array(z.string()));

export type Baseline = z.infer<typeof Baseline>;

/** What is there now, and what one input would do to it. */
export interface Planned {
  /** Why it cannot be done as things are now: one sentence, with the next step. */
  readonly conflict?: string;
  /** What the change would do now. Only its `passing` changes by itself (so no "3 minutes ago" in it). */
  readonly plan: Plan;
  /** What is there now, in words: after the call this is the proof of it. */
  readonly now: Facts;
  /** What to remember before the call is sent, for `reconcile`. */
  readonly baseline: Baseline;
}

/** The secrets that the platform says once. */
export const SECRETS = ['token', 'superuser key'] as const;
type SecretName = (typeof SECRETS)[number];

/** What is known of a change that the platform took, where it is not simply there as it was asked for. */
export const Proof = z.enum([
  /** What is there now could not be read. */
  'unread',
  /** Something else is there now. */
  'otherwise',
  /** Something of it was not done: the sentence says what. */
  'partly',
  /** It was there before. */
  'nothing',
  /** The call only asks, and the platform says yes, decides later, or does not say. */
  'granted',
  'later',
  'unsaid',
  /** Of one whose end is unknown: a token exists whose secret nobody has. */
  'left',
]);
export type Proof = z.infer<typeof Proof>;

/** Whether a call that was sent has had its effect. */
export type Reconciled =
  | { readonly kind: 'done' }
  /** Done, and the secret that came with it is lost: `tokenIds` can be deleted; empty: nothing can. */
  | {
      readonly kind: 'secret lost';
      readonly what: SecretName;
      readonly tokenIds: readonly string[];
    }
  | { readonly kind: 'not done' }
  /** What is there does not show it. */
  | { readonly kind: 'unclear' };

/** A secret, as the platform has just said it. */
export interface SentSecret {
  readonly value: Secret;
  readonly what: SecretName;
  readonly tokenId?: string;
}

/** What the platform said to a call that it took. */
export interface Sent {
  /** What is worth saying beside "done": the org was there already, the quota waits for the platform. */
  readonly note?: string;
  /** Absent: reading back tells. */
  readonly proof?: Proof;
  /** The platform took the request and says no to it. */
  readonly denied?: string;
  /** What its answer shows, where reading back does not. */
  readonly said?: Facts;
  readonly secret?: SentSecret;
}

/** One kind of change: what it needs, shows and sends, and how it is proven. */
export interface Kind<Input extends { readonly kind: string }> {
  readonly kind: Input['kind'];
  /** "Replace the spend alert": what is done, as a sentence begins. */
  title(input: Input): string;
  /** Who may ask for it and who may approve it (design section 6). */
  readonly needs: { readonly request: Need; readonly approve: Need };
  /** Whether the platform answers with a secret. */
  hasSecret(input: Input): boolean;
  /** E-mails of the billing users that it changes: they may not take part in it. */
  subjects(input: Input): readonly string[];
  /** Sending it twice does nothing that sending it once does not. */
  readonly repeatable: boolean;
  /** Reads what is there now, always fresh. @throws PlatformError */
  plan(platform: BillingClient, input: Input): Promise<Planned>;
  /** The one call that changes something. @throws PlatformError */
  send(platform: BillingClient, input: Input): Promise<Sent>;
  /** Reads whether a call that was sent was done. @param before `sentAt` in ms since the epoch @throws PlatformError */
  reconcile(
    platform: BillingClient,
    input: Input,
    before: { baseline: Baseline; sentAt: number },
  ): Promise<Reconciled>;
  /** A sentence with the next step for a no of the platform that this kind knows (409, 400, 404). */
  explain(input: Input, error: PlatformError): string | undefined;
}

type Inputs = readonly z.ZodObject<{ kind: z.ZodLiteral<string> }>[];
type InputIn<I extends Inputs> = z.infer<I[number]>;

/** What is typed to ask for a change, and to see what there is; the button below that, where each has one. */
export interface Commands {
  readonly ask: string;
  readonly look: string;
  readonly button?: string;
}

/** All that is known of the kinds of changes of one thing. */
interface KindGroup<I extends Inputs> {
  /** The fields of what is asked for. */
  readonly inputs: I;
  readonly commands: Readonly<Record<InputIn<I>['kind'], Commands>>;
  /**
   * The call only asks: the platform decides later, so what is read back proves nothing, and what is there may
   * change by an earlier request.
   */
  readonly isDecidedLater?: true;
  /** @param currency ISO 4217 code of the account's currency, which no amount carries (spec 2.4) */
  create(
    currency: string,
    clock: Clock,
  ): { readonly [K in InputIn<I>['kind']]: Kind<Extract<InputIn<I>, { kind: K }>> };
}

/** Checks that each input of a group has its commands and its kind. */
export function kindGroup<const I extends Inputs>(group: KindGroup<I>): KindGroup<I> {
  return group;
}

/** What the platform does not tell. */
export const NOT_SAID = 'not said';

/** What takes a billing_admin to ask for and to approve (design section 6). */
export const BY_ADMINS = { request: { roles: ADMINS }, approve: { roles: ADMINS } } as const;

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
  /** 404 of what the input names. */
  readonly gone?: string;
  /** 400. */
  readonly refused?: string;
}

/** The sentence for a no of the platform; undefined when it is not about the input. */
export function meaningOf(error: PlatformError, meanings: Meanings): string | undefined {
  const { reason, status, credential } = error;
  if (reason === 'conflict') return meanings.conflict;
  // Of the account itself: that is a matter of configuration.
  if (reason === 'not-found') return credential === undefined ? meanings.gone : undefined;
  // Without a status it was never sent, and the words are our own.
  if (reason === 'bad-request' && status !== undefined) return meanings.refused;
  return undefined;
}

/** What cannot be seen is written out: what is missing here, an approver would not see. */
function oneLine(text: string): string {
  return revealed(text.replace(/\s+/g, ' ').trim());
}
