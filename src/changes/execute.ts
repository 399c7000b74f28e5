import { Refusal } from '../lib/errors.ts';
import { PlatformError, type PlatformReason } from '../platform/errors.ts';
import { fingerprint, isNothingLost, type Change, type ChangeState } from './change.ts';
import { isSameFacts, type Baseline, type Facts, type Sent } from './kinds/kind.ts';
import {
  createPolicy,
  enqueue,
  offRefusal,
  planNow,
  rulesOf,
  type ChangeContext,
} from './context.ts';
import { createDriftSource, whatChanged } from './drift.ts';
import * as ends from './ends.ts';
import type { End } from './ends.ts';
import { UnreadableError } from './store.ts';
import { createReconciler, wait, type Reconciler, type Step } from './reconcile.ts';
import {
  APPROVED_MS,
  CALL_MS,
  dueOf,
  isSilentTooLong,
  lastSentAt,
  CHECK_AGAIN_MS,
} from './states.ts';
import type { ChangeInput } from './kinds/kinds.ts';

export type Executor = ReturnType<typeof createExecutor>;

export function createExecutor(context: ChangeContext) {
  const { changes, clock } = context;
  const reconciler = createReconciler(context);
  const tools = createTools(context, reconciler);

  const remind: Step = (change) => {
    const at = clock.now();
    return changes.move(change, { kind: at < change.expiresAt ? 'remind' : 'expire', at });
  };

  const steps: Partial<Record<ChangeState, Step>> = {
    pending: remind,
    approved: createStart(context, tools),
    executing: createResume(context, reconciler, tools),
    succeeded: reconciler.cleanUp,
  };

  return {
    /**
     * Takes the due step of a change: reminds, expires, executes, reconciles, cleans up. One worker at a time.
     * @throws when the store does not answer: then the next sweep takes it up
     */
    async advance(id: string): Promise<void> {
      await context.withLock(id, async (held) => {
        let change = await genuine(context, id);
        // Every step postpones or ends the next one, so this ends.
        while (change !== undefined && (dueOf(change) ?? Infinity) <= clock.now()) {
          change = await steps[change.state]?.(change, held);
        }
      });
    },
    async sweep(): Promise<void> {
      for (const id of await changes.due(clock.now())) await enqueue(context, id);
    },
  };
}

/** The change; one that is gone, cannot be read or was not written by Purser is put away, so that it blocks nothing. */
async function genuine(
  { changes, clock, logger }: ChangeContext,
  id: string,
): Promise<Change | undefined> {
  const change = await changes.get(id).catch((error: unknown) => {
    if (!(error instanceof UnreadableError)) throw error;
  });
  if (change === undefined) await changes.shelve(id);
  if (!change || changes.isGenuine(change)) return change ?? undefined;
  logger.error({ change: id, state: change.state }, 'The signature of a change is not valid');
  const end = change.secret?.what === 'token' ? ends.UNVERIFIED_TOKEN : ends.UNVERIFIED;
  await changes.move(change, { kind: 'disown', at: clock.now(), end });
  return undefined;
}

type Tools = ReturnType<typeof createTools>;

function createTools(context: ChangeContext, reconciler: Reconciler) {
  const sendings = createSendings();
  return {
    sendings,
    check: createCheck(context),
    send: createSend(context, reconciler, sendings),
    withResource: createResourceLock(context),
    suspect: (change: Change) =>
      context.changes.move(change, { kind: 'suspect', at: context.clock.now() }),
  };
}

/** Sends the one call of an approved change (ADR 13). */
function createStart(context: ChangeContext, tools: Tools): Step {
  const { changes, clock } = context;
  const { sendings, check, send, withResource, suspect } = tools;
  const claim = createClaim(context, send);
  const refuse = (change: Change, end: End) =>
    changes.move(change, { kind: 'refuse', at: clock.now(), end: sinceApproval(change, end) });

  return withResource(async (change, held) => {
    const moment = await context.durability.moment();
    if (mayHaveBeenSent(change, moment.run, sendings)) return suspect(change);
    if (isTooOld(change, clock.now(), moment.at)) {
      return refuse(change, context.off === undefined ? whyTooOld(change) : ends.OFF);
    }
    if (context.off !== undefined) return wait(context, change, { why: 'off' });
    const checked = await check(change);
    switch (checked.kind) {
      case 'go':
        return held() ? claim(change, checked.baseline, held) : undefined;
      case 'drift': {
        const end = sinceApproval(change, checked.end);
        return changes.move(change, { kind: 'drift', at: clock.now(), end, now: checked.now });
      }
      case 'no':
        return refuse(change, checked.end);
      case 'silence':
        return wait(context, change, { silent: true });
    }
  });
}

