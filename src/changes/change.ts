import { createHash } from 'node:crypto';
import { z } from 'zod';

const ROLES = ['billing_admin', 'billing_viewer', 'org_creator'] as const;
const roles = z.array(z.enum(ROLES)).min(1);
const text = z.string().min(1);

const Alert = {
  /** Whole units of the account's currency. */ amount: z.number(),
  enabled: z.boolean(),
};
const User = { email: text, roles };
const Recipient = { recipientId: text, email: text };

/** What is ordered from the platform (spec 4.3); no secret is ever among it. */
const Order = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('alert.create'), ...Alert }),
  z.object({ kind: z.literal('alert.replace'), ...Alert }),
  z.object({ kind: z.literal('alert.delete') }),
  z.object({ kind: z.literal('user.add'), ...User }),
  z.object({ kind: z.literal('user.roles'), ...User }),
  z.object({ kind: z.literal('user.remove'), email: text }),
  z.object({
    kind: z.literal('token.create'),
    name: text,
    description: z.string(),
    roles,
    /** RFC 3339 in UTC; absent: no expiry. */
    expiresAt: z.string().optional(),
  }),
  z.object({ kind: z.literal('token.delete'), tokenId: text, name: z.string() }),
  z.object({
    kind: z.literal('org.create'),
    name: text,
    description: z.string(),
    /** By their keys; absent: none. */
    tags: z.record(z.string(), z.string()).optional(),
    invitees: z.array(text).min(1),
    /** Also creates a superuser service account, whose key is said once. */
    superuser: z.boolean(),
  }),
  z.object({ kind: z.literal('recipient.add'), email: text, enabled: z.boolean() }),
  z.object({ kind: z.literal('recipient.enable'), ...Recipient }),
  z.object({ kind: z.literal('recipient.disable'), ...Recipient }),
  z.object({ kind: z.literal('recipient.delete'), ...Recipient }),
  z.object({
    kind: z.literal('quota.request'),
    org: text,
    quotaName: text,
    /** In the quota's own unit. */
    requestedMax: z.number(),
  }),
]);
export type Order = z.infer<typeof Order>;
/** What can be changed (design section 5). */
export type ChangeKind = Order['kind'];
export type OrderOf<Kind extends ChangeKind> = Extract<Order, { kind: Kind }>;

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

/** One thing that can be said of what is changed, in plain words: `Amount`, `500.00 USD`. */
const Fact = z.object({ name: z.string(), text: z.string() });
export type Fact = z.infer<typeof Fact>;
export type Facts = readonly Fact[];

/** What a change would do, as a person was shown it; equal plans are the same change (see `fingerprint`). */
const Plan = z.object({
  before: z.array(Fact),
  after: z.array(Fact),
  /** What follows from it, one sentence each. */
  consequences: z.array(z.string()),
  /** Those of the consequences that change by themselves, such as what this month has cost. */
  passing: z.array(z.string()).optional(),
});
export type Plan = z.infer<typeof Plan>;

/** Somebody who has a part in a change. */
const Actor = z.object({
  userId: text,
  teamId: z.string(),
  /** In lower case, as Slack had it then; absent: none that was confirmed. */
  email: z.string().optional(),
  /** One that Slack said was not confirmed: it is nobody's name, and only keeps people from deciding on their own. */
  unconfirmed: z.string().optional(),
});
export type Actor = z.infer<typeof Actor>;

const Decision = z.object({
  verdict: z.enum(['approve', 'reject']),
  /** Absent: nobody had to approve (APPROVALS=off). */
  by: Actor.optional(),
  at: z.number(),
  comment: z.string(),
  /** By the requester, which ALLOW_SELF_APPROVAL permits. */
  self: z.boolean(),
});
export type Decision = z.infer<typeof Decision>;

/** What is known of a secret that the platform said once; the secret itself is elsewhere, encrypted. */
const Sealed = z.object({
  /** `opening`: somebody is being shown it, and nobody knows yet whether they saw it. `lost`: it never got here. */
  state: z.enum(['sealed', 'opening', 'revealed', 'lapsed', 'lost']),
  what: z.enum(['token', 'superuser key']),
  /** When it came to this state, and until when it can be revealed. */
  at: z.number(),
  until: z.number(),
  /** What to delete when it was never seen; absent where there is nothing that could be. */
  tokenId: z.string().optional(),
  /** What became of the token after that, once it is settled. */
  cleaned: z.string().optional(),
});
export type Sealed = z.infer<typeof Sealed>;

/** What is remembered before a call is sent, to tell afterwards whether it was done. */
const Marks = z.record(z.string(), z.array(z.string()));
export type Marks = z.infer<typeof Marks>;

/** A request for a change, and all that became of it. Times are ms since the epoch. */
export const Change = z.object({
  /** Eight letters and digits, in lower case. */
  id: text,
  /** One more with each move: the compare-and-swap goes by it. */
  version: z.number().int(),
  order: Order,
  /** What is done, as a sentence begins: "Set the spend alert to 500.00 USD". */
  title: z.string(),
  /** The roles of which any one may approve it; none: whoever may read the orgs. */
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
  marks: Marks.optional(),
  /** When to look again; absent: at once. */
  retryAt: z.number().optional(),
  /** Since when, without a break, nobody says what there is to be known; absent: somebody said it last. */
  silentSince: z.number().optional(),
  /** Why it is not to be sent although it was approved. */
  refusal: z.string().optional(),
  /** How it ended, in a sentence; `now` is what was read back. */
  outcome: z
    .object({ at: z.number(), sentence: z.string(), now: z.array(Fact).optional() })
    .optional(),
  secret: Sealed.optional(),
});
export type Change = z.infer<typeof Change>;

/**
 * Names the plan: two plans with the same fingerprint say the same. What passes by itself is no part of
 * it: nobody has changed anything, and a month that costs more every hour would never be approved. Pure.
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
 * Names what is ordered: two requests of the same order are the same request. The order of a list is
 * of no account, nor is the case of e-mails (design section 6). Pure.
 */
export function orderKey(order: Order): string {
  const said = Object.entries(order).map(([name, value]) => {
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

/** Whether it still waits for somebody or something. */
export function isOpen({ state }: Pick<Change, 'state'>): boolean {
  return state === 'pending' || state === 'approved' || state === 'executing';
}
