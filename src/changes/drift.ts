import { DAY_MS } from '../lib/time.ts';
import { truncate } from '../lib/text.ts';
import { isDecidedLater, type ChangeInput } from './kinds/kinds.ts';
import type { Change } from './change.ts';
import { type Facts, type Plan, short, timeText } from './kinds/kind.ts';
import type { ChangeContext } from './context.ts';

/** A value, and how many fields, are told of; the card shows the rest. */
const VALUE_LENGTH = 80;
const MAX_FIELDS = 4;
/** Of a longer value, so much is told of what stands before the difference. */
const LEAD_LENGTH = 20;
/** Requests that are read at once, and at most, the latest first. */
const BATCH = 100;
const MOST = 500;
/** What was shown to an approver was read at most so long before the approval, with some room. Milliseconds. */
const SEEN_MS = 60_000;
/** Nothing that was asked for longer ago can still have been carried out after that. Milliseconds. */
const LIFE_MS = DAY_MS;

/**
 * What is not as it was any more: "Amount: $400.00 when it was approved, now $700.00."
 * Undefined where all is as it was. Pure.
 * @param when "when it was approved"
 */
export function whatChanged(was: Plan, is: Plan, when: string): string | undefined {
  const textOf = (facts: Facts, name: string): string =>
    facts.find((fact) => fact.name === name)?.text ?? 'not there';
  const names = [...new Set([...was.before, ...is.before].map(({ name }) => name))];
  const said = names
    .filter((name) => textOf(was.before, name) !== textOf(is.before, name))
    .slice(0, MAX_FIELDS)
    .map((name) => {
      const [before, now] = excerpts(textOf(was.before, name), textOf(is.before, name));
      return before === now
        ? `${name}: other spaces or line breaks now than ${when}`
        : `${name}: ${before} ${when}, now ${now}`;
    });
  if (said.length > 0) return `${said.join('; ')}.`;
  const [isNew, isGone] = [lastingOnly(is, was), lastingOnly(was, is)];
  const follows = [
    ...(isNew.length === 0 ? [] : [`What follows now, and did not ${when}:`, ...isNew]),
    ...(isGone.length === 0 ? [] : [`What followed ${when}, and does not now:`, ...isGone]),
  ];
  return follows.length === 0 ? undefined : follows.join(' ');
}

/** What follows from one plan and not from the other; what changes by itself is left out. */
function lastingOnly({ consequences, passing = [] }: Plan, other: Plan): string[] {
  return consequences.filter((one) => !other.consequences.includes(one) && !passing.includes(one));
}

/** Two texts on one line each; where one is long, the part of both in which they first differ. */
function excerpts(one: string, other: string): [string, string] {
  const texts = [one, other].map((text) => Array.from(short(text, Infinity)));
  const [a = [], b = []] = texts;
  const differs = a.findIndex((point, at) => point !== b[at]);
  const isLong = Math.max(a.length, b.length) > VALUE_LENGTH;
  const from = isLong ? Math.max(0, (differs < 0 ? a.length : differs) - LEAD_LENGTH) : 0;
  const partOf = (points: readonly string[]): string =>
    (from > 0 ? '…' : '') + truncate(points.slice(from).join(''), VALUE_LENGTH);
  return [partOf(a), partOf(b)];
}

/** Requests of the same thing that were under way since a moment. */
interface Since {
  readonly found: readonly Change[];
  /** All requests since then were looked at. */
  readonly isComplete: boolean;
}

/** Who changed things after a plan was approved: another request, or a person outside of Purser. */
export function createDriftSource({ changes }: Pick<ChangeContext, 'changes'>) {
  /** @param since ms since the epoch @throws when the store does not answer */
  async function underWay(change: Change, since: number): Promise<Since> {
    const found: Change[] = [];
    const count = await changes.count();
    let isComplete = true;
    for (let from = 0; from < count; from += BATCH) {
      if (from >= MOST) return { found, isComplete: false };
      const batch = await changes.list(from, BATCH);
      found.push(...batch.filter((one) => isSameThing(one, change) && isUnderWay(one, since)));
      // What cannot be read is left out of the list.
      isComplete &&= batch.length >= Math.min(BATCH, count - from);
      const oldest = batch.at(-1);
      if (oldest && oldest.requestedAt < since - LIFE_MS) break;
    }
    return { found, isComplete };
  }

  /**
   * "Request p7r4c8de of ben@acme.example changed it at …"; undefined when that cannot be told.
   * @param now what is there
   * @param hasConflict what is in the way may be something else, so it cannot be told who made it
   * @throws when the store does not answer
   */
  return async (change: Change, now: Facts, hasConflict: boolean): Promise<string | undefined> => {
    const approvedAt = change.decision?.at ?? change.requestedAt;
    const { found, isComplete } = await underWay(change, approvedAt - SEEN_MS);
    const [last] = found
      .filter(({ state }) => state === 'succeeded')
      .toSorted((a, b) => endedAt(b) - endedAt(a));
    if (last !== undefined && isSame(now, last.outcome?.now ?? last.plan.after)) {
      return `${requestOf(last)} changed it at ${timeText(endedAt(last))}.`;
    }
    const doubt = found.find((one) => isInDoubt(one) && isSame(now, one.plan.after));
    if (doubt !== undefined) {
      return `Perhaps ${requestOf(doubt, 'request')} did it: it asked for exactly this, and its outcome is unknown.`;
    }
    // The platform itself may have granted an earlier request.
    const canBeGranted = isDecidedLater(change.order);
    const isOutside = isComplete && found.length === 0 && !hasConflict && !canBeGranted;
    return isOutside ? OUTSIDE : undefined;
  };
}

const OUTSIDE = 'No request here changed it: somebody did so outside of Purser.';

function requestOf({ id, requester: { email, userId } }: Change, word = 'Request'): string {
  return `${word} ${id} of ${email === undefined ? userId : short(email)}`;
}

/** Whether it can have changed something since that moment: it was sent, and was not over by then. */
function isUnderWay(change: Change, since: number): boolean {
  return change.sentAt !== undefined && endedAt(change) >= since;
}

/** Whether it was sent, and it cannot be told whether it was done. */
function isInDoubt({ state, sentAt }: Change): boolean {
  return sentAt !== undefined && state !== 'succeeded' && state !== 'failed';
}

/** When it ended; one that has not may still be carried out. Ms since the epoch. */
function endedAt({ outcome }: Change): number {
  return outcome?.at ?? Infinity;
}

function isSameThing(one: Change, other: Change): boolean {
  return one.id !== other.id && thingOf(one.order) === thingOf(other.order);
}

/** What is changed: `alert`, `user ada@acme.example`, `token ci`. */
function thingOf(input: ChangeInput): string {
  const [resource = ''] = input.kind.split('.', 1);
  const names = [
    'email' in input ? input.email.toLowerCase() : [],
    'name' in input ? input.name : [],
    'quotaName' in input ? [input.org, input.quotaName] : [],
  ].flat();
  return JSON.stringify([resource, ...names]);
}

/** Whether what is there is what a request made, or was to make; what is not known of one of them does not count. */
function isSame(now: Facts, made: Facts): boolean {
  if (now.length === 0 || made.length === 0) return now.length === made.length;
  const known = now.filter(({ name }) => made.some((fact) => fact.name === name));
  return (
    known.length > 0 &&
    known.every(({ name, text }) => made.some((fact) => fact.name === name && fact.text === text))
  );
}
