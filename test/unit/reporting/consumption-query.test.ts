import { describe, expect, it } from 'vitest';
import { TIME_STEPS } from '../../../src/platform/consumption/query.ts';
import {
  filterFor,
  filterOf,
  isAligned,
  stepStart,
  toConsumptionQuery,
  valuesIn,
} from '../../../src/reporting/range.ts';
import type { ReportQuery } from '../../../src/reporting/query.ts';
import * as fc from '../../support/fast-check.ts';
import { hostile } from '../features/reports/customize-support.ts';

const open: ReportQuery = {
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

const someValues = fc.uniqueArray(hostile, { minLength: 1, maxLength: 6 });
const someTag = fc.constantFrom('gvc', 'volumeIndex');

describe('Values as a filter', () => {
  it('names one value as it is, and several as an anchored alternation', () => {
    expect(filterFor('gvc', ['shop'])).toBe('shop');
    expect(filterFor('gvc', ['shop', 'shop.eu'])).toBe(String.raw`/^(shop|shop\.eu)$/`);
    expect(filterFor('gvc', [''])).toBe('');
    expect(filterFor('gvc', ['', 'shop'])).toBe('/^(shop)?$/');
  });

  it('asks for a number, and for a value that looks like an expression, by an expression', () => {
    expect(filterFor('volumeIndex', ['0'])).toBe('/^(0)$/');
    expect(filterFor('volumeIndex', [''])).toBe('/^$/');
    expect(filterFor('gvc', ['/api/'])).toBe('/^(/api/)$/');
  });

  it('lets exactly these values through', () => {
    fc.assert(
      fc.property(someTag, someValues, hostile, (tag, values, other) => {
        const filter = filterFor(tag, values);
        const passes = /^\/(?<source>.*)\/$/s.exec(filter)?.groups;
        const expression = passes && new RegExp(passes['source'] ?? '');
        const letsThrough = (value: string) => expression?.test(value) ?? value === filter;
        expect(values.every(letsThrough)).toBe(true);
        expect(letsThrough(other)).toBe(values.includes(other));
      }),
      { numRuns: 3_000 },
    );
  });

  it('is read back as the same values', () => {
    fc.assert(
      fc.property(someTag, someValues, (tag, values) => {
        const back = valuesIn(tag, filterFor(tag, values));
        expect(back?.toSorted()).toEqual(values.toSorted());
      }),
      { numRuns: 3_000 },
    );
  });

  it.each([
    '/prod/',
    '/^shop/',
    '/^(a|b)/',
    '/^(a|a)$/',
    '/^(a|.*)$/',
    '/^(a)$/',
    '/^(a||b)$/',
    '/^(a|(b))$/',
    '/',
  ])('leaves %s an expression of its own', (filter) => {
    expect(valuesIn('gvc', filter)).toBeUndefined();
  });

  it('never reads a filter as values that mean something else', () => {
    fc.assert(
      fc.property(someTag, hostile, (tag, filter) => {
        const values = valuesIn(tag, filter);
        expect(values === undefined ? filter : filterFor(tag, values)).toBe(filter);
      }),
      { numRuns: 3_000 },
    );
  });
});
