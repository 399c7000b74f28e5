import { describe, expect, it, test } from 'vitest';
import {
  countSteps,
  isAligned,
  monthsAndRest,
  naturalStep,
  resolveRange,
  spanBefore,
  stepsOf,
  stepStart,
  type Range,
  finalFrom,
  isProvisional,
} from '../../../src/reporting/range.ts';

/** Both ends of a span. */
function exactly({ startMs, endMs }: Range): string {
  const [start = '', end = ''] = [startMs, endMs].map((ms) =>
    new Date(ms).toISOString().slice(0, 16).replace('T', ' '),
  );
  return `${start} to ${end} UTC`;
}

/** A Tuesday. */
const now = Date.UTC(2026, 9, 20, 14, 35);

function resolved(words: string, nowMs = now): string {
  return exactly(resolveRange(words, nowMs));
}

describe('a range in words, on Tuesday 2026-10-20 at 14:35 UTC', () => {
  it.each([
    ['today', '2026-10-20 00:00 to 2026-10-21 00:00 UTC'],
    ['yesterday', '2026-10-19 00:00 to 2026-10-20 00:00 UTC'],
    ['this week', '2026-10-19 00:00 to 2026-10-26 00:00 UTC'],
    ['this month', '2026-10-01 00:00 to 2026-11-01 00:00 UTC'],
    ['this year', '2026-01-01 00:00 to 2027-01-01 00:00 UTC'],
    ['last week', '2026-10-12 00:00 to 2026-10-19 00:00 UTC'],
    ['last month', '2026-09-01 00:00 to 2026-10-01 00:00 UTC'],
    ['last year', '2025-01-01 00:00 to 2026-01-01 00:00 UTC'],
    ['last 3 hours', '2026-10-20 11:00 to 2026-10-20 14:00 UTC'],
    ['last hour', '2026-10-20 13:00 to 2026-10-20 14:00 UTC'],
    ['last 1 day', '2026-10-19 00:00 to 2026-10-20 00:00 UTC'],
    ['last 7 days', '2026-10-13 00:00 to 2026-10-20 00:00 UTC'],
    ['last 2 weeks', '2026-10-05 00:00 to 2026-10-19 00:00 UTC'],
    ['last 12 months', '2025-10-01 00:00 to 2026-10-01 00:00 UTC'],
    ['2026-10', '2026-10-01 00:00 to 2026-11-01 00:00 UTC'],
    ['2024-02', '2024-02-01 00:00 to 2024-03-01 00:00 UTC'],
    ['2026-10-05', '2026-10-05 00:00 to 2026-10-06 00:00 UTC'],
    ['2026-10-01..2026-10-15', '2026-10-01 00:00 to 2026-10-16 00:00 UTC'],
    ['2026-10-01 .. 2026-10-15', '2026-10-01 00:00 to 2026-10-16 00:00 UTC'],
    ['2026-07..2026-09', '2026-07-01 00:00 to 2026-10-01 00:00 UTC'],
    ['2026-10-01T06:00:00Z..2026-10-01T18:00:00Z', '2026-10-01 06:00 to 2026-10-01 18:00 UTC'],
    ['2026-10-01t06:00z..2026-10-01T18:00:00.000Z', '2026-10-01 06:00 to 2026-10-01 18:00 UTC'],
    [
      '2026-10-01T00:00:00+02:00..2026-10-01T00:30:00-03:30',
      '2026-09-30 22:00 to 2026-10-01 04:00 UTC',
    ],
    ['  Last   MONTH ', '2026-09-01 00:00 to 2026-10-01 00:00 UTC'],
  ])('%s', (words, range) => {
    expect(resolved(words)).toBe(range);
  });

  it('keeps to UTC and to Monday where days, weeks and years change', () => {
    expect(resolved('this week', Date.UTC(2027, 0, 3, 23, 59, 59, 999))).toBe(
      '2026-12-28 00:00 to 2027-01-04 00:00 UTC',
    );
    expect(resolved('this week', Date.UTC(2027, 0, 4))).toBe(
      '2027-01-04 00:00 to 2027-01-11 00:00 UTC',
    );
    expect(resolved('last month', Date.UTC(2024, 2, 31))).toBe(
      '2024-02-01 00:00 to 2024-03-01 00:00 UTC',
    );
  });
});

