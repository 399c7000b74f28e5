import { BigNumber } from 'bignumber.js';
import { z } from 'zod';
import type { Alert } from '../../platform/billing/alert.ts';
import type { Spend } from '../../reporting/spend.ts';

/** The alert as a look saw it; what the platform does not say is absent. Times in ms since the epoch. */
const Seen = z.object({
  /** A decimal number of whole units. */
  amount: z.string().optional(),
  enabled: z.boolean().optional(),
  firedAt: z.number().optional(),
  firings: z.number().optional(),
  savedAt: z.number().optional(),
});
type Seen = z.infer<typeof Seen>;

/** What was told of the alert in a month, and how it was then. */
export const AlertMemory = z.object({
  /** In UTC: "2026-10". */
  month: z.string(),
  /** Absent: there was no alert. */
  alert: Seen.optional(),
  /** When it fired last as far as is known; absent: an older version looked. */
  firedAt: z.number().optional(),
  /** The highest step that the month has come to with this amount; 0: none. */
  step: z.number(),
  /** How often each thing was told this month: by the last part of its key. */
  told: z.record(z.string(), z.number()),
});
export type AlertMemory = z.infer<typeof AlertMemory>;

/** What is told of the alert. */
export type AlertNotice = {
  /** After `alert/`: "2026-10/75", "2026-10/changed/2". */
  readonly key: string;
  /** Keys of what it stands for as well. */
  readonly covers: readonly string[];
} & (
  | { readonly kind: 'step' | 'fired' | 'armed' }
  | { readonly kind: 'changed'; readonly was: Settings | undefined }
);

/** Amount in whole units. */
export interface Settings {
  readonly amount: BigNumber | undefined;
  readonly enabled: boolean | undefined;
}

/** What a look sees. */
export interface AlertLook {
  readonly alert: Alert | undefined;
  /** Undefined: the charges could not be read; nothing is said of steps then. */
  readonly spend: Spend | undefined;
  /** "2026-10", in UTC. */
  readonly month: string;
  /** Per cent of the amount, ascending (PACE_STEPS). */
  readonly steps: readonly number[];
  /** Whether the alert is as a change through Purser made it a short while ago: that was told already. */
  readonly isOwn: boolean;
}

/**
 * What is to be told of the alert, each once a month (design section 4). The first look tells the step that the
 * month has come to, and adopts all else in silence. Of several steps that are crossed at once the highest is
 * told; a revision that lowers the sum takes none back. With another amount a step is
 * told at once only when it is higher than those that were told this month. Pure.
 */
export function alertNotices(
  before: AlertMemory | undefined,
  look: AlertLook,
): { memory: AlertMemory; notices: AlertNotice[] } {
  const now = look.alert && seenOf(look.alert);
  const isSameMonth = before?.month === look.month;
  const isSameAmount = before?.alert?.amount === now?.amount;
  const reached = stepOf(look);
  const known = isSameMonth && isSameAmount ? before.step : 0;
  const told = { ...(isSameMonth ? before.told : {}) };
  const memory = {
    month: look.month,
    alert: now,
    firedAt: Math.max(firedBefore(before), now?.firedAt ?? 0),
    step: Math.max(known, reached),
    told,
  };

  const what = [
    ...(before === undefined ? [] : eventsOf(before, now, look)),
    // With another amount a step is news only when the month was not told of so much before.
    ...(reached > known && (isSameAmount || reached > highestOf(told)) ? [String(reached)] : []),
  ];
  return { memory, notices: noticesOf(what, before?.alert, countsOf(before, memory)) };
}

/** The events, the most important first. */
function eventsOf(before: AlertMemory, now: Seen | undefined, look: AlertLook): string[] {
  const { alert: was } = before;
  const isChanged = JSON.stringify(settings(was)) !== JSON.stringify(settings(now));
  const isFired = hasFiredSince(before, now);
  // Firing saves the record, too, so only a later saving of one that had fired before arms it again.
  const isSaved =
    now?.enabled === true &&
    !isFired &&
    was?.firedAt !== undefined &&
    monthOf(was.firedAt) === look.month &&
    (now.savedAt ?? 0) > Math.max(was.savedAt ?? 0, was.firedAt);
  return [
    ...(isFired ? ['fired'] : []),
    ...(isChanged && !look.isOwn ? ['changed'] : []),
    ...(isSaved ? ['armed'] : []),
  ];
}

