import { BigNumber } from 'bignumber.js';
import { expect, test } from 'vitest';
import * as fc from '../../../support/fast-check.ts';
import {
  add,
  CPU,
  exactly,
  MEMORY,
  rowsOf,
  select,
  startApis,
  sumOf,
  type Apis,
  type Detail,
  type QueryResult,
} from './spec-support.ts';
import { startPlatform } from './support.ts';

const SEPTEMBER = Date.UTC(2026, 8, 1);
const HOURS = 720;
const hour = fc.integer({ min: 0, max: HOURS });
/** Two hours of September, the earlier one first. */
const hours = fc
  .tuple(hour, hour)
  .map(([one, other]) => [Math.min(one, other), Math.max(one, other)] as const);
const tags = fc.subarray(['org', 'gvc', 'workload', 'location', 'provider', 'workloadType']);
const RUNS = { numRuns: 40 };

const at = (hours: number) => new Date(SEPTEMBER + hours * 3_600_000).toISOString();
const range = (from: number, to: number) => ({
  startTime: at(from),
  endTime: at(to),
  timeStep: 'hour',
});

/** The tiers of an item, as the rows of one whole month show them. */
async function tiersOf({ account }: Apis, filterBy: object): Promise<Detail[]> {
  const { text } = await account('POST', '/charges/-query', {
    body: { ...range(0, HOURS), groupBy: [], consumptionQueries: select(filterBy), detailed: true },
  });
  const { detailedResults } = exactly(text) as { detailedResults: { results: QueryResult[] }[] };
  return detailedResults.flatMap(({ results }) =>
    results.flatMap((result) => rowsOf(result).flatMap(({ details }) => details)),
  );
}

/** What the first `units` of a month cost. */
function priceOf(units: BigNumber, tiers: readonly Detail[]): BigNumber {
  return add(
    tiers.map(({ from, to, rate }) => {
      const end = to.eq(-1) ? units : BigNumber.minimum(units, to);
      return BigNumber.maximum(end.minus(from), 0).times(rate);
    }),
  );
}

test('charges are the price of all that was used by then, less what was used before', async () => {
  const apis = await startApis();
  const hosted = { ...MEMORY, locationType: 'control_plane_hosted' };
  const tiers = await tiersOf(apis, hosted);
  expect(tiers).toHaveLength(3);
  const charged = async (from: number, to: number) =>
    apis.charges({ ...range(from, to), consumptionQueries: select(hosted) });

  await fc.assert(
    fc.asyncProperty(hours, async ([from, to]) => {
      const before = new BigNumber(sumOf(await charged(0, from), 'value'));
      const result = await charged(from, to);

      const used = before.plus(sumOf(result, 'value'));
      expect(sumOf(result, 'total')).toBe(
        priceOf(used, tiers).minus(priceOf(before, tiers)).toFixed(),
      );
    }),
    RUNS,
  );
});

test('values and charges add up over any grouping and any steps', async () => {
  const { charges } = await startApis();
  const days = fc.tuple(fc.integer({ min: 0, max: 29 }), fc.integer({ min: 1, max: 4 }));

  await fc.assert(
    fc.asyncProperty(days, tags, fc.boolean(), async ([day, count], aggregateBy, perStep) => {
      const query = range(day * 24, Math.min(day + count, 30) * 24);
      const whole = await charges({ ...query, consumptionQueries: select(CPU) });
      const parts = await charges({
        ...query,
        timeStep: perStep ? 'hour' : 'day',
        aggregateByTimeStep: true,
        consumptionQueries: select(CPU, ...aggregateBy),
      });

      expect(rowsOf(parts).length).toBeGreaterThan(rowsOf(whole).length - 1);
      expect(sumOf(parts, 'value')).toBe(sumOf(whole, 'value'));
      expect(sumOf(parts, 'total')).toBe(sumOf(whole, 'total'));
    }),
    RUNS,
  );
});

test('the same query selected twice fills the tiers twice as fast', async () => {
  const apis = await startApis();
  const hosted = { ...CPU, locationType: 'control_plane_hosted' };
  const tiers = await tiersOf(apis, hosted);

  const twice = await apis.charges({ consumptionQueries: [...select(hosted), ...select(hosted)] });

  const used = new BigNumber(sumOf(twice, 'value'));
  expect(rowsOf(twice)).toHaveLength(2);
  expect(sumOf(twice, 'total')).toBe(priceOf(used, tiers).toFixed());
});

test('metering is the same on every run, whatever the seed of the noise', async () => {
  const answers: string[] = [];
  for (const seed of [1, 2]) {
    const { platform } = await startPlatform({ seed });
    const response = await fetch(`${platform.usageUrl}/org/globex/query`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${platform.tokens['globex']}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        startTime: '2025-09-01T00:00:00Z',
        endTime: '2026-11-01T00:00:00Z',
        timeStep: 'month',
        aggregateByTimeStep: true,
        groupBy: ['metric'],
        consumptionQueries: [{ aggregateBy: ['metric', 'workload', 'location', 'volumeIndex'] }],
      }),
    });
    answers.push(await response.text());
  }

  expect(answers[0]).toContain('"volume_set_capacity"');
  expect(answers[1]).toBe(answers[0]);
});

test('fourteen months of history: a workload began, one ended, and the rate plan changed', async () => {
  const { used, charges } = await startApis();
  const months = {
    startTime: '2025-01-01T00:00:00Z',
    endTime: '2026-11-01T00:00:00Z',
    aggregateByTimeStep: true,
  };
  const monthsOf = ({ periods }: QueryResult) =>
    (periods ?? []).map(({ startTime }) => startTime.slice(0, 7));
  const of = (workload: string) => ({
    ...months,
    consumptionQueries: select({ ...CPU, workload }),
  });

  const plans = rowsOf(await charges({ ...of('api'), aggregateByTimeStep: false }));

  expect(monthsOf(await used(of('web')))).toHaveLength(14);
  expect(monthsOf(await used(of('wiki')))[0]).toBe('2026-05');
  expect(monthsOf(await used(of('legacy-gateway'), 'globex')).at(-1)).toBe('2026-07');
  expect((await used(of('coupons'))).periods).toBeNull();
  expect(plans[0]?.ratePlans).toEqual(['standard-2025', 'standard-2026']);
});