/** Finds out what came of a call, and sends it again where that does no harm (ADR 13). */
function createResume(
  context: ChangeContext,
  { finish, reconcile, doubt }: Reconciler,
  { sendings, check, send, withResource, suspect }: Tools,
): Step {
  const { changes, clock } = context;

  const sendAgain = withResource(async (change, held) => {
    const checked = await check(change);
    const at = clock.now();
    if (checked.kind === 'go') {
      if (!held()) return undefined;
      const again = await changes.move(change, { kind: 'resend', at });
      return again && send(again, held);
    }
    const isSilent = checked.kind === 'silence';
    if (isSilent && !isSilentTooLong(change, at)) return wait(context, change, { silent: true });
    // A call in flight can still take effect.
    if (at < lastSentAt(change) + CALL_MS) return wait(context, change);
    return finish.failed(change, ends.notSentAgain(isSilent ? ends.SILENT : checked.end));
  });

  return async (change, held) => {
    if (!change.suspect) {
      const { run } = await context.durability.moment();
      if (mayHaveBeenSent(change, run, sendings)) return suspect(change);
    }
    const left = lastSentAt(change) + CALL_MS - clock.now();
    const isOver = left <= 0;
    if (change.retryAt === undefined && !isOver) return wait(context, change, { forMs: left });
    const reading = await reconcile(change);
    if (reading !== 'not done') return reading.change;
    if (change.suspect) return isOver ? doubt(change) : wait(context, change, { forMs: left });
    if (canBeSentAgain(context, change)) return sendAgain(change, held);
    return isOver ? finish.failed(change, ends.NOT_DONE) : wait(context, change);
  };
}

/** Only the process that claims a change sends it, and only what a fail-over of Redis would not forget. */
function createClaim(context: ChangeContext, send: Step) {
  const { changes, clock } = context;
  return async (change: Change, baseline: Baseline, held: () => boolean) => {
    const claimed = await changes.move(change, { kind: 'claim', at: clock.now(), baseline });
    if (claimed === undefined) return undefined;
    if (context.kindOf(change.order).repeatable || (await isConfirmed(context, change))) {
      return send(claimed, held);
    }
    const at = clock.now();
    return changes.move(claimed, { kind: 'unclaim', at, until: at + CHECK_AGAIN_MS });
  };
}

/**
 * Whether Redis may have lost what came after the approval, a call among it: it was started anew, or restored from a
 * backup, or this process has made a call that the record does not know.
 */
function mayHaveBeenSent(
  { id, decision, sendings }: Change,
  run: string | undefined,
  here: Sendings,
): boolean {
  return decision?.run !== run || here.of(id) > sendings;
}

type Sendings = ReturnType<typeof createSendings>;

const REMEMBERED = 1_000;

/** How often this process has sent each change, whatever Redis says. */
function createSendings() {
  const sendings = new Map<string, number>();
  return {
    of: (id: string): number => sendings.get(id) ?? 0,
    add({ id, sendings: times }: Change): void {
      sendings.delete(id);
      sendings.set(id, times);
      const [oldest = id] = sendings.keys();
      if (sendings.size > REMEMBERED) sendings.delete(oldest);
    },
  };
}

/** By the clock of this process or by that of Redis, whichever is later. @param now and `storeNow` in ms since the epoch */
function isTooOld({ decision }: Change, now: number, storeNow: number): boolean {
  if (decision === undefined) return false;
  const { at, storedAt = storeNow } = decision;
  return Math.max(now - at, storeNow - storedAt) >= APPROVED_MS;
}

function whyTooOld({ silentSince, waits }: Change): End {
  if (waits === 'replica') return ends.UNCONFIRMED;
  return silentSince === undefined ? ends.LATE : ends.SILENT;
}

