import { isSamePerson } from '../access/policy.ts';
import type { Actor, Change, ChangeState, Decision, Sealed } from './change.ts';
import type { End } from './ends.ts';
import type { Baseline, Facts, Plan } from './kinds/kind.ts';

/** Reminders come after this time, then after twice as much, and so on (ADR 13). Milliseconds. */
export const REMIND_MS = 15 * 60_000;
/** Longer than it takes to show a secret: after that it is unknown whether it was seen. Milliseconds. */
export const OPENING_MS = 60_000;
/** Retry interval when Slack or the platform does not answer. Milliseconds. */
export const CHECK_AGAIN_MS = 10_000;
/**
 * After this time without an answer a check counts as refused, and an unclear call as unknown (ADR 13). Milliseconds.
 */
export const PATIENCE_MS = 15 * 60_000;
/** A change that was approved this long ago is not sent any longer (ADR 29). Milliseconds. */
export const APPROVED_MS = 15 * 60_000;
/** A call that was sent this long ago is no longer in flight (ADR 13). Milliseconds. */
export const CALL_MS = 90_000;

/** A retry this much later than planned breaks a series of failed checks. Milliseconds. */
const LATE_MS = 60_000;

/** Whether a check at `at` continues the series. Both ms since the epoch. */
function isInRhythm(retryAt: number | undefined, at: number): boolean {
  return retryAt !== undefined && at <= retryAt + LATE_MS;
}

/** Whether Slack or the platform has failed to answer for too long. `at` in ms since the epoch. */
export function isSilentTooLong({ silentSince, retryAt }: Change, at: number): boolean {
  if (silentSince === undefined || !isInRhythm(retryAt, at)) return false;
  return at - silentSince >= PATIENCE_MS;
}

/** Ms since the epoch. */
export function lastSentAt({ resentAt, sentAt, requestedAt }: Change): number {
  return resentAt ?? sentAt ?? requestedAt;
}

/** `at` is ms since the epoch. */
export type ChangeEvent = { readonly at: number } &
  /** Only when it is due. Several missed reminders are one. */
  (
    | { readonly kind: 'remind' }
    | {
        readonly kind: 'approve';
        /** Absent: no approval is needed (APPROVALS=off). */
        readonly by?: Actor;
        readonly comment: string;
        readonly plan: Plan;
        /** Before it is sent, in case that the claim is lost. */
        readonly baseline?: Baseline;
        /** The requester may approve (ALLOW_SELF_APPROVAL). */
        readonly self: boolean;
        /** Of Redis, at this moment (durability.ts). */
        readonly moment?: { readonly run: string | undefined; readonly at: number };
      }
    | { readonly kind: 'reject'; readonly by: Actor; readonly comment: string }
    | { readonly kind: 'withdraw'; readonly by: string }
    | { readonly kind: 'expire' }
    /** The state differs from the approved plan; nothing was sent. */
    | { readonly kind: 'drift'; readonly end: End; readonly now: Facts }
    /** Only the worker that makes this move sends the call. */
    | { readonly kind: 'claim'; readonly baseline: Baseline }
    /** The claim was not confirmed, and nothing was sent. */
    | { readonly kind: 'unclaim'; readonly until: number }
    /** Approved, but must not be sent. */
    | { readonly kind: 'refuse'; readonly end: End }
    /** It may have been sent already, in what Redis has lost since the approval. */
    | { readonly kind: 'suspect' }
    /** The record was not written by Purser: nothing more is done for it. */
    | { readonly kind: 'disown'; readonly end: End }
    /** The call that was sent had no effect, and is sent again. */
    | { readonly kind: 'resend' }
    /** Undecided: check again later. */
    | {
        readonly kind: 'wait';
        readonly until: number;
        /** Slack or the platform was asked, and did not answer. */
        readonly silent?: true;
        readonly why?: 'off';
      }
    | {
        readonly kind: 'succeed';
        readonly end: End;
        /** Absent when it could not be read back. */
        readonly now?: Facts | undefined;
        readonly secret?: Pick<Sealed, 'what' | 'until' | 'tokenId' | 'run'> & {
          readonly state: 'sealed' | 'lost';
        };
      }
    | { readonly kind: 'fail'; readonly end: End; readonly now?: Facts }
    | { readonly kind: 'doubt'; readonly end: End }
    /** The secret is about to be shown; only the process that makes this move may read it, once. */
    | { readonly kind: 'open' }
    | { readonly kind: 'reveal' }
    /** The secret was not seen, or possibly not: it is discarded. `kept`: its token is not deleted, for this reason. */
    | { readonly kind: 'lapse'; readonly kept?: End | undefined }
    /** The result of deleting the token of a discarded secret. */
    | { readonly kind: 'clean'; readonly end: End }
  );

type EventOf<Kind> = Extract<ChangeEvent, { kind: Kind }>;
type Step<Event> = (change: Change, event: Event) => Change | undefined;
type Steps = { readonly [Kind in ChangeEvent['kind']]?: Step<EventOf<Kind>> };

/**
 * The change after an event (design section 5); undefined when the event is not possible now: it was decided already,
 * is too late, or another move was faster. Pure.
 */
export function move(change: Change, event: ChangeEvent): Change | undefined {
  if (event.kind === 'disown') return disowned(change, event);
  const step = STEPS[change.state]?.[event.kind] as Step<ChangeEvent> | undefined;
  // Every event ends a wait.
  const { retryAt: _, silentSince: __, waits: ___, ...rest } = change;
  const next = step?.(rest, event);
  return next && { ...next, ...silenceAfter(change, event), version: change.version + 1 };
}

