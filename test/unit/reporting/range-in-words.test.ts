import { describe, expect, it } from 'vitest';
import {
  dayAndMonth,
  describeAsked,
  describeBefore,
  describeMoment,
  describeRange,
  resolveRange,
  spanBefore,
} from '../../../src/reporting/range.ts';
import * as fc from '../../support/fast-check.ts';

const HOUR = 3_600_000;
/** A Sunday. */
const now = Date.UTC(2026, 10, 22, 10, 35);
const asked = (words: string, nowMs = now): string => {
  const range = resolveRange(words, nowMs);
  return describeAsked(range, nowMs);
};
const before = (words: string, nowMs = now): string | undefined => {
  const range = resolveRange(words, nowMs);
  const span = spanBefore(range, words, nowMs);
  return span && describeBefore(span, range);
};

describe('a span', () => {
  it.each([
    ['2026-10', 'October 2026 (UTC)', 'September'],
    ['2026-01', 'January 2026 (UTC)', 'December 2025'],
    ['last year', '2025 (UTC)', '2024'],
    ['2026-01..2026-03', 'January to March 2026 (UTC)', 'October to December 2025'],
    ['last 12 months', 'November 2025 to October 2026 (UTC)', 'November 2024 to October 2025'],
    ['2026-10-05', '5 October 2026 (UTC)', '4 October'],
    ['2026-10-01..2026-10-15', '1-15 October 2026 (UTC)', '16-30 September'],
    ['2026-09-28..2026-10-04', '28 September to 4 October 2026 (UTC)', '21-27 September'],
    ['2025-12-29..2026-01-04', '29 December 2025 to 4 January 2026 (UTC)', '22-28 December 2025'],
    [
      '2026-10-05T06:00Z..2026-10-05T12:00Z',
      '5 October 2026, 06:00-12:00 UTC',
      '5 October, 00:00-06:00 UTC',
    ],
    [
      '2026-10-05T20:00Z..2026-10-07T06:00Z',
      '5 October 2026, 20:00 to 7 October 2026, 06:00 UTC',
      '4 October, 10:00 to 5 October, 20:00 UTC',
    ],
    [
      '2026-10-05T22:00Z..2026-10-06T00:00Z',
      '5 October 2026, 22:00-24:00 UTC',
      '5 October, 20:00-22:00 UTC',
    ],
  ])('%s is written as people write it, and so is the one before', (words, name, earlier) => {
    expect(asked(words)).toBe(name);
    expect(before(words)).toBe(earlier);
  });

  it.each([
    ['this month', 'November 2026 (1-22, UTC)', '1-22 October'],
    ['this week', '16-22 November 2026 (to 10:00, UTC)', '9-15 November'],
    ['today', '22 November 2026 (to 10:00, UTC)', '21 November'],
    ['this year', '2026 (to 22 November, UTC)', '1 January to 22 November 2025'],
    ['2026-12', 'December 2026 (not begun, UTC)', undefined],
  ])('%s says how far it has come', (words, name, earlier) => {
    expect(asked(words)).toBe(name);
    expect(before(words)).toBe(earlier);
  });

  it('has one day on the first of the month', () => {
    expect(asked('this month', Date.UTC(2026, 10, 1, 3))).toBe('November 2026 (1, UTC)');
  });

  it('is never written as another one is', () => {
    const span = fc
      .tuple(fc.integer({ min: 0, max: 24 * 800 }), fc.integer({ min: 1, max: 24 * 500 }))
      .map(([from, hours]) => {
        const startMs = Date.UTC(2025, 0, 1) + from * HOUR;
        return { startMs, endMs: startMs + hours * HOUR };
      });
    fc.assert(
      fc.property(span, span, (one, other) => {
        const isSame = one.startMs === other.startMs && one.endMs === other.endMs;
        expect(describeRange(one) === describeRange(other)).toBe(isSame);
      }),
      { numRuns: 5_000 },
    );
  });
});

it('names moments in UTC', () => {
  expect(describeMoment(now)).toBe('22 November 2026, 10:35 UTC');
  expect(dayAndMonth(now)).toBe('22 November');
});