it.each([
  ['2026-02-30', 'There is no 2026-02-30 in the calendar'],
  ['2025-02-29', 'There is no 2025-02-29 in the calendar'],
  ['2026-10-00', 'There is no 2026-10-00 in the calendar'],
  ['2026-01-99', 'There is no 2026-01-99 in the calendar'],
  ['2026-13', 'There is no 2026-13 in the calendar'],
  ['2026-00', 'There is no 2026-00 in the calendar'],
  [
    '2026-10-01T24:00:00Z..2026-10-02T01:00:00Z',
    'There is no 2026-10-01T24:00:00Z in the calendar',
  ],
  ['2026-10-01T00:00:00+24:00..2026-10-03T00:00:00Z', 'in the calendar'],
  ['1999-12', '1999-12 is not within the years 2000 to 2099'],
  ['2099-12..2100-01', 'is not within the years 2000 to 2099'],
  ['2026-10-15..2026-10-01', 'ends before it begins'],
  ['2026-10-01T06:00:00Z..2026-10-01T06:00:00Z', 'ends where it begins'],
  ['2026-10-01T06:30:00Z..2026-10-01T08:00:00Z', '2026-10-01T06:30:00Z is no full hour'],
  ['2026-10-01T06:00:01Z..2026-10-01T08:00:00Z', '2026-10-01T06:00:01Z is no full hour'],
  ['2026-10-01T00:00:00+05:30..2026-10-02T00:00:00Z', 'is no full hour in UTC'],
  ['2026-10-01T06:00:00Z', 'One hour is not a range'],
  ['2026-10-01..2026-10-02T00:00:00Z', 'Both ends of a range are days, or both are hours'],
  ['2026-10-01..', '"2026-10-01.." is not a range'],
  ['2026-10-01..soon', '"2026-10-01..soon" is not a range'],
  ['2026-1-5', '"2026-1-5" is not a range'],
  ['2026-10-01..2026-10-02..2026-10-03', 'is not a range'],
  ['last 0 days', '"last 0 days" is no time at all'],
  ['last 121 months', 'at most the last 120 months'],
  ['last 99999999999999999999 hours', 'at most the last 87600 hours'],
  ['last 3', 'After "last 3" comes hours, days, weeks or months'],
  ['last', 'After "last" comes week, month, year or a number'],
  ['this', 'After "this" comes week, month or year'],
  ['soon', '"soon" is not a range'],
  ['', '"" is not a range'],
  ['last month please', '"last month please" is not a range'],
])('words that are no range get one sentence %j', (words, sentence) => {
  expect(() => resolved(words)).toThrow(sentence);
});

describe('the span before', () => {
  function before(words: string, nowMs = now): string | undefined {
    const span = spanBefore(resolveRange(words, nowMs), words, nowMs);
    return span && exactly(span);
  }

  it.each([
    ['2026-10', '2026-09-01 00:00 to 2026-10-01 00:00 UTC'],
    ['2026-03', '2026-02-01 00:00 to 2026-03-01 00:00 UTC'],
    ['2026-07..2026-09', '2026-04-01 00:00 to 2026-07-01 00:00 UTC'],
    ['2026-02-01..2026-02-28', '2026-01-01 00:00 to 2026-02-01 00:00 UTC'],
    ['last 3 months', '2026-07-01 00:00 to 2026-10-01 00:00 UTC'],
    ['last year', '2025-01-01 00:00 to 2026-01-01 00:00 UTC'],
  ])('of whole months is as many months: of %s', (words, span) => {
    expect(before(words, Date.UTC(2027, 0, 2))).toBe(span);
  });

  it('of anything else that is over is as long as it is', () => {
    expect(before('last week')).toBe('2026-10-05 00:00 to 2026-10-12 00:00 UTC');
    expect(before('yesterday')).toBe('2026-10-18 00:00 to 2026-10-19 00:00 UTC');
    expect(before('2026-09-01..2026-09-15')).toBe('2026-08-17 00:00 to 2026-09-01 00:00 UTC');
    expect(before('last 5 hours')).toBe('2026-10-20 04:00 to 2026-10-20 09:00 UTC');
  });

  it('of days and weeks is of days and weeks, also where they happen to fill a month', () => {
    expect(before('last 31 days', Date.UTC(2026, 10, 1))).toBe(
      '2026-08-31 00:00 to 2026-10-01 00:00 UTC',
    );
    expect(before('last 4 weeks', Date.UTC(2027, 2, 1))).toBe(
      '2027-01-04 00:00 to 2027-02-01 00:00 UTC',
    );
  });

  it('of a running one is the same elapsed part in whole hours', () => {
    expect(before('today')).toBe('2026-10-19 00:00 to 2026-10-19 14:00 UTC');
    expect(before('this week')).toBe('2026-10-12 00:00 to 2026-10-13 14:00 UTC');
  });

  it('of running months is the same days of the months before', () => {
    expect(before('this month')).toBe('2026-09-01 00:00 to 2026-09-20 14:00 UTC');
    expect(before('this year')).toBe('2025-01-01 00:00 to 2025-10-20 14:00 UTC');
    expect(before('2026-09..2026-11')).toBe('2026-06-01 00:00 to 2026-07-20 14:00 UTC');
  });

  it('is clipped where the shorter month lacks the day', () => {
    const february = '2026-02-01 00:00 to 2026-03-01 00:00 UTC';
    expect(before('this month', Date.UTC(2026, 2, 31, 15))).toBe(february);
    expect(before('this month', Date.UTC(2026, 2, 29, 1))).toBe(february);
    expect(before('this month', Date.UTC(2026, 2, 28, 15))).toBe(
      '2026-02-01 00:00 to 2026-02-28 15:00 UTC',
    );
    expect(before('this year', Date.UTC(2028, 1, 29, 15))).toBe(
      '2027-01-01 00:00 to 2027-03-01 00:00 UTC',
    );
  });

  it('is nothing when nothing has elapsed', () => {
    expect(before('today', Date.UTC(2026, 9, 20, 0, 59))).toBeUndefined();
    expect(before('this month', Date.UTC(2026, 9, 1, 0, 59))).toBeUndefined();
    expect(before('2026-11')).toBeUndefined();
  });

  it('is whole in the moment in which a span ends', () => {
    expect(before('2026-10-19', Date.UTC(2026, 9, 20))).toBe(
      '2026-10-18 00:00 to 2026-10-19 00:00 UTC',
    );
    expect(before('2026-10', Date.UTC(2026, 10, 1))).toBe(
      '2026-09-01 00:00 to 2026-10-01 00:00 UTC',
    );
  });

  it('is asked for in its whole months and the rest', () => {
    const parts = (words: string, nowMs: number) =>
      monthsAndRest(spanBefore(resolveRange(words, nowMs), words, nowMs)!).map(exactly);
    expect(parts('this year', now)).toEqual([
      '2025-01-01 00:00 to 2025-10-01 00:00 UTC',
      '2025-10-01 00:00 to 2025-10-20 14:00 UTC',
    ]);
    expect(parts('this month', now)).toEqual(['2026-09-01 00:00 to 2026-09-20 14:00 UTC']);
    expect(parts('last year', now)).toEqual(['2024-01-01 00:00 to 2025-01-01 00:00 UTC']);
    expect(parts('this week', now)).toHaveLength(1);
  });
});

