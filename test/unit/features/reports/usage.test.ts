import { BigNumber } from 'bignumber.js';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Found } from '../../../../src/features/reports/source.ts';
import { labelWithOrg } from '../../../../src/features/reports/orgs.ts';
import { usageTable } from '../../../../src/features/reports/tables.ts';
import type { UsageRow } from '../../../../src/platform/consumption/result.ts';
import { toCsv } from '../../../../src/reporting/csv.ts';
import {
  ANN,
  DOWN,
  LOCKED,
  NOW,
  october,
  startSource,
  EXPIRED,
  TOO_LARGE,
} from './usage-support.ts';

/** Lines as texts: labels, metric, feature, value, and the value before. */
function linesOf({ lines }: Found): string[] {
  return lines.map(({ labels, measure, value, before }) => {
    const of = measure.kind === 'quantity' ? `${measure.metric}/${measure.feature}` : 'money';
    return `${labels.join('/')} ${of} ${value.toFixed()} ${before?.toFixed() ?? 'unknown'}`;
  });
}

function caveatsOf({ caveats }: Found): string {
  return caveats.map(({ text }) => text).join('\n');
}

describe('The lines of usage', () => {
  it('keeps orgs apart where there are several, and never the groups of another tag', async () => {
    const { source } = startSource({
      now: { acme: [['cpu', 'workloads', 1]], globex: [['cpu', 'workloads', 2]] },
    });
    const ofBoth = await source.find(october());
    const byOrg = await source.find(october({ by: ['org'] }));
    const { query } = october();
    const ofOne = await source.find(october({ query: { ...query, orgs: ['acme'] } }));

    expect(ofBoth.columns).toEqual(['gvc', 'org']);
    expect(ofBoth.readAt).toBe(NOW - 9_000);
    expect(linesOf(ofBoth)).toEqual([
      'shop/globex cpu/workloads 2 2',
      'shop/acme cpu/workloads 1 1',
    ]);
    expect(linesOf(byOrg)).toEqual(['globex cpu/workloads 2 2', 'acme cpu/workloads 1 1']);
    expect(ofOne.columns).toEqual(['gvc']);
    expect(linesOf(ofOne)).toEqual(['shop cpu/workloads 1 1']);
  });
});

it('A file of usage has tags that items price on where rows have them, whatever they are named', async () => {
  const odd = JSON.parse('{"metric":"cpu","constructor":"b","gpuModel":""}') as UsageRow['tags'];
  const columns = ['gvc', 'metric', 'feature', 'locationType', 'performanceClass', 'constructor'];

  const rows = [odd, { metric: 'cpu' }].map((tags) => ({
    value: new BigNumber(1),
    tags,
    projectedValue: undefined,
  }));
  const period = { startMs: 0, endMs: 3_600_000, groups: [{ key: { gvc: 'shop' }, rows }] };
  const reported = { totalSeconds: undefined, elapsedSeconds: undefined, consumptionCount: 2 };
  const value = { periods: [{ ...period, ...reported }], consumptionCount: 2, skipped: 0 };
  const { columns: named, rows: written } = usageTable(
    october(),
    [labelWithOrg('acme', value)],
    () => '',
  );

  expect(named.slice(3, -3)).toEqual(columns);
  expect(toCsv([], [...written])).toMatch(
    /,acme,shop,cpu,,,,b,1,,\r\n.*,acme,shop,cpu,,,,,1,,\r\n$/,
  );
});

describe('The unit of a metric that no one documented', () => {
  const now = { acme: [['api-calls', 'workloads', 1_500]] as const };
  const unitsIn = ({
    lines,
    file,
  }: Awaited<ReturnType<ReturnType<typeof startSource>['source']['find']>>) => [
    ...lines.map(({ measure }) => (measure.kind === 'quantity' ? measure.unit : '')),
    ...file.rows.map((row) => row[file.columns.indexOf('unit')]),
  ];

  it('is that of its chargeable item, in the answer and in its file', async () => {
    const { source } = startSource({ now, units: { 'api-calls': 'requests' } });
    expect(unitsIn(await source.find(october()))).toEqual(['requests', 'requests']);
  });

  it.each([
    ['cannot be read', DOWN],
    ['do not answer in time', 'never answers'],
    ['are not there', undefined],
  ] as const)(
    'is unknown, and the answer comes, where the chargeable items %s',
    async (_, units) => {
      vi.useFakeTimers();
      onTestFinished(() => void vi.useRealTimers());
      const { source } = startSource({ now, ...(units && { units }) });

      const finding = source.find(october());
      await vi.advanceTimersByTimeAsync(2_000);
      const found = await finding;

      expect(linesOf(found)).toEqual(['shop api-calls/workloads 1500 1500']);
      expect(unitsIn(found)).toEqual([undefined, undefined]);
    },
  );
});

