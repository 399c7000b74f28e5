import { describe, expect, it } from 'vitest';
import type { Measure } from '../../../../src/reporting/amounts.ts';
import { EUR, found, line, question, show, USD } from './support.ts';

function of(metric: string, feature = 'workloads'): Measure {
  const unit = metric === 'cpu' ? 'core-seconds' : 'bytes';
  return { kind: 'quantity', metric, feature, unit };
}

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
    expect(rows.slice(1).map(([org, charge, , share]) => [org, charge, share])).toEqual([
      ['globex', '€30.00', '75%'],
      ['acme', '€10.00', '25%'],
      ['acme', '$5.00', '100%'],
    ]);
  });

  it('distinguish metrics, and the features of one metric', () => {
    const lines = [
      line('web', '7200', { measure: of('cpu') }),
      line('api', '3600', { measure: of('cpu') }),
      line('db', '3600', { measure: of('cpu', 'volume-sets') }),
      line('web', '1073741824', { measure: of('egress') }),
    ];
    const { head, rows } = show(found(lines));

    expect(head.slice(1, 4)).toEqual([
      'cpu (workloads): *3 core-hours*, no change',
      'cpu (volume-sets): *1 core-hour*, no change',
      'egress: *1 GiB*, no change',
    ]);
    expect(rows.map((row) => row.toSpliced(2, 2).slice(0, 3))).toEqual([
      ['Org', 'Charge', 'Metric'],
      ['web', '2 core-hours', 'cpu (workloads)'],
      ['api', '1 core-hour', 'cpu (workloads)'],
      ['db', '1 core-hour', 'cpu (volume-sets)'],
      ['web', '1 GiB', 'egress'],
    ]);
  });

  it('of a typed grouping have a row for each metric and group, below a line for each metric', () => {
    const halfway = Date.parse('2026-10-16T12:30:00Z');
    const lines = ['cpu', 'egress'].flatMap((metric) =>
      Array.from({ length: 8 }, (_, at) =>
        line(`gvc-${at}`, String(3_600_000 * (8 - at)), {
          measure: of(metric),
          projected: String(7_300_000 * (8 - at)),
        }),
      ),
    );

    const { head, rows } = show(
      found(lines, { columns: ['gvc'] }),
      question({ by: ['gvc'] }, halfway),
    );

    expect(head.slice(1)).toEqual([
      'cpu: *36,000 core-hours* so far, no change, projected: about 73,000 core-hours by 31 October',
      'egress: *123.6 MiB* so far, no change, projected: about 251 MiB by 31 October',
      'Change vs 1-16 September',
    ]);
    expect(rows[0]).toEqual(['GVC', 'Charge', 'Change', 'Share', 'Metric', 'Next']);
    expect(rows.slice(1).map(([gvc, , , , metric]) => `${gvc} ${metric}`)).toEqual(
      ['cpu', 'egress'].flatMap((metric) =>
        Array.from({ length: 8 }, (_, at) => `gvc-${at} ${metric}`),
      ),
    );
  });

  it('do not repeat the metric that is a tag of the rows', () => {
    const lines = [
      line(['web', 'cpu', 'workloads'], '3600', { measure: of('cpu') }),
      line(['db', 'cpu', ''], '3600', { measure: of('cpu', '') }),
    ];
    const { rows } = show(found(lines, { columns: ['workload', 'metric', 'feature'] }));

    expect(rows.map((row) => row.toSpliced(2, 2).slice(0, 4))).toEqual([
      ['Workload', 'Charge', 'Metric', 'Feature'],
      ['web', '1 core-hour', 'cpu', 'workloads'],
      ['db', '1 core-hour', 'cpu', '(none)'],
    ]);
  });

  it('have one unit for each metric, that of its largest row, except where a row would be nothing', () => {
    const lines = [
      line('web', String(6 * 2 ** 40), { measure: of('egress') }),
      line('api', String(697.2 * 2 ** 30), { measure: of('egress') }),
      line('db', '1024', { measure: of('egress') }),
      line('web', '3600', { measure: of('cpu') }),
    ];
    const { rows } = show(found(lines));
    expect(rows.slice(1).map(([, figure]) => figure)).toEqual([
      '6 TiB',
      '0.6809 TiB',
      '1 KiB',
      '1 core-hour',
    ]);
  });

  it('name a row by its narrowest tag, with the figures beside it, so that a narrow window shows them', () => {
    const columns = ['org', 'gvc', 'workload'];
    const titles = (labels: string[], tags: string[]) =>
      show(found([line(labels, '1')], { columns: tags })).rows[0];

    expect(titles(['acme', 'shop', 'api'], columns)?.join(', ')).toBe(
      'Workload, Charge, Change, Share, Org, GVC, Next',
    );
    expect(titles(['eu', 'acme'], ['location', 'org'])?.slice(0, 2)).toEqual([
      'Location',
      'Charge',
    ]);
  });
});
