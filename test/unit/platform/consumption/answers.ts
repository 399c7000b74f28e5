import { BigNumber } from 'bignumber.js';
import * as fc from '../../../support/fast-check.ts';
import { pathsOf, replaced } from '../replaced.ts';

/** Answers of queries as the specification writes them (2.7), for tests that spoil them. */

export const GROUP_BY = ['gvc'];

const priced = (value: number, total: number) => ({
  value,
  tags: { gvc: 'shop', metric: 'cpu', locationType: 'cloud', feature: 'workloads', volumeIndex: 0 },
  total,
  projectedTotal: total * 2,
  currency: 'USD',
  ratePlans: ['plan-1'],
});

const tier = (amount: number, units: number, to: number) => ({
  amount,
  units,
  rate: 0.125,
  from: 0,
  to,
  chargeableItemId: 'item-1',
  ratePlanItem: 'rate-1',
});

function result(rows: object[]) {
  return {
    periods: [
      {
        startTime: '2026-09-01T00:00:00Z',
        endTime: '2026-10-01T00:00:00Z',
        totalSeconds: 2_592_000,
        elapsedSeconds: 2_592_000,
        consumptionCount: rows.length,
        groups: [{ key: { gvc: 'shop' }, consumptions: rows }],
      },
    ],
    consumptionCount: rows.length,
  };
}

export const CHARGES = { results: result([priced(7200, 12.5), priced(3600, 6.25)]) };

export const DETAILED = {
  detailedResults: [
    {
      accountState: { ratePlan: 'plan-1' },
      results: [
        result([{ ...priced(200, 25), details: [tier(12.5, 100, 100), tier(12.5, 100, -1)] }]),
      ],
    },
  ],
};

export const USAGE = result([
  { value: 7200.5, projectedValue: 14401, tags: { gvc: 'shop', metric: 'cpu' } },
]);

/** What is never a number or an object that stands where it should. */
export const WRONG = [
  'seven',
  '7 USD',
  ' 7',
  '1,5',
  '',
  true,
  null,
  [],
  {},
  Number.NaN,
  { s: 1, e: 0, c: [9], _isBigNumber: true },
];

const odd = fc.oneof(
  fc.constantFrom<unknown>(undefined, ...WRONG, '7', -5, 1e300, new BigNumber('9007199254740993')),
  fc.jsonValue({ maxDepth: 3 }),
  fc.dictionary(fc.constantFrom('__proto__', 'constructor', 'value', 'total'), fc.nat()),
);

/** The answer with up to three of its parts replaced by anything. */
export function spoiled(answer: unknown) {
  const mutation = fc.record({ path: fc.constantFrom(...pathsOf(answer)), by: odd });
  return fc
    .array(mutation, { minLength: 1, maxLength: 3 })
    .map((mutations) =>
      mutations.reduce<unknown>((value, { path, by }) => replaced(value, path, by), answer),
    );
}

/** Every number in a value, as text without loss; texts that are one count. */
export function numbersIn(value: unknown): string[] {
  if (typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value)) {
    return [new BigNumber(value).toFixed()];
  }
  if (typeof value === 'number' || value instanceof BigNumber)
    return [new BigNumber(value).toFixed()];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(numbersIn);
}
