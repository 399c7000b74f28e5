import { BigNumber } from 'bignumber.js';
import { z } from 'zod';
import type { Change } from '../../changes/change.ts';
import { lastSentAt } from '../../changes/states.ts';
import { type Fact, known } from '../../monitors/monitor.ts';
import type { Alert } from '../../platform/billing/alert.ts';
import { resolveRange } from '../../reporting/range.ts';
import { isSavedAfterFiring, type Spend } from '../../reporting/spend.ts';

/** The alert as the last run read it; fields the platform omits are absent. Times in ms since the epoch. */
const Seen = z.object({
  /** A decimal number of whole units. */
  amount: z.string().optional(),
  enabled: z.boolean().optional(),
  lastTriggered: z.number().optional(),
  alertedTimes: z.number().optional(),
  lastModified: z.number().optional(),
});
type Seen = z.infer<typeof Seen>;

const Month = z.object({
  /** UTC: "2026-10". */
  month: z.string(),
  /** The highest step reached this month with this amount; 0: none. */
  step: z.number(),
  /** Notices posted this month, counted by the last part of their key. */
  reported: z.record(z.string(), z.number()),
});

export const AlertMemory = Month.extend({
  /** Absent: there was no alert. */
  alert: Seen.optional(),
  /** The latest known firing; 0: none. Kept when the platform no longer reports it. */
  firedAt: z.number(),
  /** When the platform was read; ms since the epoch. */
  at: z.number().optional(),
  /** The last change through Purser that explained the current settings, as `sendingOf` names it. */
  own: z.string().optional(),
  /** The month before. `amount`: of the alert at its end, until the month was read as a whole once. */
  last: Month.extend({ amount: z.string().optional() }).optional(),
});
export type AlertMemory = z.infer<typeof AlertMemory>;

export interface Settings {
  readonly amount: BigNumber | undefined;
  readonly enabled: boolean | undefined;
}

export interface AlertNotice {
  readonly kind: 'step' | 'fired' | 'armed' | 'changed';
  /** After `alert/`: "2026-10/75", "2026-10/changed/2". */
  readonly key: string;
  /** Keys of the notices that this one includes. */
  readonly covers: readonly string[];
  /** The month that it is about has ended. */
  readonly isPast: boolean;
  /** At the last run; undefined: there was no alert. */
  readonly was: Settings | undefined;
}

export interface AlertFacts {
  /** Ms since the epoch. */
  readonly now: number;
  readonly alert: Alert | undefined;
  readonly spend: Fact<Spend>;
  /** The month before, as a whole; undefined: not asked for (`endedMonth`). */
  readonly ended: Fact<Spend> | undefined;
  /** Per cent of the amount, ascending (PACE_STEPS). */
  readonly steps: readonly number[];
  /** The changes of the alert that Purser sent last, one of each kind. */
  readonly sent: readonly Change[];
}

/**
 * Due notices about the alert, each once a month (design section 4). The first run posts the current step and adopts
 * all else silently. Of several steps crossed at once, only the highest is posted; a revision that lowers the sum
 * retracts none. After the amount changes, a step is posted at once only if it is higher than those already posted this
 * month. A step that was crossed after the last run of a month is posted by the first one that can read that month as a
 * whole. Pure.
 */
export function alertNotices(
  before: AlertMemory | undefined,
  facts: AlertFacts,
): { memory: AlertMemory; notices: AlertNotice[] } {
  const now = facts.alert && seenOf(facts.alert);
  const month = monthOf(facts.now);
  const isSameMonth = before?.month === month;
  const isSameAmount = before?.alert?.amount === now?.amount;
  const isChanged = differs(before?.alert, now);
  const own = isChanged ? ownSending(before, facts) : undefined;
  const last = lastMonth(before, facts);
  const reached = stepOf(now, known(facts.spend), facts.steps);
  const reachedBefore = isSameMonth && isSameAmount ? before.step : 0;
  const memory: AlertMemory = {
    month,
    alert: now,
    firedAt: Math.max(before?.firedAt ?? 0, now?.lastTriggered ?? 0),
    step: Math.max(reachedBefore, reached),
    reported: isSameMonth ? { ...before.reported } : {},
    at: facts.now,
    own: own ?? before?.own,
    last: last.memory,
  };
  // With another amount, only a step higher than those already posted this month is news.
  const isNews = reached > reachedBefore && (isSameAmount || reached > highestOf(memory.reported));
  const events = [
    ...eventsOf(before, memory, isChanged && own === undefined),
    ...(last.step === undefined ? [] : [last.step]),
    ...(isNews ? [{ name: `${reached}` as const, month }] : []),
  ];
  return { memory, notices: noticesOf(events, before, memory) };
}

