import { formatDuration } from '../lib/text.ts';
import { HOUR_MS, within } from '../lib/time.ts';
import { denied, type Principal, type Why } from '../access/policy.ts';
import { Refusal } from '../lib/errors.ts';
import type { Person } from '../slack/routing/routes.ts';
import { fingerprint, planHash, type Actor, type Change, type ChangeState } from './change.ts';
import {
  actorOf,
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
import { withPassing, type Plan } from './kinds/kind.ts';
import type { AnyKind, ChangeInput, ChangeKind } from './kinds/kinds.ts';
import { REVIEW_ACTION } from './messages/plan-view.ts';
import type { ChangeEvent } from './states.ts';

export type Requested =
  | { readonly kind: 'requested'; readonly change: Change }
  | { readonly kind: 'same'; readonly change: Change };

export interface RequestService {
  /**
   * Whether this person may request this kind of change now, for those billing users; reads no current state.
   * @param isOwn for themselves, with Ask for access
   * @throws Refusal
   */
  authorize(
    person: Person,
    kind: ChangeKind,
    subjects?: readonly string[],
    isOwn?: boolean,
  ): Promise<void>;
  /** Why this person may not make another request today; undefined: they may, or Redis is away. Never throws. */
  dayLimit(person: Person): Promise<string | undefined>;
  /** A change, if this person may request it and no conflict exists; nothing is filed. @throws Refusal, PlatformError */
  consider(person: Person, input: ChangeInput): Promise<Considered>;
  /** Files a request. With APPROVALS=off it is carried out at once. @param reason for the approvers @throws Refusal */
  request(considered: Considered, reason: string): Promise<Requested>;
}

/** A request without a decision expires after this time (design section 5). Milliseconds. */
const OPEN_MS = 8 * HOUR_MS;

export function createRequestService(context: ChangeContext): RequestService {
  const { changes, clock, approvals } = context;
  const policy = createPolicy(context);

  function enabled(input: ChangeInput): AnyKind {
    const kind = context.kindOf(input);
    const refusal = offRefusal(kind, input, context);
    if (refusal !== undefined) throw new Refusal(refusal);
    return kind;
  }

  /** APPROVALS=off: submitting the modal was the confirmation. @param plan as it was read after that */
  async function confirmed(change: Change, plan: Plan): Promise<Change> {
    const { id } = change;
    const moment = await context.durability.moment();
    const event = {
      kind: 'approve',
      at: clock.now(),
      comment: '',
      plan,
      self: false,
      moment,
    } as const;
    // As it is stored: the draft has no signature.
    const stored = (await changes.get(id)) ?? change;
    const moved = (await changes.move(stored, event)) ?? (await changes.get(id));
    await enqueueOrSweep(context, id);
    return moved ?? change;
  }

  return {
    async authorize(person, kind, subjects = [], isOwn = false) {
      // Without an input yet, the name of the kind alone decides whether it is off.
      const needs = needsOf(enabled({ kind } as ChangeInput), isOwn);
      context.billing();
      await policy.requester(person, { ...needs, subjects });
    },
    async dayLimit({ userId }) {
      const counted = context.countRequests?.(userId, false).catch(() => undefined);
      const made = counted && (await within(counted, LIMIT_WAIT_MS, undefined));
      const { count = 0, leftMs = 0 } = made ?? {};
      return count >= MOST_A_DAY ? tooManyToday(leftMs) : undefined;
    },
    async consider(person, asked) {
      const kind = enabled(asked);
      const billing = context.billing();
      const who = await policy.requester(person, rulesOf(kind, asked));
      const state = await kind.read(billing, asked);
      const input = kind.resolve(state, asked);
      const { conflict, plan } = kind.plan(state, input, clock.now());
      if (conflict !== undefined) throw new Refusal(conflict.sentence);
      return { person, who, kind, input, plan };
    },
    async request(considered, reason) {
      const { person, kind, input } = considered;
      const isReviewed = needsReview(approvals, rulesOf(kind, input));
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

/** Of one person: a request is kept for 400 days. */
const MOST_A_DAY = 20;
/** Slack waits three seconds for the answer to a form. Milliseconds. */
const LIMIT_WAIT_MS = 300;

/** @throws Refusal for a person who has made too many requests */
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
  return `You have ${open} open requests, the most that one person can have: withdraw one of them, which /changes lists, or wait until one is decided.`;
}

/** A change that may be requested, from one read of the current state. */
export interface Considered {
  readonly person: Person;
  readonly who: Principal;
  readonly kind: AnyKind;
  /** Resolved. */
  readonly input: ChangeInput;
  readonly plan: Plan;
}

async function draft(
  context: ChangeContext,
  { person: { userId, teamId }, input, kind, who, plan }: Considered,
  reason: string,
): Promise<Change> {
  const { approve } = rulesOf(kind, input);
  const [dm, group, { run }] = await Promise.all([
    undefinedIfUnavailable(context.directChannel(userId)),
    approve === 'orgs' ? undefined : undefinedIfUnavailable(context.groupFor(approve.roles)),
    context.durability.moment(),
  ]);
  const requestedAt = context.clock.now();
  return {
    id: context.newId(),
    version: 1,
    order: input,
    title: kind.title(input),
    reason,
    approvers: approve === 'orgs' ? [] : [...approve.roles],
    state: 'pending',
    requester: actorOf({ userId, teamId }, who),
    requestedAt,
    expiresAt: requestedAt + OPEN_MS,
    reminders: 0,
    plan,
    channel: context.channel,
    ...(dm !== undefined && { dm }),
    ...(group !== undefined && { group }),
    ...(run !== undefined && { run }),
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
      return 'was withdrawn by the requester';
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
  /** Fresh. */
  readonly plan: Plan;
  readonly isChanged: boolean;
  /** Why it cannot be approved at the moment; it can be rejected. */
  readonly conflict?: string;
  readonly noDecision?: string;
}

/** Deciding on changes (design section 5). Every refusal is one sentence. */
export interface ReviewService {
  /**
   * The change for review, for a person who may decide, or for the requester to read.
   * @throws Refusal, PlatformError
   */
  review(person: Person, id: string): Promise<ReviewView>;
  /** Approves the plan that was shown. `shown`: planHash of that plan. @throws Refusal, PlatformError */
  approve(person: Person, id: string, shown: string): Promise<Change>;
  /** @throws Refusal, PlatformError */
  reject(person: Person, id: string, decision: { comment: string }): Promise<Change>;
  /** By the requester; once approved and as long as nothing was sent, by any approver, too. @throws Refusal */
  withdraw(person: Person, id: string): Promise<Change>;
}

export function createReviewService(context: ChangeContext): ReviewService {
  const { clock } = context;
  const pending = createPendingChanges(context);
  const { found, undecided, decided } = pending;
  const deciders = createDeciders(context);

  return {
    async review(person, id) {
      const change = await undecided(id);
      const refusal = await deciders.noDecision(person, change);
      const { order } = change;
      const [{ plan, conflict }, passing] = await Promise.all([
        planNow(context, order),
        context.kindOf(order).consequences(context.billing(), order, clock.now()),
      ]);
      const why = conflict?.sentence ?? context.off;
      return {
        change,
        plan: withPassing(plan, passing),
        isChanged: fingerprint(plan) !== fingerprint(change.plan),
        ...(why !== undefined && { conflict: why }),
        ...(refusal !== undefined && { noDecision: refusal }),
      };
    },
    approve: createApproval(context, pending, deciders),
    async reject(person, id, { comment }) {
      const change = await undecided(id);
      const by = await deciders.authorize(person, change);
      return decided(change, { kind: 'reject', at: clock.now(), by, comment });
    },
    async withdraw(person, id) {
      const change = await found(id);
      // Others reject what is pending; what was approved and not sent, any approver may stop.
      if (!isRequester(change, person)) {
        if (change.state !== 'approved') throw denied('not-theirs', NOT_YOURS);
        await deciders.authorize(person, change);
      }
      return decided(change, { kind: 'withdraw', at: clock.now(), by: person.userId });
    },
  };
}

/** Approves the plan that was shown, if it is still the plan. */
function createApproval(
  context: ChangeContext,
  { undecided, decided }: ReturnType<typeof createPendingChanges>,
  deciders: ReturnType<typeof createDeciders>,
): ReviewService['approve'] {
  const { clock } = context;
  return async (person, id, shown) => {
    const change = await undecided(id);
    const by = await deciders.authorize(person, change);
    const off = offRefusal(context.kindOf(change.order), change.order, context);
    if (off !== undefined) throw new Refusal(off);
    const [{ plan, conflict, baseline }, moment] = await Promise.all([
      planNow(context, change.order),
      context.durability.moment(),
    ]);
    if (conflict !== undefined) throw new Refusal(conflict.sentence);
    if (planHash(plan) !== shown) throw new Refusal(CHANGED_SINCE);
    if (change.run !== moment.run && !context.kindOf(change.order).repeatable) {
      throw new Refusal(MAYBE_DONE);
    }
    const { allowSelf: self } = context.approvals;
    const event = {
      kind: 'approve',
      at: clock.now(),
      by,
      comment: '',
      plan,
      baseline,
      self,
      moment,
    } as const;
    const approved = await decided(change, event);
    await enqueueOrSweep(context, id);
    return approved;
  };
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
    if (change.state === 'pending' && clock.now() < change.expiresAt) return change;
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
  const rulesFor = ({ order }: Change) => rulesOf(context.kindOf(order), order);

  /** Recorded like any other refusal, although the person sees the request. The review does not wait for it. */
  function note({ userId }: Person, about: Change, why: Why): void {
    const { logger, clock } = context;
    logger.info({ user: userId, what: REVIEW_ACTION, why }, 'A person was refused');
    const refused = { at: clock.now(), by: userId, what: REVIEW_ACTION, why, about };
    context.changes.refused(refused).catch((error: unknown) => {
      logger.warn({ err: error, user: userId }, 'A refusal was not written down');
    });
  }

  return {
    /** @throws Refusal */
    async authorize(person: Person, change: Change): Promise<Actor> {
      const { who, refusal } = await policy.decider(person, rulesFor(change), change.requester);
      if (refusal !== undefined) throw denied(refusal.why, refusal.sentence, refusal.roles);
      return actorOf(person, who);
    },
    /** Why the requester has to leave the decision to others. @throws Refusal for a person who may not even see it */
    async noDecision(person: Person, change: Change): Promise<string | undefined> {
      const rules = rulesFor(change);
      const { refusal } = await policy.decider(person, rules, change.requester);
      if (refusal === undefined) return undefined;
      if (!isRequester(change, person)) throw denied(refusal.why, refusal.sentence, refusal.roles);
      // A person without the right to request it may not see the current state either.
      const closed = await policy.refusalToRequest(person, rules, false);
      if (closed !== undefined) throw denied(closed.why, closed.sentence, closed.roles);
      note(person, change, refusal.why);
      return refusal.sentence;
    },
  };
}

const NO_SUCH_CHANGE = 'This request no longer exists: /changes lists the others.';
const MAYBE_DONE =
  'Redis was restarted or restored since this was requested, so it may have been carried out already: reject it, check whether it was done, and ask again if not.';
const CHANGED_SINCE =
  'What is there now is not what you were shown, so nothing was approved: please open Review again.';
const NOT_YOURS = 'Only the requester can withdraw a request: review it, and reject it there.';