/** What was told in a month, by the last part of its key. */
type Counts = Pick<AlertMemory, 'month' | 'told'>;

/** That it fired is told of the month in which it did, also by a look in the next one. */
function countsOf(
  before: AlertMemory | undefined,
  now: AlertMemory,
): { own: Counts; fired: Counts } {
  const at = now.alert?.firedAt;
  const month = at === undefined ? now.month : monthOf(at);
  if (month >= now.month) return { own: now, fired: now };
  return { own: now, fired: { month, told: before?.month === month ? { ...before.told } : {} } };
}

/**
 * One notice for events that come together: the change stands for the arming that it is, and firing for the
 * step that it is about.
 */
function noticesOf(
  what: readonly string[],
  was: Seen | undefined,
  { own, fired }: ReturnType<typeof countsOf>,
): AlertNotice[] {
  const keys = new Map(what.map((one) => [one, keyOf(one, one === 'fired' ? fired : own)]));
  // A step of this month is not what it fired for in the last one.
  const firedFor = fired === own ? what.filter(isStep) : [];
  const take = (one: string): string[] => {
    const key = keys.get(one);
    keys.delete(one);
    return key === undefined ? [] : [key];
  };
  const notices: AlertNotice[] = [];
  for (const one of what) {
    const [key] = take(one);
    if (key === undefined) continue;
    const covers =
      one === 'changed' ? take('armed') : one === 'fired' ? firedFor.flatMap(take) : [];
    if (one === 'changed') notices.push({ kind: one, key, covers, was: was && toSettings(was) });
    else
      notices.push({ kind: isStep(one) ? 'step' : one === 'fired' ? one : 'armed', key, covers });
  }
  return notices;
}

/** The highest step that was told in a month; 0: none. */
function highestOf(told: AlertMemory['told']): number {
  return Math.max(0, ...Object.keys(told).filter(isStep).map(Number));
}

function isStep(one: string): boolean {
  return /^\d+$/.test(one);
}

/** "2026-10/75", and "2026-10/75/2" when it comes again in this month, with another amount. */
function keyOf(one: string, { month, told }: Counts): string {
  const count = (told[one] ?? 0) + 1;
  told[one] = count;
  return `${month}/${count === 1 ? one : `${one}/${count}`}`;
}

/** The highest step that the month has come to; 0: none, or nothing is known. */
function stepOf({ alert, spend, steps }: AlertLook): number {
  const { amount, enabled } = alert ?? {};
  if (spend === undefined || amount?.gt(0) !== true || enabled !== true) return 0;
  const percent = spend.total.times(100).div(amount);
  return steps.filter((step) => percent.gte(step)).at(-1) ?? 0;
}

function hasFiredSince(before: AlertMemory, now: Seen | undefined): boolean {
  if (now === undefined) return false;
  if (now.firedAt !== undefined) return now.firedAt > firedBefore(before);
  return (now.firings ?? 0) > (before.alert?.firings ?? 0);
}

/** When it fired last as far as is known, ms since the epoch; also where the platform did not say it since. */
function firedBefore(before: AlertMemory | undefined): number {
  return Math.max(before?.firedAt ?? 0, before?.alert?.firedAt ?? 0);
}

/** "2026-10", in UTC. */
function monthOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 7);
}

function seenOf({ amount, enabled, lastTriggered, alertedTimes, lastModified }: Alert): Seen {
  return {
    amount: amount?.toFixed(),
    enabled,
    firedAt: lastTriggered,
    firings: alertedTimes,
    savedAt: lastModified,
  };
}

/** In one order and with every member, for a comparison. */
function settings(seen: Seen | undefined): unknown {
  return seen === undefined ? null : [seen.amount ?? null, seen.enabled ?? null];
}

function toSettings({ amount, enabled }: Seen): Settings {
  return { amount: amount === undefined ? undefined : new BigNumber(amount), enabled };
}
