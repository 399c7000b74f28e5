import type { BigNumber } from 'bignumber.js';
import { describe, expect, it } from 'vitest';
import { stepOfPeriod } from '../../../../src/features/reports/question.ts';
import { chartOf } from '../../../../src/features/reports/report.ts';
import { pageOf } from '../../../../src/features/reports/answer-view.ts';
import { byMeasure } from '../../../../src/reporting/amounts.ts';
import * as fc from '../../../support/fast-check.ts';
import { anyLines, EUR, found, line, october, question } from './support.ts';

const DAY = 86_400_000;

describe('the picture of an answer', () => {
  it('has every step of the span, gaps as gaps, and marks the running one', () => {
    const days = { 1: '10', 3: '20' };
    const now = october.startMs + 2 * DAY + 3_600_000;
    const asked = question({ step: 'day' }, now);
    const picture = chartOf('charges', asked, found([line('acme', '30', { days })]));
    const { steps = [], series = [], title, format } = picture?.chart ?? {};

    expect(title).toBe('Charges by org, October 2026');
    expect(steps).toHaveLength(31);
    expect(steps.flatMap(({ running }, index) => (running ? [index] : []))).toEqual([2]);
    expect(series.map(({ name }) => name)).toEqual(['acme']);
    expect(series[0]?.values.slice(0, 4).map((value) => value && format?.(value))).toEqual([
      '$10.00',
      undefined,
      '$20.00',
      undefined,
    ]);
  });

  it('shows the seven largest groups and the others', () => {
    const lines = Array.from({ length: 12 }, (_, index) =>
      line(`org-${index}`, '1', { days: { 1: '1' } }),
    );
    const picture = chartOf('charges', question({ step: 'day' }), found(lines));
    expect(picture?.chart.series.map(({ name }) => name)).toEqual([
      ...Array.from({ length: 7 }, (_, index) => `org-${index}`),
      '5 others',
    ]);
  });

  it('of usage does not repeat in every name what the title says', () => {
    const measure = {
      kind: 'quantity',
      metric: 'cpu',
      feature: 'workloads',
      unit: 'core-seconds',
    } as const;
    const days = { 1: '1' };
    const drawn = (columns: string[], ...labels: string[][]) =>
      chartOf(
        'usage',
        question({ step: 'day' }),
        found(
          labels.map((one) => line(one, '1', { measure, days })),
          { columns },
        ),
      )?.chart.series.map(({ name }) => name);

    const columns = ['workload', 'metric', 'feature'];
    expect(drawn(columns, ['web', 'cpu', 'workloads'], ['', 'cpu', 'workloads'])).toEqual([
      'web',
      '(none)',
    ]);
    expect(drawn(['metric'], ['cpu'])).toEqual(['cpu']);
  });

  it('is of one currency, and says which one is left out', () => {
    const days = { 1: '1' };
    const lines = [
      line('acme', '1', { measure: EUR, days }),
      line('acme', '1', { days }),
      line('globex', '1', { days }),
    ];
    const picture = chartOf('charges', question({ step: 'day' }), found(lines));

    expect(picture?.chart.title).toContain('Charges by org, USD,');
    expect(picture?.chart.series).toHaveLength(2);
    expect(picture?.leftOut).toEqual(['EUR']);
  });

  it.each([
    ['cpu', 'core-seconds', '20 core-hours'],
    ['disk-held', 'gigabytes * seconds', '20 GB-hours'],
  ])('of %s in %s has an axis that is round in the unit of its largest bar', (...asked) => {
    const [metric, raw, round] = asked;
    const measure = { kind: 'quantity', metric, feature: 'workloads', unit: raw } as const;
    const days = { 1: '36000', 2: '3600' };
    const lines = ['web', 'api'].map((name) => line(name, '39600', { measure, days }));
    const picture = chartOf('usage', question({ step: 'day' }), found(lines));
    const { unit, format, title } = picture?.chart ?? {};

    expect(title).toContain(`Usage by org, ${metric}, October 2026`);
    expect(unit?.toFixed()).toBe('3600');
    expect(unit && format?.(unit.times(20))).toBe(round);
    expect(
      chartOf('charges', question({ step: 'day' }), found([line('a', '1', { days })])),
    ).toMatchObject({ chart: { unit: undefined } });
  });

  it('leaves out what is below 0, which no bar can show, and says so', () => {
    const lines = [
      line('acme', '30', { days: { 1: '10', 2: '20' } }),
      line('globex', '-3', { days: { 1: '5', 2: '-8' } }),
      line('refund', '-20', { days: { 2: '-20' } }),
    ];
    const picture = chartOf('charges', question({ step: 'day' }), found(lines));
    const amounts = picture?.chart.series.map(({ name, values }) => [
      name,
      ...values.slice(0, 2).map((value) => value?.toFixed()),
    ]);

    expect(amounts).toEqual([
      ['acme', '10', '20'],
      ['globex', '5', undefined],
    ]);
    expect(picture?.leftOut).toEqual(['what is below 0']);
    expect(chartOf('charges', question({ step: 'day' }), found(lines.slice(2)))).toBeUndefined();
  });

  it('is not there without a step, or without a figure', () => {
    expect(chartOf('charges', question(), found([line('acme', '1')]))).toBeUndefined();
    expect(chartOf('charges', question({ step: 'day' }), found([]))).toBeUndefined();
  });

  it('puts a week that begins before the span at its start', () => {
    const stepOf = stepOfPeriod(question({ step: 'week' }));

    // 2026-10-01 is a Thursday.
    expect(stepOf?.(october.startMs)).toBe(october.startMs);
    expect(stepOf?.(october.startMs + 5 * DAY)).toBe(october.startMs + 4 * DAY);
    expect(stepOfPeriod(question())).toBeUndefined();
  });
});

