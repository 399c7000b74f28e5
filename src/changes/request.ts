import { formatDuration } from '../lib/text.ts';
import { HOUR_MS, within } from '../lib/time.ts';
import { denied, type Principal, type Why } from '../access/policy.ts';
import { Refusal } from '../lib/errors.ts';
import { record } from '../metrics.ts';
import type { Person } from '../slack/routing/routes.ts';
import {
  fingerprint,
  planHash,
  stateAt,
  type Actor,
  type Change,
  type ChangeState,
} from './change.ts';
import {
  actorOf,
  allowed,
  createPolicy,
  enqueueOrSweep,
  isRequester,
  needsOf,
  needsReview,
  planNow,
  rulesOf,
  offRefusal,
  type ChangeContext,
} from './context.ts';
import { UNVERIFIED } from './ends.ts';
import { type Conflict, type Plan, withPassing } from './kinds/kind.ts';
import { type AnyKind, type ChangeInput, type ChangeKind, isDeletion } from './kinds/kinds.ts';
import { REVIEW_ACTION } from './messages/plan-view.ts';
import type { ChangeEvent } from './states.ts';
import { MAX_OPEN } from './store.ts';

/** `same`: an equal request was open already. */
export interface Requested {
  readonly kind: 'requested' | 'same';
  readonly change: Change;
}

export type RequestService = ReturnType<typeof createRequestService>;

/** A request without a decision expires after this time (design section 5). Milliseconds. */
const OPEN_MS = 8 * HOUR_MS;

export function createRequestService(context: ChangeContext) {
  const { changes, clock, approvals } = context;
  const policy = createPolicy(context);

  function enabled(input: ChangeInput): AnyKind {
    requireOn(context, input);
    return context.kindOf(input);
  }

  /** APPROVALS=off: submitting the modal was the confirmation. @param plan as it was read after that */
  async function confirmed(change: Change, plan: Plan): Promise<Change> {
    const { id } = change;
    const moment = await context.durability.moment();
    requireSameRun(context, change, moment.run);
    const at = clock.now();
    const event = { kind: 'approve', at, comment: '', plan, self: false, moment } as const;
    // As it is stored: the draft has no signature.
    const stored = (await changes.get(id)) ?? change;
    const moved = (await changes.move(stored, event)) ?? (await changes.get(id));
    await enqueueOrSweep(context, id);
    return moved ?? change;
  }

  return {
    /**
     * Whether this person may request this kind of change now, for those billing users; reads no current state.
     * @param isOwn for themselves, with Ask for access
     * @throws Refusal
     */
    async authorize(
      person: Person,
      kind: ChangeKind,
      subjects: readonly string[] = [],
      isOwn = false,
    ): Promise<void> {
      // Without an input yet, the name of the kind alone decides whether it is off.
      const needs = needsOf(enabled({ kind } as ChangeInput), isOwn);
      context.billing();
      allowed(await policy.asker(person, { ...needs, subjects }));
    },
    /** Why this person may not make another request now; undefined: they may, or Redis is away. Never throws. */
    limit: (person: Person) => limitOf(context, person),
    /** A change, if this person may request it and no conflict exists; nothing is filed. @throws Refusal, PlatformError */
    async consider(person: Person, asked: ChangeInput): Promise<Considered> {
      const kind = enabled(asked);
      const billing = context.billing();
      const who = allowed(await policy.asker(person, rulesOf(context, asked)));
      const state = await kind.read(billing, asked);
      const input = kind.resolve(state, asked);
      const { conflict, plan } = kind.plan(state, input, clock.now());
      if (conflict !== undefined) throw new Refusal(conflict.sentence);
      return { person, who, kind, input, plan };
    },
    /** Files a request. With APPROVALS=off it is carried out at once. @param reason for the approvers @throws Refusal */
    async request(considered: Considered, reason: string): Promise<Requested> {
      const { person, input } = considered;
      const isReviewed = needsReview(approvals, rulesOf(context, input));
      await requireShare(context, person);
      const change = await draft(context, considered, reason);
      const created = await changes.create(change);
      if ('full' in created) throw new Refusal(tooMany(created.full));
      if ('same' in created) {
        const { same } = created;
        // A crash between filing and confirming it: the same request again resumes it.
        const isCutOff = !isReviewed && same.state === 'pending' && isRequester(same, person);
        if (!isCutOff) return { kind: 'same', change: same };
        return { kind: 'requested', change: await confirmed(same, change.plan) };
      }
      if (isReviewed) return { kind: 'requested', change };
      return { kind: 'requested', change: await confirmed(change, change.plan) };
    },
  };
}