/** `name`: the last part of a key. `was`: of a month that has ended. */
interface Event {
  readonly name: 'fired' | 'changed' | 'armed' | `${number}`;
  readonly month: string;
  readonly was?: Settings;
}

/** Most important first. */
function eventsOf(
  before: AlertMemory | undefined,
  memory: AlertMemory,
  isChanged: boolean,
): Event[] {
  if (before === undefined) return [];
  const { month, alert: now, firedAt } = memory;
  const { alert: was } = before;
  // A firing belongs to the month in which it happened, even if the next month has begun.
  const firedIn = monthOf(Math.min(now?.lastTriggered ?? Infinity, memory.at ?? 0));
  const savedAt = now?.lastModified ?? 0;
  const isArmed =
    was !== undefined &&
    now?.enabled === true &&
    monthOf(firedAt) === month &&
    isSavedAfterFiring(savedAt, firedAt) &&
    savedAt > (was.lastModified ?? 0);
  const events: (Event | false)[] = [
    hasFiredSince(before, now) && { name: 'fired', month: firedIn },
    isChanged && { name: 'changed', month },
    isArmed && { name: 'armed', month },
  ];
  return events.filter((event) => event !== false);
}

/** Merges simultaneous events: firing includes its step, and firing or a change includes the re-arming after it. */
function noticesOf(
  events: readonly Event[],
  before: AlertMemory | undefined,
  memory: AlertMemory,
): AlertNotice[] {
  const [fired, changed] = ['fired', 'changed'].map((name) =>
    events.find((event) => event.name === name),
  );
  const hostOf = ({ name, month }: Event): Event | undefined => {
    if (name === 'armed') return fired ?? changed;
    return isStep(name) && month === fired?.month ? fired : undefined;
  };
  const months = [memory, memory.last];
  const keyed = events.map((event) => {
    const { reported = {} } = months.find((one) => one?.month === event.month) ?? {};
    return { event, host: hostOf(event), key: keyOf(event, reported) };
  });
  const wasBefore = before?.alert && toSettings(before.alert);
  return keyed
    .filter(({ host }) => host === undefined)
    .map(({ event, key }) => ({
      kind: isStep(event.name) ? 'step' : event.name,
      key,
      covers: keyed.filter(({ host }) => host === event).map((one) => one.key),
      isPast: event.month !== memory.month,
      was: event.was ?? wasBefore,
    }));
}

/** "2026-10/75"; "2026-10/75/2" the second time in a month, after the amount changed. */
function keyOf({ name, month }: Event, reported: AlertMemory['reported']): string {
  const count = (reported[name] ?? 0) + 1;
  reported[name] = count;
  return `${month}/${count === 1 ? name : `${name}/${count}`}`;
}

/** The month before this one while its last step is not settled, so that it is read as a whole. Pure. */
export function endedMonth(
  before: AlertMemory | undefined,
  facts: Pick<AlertFacts, 'now' | 'steps'>,
) {
  const isOpen = lastMonth(before, { ...facts, ended: undefined }).memory?.amount !== undefined;
  return isOpen ? resolveRange('last month', facts.now) : undefined;
}

