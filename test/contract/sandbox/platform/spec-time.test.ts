import { describe, expect, test } from 'vitest';
import {
  CPU,
  instant,
  MEMORY,
  rowsOf,
  select,
  SHOP_CART,
  startApis,
  starts,
  sumOf,
  type QueryResult,
} from './spec-support.ts';

const ROWS = {
  groupBy: ['metric'],
  consumptionQueries: [{ filterBy: CPU, aggregateBy: ['metric'] }],
};
const STEPS = { ...ROWS, aggregateByTimeStep: true };
const NIGHTLY = { ...CPU, workload: 'nightly-report', gvc: 'shop' };
const day = (days: string, hour = '00') => `2026-${days}T${hour}:00:00Z`;

describe('times are aligned outward to whole timeStep boundaries in UTC', () => {
  test.each([
    ['hour', '2026-09-09T10:20:00Z', '2026-09-09T12:00:01Z', '09-09T10 09-09T13'],
    ['hour', day('09-01'), day('10-01'), '09-01T00 10-01T00'],
    ['day', day('09-09', '10'), day('09-10', '01'), '09-09T00 09-11T00'],
    ['day', day('09-01'), day('10-01'), '09-01T00 10-01T00'],
    ['day', '2026-09-10T00:00:00+02:00', '2026-09-11T00:00:00+02:00', '09-09T00 09-11T00'],
    ['week', day('09-09', '10'), day('09-16'), '09-07T00 09-21T00'],
    ['month', day('09-09', '10'), day('09-30', '01'), '09-01T00 10-01T00'],
    ['month', day('09-01'), day('10-01'), '09-01T00 10-01T00'],
  ])('%s: from %s to %s', async (timeStep, startTime, endTime, expected) => {
    const { used } = await startApis();
    const of = async (range: object) => (await used({ ...ROWS, timeStep, ...range })).periods?.[0];

    const period = await of({ startTime, endTime });

    const times = [period?.startTime, period?.endTime].map((time) => instant(time ?? ''));
    expect(times.map((time) => time.slice(5, 13)).join(' ')).toBe(expected);
    // What counts is aligned as well.
    expect(period).toEqual(await of({ startTime: times[0], endTime: times[1] }));
  });
});

describe('steps', () => {
  test.each([
    ['hours, the end exclusive', 'hour', day('09-09', '10'), day('09-09', '12'), '09T10 09T11'],
    ['days', 'day', day('09-09'), day('09-12'), '09T00 10T00 11T00'],
    ['weeks from Monday on', 'week', day('09-07'), day('09-28'), '07T00 14T00 21T00'],
    ['calendar months', 'month', day('01-01'), day('04-01'), '01T00 01T00 01T00'],
  ])('aggregateByTimeStep true: %s', async (_rule, timeStep, startTime, endTime, expected) => {
    const { used, charges } = await startApis();
    const shown = (result: QueryResult) =>
      starts(result)
        .map((time) => time.slice(8, 13))
        .join(' ');

    const query = { ...STEPS, timeStep, startTime, endTime };

    expect(shown(await used(query))).toBe(expected);
    expect(shown(await charges(query))).toBe(expected);
  });

  test('months have as many days as they have', async () => {
    const { used } = await startApis();

    const { periods } = await used({
      ...STEPS,
      startTime: '2026-01-01T00:00:00Z',
      endTime: '2026-04-01T00:00:00Z',
    });

    const days = periods?.map(({ totalSeconds }) => totalSeconds.toNumber() / 86_400);
    expect(days).toEqual([31, 28, 31]);
  });

  test('steps without usage are left out: a nightly job has one hour a day', async () => {
    const { used } = await startApis();

    const result = await used({
      ...STEPS,
      consumptionQueries: [{ filterBy: NIGHTLY, aggregateBy: ['metric'] }],
      timeStep: 'hour',
      startTime: day('09-09'),
      endTime: day('09-12'),
    });

    expect(starts(result)).toEqual(['09', '10', '11'].map((day) => `2026-09-${day}T02:00:00.000Z`));
  });

  test.each([
    ['false', false],
    ['left out', undefined],
  ])('aggregateByTimeStep %s: one period for the whole range', async (_value, value) => {
    const { used } = await startApis();

    const { periods } = await used({ ...ROWS, timeStep: 'day', aggregateByTimeStep: value });

    expect(periods?.map(({ totalSeconds }) => totalSeconds.toNumber())).toEqual([30 * 86_400]);
  });

  test('the present month is as long as it is, elapsed up to now, and grows with the clock', async () => {
    const { used, wait } = await startApis();
    const october = async () => {
      const result = await used({ ...ROWS, startTime: day('10-01'), endTime: day('11-01') });
      const [period] = result.periods ?? [];
      const seconds = [period?.totalSeconds, period?.elapsedSeconds].map((one) => one?.toNumber());
      return { seconds, value: Number(sumOf(result, 'value')) };
    };
    const before = await october();

    await wait(3 * 3600);

    const after = await october();
    expect(before.seconds).toEqual([31 * 86_400, 4.5 * 86_400]);
    expect(after.seconds).toEqual([31 * 86_400, 4.625 * 86_400]);
    expect(after.value).toBeGreaterThan(before.value);
  });
});

