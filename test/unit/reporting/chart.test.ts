import { BigNumber } from 'bignumber.js';
import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../../src/lib/time.ts';
import type { TimeStep } from '../../../src/platform/consumption/query.ts';
import { chartPoints, valuesAt } from '../../../src/reporting/chart.ts';
import { resolveRange, stepsOf } from '../../../src/reporting/range.ts';
import * as fc from '../../support/fast-check.ts';

const now = Date.parse('2026-11-20T10:30:00Z');
const points = (range: string, step: TimeStep) => chartPoints(resolveRange(range, now), step, now);

describe('the points of a chart', () => {
  it.each<[string, TimeStep, string, string[]]>([
    ['2026-10-05T06:00:00Z..2026-10-05T08:00:00Z', 'hour', 'hour', ['5 Oct 06:00', '5 Oct 07:00']],
    ['last 2 days', 'hour', '3 hours', ['18 Nov 00:00', '18 Nov 03:00']],
    ['last 7 days', 'day', 'day', ['13 Nov', '14 Nov']],
    ['2026-10', 'day', 'week', ['1 Oct (4 days)', '5 Oct']],
    ['last 12 months', 'week', '4 weeks', ['1 Nov (23 days)', '24 Nov']],
    ['last 36 months', 'week', '8 weeks', ['1 Nov (54 days)', '25 Dec']],
    ['last 12 months', 'day', 'month', ['Nov 2025', 'Dec 2025']],
    ['2026-09-20..2026-11-19', 'month', 'month', ['Sep 2026 (11 days)', 'Oct 2026']],
    ['last 48 months', 'month', '3 months', ['Nov 2022', 'Feb 2023']],
    ['last 120 months', 'month', '12 months', ['Nov 2016', 'Nov 2017']],
  ])('of %s by %s are one per %s', (range, step, per, first) => {
    const found = points(range, step);

    expect(found.per).toBe(per);
    expect(found.points.slice(0, 2).map(({ name }) => name)).toEqual(first);
    expect(found.points.length).toBeLessThanOrEqual(20);
  });

  it('of decades are longer still', () => {
    const range = { startMs: Date.UTC(1996, 0), endMs: Date.UTC(2026, 0) };
    expect(chartPoints(range, 'month', now)).toMatchObject({ per: '18 months' });
  });

  it('end with the one that is running', () => {
    expect(points('this week', 'day').points.at(-1)?.name).toBe('20 Nov');
  });

  it('of any range are at most 20, have whole steps, and add up to the same', () => {
    const hours = fc.integer({ min: 1, max: 10_000 });
    const start = fc.integer({ min: 400_000, max: 480_000 });
    const step = fc.constantFrom<TimeStep>('hour', 'day', 'week', 'month');
    fc.assert(
      fc.property(start, hours, step, (first, length, by) => {
        const range = { startMs: first * HOUR_MS, endMs: (first + length) * HOUR_MS };
        const steps = stepsOf(range, by);
        const values = new Map(steps.map(({ startMs }, at) => [startMs, new BigNumber(at + 1)]));
        const drawn = chartPoints(range, by, range.endMs + DAY_MS).points;
        const sums = valuesAt(drawn, values).map((value) => value ?? new BigNumber(0));

        expect(drawn.length).toBeLessThanOrEqual(20);
        expect(drawn.every(({ endMs }) => steps.some((one) => one.endMs === endMs))).toBe(true);
        expect(BigNumber.sum(...sums).eq(BigNumber.sum(...values.values()))).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
