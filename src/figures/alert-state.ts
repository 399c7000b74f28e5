import type { BigNumber } from 'bignumber.js';
import type { Alert } from '../platform/billing/alert.ts';
import { resolveRange, stepStart } from './range.ts';
import type { Range } from './range.ts';
import { isWhole } from './spend.ts';
import type { Spend } from './spend.ts';

/** Whether the spend alert can fire now, as far as it shows (spec section 3). Times in ms since the epoch. */
export type AlertState =
  /** Off, or nobody says whether it is on; on, and it has not fired this month. */
  | { readonly kind: 'off' | 'not said' | 'armed' }
  /** It has fired this month, and is quiet until the next one. */
  | { readonly kind: 'fired'; readonly firedAt: number }
  /** It has fired this month, and a change has armed it since. */
  | { readonly kind: 'armed again' }
  /** It has fired this month; whether somebody has changed it since does not show. */
  | {
      readonly kind: 'fired or armed again';
      readonly firedAt: number;
      /** When its record was saved after that, by firing or by a change; undefined where it was not, or nobody says. */
      readonly savedAt: number | undefined;
    }
  /** It has fired, and nobody says when. */
  | { readonly kind: 'fired at some time' }
  /** It has fired in a month that is still to come. */
  | { readonly kind: 'fired later'; readonly firedAt: number };

/** The platform compares this often (spec section 3), and may be as late as that. */
const CHECK_MS = 10 * 60_000;
const LATE_MS = 5 * 60_000;
/** Firing writes the record, too, as a rule within this time. */
const STAMP_MS = 5_000;
/**
 * By so many usual hours of charges the amount must be passed or missed to count: what is above by them
 * was reached at the last check, too, and what is below by them was not taken down there by a correction.
 */
const CLEAR_HOURS = 3;
const HOUR_MS = 3_600_000;

/**
 * A record that was saved after it fired was changed by somebody, or stamped by firing; the platform does
 * not say which. What this month has cost tells them apart: clearly below the amount it would not have
 * fired, so it had another one then, and what was armed again clearly above it would have fired again at
 * the next check. A stamp of up to 5 s counts as firing unless the charges are clearly below, and a count
 * of 0 counts as a change only where they are. Where signs disagree, or none is clear, it is both. Pure.
 * @param spend undefined when it is not known; that of another month tells nothing
 * @param now ms since the epoch
 */
export function alertState(alert: Alert, spend: Spend | undefined, now: number): AlertState {
  const { enabled, lastTriggered: firedAt, lastModified, alertedTimes, hasFired } = alert;
  const month = resolveRange('this month', now);
  if (enabled === undefined) return { kind: 'not said' };
  if (!enabled) return { kind: 'off' };
  if (firedAt === undefined) {
    return { kind: alertedTimes || hasFired ? 'fired at some time' : 'armed' };
  }
  if (firedAt < month.startMs) return { kind: 'armed' };
  if (firedAt >= month.endMs) return { kind: 'fired later', firedAt };

  const place = placeOf(spend, alert.amount, month, now);
  const savedAt = lastModified !== undefined && lastModified > firedAt ? lastModified : undefined;
  const unclear = { kind: 'fired or armed again', firedAt, savedAt } as const;
  if (alertedTimes === 0) return place === 'below' ? { kind: 'armed again' } : unclear;
  // Whoever changed it would have saved it since.
  if (lastModified !== undefined && lastModified < firedAt) return { kind: 'fired', firedAt };
  if (lastModified === undefined || lastModified - firedAt <= STAMP_MS) {
    return place === 'below' ? unclear : { kind: 'fired', firedAt };
  }
  if (place === 'below') return { kind: 'armed again' };
  const isChecked = now - lastModified > CHECK_MS + LATE_MS;
  return place === 'above' && isChecked ? { kind: 'fired', firedAt } : unclear;
}

/** When the record was saved last; ms since the epoch. */
export interface Saved {
  readonly at: number;
  /** Somebody changed the alert then; false where firing may have saved it as well. */
  readonly isChange: boolean;
}

/** Undefined where nobody says it, or where it adds nothing to when the alert fired. Pure. */
export function lastSaved(
  { lastTriggered, lastModified, alertedTimes, hasFired }: Alert,
  { kind }: AlertState,
): Saved | undefined {
  if (lastModified === undefined) return undefined;
  const at = lastModified;
  if (lastTriggered === undefined) return { at, isChange: !alertedTimes && !hasFired };
  const after = at - lastTriggered;
  if (Math.abs(after) <= STAMP_MS) return undefined;
  if (after < 0) return { at, isChange: true };
  if (kind === 'fired' || kind === 'fired or armed again') return undefined;
  return { at, isChange: kind === 'armed again' || after > CHECK_MS + LATE_MS };
}

/** Where the charges are clearly above the amount or below it; undefined where they are near, or not known. */
function placeOf(
  spend: Spend | undefined,
  amount: BigNumber | undefined,
  month: Range,
  now: number,
): 'above' | 'below' | undefined {
  if (spend === undefined || amount === undefined || !isWhole(spend)) return undefined;
  if (spend.month.startMs !== month.startMs) return undefined;
  const { total } = spend;
  // The first hours of a month are too few to know what is usual.
  const hours = Math.max((stepStart(now, 'hour') - month.startMs) / HOUR_MS, CLEAR_HOURS);
  const margin = total.times(CLEAR_HOURS).div(hours);
  if (total.gte(amount)) return total.minus(amount).gte(margin) ? 'above' : undefined;
  return amount.minus(total).gte(margin) ? 'below' : undefined;
}