function requireOn(context: ChangeContext, input: ChangeInput, before = ''): void {
  const refusal = offRefusal(context, input);
  if (refusal !== undefined) throw new Refusal(`${before}${refusal}`);
}

/** Of one person: a request is kept for 400 days. */
const MOST_A_DAY = 20;
/** Slack waits three seconds for the answer to a form. Milliseconds. */
const LIMIT_WAIT_MS = 300;

async function limitOf(context: ChangeContext, person: Person): Promise<string | undefined> {
  const limits = Promise.all([dayLimit(context, person), openLimit(context, person)]);
  const [ofDay, ofOpen] = await within(limits, LIMIT_WAIT_MS, [undefined, undefined]);
  return ofDay ?? ofOpen;
}

async function dayLimit(
  { countRequests }: Pick<ChangeContext, 'countRequests'>,
  { userId }: Person,
): Promise<string | undefined> {
  const made = await countRequests?.(userId, false).catch(() => undefined);
  const { count = 0, leftMs = 0 } = made ?? {};
  return count >= MOST_A_DAY ? tooManyToday(leftMs) : undefined;
}

async function openLimit({ changes }: ChangeContext, person: Person): Promise<string | undefined> {
  const open = await changes.open().catch(() => []);
  const count = open.filter((change) => isRequester(change, person)).length;
  return count >= MAX_OPEN ? tooMany(count) : undefined;
}

async function requireShare(
  { countRequests }: Pick<ChangeContext, 'countRequests'>,
  { userId }: Person,
): Promise<void> {
  const { count = 0, leftMs = 0 } = (await countRequests?.(userId, true)) ?? {};
  if (count > MOST_A_DAY) throw new Refusal(tooManyToday(leftMs));
}

function tooManyToday(leftMs: number): string {
  return `You have made ${MOST_A_DAY} requests, the most that one person can make in a day: go on in ${formatDuration(leftMs)}.`;
}

function tooMany(open: number): string {
  return `You have ${open} open requests, the most that one person can have: withdraw one, which /changes lists, or wait until one is decided.`;
}

/** A change that may be requested, from one read of the current state. */
export interface Considered {
  readonly person: Person;
  readonly who: Principal;
  readonly kind: AnyKind;
  readonly input: ChangeInput;
  readonly plan: Plan;
}

async function draft(
  context: ChangeContext,
  { person: { userId, teamId }, input, kind, who, plan }: Considered,
  reason: string,
): Promise<Change> {
  const { roles } = kind.needs.approve;
  const [dm, group, { run }] = await Promise.all([
    undefinedIfUnavailable(context.directChannel(userId)),
    undefinedIfUnavailable(context.groupFor(roles)),
    context.durability.moment(),
  ]);
  const requestedAt = context.clock.now();
  return {
    id: context.newId(),
    version: 1,
    order: input,
    title: kind.title(input),
    reason,
    approvers: [...roles],
    state: 'pending',
    requester: actorOf({ userId, teamId }, who),
    requestedAt,
    expiresAt: requestedAt + OPEN_MS,
    reminders: 0,
    plan,
    channel: context.channel,
    dm,
    group,
    run,
    sendings: 0,
  };
}

/** An optional part: the request works without it when Slack does not answer. */
function undefinedIfUnavailable<T>(asked: Promise<T | undefined>): Promise<T | undefined> {
  return asked.catch(() => undefined);
}

/** Why the change can no longer be decided, with the decision and its author. Pure. */
function alreadySentence({ state, decision }: Change): string {
  const by = decision?.by?.email === undefined ? '' : ` by ${decision.by.email}`;
  return `This request ${wordsOf(state, by)}: see Details on its card.`;
}

