import { BigNumber } from 'bignumber.js';
import { HOUR_MS, settledWithin } from '../lib/time.ts';
import type { Alert } from '../platform/billing/alert.ts';
import type { ChargeRow, Charges } from '../platform/billing/charge-rows.ts';
import type { ChargeOptions, ChargesClient } from '../platform/billing/charges.ts';
import { PlatformError } from '../platform/errors.ts';
import {
  aggregateLines,
  type Bar,
  barsOfLines,
  formatEstimate,
  formatLimit,
  formatMoney,
  formatUsed,
  type Line,
  type LineRules,
  type Sum,
  sumOf,
} from './amounts.ts';
import {
  dayAndMonth,
  isEarly,
  type Range,
  resolveRange,
  stepStart,
  toConsumptionQuery,
} from './range.ts';

/** In whole units of the alert's currency. */
export interface Spend {
  readonly total: BigNumber;
  /** By the platform, to the end of the month. */
  readonly projected: BigNumber;
  /** The org with the largest charge; undefined when nothing is charged. */
  readonly driver: { readonly org: string; readonly total: BigNumber } | undefined;
  /** Other currencies with charges, which are not included. */
  readonly others: readonly string[];
  readonly skipped: number;
  /** The chargeable items could not be read, so some usage may count as 0 (spec 4.1 rule 1). */
  readonly mayBeTooLow: boolean;
  /** UTC. */
  readonly month: Range;
}

/** According to the platform's projection. */
export type Pace =
  | { readonly kind: 'reached' | 'not this month' }
  /** The month has just begun, or the platform projects no further charges. */
  | { readonly kind: 'unknown' }
  /** Ms since the epoch. */
  | { readonly kind: 'reached at'; readonly ms: number };

/** Reads the charges of the current month by org (spec 4.1). @throws PlatformError */
export async function readSpend(
  charges: Pick<ChargesClient, 'account'>,
  currency: string,
  now: number,
  options?: ChargeOptions,
): Promise<Spend> {
  return readMonth(charges, currency, resolveRange('this month', now), options);
}

/** As `readSpend`, of any month. @throws PlatformError */
export async function readMonth(
  charges: Pick<ChargesClient, 'account'>,
  currency: string,
  month: Range,
  options?: ChargeOptions,
): Promise<Spend> {
  const { value } = await charges.account(toConsumptionQuery(EVERYTHING, ['org'], month), options);
  return spendOf(value, currency, month);
}

/** How long another answer waits for the charges, which are optional there. Milliseconds. */
const SPEND_WITHIN_MS = 2_500;
const CATALOGUE_WITHIN_MS = 1_000;

/** As `readSpend`; undefined when the platform fails or takes more than 2.5 s. */
export async function spendInTime(
  charges: Pick<ChargesClient, 'account'>,
  currency: string,
  now: number,
): Promise<Spend | undefined> {
  const options = { catalogueWithinMs: CATALOGUE_WITHIN_MS };
  const reading = readSpend(charges, currency, now, options).catch((error: unknown) => {
    if (error instanceof PlatformError) return undefined;
    throw error;
  });
  return (await settledWithin(reading, SPEND_WITHIN_MS)) ? reading : undefined;
}

export function spendOf(charges: Charges, currency: string, month: Range): Spend {
  const own = currency.trim().toUpperCase();
  const { lines, others } = linesIn([charges], undefined, ['org'], own);
  const { value: total, projected } = sumOf(lines);
  const [largest] = lines.toSorted((a, b) => b.value.comparedTo(a.value) ?? 0);
  const { skipped, mayBeTooLow } = charges;
  return {
    total,
    projected,
    driver: largest?.value.gt(0)
      ? { org: largest.labels[0] ?? '', total: largest.value }
      : undefined,
    others,
    skipped,
    mayBeTooLow,
    month,
  };
}

/** No charges are left out, as far as can be seen. */
export function isWhole({ others, skipped, mayBeTooLow }: Spend): boolean {
  return others.length + skipped === 0 && !mayBeTooLow;
}

/** "about $6,430 by 30 November"; too early on the first day of a month. `now` in ms since the epoch. Pure. */
export function formatProjection(
  { projected, month }: Spend,
  currency: string,
  now: number,
): string {
  return isEarly(month, now)
    ? 'too early for an estimate'
    : `${formatEstimate(projected, currency)} by ${dayAndMonth(month.endMs - 1)}`;
}

/**
 * "56% of the $2,500 alert used; on course for 77%": the first is rounded down, so that 100% means reached; "at least
 * 56% …" where charges are left out. Without a projection (the first day of a month, or nothing more is projected) it
 * ends after "used". `now` in ms since the epoch. Pure.
 */
