import { z } from 'zod';
import { isSamePerson } from '../access/policy.ts';
import {
  STATES,
  type Actor,
  type Change,
  type ChangeState,
  type Decision,
  type Sealed,
} from './change.ts';
import type { Baseline, Facts, Plan, Proof } from './kinds/kind.ts';
import type { ChangeKind } from './kinds/kinds.ts';

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
        /** The requester may approve (ALLOW_SELF_APPROVAL). */
        readonly self: boolean;
      }
    | { readonly kind: 'reject'; readonly by: Actor; readonly comment: string }
    | { readonly kind: 'withdraw' }
    | { readonly kind: 'expire' }
    /** The state differs from the approved plan; nothing was sent. */
    | { readonly kind: 'drift'; readonly sentence: string; readonly now: Facts }
    /** Only the worker that makes this move sends the call. */
    | { readonly kind: 'claim'; readonly baseline: Baseline }
    /** Approved, but must not be sent. `fail` has to follow. */
    | { readonly kind: 'refuse'; readonly sentence: string }
    /** The call that was sent had no effect, and is sent again. */
    | { readonly kind: 'resend' }
    /** Undecided: check again later. */
    | {
        readonly kind: 'wait';
        readonly until: number;
        /** Slack or the platform was asked, and did not answer. */
        readonly silent?: true;
      }
    | {
        readonly kind: 'succeed';
        readonly sentence: string;
        /** Absent when it could not be read back. */
        readonly now?: Facts;
        readonly proof?: Proof;
        readonly secret?: Pick<Sealed, 'what' | 'until' | 'tokenId'> & {
          readonly state: 'sealed' | 'lost';
        };
      }
    | { readonly kind: 'fail'; readonly sentence: string; readonly now?: Facts }
    | { readonly kind: 'doubt'; readonly sentence: string; readonly proof?: 'left' }
    /** The secret is about to be shown; only the process that makes this move may read it, once. */
    | { readonly kind: 'open' }
    | { readonly kind: 'reveal' }
    /** The secret was not seen, or possibly not: it is discarded. */
    | { readonly kind: 'lapse' }
    /** The result of deleting the token of a discarded secret. */
    | { readonly kind: 'clean'; readonly sentence: string }
  );

type EventOf<Kind> = Extract<ChangeEvent, { kind: Kind }>;
type Step<Event> = (change: Change, event: Event) => Change | undefined;
type Steps = { readonly [Kind in ChangeEvent['kind']]?: Step<EventOf<Kind>> };

/**
 * The change after an event (design section 5); undefined when the event is not possible now: it was decided already,
 * is too late, or another move was faster. Pure.
 */
export function move(change: Change, event: ChangeEvent): Change | undefined {
  const step = STEPS[change.state]?.[event.kind] as Step<ChangeEvent> | undefined;
  // Every event ends a wait.
  const { retryAt: _, silentSince: __, ...rest } = change;
  const next = step?.(rest, event);
  return next && { ...next, ...silenceAfter(change, event), version: change.version + 1 };
}

/** A silence goes on as long as workers ask in time: an hour without a worker does not count. */
function silenceAfter(change: Change, event: ChangeEvent): Pick<Change, 'silentSince'> {
  if (event.kind !== 'wait' || event.silent !== true) return {};
  const { silentSince, retryAt } = change;
  const goesOn = silentSince !== undefined && isInRhythm(retryAt, event.at);
  return { silentSince: goesOn ? silentSince : event.at };
}

const wait: Step<EventOf<'wait'>> = (change, { until }) => ({ ...change, retryAt: until });

/** A pending change can be decided in time; after that it can only expire. */
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

/** The worker that claims the call sends it, or it is never sent. */
const APPROVED: Steps = {
  claim: (change, { at, baseline }) => ({
    ...change,
    state: 'executing',
    sentAt: at,
    sendings: 1,
    marks: baseline,
  }),
  refuse: (change, { sentence }) => ({ ...change, state: 'executing', refusal: sentence }),
  drift: (change, event) => ({ ...change, state: 'drifted', outcome: outcomeOf(event) }),
  wait,
};

