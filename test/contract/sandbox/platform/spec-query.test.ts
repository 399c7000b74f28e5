import { describe, expect, test } from 'vitest';
import { CPU, OCTOBER, rowsOf, select, SEPTEMBER, startApis } from './spec-support.ts';

/** Rows of `filterBy`, one for each value of `tag`. */
const by = (tag: string, filterBy: object) => ({
  groupBy: [tag],
  consumptionQueries: [{ filterBy, aggregateBy: [tag] }],
});
const MONTH = { ...SEPTEMBER, timeStep: 'month' };
const PERIOD = {
  startTime: expect.stringMatching(/^2026-09-01T00:00:00(\.000)?Z$/) as string,
  endTime: expect.stringMatching(/^2026-10-01T00:00:00(\.000)?Z$/) as string,
  totalSeconds: 2_592_000,
  elapsedSeconds: 2_592_000,
  consumptionCount: 1,
};
const NUMBER = expect.any(Number) as number;
const TEXT = expect.stringMatching(/./) as string;

describe('the answer (spec 2.7, 4.1 and 4.5)', () => {
  const TOOLS = { ...CPU, gvc: 'tools' };

  test('a usage query: periods with groups with rows of value and tags', async () => {
    const { usage } = await startApis();

    const { status, body } = await usage('POST', '/org/acme/query', {
      body: { ...MONTH, ...by('gvc', TOOLS) },
    });

    const consumptions = [{ value: NUMBER, tags: { gvc: 'tools' } }];
    const periods = [{ ...PERIOD, groups: [{ key: { gvc: 'tools' }, consumptions }] }];
    expect([status, body]).toEqual([200, { consumptionCount: 1, periods }]);
  });

  test('a charge query: the same below results, each row with its price', async () => {
    const { ask } = await startApis();

    const { status, body } = await ask('POST /charges/-query', {
      ...MONTH,
      groupBy: ['metric'],
      consumptionQueries: select(TOOLS),
    });

    const tags = { ...CPU, locationType: TEXT };
    const priced = { total: NUMBER, currency: 'USD', ratePlans: [TEXT] };
    const consumptions = [{ value: NUMBER, tags, ...priced }];
    const periods = [{ ...PERIOD, groups: [{ key: { metric: 'cpu' }, consumptions }] }];
    expect([status, body]).toEqual([200, { results: { consumptionCount: 1, periods } }]);
  });

  test('consumptionCount counts the rows of a period, and of all at the top', async () => {
    const { charges } = await startApis();

    const result = await charges({
      consumptionQueries: select(CPU),
      startTime: '2026-09-07T00:00:00Z',
      endTime: '2026-09-10T00:00:00Z',
      timeStep: 'day',
      aggregateByTimeStep: true,
    });

    const periods = result.periods ?? [];
    const rows = periods.map(({ groups }) => groups.flatMap((one) => one.consumptions).length);
    expect(rows).toHaveLength(3);
    expect(periods.map((period) => period.consumptionCount.toNumber())).toEqual(rows);
    expect(result.consumptionCount.toNumber()).toBe(rowsOf(result).length);
  });

  test.each([
    ['month', OCTOBER, 31 / 4.5],
    ['day', { startTime: '2026-10-05T00:00:00Z', endTime: '2026-10-06T00:00:00Z' }, 2],
    ['day', { startTime: '2026-10-04T00:00:00Z', endTime: '2026-10-05T00:00:00Z' }, undefined],
  ])(
    'projectedTotal extrapolates the period that contains now: a %s of %j',
    async (timeStep, range, times) => {
      const { charges } = await startApis();

      const query = { consumptionQueries: select(CPU), ...range, timeStep };
      const [row] = rowsOf(await charges({ ...query, aggregateByTimeStep: true }));

      const ratio = row?.projectedTotal?.div(row.total).toNumber();
      expect(ratio?.toFixed(3)).toBe(times?.toFixed(3));
      expect(row?.total.gt(0)).toBe(true);
    },
  );
});
