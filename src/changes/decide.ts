import { denied } from '../access/denial.ts';
import type { Why } from '../access/denial.ts';
import { Refusal } from '../lib/refusal.ts';
import { actorOf } from './actor.ts';
import { alreadySentence } from './already.ts';
import { fingerprint, planHash } from './change.ts';
import type { Actor, Change, Plan } from './change.ts';
import type { Sight } from './kinds/kind.ts';
import { REVIEW_ACTION } from './messages/actions.ts';
import { nudge } from './office.ts';
import type { OfficeDeps } from './office.ts';
import { createPolicy, isRequester, rulesOf, secretRefusal } from './policy.ts';
import type { ChangeEvent } from './states.ts';

interface Person {
  readonly userId: string;
  readonly teamId: string;
}

/** A change as somebody who may decide on it is shown it now. */
export interface ReviewView {
  readonly change: Change;
  /** Fresh. */
  readonly plan: Plan;
  /** It is not what was requested any more. */
  readonly isChanged: boolean;
  /** Why it cannot be approved as things are now; it can be rejected. */
  readonly conflict?: string;
  /** Why the requester, who may look at it, is shown it without a decision. */
  readonly noDecision?: string;
}

/** Deciding on changes (design section 5). Every no is a Refusal: one sentence. */
export interface Bench {
  /** What is to be decided on, for somebody who may, or for the requester to look at. @throws Refusal, PlatformError */
  review(person: Person, id: string): Promise<ReviewView>;
  /** Approves what the person was shown. `shown`: planHash of that plan. @throws Refusal, PlatformError */
  approve(
    person: Person,
    id: string,
    decision: { comment: string; shown: string },
  ): Promise<Change>;
  /** @throws Refusal, PlatformError */
  reject(person: Person, id: string, decision: { comment: string }): Promise<Change>;
  /** By the requester alone. @throws Refusal */
  withdraw(person: Person, id: string): Promise<Change>;
}

export function createBench(deps: OfficeDeps): Bench {
  const { clock } = deps;
  const { found, undecided, decided } = createPendingChanges(deps);
  const deciders = createDeciders(deps);

  function look({ order }: Change): Promise<Sight> {
    return deps.kindOf(order).look(deps.platform(), order);
  }

  return {
    async review(person, id) {
      const change = await undecided(id);
      const refusal = await deciders.noDecision(person, change);
      const { plan, conflict } = await look(change);
      return {
        change,
        plan,
        isChanged: fingerprint(plan) !== fingerprint(change.plan),
        ...(conflict !== undefined && { conflict }),
        ...(refusal !== undefined && { noDecision: refusal }),
      };
    },
    async approve(person, id, { comment, shown }) {
      const change = await undecided(id);
      const by = await deciders.admit(person, change);
      const off = secretRefusal(deps.kindOf(change.order), change.order, deps);
      if (off !== undefined) throw new Refusal(off);
      const { plan, conflict } = await look(change);
      if (conflict !== undefined) throw new Refusal(conflict);
      if (planHash(plan) !== shown) throw new Refusal(CHANGED_SINCE);
      const { allowSelf: self } = deps.approvals;
      const at = clock.now();
      const approved = await decided(change, { kind: 'approve', at, by, comment, plan, self });
      await nudge(deps, id);
      return approved;
    },
    async reject(person, id, { comment }) {
      const change = await undecided(id);
      const by = await deciders.admit(person, change);
      return decided(change, { kind: 'reject', at: clock.now(), by, comment });
    },
    async withdraw(person, id) {
      const change = await found(id);
      if (!isRequester(change, person)) throw denied('not-theirs', NOT_YOURS);
      return decided(await undecided(id), { kind: 'withdraw', at: clock.now() });
    },
  };
}

/** Changes that wait for a decision. */
function createPendingChanges({ changes, clock }: OfficeDeps) {
  /** @throws Refusal */
  async function found(id: string): Promise<Change> {
    const change = await changes.get(id);
    if (change === undefined) throw new Refusal(NO_SUCH_CHANGE);
    return change;
  }

  /** @throws Refusal when it is decided, or too late */
  async function undecided(id: string): Promise<Change> {
    const change = await found(id);
    if (change.state === 'pending' && clock.now() < change.expiresAt) return change;
    throw new Refusal(alreadySentence(change));
  }

  /** Whoever loses the race reads again; a reminder in between decides nothing. @throws Refusal */
  async function decided(change: Change, event: ChangeEvent): Promise<Change> {
    for (let current = change; ;) {
      const moved = await changes.move(current, event);
      if (moved !== undefined) return moved;
      const { version } = current;
      current = await undecided(change.id);
      if (current.version === version) throw new Refusal(alreadySentence(current));
    }
  }

  return { found, undecided, decided };
}

/** Who may decide. */
function createDeciders(deps: OfficeDeps) {
  const policy = createPolicy(deps);
  const rulesFor = ({ order }: Change) => rulesOf(deps.kindOf(order), order);

  /** As of any other refusal, though the person sees the request. Nobody waits for the audit. */
  function note({ userId }: Person, about: Change, why: Why): void {
    const { logger, clock } = deps;
    logger.info({ user: userId, what: REVIEW_ACTION, why }, 'A person was refused');
    const refused = { at: clock.now(), by: userId, what: REVIEW_ACTION, why, about };
    deps.changes.refused(refused).catch((error: unknown) => {
      logger.warn({ err: error, user: userId }, 'A refusal was not written down');
    });
  }

  return {
    /** @throws Refusal */
    async admit(person: Person, change: Change): Promise<Actor> {
      const { who, refusal } = await policy.decider(person, rulesFor(change), change.requester);
      if (refusal !== undefined) throw denied(refusal.why, refusal.sentence);
      return actorOf(person, who);
    },
    /** Why the requester has to leave the decision to others. @throws Refusal for who may not even look */
    async noDecision(person: Person, change: Change): Promise<string | undefined> {
      const rules = rulesFor(change);
      const { refusal } = await policy.decider(person, rules, change.requester);
      if (refusal === undefined) return undefined;
      if (!isRequester(change, person)) throw denied(refusal.why, refusal.sentence);
      // Whoever may not ask for it any more is not told either what is there now.
      const closed = await policy.refusalToRequest(person, rules, false);
      if (closed !== undefined) throw denied(closed.why, closed.sentence);
      note(person, change, refusal.why);
      return refusal.sentence;
    },
  };
}

const NO_SUCH_CHANGE = 'There is no such change any more: /changes shows those that there are.';
const CHANGED_SINCE =
  'What is there now is not what you were shown, so nothing was approved: please open Review again.';
const NOT_YOURS = 'Only the requester can withdraw a request: review it, and reject it there.';