export function formatAlertUse(spend: Spend, amount: BigNumber, currency: string, now: number) {
  const least = isWhole(spend) ? '' : 'at least ';
  const used = `${least}${formatUsed(spend.total, amount) || '100%'} of the ${formatLimit(amount, currency)} alert used`;
  const ahead = formatAhead(spend.projected, amount);
  const isKnown = paceOf(spend, amount, now).kind !== 'unknown' && !isEarly(spend.month, now);
  return isKnown && ahead !== '' ? `${used}; on course for ${ahead}` : used;
}

/** A projection in percent of the amount: rounded, but 100% only where the amount is reached. */
function formatAhead(projected: BigNumber, amount: BigNumber): string {
  const rounded = formatUsed(projected.plus(amount.div(200)), amount);
  return projected.lt(amount) && rounded === '100%' ? '99%' : rounded;
}

/**
 * When the month reaches the amount according to the platform's projection, so that it agrees with
 * the estimate beside it. Pure.
 * @param now ms since the epoch
 */
export function paceOf(
  { total, projected, month }: Pick<Spend, 'total' | 'projected' | 'month'>,
  amount: BigNumber,
  now: number,
): Pace {
  if (total.gte(amount)) return { kind: 'reached' };
  if (isEarly(month, now) || projected.lte(total)) return { kind: 'unknown' };
  if (projected.lte(amount)) return { kind: 'not this month' };
  const share = amount.div(projected).toNumber();
  const ms = month.startMs + share * (month.endMs - month.startMs);
  return { kind: 'reached at', ms: Math.max(now, Math.round(ms)) };
}

/** As far as is known (spec section 3). Times in ms since the epoch. */
export type AlertState =
  /** Off; or absent from the platform's answer; or on, and not fired this month. */
  | { readonly kind: 'off' | 'not reported' | 'armed' }
  | { readonly kind: 'fired'; readonly firedAt: number }
  | { readonly kind: 'armed again' }
  /** Fired this month; whether it was changed since is unknown. */
  | {
      readonly kind: 'fired or armed again';
      readonly firedAt: number;
      /** When its record was saved after firing, by firing or by a change; undefined: not saved, or unknown. */
      readonly savedAt: number | undefined;
    }
  /** Fired, at an unknown time. */
  | { readonly kind: 'fired at some time' }
  | { readonly kind: 'fired later'; readonly firedAt: number };

/** Interval at which the platform checks the alert (spec section 3), and its possible delay. */
const CHECK_MS = 10 * 60_000;
const LATE_MS = 5 * 60_000;
/** Firing also saves the record, usually within this time. */
const STAMP_MS = 5_000;
/**
 * Margin, in average hours of charges, for being clearly above or below the amount: clearly above,
 * it was reached at the last check, too; clearly below, no correction caused it.
 */
const CLEAR_HOURS = 3;

/**
 * A record saved after firing was saved either by a change or by firing itself; the platform does
 * not distinguish them. The cost of this month does: clearly below the amount, the alert must have
 * fired with another amount; armed again and clearly above it, it would have fired at the next
 * check. A save within 5 s counts as firing unless the charges are clearly below, and a count of 0
 * counts as a change only if they are. Contradicting or unclear signs give both. Pure.
 * @param spend undefined when unknown; ignored if of another month
 * @param now ms since the epoch
 */
export function alertState(alert: Alert, spend: Spend | undefined, now: number): AlertState {
  const { enabled, lastTriggered: firedAt, lastModified, alertedTimes, hasFired } = alert;
  const month = resolveRange('this month', now);
  if (enabled === undefined) return { kind: 'not reported' };
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
  // A change would have saved it later.
  if (lastModified !== undefined && lastModified < firedAt) return { kind: 'fired', firedAt };
  if (lastModified === undefined || !isSavedAfterFiring(lastModified, firedAt)) {
    return place === 'below' ? unclear : { kind: 'fired', firedAt };
  }
  if (place === 'below') return { kind: 'armed again' };
  const isChecked = now - lastModified > CHECK_MS + LATE_MS;
  return place === 'above' && isChecked ? { kind: 'fired', firedAt } : unclear;
}

/**
 * Whether the record of an alert was saved by something else than its own firing, which also saves it, up to 5 s later.
 * Times in ms since the epoch. Pure.
 */
export function isSavedAfterFiring(savedAt: number, firedAt: number): boolean {
  return savedAt - firedAt > STAMP_MS;
}

