import type { Account } from '../billing/model.ts';
import type { BookLine, Books } from '../metering/books.ts';
import { addMonths } from '../metering/time.ts';
import { accrue, withSurcharge } from './accrual.ts';
import { uuidOf } from './ids.ts';
import type { Period } from './model.ts';

/** The months of an account, less the parts that early invoices have billed. */
export interface Periods {
  /**
   * The charges of a month by now that no early invoice has billed.
   * @param options.surcharged whether surcharges are on it, if the month has any
   * @param options.endTime ms since the epoch; the month's end if it is left out
   */
  open(month: number, options: { surcharged: boolean; endTime?: number }): Period;
  /** When the open part of a month begins, ms since the epoch. */
  startOf(month: number): number;
  /** The month is billed up to `until`: what it has accrued by now is open no more. */
  bill(month: number, until: number): void;
}

/** @param deps.surchargedFrom the first month with a surcharge, ms since the epoch */
export function createPeriods(deps: {
  account: Account;
  books: Books;
  surchargedFrom: number;
}): Periods {
  const { account, books, surchargedFrom } = deps;
  const billed = new Map<number, { until: number; lines: readonly BookLine[] }>();
  const startOf = (month: number) => billed.get(month)?.until ?? month;

  return {
    startOf,
    open(month, { surcharged, endTime = addMonths(month, 1) }) {
      const plain = accrue(
        books.monthLines(account, month),
        billed.get(month)?.lines ?? [],
        books.currency,
      );
      const accrual = surcharged && month >= surchargedFrom ? withSurcharge(plain) : plain;
      const startTime = startOf(month);
      const id = uuidOf(account.id, 'period', startTime);
      return { id, startTime, endTime, status: 'pending-payment', ...accrual };
    },
    bill(month, until) {
      billed.set(month, { until, lines: books.monthLines(account, month) });
    },
  };
}
