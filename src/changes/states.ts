import { isSamePerson } from '../access/changes.ts';
import type { Actor, Change, ChangeState, Decision, Facts, Marks, Plan, Sealed } from './change.ts';
import { isInRhythm, OPENING_MS, REMIND_MS } from './times.ts';

/** What can happen to a change. `at` is ms since the epoch. */
export type ChangeEvent = { readonly at: number } &
  /** Only when it is due. Of several that were missed there is one. */
  (
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
    | {
        readonly kind: 'wait';
        readonly until: number;
        /** Slack or the platform was asked, and did not say. */
        readonly silent?: true;
      }
    | {
        readonly kind: 'succeed';
        readonly sentence: string;
        /** What was read back; absent when it could not be read. */
        readonly now?: Facts;
        readonly secret?: Pick<Sealed, 'what' | 'until' | 'tokenId'> & {
          readonly state: 'sealed' | 'lost';
        };
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

type EventOf<Kind> = Extract<ChangeEvent, { kind: Kind }>;
type Step<Event> = (change: Change, event: Event) => Change | undefined;
type Steps = { readonly [Kind in ChangeEvent['kind']]?: Step<EventOf<Kind>> };

/**
 * What a change becomes by an event (design section 5); undefined when that cannot happen to it now:
 * it was decided already, is too late, or somebody else was faster. Pure.
 */
export function move(change: Change, event: ChangeEvent): Change | undefined {
  const step = STEPS[change.state]?.[event.kind] as Step<ChangeEvent> | undefined;
  // Whatever happens, a wait is over.
  const { retryAt: _, silentSince: __, ...rest } = change;
  const next = step?.(rest, event);
  return next && { ...next, ...silenceAfter(change, event), version: change.version + 1 };
}

/** A silence goes on as long as somebody asks in time: an hour in which no worker ran is none. */
function silenceAfter(change: Change, event: ChangeEvent): Pick<Change, 'silentSince'> {
  if (event.kind !== 'wait' || event.silent !== true) return {};
  const { silentSince, retryAt } = change;
  const goesOn = silentSince !== undefined && isInRhythm(retryAt, event.at);
  return { silentSince: goesOn ? silentSince : event.at };
}

const wait: Step<EventOf<'wait'>> = (change, { until }) => ({ ...change, retryAt: until });

/** What people and the clock do to a change that waits for a decision: in time, else it can only expire. */
const PENDING: Steps = {
  remind: (change, { at }) =>
    at >= reminderAt(change) && isInTime(change, at)
      ? { ...change, reminders: remindersBy(change, at) }
      : undefined,
  expire: (change, { at }) => (isInTime(change, at) ? undefined : { ...change, state: 'expired' }),
  withdraw: (change, { at }) =>
    isInTime(change, at) ? { ...change, state: 'withdrawn', withdrawnAt: at } : undefined,
  reject: (change, event) =>
    isInTime(change, event.at)
      ? { ...change, state: 'rejected', decision: decisionOf(change, event) }
      : undefined,
  approve(change, event) {
    const decision = decisionOf(change, event);
    if (!isInTime(change, event.at) || (decision.self && !event.self)) return undefined;
    return { ...change, state: 'approved', plan: event.plan, decision };
  },
};

/** The call is sent by the one who claims it, or never. */
const APPROVED: Steps = {
  claim: (change, { at, marks }) => ({
    ...change,
    state: 'executing',
    sentAt: at,
    sendings: 1,
    marks,
  }),
  refuse: (change, { sentence }) => ({ ...change, state: 'executing', refusal: sentence }),
  drift: (change, event) => ({ ...change, state: 'drifted', outcome: outcomeOf(event) }),
  wait,
};

/** What was not sent can only fail. */
const EXECUTING: Steps = {
  resend: (change, { at }) =>
    isSent(change) ? { ...change, resentAt: at, sendings: change.sendings + 1 } : undefined,
  succeed(change, event) {
    if (!isSent(change)) return undefined;
    const secret = event.secret && { ...event.secret, at: event.at };
    return { ...change, state: 'succeeded', outcome: outcomeOf(event), ...(secret && { secret }) };
  },
  doubt: (change, event) =>
    isSent(change) ? { ...change, state: 'unknown', outcome: outcomeOf(event) } : undefined,
  fail: (change, event) => ({ ...change, state: 'failed', outcome: outcomeOf(event) }),
  wait,
};

/** What becomes of the secret. */
const SUCCEEDED: Steps = {
  open: ({ secret, ...rest }, { at }) =>
    secret?.state === 'sealed' && at < secret.until
      ? { ...rest, secret: { ...secret, state: 'opening', at } }
      : undefined,
  reveal: ({ secret, ...rest }, { at }) =>
    secret?.state === 'opening'
      ? { ...rest, secret: { ...secret, state: 'revealed', at } }
      : undefined,
  lapse: ({ secret, ...rest }, { at }) =>
    secret?.state === 'opening' || (secret?.state === 'sealed' && at >= secret.until)
      ? { ...rest, secret: { ...secret, state: 'lapsed', at } }
      : undefined,
  clean: ({ secret, ...rest }, { sentence }) =>
    isToBeCleaned(secret) ? { ...rest, secret: { ...secret, cleaned: sentence } } : undefined,
  wait: (change, event) => (isToBeCleaned(change.secret) ? wait(change, event) : undefined),
};

/** Nothing happens to a change in any other state. */
const STEPS: { readonly [State in ChangeState]?: Steps } = {
  pending: PENDING,
  approved: APPROVED,
  executing: EXECUTING,
  succeeded: SUCCEEDED,
};

function isInTime({ expiresAt }: Change, at: number): boolean {
  return at < expiresAt;
}

function isSent({ sentAt }: Change): boolean {
  return sentAt !== undefined;
}

function isToBeCleaned(secret: Sealed | undefined): secret is Sealed {
  const isGivenUp = secret?.state === 'lapsed' || secret?.state === 'lost';
  return isGivenUp && secret.cleaned === undefined;
}

function decisionOf(
  { requester }: Change,
  { kind, by, at, comment }: EventOf<'approve' | 'reject'>,
): Decision {
  const self = by !== undefined && isSamePerson(by, requester);
  return { verdict: kind, ...(by && { by }), at, comment, self };
}

/** How it ended: when, in a sentence, and with what was read back. */
function outcomeOf(event: {
  readonly at: number;
  readonly sentence: string;
  readonly now?: Facts;
}): NonNullable<Change['outcome']> {
  const { at, sentence, now } = event;
  return { at, sentence, ...(now && { now: [...now] }) };
}

/**
 * When something is to be done for a change without anybody asking, ms since the epoch: a reminder,
 * its expiry, the call, another look, a secret that nobody revealed. Undefined: never. Pure.
 */
export function dueOf(change: Change): number | undefined {
  const { state, requestedAt, expiresAt, decision, retryAt, sentAt, resentAt } = change;
  if (state === 'pending') return Math.min(expiresAt, reminderAt(change));
  if (state === 'approved') return retryAt ?? decision?.at ?? requestedAt;
  if (state === 'executing') return retryAt ?? resentAt ?? sentAt ?? requestedAt;
  return secretDue(change);
}

function secretDue({ secret, retryAt }: Change): number | undefined {
  if (secret?.state === 'sealed') return secret.until;
  if (secret?.state === 'opening') return secret.at + OPENING_MS;
  return isToBeCleaned(secret) ? (retryAt ?? secret.at) : undefined;
}

/** When the next reminder is due. */
function reminderAt({ requestedAt, reminders }: Change): number {
  return requestedAt + REMIND_MS * 2 ** reminders;
}

/** How many reminders were due by then: those that nobody sent in time are not sent late, one by one. */
function remindersBy({ requestedAt }: Change, at: number): number {
  return Math.floor(Math.log2((at - requestedAt) / REMIND_MS)) + 1;
}
