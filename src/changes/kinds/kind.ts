import { z } from 'zod';
import type { Identities } from '../../access/identities.ts';
import { ADMINS, type Need, type RequestNeed } from '../../access/policy.ts';
import { revealed } from '../../lib/lookalikes.ts';
import { shorten, truncate, withoutStop } from '../../lib/text.ts';
import type { Secret } from '../../lib/secret.ts';
import type { BillingClient } from '../../platform/billing/client.ts';
import type { EndCode } from '../ends.ts';
import { isSameEmail, knownRoles } from '../../platform/billing/roles.ts';
import { firstOf } from '../../slack/kit/fit.ts';
import { silenceOf, type PlatformError } from '../../platform/errors.ts';

/** One property of the changed thing in plain words: `Amount`, `$500.00`. */
export const Fact = z.object({ name: z.string(), text: z.string() });

export type Fact = z.infer<typeof Fact>;

export type Facts = readonly Fact[];

export function textIn(facts: Facts, name: string): string | undefined {
  return facts.find((fact) => fact.name === name)?.text;
}

/** The facts that differ, those of before first; undefined: not there. */
export function changedFacts(before: Facts, after: Facts) {
  return [...new Set([...before, ...after].map(({ name }) => name))]
    .map((name) => ({ name, from: textIn(before, name), to: textIn(after, name) }))
    .filter(({ from, to }) => from !== to);
}

export function isSameFacts(one: Facts, other: Facts): boolean {
  const pairs = [one, other].map((facts) => facts.map(({ name, text }) => [name, text]));
  return JSON.stringify(pairs[0]) === JSON.stringify(pairs[1]);
}

/** The effect of a change, as shown to a person; equal plans are the same change (see `fingerprint`). */
export const Plan = z.object({
  before: z.array(Fact),
  after: z.array(Fact),
  /** One sentence each. */
  consequences: z.array(z.string()),
  /** Changes by itself: consequences, such as the cost of this month, and names of facts. */
  passing: z.array(z.string()).optional(),
  /** It is there already: the platform has nothing to do. */
  changesNothing: z.literal(true).optional(),
});

export type Plan = z.infer<typeof Plan>;

/** Stored before a call is sent, to find out afterwards whether it was done. */
export const Baseline = z.record(z.string(), z.array(z.string()));

export type Baseline = z.infer<typeof Baseline>;

/** Why a change cannot be made: one sentence, with the next step of its requester. */
export interface Obstacle {
  /** `gone`: the thing to be changed no longer exists. `refused`: the platform does not accept it. */
  readonly code: 'conflict' | 'gone' | 'refused';
  readonly sentence: string;
  /** The next step is to ask again. */
  readonly again?: true | undefined;
}

/** As the current state has it, before anything is sent. */
export interface Conflict extends Obstacle {
  /** The sentence without the next step, for a reader other than the requester. No full stop. */
  readonly what: string;
}

export interface Planned {
  readonly conflict?: Conflict | undefined;
  /** Only its `passing` changes by itself (so no "3 minutes ago" in it). */
  readonly plan: Plan;
  /** The current state in words; read after the call, it is the proof. */
  readonly now: Facts;
  readonly baseline: Baseline;
}

/** A plan as a kind gives it: what can be derived is left out, and completed by `planned`. */
export interface Outline {
  readonly conflict?: Conflict | undefined;
  readonly before: Facts;
  readonly after: Facts;
  readonly consequences: readonly string[];
  /** Absent: false. */
  readonly changesNothing?: true | undefined;
  /** Changes by itself; `facts` come first in `before`, `sentences` last in `consequences`. */
  readonly passing?: { readonly facts?: Facts; readonly sentences?: readonly string[] };
  /** Absent: `before`, without what passes. */
  readonly now?: Facts;
  /** Absent: the state after the call is proof enough. */
  readonly baseline?: Baseline;
}