describe('retention (spec 7 and 8): 12 whole months before the current one', () => {
  test.each([
    ['hour', '2025-10-01', 200],
    ['day', '2025-10-01', 200],
    ['week', '2025-10-06', 200],
    ['hour', '2025-09-20', 400],
    ['day', '2025-09-20', 400],
    ['week', '2025-09-20', 400],
    ['month', '2025-08-01', 200],
    ['month', '2019-01-01', 200],
  ])('%s from %s on: %i', async (timeStep, start, expected) => {
    const { usage } = await startApis();

    const range = { startTime: `${start}T00:00:00Z`, endTime: '2025-10-20T00:00:00Z' };
    const body = { ...ROWS, ...range, timeStep };
    const { status, text } = await usage('POST', '/org/acme/query', { body });

    const earliest = expected === 400 ? /2025-10-01T00:00:00(\.000)?Z/ : /"periods":\[/;
    expect([status, text]).toEqual([expected, expect.stringMatching(earliest)]);
  });

  test('the window moves with the month', async () => {
    const { usage, wait } = await startApis();
    const range = { startTime: '2025-10-10T00:00:00Z', endTime: '2025-10-11T00:00:00Z' };
    const body = { ...ROWS, ...range, timeStep: 'day' };
    const status = async () => (await usage('POST', '/org/acme/query', { body })).status;
    const before = await status();

    await wait(27 * 86_400);

    expect([before, await status()]).toEqual([200, 400]);
  });
});

describe('history', () => {
  /** Spec 8: provider-priced usage can be revised for up to about 48 hours after its hour. */
  test.each([
    ['snapshot-storage', true],
    ['load-balancer-processed-bytes', true],
    ['cpu', false],
  ])('%s is revised for about 48 hours, and no longer: %s', async (metric, isRevised) => {
    const { used, wait } = await startApis();
    const hours = async () => {
      const consumptionQueries = [{ filterBy: { metric }, aggregateBy: ['metric'] }];
      const range = { startTime: day('10-01'), endTime: day('10-05', '12') };
      const result = await used({ ...STEPS, ...range, consumptionQueries, timeStep: 'hour' });
      return rowsOf(result).map(({ value }) => value.toFixed());
    };
    const before = await hours();

    await wait(72 * 3600);
    const settled = await hours();
    await wait(72 * 3600);

    const revised = settled.findIndex((value, index) => value !== before[index]);
    expect(before.length).toBeGreaterThan(100);
    expect(revised >= before.length - 50).toBe(isRevised);
    expect(revised === -1).toBe(!isRevised);
    expect(await hours()).toEqual(settled);
  });

  test.each([
    ['rollout', {}],
    ['scale', { replicas: 50 }],
    ['scale', { replicas: 0 }],
    ['suspend', { suspend: true }],
    ['delete', {}],
  ])('past usage stays after %s %j', async (path, change) => {
    const { used, act, wait } = await startApis();
    const cart = { consumptionQueries: select({ ...MEMORY, gvc: 'shop', workload: 'cart' }) };
    const before = sumOf(await used(cart), 'value');

    await act(path, { ...SHOP_CART, ...change });
    await wait(3600);

    expect(sumOf(await used(cart), 'value')).toBe(before);
  });

  test('there are fourteen months: a workload began, one ended, and the rate plan changed', async () => {
    const { used, charges } = await startApis();
    const of = (workload: string) => ({
      startTime: '2025-01-01T00:00:00Z',
      endTime: '2026-11-01T00:00:00Z',
      aggregateByTimeStep: true,
      consumptionQueries: select({ ...CPU, workload }),
    });
    const months = (result: QueryResult) => starts(result).map((time) => time.slice(0, 7));

    const plans = rowsOf(await charges({ ...of('api'), aggregateByTimeStep: false }));

    expect(months(await used(of('web')))).toHaveLength(14);
    expect(months(await used(of('wiki')))[0]).toBe('2026-05');
    expect(months(await used(of('legacy-gateway'), 'globex')).at(-1)).toBe('2026-07');
    expect((await used(of('coupons'))).periods).toBeNull();
    expect(plans[0]?.ratePlans).toEqual(['standard-2025', 'standard-2026']);
  });
});
