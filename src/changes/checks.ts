import { Refusal } from '../lib/refusal.ts';
import { PlatformError } from '../platform/errors.ts';
import type { PlatformReason } from '../platform/errors.ts';
import { fingerprint } from './change.ts';
import type { Actor, Change, Facts, Marks } from './change.ts';
import { createDriftSource, whatChanged } from './drift.ts';
import type { OfficeDeps } from './office.ts';
import { createPolicy, rulesOf, secretRefusal } from './policy.ts';

/** Whether an approved change may be sent now. */
type Check =
  | { readonly kind: 'go'; readonly marks: Marks }
  /** A definite no; the sentence says why. */
  | { readonly kind: 'no'; readonly sentence: string }
  /** What is there is not what was approved; the sentence says why. */
  | { readonly kind: 'drift'; readonly sentence: string; readonly now: Facts }
  /** Slack or the platform does not say. */
  | { readonly kind: 'silence' };

/** Whether an approved change may be sent: people, plan and conflicts, all read afresh (ADR 13). */
export function createCheck(deps: OfficeDeps): (change: Change) => Promise<Check> {
  const policy = createPolicy(deps);
  const driftSource = createDriftSource(deps);

  /** Why one of the two may not any more. @throws what `standing` throws */
  async function peopleProblem({
    order,
    requester,
    decision,
  }: Change): Promise<string | undefined> {
    const rules = rulesOf(deps.kindOf(order), order);
    const approver = decision?.by;
    const refusal = await policy.refusalToRequest(requester, rules, approver === undefined);
    if (refusal !== undefined) return lostSentence('requester', requester, 'ask for it');
    if (approver === undefined) return undefined;
    const { refusal: revoked } = await policy.decider(approver, rules, requester);
    return revoked && lostSentence('approver', approver, 'approve it');
  }

  async function seen(change: Change): Promise<Check> {
    const kind = deps.kindOf(change.order);
    const { conflict, plan, now, marks } = await kind.look(deps.platform(), change.order);
    if (conflict === undefined && fingerprint(plan) === fingerprint(change.plan)) {
      return { kind: 'go', marks };
    }
    const when = change.decision?.by ? 'when it was approved' : 'when it was asked for';
    const changed = conflict ?? [DRIFTED, whatChanged(change.plan, plan, when) ?? []].flat();
    const isOther = !isSameFacts(change.plan.before, plan.before);
    const source = isOther ? await driftSource(change, now, conflict !== undefined) : undefined;
    const sentence = [changed, source ?? []].flat().join(' ');
    return { kind: 'drift', sentence, now };
  }

  function silence(error: unknown, { id }: Change): Check {
    deps.logger.warn({ err: error, change: id }, 'whether a change may be sent is not known yet');
    return { kind: 'silence' };
  }

  return async (change) => {
    const off = secretRefusal(deps.kindOf(change.order), change.order, deps);
    if (off !== undefined) return { kind: 'no', sentence: off };
    try {
      const problem = await peopleProblem(change);
      if (problem !== undefined) return { kind: 'no', sentence: problem };
    } catch (error) {
      return silence(error, change);
    }
    try {
      return await seen(change);
    } catch (error) {
      if (!isDefiniteNo(error)) return silence(error, change);
      return { kind: 'no', sentence: explained(deps, change, error) };
    }
  };
}

/** The card is read by others: what policy says to the person would address the wrong one. */
function lostSentence(part: string, { email }: Actor, what: string): string {
  const who = email === undefined ? `The ${part}` : `The ${part}, ${email},`;
  return `${who} may not ${what} any more, since a role, an account, an e-mail address or a setting has changed: ask for it again.`;
}

/** Of our own: they are said before anything is sent. */
const UNSENT: ReadonlySet<PlatformReason> = new Set<PlatformReason>([
  'bad-request',
  'unauthorized',
  'forbidden',
]);

/**
 * Whether a call certainly had no effect, and another would have none either (ADR 13): a 4xx, 408 and 429
 * aside, and what was refused before it was sent. Pure.
 */
export function isDefiniteNo(error: unknown): boolean {
  if (error instanceof Refusal) return true;
  if (!(error instanceof PlatformError)) return false;
  const { status, reason } = error;
  if (reason === 'rate-limited') return false;
  if (status === undefined) return UNSENT.has(reason);
  return status >= 400 && status < 500 && status !== 408;
}

/** What a no of the platform means for this change, with the next step. */
export function explained(
  { kindOf, explain }: Pick<OfficeDeps, 'kindOf' | 'explain'>,
  { order }: Change,
  error: unknown,
): string {
  if (error instanceof Refusal) return error.message;
  const own = error instanceof PlatformError ? kindOf(order).explain(order, error) : undefined;
  return own ?? explain(error) ?? UNEXPLAINED;
}

function isSameFacts(one: Facts, other: Facts): boolean {
  const plan = { after: [], consequences: [] };
  return (
    fingerprint({ ...plan, before: [...one] }) === fingerprint({ ...plan, before: [...other] })
  );
}

const DRIFTED = 'What is there now is not what was approved.';
const UNEXPLAINED = 'The platform’s answer cannot be understood.';
