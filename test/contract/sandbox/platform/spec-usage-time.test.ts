import { describe, expect, test } from 'vitest';
import { add, CPU, instant, rowsOf, SEPTEMBER, startApis, starts, sumOf } from './spec-support.ts';

const ROWS = {
  groupBy: ['metric'],
  consumptionQueries: [{ filterBy: CPU, aggregateBy: ['metric'] }],
};
const STEPS = { ...ROWS, aggregateByTimeStep: true };

describe('times are aligned outward to whole timeStep boundaries in UTC', () => {
  test.each([
    ['hour', '2026-09-09T10:20:00Z', '2026-09-09T12:00:01Z', ['09T10', '09T13']],
    ['day', '2026-09-09T10:00:00Z', '2026-09-10T01:00:00Z', ['09T00', '11T00']],
    ['week', '2026-09-09T10:00:00Z', '2026-09-16T00:00:00Z', ['07T00', '21T00']],
    ['month', '2026-09-09T10:00:00Z', '2026-09-30T01:00:00Z', ['01T00', '01T00']],
  ])('%s', async (timeStep, startTime, endTime, [start, end]) => {
    const { used } = await startApis();

    const [period] = (await used({ ...ROWS, timeStep, startTime, endTime })).periods ?? [];

    expect(instant(period?.startTime ?? '').slice(8, 13)).toBe(start);
    expect(instant(period?.endTime ?? '').slice(8, 13)).toBe(end);
  });

  test.each(['hour', 'day', 'month'])(
    'a range on the boundaries of a %s stays',
    async (timeStep) => {
      const { used } = await startApis();

      const [period] = (await used({ ...ROWS, timeStep })).periods ?? [];

      expect(instant(period?.startTime ?? '')).toBe(instant(SEPTEMBER.startTime));
      expect(instant(period?.endTime ?? '')).toBe(instant(SEPTEMBER.endTime));
    },
  );

  test('a day query starting at 10:00 UTC counts from 00:00 UTC of that day', async () => {
    const { used } = await startApis();
    const query = { ...ROWS, timeStep: 'day', endTime: '2026-09-10T00:00:00Z' };

    const ten = await used({ ...query, startTime: '2026-09-09T10:00:00Z' });
    const midnight = await used({ ...query, startTime: '2026-09-09T00:00:00Z' });

    expect(Number(sumOf(ten, 'value'))).toBeGreaterThan(0);
    expect(sumOf(ten, 'value')).toBe(sumOf(midnight, 'value'));
  });

  test('another offset than UTC misaligns: its midnight is not the boundary', async () => {
    const { used } = await startApis();

    const result = await used({
      ...STEPS,
      timeStep: 'day',
      startTime: '2026-09-10T00:00:00+02:00',
      endTime: '2026-09-11T00:00:00+02:00',
    });

    expect(starts(result)).toEqual(['2026-09-09T00:00:00.000Z', '2026-09-10T00:00:00.000Z']);
  });
});

describe('steps', () => {
  test('weeks start on Monday', async () => {
    const { used } = await startApis();

    const weeks = starts(await used({ ...STEPS, timeStep: 'week' }));

    expect(weeks).toEqual(
      ['08-31', '09-07', '09-14', '09-21', '09-28'].map((day) => `2026-${day}T00:00:00.000Z`),
    );
    expect(weeks.every((time) => new Date(time).getUTCDay() === 1)).toBe(true);
  });

  test('months are calendar months', async () => {
    const { used } = await startApis();

    const { periods } = await used({
      ...STEPS,
      timeStep: 'month',
      startTime: '2026-01-01T00:00:00Z',
      endTime: '2026-04-01T00:00:00Z',
    });

    expect(periods?.map(({ totalSeconds }) => totalSeconds.toNumber() / 86_400)).toEqual([
      31, 28, 31,
    ]);
  });

  test.each(['hour', 'day'])('the sum over the steps of a %s is the whole', async (timeStep) => {
    const { used } = await startApis();

    const steps = rowsOf(await used({ ...STEPS, timeStep }));
    const whole = await used({ ...ROWS, timeStep: 'month' });

    expect(steps).toHaveLength(timeStep === 'hour' ? 720 : 30);
    expect(add(steps.map(({ value }) => value)).toFixed()).toBe(sumOf(whole, 'value'));
  });

  test('steps without usage are left out: a nightly job has one hour a day', async () => {
    const { used } = await startApis();
    const filterBy = { ...CPU, workload: 'nightly-report', gvc: 'shop' };

    const result = await used({
      ...STEPS,
      consumptionQueries: [{ filterBy, aggregateBy: ['metric'] }],
      timeStep: 'hour',
      startTime: '2026-09-09T00:00:00Z',
      endTime: '2026-09-12T00:00:00Z',
    });

    expect(starts(result)).toEqual(['09', '10', '11'].map((day) => `2026-09-${day}T02:00:00.000Z`));
  });

  test('the present month is as long as it is, and elapsed up to now', async () => {
    const { used } = await startApis();

    const { periods } = await used({
      ...ROWS,
      timeStep: 'month',
      startTime: '2026-10-01T00:00:00Z',
      endTime: '2026-11-01T00:00:00Z',
    });

    expect(periods?.[0]?.totalSeconds.toNumber()).toBe(31 * 86_400);
    expect(periods?.[0]?.elapsedSeconds.toNumber()).toBe(4.5 * 86_400);
  });

  test('usage grows with the clock', async () => {
    const { used, wait } = await startApis();
    const today = {
      ...ROWS,
      timeStep: 'day',
      startTime: '2026-10-05T00:00:00Z',
      endTime: '2026-10-06T00:00:00Z',
    };
    const before = Number(sumOf(await used(today), 'value'));

    await wait(3 * 3600);

    expect(Number(sumOf(await used(today), 'value'))).toBeGreaterThan(before);
  });
});