describe('steps', () => {
  it.each([
    ['this year', 'month'],
    ['last month', 'month'],
    ['last week', 'week'],
    ['last 2 weeks', 'week'],
    ['today', 'day'],
    ['2026-10-01..2026-10-15', 'day'],
    ['last 3 hours', 'hour'],
    ['2026-10-01T00:00:00Z..2026-10-01T06:00:00Z', 'hour'],
    // Its ends are Mondays and first days of months.
    ['2027-02', 'month'],
  ])('the natural one of %s: %s', (words, step) => {
    expect(naturalStep(resolveRange(words, now))).toBe(step);
  });

  it('begin where the platform begins them', () => {
    const [hour, day, week, month] = (['hour', 'day', 'week', 'month'] as const).map((step) =>
      new Date(stepStart(now, step)).toISOString(),
    );
    expect(hour).toBe('2026-10-20T14:00:00.000Z');
    expect(day).toBe('2026-10-20T00:00:00.000Z');
    expect(week).toBe('2026-10-19T00:00:00.000Z');
    expect(month).toBe('2026-10-01T00:00:00.000Z');
  });

  it('are cut off where the range begins and ends', () => {
    const range = resolveRange('2026-09-30..2026-10-12', now);

    expect(isAligned(range, 'week')).toBe(false);
    expect(countSteps(range, 'week')).toBe(3);
    expect(stepsOf(range, 'week').map(exactly)).toEqual([
      '2026-09-30 00:00 to 2026-10-05 00:00 UTC',
      '2026-10-05 00:00 to 2026-10-12 00:00 UTC',
      '2026-10-12 00:00 to 2026-10-13 00:00 UTC',
    ]);
    expect(stepsOf(range, 'month').map(exactly)).toEqual([
      '2026-09-30 00:00 to 2026-10-01 00:00 UTC',
      '2026-10-01 00:00 to 2026-10-13 00:00 UTC',
    ]);
  });

  it('can be counted without being made', () => {
    expect(countSteps(resolveRange('2000-01-01..2099-12-31', now), 'hour')).toBe(876_600);
  });
});

test('a figure is provisional for 48 hours after its span, and 6 more', () => {
  const day = { endMs: Date.parse('2026-10-16T00:00:00Z') };
  const final = Date.parse('2026-10-18T06:00:00Z');

  expect(finalFrom(day)).toBe(final);
  expect([final - 1, final].map((now) => isProvisional(day, now))).toEqual([true, false]);
});
