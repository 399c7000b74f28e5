import { BigNumber } from 'bignumber.js';
import { settledWithin } from '../lib/patience.ts';
import type { ChargeOptions, ChargesClient } from '../platform/billing/charges.ts';
import type { Charges } from '../platform/billing/charge-rows.ts';
import { PlatformError } from '../platform/errors.ts';
import { toConsumptionQuery } from './consumption-query.ts';
import { rowsOf } from './fold.ts';
import { resolveRange, stepStart } from './range.ts';
import type { Range } from './range.ts';

/** What this month has cost so far, in the currency of the alert. Amounts in its whole units. */
export interface Spend {
  readonly total: BigNumber;
  /** Extrapolated by the platform to the end of the month. */
  readonly projected: BigNumber;
  /** The org with the largest charge; undefined where nothing is charged. */
  readonly driver: { readonly org: string; readonly total: BigNumber } | undefined;
  /** Charged in other currencies, too: none of it is counted here. */
  readonly others: readonly string[];
  /** Rows that could not be read. */
  readonly skipped: number;
  /** The chargeable items could not be read, so some usage may count as 0 (spec 4.1 rule 1). */
  readonly mayBeTooLow: boolean;
  /** The month in UTC. */
  readonly month: Range;
}

/** When a month reaches an amount, at the pace of its elapsed hours. */
export type Pace =
  | { readonly kind: 'reached' | 'not this month' }
  /** Nothing has elapsed, or nothing is charged. */
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
  const month = resolveRange('this month', now);
  const { value } = await charges.account(toConsumptionQuery(THIS_MONTH, ['org'], month), options);
  return spendOf(value, currency, month);
}

/** How long something else waits for the charges, which are worth knowing and no more. Milliseconds. */
const SPEND_WITHIN_MS = 2_500;
const CATALOGUE_WITHIN_MS = 1_000;

/** As `readSpend`; undefined when the platform does not say it, or not within 2.5 s. */
export async function spendInTime(
  charges: Pick<ChargesClient, 'account'>,
  currency: string,
  now: number,
): Promise<Spend | undefined> {
  const patience = { catalogueWithinMs: CATALOGUE_WITHIN_MS };
  const reading = readSpend(charges, currency, now, patience).catch((error: unknown) => {
    if (error instanceof PlatformError) return undefined;
    throw error;
  });
  return (await settledWithin(reading, SPEND_WITHIN_MS)) ? reading : undefined;
}

const THIS_MONTH = {
  range: 'this month',
  by: ['org'],
  of: [],
  items: [],
  where: {},
  orgs: [],
  step: undefined,
} as const;

/** Adds up what is charged in the currency of the alert. Pure. */
export function spendOf(charges: Charges, currency: string, month: Range): Spend {
  const own = currency.trim().toUpperCase();
  const byOrg = new Map<string, BigNumber>();
  const others = new Set<string>();
  let total = ZERO;
  let projected = ZERO;
  for (const { key, row } of rowsOf([charges])) {
    // Where nothing is charged, none need be named.
    if (row.currency !== undefined && row.currency !== own) {
      others.add(row.currency);
      continue;
    }
    const org = key['org'] ?? '';
    total = total.plus(row.total);
    projected = projected.plus(row.projectedTotal ?? row.total);
    byOrg.set(org, (byOrg.get(org) ?? ZERO).plus(row.total));
  }
  const [largest] = [...byOrg].toSorted(([, a], [, b]) => b.comparedTo(a) ?? 0);
  return {
    total,
    projected,
    driver: largest?.[1].gt(0) ? { org: largest[0], total: largest[1] } : undefined,
    others: [...others],
    skipped: charges.skipped,
    mayBeTooLow: charges.mayBeTooLow,
    month,
  };
}

/** Whether it is all that this month has cost: nothing is left out, and nothing may count as too little. */
export function isWhole({ others, skipped, mayBeTooLow }: Spend): boolean {
  return others.length + skipped === 0 && !mayBeTooLow;
}

const ZERO = new BigNumber(0);
const HOUR_MS = 3_600_000;

/**
 * When the month reaches the amount if it goes on as in its whole elapsed hours. Pure.
 * @param now ms since the epoch
 */
export function paceOf(
  { total, month }: Pick<Spend, 'total' | 'month'>,
  amount: BigNumber,
  now: number,
): Pace {
  if (total.gte(amount)) return { kind: 'reached' };
  const hours = (stepStart(now, 'hour') - month.startMs) / HOUR_MS;
  if (hours <= 0 || total.lte(0)) return { kind: 'unknown' };
  const ms = month.startMs + amount.div(total).times(hours).times(HOUR_MS).toNumber();
  return ms < month.endMs ? { kind: 'reached at', ms } : { kind: 'not this month' };
}
