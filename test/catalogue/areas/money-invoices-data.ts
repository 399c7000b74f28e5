import type { BigNumber } from 'bignumber.js';
import type { Authorizer } from '../../../src/access/authorizer.ts';
import type { Config } from '../../../src/config/config.ts';
import { createInvoicesFeature } from '../../../src/features/invoices/feature.ts';
import { createMoney } from '../../../src/features/invoices/sheet.ts';
import type { BillingClient } from '../../../src/platform/billing/client.ts';
import type { Charges } from '../../../src/platform/billing/charge-rows.ts';
import type { Invoice, InvoicePeriod, LineItem } from '../../../src/platform/billing/invoices.ts';
import { keptHere } from '../../support/kept.ts';
import { NOW } from '../entry.ts';
import { amount, at, clock, CURRENCY, holding, many, reading } from './money-data.ts';

/** The members that every view of an invoice takes. */
export const frame = {
  readAt: NOW,
  now: NOW,
  money: createMoney(CURRENCY),
  asked: { route: 'invoices', question: {}, page: 1 },
  skipped: 0,
  unitOf: () => undefined,
};

export const OCTOBER = { startTime: at('2026-10-01'), endTime: at('2026-11-01') };
export const NOVEMBER = { startTime: at('2026-11-01'), endTime: at('2026-12-01') };

/** A line of one org and item; the charge in cents. */
export function line(org: string, item: string, quantity: number, charge: number): LineItem {
  const rate = amount(charge).div(100).div(Math.max(1, quantity)).sd(6).toFixed();
  return {
    description: `${org}: ${item}, Quantity: ${quantity}, Rate: ${rate}`,
    quantity: amount(quantity),
    charge: amount(charge),
    org,
  };
}

/** A line of the whole account: a surcharge, or a credit. */
export function ofAccount(description: string, charge: number): LineItem {
  return { description, quantity: undefined, charge: amount(charge), org: '' };
}

export const LINES = [
  line('acme', 'cpu (cores * seconds)', 2_592_000, 86_400),
  line('acme', 'memory (bytes * seconds)', 5_566_277_615_616_000, 31_050),
  line('globex', 'egress (bytes)', 412_316_860_416, 10_000),
];
export const CREDITS = [ofAccount('Welcome credit', -5_000), ofAccount('Support, Oct 12', -1_250)];

const totalOf = (items: readonly LineItem[]): BigNumber =>
  items.reduce((sum, { charge }) => sum.plus(charge ?? 0), amount(0));

export function period(changes: Partial<InvoicePeriod> = {}): InvoicePeriod {
  const { items = LINES } = changes;
  return { ...OCTOBER, totalCharge: totalOf(items), status: 'paid', items, ...changes };
}

/** The invoice of October: $1,274.50. */
export function invoice(changes: Partial<Invoice> = {}): Invoice {
  const { periods = [period({ status: changes.status ?? 'paid' })] } = changes;
  return {
    id: '7b1e4d52-93c6-4f0a-8d21-6e5a0c9f3b12',
    accountId: 'cus_Q1',
    number: 12,
    ...OCTOBER,
    totalCharge: totalOf(periods.flatMap(({ items }) => items)),
    status: 'paid',
    orgNames: ['acme', 'globex'],
    periods,
    credits: [],
    ...changes,
  };
}

/** Invoices of past months, newest first, the latest with this number. */
export function monthly(count: number, latest = 12, changes: Partial<Invoice> = {}): Invoice[] {
  return many(count, (back) =>
    invoice({
      id: `0000000${back}-93c6-4f0a-8d21-6e5a0c9f3b12`.slice(-36),
      number: latest - back,
      startTime: Date.UTC(2026, 9 - back, 1),
      endTime: Date.UTC(2026, 10 - back, 1),
      ...changes,
    }),
  );
}

/** A tier of an item of acme: core-hours, the price of a core-second, and the charge in cents. */
export function tier(hours: number, rate: string, charge: number): LineItem {
  const quantity = hours * 3_600;
  const description = `acme: cpu (cores * seconds), Quantity: ${quantity}, Rate: ${rate}`;
  return { description, quantity: amount(quantity), charge: amount(charge), org: 'acme' };
}

/** The same with a charge that cannot be read, as a line or a credit. */
export function unread(item: LineItem): LineItem {
  return { ...item, charge: undefined };
}

/** The answer of the charge query: its total, in a currency. */
export function charged(total: number, currency = CURRENCY, skipped = 0): Charges {
  const row = {
    value: amount(1),
    tags: {},
    total: amount(total),
    projectedTotal: undefined,
    currency,
    ratePlans: [],
  };
  const span = { startMs: OCTOBER.startTime, endMs: OCTOBER.endTime };
  const seconds = { totalSeconds: undefined, elapsedSeconds: undefined };
  const groups = [{ key: { org: 'acme' }, rows: [row] }];
  return {
    periods: [{ ...span, ...seconds, consumptionCount: 1, groups }],
    consumptionCount: 1,
    skipped,
    aggregateBy: ['metric'],
    mayBeTooLow: false,
  };
}

export const chargesOf = (charges: Charges) => ({ account: async () => reading(charges) });

/** The command over a platform that says this much. `address`: of the files that are sent. */
export function invoicesFeature(says: Partial<BillingClient>, address?: string) {
  return createInvoicesFeature({
    billing: () => says as BillingClient,
    config: { currency: CURRENCY } as Config,
    kept: keptHere(),
    sendFile: async () => address,
    clock,
    access: { requireRole: holding('billing_admin') } as Authorizer,
  });
}
