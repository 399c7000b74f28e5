import type { Account } from '../billing/model.ts';
import type { Books } from '../metering/books.ts';
import { addMonths, monthOf } from '../metering/time.ts';
import { issueTimeOf, monthsBetween } from './calendar.ts';
import { creditsOf } from './credits.ts';
import { uuidOf } from './ids.ts';
import type { Invoice, Item, Period } from './model.ts';
import { sum } from './money.ts';
import { createPeriods } from './periods.ts';

/** The invoices of an account, and its charges that are not billed yet. */
export interface Ledger {
  /** All invoices, oldest first. */
  invoices(): readonly Invoice[];
  /** Issues invoices due by `until` and calls back with each invoice and the time when it was due. */
  issueDue(until: number, onIssued: (invoice: Invoice, at: number) => void): void;
  /**
   * Bills what the current month has accrued by `until`, an hour; its invoice at the month's end
   * covers the rest. Undefined if that hour is billed already.
   */
  issueEarly(until: number): Invoice | undefined;
  /** Accrued by `now` and without an invoice, newest month first. */
  pending(now: number): Invoice[];
  /** The current month alone, with the surcharges and the credits that will be on its invoice. */
  pendingInFull(now: number): Invoice[];
}

/** @param deps.surchargedFrom the first month with a surcharge, ms since the epoch */
export function createLedger(deps: {
  account: Account;
  books: Books;
  surchargedFrom: number;
}): Ledger {
  const { account, books } = deps;
  const periods = createPeriods(deps);
  const invoices: Invoice[] = [];
  let nextMonth = monthOf(books.firstMonth);

  const creditsFor = (month: number) => creditsOf(monthsBetween(books.firstMonth, month));

  const issue = (billed: readonly Period[], credits: readonly Item[]) => {
    const invoice = invoiceOf(account, invoices.length + 1, billed, credits);
    invoices.push(invoice);
    return invoice;
  };

  /** The months of the next regular invoice: the account's first one covers two. */
  const nextMonths = () =>
    invoices.length === 0 ? [nextMonth, addMonths(nextMonth, 1)] : [nextMonth];

  const pendingOf = (month: number, surcharged: boolean, credits: readonly Item[] = []) => {
    const period = periods.open(month, { surcharged });
    return period.items.length > 0 ? [invoiceOf(account, PENDING, [period], credits)] : [];
  };

  return {
    invoices: () => invoices,

    issueDue(until, onIssued) {
      for (let months = nextMonths(); ; months = nextMonths()) {
        const last = months.at(-1) ?? nextMonth;
        const due = issueTimeOf(last);
        if (due > until) return;
        nextMonth = addMonths(last, 1);
        const open = months.map((month) => periods.open(month, { surcharged: true }));
        const charged = open.filter(({ items }) => items.length > 0);
        if (charged.length > 0) onIssued(issue(charged, months.flatMap(creditsFor)), due);
      }
    },

    issueEarly(until) {
      const month = monthOf(until);
      if (until <= periods.startOf(month)) return undefined;
      const period = periods.open(month, { surcharged: true, endTime: until });
      periods.bill(month, until);
      return issue([period], []);
    },

    pending(now) {
      const length = monthsBetween(nextMonth, now) + 1;
      const newestFirst = Array.from({ length }, (_, age) => addMonths(now, -age));
      return newestFirst.flatMap((month) => pendingOf(month, false));
    },

    pendingInFull: (now) => pendingOf(monthOf(now), true, creditsFor(monthOf(now))),
  };
}

/** The number of an invoice that is not issued yet. */
const PENDING = 0;

function invoiceOf(
  account: Account,
  number: number,
  periods: readonly Period[],
  credits: readonly Item[],
): Invoice {
  const startTime = Math.min(...periods.map((period) => period.startTime));
  const orgs = periods.flatMap(({ items }) => items.map(({ org }) => org));
  return {
    id: uuidOf(account.id, 'invoice', number === PENDING ? `from ${startTime}` : number),
    account: account.id,
    number,
    startTime,
    endTime: Math.max(...periods.map((period) => period.endTime)),
    totalCharge: sum(periods.map(({ totalCharge }) => totalCharge)),
    status: 'pending-payment',
    orgNames: [...new Set(orgs)].filter((org) => org !== '').sort(),
    periods,
    credits,
    patches: [],
  };
}
