import { BigNumber } from 'bignumber.js';
import { expect, test } from 'vitest';
import {
  invoiceCard,
  revisedReply,
  statusReply,
} from '../../../../src/features/invoices/card-view.ts';
import { createMoney } from '../../../../src/features/invoices/sheet.ts';
import type { Invoice } from '../../../../src/platform/billing/invoices.ts';
import { tooLong } from '../../../catalogue/heard.ts';
import * as fc from '../../../support/fast-check.ts';

const MOST = { lines: 12, characters: 900 };
const money = createMoney('USD');
const name = fc.oneof(
  fc.string({ minLength: 1, maxLength: 64 }),
  fc.constantFrom(
    'a-division-of-the-northern-european-warehouses-of-the-company-2',
    '&'.repeat(40),
  ),
);
const cents = fc.integer({ min: -999_999_999, max: 999_999_999 });

/** An invoice of hours, which have the longest words, with lines of these orgs and items. */
function invoiceOf(
  over: Partial<Invoice>,
  lines: readonly (readonly [org: string, item: string, charge: number])[],
): Invoice {
  const span = { startTime: Date.UTC(2026, 8, 28, 10), endTime: Date.UTC(2026, 9, 12, 14) };
  const items = lines.map(([org, description, charge]) => ({
    org,
    description,
    quantity: undefined,
    charge: new BigNumber(charge),
  }));
  const totalCharge = new BigNumber(1_234_567_890);
  return {
    id: 'x'.repeat(80),
    number: undefined,
    accountId: '',
    ...span,
    totalCharge,
    status: 'payment-failed',
    orgNames: [],
    periods: [{ ...span, totalCharge, status: 'payment-failed', items }],
    credits: [{ description: 'Goodwill', org: '', quantity: undefined, charge: new BigNumber(-1) }],
    ...over,
  };
}

test('the card of an invoice and its replies stay short whatever the names and the amounts', () => {
  const status = fc.constantFrom(
    'paid',
    'pending-payment',
    'payment-failed',
    'partially-paid',
    'partially-failed',
    'a-status-that-came-later-than-the-specification-of-the-platform',
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(name, name, cents), { maxLength: 12 }), status, (lines, now) => {
      const invoice = invoiceOf({ status: now }, lines);
      const before = invoiceOf({ id: 'y'.repeat(80) }, lines.slice(0, 2));
      const card = invoiceCard({ invoice, before, unitOf: () => undefined, money });
      expect(tooLong(card, MOST)).toBeUndefined();
      const said = [
        statusReply(invoice, 'an-older-status-of-the-platform-with-a-long-name', money),
        revisedReply(invoice, { total: new BigNumber(-987_654_321), due: new BigNumber(1) }, money),
      ];
      for (const reply of said) expect(tooLong(reply, MOST)).toBeUndefined();
    }),
    { numRuns: 300, endOnFailure: true },
  );
});

test('invoices of spans of different length are compared per day, and say so; whole months are not', () => {
  const span = (from: number, to: number) => ({
    startTime: Date.UTC(2026, from, 1),
    endTime: Date.UTC(2026, to, 1),
    number: from,
    credits: [],
  });
  const half = {
    ...span(9, 10),
    endTime: Date.UTC(2026, 9, 16),
    totalCharge: new BigNumber(1_500),
  };
  const september = invoiceOf({ ...span(8, 9), totalCharge: new BigNumber(3_000) }, [
    ['acme', 'cpu', 3_000],
  ]);
  const cardOf = (changes: Partial<Invoice>, charge: number) =>
    invoiceCard({
      invoice: invoiceOf(changes, [['acme', 'cpu', charge]]),
      before: september,
      unitOf: () => undefined,
      money,
    }).text;

  const shorter = cardOf(half, 1_650);
  expect(shorter).toContain(
    '$15.00 charged for 15 days: $1.00 a day, no change vs Invoice 8 (September 2026, 30 days: $1.00 a day)',
  );
  expect(shorter).toMatch(/acme · cpu: \+\$0\.10 a day \(\+10/);
  const hour = { ...half, endTime: Date.UTC(2026, 9, 1, 1), totalCharge: new BigNumber(100) };
  expect(cardOf(hour, 100)).toContain('$1.00 charged for 1 hour: $24.00 a day');
  const october = cardOf({ ...span(9, 10), totalCharge: new BigNumber(3_000) }, 3_000);
  expect(october).toContain('$30.00 charged, no change vs Invoice 8 (September 2026)');
  expect(october).not.toContain('a day');
});

test('names that look alike when they are short are distinguished by their amounts', () => {
  const long = (end: string) => `${'n'.repeat(30)}${end}${'n'.repeat(30)}`;
  const invoice = invoiceOf({ number: 13 }, [
    [long('a'), 'cpu', 500],
    [long('b'), 'cpu', 300],
  ]);
  const before = invoiceOf({ number: 12 }, [[long('a'), 'cpu', 100]]);
  const { text } = invoiceCard({ invoice, before, unitOf: () => undefined, money });
  expect(text).toMatch(/cpu: \+\$4\.00 \(\+400/);
  expect(text).toContain('cpu: +$3.00 (new)');
});

test('an invoice of nothing, or after one of nothing, has the amount of the one before', () => {
  const [costs, free] = [30, 0].map((dollars) =>
    invoiceOf({ number: 8, totalCharge: new BigNumber(dollars * 100), credits: [] }, []),
  );
  const textOf = (invoice = costs, before?: Invoice) =>
    invoiceCard({ invoice: invoice!, before, unitOf: () => undefined, money }).text;

  expect(textOf(free, costs)).toMatch(/\$0\.00 charged; Invoice 8 \(.*\) was \$30\.00\n/);
  expect(textOf(costs, free)).toMatch(/\$30\.00 charged; Invoice 8 \(.*\) was \$0\.00\n/);
  expect(textOf(costs)).toContain('$30.00 charged; no earlier invoice can be compared');
});
