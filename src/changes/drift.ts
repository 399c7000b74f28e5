import type { Change, Facts, Order, Plan } from './change.ts';
import { short, timeText } from './kinds/words.ts';
import type { OfficeDeps } from './office.ts';

/** A value, and how many fields, are told of; the card shows the rest. */
const VALUE_LENGTH = 80;
const MAX_FIELDS = 4;
/** Requests that are read at once, and at most, the latest first. */
const BATCH = 100;
const MOST = 500;
/** What was shown to an approver was read at most so long before the approval, with some room. Milliseconds. */
const SEEN_MS = 60_000;
/** Nothing that was asked for longer ago can still have been carried out after that. Milliseconds. */
const LIFE_MS = 24 * 3_600_000;

/**
 * What is not as it was any more: "Amount: 400.00 USD when it was approved, 700.00 USD now." Undefined
 * where all is as it was. Pure.
 * @param when "when it was approved"
 */
export function whatChanged(was: Plan, is: Plan, when: string): string | undefined {
  const textOf = (facts: Facts, name: string): string => {
    const text = facts.find((fact) => fact.name === name)?.text;
    return text === undefined ? 'not there' : short(text, VALUE_LENGTH);
  };
  const names = [...new Set([...was.before, ...is.before].map(({ name }) => name))];
  const said = names
    .filter((name) => textOf(was.before, name) !== textOf(is.before, name))
    .slice(0, MAX_FIELDS)
    .map((name) => `${name}: ${textOf(was.before, name)} ${when}, ${textOf(is.before, name)} now`);
  if (said.length > 0) return `${said.join('; ')}.`;
  const isNew = is.consequences.filter(
    (one) => !was.consequences.includes(one) && !is.passing?.includes(one),
  );
  return isNew.length === 0 ? undefined : `What follows from it is new: ${isNew.join(' ')}`;
}

/** Which own request made things so after a plan was approved, where one did. */
export function createDriftSource({ changes }: Pick<OfficeDeps, 'changes'>) {
  /** The last request of the same thing that was carried out since. @throws when the store does not answer */
  async function lastSince(change: Change, since: number): Promise<Change | undefined> {
    const found: Change[] = [];
    for (let from = 0; from < MOST; from += BATCH) {
      const batch = await changes.list(from, BATCH);
      found.push(...batch.filter((one) => isSameThing(one, change) && endedAt(one) >= since));
      const oldest = batch.at(-1);
      if (batch.length < BATCH || (oldest && oldest.requestedAt < since - LIFE_MS)) break;
    }
    return found.toSorted((a, b) => endedAt(b) - endedAt(a))[0];
  }

  /**
   * "Request p7r4c8de of ben@acme.example changed it at …"; undefined where no request of Purser's did.
   * @param now what is there
   * @throws when the store does not answer
   */
  return async (change: Change, now: Facts): Promise<string | undefined> => {
    const approvedAt = change.decision?.at ?? change.requestedAt;
    const last = await lastSince(change, approvedAt - SEEN_MS);
    if (last === undefined || !isMadeBy(now, last)) return undefined;
    const { id, requester, outcome } = last;
    const who = requester.email === undefined ? requester.userId : short(requester.email);
    return `Request ${id} of ${who} changed it at ${timeText(outcome?.at ?? 0)}.`;
  };
}

/** When it was carried out; never for one that was not. Ms since the epoch. */
function endedAt({ state, outcome }: Change): number {
  return state === 'succeeded' && outcome !== undefined ? outcome.at : -Infinity;
}

function isSameThing(one: Change, other: Change): boolean {
  return one.id !== other.id && thingOf(one.order) === thingOf(other.order);
}

/** What is changed: `alert`, `user ada@acme.example`, `token ci`. */
function thingOf(order: Order): string {
  const [place = ''] = order.kind.split('.', 1);
  const names = [
    'email' in order ? order.email.toLowerCase() : [],
    'name' in order ? order.name : [],
    'quotaName' in order ? [order.org, order.quotaName] : [],
  ].flat();
  return JSON.stringify([place, ...names]);
}

/** Whether what is there is what was read back after that change; what was not read then does not count. */
function isMadeBy(now: Facts, { outcome, plan }: Change): boolean {
  const made = outcome?.now ?? plan.after;
  if (now.length === 0 || made.length === 0) return now.length === made.length;
  const known = now.filter(({ name }) => made.some((fact) => fact.name === name));
  return (
    known.length > 0 &&
    known.every(({ name, text }) => made.some((fact) => fact.name === name && fact.text === text))
  );
}
