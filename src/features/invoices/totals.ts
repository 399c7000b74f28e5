import type { BigNumber } from 'bignumber.js';
import type { Invoice, InvoicePeriod } from '../../platform/billing/invoices.ts';
import { countUnread, sumOf } from './lines.ts';

/** A total that is not the sum of its parts; in the smallest currency unit. */
export interface Disagreement {
  readonly what: 'periods' | 'period-lines' | 'no-lines' | 'lines';
  /** Whose lines these are. */
  readonly period?: InvoicePeriod;
  readonly added: BigNumber;
  /** What the platform says. */
  readonly said: BigNumber;
}

export type Totalled = Pick<Invoice, 'totalCharge' | 'periods'>;

/**
 * Where an invoice does not agree with its own periods or lines (spec 2.8). Parts that are not all
 * there, or cannot all be read, are not added up. The one period of an invoice, if it says the same
 * amount, is not held against its lines a second time. A period that costs something and has no lines is
 * named where the others have some.
 */
export function disagreementsOf({ totalCharge, periods }: Totalled): Disagreement[] {
  const [first, ...others] = periods;
  if (first === undefined) return [];
  const found: Disagreement[] = [];
  const compare = (
    added: BigNumber,
    said: BigNumber | undefined,
    of: Pick<Disagreement, 'what' | 'period'>,
  ) => {
    if (said !== undefined && !added.eq(said)) found.push({ ...of, added, said });
  };

  const totals = periods.map((period) => ({ charge: period.totalCharge }));
  if (countUnread(totals) === 0) compare(sumOf(totals), totalCharge, { what: 'periods' });
  const isSame = others.length === 0 && first.totalCharge?.eq(totalCharge ?? Number.NaN);
  for (const period of isSame === true ? [] : periods) {
    const what = 'period-lines';
    if (isComplete(period)) compare(sumOf(period.items), period.totalCharge, { what, period });
  }
  const isTold = periods.some(({ items }) => items.length > 0);
  for (const period of isTold ? periods : []) {
    const what = 'no-lines';
    if (period.items.length === 0) compare(sumOf([]), period.totalCharge, { what, period });
  }
  if (periods.every(isComplete)) {
    const lines = periods.flatMap(({ items }) => items);
    compare(sumOf(lines), totalCharge, { what: 'lines' });
  }
  return found;
}

/** Whether the lines of a period are all there, as far as anybody can tell. */
function isComplete({ items, totalCharge }: InvoicePeriod): boolean {
  return items.length > 0 ? countUnread(items) === 0 : totalCharge?.isZero() === true;
}