function wordsOf(state: ChangeState, by: string): string {
  switch (state) {
    case 'withdrawn':
      return 'was withdrawn';
    case 'pending':
    case 'expired':
      return 'has expired, and can be requested again';
    case 'rejected':
      return `was rejected already${by}`;
    case 'approved':
      return `was approved already${by} and is about to be carried out`;
    case 'executing':
      return `was approved already${by} and is being carried out`;
    case 'succeeded':
      return `was approved already${by} and was carried out`;
    case 'failed':
      return `was approved already${by} and has failed`;
    case 'unknown':
      return `was approved already${by}, and may or may not have been carried out`;
    case 'drifted':
      return `was approved already${by} and was not carried out, because things had changed`;
    case 'refused':
      return `was approved already${by} and was refused before it was sent`;
  }
}

export interface ReviewView {
  readonly change: Change;
  readonly plan: Plan;
  readonly isChanged: boolean;
  /** Why it cannot be approved at the moment; it can be rejected. */
  readonly conflict?: string | undefined;
  readonly noDecision?: string | undefined;
}

export type ReviewService = ReturnType<typeof createReviewService>;

/** Deciding on changes (design section 5). Every refusal is one sentence. */
export function createReviewService(context: ChangeContext) {
  const { clock } = context;
  const pending = createPendingChanges(context);
  const { found, undecided, decided } = pending;
  const deciders = createDeciders(context);

  return {
    /** The change for review, for a person with the right to decide, or for the requester to read. @throws Refusal, PlatformError */
    async review(person: Person, id: string): Promise<ReviewView> {
      const change = await undecided(id);
      const refusal = await deciders.noDecision(person, change);
      const { order } = change;
      const kind = context.kindOf(order);
      const billing = context.billing();
      const state = await kind.read(billing, order);
      const { plan, conflict } = kind.plan(state, order, clock.now());
      const isPossible = conflict === undefined;
      const passing = isPossible ? await kind.consequences(billing, state, order, clock.now()) : [];
      // The requester reads their own next step.
      const isDecider = refusal === undefined;
      const advice = isDecider ? conflict && rejectFor(conflict, order) : conflict?.sentence;
      const why = conflict === undefined ? offRefusal(context, order) : advice;
      return {
        change,
        plan: withPassing(plan, passing),
        isChanged: fingerprint(plan) !== fingerprint(change.plan),
        conflict: why,
        noDecision: refusal,
      };
    },
    approve: createApproval(context, pending, deciders),
    /** @throws Refusal, PlatformError */
    async reject(person: Person, id: string, { comment }: { comment: string }): Promise<Change> {
      const change = await undecided(id);
      const by = await deciders.authorize(person, change);
      return decided(change, { kind: 'reject', at: clock.now(), by, comment });
    },
    /** By the requester; once approved and as long as nothing was sent, by any approver, too. @throws Refusal */
    async withdraw(person: Person, id: string): Promise<Change> {
      const change = await found(id);
      // Others reject pending requests; any approver may stop an approved one that is not sent.
      if (!isRequester(change, person)) {
        if (change.state === 'pending') throw denied('not-theirs', NOT_YOURS);
        await deciders.authorize(person, change);
      }
      return decided(change, { kind: 'withdraw', at: clock.now(), by: person.userId });
    },
  };
}

function createApproval(
  context: ChangeContext,
  { undecided, decided }: ReturnType<typeof createPendingChanges>,
  deciders: ReturnType<typeof createDeciders>,
) {
  const { clock } = context;
  /** Approves the plan that was shown, if it is still the plan. @param shown its planHash @throws Refusal, PlatformError */
  return async (person: Person, id: string, shown: string): Promise<Change> => {
    const change = await undecided(id);
    const by = await deciders.authorize(person, change);
    requireOn(context, change.order, 'Nothing was approved. ');
    const [{ plan, conflict, baseline }, moment] = await Promise.all([
      planNow(context, change.order),
      context.durability.moment(),
    ]);
    if (conflict !== undefined) {
      throw new Refusal(`Nothing was approved. ${rejectFor(conflict, change.order)}`);
    }
    if (planHash(plan) !== shown) throw new Refusal(CHANGED_SINCE);
    requireSameRun(context, change, moment.run);
    const approved = await decided(change, {
      kind: 'approve',
      at: clock.now(),
      by,
      comment: '',
      plan,
      baseline,
      self: context.approvals.allowSelf,
      moment,
    });
    await enqueueOrSweep(context, id);
    return approved;
  };
}

