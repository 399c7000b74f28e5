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

/** Values that are never a valid number or object. */
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
