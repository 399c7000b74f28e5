import { describe, expect, it } from 'vitest';
import type { Measure } from '../../../../src/reporting/amounts.ts';
import { found, line, question, show, october } from './support.ts';
import { courseBlocks } from '../../../../src/features/reports/totals-view.ts';
import { stepOfPeriod } from '../../../../src/features/reports/question.ts';
import type { Found } from '../../../../src/features/reports/source.ts';
import { DAY_MS } from '../../../../src/lib/time.ts';

const cpu: Measure = {
  kind: 'quantity',
  metric: 'cpu',
  feature: 'workloads',
  unit: 'core-seconds',
};
const egress: Measure = { ...cpu, metric: 'egress', unit: 'bytes' };

/** The words and the rows are in the catalogue. */
describe('totals', () => {
  it('name no largest change of less than a cent, of one line, or of a hundredth of the total', () => {
    const other = line('globex', '5', { before: '5' });
    for (const value of ['10', '10.001', '10.1']) {
      const { head } = show(found([line('acme', value, { before: '10' }), other]));
      expect(head.join()).not.toContain('Largest change');
    }
    expect(show(found([line('acme', '10', { before: '90' })])).head.join()).not.toContain(
      'Largest',
    );
  });

  it('have no estimate on the first day of a month, and none of months that end with this one', () => {
    const running = [line('acme', '500', { projected: '1000' })];
    const at = (text: string, asked = {}) =>
      show(found(running), question(asked, Date.parse(text))).head.join('\n');

    expect(at('2026-10-01T23:00:00Z')).not.toContain('about');
    expect(at('2026-10-03T00:00:00Z')).toContain('Projected: about $1,000 by 31 October');
    const long = { startMs: Date.parse('2026-09-01'), endMs: Date.parse('2026-11-01') };
    const asked = question({ range: '2026-09..2026-10' }, Date.parse('2026-10-16T12:30:00Z'));
    expect(show(found(running), { ...asked, range: long }).head.join()).not.toContain('about');
    // A year, and a week over the end of a month, have the usual projection.
    const year = { startMs: Date.parse('2026-01-01'), endMs: Date.parse('2027-01-01') };
    expect(show(found(running), { ...asked, range: year }).head.join()).toContain('about $1,000');
    const week = { startMs: Date.parse('2026-09-28'), endMs: Date.parse('2026-10-05') };
    const monday = question({}, Date.parse('2026-10-02T12:00:00Z'));
    expect(show(found(running), { ...monday, range: week }).head.join()).toContain('about $1,000');
  });

  it('by step have no estimate where the whole could not be read', () => {
    const halfway = Date.parse('2026-10-16T12:30:00Z');
    const running = [line('acme', '500', { projected: '510' })];
    expect(show(found(running), question({ step: 'day' }, halfway)).head).toHaveLength(2);
  });

  it('open a row only where it has a finer grouping, and an org to ask for', () => {
    const opened = (by: string[], ...labels: string[]) => {
      const { rows } = show(found([line(labels, '1')], { columns: by }), question({ by }));
      return rows[1]?.includes('[Open]') === true;
    };

    expect(opened(['workload'], 'api')).toBe(true);
    expect(opened(['gvc'], '')).toBe(true);
    expect(opened(['metric'], 'cpu')).toBe(false);
    expect(opened(['org', 'gvc'], 'acme', 'shop')).toBe(false);
    expect(opened(['org'], '')).toBe(false);
  });

  it('have one unit for each metric, that of its largest row, except where a row would be nothing', () => {
    const lines = [
      line('web', String(6 * 2 ** 40), { measure: egress }),
      line('api', String(697.2 * 2 ** 30), { measure: egress }),
      line('db', '1024', { measure: egress }),
      line('web', '3600', { measure: cpu }),
    ];
    const { rows } = show(found(lines));
    expect(rows.slice(1).map(([, figure]) => figure)).toEqual([
      '6 TiB',
      '0.6809 TiB',
      '1 KiB',
      '1 core-hour',
    ]);
  });

  it('of more tags than there are columns have them in one', () => {
    const columns = Array.from({ length: 18 }, (_, at) => `tag${at}`);
    const { rows } = show(found([line(columns, '1')], { columns }), question({ by: columns }));

    expect(rows[0]?.[0]).toContain('Tag0, Tag1, ');
    expect(rows[0]).toHaveLength(4);
  });
});

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