async function isConfirmed(
  { durability, logger }: ChangeContext,
  { id }: Change,
): Promise<boolean> {
  try {
    if (await durability.confirmed()) return true;
    logger.warn({ change: id }, 'No replica of Redis confirmed the claim of a change');
  } catch (error) {
    logger.warn({ err: error, change: id }, 'Redis did not confirm the claim of a change');
  }
  return false;
}

/** The state says that nothing was sent, as far as that is known. */
function sinceApproval(change: Change, end: End): End {
  if (isNothingLost(change)) return end;
  return { ...end, sentence: `Nothing was sent since this approval. ${end.sentence}` };
}

type Check =
  | { readonly kind: 'go'; readonly baseline: Baseline }
  | { readonly kind: 'no'; readonly end: End }
  | { readonly kind: 'drift'; readonly end: End; readonly now: Facts }
  | { readonly kind: 'silence' };

/** Whether an approved change may be sent: people, plan and conflicts, all read afresh (ADR 13). */
function createCheck(context: ChangeContext): (change: Change) => Promise<Check> {
  const policy = createPolicy(context);
  const driftSource = createDriftSource(context);

  /**
   * Why the requester or the approver has lost the right.
   * @throws Refusal when Slack or the platform does not answer
   */
  async function peopleProblem({ order, requester, decision }: Change): Promise<End | undefined> {
    const rules = rulesOf(context, order);
    const approver = decision?.by;
    const asker = await policy.asker(requester, rules, approver === undefined);
    if (asker.refusal !== undefined) return ends.lostRight('requester', requester);
    if (approver === undefined) return undefined;
    const decider = await policy.decider(approver, rules, requester);
    return decider.refusal && ends.lostRight('approver', approver);
  }

  async function checkPlan(change: Change): Promise<Check> {
    const { conflict, plan, now, baseline } = await planNow(context, change.order);
    if (conflict === undefined && fingerprint(plan) === fingerprint(change.plan)) {
      return { kind: 'go', baseline };
    }
    const when = change.decision?.by ? 'when it was approved' : 'when it was asked for';
    const changed = conflict?.sentence ?? whatChanged(change.plan, plan, when) ?? DRIFTED;
    const isOther = !isSameFacts(change.plan.before, plan.before);
    const source = isOther ? await driftSource(change, now, conflict !== undefined) : undefined;
    const sentence = [changed, source ?? []].flat().join(' ');
    const code = conflict === undefined ? 'changed' : 'conflict';
    return { kind: 'drift', end: { code, sentence, again: conflict?.again }, now };
  }

  function silence(error: unknown, { id }: Change): Check {
    context.logger.warn(
      { err: error, change: id },
      'whether a change may be sent is not known yet',
    );
    return { kind: 'silence' };
  }

  return async (change) => {
    const off = offRefusal(context, change.order);
    if (off !== undefined) return { kind: 'no', end: { code: 'off', sentence: off } };
    try {
      const problem = await peopleProblem(change);
      if (problem !== undefined) return { kind: 'no', end: problem };
    } catch (error) {
      return silence(error, change);
    }
    try {
      return await checkPlan(change);
    } catch (error) {
      if (!isDefiniteRefusal(error)) return silence(error, change);
      return { kind: 'no', end: explained(context, change, error) };
    }
  };
}

/** Our own errors, raised before anything is sent. */
const UNSENT: ReadonlySet<PlatformReason> = new Set<PlatformReason>([
  'bad-request',
  'unauthorized',
  'forbidden',
]);

/**
 * Whether a call certainly had no effect, and another would have none either (ADR 13): 4xx except 408 and 429, and
 * calls that were refused before they were sent. Pure.
 */
export function isDefiniteRefusal(error: unknown): boolean {
  if (error instanceof Refusal) return true;
  if (!(error instanceof PlatformError)) return false;
  const { status, reason } = error;
  if (reason === 'rate-limited') return false;
  if (status === undefined) return UNSENT.has(reason);
  return status >= 400 && status < 500 && status !== 408;
}

function explained(
  { kindOf }: Pick<ChangeContext, 'kindOf'>,
  { order }: Change,
  error: unknown,
): End {
  const own = error instanceof PlatformError ? kindOf(order).explain(order, error) : undefined;
  return ends.refusedBy(error, own);
}

