import { BigNumber } from 'bignumber.js';
import { describe, expect, it } from 'vitest';
import { reconcile } from '../../../../src/features/invoices/reconcile.ts';
import { smallestUnits } from '../../../../src/reporting/amounts.ts';
import type { AccountChargeQuery } from '../../../../src/platform/billing/charges.ts';
import type { Invoice, LineItem } from '../../../../src/platform/billing/invoices.ts';
import { invoice, line, NOW, OCTOBER, period } from './scenario.ts';

interface Charged {
  total: string;
  currency?: string | undefined;
}

/** A charge query whose every answer has these rows. */
function charges(rows: readonly Charged[], { skipped = 0, mayBeTooLow = false } = {}) {
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
    const reported = { skipped, aggregateBy: ['metric'], mayBeTooLow };
    return { value: { periods, consumptionCount: 1, ...reported }, readAt: NOW };
  };
  return { asked, account };
}

const failing = (error: Error) => ({
  account: async () => {
    throw error;
  },
});

/** The parts of a comparison as numbers, or the sentence why nothing is there. */
async function compare(account: Parameters<typeof reconcile>[0], one: Invoice, currency = 'USD') {
  const result = await reconcile(account, one, currency);
  if ('impossible' in result) return result.impossible;
  return Object.fromEntries(
    Object.entries(result).map(([name, part]) => [
      name,
      part instanceof BigNumber ? part.toNumber() : (part as boolean),
    ]),
  );
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
});

/** Of an invoice that charges so much more than the charges of its months; both in whole units. */
const restOf = async (total: string, rest: string, currency: string, lines: number) => {
  const { account } = charges([{ total: `${Number(total) - Number(rest)}`, currency }]);
  const totalCharge = smallestUnits(new BigNumber(total), currency)!;
  const items = Array.from({ length: lines }, () => line());
  return compare({ account }, invoice({ totalCharge, periods: [period({ items })] }), currency);
};

it.each([
  // Half a smallest unit for each line, and for the charges of the month.
  ['JPY', '5000', '-12', 24, true],
  ['JPY', '5000', '-13', 24, false],
  ['KWD', '1', '0.012', 24, true],
  ['KWD', '1', '0.013', 24, false],
  ['USD', '50', '0.12', 24, true],
  ['USD', '50', '-0.13', 24, false],
  ['USD', '0', '-0.01', 0, false],
  // Two thousandths of the invoice, which later revisions make.
  ['USD', '1000', '2', 0, true],
  ['USD', '1000', '2.01', 0, false],
  ['JPY', '1000', '4', 0, false],
  ['USD', '-1000', '-2', 0, true],
  ['USD', '-1000', '2.01', 0, false],
])(
  'a rest of %s %s that is %s, of %i lines, is explained: %s',
  async (currency, total, rest, lines, isRestSmall) => {
    const parts = await restOf(total, rest, currency, lines);
    const units = smallestUnits(new BigNumber(rest), currency)?.toNumber();
    expect(parts).toMatchObject({ rest: units, isRestSmall });
  },
);

describe('an invoice that can be read in part', () => {
  it('is compared before credits where one of them cannot be read', async () => {
    const { account } = charges([{ total: '1', currency: 'USD' }]);
    const credits = [line({ charge: new BigNumber(-10) }), line({ charge: undefined })];

    const parts = await compare({ account }, invoice({ credits }));

    expect(parts).toMatchObject({ invoiced: 100, isBeforeCredits: true, credits: 0, rest: 0 });
  });

  it('of less than nothing has no credit that no one gave', async () => {
    const { account } = charges([{ total: '-5', currency: 'USD' }]);
    const totalCharge = new BigNumber(-500);
    const credits = [line({ charge: new BigNumber(-100) })];

    expect(await compare({ account }, invoice({ totalCharge }))).toMatchObject({
      invoiced: -500,
      credits: 0,
      rest: 0,
      isBeforeCredits: false,
    });
    expect(await compare({ account }, invoice({ totalCharge, credits }))).toMatchObject({
      invoiced: -500,
      credits: 0,
      isBeforeCredits: true,
    });
  });

  it.each<[string, boolean, Partial<LineItem>]>([
    ['without an amount', true, { org: '', charge: undefined }],
    ['of an org that cannot be read', true, { org: undefined }],
    ['of an org, without an amount', false, { charge: undefined }],
  ])('has a line %s, which may be in the rest: %s', async (_what, is, changes) => {
    const { account } = charges([{ total: '1', currency: 'USD' }]);
    const one = invoice({ periods: [period({ items: [line(), line(changes)] })] });
    expect(await compare({ account }, one)).toMatchObject({
      surcharges: 0,
      hasUnreadSurcharges: is,
    });
  });

  it.each([true, false])('says whether the charges may be too low: %s', async (mayBeTooLow) => {
    const { account } = charges([{ total: '1', currency: 'USD' }], { mayBeTooLow });
    expect(await compare({ account }, invoice())).toMatchObject({ mayBeTooLow });
  });
});

const UNTIMED = 'the times of a period of the invoice cannot be read.';

/** The other reasons are in the catalogue. */
describe('there is no comparison', () => {
  const dollars = charges([{ total: '1', currency: 'USD' }]);

  it.each([
    ['of a period without an end', [period({ endTime: undefined })], UNTIMED],
    ['of a period without a begin', [period({ startTime: undefined })], UNTIMED],
    [
      'of a period that ends before it begins',
      [period({ startTime: OCTOBER.endTime, endTime: OCTOBER.startTime })],
      UNTIMED,
    ],
    ['of a period of no time', [period({ endTime: OCTOBER.startTime })], UNTIMED],
    ['that begins off the hour', [period({ startTime: OCTOBER.startTime + 1 })], 'whole hour'],
  ])('%s', async (_what, periods, why) => {
    expect(await compare(dollars, invoice({ periods }))).toContain(why);
  });

  it('with charges that were read in part', async () => {
    expect(await compare(charges([], { skipped: 1 }), invoice())).toContain('cannot be read');
  });

  it('with an invoice whose total cannot be read', async () => {
    const { account, asked } = charges([]);
    expect(await compare({ account }, invoice({ totalCharge: undefined }))).toBe(
      'the total of the invoice cannot be read.',
    );
    expect(asked).toEqual([]);
  });

  it('but a defect of ours is not one of the platform', async () => {
    await expect(compare(failing(new TypeError('oops')), invoice())).rejects.toThrow('oops');
  });
});