const many = (count: number) =>
  Array.from({ length: count }, (_, index) => line(`org-${index}`, String(1_000 - index)));

describe('the pages of an answer', () => {
  it('show fifteen lines, and the others as one', () => {
    const { windows, pages } = pageOf(byMeasure(many(40)), 2);
    const [window] = windows;

    expect(pages).toBe(3);
    expect(window?.shown.map(({ labels }) => labels[0])).toEqual(
      Array.from({ length: 15 }, (_, index) => `org-${index + 15}`),
    );
    expect(window?.others?.count).toBe(25);
  });

  it('show the largest of each currency on the first page', () => {
    const lines = [line('a', '2', { measure: EUR }), ...many(20)];
    const first = pageOf(byMeasure(lines), 1);
    const second = pageOf(byMeasure(lines), 2);

    expect(first.windows.map(({ shown }) => shown.length)).toEqual([1, 12]);
    expect(second.windows.map(({ shown }) => shown.length)).toEqual([8]);
  });

  it('show a last line itself instead of "1 other", on whatever page it is', () => {
    const sizes = (count: number, page: number) => {
      const { windows, pages } = pageOf(byMeasure(many(count)), page);
      return { pages, shown: windows[0]?.shown.length, others: windows[0]?.others?.count };
    };

    expect(sizes(16, 1)).toEqual({ pages: 1, shown: 16, others: undefined });
    expect(sizes(17, 1)).toEqual({ pages: 2, shown: 15, others: 2 });
    expect(sizes(31, 2)).toEqual({ pages: 2, shown: 16, others: 15 });
  });

  it('a page beyond the last is the last', () => {
    expect(pageOf(byMeasure(many(17)), 99).page).toBe(2);
    expect(pageOf([], 1)).toEqual({ windows: [], page: 1, pages: 1 });
  });

  it('shown and others are the whole, exactly, and every line is on one page', () => {
    fc.assert(
      fc.property(anyLines(120), (lines) => {
        const groups = byMeasure(lines);
        const { pages } = pageOf(groups, 1);
        const seen: unknown[] = [];
        for (let page = 1; page <= pages; page += 1) {
          for (const { shown, others, total } of pageOf(groups, page).windows) {
            expect(others?.count).not.toBe(1);
            seen.push(...shown.map(({ labels }) => labels[0]));
            expect(sum([...shown, ...(others ? [others.sum] : [])], 'value')).toBe(
              total.value.toFixed(),
            );
            expect(sum([...shown, ...(others ? [others.sum] : [])], 'before')).toBe(
              total.before?.toFixed(),
            );
          }
        }

        expect(seen).toHaveLength(lines.length);
        expect(new Set(seen)).toEqual(new Set(lines.map(({ labels }) => labels[0])));
      }),
      { numRuns: 300 },
    );
  });
});

type Summed = { value: BigNumber; before: BigNumber | undefined };

function sum(parts: readonly Summed[], field: keyof Summed): string | undefined {
  const amounts = parts.flatMap((part) => part[field] ?? []);
  return amounts
    .slice(1)
    .reduce((all, one) => all.plus(one), amounts[0]!)
    ?.toFixed();
}
