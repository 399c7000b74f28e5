import { describe, expect, test } from 'vitest';
import { longStepName, stepKind, stepLabels } from '../../../src/reporting/chart.ts';
import type { Range } from '../../../src/reporting/range.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

function steps(first: number, count: number, lengthMs: number): Range[] {
  return Array.from({ length: count }, (_, step) => ({
    startMs: first + step * lengthMs,
    endMs: first + (step + 1) * lengthMs,
  }));
}

function months(count: number): Range[] {
  return Array.from({ length: count }, (_, month) => ({
    startMs: Date.UTC(2025, 10 + month, 1),
    endMs: Date.UTC(2025, 11 + month, 1),
  }));
}

const shown = (range: readonly Range[], most: number) =>
  stepLabels(range, most).filter((label) => label !== undefined);

describe('What the steps of a chart are', () => {
  test.each([
    ['hour', HOUR],
    ['day', DAY],
    ['week', 7 * DAY],
    ['month', 28 * DAY],
  ] as const)('is told by their length: %s', (kind, length) => {
    expect(stepKind(steps(0, 3, length))).toBe(kind);
  });

  test('is not mistaken for less when the range cuts off the outer steps', () => {
    const whole = steps(Date.UTC(2026, 9, 5), 2, 7 * DAY);
    const cut = { startMs: Date.UTC(2026, 9, 1), endMs: Date.UTC(2026, 9, 5) };

    expect(stepKind([cut, ...whole])).toBe('week');
  });
});

describe('The labels under the bars', () => {
  test('name every bar where there is room', () => {
    expect(shown(steps(Date.UTC(2026, 9, 26), 3, 7 * DAY), 6)).toEqual([
      '26 Oct',
      '2 Nov',
      '9 Nov',
    ]);
  });

  test('count a month by fives', () => {
    const november = steps(Date.UTC(2026, 10, 1), 30, DAY);

    expect(shown(november, 6)).toEqual(['1 Nov', '6 Nov', '11 Nov', '16 Nov', '21 Nov', '26 Nov']);
  });

  test('say the hour, and the day at its first hour', () => {
    const afternoon = steps(Date.UTC(2026, 10, 1, 15), 24, HOUR);

    expect(shown(afternoon, 6)).toEqual(['18:00', '2 Nov', '06:00', '12:00']);
  });

  test('of many days of hours stand at midnight', () => {
    const october = steps(Date.UTC(2026, 9, 1, 5), 739, HOUR);

    expect(shown(october, 7)).toEqual(['2 Oct', '9 Oct', '16 Oct', '23 Oct', '30 Oct']);
  });

  test('name the year of a month', () => {
    expect(shown(months(13), 4)).toEqual(['Nov 2025', 'Mar 2026', 'Jul 2026', 'Nov 2026']);
  });
});

test.each([
  ['hour', '1 Nov 2026, 14:00'],
  ['day', '1 Nov 2026'],
  ['week', 'week of 1 Nov 2026'],
  ['month', 'Nov 2026'],
] as const)('The full name of a %s is "%s"', (kind, name) => {
  expect(longStepName(Date.UTC(2026, 10, 1, 14), kind)).toBe(name);
});