/** A change that was refused before sending can only fail. */
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

function outcomeOf(event: {
  readonly at: number;
  readonly sentence: string;
  readonly now?: Facts;
  readonly proof?: Proof;
}): NonNullable<Change['outcome']> {
  const { at, sentence, now, proof } = event;
  return { at, sentence, ...(now && { now: [...now] }), ...(proof && { proof }) };
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

const AuditLine = z.looseObject({
  /** Ms since the epoch. */
  at: z.number(),
  /** Absent when the request itself was refused. */
  change: z.string().optional(),
  event: z.string(),
  state: z.enum(STATES).optional(),
  /** Slack id; absent when no person did it. */
  by: z.string().optional(),
});
export type AuditLine = z.infer<typeof AuditLine>;

/** A line of the audit, which is append-only. It also has every other field worth keeping; no secret. */
export type AuditEntry = AuditLine & {
  /** Of the stream; rises. The stream of one change and that of all count separately. */
  readonly entry: string;
};

type AuditedEvent = ChangeEvent | { readonly kind: 'request'; readonly at: number };

/**
 * The audit line of an event (design section 5): who, what, when, before, after, decided by, result. Pure.
 * @param change as it is after the event @returns undefined for events that decide nothing: a reminder, a wait
 */
export function lineOf(change: Change, event: AuditedEvent): AuditLine | undefined {
  const details = detailsOf(change, event);
  return (
    details && {
      at: event.at,
      change: change.id,
      event: event.kind,
      state: change.state,
      ...details,
    }
  );
}

/** A person was refused an action on a change, or a request of a kind. */
export interface Refused {
  /** Ms since the epoch. */
  readonly at: number;
  /** Slack id. */
  readonly by: string;
  /** The id of the button or the form. */
  readonly what: string;
  readonly why: string;
  readonly about: Change | ChangeKind;
}

export function refusedLine({ at, by, what, why, about }: Refused): AuditLine {
  const place =
    typeof about === 'string' ? { kind: about } : { change: about.id, state: about.state };
  return { at, event: 'refused', by, what, why, ...place };
}

function detailsOf(change: Change, event: AuditedEvent): Record<string, unknown> | undefined {
  switch (event.kind) {
    case 'request': {
      const { order, reason, requester, plan } = change;
      return { ...whoIs(requester), kind: order.kind, order, reason, ...partsOf(plan) };
    }
    case 'approve':
    case 'reject': {
      const { by, comment, self } = change.decision ?? {};
      return { ...(by && whoIs(by)), comment, self, ...partsOf(change.plan) };
    }
    // Only the requester can do these.
    case 'withdraw':
    case 'open':
    case 'reveal':
      return { by: change.requester.userId };
    case 'claim':
    case 'resend':
      return { sending: change.sendings };
    case 'drift':
    case 'fail':
      return { sentence: event.sentence, ...(event.now && { now: event.now }) };
    case 'succeed': {
      const { sentence, now, secret } = event;
      return { sentence, ...(now && { now }), ...(secret && { secret: publicPartOf(secret) }) };
    }
    case 'refuse':
    case 'doubt':
    case 'clean':
      return { sentence: event.sentence };
    case 'expire':
    case 'lapse':
      return {};
    case 'remind':
    case 'wait':
      return undefined;
  }
}

function whoIs({ userId, email }: Actor): Record<string, string> {
  return { by: userId, ...(email !== undefined && { email }) };
}

function partsOf({ before, after, consequences }: Plan): Plan {
  return { before, after, consequences };
}

/** Field by field, so that no other field can get into the audit. */
function publicPartOf({
  what,
  state,
  tokenId,
}: Pick<Sealed, 'what' | 'state' | 'tokenId'>): Record<string, string> {
  return { what, state, ...(tokenId !== undefined && { tokenId }) };
}

/** @throws when it is no line of the audit */
export function readLine(entry: string, data: string): AuditEntry {
  return { ...AuditLine.parse(JSON.parse(data)), entry };
}
