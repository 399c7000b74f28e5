import { describe, expect, it } from 'vitest';
import type { Measure } from '../../../../src/reporting/amounts.ts';
import { EUR, found, line, question, show, USD } from './support.ts';

describe('totals of several measures', () => {
  it('never add two currencies: each has its own lines, share and total', () => {
    const { head, rows } = show(
      found([
        line('globex', '30', { measure: EUR }),
        line('acme', '10', { measure: EUR }),
        line('acme', '5', { measure: USD }),
      ]),
    );
    expect(head.slice(1)).toEqual([
      'EUR: *€40.00*, no change',
      'USD: *$5.00*, no change',
      'Change vs September',
    ]);
    expect(rows.slice(1).map(([org, charge, share]) => [org, charge, share])).toEqual([
      ['globex', '€30.00', '75%'],
      ['acme', '€10.00', '25%'],
      ['Total, EUR', '€40.00', '100%'],
      ['acme', '$5.00', '100%'],
    ]);
  });

  it('tell metrics apart, and the features of one metric', () => {
    const of = (metric: string, feature: string): Measure => ({
      kind: 'quantity',
      metric,
      feature,
      unit: metric === 'cpu' ? 'core-seconds' : 'bytes',
    });
    const lines = [
      line('web', '7200', { measure: of('cpu', 'workloads') }),
      line('api', '3600', { measure: of('cpu', 'workloads') }),
      line('db', '3600', { measure: of('cpu', 'volume-sets') }),
      line('web', '1073741824', { measure: of('egress', 'workloads') }),
    ];

    expect(show(found(lines)).rows.map((row) => [row[0], row[1], row.at(-1)])).toEqual([
      ['metric', 'Usage', 'Largest'],
      ['cpu (workloads)', '3 core-hours', 'web, 67%'],
      ['cpu (volume-sets)', '1 core-hour', 'db, 100%'],
      ['egress', '1 GiB', 'web, 100%'],
    ]);
    expect(show(found(lines), question(), 2).rows.map((row) => row.slice(0, 2))).toEqual([
      ['org / metric', 'Charge'],
      ['web / cpu (workloads)', '2 core-hours'],
      ['api / cpu (workloads)', '1 core-hour'],
      ['Total, cpu (workloads)', '3 core-hours'],
      ['db / cpu (volume-sets)', '1 core-hour'],
      ['web / egress', '1 GiB'],
    ]);
  });

  it('of many metrics of many things begin with a row for each metric, and lose none of the others', () => {
    const of = (metric: string): Measure => ({
      kind: 'quantity',
      metric,
      feature: 'workloads',
      unit: metric === 'cpu' ? 'core-seconds' : 'bytes',
    });
    const halfway = Date.parse('2026-10-16T12:30:00Z');
    const lines = ['cpu', 'egress'].flatMap((metric) =>
      Array.from({ length: 8 }, (_, at) =>
        line([`web-${at}`, metric], String(3_600_000 * (8 - at)), {
          measure: of(metric),
          projected: String(7_300_000 * (8 - at)),
        }),
      ),
    );
    const answer = found(lines, { columns: ['workload', 'metric'] });

    const first = show(answer, question({}, halfway));
    const second = show(answer, question({}, halfway), 2);

    expect(first.rows).toEqual([
      ['metric', 'So far', 'Change', 'by 31 October', 'Largest'],
      ['cpu', '36,000 core-hours', 'no change', 'about 73,000 core-hours', 'web-0, 22%'],
      ['egress', '123.6 MiB', 'no change', 'about 251 MiB', 'web-0, 22%'],
    ]);
    // The table has the totals: they are heard, and not read twice.
    expect(first.head[1]).toBe(
      'cpu: *36,000 core-hours* so far, no change, about 73,000 core-hours by 31 October',
    );
    expect(first.words).not.toContain('36,000');
    expect([first.page, first.pages, first.behind]).toEqual([1, 2, 16]);
    expect(second.rows).toHaveLength(1 + 2 * 9);
    expect(second.rows[1]?.[0]).toBe('web-0 / cpu');
  });

  it('name the metric in totals and others, too', () => {
    const measure = (feature: string) =>
      ({ kind: 'quantity', metric: 'cpu', feature, unit: 'core-seconds' }) as const;
    const many = Array.from({ length: 20 }, (_, at) =>
      line([`web-${at}`, 'cpu', 'workloads'], '3600', { measure: measure('workloads') }),
    );
    const lines = [...many, line(['db', 'cpu', ''], '3600', { measure: measure('') })];

    const { rows } = show(
      found(lines, { columns: ['workload', 'metric', 'feature'] }),
      question(),
      2,
    );

    expect(rows[0]?.slice(0, 2)).toEqual(['workload / metric / feature', 'Charge']);
    expect(rows.slice(13).map((row) => row.slice(0, 2))).toEqual([
      ['8 others, cpu (workloads)', '8 core-hours'],
      ['Total, cpu (workloads)', '20 core-hours'],
      ['db / cpu / (none)', '1 core-hour'],
    ]);
  });

  it('of charges by metric are of all metrics', () => {
    const lines = [EUR, USD].flatMap((measure) =>
      ['cpu', 'memory'].map((metric) => line(['acme', metric], '1', { measure })),
    );
    const { rows } = show(found(lines, { columns: ['org', 'metric'] }));
    expect(rows.flatMap((row) => (row[0]?.startsWith('Total') ? [row.slice(0, 2)] : []))).toEqual([
      ['Total, EUR', '€2.00'],
      ['Total, USD', '$2.00'],
    ]);
  });
});