function lastMonth(
  before: AlertMemory | undefined,
  { now, steps, ended }: Pick<AlertFacts, 'now' | 'steps' | 'ended'>,
): { memory: AlertMemory['last']; step?: Event } {
  const month = monthOf(resolveRange('last month', now).startMs);
  const isTurn = before?.month === month;
  const found = isTurn ? before : before?.last?.month === month ? before.last : undefined;
  if (found === undefined) return { memory: undefined };
  const amount = isTurn ? amountLeft(before, steps) : before?.last?.amount;
  const { step, reported } = found;
  const spend = ended && known(ended);
  if (amount === undefined || spend === undefined) {
    return { memory: { month, step, reported: { ...reported }, amount } };
  }
  const reached = stepOf({ amount, enabled: true }, spend, steps);
  return {
    memory: { month, step: Math.max(step, reached), reported: { ...reported } },
    ...(reached > step && {
      step: { name: `${reached}` as const, month, was: toSettings({ amount, enabled: true }) },
    }),
  };
}

/** The amount of an alert that is on and has a step left. */
function amountLeft({ alert, step }: AlertMemory, steps: readonly number[]): string | undefined {
  return alert?.enabled === true && step < (steps.at(-1) ?? 0) ? alert.amount : undefined;
}

/** Tolerance for a change that was under way during the last run, and for the platform's clock. Milliseconds. */
const UNDER_WAY_MS = 2 * 60_000;
const CLOCKS_MS = 5 * 60_000;

/**
 * The sending of a change through Purser that made the alert what it is now: begun since the last run, with these
 * values, and nothing but a firing saved the alert since. One sending explains one difference.
 */
function ownSending(
  before: AlertMemory | undefined,
  { alert, sent }: Pick<AlertFacts, 'alert' | 'sent'>,
): string | undefined {
  return sent
    .filter((change) => {
      const at = lastSentAt(change);
      const isNew = at >= (before?.at ?? 0) - UNDER_WAY_MS && before?.own !== sendingOf(change);
      const { lastModified: saved = 0, lastTriggered: fired = Infinity } = alert ?? {};
      const isStamp = saved >= fired && !isSavedAfterFiring(saved, fired);
      const isLast = saved <= at + CLOCKS_MS || isStamp;
      return change.state !== 'failed' && isNew && isLast && isResultOf(change, alert);
    })
    .map(sendingOf)[0];
}

function sendingOf(change: Change): string {
  return `${change.id}@${lastSentAt(change)}`;
}

function isResultOf({ order }: Change, alert: Alert | undefined): boolean {
  if (order.kind === 'alert.delete') return alert === undefined;
  if (order.kind !== 'alert.create' && order.kind !== 'alert.replace') return false;
  return alert?.amount?.eq(order.amount) === true && alert.enabled === order.enabled;
}

/** The highest step posted in a month; 0: none. */
function highestOf(reported: AlertMemory['reported']): number {
  return Math.max(0, ...Object.keys(reported).filter(isStep).map(Number));
}

function isStep(name: string): name is `${number}` {
  return /^\d+$/.test(name);
}

/** The highest step reached; 0: none, or not known. */
function stepOf(
  alert: Seen | undefined,
  spend: Spend | undefined,
  steps: readonly number[],
): number {
  const amount = new BigNumber(alert?.amount ?? 0);
  if (spend === undefined || !amount.gt(0) || alert?.enabled !== true) return 0;
  const percent = spend.total.times(100).div(amount);
  return steps.filter((step) => percent.gte(step)).at(-1) ?? 0;
}

function hasFiredSince(before: AlertMemory, now: Seen | undefined): boolean {
  if (now === undefined) return false;
  if (now.lastTriggered !== undefined) return now.lastTriggered > before.firedAt;
  return (now.alertedTimes ?? 0) > (before.alert?.alertedTimes ?? 0);
}

/** "2026-10", in UTC. */
function monthOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 7);
}

function seenOf({ amount, enabled, lastTriggered, alertedTimes, lastModified }: Alert): Seen {
  return { amount: amount?.toFixed(), enabled, lastTriggered, alertedTimes, lastModified };
}

/** A setting that was not reported before is not known to differ. */
function differs(was: Seen | undefined, now: Seen | undefined): boolean {
  if (was === undefined || now === undefined) return was !== now;
  const settings = ['amount', 'enabled'] as const;
  return settings.some((name) => was[name] !== undefined && was[name] !== now[name]);
}

function toSettings({ amount, enabled }: Seen): Settings {
  return { amount: amount === undefined ? undefined : new BigNumber(amount), enabled };
}