function planned({ conflict, passing = {}, now, baseline = {}, ...outline }: Outline): Planned {
  const { facts = [], sentences = [] } = passing;
  const plan: Plan = {
    before: [...facts, ...outline.before],
    after: [...outline.after],
    consequences: [...outline.consequences],
    passing: facts.length > 0 ? facts.map(({ name }) => name) : undefined,
    changesNothing: outline.changesNothing || undefined,
  };
  return { conflict, plan: withPassing(plan, sentences), now: now ?? outline.before, baseline };
}

/** The same change, by its fingerprint, with consequences that change by themselves. */
export function withPassing(plan: Plan, sentences: readonly string[]): Plan {
  if (sentences.length === 0) return plan;
  const { consequences, passing = [] } = plan;
  return {
    ...plan,
    consequences: [...consequences, ...sentences],
    passing: [...passing, ...sentences],
  };
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
  readonly tokenId?: string | undefined;
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

/** One kind of change: its rights, the state that it reads, its plan, its call and the proof. */
export interface Kind<Input extends { readonly kind: string }, State> {
  /** "Replace the spend alert": the beginning of a sentence. */
  title(input: Input): string;
  /** Roles for requesting and approving (design section 6). */
  readonly needs: { readonly request: RequestNeed; readonly approve: Exclude<Need, 'orgs'> };
  /** Absent: never. */
  hasSecret?(input: Input): boolean;
  /** E-mails of the billing users that it changes: they may not take part in it. Absent: it changes no user. */
  subjects?(input: Input): readonly string[];
  /** The Slack id of its only possible requester; absent: the role decides. */
  account?(input: Input): string;
  /** Sending it twice has the effect of sending it once. */
  readonly repeatable: boolean;
  /** The current state, always fresh: the only read before the call and after it. @throws PlatformError */
  read(platform: BillingClient, input: Input): Promise<State>;
  /**
   * The input that is stored, with values that only the state has, such as the name behind an id; rights do not depend
   * on these. Pure. @throws Refusal
   */
  resolve?(state: State, input: Input): Input;
  /** Pure. @param now ms since the epoch */
  plan(state: State, input: Input, now: number): Outline;
  /**
   * For the review only: consequences that take other reads, and change by themselves.
   * @param now ms since the epoch @throws PlatformError
   */
  consequences?(
    platform: BillingClient,
    state: State,
    input: Input,
    now: number,
  ): Promise<readonly string[]>;
  /** The one call that changes something. @throws PlatformError */
  send(platform: BillingClient, input: Input): Promise<Sent>;
  /** Whether a call that was sent was done. Pure. @param baseline from before the call */
  settle(state: State, input: Input, baseline: Baseline): Reconciled;
  /** The platform's refusals of this kind. @param words the platform's own, quoted */
  refusals(input: Input, words: string): Refusals;
}

/** For a 409, a 404 of the thing that the input names, and a 400: a sentence that ends with asking again, or the conflict. */
type Refusals = { readonly [Code in Obstacle['code']]?: string | Conflict };

/** A kind with what its declaration leaves out. */
export interface CompletedKind<Input extends { readonly kind: string }> extends Omit<
  Kind<Input, unknown>,
  'plan' | 'refusals'
> {
  hasSecret(input: Input): boolean;
  subjects(input: Input): readonly string[];
  resolve(state: unknown, input: Input): Input;
  plan(state: unknown, input: Input, now: number): Planned;
  consequences(
    platform: BillingClient,
    state: unknown,
    input: Input,
    now: number,
  ): Promise<readonly string[]>;
  /** Why the platform refused it; undefined when that is not about the input. */
  explain(input: Input, error: PlatformError): Obstacle | undefined;
}

export function completed<Input extends { readonly kind: string }>(
  kind: Kind<Input, unknown>,
): CompletedKind<Input> {
  return {
    ...kind,
    hasSecret: (input) => kind.hasSecret?.(input) ?? false,
    subjects: (input) => kind.subjects?.(input) ?? [],
    resolve: (state, input) => kind.resolve?.(state, input) ?? input,
    plan: (state, input, now) => planned(kind.plan(state, input, now)),
    consequences: async (...about) => (await kind.consequences?.(...about)) ?? [],
    explain(input, error) {
      const code = codeOf(error);
      if (code === undefined) return undefined;
      const refusal = kind.refusals(input, quoted(error))[code];
      return typeof refusal === 'string' ? { code, sentence: refusal, again: true } : refusal;
    },
  };
}

/** Undefined when the refusal is not about the input. */
function codeOf({ reason, status, credential }: PlatformError): Obstacle['code'] | undefined {
  if (reason === 'conflict') return 'conflict';
  // A 404 of the account itself is a problem of the configuration.
  if (reason === 'not-found' && credential === undefined) return 'gone';
  // Without a status it was never sent, and the message is our own.
  return reason === 'bad-request' && status !== undefined ? 'refused' : undefined;
}

/** @param what "remove ada@acme.example" @param words the platform's own, quoted */
export function refusedSentence(what: string, words: string): string {
  return `The platform does not ${what}. It says: ${words}. When that is settled, ask again.`;
}

/** @param next absent: there is nothing to do @param again it is to ask again */
export function conflict(what: string, next?: string, again?: true): Conflict {
  const sentence = next === undefined ? what : `${what}: ${next}`;
  return { code: 'conflict', what: withoutStop(what), sentence, again };
}

/** @param next as above */
export function gone(what: string, next?: string): Conflict {
  return { ...conflict(what, next), code: 'gone' };
}

/** A call whose answer holds nothing to show. */
export async function sent(call: Promise<unknown>): Promise<Sent> {
  await call;
  return {};
}

type Inputs = readonly z.ZodObject<{ kind: z.ZodLiteral<string> }>[];
type InputIn<I extends Inputs> = z.infer<I[number]>;

/** The command that requests a change, and the button below the current state. */
interface Command {
  readonly ask: string;
  readonly button?: string;
}

/** `look`: the command that shows the current state. */
export interface Commands extends Command {
  readonly look: string;
}

interface KindGroup<I extends Inputs> {
  readonly inputs: I;
  readonly look: string;
  readonly commands: Readonly<Record<InputIn<I>['kind'], Command>>;
  /** @param currency ISO 4217 code of the account's currency, which no amount carries (spec 2.4) */
  create(
    currency: string,
    identities: Pick<Identities, 'pinOf' | 'add'>,
  ): { readonly [K in InputIn<I>['kind']]: Kind<Extract<InputIn<I>, { kind: K }>, unknown> };
}

/** Type check: each input of a group has its commands and its kind. */
export function kindGroup<const I extends Inputs>(group: KindGroup<I>): KindGroup<I> {
  return group;
}

export const NOT_SAID = 'not reported';

/** Every read of a state is fresh. */
export const FRESH = { fresh: true } as const;

/** A billing_admin requests and approves it (design section 6). */
export const BY_ADMINS = {
  needs: { request: { roles: ADMINS }, approve: { roles: ADMINS } },
  repeatable: true,
} as const;

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
  const named = firstOf(
    own.map((one) => short(one)),
    DOMAINS_NAMED,
    { before: ', ' },
  );
  return [`⚠ ${short(domain)} is outside your domains (${named}).`];
}

function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1).toLowerCase();
}

export function withEmail<T extends { readonly email: string }>(
  records: readonly T[],
  email: string,
): T | undefined {
  return records.find((one) => isSameEmail(one.email, email));
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
  return new Intl.ListFormat('en-GB').format(names);
}

/** A foreign name within a title or a sentence: one line of at most `max` characters. */
export function short(name: string, max = 40): string {
  return shorten(oneLine(name), max);
}

/** A time as a fact, to the minute. @param ms since the epoch */
export function timeText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

function quoted({ message, status }: PlatformError): string {
  // Words of our own are not quoted as the platform's.
  if (status !== undefined && message === silenceOf(status))
    return `status ${status}, no reason given`;
  return `“${truncate(withoutStop(oneLine(message)), 200)}”`;
}

/** Invisible characters are written out, for the approver to see. */
function oneLine(text: string): string {
  return revealed(text.replace(/\s+/g, ' ').trim());
}
