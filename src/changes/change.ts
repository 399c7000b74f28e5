import { createHash } from 'node:crypto';
import { z } from 'zod';
import { End } from './ends.ts';
import { Baseline, Fact, Plan, SECRETS, type Facts } from './kinds/kind.ts';
import { ChangeInput } from './kinds/kinds.ts';

const text = z.string().min(1);

/** Design section 5. */
export const STATES = [
  'pending',
  'approved',
  'executing',
  'succeeded',
  'failed',
  'unknown',
  'rejected',
  'expired',
  'withdrawn',
  'drifted',
  'refused',
] as const;
export type ChangeState = (typeof STATES)[number];

const Actor = z.object({
  userId: text,
  teamId: z.string(),
  /** In lower case, as Slack had it then; absent: no confirmed address. */
  email: z.string().optional(),
  /** An unconfirmed address. It gives no rights; it only keeps people from deciding on their own requests. */
  unconfirmed: z.string().optional(),
});
export type Actor = z.infer<typeof Actor>;

const Decision = z.object({
  verdict: z.enum(['approve', 'reject']),
  /** Absent: no approval was needed (APPROVALS=off). */
  by: Actor.optional(),
  at: z.number(),
  comment: z.string(),
  /** By the requester, which ALLOW_SELF_APPROVAL permits. */
  self: z.boolean(),
  /** Of an approval: the run of Redis (absent: it hides it), and its time then, in ms since the epoch. */
  run: z.string().optional(),
  storedAt: z.number().optional(),
});
export type Decision = z.infer<typeof Decision>;

/** The state of a secret that the platform returned once; the secret itself is stored elsewhere, encrypted. */
const Sealed = z.object({
  /** `opening`: it is being shown, not yet confirmed. `lost`: it never got here. */
  state: z.enum(['sealed', 'opening', 'revealed', 'lapsed', 'lost']),
  what: z.enum(SECRETS),
  /** Start of this state, and end of the time to reveal it. */
  at: z.number(),
  until: z.number(),
  /** Deleted if the secret was never seen; absent when no token can be deleted. */
  tokenId: z.string().optional(),
  cleaned: End.optional(),
  /** Redis may have lost that it was revealed, so its token stays. */
  kept: z.literal(true).optional(),
  /** The run of Redis in which it was sealed. */
  run: z.string().optional(),
});
export type Sealed = z.infer<typeof Sealed>;

/** A request for a change, and its result. Times are ms since the epoch. */
export const Change = z.object({
  /** Eight letters and digits, in lower case. */
  id: text,
  /** Rises by one with each move; the compare-and-swap compares it. */
  version: z.number().int(),
  order: ChangeInput,
  /** The beginning of a sentence: "Set the spend alert to $500.00". */
  title: z.string(),
  /** One line for the approvers. */
  reason: z.string(),
  /** Any one of these roles may approve it. */
  approvers: z.array(text),
  state: z.enum(STATES),
  requester: Actor,
  requestedAt: z.number(),
  expiresAt: z.number(),
  reminders: z.number().int(),
  /** As requested; after the approval, as shown to the approver. */
  plan: Plan,
  channel: z.string(),
  /** The requester's messages with the bot; absent when Slack did not answer. */
  dm: z.string().optional(),
  /** User group of the approvers, for a mention; absent: the card names their roles. */
  group: z.string().optional(),
  decision: Decision.optional(),
  withdrawnAt: z.number().optional(),
  /** Slack id. */
  withdrawnBy: z.string().optional(),
  /** The run of Redis at the request; absent: Redis hides it. */
  run: z.string().optional(),
  /** Time of the first call, and number of calls; absent: never sent. */
  sentAt: z.number().optional(),
  sendings: z.number().int(),
  /** Time of the last repeated call, which may be in flight. */
  resentAt: z.number().optional(),
  marks: Baseline.optional(),
  /** Redis lost what came after the approval: it may have been sent then, and is never sent again. */
  suspect: z.literal(true).optional(),
  /** Why it waits: CHANGES=off, or no replica of Redis confirmed the claim. Absent: for its turn, or an answer. */
  waits: z.enum(['off', 'replica']).optional(),
  /** Time of the next check; absent: at once. */
  retryAt: z.number().optional(),
  /** Start of an unbroken silence of Slack or the platform; absent: the last call was answered. */
  silentSince: z.number().optional(),
  /** How it ended; `now` was read back. */
  outcome: End.extend({ at: z.number(), now: z.array(Fact).optional() }).optional(),
  secret: Sealed.optional(),
  /** Of all other fields (createSignature). */
  signature: z.string().optional(),
});
export type Change = z.infer<typeof Change>;

/**
 * Equal fingerprints mean equal plans. Facts and consequences that change by themselves are left out: otherwise a month
 * that costs more every hour could never be approved. Pure.
 */
export function fingerprint({ before, after, consequences, passing = [] }: Plan): string {
  const pairs = (facts: Facts): string[][] =>
    facts.flatMap(({ name, text }) => (passing.includes(name) ? [] : [[name, text]]));
  const lasting = consequences.filter((one) => !passing.includes(one));
  return JSON.stringify([pairs(before), pairs(after), lasting]);
}

/** The fingerprint, short enough for a form to carry. */
export function planHash(plan: Plan): string {
  return createHash('sha256').update(fingerprint(plan)).digest('hex');
}

/**
 * Requests with equal keys are the same request. The order of a list and the case of e-mails do not matter (design
 * section 6). Pure.
 */
export function inputKey(input: ChangeInput): string {
  const parts = Object.entries(input).map(([name, value]) => {
    const isAddress = name === 'email' || name === 'invitees';
    const members =
      typeof value === 'object' && !Array.isArray(value) ? pairsOf(value) : [value].flat();
    const values = members.map((one) => (isAddress ? String(one).toLowerCase() : one));
    return JSON.stringify([name, ...values.toSorted(inOrder)]);
  });
  return parts.toSorted(inOrder).join();
}

function pairsOf(tags: Readonly<Record<string, string>>): string[] {
  return Object.entries(tags).map((pair) => JSON.stringify(pair));
}

function inOrder(a: string | number | boolean, b: string | number | boolean): number {
  return a < b ? -1 : 1;
}

/**
 * Whether a change without a call on record was certainly never sent. Otherwise Redis may have lost an earlier approval
 * since the request, and with it a call.
 */
export function isNothingLost({ run, decision }: Pick<Change, 'run' | 'decision'>): boolean {
  return run === decision?.run;
}

/** A request past its deadline has expired, also before a worker has stored that. @param now ms since the epoch */
export function stateAt({ state, expiresAt }: Change, now: number): ChangeState {
  return state === 'pending' && expiresAt <= now ? 'expired' : state;
}

/** The same, in its state now. */
export function changeAt(change: Change, now: number): Change {
  return { ...change, state: stateAt(change, now) };
}

export function isOpen({ state }: Pick<Change, 'state'>): boolean {
  return state === 'pending' || state === 'approved' || state === 'executing';
}