/** On another run of Redis a request may be older than its own execution. @throws Refusal */
function requireSameRun(
  { kindOf }: ChangeContext,
  { run, order }: Change,
  now: string | undefined,
): void {
  if (run !== now && !kindOf(order).repeatable) throw new Refusal(MAYBE_DONE);
}

function createPendingChanges({ changes, clock }: ChangeContext) {
  /** @throws Refusal */
  async function found(id: string): Promise<Change> {
    const change = await changes.get(id);
    if (change === undefined) throw new Refusal(NO_SUCH_CHANGE);
    if (!changes.isGenuine(change)) throw new Refusal(UNVERIFIED.sentence);
    return change;
  }

  /** @throws Refusal when it is decided, or too late */
  async function undecided(id: string): Promise<Change> {
    const change = await found(id);
    if (stateAt(change, clock.now()) === 'pending') return change;
    throw new Refusal(alreadySentence(change));
  }

  /** The loser of a race reads again; a reminder or a wait in between is no decision. @throws Refusal */
  async function decided(change: Change, event: ChangeEvent): Promise<Change> {
    for (let current = change; ;) {
      const moved = await changes.move(current, event);
      if (moved !== undefined) return moved;
      const { version, state } = current;
      current = await found(change.id);
      const isSame = current.state === state && current.version !== version;
      if (!isSame) throw new Refusal(alreadySentence(current));
    }
  }

  return { found, undecided, decided };
}

function createDeciders(context: ChangeContext) {
  const policy = createPolicy(context);
  const judged = (person: Person, { order, requester }: Change) =>
    policy.decider(person, rulesOf(context, order), requester);

  /** Recorded like any other refusal, although the person sees the request. The review does not wait for it. */
  function note({ userId }: Person, about: Change, why: Why): void {
    const { logger, clock } = context;
    record.refusals.inc({ why });
    logger.info({ user: userId, what: REVIEW_ACTION, why }, 'A person was refused');
    const refused = { at: clock.now(), by: userId, what: REVIEW_ACTION, why, about };
    context.changes.refused(refused).catch((error: unknown) => {
      logger.warn({ err: error, user: userId }, 'A refusal was not written down');
    });
  }

  return {
    /** @throws Refusal */
    async authorize(person: Person, change: Change): Promise<Actor> {
      return actorOf(person, allowed(await judged(person, change)));
    },
    /** Why the requester has to leave the decision to others. @throws Refusal for a person without the right to see it */
    async noDecision(person: Person, change: Change): Promise<string | undefined> {
      const decision = await judged(person, change);
      const { refusal } = decision;
      if (refusal === undefined) return undefined;
      if (!isRequester(change, person)) allowed(decision);
      // A person without the right to request it may not see the current state either.
      allowed(await policy.asker(person, rulesOf(context, change.order), false));
      note(person, change, refusal.why);
      return refusal.sentence;
    },
  };
}

function rejectFor({ what, again }: Conflict, order: Change['order']): string {
  const isPointless = isDeletion(order) && again !== true;
  return `${what}: reject it${isPointless ? '' : ', and its requester can ask again'}.`;
}

const NO_SUCH_CHANGE = 'This request no longer exists: /changes lists the others.';
const MAYBE_DONE =
  'Redis was restarted or restored since this was requested, so it may have been carried out already: reject or withdraw it, check whether it was done, and ask again if not.';
const CHANGED_SINCE =
  'What is there now is not what you were shown, so nothing was approved: please open Review again.';
const NOT_YOURS = 'Only the requester can withdraw a request: review it, and reject it there.';
