import { describe, expect, it } from 'vitest';
import { courseBlocks } from '../../../../src/features/reports/course-view.ts';
import { stepOfPeriod } from '../../../../src/features/reports/question.ts';
import type { Found } from '../../../../src/features/reports/source.ts';
import type { Measure } from '../../../../src/reporting/amounts.ts';
import { DAY_MS } from '../../../../src/lib/time.ts';
import { EUR, found, line, october, question } from './support.ts';

interface Chart {
  readonly title: string;
  readonly chart: {
    readonly type: string;
    readonly series: readonly {
      readonly name: string;
      readonly data: readonly { readonly label: string; readonly value: number }[];
    }[];
    readonly axis_config: { readonly categories: readonly string[]; readonly y_label?: string };
  };
}

function draw(answer: Found, asked = question({ step: 'day' })) {
  const [chart, highest] = courseBlocks(asked, answer);
  return { ...(chart as unknown as Chart), said: JSON.stringify(highest) };
}

const cpu: Measure = {
  kind: 'quantity',
  metric: 'cpu',
  feature: 'workloads',
  unit: 'core-seconds',
};

describe('the course of an answer with steps', () => {
  it('is a chart of its groups, up to now, and names the highest step', () => {
    const now = october.startMs + 2 * DAY_MS + 3_600_000;
    const lines = [
      line('acme', '30', { days: { 1: '10', 3: '20' } }),
      line('globex', '5', { days: { 2: '5' } }),
    ];
    const { title, chart, said } = draw(found(lines), question({ step: 'day' }, now));

    expect(title).toBe('Charges per day by org');
    expect(chart.type).toBe('line');
    expect(chart.axis_config).toEqual({
      categories: ['1 Oct', '2 Oct', '3 Oct'],
      y_label: 'USD',
    });
    expect(chart.series.map(({ name, data }) => [name, ...data.map(({ value }) => value)])).toEqual(
      [
        ['acme', 10, 0, 20],
        ['globex', 0, 5, 0],
      ],
    );
    expect(said).toContain('Highest day: *$20.00*, 3 October 2026');
  });

  it('of a longer range has longer points, which add up to the same', () => {
    const days = Object.fromEntries(Array.from({ length: 31 }, (_, at) => [at + 1, '1']));
    const { title, chart } = draw(found([line('acme', '31', { days })]));

    // 2026-10-01 is a Thursday.
    expect(title).toBe('Charges per week by org');
    expect(chart.axis_config.categories).toEqual([
      '1 Oct (4 days)',
      '5 Oct',
      '12 Oct',
      '19 Oct',
      '26 Oct (6 days)',
    ]);
    expect(chart.series[0]?.data.map(({ value }) => value)).toEqual([4, 7, 7, 7, 6]);
    expect(chart.type).toBe('bar');
  });

  it('has twelve series, the smallest together', () => {
    const lines = Array.from({ length: 15 }, (_, at) =>
      line(`org-${at}`, '1', { days: { 1: `${20 - at}` } }),
    );
    const names = draw(found(lines)).chart.series.map(({ name }) => name);

    expect(names).toHaveLength(12);
    expect(names.slice(-2)).toEqual(['org-10', 'Other']);
  });

  it('of usage is of the metric with the most groups, in its unit', () => {
    const days = { 1: '7200', 2: '36000' };
    const memory: Measure = { ...cpu, metric: 'memory', unit: 'byte-seconds' };
    const lines = [
      line(['web', 'cpu'], '43200', { measure: cpu, days }),
      line(['api', 'cpu'], '43200', { measure: cpu, days }),
      line(['web', 'memory'], '9', { measure: memory, days: { 1: '9' } }),
    ];
    const asked = question({ step: 'day', by: ['workload', 'metric'] });
    const { title, chart, said } = draw(found(lines, { columns: ['workload', 'metric'] }), asked);

    expect(title).toBe('cpu per week by workload, metric');
    expect(chart.axis_config.y_label).toBe('core-hours');
    expect(chart.series.map(({ name }) => name)).toEqual(['web', 'api']);
    expect(chart.series[0]?.data[0]?.value).toBe(12);
    expect(said).toContain('Highest day of cpu: *20 core-hours*, 2 October 2026');
  });

  it('is of one currency, which it names, and shows credits', () => {
    const days = { 1: '-1' };
    const lines = [line('acme', '1', { measure: EUR, days: { 1: '1' } })];
    const both = [...lines, line('acme', '-1', { days }), line('globex', '-1', { days })];
    const { title, chart } = draw(found(both));

    expect(title).toBe('USD per week by org');
    expect(chart.series[0]?.data[0]?.value).toBe(-1);
  });

  it('is absent without a step, and without a figure', () => {
    expect(courseBlocks(question(), found([line('acme', '1')]))).toEqual([]);
    expect(courseBlocks(question({ step: 'day' }), found([]))).toEqual([]);
    expect(courseBlocks(question({ step: 'day' }), found([line('acme', '0')]))).toEqual([]);
  });

  it('puts a week that begins before the span at its start', () => {
    const stepOf = stepOfPeriod(question({ step: 'week' }));

    expect(stepOf?.(october.startMs)).toBe(october.startMs);
    expect(stepOf?.(october.startMs + 5 * DAY_MS)).toBe(october.startMs + 4 * DAY_MS);
    expect(stepOfPeriod(question())).toBeUndefined();
  });
});
