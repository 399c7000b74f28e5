import type { Actor, Change, Facts, Marks, Plan, Sealed } from './change.ts';

/** What can happen to a change. `at` is ms since the epoch. */
export type ChangeEvent = { readonly at: number } & (
  | { readonly kind: 'remind' }
  | {
      readonly kind: 'approve';
      /** Absent: nobody has to approve (APPROVALS=off). */
      readonly by?: Actor;
      readonly comment: string;
      /** What the approver was shown. */
      readonly plan: Plan;
      /** The requester may approve (ALLOW_SELF_APPROVAL). */
      readonly self: boolean;
    }
  | { readonly kind: 'reject'; readonly by: Actor; readonly comment: string }
  | { readonly kind: 'withdraw' }
  | { readonly kind: 'expire' }
  /** What is there now is not what was approved; nothing was sent. */
  | { readonly kind: 'drift'; readonly sentence: string; readonly now: Facts }
  /** The one who makes this move, and nobody else, sends the call. */
  | { readonly kind: 'claim'; readonly marks: Marks }
  /** Approved, and yet not to be sent. `fail` has to follow. */
  | { readonly kind: 'refuse'; readonly sentence: string }
  /** The call that was sent had no effect, and is sent again. */
  | { readonly kind: 'resend' }
  /** Nothing can be said now: look again later. */
  | { readonly kind: 'wait'; readonly until: number }
  | {
      readonly kind: 'succeed';
      readonly sentence: string;
      /** What was read back; absent when it could not be read. */
      readonly now?: Facts;
      readonly secret?: Pick<Sealed, 'state' | 'what' | 'until' | 'tokenId'>;
    }
  | { readonly kind: 'fail'; readonly sentence: string; readonly now?: Facts }
  /** Nobody can tell whether it was done. */
  | { readonly kind: 'doubt'; readonly sentence: string }
  /** The secret is about to be shown; whoever makes this move may read it, once. */
  | { readonly kind: 'open' }
  | { readonly kind: 'reveal' }
  /** The secret was not seen, or nobody knows: it is given up. */
  | { readonly kind: 'lapse' }
  /** What became of the token whose secret was given up. */
  | { readonly kind: 'clean'; readonly sentence: string }
);

/** Reminders come after this time, then after twice as much, and so on. Milliseconds. */
const REMIND_MS = 15 * 60_000;
/** Longer than it takes to show a secret: after that nobody knows whether it was seen. Milliseconds. */
const OPENING_MS = 60_000;

/**
 * What a change becomes by an event (design section 5); undefined when that cannot happen to it now:
 * it was decided already, is too late, or somebody else was faster. Pure.
 */
export function move(change: Change, event: ChangeEvent): Change | undefined {
  const next = movedBySecret(change, event) ?? movedByWork(change, event) ?? decided(change, event);
  return next && { ...next, version: change.version + 1 };
}

/** What people and the clock do to a change that waits for a decision. */
function decided(change: Change, event: ChangeEvent): Change | undefined {
  if (change.state !== 'pending') return undefined;
  const { at } = event;
  const isLate = at >= change.expiresAt;
  switch (event.kind) {
    case 'remind':
      return isLate ? undefined : { ...change, reminders: change.reminders + 1 };
    case 'expire':
      return isLate ? { ...change, state: 'expired' } : undefined;
    case 'withdraw':
      return isLate ? undefined : { ...change, state: 'withdrawn', withdrawnAt: at };
    case 'approve':
    case 'reject':
      return isLate ? undefined : judged(change, event);
    default:
      return undefined;
  }
}

function judged(
  change: Change,
  event: Extract<ChangeEvent, { kind: 'approve' | 'reject' }>,
): Change | undefined {
  const { by, comment, at } = event;
  const own = by?.userId === change.requester.userId;
  if (event.kind === 'reject') {
    const decision = { verdict: 'reject' as const, by: event.by, at, comment, self: own };
    return { ...change, state: 'rejected', decision };
  }
  if (own && !event.self) return undefined;
  const decision = { verdict: 'approve' as const, ...(by && { by }), at, comment, self: own };
  return { ...change, state: 'approved', plan: event.plan, decision };
}