/** Whether the charges are clearly above or below the amount; undefined when close or unknown. */
function placeOf(
  spend: Spend | undefined,
  amount: BigNumber | undefined,
  month: Range,
  now: number,
): 'above' | 'below' | undefined {
  if (spend === undefined || amount === undefined || !isWhole(spend)) return undefined;
  if (spend.month.startMs !== month.startMs) return undefined;
  const { total } = spend;
  // The first hours of a month are too few for an average.
  const hours = Math.max((stepStart(now, 'hour') - month.startMs) / HOUR_MS, CLEAR_HOURS);
  const margin = total.times(CLEAR_HOURS).div(hours);
  if (total.gte(amount)) return total.minus(amount).gte(margin) ? 'above' : undefined;
  return amount.minus(total).gte(margin) ? 'below' : undefined;
}

/** In whole units of one currency. What it was before is undefined if rows of either span could not be read. */
export interface ComparedCharges {
  readonly range: Range;
  /** Undefined: nothing to compare with. */
  readonly before: Range | undefined;
  readonly total: Sum;
  /** By the requested tags, largest first. */
  readonly lines: readonly Line[];
  /** Other currencies with charges, which are left out. */
  readonly others?: readonly string[];
  /** The platform's answer for the span itself. */
  readonly charges: Charges;
}

/** The query of a whole account, to which a range and a grouping are added. */
export const EVERYTHING = {
  range: '',
  by: undefined,
  of: [],
  items: [],
  where: {},
  orgs: [],
  step: undefined,
} as const;

/** Without charges in other currencies (spec 4.1). @throws PlatformError */
export async function readCompared(
  charges: Pick<ChargesClient, 'account'>,
  by: readonly string[],
  { range, before }: Pick<ComparedCharges, 'range' | 'before'>,
  currency: string,
): Promise<ComparedCharges> {
  const ask = async (span: Range): Promise<Charges> =>
    (await charges.account(toConsumptionQuery(EVERYTHING, by, span), { fresh: true })).value;
  const [now, earlier] = await Promise.all([ask(range), before && ask(before)]);
  // Beside a part of an answer a whole one would look like a change.
  const isRead = earlier !== undefined && now.skipped + earlier.skipped === 0;
  const { lines, others } = linesIn([now], isRead ? [earlier] : undefined, by, currency);
  const sum = sumOf(lines);
  const total = isRead ? sum : { ...sum, before: undefined };
  return { range, before, total, lines, others, charges: now };
}

/** By day, in whole units of one currency. @throws PlatformError */
export async function readDays(
  charges: Pick<ChargesClient, 'account'>,
  range: Range,
  currency: string,
  options?: ChargeOptions,
): Promise<Bar[]> {
  const query = toConsumptionQuery({ ...EVERYTHING, step: 'day' }, [], range);
  const { value } = await charges.account(query, options);
  const { lines } = linesIn([value], undefined, [], currency, (ms) => stepStart(ms, 'day'));
  return barsOfLines(lines, range, 'day');
}

/** @param fallback the currency of a row without one, which has no charge */
export function chargeRules(
  by: readonly string[],
  fallback: string | undefined,
): LineRules<ChargeRow> {
  return {
    labels: (key) => by.map((tag) => key[tag] ?? ''),
    measure: ({ currency = fallback }) => ({ kind: 'money', currency }),
    value: ({ total }) => total,
    projected: ({ projectedTotal }) => projectedTotal,
  };
}

function linesIn(
  now: readonly Charges[],
  before: readonly Charges[] | undefined,
  by: readonly string[],
  currency: string,
  stepOf?: (ms: number) => number,
): { lines: Line[]; others: string[] } {
  const all = aggregateLines(now, before, chargeRules(by, currency), stepOf);
  const others = all.filter((line) => currencyOf(line) !== currency && !line.value.isZero());
  return {
    lines: all.filter((line) => currencyOf(line) === currency),
    others: [...new Set(others.map((line) => currencyOf(line) ?? ''))],
  };
}

/** By amount, up or down, each of at least a cent. Pure. */
export function moversOf(lines: readonly Line[], count: number): Line[] {
  return lines
    .filter((line) => !/^[<>]/.test(formatMoney(moveOf(line), currencyOf(line))))
    .filter((line) => !moveOf(line).isZero())
    .toSorted((a, b) => moveOf(b).abs().comparedTo(moveOf(a).abs()) ?? 0)
    .slice(0, count);
}

/** In whole units; 0 if the span before is unknown. */
export function moveOf({ value, before }: Pick<Line, 'value' | 'before'>): BigNumber {
  return before === undefined ? new BigNumber(0) : value.minus(before);
}

function currencyOf({ measure }: Line): string | undefined {
  return measure.kind === 'money' ? measure.currency : undefined;
}
