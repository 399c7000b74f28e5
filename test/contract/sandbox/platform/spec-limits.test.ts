import { describe, expect, test } from 'vitest';
import { CPU, rowsOf, startApis } from './spec-support.ts';

const ROWS = {
  groupBy: ['metric'],
  consumptionQueries: [{ filterBy: CPU, aggregateBy: ['metric'] }],
};
/** 12 whole months before the current month, October 2026. */
const EARLIEST = '2025-10-01T00:00:00Z';

describe('retention (spec 7 and 8)', () => {
  const ask = async (timeStep: string, startTime: string, endTime: string) => {
    const { usage } = await startApis();
    return usage('POST', '/org/acme/query', { body: { ...ROWS, timeStep, startTime, endTime } });
  };

  test.each(['hour', 'day', 'week'])(
    'a startTime earlier than 12 whole months gives 400 with the earliest start: %s',
    async (timeStep) => {
      const { status, text } = await ask(timeStep, '2025-09-20T00:00:00Z', '2025-10-20T00:00:00Z');

      expect(status).toBe(400);
      expect(text).toMatch(/2025-10-01T00:00:00(\.000)?Z/);
    },
  );

  test.each(['hour', 'day'])(
    'hour and day are kept from the first of that month: %s',
    async (step) => {
      const { status, body } = await ask(step, EARLIEST, '2025-10-02T00:00:00Z');

      expect(status).toBe(200);
      expect(body['periods']).toHaveLength(1);
    },
  );

  test('weeks are kept as well', async () => {
    const { status } = await ask('week', '2025-10-06T00:00:00Z', '2025-10-20T00:00:00Z');

    expect(status).toBe(200);
  });

  test('month resolution is kept indefinitely', async () => {
    const { status, body } = await ask('month', '2025-08-01T00:00:00Z', '2025-10-01T00:00:00Z');

    expect(status).toBe(200);
    expect(body['periods']).toHaveLength(1);
    expect((await ask('month', '2019-01-01T00:00:00Z', '2019-03-01T00:00:00Z')).status).toBe(200);
  });

  test('the window moves with the month', async () => {
    const { usage, wait } = await startApis();
    const body = {
      ...ROWS,
      timeStep: 'day',
      startTime: '2025-10-10T00:00:00Z',
      endTime: '2025-10-11T00:00:00Z',
    };
    const status = async () => (await usage('POST', '/org/acme/query', { body })).status;
    const before = await status();

    await wait(27 * 86_400);

    expect([before, await status()]).toEqual([200, 400]);
  });
});

describe('revisions of provider-priced usage', () => {
  /** Of every hour of 2026-10-01 to 10-05: what was used by `metric`. */
  const startHours = async () => {
    const apis = await startApis();
    const hours = async (metric: string) => {
      const result = await apis.used({
        groupBy: ['metric'],
        consumptionQueries: [{ filterBy: { metric }, aggregateBy: ['metric'] }],
        startTime: '2026-10-01T00:00:00Z',
        endTime: '2026-10-05T12:00:00Z',
        timeStep: 'hour',
        aggregateByTimeStep: true,
      });
      return rowsOf(result).map(({ value }) => value.toFixed());
    };
    return { ...apis, hours };
  };

  test.each(['snapshot-storage', 'load-balancer-processed-bytes'])(
    '%s can be revised for up to about 48 hours after its hour, and no longer',
    async (metric) => {
      const { hours, wait } = await startHours();
      const before = await hours(metric);

      await wait(72 * 3600);
      const settled = await hours(metric);
      await wait(72 * 3600);

      expect(settled).not.toEqual(before);
      const revised = settled.findIndex((value, index) => value !== before[index]);
      expect(revised).toBeGreaterThanOrEqual(before.length - 50);
      expect(await hours(metric)).toEqual(settled);
    },
  );

  test('cpu is not revised', async () => {
    const { hours, wait } = await startHours();
    const before = await hours('cpu');

    await wait(72 * 3600);

    expect(before.length).toBeGreaterThan(0);
    expect(await hours('cpu')).toEqual(before);
  });
});
