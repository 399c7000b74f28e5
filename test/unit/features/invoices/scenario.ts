import { BigNumber } from 'bignumber.js';
import { createMoney } from '../../../../src/features/invoices/sheet.ts';
import type {
  Invoice,
  InvoicePeriod,
  LineItem,
} from '../../../../src/platform/billing/invoices.ts';

export const OCTOBER = {
  startTime: Date.UTC(2026, 9, 1),
  endTime: Date.UTC(2026, 10, 1),
};
export const NOW = Date.UTC(2026, 10, 20);

/** The time and the currency of an answer. */
export const shared = {
  readAt: NOW,
  now: NOW,
  money: createMoney('USD'),
  asked: { route: 'invoices', question: {}, page: 1 },
  unitOf: () => undefined,
};

export function line(changes: Partial<LineItem> = {}): LineItem {
  return {
    description: 'acme: cpu (cores * seconds), Quantity: 7200, Rate: 0.00001',
    quantity: new BigNumber(7200),
    charge: new BigNumber(100),
    org: 'acme',
    ...changes,
  };
}

export function period(changes: Partial<InvoicePeriod> = {}): InvoicePeriod {
  return {
    ...OCTOBER,
    totalCharge: new BigNumber(100),
    status: 'paid',
    items: [line()],
    ...changes,
  };
}

export function invoice(changes: Partial<Invoice> = {}): Invoice {
  return {
    id: 'in_12',
    accountId: 'a',
    number: 12,
    ...OCTOBER,
    totalCharge: new BigNumber(100),
    status: 'paid',
    orgNames: ['acme'],
    periods: [period()],
    credits: [],
    ...changes,
  };
}
