import * as fc from '../../support/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { filterOf, toConsumptionQuery } from '../../../src/figures/consumption-query.ts';
import type { FigureQuery } from '../../../src/figures/query.ts';
import { isAligned, stepStart } from '../../../src/figures/range.ts';
import { TIME_STEPS } from '../../../src/platform/consumption/query.ts';

const open: FigureQuery = {
  range: 'last month',
  by: undefined,
  of: [],
  items: [],
  where: {},
  orgs: [],
  step: undefined,
};
const span = (start: string, end: string) => ({
  startMs: Date.parse(start),
  endMs: Date.parse(end),
});
const october = span('2026-10-01T00:00:00Z', '2026-11-01T00:00:00Z');

describe('a query of people, as the platform is asked', () => {
  it('asks for a month in one period, with every tag that prices depend on', () => {
    expect(toConsumptionQuery(open, ['org', 'metric'], october)).toEqual({
      startTime: '2026-10-01T00:00:00Z',
      endTime: '2026-11-01T00:00:00Z',
      timeStep: 'month',
      aggregateByTimeStep: false,
      groupBy: ['org', 'metric'],
      consumptionQueries: [
        {
          filterBy: {},
          aggregateBy: ['feature', 'metric', 'locationType', 'performanceClass', 'org'],
        },
      ],
    });
  });

  it('limits rows to those that the named chargeable items price', () => {
    const query = { ...open, items: ['egress', 'cpu'], of: ['cpu'] };

    expect(toConsumptionQuery(query, ['org'], october).consumptionQueries).toEqual([
      {
        filterBy: { metric: 'cpu' },
        aggregateBy: ['feature', 'metric', 'locationType', 'performanceClass', 'org'],
        chargeableItems: ['egress', 'cpu'],
      },
    ]);
  });

  it('takes the asked step where the range keeps its boundaries', () => {
    const { timeStep, aggregateByTimeStep } = toConsumptionQuery(
      { ...open, step: 'day' },
      ['org'],
      october,
    );

    expect([timeStep, aggregateByTimeStep]).toEqual(['day', true]);
  });

  it.each([
    ['week', october, 'day'],
    ['month', span('2026-10-02T00:00:00Z', '2026-11-01T00:00:00Z'), 'day'],
    ['month', span('2026-10-05T00:00:00Z', '2026-10-19T00:00:00Z'), 'day'],
    ['day', span('2026-10-02T05:00:00Z', '2026-10-09T05:00:00Z'), 'hour'],
  ] as const)('a %s that would widen the range is asked in parts', (step, range, parts) => {
    expect(toConsumptionQuery({ ...open, step }, ['org'], range).timeStep).toBe(parts);
  });

  it('never asks for a step that widens the range, nor for one whose parts cross the asked one', () => {
    const hour = fc.integer({ min: 420_000, max: 500_000 }).map((hours) => hours * 3_600_000);
    fc.assert(
      fc.property(
        hour,
        fc.integer({ min: 1, max: 5_000 }),
        fc.constantFrom(...TIME_STEPS),
        (startMs, hours, step) => {
          const range = { startMs, endMs: startMs + hours * 3_600_000 };
          const { timeStep } = toConsumptionQuery({ ...open, step }, ['org'], range);

          expect(isAligned(range, timeStep)).toBe(true);
          // Where a step begins, one of its parts does.
          const boundary = stepStart(startMs, step);
          expect(stepStart(boundary, timeStep)).toBe(boundary);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('matches a plain number by the expression that it takes, and leaves one that is typed', () => {
    const sent = (volumeIndex: string) => filterOf({ where: { volumeIndex }, of: [] });

    expect(sent('0')).toEqual({ volumeIndex: '/^(0)$/' });
    expect(sent('/^[01]$/')).toEqual({ volumeIndex: '/^[01]$/' });
  });

  it('filters by one metric as it is, by several as an expression that only they match', () => {
    const where = { gvc: 'shop' };

    expect(filterOf({ where, of: [] })).toEqual({ gvc: 'shop' });
    expect(filterOf({ where, of: ['cpu'] })).toEqual({ gvc: 'shop', metric: 'cpu' });
    expect(filterOf({ where, of: ['cpu', 'memory'] })).toEqual({
      gvc: 'shop',
      metric: '/^(cpu|memory)$/',
    });
  });
});