const DRIFTED = 'What is there now is not what was approved.';

/** The worker that claimed a call sends it within this time, or not at all (ADR 13). Milliseconds. */
const SEND_WITHIN_MS = 10_000;
const MAX_SENDINGS = 3;

/** Sends the call of a change that was just claimed, and acts on the answer (ADR 13). */
function createSend(
  context: ChangeContext,
  { finish, reconcile }: Reconciler,
  sendings: Sendings,
): Step {
  const { clock, logger, kindOf } = context;

  async function unanswered(change: Change, error: unknown): Promise<Change | undefined> {
    const isLast = !canBeSentAgain(context, change);
    const isRefusal = isDefiniteRefusal(error) || isUnsent(error) || (isLast && isLimited(error));
    const why = explained(context, change, error);
    // A refusal of the second call can mean that the first was done.
    if (isRefusal && change.sendings === 1) return finish.failed(change, why);
    const reading = await reconcile(change);
    if (reading !== 'not done') return reading.change;
    const now = clock.now();
    // The call before may still be in flight.
    const isAlone = change.sendings === 1 || now >= (change.sentAt ?? now) + CALL_MS;
    if ((isRefusal && isAlone) || (isLast && isAnswered(error))) return finish.failed(change, why);
    if (isLast && now - lastSentAt(change) >= CALL_MS) return finish.failed(change, ends.NOT_DONE);
    return wait(context, change);
  }

  return async (change, held) => {
    if (!held() || clock.now() - lastSentAt(change) > SEND_WITHIN_MS) return undefined;
    let sent: Sent;
    sendings.add(change);
    try {
      sent = await kindOf(change.order).send(context.billing(), change.order);
    } catch (error) {
      logger.warn({ err: error, change: change.id }, 'a change was sent, and not taken');
      return unanswered(change, error);
    }
    return finish.taken(change, sent);
  };
}

function canBeSentAgain(
  { kindOf }: Pick<ChangeContext, 'kindOf'>,
  { order, sendings }: Change,
): boolean {
  return kindOf(order).repeatable && sendings < MAX_SENDINGS;
}

function isLimited(error: unknown): boolean {
  return error instanceof PlatformError && error.reason === 'rate-limited';
}

function isUnsent(error: unknown): boolean {
  return error instanceof PlatformError && error.isUnsent;
}

/** Whether the platform itself failed, so that no call is in flight; a gateway cannot know that. */
function isAnswered(error: unknown): boolean {
  return error instanceof PlatformError && error.reason === 'server-error';
}

/** Retry interval while another change holds the lock of the resource. Milliseconds. */
const LOCKED_MS = 2_000;

/**
 * Changes of one resource are executed one after another: each is checked and sent after the previous one has ended, so
 * that its check sees the result (ADR 13). Waiting has no limit and is no failure.
 */
function createResourceLock(context: ChangeContext): (work: Step) => Step {
  const { withLock, changes } = context;

  /** Another call may still take effect. Should two ever have been sent, the first goes on. */
  async function isTaken(change: Change): Promise<boolean> {
    const open = await changes.open();
    return open.some(
      (other) =>
        other.id !== change.id &&
        other.state === 'executing' &&
        resourceOf(other.order) === resourceOf(change.order) &&
        isBefore(other, change),
    );
  }

  return (work) => async (change, held) => {
    const done = await withLock(`place/${resourceOf(change.order)}`, async (isLocked) => {
      if (await isTaken(change)) return undefined;
      return { change: await work(change, () => held() && isLocked()) };
    });
    return done ? done.change : wait(context, change, { forMs: LOCKED_MS });
  };
}

/** The resource by which changes exclude each other: `alert` of `alert.create`; each quota by itself. */
function resourceOf(order: ChangeInput): string {
  if (order.kind === 'quota.request') return `quota/${order.org}/${order.quotaName}`;
  return order.kind.split('.', 1).join('');
}

/** Order of sending; unsent changes come last. */
function isBefore(one: Change, other: Change): boolean {
  const [a, b] = [one.sentAt ?? Infinity, other.sentAt ?? Infinity];
  return a < b || (a === b && one.id < other.id);
}