function disowned(change: Change, event: EventOf<'disown'>): Change {
  const { retryAt: _, silentSince: __, waits: ___, secret: ____, ...rest } = change;
  return { ...rest, state: 'refused', outcome: outcomeOf(event), version: change.version + 1 };
}

/** A silence goes on as long as workers ask in time: an hour without a worker does not count. */
function silenceAfter(change: Change, event: ChangeEvent): Pick<Change, 'silentSince'> {
  if (event.kind !== 'wait' || event.silent !== true) return {};
  const { silentSince, retryAt } = change;
  const goesOn = silentSince !== undefined && isInRhythm(retryAt, event.at);
  return { silentSince: goesOn ? silentSince : event.at };
}

const wait: Step<EventOf<'wait'>> = (change, { until, why }) => ({
  ...change,
  retryAt: until,
  waits: why,
});

/** A pending change can be decided in time; after that it can only expire. */
const PENDING: Steps = {
  remind: (change, { at }) =>
    at >= reminderAt(change) && isInTime(change, at)
      ? { ...change, reminders: remindersBy(change, at) }
      : undefined,
  expire: (change, { at }) => (isInTime(change, at) ? undefined : { ...change, state: 'expired' }),
  withdraw: (change, event) => (isInTime(change, event.at) ? withdrawn(change, event) : undefined),
  reject: (change, event) =>
    isInTime(change, event.at)
      ? { ...change, state: 'rejected', decision: decisionOf(change, event) }
      : undefined,
  approve(change, event) {
    const decision = decisionOf(change, event);
    if (!isInTime(change, event.at) || (decision.self && !event.self)) return undefined;
    const { plan, baseline: marks = change.marks, moment } = event;
    const approval = { ...decision, run: moment?.run, storedAt: moment?.at };
    return { ...change, state: 'approved', plan, decision: approval, marks };
  },
};

const withdrawn: Step<EventOf<'withdraw'>> = (change, { at, by }) => ({
  ...change,
  state: 'withdrawn',
  withdrawnAt: at,
  withdrawnBy: by,
});

/** The worker that claims the call sends it, or it is never sent. */
const APPROVED: Steps = {
  claim: (change, { at, baseline }) => ({
    ...change,
    state: 'executing',
    sentAt: at,
    sendings: 1,
    marks: baseline,
  }),
  suspect: (change, { at }) => ({
    ...change,
    state: 'executing',
    sentAt: at,
    sendings: 1,
    suspect: true,
  }),
  withdraw: withdrawn,
  refuse: (change, event) => ({ ...change, state: 'refused', outcome: outcomeOf(event) }),
  drift: (change, event) => ({ ...change, state: 'drifted', outcome: outcomeOf(event) }),
  wait,
};

const EXECUTING: Steps = {
  unclaim(change, { until }) {
    const { sentAt: _, ...rest } = change;
    const isFirst = change.sendings === 1 && change.resentAt === undefined && !change.suspect;
    return isFirst
      ? { ...rest, state: 'approved', sendings: 0, retryAt: until, waits: 'replica' }
      : undefined;
  },
  resend: (change, { at }) =>
    change.suspect ? undefined : { ...change, resentAt: at, sendings: change.sendings + 1 },
  suspect: (change) => (change.suspect ? undefined : { ...change, suspect: true }),
  succeed(change, event) {
    const secret = event.secret && { ...event.secret, at: event.at };
    return { ...change, state: 'succeeded', outcome: outcomeOf(event), secret };
  },
  doubt: (change, event) => ({ ...change, state: 'unknown', outcome: outcomeOf(event) }),
  fail: (change, event) => ({ ...change, state: 'failed', outcome: outcomeOf(event) }),
  wait,
};

const SUCCEEDED: Steps = {
  open: ({ secret, ...rest }, { at }) =>
    secret?.state === 'sealed' && at < secret.until
      ? { ...rest, secret: { ...secret, state: 'opening', at } }
      : undefined,
  reveal: ({ secret, ...rest }, { at }) =>
    secret?.state === 'opening'
      ? { ...rest, secret: { ...secret, state: 'revealed', at } }
      : undefined,
  lapse: ({ secret, ...rest }, { at, kept }) =>
    secret?.state === 'opening' || (secret?.state === 'sealed' && at >= secret.until)
      ? {
          ...rest,
          secret: { ...secret, state: 'lapsed', at, cleaned: kept, kept: kept && true },
        }
      : undefined,
  clean: ({ secret, ...rest }, { end }) =>
    isToBeCleaned(secret) ? { ...rest, secret: { ...secret, cleaned: end } } : undefined,
  wait: (change, event) => (isToBeCleaned(change.secret) ? wait(change, event) : undefined),
};

/** All other states are final. */
const STEPS: { readonly [State in ChangeState]?: Steps } = {
  pending: PENDING,
  approved: APPROVED,
  executing: EXECUTING,
  succeeded: SUCCEEDED,
};

function isInTime({ expiresAt }: Change, at: number): boolean {
  return at < expiresAt;
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
  return { verdict: kind, by, at, comment, self };
}

function outcomeOf(event: {
  readonly at: number;
  readonly end: End;
  readonly now?: Facts | undefined;
}): NonNullable<Change['outcome']> {
  const { at, end, now } = event;
  return { at, ...end, now: now && [...now] };
}

/**
 * When a change is next due without a user's action, ms since the epoch: a reminder, its expiry, the call, a check, an
 * unrevealed secret. Undefined: never. Pure.
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

function reminderAt({ requestedAt, reminders }: Change): number {
  return requestedAt + REMIND_MS * 2 ** reminders;
}

/** How many reminders were due by then: missed reminders are not sent later, one by one. */
function remindersBy({ requestedAt }: Change, at: number): number {
  return Math.floor(Math.log2((at - requestedAt) / REMIND_MS)) + 1;
}