/** What becomes of an approved change. */
function movedByWork(change: Change, event: ChangeEvent): Change | undefined {
  const { retryAt: _, ...rest } = change;
  const { at } = event;
  const isExecuting = change.state === 'executing';
  switch (event.kind) {
    case 'drift': {
      const outcome = { at, sentence: event.sentence, now: [...event.now] };
      return change.state === 'approved' ? { ...rest, state: 'drifted', outcome } : undefined;
    }
    case 'claim':
      return change.state === 'approved'
        ? { ...rest, state: 'executing', sentAt: at, sendings: 1, marks: event.marks }
        : undefined;
    case 'refuse':
      return change.state === 'approved'
        ? { ...rest, state: 'executing', refusal: event.sentence }
        : undefined;
    case 'resend':
      return isExecuting && change.sentAt !== undefined
        ? { ...rest, sendings: change.sendings + 1 }
        : undefined;
    case 'wait':
      return isExecuting || change.state === 'approved'
        ? { ...change, retryAt: event.until }
        : undefined;
    case 'succeed':
    case 'fail':
    case 'doubt':
      return isExecuting ? ended(rest, event) : undefined;
    default:
      return undefined;
  }
}

const ENDS = { succeed: 'succeeded', fail: 'failed', doubt: 'unknown' } as const;

function ended(
  change: Change,
  event: Extract<ChangeEvent, { kind: 'succeed' | 'fail' | 'doubt' }>,
): Change | undefined {
  // What was not sent can neither succeed nor be in doubt.
  if (change.sentAt === undefined && event.kind !== 'fail') return undefined;
  const { at, sentence } = event;
  const now = event.kind === 'doubt' ? undefined : event.now;
  const outcome = { at, sentence, ...(now && { now: [...now] }) };
  const secret = event.kind === 'succeed' ? event.secret : undefined;
  return {
    ...change,
    state: ENDS[event.kind],
    outcome,
    ...(secret && { secret: { ...secret, at } }),
  };
}

/** What becomes of the secret of a change that succeeded. */
function movedBySecret(change: Change, { kind, at, ...event }: ChangeEvent): Change | undefined {
  const { secret, retryAt: _, ...rest } = change;
  if (change.state !== 'succeeded' || secret === undefined) return undefined;
  const become = (state: Sealed['state']): Change => ({
    ...rest,
    secret: { ...secret, state, at },
  });
  const isOver = at >= secret.until;
  const isGivenUp = secret.state === 'lapsed' || secret.state === 'lost';
  switch (kind) {
    case 'open':
      return secret.state === 'sealed' && !isOver ? become('opening') : undefined;
    case 'reveal':
      return secret.state === 'opening' ? become('revealed') : undefined;
    case 'lapse':
      if (secret.state === 'opening') return become('lapsed');
      return secret.state === 'sealed' && isOver ? become('lapsed') : undefined;
    case 'wait':
      return isGivenUp && 'until' in event ? { ...change, retryAt: event.until } : undefined;
    case 'clean':
      return isGivenUp && 'sentence' in event && secret.cleaned === undefined
        ? { ...rest, secret: { ...secret, cleaned: event.sentence } }
        : undefined;
    default:
      return undefined;
  }
}

/**
 * When something is to be done for a change without anybody asking, ms since the epoch: a reminder,
 * its expiry, the call, another look, a secret that nobody revealed. Undefined: never. Pure.
 */
export function dueOf(change: Change): number | undefined {
  const { state, decision, retryAt } = change;
  switch (state) {
    case 'pending':
      return Math.min(change.expiresAt, change.requestedAt + REMIND_MS * 2 ** change.reminders);
    case 'approved':
      return retryAt ?? decision?.at ?? change.requestedAt;
    case 'executing':
      return retryAt ?? change.sentAt ?? change.requestedAt;
    case 'succeeded':
      return secretDue(change);
    default:
      return undefined;
  }
}

function secretDue({ secret, retryAt }: Change): number | undefined {
  switch (secret?.state) {
    case 'sealed':
      return secret.until;
    case 'opening':
      return secret.at + OPENING_MS;
    case 'lapsed':
    case 'lost':
      return secret.cleaned === undefined ? (retryAt ?? secret.at) : undefined;
    default:
      return undefined;
  }
}
