import { BigNumber } from 'bignumber.js';
import { expect, test } from 'vitest';
import * as fc from '../../../support/fast-check.ts';
import { add, rowsOf, select, startApis, sumOf, type QueryResult } from './spec-support.ts';

const HOUR_MS = 3_600_000;
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
const moments = fc.uniqueArray(fc.integer({ min: FIRST ?? 0, max: LAST ?? 0 }), {
  minLength: 3,
  maxLength: 3,
});

const time = (hour = 0) => new Date(hour * HOUR_MS).toISOString();

test('charges and usage of two ranges that touch are those of the whole range', async () => {
  const { charges } = await startApis();

  await fc.assert(
    fc.asyncProperty(moments, filters, async (hours, filterBy) => {
      const [start, middle, end] = hours.toSorted((a, b) => a - b).map(time);
      const consumptionQueries = select(filterBy, 'performanceClass');
      const query = { consumptionQueries, timeStep: 'hour' };

      const parts = [
        await charges({ ...query, startTime: start, endTime: middle }),
        await charges({ ...query, startTime: middle, endTime: end }),
      ];
      const whole = await charges({ ...query, startTime: start, endTime: end });

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
      const range = { startTime: '2026-09-07T00:00:00Z', endTime: '2026-09-21T00:00:00Z' };
      const span = timeStep === 'month' ? {} : range;
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

test('the org form charges what the account form charges for that org alone', async () => {
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

/** The group's value of a tag, once for every row. */
function keysOf({ periods }: QueryResult, tag: string): (string | undefined)[] {
  return (periods ?? []).flatMap(({ groups }) =>
    groups.flatMap(({ key, consumptions }) => consumptions.map(() => key[tag])),
  );
}
