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
  startInvoices,
  sumOf,
  type Apis,
  type Detail,
  type QueryResult,
} from './spec-support.ts';

const HOUR_MS = 3_600_000;
const SEPTEMBER = Date.UTC(2026, 8, 1) / HOUR_MS;
/** The window in which hours are kept, up to now. */
const [FIRST, LAST] = [Date.UTC(2025, 9, 1), Date.UTC(2026, 9, 5, 12)].map((ms) => ms / HOUR_MS);

const filters = fc.constantFrom(
  {},
  { feature: 'workloads', metric: 'memory' },
  { feature: 'workloads', metric: 'cpu', gvc: 'shop' },
  { feature: 'volume-sets' },
  { metric: 'egress' },
  { location: '/^(aws|gcp)-/' },
  { workload: '/a/', org: '/^(acme|globex)$/' },
);
const tags = fc.constantFrom('org', 'gvc', 'workload', 'location', 'performanceClass', 'metric');
const hours = (min = 0, max = 0, length = 2) =>
  fc
    .uniqueArray(fc.integer({ min, max }), { minLength: length, maxLength: length })
    .map((all) => all.toSorted((a, b) => a - b));

const time = (hour = 0) => new Date(hour * HOUR_MS).toISOString();
const range = (start?: number, end?: number) => ({
  startTime: time(start),
  endTime: time(end),
  timeStep: 'hour',
});

test('charges and usage of two ranges that touch are those of the whole range', async () => {
  const { charges } = await startApis();

  await fc.assert(
    fc.asyncProperty(hours(FIRST, LAST, 3), filters, async ([start, middle, end], filterBy) => {
      const query = { consumptionQueries: select(filterBy, 'performanceClass') };

      const parts = [
        await charges({ ...query, ...range(start, middle) }),
        await charges({ ...query, ...range(middle, end) }),
      ];
      const whole = await charges({ ...query, ...range(start, end) });

      for (const field of ['total', 'value'] as const) {
        const sum = add(parts.map((part) => new BigNumber(sumOf(part, field))));
        expect(sum.toFixed()).toBe(sumOf(whole, field));
      }
    }),
    { numRuns: 25 },
  );
});

test('charges and usage are the same however they are grouped, and by whichever step', async () => {
  const { charges } = await startApis();
  const steps = fc.constantFrom('hour', 'day', 'week', 'month');

  await fc.assert(
    fc.asyncProperty(filters, tags, steps, async (filterBy, tag, timeStep) => {
      // Whole weeks, so that every step but the month divides it.
      const weeks = { startTime: '2026-09-07T00:00:00Z', endTime: '2026-09-21T00:00:00Z' };
      const span = timeStep === 'month' ? {} : weeks;
      const plain = { consumptionQueries: select(filterBy, 'performanceClass'), ...span };
      const consumptionQueries = select(filterBy, 'performanceClass', tag);
      const fine = { ...span, consumptionQueries, groupBy: [tag], timeStep };

      const whole = await charges({ ...plain, timeStep: timeStep === 'month' ? 'month' : 'hour' });
      const parts = await charges({ ...fine, aggregateByTimeStep: true });

      expect(sumOf(parts, 'total')).toBe(sumOf(whole, 'total'));
      expect(sumOf(parts, 'value')).toBe(sumOf(whole, 'value'));
      expect(keysOf(parts, tag)).toEqual(rowsOf(parts).map((row) => row.tags[tag]));
    }),
    { numRuns: 25 },
  );
});

test('the org form has the same charges as the account form for that org alone', async () => {
  const { charges, used } = await startApis();
  const orgs = fc.constantFrom('acme', 'globex', 'initech');

  await fc.assert(
    fc.asyncProperty(orgs, filters, tags, async (org, filterBy, tag) => {
      const consumptionQueries = select(filterBy, 'performanceClass', 'feature', tag);
      const query = { groupBy: [tag], consumptionQueries };

      const own = await charges(query, `/org/${org}`);
      const unpriced = await used(query, org);

      expect(own).toEqual(await charges({ ...query, orgs: [org] }));
      expect(rowsOf(unpriced).map(({ value, tags }) => [value.toFixed(), tags])).toEqual(
        rowsOf(own).map(({ value, tags }) => [value.toFixed(), tags]),
      );
    }),
    { numRuns: 20 },
  );
});

test('charges are the price of all usage of the month so far, less that of the usage before', async () => {
  const apis = await startApis();
  const hosted = { ...MEMORY, locationType: 'control_plane_hosted' };
  const tiers = await tiersOf(apis, hosted);
  const charged = (from: number, to: number) =>
    apis.charges({ ...range(from, to), consumptionQueries: select(hosted) });
  expect(tiers).toHaveLength(3);

  await fc.assert(
    fc.asyncProperty(hours(SEPTEMBER, SEPTEMBER + 720), async ([from = 0, to = 0]) => {
      const before = new BigNumber(sumOf(await charged(SEPTEMBER, from), 'value'));
      const result = await charged(from, to);

      const price = priceOf(before.plus(sumOf(result, 'value')), tiers);
      expect(sumOf(result, 'total')).toBe(price.minus(priceOf(before, tiers)).toFixed());
    }),
    { numRuns: 40 },
  );
});

test('the same query selected twice fills the tiers twice as fast', async () => {
  const apis = await startApis();
  const hosted = { ...CPU, locationType: 'control_plane_hosted' };

  const twice = await apis.charges({ consumptionQueries: [...select(hosted), ...select(hosted)] });

  const used = new BigNumber(sumOf(twice, 'value'));
  expect(rowsOf(twice)).toHaveLength(2);
  expect(sumOf(twice, 'total')).toBe(priceOf(used, await tiersOf(apis, hosted)).toFixed());
});

test('metering and invoices are the same on every run, whatever the seed of the noise', async () => {
  const ask = async (seed: number) => {
    const { charges, list } = await startInvoices({ seed });
    const query = { consumptionQueries: select({}, 'workload', 'location', 'volumeIndex') };
    return { rows: await charges(query), invoices: await list() };
  };

  expect(await ask(1)).toEqual(await ask(2));
});

/** The tiers of an item, as the rows of one whole month show them. */
async function tiersOf({ ask }: Apis, filterBy: object): Promise<Detail[]> {
  const whole = { ...range(SEPTEMBER, SEPTEMBER + 720), groupBy: [], detailed: true };
  const query = { ...whole, consumptionQueries: select(filterBy) };
  const { text } = await ask('POST /charges/-query', query);
  const { detailedResults } = exactly(text) as { detailedResults: { results: QueryResult[] }[] };
  const rows = detailedResults.flatMap(({ results }) => results.flatMap(rowsOf));
  return rows.flatMap(({ details }) => details);
}

/** The price of the first `units` of a month. */
function priceOf(units: BigNumber, tiers: readonly Detail[]): BigNumber {
  return add(
    tiers.map(({ from, to, rate }) => {
      const end = to.eq(-1) ? units : BigNumber.minimum(units, to);
      return BigNumber.maximum(end.minus(from), 0).times(rate);
    }),
  );
}

/** The group's value of a tag, once for every row. */
function keysOf({ periods }: QueryResult, tag: string): (string | undefined)[] {
  return (periods ?? []).flatMap(({ groups }) =>
    groups.flatMap(({ key, consumptions }) => consumptions.map(() => key[tag])),
  );
}
