import { createHash } from 'node:crypto';
import { z } from 'zod';
import { Baseline, Fact, Plan, Proof, SECRETS, type Facts } from './kinds/kind.ts';
import { ChangeInput } from './kinds/kinds.ts';

const text = z.string().min(1);

/** The states of design section 5. */
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
] as const;
export type ChangeState = (typeof STATES)[number];

/** A person who takes part in a change. */
const Actor = z.object({
  userId: text,
  teamId: z.string(),
  /** In lower case, as Slack had it then; absent: none that was confirmed. */
  email: z.string().optional(),
  /** An address that Slack says is not confirmed. It gives no rights; it only keeps people from deciding on their own requests. */
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
});
export type Decision = z.infer<typeof Decision>;

/** What is known of a secret that the platform said once; the secret itself is elsewhere, encrypted. */
const Sealed = z.object({
  /** `opening`: it is being shown, and is not known yet to have been seen. `lost`: it never got here. */
  state: z.enum(['sealed', 'opening', 'revealed', 'lapsed', 'lost']),
  what: z.enum(SECRETS),
  /** When it came to this state, and until when it can be revealed. */
  at: z.number(),
  until: z.number(),
  /** What to delete when it was never seen; absent where there is nothing that could be. */
  tokenId: z.string().optional(),
  /** What became of the token after that, once that is known. */
  cleaned: z.string().optional(),
});
export type Sealed = z.infer<typeof Sealed>;

/** A request for a change, and all that became of it. Times are ms since the epoch. */
export const Change = z.object({
  /** Eight letters and digits, in lower case. */
  id: text,
  /** Rises by one with each move; the compare-and-swap compares it. */
  version: z.number().int(),
  order: ChangeInput,
  /** What is done, as a sentence begins: "Set the spend alert to $500.00". */
  title: z.string(),
  /** The roles of which any one may approve it; none: people who may read the orgs. */
  approvers: z.array(text),
  state: z.enum(STATES),
  requester: Actor,
  requestedAt: z.number(),
  expiresAt: z.number(),
  /** Reminders that were due by the last one that was sent. */
  reminders: z.number().int(),
  /** As requested; once it is approved, as the approver was shown it. */
  plan: Plan,
  /** Channel of the card. */
  channel: z.string(),
  /** The requester's messages with the bot; absent when Slack did not say which. */
  dm: z.string().optional(),
  /** User group of those who may approve, for a mention; absent: they are named by their role. */
  group: z.string().optional(),
  decision: Decision.optional(),
  withdrawnAt: z.number().optional(),
  /** When the call was first sent, and how often it was; absent: never. */
  sentAt: z.number().optional(),
  sendings: z.number().int(),
  /** When it was last sent again: it can still be under way. */
  resentAt: z.number().optional(),
  marks: Baseline.optional(),
  /** When to look again; absent: at once. */
  retryAt: z.number().optional(),
  /** Since when Slack or the platform has not answered, without a break; absent: they answered last. */
  silentSince: z.number().optional(),
  /** Why it is not to be sent although it was approved. */
  refusal: z.string().optional(),
  /** How it ended, in a sentence; `now` is what was read back. */
  outcome: z
    .object({
      at: z.number(),
      sentence: z.string(),
      now: z.array(Fact).optional(),
      proof: Proof.optional(),
    })
    .optional(),
  secret: Sealed.optional(),
});
export type Change = z.infer<typeof Change>;

/**
 * Names the plan: two plans with the same fingerprint say the same. What passes by itself is not
 * part of it: otherwise a month that costs more every hour could never be approved. Pure.
 */
export function fingerprint({ before, after, consequences, passing = [] }: Plan): string {
  const said = (facts: Facts): string[][] => facts.map(({ name, text }) => [name, text]);
  const lasting = consequences.filter((one) => !passing.includes(one));
  return JSON.stringify([said(before), said(after), lasting]);
}

/** The fingerprint, short enough for a form to carry. */
export function planHash(plan: Plan): string {
  return createHash('sha256').update(fingerprint(plan)).digest('hex');
}

/**
 * Two requests with the same key are the same request. The sequence of a list and the case of e-mails do
 * not matter (design section 6). Pure.
 */
export function inputKey(input: ChangeInput): string {
  const said = Object.entries(input).map(([name, value]) => {
    const isAddress = name === 'email' || name === 'invitees';
    const members =
      typeof value === 'object' && !Array.isArray(value) ? pairsOf(value) : [value].flat();
    const values = members.map((one) => (isAddress ? String(one).toLowerCase() : one));
    return JSON.stringify([name, ...values.toSorted(inOrder)]);
  });
  return said.toSorted(inOrder).join();
}

/** Tags as texts that no other tags have. */
function pairsOf(tags: Readonly<Record<string, string>>): string[] {
  return Object.entries(tags).map((pair) => JSON.stringify(pair));
}

function inOrder(a: string | number | boolean, b: string | number | boolean): number {
  return a < b ? -1 : 1;
}

/** Whether it is not over yet. */
export function isOpen({ state }: Pick<Change, 'state'>): boolean {
  return state === 'pending' || state === 'approved' || state === 'executing';
}
