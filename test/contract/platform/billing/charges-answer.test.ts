import { expect, test } from 'vitest';
import {
  CPU,
  DAY_SECONDS,
  MEMORY,
  rowsOf,
  select,
  SEPTEMBER,
  startMetering,
  startsOf,
} from '../consumption/support.ts';
import { sequence } from '../support.ts';
import { startBillingClient } from './support.ts';

const QUERY = {
  ...SEPTEMBER,
  timeStep: 'month' as const,
  groupBy: ['org', 'gvc'],
  consumptionQueries: [...select(CPU, 'org', 'gvc'), ...select(MEMORY, 'org', 'gvc')],
};
/** Half of October has passed at noon of the 15th. */
const NOVEMBER = '2026-11-01T00:00:00Z';

/** Charges as an answer by hand has them: one period with these rows, each the JSON text of its own members. */
async function chargesOf(...rows: string[]) {
  const tags = '"tags": {"org": "acme"}';
  const consumptions = rows.map((row) => `{${row}, ${tags}}`).join();
  const { url } = await sequence({
    body: `{"results": {"consumptionCount": ${rows.length}, "periods": [{
      "startTime": "${SEPTEMBER.startTime}", "endTime": "${SEPTEMBER.endTime}",
      "totalSeconds": 2592000, "consumptionCount": ${rows.length},
      "groups": [{"key": {"org": "acme"}, "consumptions": [${consumptions}]}]
    }]}}`,
  });
  const query = { ...QUERY, groupBy: ['org'] };
  return (await startBillingClient(url).charges.account(query)).value;
}

test('charges come as periods of groups of priced rows, under the keys that were asked for', async () => {
  const { charges } = await startMetering();

  const { value } = await charges.account(QUERY);

  const groups = value.periods.flatMap((period) => period.groups);
  expect(startsOf(value.periods)).toEqual([SEPTEMBER.startTime]);
  expect(groups.map(({ key }) => Object.values(key).join('/'))).toContain('acme/shop');
  for (const { key, rows } of groups) {
    expect(Object.keys(key).toSorted()).toEqual(['gvc', 'org']);
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) {
      expect(row.tags).toMatchObject(key);
      expect(row.value.gt(0)).toBe(true);
    }
  }
});

test('a period has its range, its length, its elapsed time and its number of rows', async () => {
  const { charges } = await startMetering();
  const october = { startTime: SEPTEMBER.endTime, endTime: NOVEMBER };

  const { value } = await charges.account({ ...QUERY, ...october });
  const notBegun = await chargesOf('"value": 1, "total": 0');

  expect(value.periods).toEqual([
    {
      startMs: Date.parse(october.startTime),
      endMs: Date.parse(NOVEMBER),
      totalSeconds: 31 * DAY_SECONDS,
      elapsedSeconds: 14.5 * DAY_SECONDS,
      consumptionCount: rowsOf(value).length,
      groups: expect.any(Array) as unknown[],
    },
  ]);
  expect(value.consumptionCount).toBe(rowsOf(value).length);
  expect(notBegun.periods[0]).toMatchObject({ totalSeconds: 2_592_000, elapsedSeconds: undefined });
});

test('each charge is an exact decimal in whole units, with its currency and its rate plans', async () => {
  const { charges } = await startMetering();

  const { value } = await charges.account(QUERY);
  const [long] = rowsOf(
    await chargesOf(
      '"value": 1, "total": 9007199254740993.10000000000000000001, "currency": "EUR"',
    ),
  );

  for (const { total, currency, ratePlans } of rowsOf(value)) {
    expect(total.gt(0)).toBe(true);
    expect(currency).toBe('USD');
    expect(ratePlans).toEqual([expect.stringMatching(/./)]);
  }
  expect(long?.total.toFixed()).toBe('9007199254740993.10000000000000000001');
  expect(long?.currency).toBe('EUR');
});

test('the period of the present has a total projected to its end, and no other period has', async () => {
  const { charges } = await startMetering();

  const { value } = await charges.account({
    ...QUERY,
    endTime: NOVEMBER,
    aggregateByTimeStep: true,
  });

  const [september, october] = value.periods.map(({ groups }) =>
    groups.flatMap(({ rows }) => rows),
  );
  expect(september?.map(({ projectedTotal }) => projectedTotal)).toEqual(
    september?.map(() => undefined),
  );
  expect(october?.length).toBeGreaterThan(0);
  for (const { total, projectedTotal } of october ?? []) {
    expect(projectedTotal?.div(total).toNumber()).toBeCloseTo(31 / 14.5, 3);
  }
});

test('a row whose money cannot be read is left out and counted', async () => {
  const whole = '"value": 7200, "total": 12.5, "currency": "USD"';

  const charges = await chargesOf(
    whole,
    '"value": 3600, "total": "6.25 USD", "currency": "USD"',
    '"value": 3600, "total": 1e999, "currency": "USD"',
    '"value": 3600, "total": 6.25, "currency": null',
    '"value": 3600, "currency": "USD"',
  );

  expect(rowsOf(charges).map(({ total, currency }) => `${total.toFixed()} ${currency}`)).toEqual([
    '12.5 USD',
  ]);
  expect(charges.skipped).toBe(4);
});

test('without usage there are no periods, and that is no failure', async () => {
  const { charges } = await startMetering();

  const { value } = await charges.account({
    ...QUERY,
    consumptionQueries: select({ ...CPU, workload: 'nothing' }, 'org', 'gvc'),
  });

  expect(value).toMatchObject({ periods: [], consumptionCount: 0, skipped: 0, mayBeTooLow: false });
});
