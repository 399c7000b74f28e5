import { BigNumber } from 'bignumber.js';
import { describe, expect, test } from 'vitest';
import {
  altTextOf,
  gapsOf,
  sparkline,
  stackOf,
  type Chart,
  type ChartSeries,
} from '../../../src/reporting/chart.ts';
import * as fc from '../../support/fast-check.ts';

const DAY = 86_400_000;
const NOVEMBER = Date.UTC(2026, 10, 1);

type Amounts = readonly (number | string | undefined)[];

const values = (amounts: Amounts) =>
  amounts.map((amount) => (amount === undefined ? undefined : new BigNumber(amount)));
const line = (name: string, ...amounts: Amounts): ChartSeries => ({
  name,
  values: values(amounts),
});

/** Days of November, of which one may be today. */
function chartOf(series: readonly ChartSeries[], running?: number): Chart {
  const length = Math.max(0, ...series.map((one) => one.values.length));
  return {
    title: 'Charges by org',
    steps: Array.from({ length }, (_, day) => ({
      startMs: NOVEMBER + day * DAY,
      endMs: NOVEMBER + (day + 1) * DAY,
      running: day === running,
    })),
    series,
    format: (value) => `$${value.toFormat(2)}`,
  };
}

const amount = fc
  .tuple(fc.bigInt({ min: 0n, max: 10n ** 24n }), fc.integer({ min: -24, max: 6 }))
  .map(([digits, exponent]) => new BigNumber(digits.toString()).shiftedBy(exponent));
const maybeAmount = fc.option(amount, { nil: undefined });

describe('A stack', () => {
  test('has the largest lines, and the others in one', () => {
    const stack = stackOf(
      [line('a', 9, 9), line('b', 8, undefined), line('c', 2, 3), line('d', 1, undefined)],
      2,
    );

    expect(stack).toEqual([line('a', 9, 9), line('b', 8, undefined), line('2 others', 3, 3)]);
  });

  test('shows a single line that is too many as itself: there is room for it anyway', () => {
    const lines = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((name) => line(name, 1));

    expect(stackOf(lines).map(({ name }) => name)).toEqual(lines.map(({ name }) => name));
    expect(stackOf([...lines, line('i', 1)]).at(-1)).toEqual(line('2 others', 2));
  });

  test('loses nothing of any step, and is never higher than it may', () => {
    const lines = fc
      .integer({ min: 0, max: 12 })
      .chain((steps) =>
        fc.array(fc.array(maybeAmount, { minLength: steps, maxLength: steps }), { maxLength: 30 }),
      );
    const total = (series: readonly ChartSeries[], step: number) =>
      BigNumber.sum(0, ...series.map((one) => one.values[step] ?? 0)).toFixed();

    fc.assert(
      fc.property(lines, fc.integer({ min: 1, max: 9 }), (rows, max) => {
        const all = rows.map((values, place) => ({ name: `line ${place}`, values }));
        const stack = stackOf(all, max);

        expect(stack.length).toBeLessThanOrEqual(max + 1);
        for (const step of rows[0]?.keys() ?? []) {
          const known = (series: readonly ChartSeries[]) =>
            series.some((one) => one.values[step] !== undefined);
          expect(total(stack, step)).toBe(total(all, step));
          expect(known(stack)).toBe(known(all));
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('A gap', () => {
  test('is a step without usage, not one with a usage of zero', () => {
    expect(gapsOf(chartOf([line('a', 1, undefined, undefined, 0, undefined)]))).toEqual([
      { from: 1, to: 2 },
      { from: 4, to: 4 },
    ]);
  });

  test('is not what has not begun', () => {
    const chart = chartOf([line('a', undefined, 1, undefined, undefined)], 1);

    expect(gapsOf(chart)).toEqual([{ from: 0, to: 0 }]);
  });
});

describe('The text instead of the picture', () => {
  test('tells everything that can be seen', () => {
    const acme = line('acme', 10, 20, undefined, undefined, 30, 4, undefined, undefined);
    const globex = line('globex', 1, 2, undefined, undefined, undefined, 1);

    expect(altTextOf(chartOf([acme, globex], 5)).split('. ')).toEqual([
      'Stacked bar chart: Charges by org',
      '8 bars, one per day, 1 Nov 2026 to 8 Nov 2026 (UTC)',
      'Largest bar: $30.00 (5 Nov 2026)',
      'Smallest bar: $11.00 (1 Nov 2026)',
      '6 Nov 2026 is not over: its bar is hatched and will grow',
      '2 bars to come',
      'No data: 3 Nov 2026 to 4 Nov 2026',
      'From the bottom up: acme $64.00',
      'globex $4.00.',
    ]);
  });

  test('says that there is nothing', () => {
    const text = altTextOf(chartOf([line('acme', undefined)]));

    expect(text).toContain('1 bar, one per day, 1 Nov 2026 (UTC). There is no usage in it.');
  });

  test('does not call the only bar the largest', () => {
    expect(altTextOf(chartOf([line('acme', 5)], 0))).toContain('Every bar: $5.00.');
  });

  test('counts the gaps that it does not name', () => {
    const holes = Array.from({ length: 24 }, (_, day) => (day % 2 === 0 ? undefined : 1));

    expect(altTextOf(chartOf([line('acme', ...holes)]))).toMatch(
      /No data: 1 Nov 2026, .*, 15 Nov 2026 and 4 more gaps\./,
    );
  });

  test('is one short line of plain text, whatever people call their things', () => {
    const foreign = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.constantFrom('\u202Eevil\u0007', '🎉'.repeat(300), 'a\nb\tc', '\u200B', ''),
    );
    const row = fc.tuple(foreign, fc.array(maybeAmount, { maxLength: 40 }));

    fc.assert(
      fc.property(foreign, fc.array(row, { maxLength: 8 }), fc.nat(40), (title, rows, today) => {
        const series = rows.map(([name, values]) => ({ name, values }));
        const chart = { ...chartOf(series, today), title };
        const text = altTextOf({ ...chart, format: (value) => `${value.toFixed()} ${title}` });

        expect(text.length).toBeLessThanOrEqual(1_000);
        expect(text).toMatch(/^Stacked bar chart: /);
        expect(text).not.toMatch(/[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/u);
      }),
      { numRuns: 150 },
    );
  });
});

describe('A sparkline', () => {
  test('rises with the values', () => {
    expect(sparkline(values([0, 1, 2, 3, 4, 5, 6, 7, 8]))).toBe('▁▂▃▄▅▆▇██');
  });

  test('has a gap where there is nothing', () => {
    expect(sparkline(values([4, undefined, 0, 8]))).toBe('▅\u2002▁█');
  });

  test('of nothing but zeros lies flat', () => {
    expect(sparkline(values([0, 0]))).toBe('▁▁');
  });

  test('of no values is empty', () => {
    expect(sparkline([])).toBe('');
  });

  test('of a month of hours still shows the one high hour, and the day that is missing', () => {
    const hours = Array.from({ length: 744 }, (_, hour) => (hour === 400 ? 80 : 10));
    const marks = sparkline(values(hours.map((amount, hour) => (hour < 26 ? undefined : amount))));

    expect(marks).toMatch(/^\u2002▂+█▂+$/);
    expect(marks.length).toBeLessThanOrEqual(31);
  });
});
