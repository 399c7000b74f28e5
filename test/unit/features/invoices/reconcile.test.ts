import { BigNumber } from 'bignumber.js';
import * as fc from '../../../support/fast-check.ts';
import { describe, expect, it } from 'vitest';

import { reconcile } from '../../../../src/features/invoices/reconcile.ts';
import type { AccountChargeQuery } from '../../../../src/platform/billing/charges.ts';
import type { Invoice } from '../../../../src/platform/billing/invoices.ts';
import { PlatformError } from '../../../../src/platform/errors.ts';
import { invoice, line, NOW, OCTOBER, period } from './story.ts';

interface Charged {
  total: string;
  currency?: string | undefined;
}

/** A charge query whose every answer has these rows. */
function charges(rows: readonly Charged[], skipped = 0) {
  const asked: AccountChargeQuery[] = [];
  const account = async (query: AccountChargeQuery) => {
    asked.push(query);
    const read = rows.map(({ total, currency }) => ({
      value: new BigNumber(1),
      tags: {},
      total: new BigNumber(total),
      projectedTotal: undefined,
      currency,
      ratePlans: [],
    }));
    const whole = { startMs: 0, endMs: 1, totalSeconds: 1, elapsedSeconds: 1 };
    const periods = [{ ...whole, consumptionCount: 1, groups: [{ key: {}, rows: read }] }];
    return { value: { periods, consumptionCount: 1, skipped }, readAt: NOW };
  };
  return { asked, account };
}

const failing = (error: Error) => ({
  account: async () => {
    throw error;
  },
});

/** The parts of a comparison as numbers, or the sentence why there is none. */
async function compare(account: Parameters<typeof reconcile>[0], one: Invoice, currency = 'USD') {
  const result = await reconcile(account, one, currency);
  if ('impossible' in result) return result.impossible;
  return Object.fromEntries(Object.entries(result).map(([name, part]) => [name, part.toNumber()]));
}

describe('an invoice beside the charges of its months', () => {
  it('asks for each period as a whole, with everything that prices depend on', async () => {
    const { account, asked } = charges([]);
    const november = { startTime: OCTOBER.endTime, endTime: Date.UTC(2026, 10, 15, 12) };

    await reconcile({ account }, invoice({ periods: [period(), period(november)] }), 'USD');

    expect(asked.map(({ startTime, endTime, timeStep }) => [startTime, endTime, timeStep])).toEqual(
      [
        ['2026-10-01T00:00:00Z', '2026-11-01T00:00:00Z', 'month'],
        ['2026-11-01T00:00:00Z', '2026-11-15T12:00:00Z', 'hour'],
      ],
    );
    expect(asked[0]).toMatchObject({
      aggregateByTimeStep: false,
      groupBy: ['org'],
      consumptionQueries: [
        { aggregateBy: ['feature', 'metric', 'locationType', 'performanceClass', 'org'] },
      ],
    });
    expect(asked[0]?.orgs).toBeUndefined();
  });

  it('asks once for a month that several periods are of, which is charged once', async () => {
    const { account, asked } = charges([{ total: '1', currency: 'USD' }]);

    const parts = await compare({ account }, invoice({ periods: [period(), period()] }));

    expect(asked.length).toBe(1);
    expect(parts).toMatchObject({ charged: 100, rest: 0 });
  });

  it.each([
    ['USD', '1.004999', 100],
    ['JPY', '99.5', 100],
    ['KWD', '0.0995', 100],
  ])(
    'compares in the smallest unit of %s, rounded once a period',
    async (currency, total, cents) => {
      const { account } = charges([{ total, currency }]);

      expect(await compare({ account }, invoice(), currency)).toMatchObject({
        charged: cents,
        rest: 0,
      });
    },
  );

  it('is told apart into credits, surcharges and a rest, which are the whole difference', async () => {
    const amount = fc.integer({ min: 0, max: 1_000_000 });
    await fc.assert(
      fc.asyncProperty(
        amount,
        amount,
        amount,
        amount,
        async (charged, total, credit, surcharge) => {
          const { account } = charges([{ total: `${charged / 100}`, currency: 'USD' }]);
          const items = [line(), line({ org: '', charge: new BigNumber(surcharge) })];
          const credits = [line({ charge: new BigNumber(-credit) })];
          const totalCharge = new BigNumber(total);

          const parts = await compare(
            { account },
            invoice({ periods: [period({ items })], totalCharge, credits }),
          );

          const due = Math.max(0, total - credit);
          expect(parts).toEqual({
            charged,
            credits: due - total,
            surcharges: surcharge,
            rest: total - surcharge - charged,
            due,
          });
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('there is no comparison', () => {
  const dollars = charges([{ total: '1', currency: 'USD' }]);

  const day = (at: number) =>
    period({
      startTime: OCTOBER.startTime + at * 86_400_000,
      endTime: OCTOBER.startTime + (at + 1) * 86_400_000,
    });

  it.each([
    ['without periods', [], 'names no periods'],
    ['of a period without an end', [period({ endTime: undefined })], 'whole hour'],
    ['off the hour', [period({ endTime: OCTOBER.endTime + 1 })], 'whole hour'],
    ['of many periods', Array.from({ length: 37 }, (_, at) => day(at)), 'more than 36 periods'],
    ['of periods that overlap', [day(3), period()], 'periods of the invoice overlap'],
  ])('%s', async (_what, periods, why) => {
    expect(await compare(dollars, invoice({ periods }))).toContain(why);
  });

  it('of unlike things', async () => {
    const mixed = charges([
      { total: '1', currency: 'USD' },
      { total: '1', currency: 'EUR' },
    ]);

    expect(await compare(mixed, invoice())).toBe(
      'the charges are in EUR and USD, and the invoice is read as USD.',
    );
    expect(await compare(dollars, invoice(), 'JPY')).toContain('read as JPY');
  });

  it('with charges that were read in part', async () => {
    expect(await compare(charges([], 1), invoice())).toContain('cannot be read');
  });

  it.each([
    ['usage that is kept no longer', { earliestStart: Date.UTC(2025, 10, 1) }, 'since 2025-11-01'],
    ['a refusal', { status: 400 }, 'It says: so it is'],
  ])('with %s', async (_what, facts, why) => {
    const refused = failing(new PlatformError('bad-request', 'so it is', facts));

    expect(await compare(refused, invoice())).toContain(why);
  });

  it('but a defect of ours is none of the platform', async () => {
    await expect(compare(failing(new TypeError('oops')), invoice())).rejects.toThrow('oops');
  });
});
