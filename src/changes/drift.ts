import { DAY_MS } from '../lib/time.ts';
import { truncate, withoutStop } from '../lib/text.ts';
import { isDecidedLater, type ChangeInput } from './kinds/kinds.ts';
import type { Change } from './change.ts';
import { changedFacts, type Facts, type Plan, short, timeText } from './kinds/kind.ts';
import type { ChangeContext } from './context.ts';

/** Limits of the sentence: characters of a value, and fields. The card shows the rest. */
const VALUE_LENGTH = 80;
const MAX_FIELDS = 4;
/** Characters shown before the first difference in a longer value. */
const LEAD_LENGTH = 20;
/** Requests read at once, and in all, the latest first. */
const BATCH = 100;
const MOST = 500;
/** The approver's view was read at most this long before the approval, with some room. Milliseconds. */
const SEEN_MS = 60_000;
/** A request older than this cannot have been carried out since. Milliseconds. */
const LIFE_MS = DAY_MS;

/**
 * The differences: "Amount: $400.00 when it was approved, now $700.00." Undefined without any. Pure.
 * @param when "when it was approved"
 */
export function whatChanged(was: Plan, is: Plan, when: string): string | undefined {
  const differences = changedFacts(was.before, is.before)
    .filter(({ name }) => is.passing?.includes(name) !== true)
    .slice(0, MAX_FIELDS)
    .map(({ name, from = 'not there', to = 'not there' }) => {
      const [before, now] = excerpts(from, to);
      return before === now
        ? `${name}: other spaces or line breaks now than ${when}`
        : `${name}: ${before} ${when}, now ${now}`;
    });
  if (differences.length > 0) return `${differences.join('; ')}.`;
  const [isNew, isGone] = [lastingOnly(is, was), lastingOnly(was, is)];
  const follows = [
    ...(isNew.length === 0 ? [] : [`New, not there ${when}: ${quotedAll(isNew)}.`]),
    ...(isGone.length === 0 ? [] : [`No longer true: ${quotedAll(isGone)}.`]),
  ];
  return follows.length === 0 ? undefined : follows.join(' ');
}

function quotedAll(sentences: readonly string[]): string {
  return sentences.map((one) => `“${withoutStop(one)}”`).join(', ');
}

/** Consequences of one plan that the other lacks, without those that change by themselves. */
function lastingOnly({ consequences, passing = [] }: Plan, other: Plan): string[] {
  return consequences.filter((one) => !other.consequences.includes(one) && !passing.includes(one));
}

/** Two texts on one line each; a long text is cut to the part in which both first differ. */
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

interface Since {
  readonly found: readonly Change[];
  readonly isComplete: boolean;
}

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
      // Unreadable requests are missing from the list.
      isComplete &&= batch.length >= Math.min(BATCH, count - from);
      const oldest = batch.at(-1);
      if (oldest && oldest.requestedAt < since - LIFE_MS) break;
    }
    return { found, isComplete };
  }

  /**
   * "Request p7r4c8de of ben@acme.example changed it …"; undefined when the author is uncertain.
   * @param now the current facts
   * @param hasConflict the conflict may have another cause, so its author is uncertain
   * @throws when the store does not answer
   */
  return async (change: Change, now: Facts, hasConflict: boolean): Promise<string | undefined> => {
    const approvedAt = change.decision?.at ?? change.requestedAt;
    const { found, isComplete } = await underWay(change, approvedAt - SEEN_MS);
    const [last] = found
      .filter(({ state }) => state === 'succeeded')
      .toSorted((a, b) => endedAt(b) - endedAt(a));
    if (last !== undefined && isSame(now, last.outcome?.now ?? last.plan.after)) {
      return `${requestOf(last)} changed it ${timeText(endedAt(last))}.`;
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

const OUTSIDE = 'It was changed outside of Purser.';

function requestOf({ id, requester: { email, userId } }: Change, word = 'Request'): string {
  return `${word} ${id} of ${email === undefined ? userId : short(email)}`;
}

/** Whether it can have changed something since that moment: it was sent, and had not ended by then. */
function isUnderWay(change: Change, since: number): boolean {
  return change.sentAt !== undefined && endedAt(change) >= since;
}

function isInDoubt({ state, sentAt }: Change): boolean {
  return sentAt !== undefined && state !== 'succeeded' && state !== 'failed';
}

/** Ms since the epoch. A change that has not ended may still be carried out. */
function endedAt({ outcome }: Change): number {
  return outcome?.at ?? Infinity;
}

function isSameThing(one: Change, other: Change): boolean {
  return one.id !== other.id && thingOf(one.order) === thingOf(other.order);
}

/** The changed thing: `alert`, `user ada@acme.example`, `token ci`. */
function thingOf(input: ChangeInput): string {
  const [resource = ''] = input.kind.split('.', 1);
  const names = [
    'email' in input ? input.email.toLowerCase() : [],
    'name' in input ? input.name : [],
    'quotaName' in input ? [input.org, input.quotaName] : [],
  ].flat();
  return JSON.stringify([resource, ...names]);
}

/** Whether the current facts match those of a request; facts that one side lacks do not count. */
function isSame(now: Facts, made: Facts): boolean {
  if (now.length === 0 || made.length === 0) return now.length === made.length;
  const known = now.filter(({ name }) => made.some((fact) => fact.name === name));
  return (
    known.length > 0 &&
    known.every(({ name, text }) => made.some((fact) => fact.name === name && fact.text === text))
  );
}
