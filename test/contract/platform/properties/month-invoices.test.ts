import { BigNumber } from 'bignumber.js';
import * as fc from '../../../support/fast-check.ts';
import { expect, onTestFinished, test } from 'vitest';

import { ALWAYS } from '../billing/support.ts';
import { rowsOf, timeOf } from '../consumption/support.ts';
import { monthsOf, type Span } from './steps.ts';
import { add, startAt, type Standing } from './support.ts';

const RUNS = 25;
const TIMEOUT_MS = 120_000;
const NOW = Date.parse('2026-10-15T12:00:00Z');
const DAY_MINUTES = 1440;

/** Some time passes, and then perhaps somebody has the month so far billed. */
const turns = fc.record({
  minutes: fc.oneof(
    fc.integer({ min: 1, max: 3 * DAY_MINUTES }),
    fc.integer({ min: 1, max: 25 * DAY_MINUTES }),
  ),
  isBilled: fc.boolean(),
});

test(
  'every invoice of the past is the charges of its months, and the sum of its lines',
  async () => {
    const standing = await startAt(timeOf(NOW));
    onTestFinished(standing.close);
    const { value: listed } = await standing.billing.listInvoices(ALWAYS);

    expect(listed.skipped).toBe(0);
    expect(listed.items.length).toBeGreaterThan(10);
    for (const { totalCharge, periods } of listed.items) {
      expect(sumOf(periods.map((period) => period.totalCharge!))).toBe(totalCharge?.toFixed());
      for (const { startTime, endTime, totalCharge, items } of periods) {
        const charged = await chargedIn(standing, { start: startTime!, end: endTime! });
        expect(totalCharge?.toFixed()).toBe(charged);
        expect(sumOf(items.map(({ charge }) => charge!))).toBe(charged);
      }
    }
  },
  TIMEOUT_MS,
);

test(
  'whenever a month is billed, and in how many parts: invoices and what is pending are its charges',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(turns, { minLength: 1, maxLength: 6 }), async (turns) => {
        const standing = await startAt(timeOf(NOW));
        try {
          for (const { minutes, isBilled } of turns) {
            await control(standing, 'clock', { advanceSeconds: minutes * 60 });
            // It refuses an hour that is billed already.
            if (isBilled) await control(standing, 'invoices/issue', {});
            const months = await monthsSince(standing);
            expect(months.map(({ billed }) => billed)).toEqual(
              months.map(({ charged }) => charged),
            );
          }
        } finally {
          await standing.close();
        }
      }),
      { numRuns: RUNS },
    );
  },
  TIMEOUT_MS,
);

/** What is billed or pending of each month since that of the seed, and what it is charged, in cents. */
async function monthsSince(standing: Standing) {
  const { billing, platform } = standing;
  const { value: issued } = await billing.listInvoices({ ...ALWAYS, end: '2030-01-01T00:00:00Z' });
  const { value: pending } = await billing.listPendingInvoices();
  const periods = [...issued.items, ...pending.items].flatMap(({ periods }) => periods);
  expect(issued.skipped + pending.skipped).toBe(0);
  expect(periods.map(({ totalCharge }) => totalCharge?.toFixed())).toEqual(
    periods.map(({ items }) => sumOf(items.map(({ charge }) => charge!))),
  );

  const months = monthsOf({ start: NOW, end: platform.clock.now() + 1 }).map(async (month) => {
    const lines = periods
      .filter(({ startTime, endTime }) => startTime! >= month.start && endTime! <= month.end)
      .flatMap(({ items }) => items)
      // A surcharge is no charge: its line is of no org.
      .filter(({ org }) => org !== '');
    const billed = sumOf(lines.map(({ charge }) => charge!));
    return { billed, charged: await chargedIn(standing, month) };
  });
  return Promise.all(months);
}

/** What the account is charged for a span, in cents. */
async function chargedIn({ charges }: Standing, { start, end }: Span): Promise<string> {
  const { value: catalogue } = await charges.chargeableItems();
  const tags = catalogue.items.flatMap(({ consumptionTags }) => Object.keys(consumptionTags));
  const { value } = await charges.account({
    startTime: timeOf(start),
    endTime: timeOf(end),
    timeStep: 'month',
    groupBy: [],
    consumptionQueries: [{ aggregateBy: [...new Set(tags)] }],
  });
  expect(value.skipped).toBe(0);
  const whole = add(rowsOf(value).map(({ total }) => total));
  return whole.times(100).toFixed(0, BigNumber.ROUND_HALF_UP);
}

function sumOf(charges: readonly BigNumber[]): string {
  return add(charges).toFixed();
}

async function control({ platform }: Standing, path: string, body: object): Promise<void> {
  const response = await fetch(`${platform.url}/_sandbox/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  await response.text();
  expect([200, 400]).toContain(response.status);
}
