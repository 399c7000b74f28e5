import { describe, expect, it } from 'vitest';
import { courseBlocks } from '../../../../src/features/reports/totals-view.ts';
import { stepOfPeriod } from '../../../../src/features/reports/question.ts';
import type { Found } from '../../../../src/features/reports/source.ts';
import type { Measure } from '../../../../src/reporting/amounts.ts';
import { DAY_MS } from '../../../../src/lib/time.ts';
import { found, line, october, question } from './support.ts';

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

  it('puts a week that begins before the span at its start', () => {
    const stepOf = stepOfPeriod(question({ step: 'week' }));

    expect(stepOf?.(october.startMs)).toBe(october.startMs);
    expect(stepOf?.(october.startMs + 5 * DAY_MS)).toBe(october.startMs + 4 * DAY_MS);
    expect(stepOfPeriod(question())).toBeUndefined();
  });
});