describe('The comparison', () => {
  it('is unknown when one org does not answer, with a word about it', async () => {
    const { source } = startSource({
      now: { acme: [['cpu', 'workloads', 3]], globex: [['cpu', 'workloads', 1]] },
      before: { acme: [['cpu', 'workloads', 3]], globex: DOWN },
    });

    const found = await source.find(october());

    expect(linesOf(found)[0]).toBe('shop/acme cpu/workloads 3 unknown');
    expect(found.isBeforeUnread).toBe(true);
  });
});

describe('The notes', () => {
  it.each([
    ['2026-11-18T09:00:00Z', ''],
    [
      '2026-11-18T11:00:00Z',
      'ℹ `snapshot-storage` of the last 48 hours (since 18 November 2026, 10:00 UTC) can still change.',
    ],
  ])('of snapshots until %s', async (end, said) => {
    const { source } = startSource({ now: { acme: [['snapshot-storage', 'volume-sets', 3]] } });
    const range = { startMs: Date.parse('2026-11-01'), endMs: Date.parse(end) };
    expect(caveatsOf(await source.find(october({ range })))).toBe(said);
  });

  it('of volumes that are measured twice, and only then', async () => {
    const gib = ['volume-set-capacity-bytes', 'volume-sets', 3] as const;
    const twice = startSource({ now: { acme: [gib], globex: [['volume_set_capacity', 'x', 3]] } });
    const none = startSource({ now: { acme: [gib], globex: [['volume_set_capacity', 'x', 0]] } });

    expect(caveatsOf(await twice.source.find(october()))).toMatch(/never added/);
    expect(caveatsOf(await none.source.find(october()))).toBe('');
  });
});

describe('The values of a tag', () => {
  it('come in the order of names, and so do the orgs that are offered', async () => {
    const { source } = startSource({ now: {}, values: { globex: ['b', 'Zoe'], Acme: ['A', 'a'] } });
    const { range } = october();

    const { values } = await source.tagValues(ANN, 'gvc', range, { of: [], where: {}, orgs: [] });

    expect(values).toEqual(['A', 'a', 'b', 'Zoe']);
    expect(await source.orgs(ANN)).toEqual(['Acme', 'globex']);
  });

  it('are those of all orgs, each once and sorted, of the metrics and filters that were asked', async () => {
    const { source, asked } = startSource({
      now: {},
      values: { acme: ['shop', ''], globex: ['data', 'shop'], initech: LOCKED },
    });
    const { range } = october();

    const found = await source.tagValues(ANN, 'gvc', range, {
      of: ['cpu', 'a.b'],
      where: { workload: '/^c/' },
      orgs: [],
    });

    expect(found).toMatchObject({ values: ['', 'data', 'shop'], readAt: NOW, skipped: 2 });
    expect(found.caveats?.[0]?.text.text).toMatch(/^⚠ Without initech/);
    expect(asked[0]?.query).toEqual({
      startTime: '2026-10-01T00:00:00Z',
      endTime: '2026-11-01T00:00:00Z',
      tag: 'gvc',
      filterBy: { workload: '/^c/', metric: String.raw`/^(cpu|a\.b)$/` },
    });
  });
});

it('Many orgs are queried eight at a time, for the span and the one before together', async () => {
  const orgs = Array.from({ length: 30 }, (_, at) => `org-${at}`);
  const now = Object.fromEntries(orgs.map((org) => [org, [['cpu', 'workloads', 1]] as const]));
  const { source, asked, calls } = startSource({ now });

  expect((await source.find(october())).lines).toHaveLength(30);
  expect(asked).toHaveLength(60);
  expect(calls).toEqual({ running: 0, most: 8 });
});

describe('The error of a query', () => {
  it('is the first error when no org answers', async () => {
    const { source } = startSource({ now: { acme: LOCKED, globex: DOWN } });
    await expect(source.find(october())).rejects.toBe(LOCKED);
  });

  it('is the retention, even of one org alone, because one can ask for less', async () => {
    const { source } = startSource({ now: { acme: [['cpu', 'workloads', 3]], globex: EXPIRED } });
    await expect(source.find(october())).rejects.toBe(EXPIRED);
  });

  it('is the size limit, even if one org alone exceeds it, because a smaller query is possible', async () => {
    const { source } = startSource({ now: { acme: [['cpu', 'workloads', 3]], globex: TOO_LARGE } });
    await expect(source.find(october())).rejects.toBe(TOO_LARGE);
  });

  it('is a defect when it is not the platform', async () => {
    const defect = new TypeError('a defect');
    const { source } = startSource({ now: { acme: [], globex: defect } });
    await expect(source.find(october())).rejects.toBe(defect);
  });
});
