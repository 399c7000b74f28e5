import { BigNumber } from 'bignumber.js';
import { describe, expect, it } from 'vitest';
import { unpricedCaveats } from '../../../../src/features/reports/words.ts';
import type {
  Catalogue,
  ChargeResult,
  ChargeRow,
} from '../../../../src/platform/billing/charge-rows.ts';

type Tags = Readonly<Record<string, string>>;

function row(tags: Tags, changes: Partial<ChargeRow> = {}): ChargeRow {
  return {
    value: new BigNumber(5),
    tags,
    total: new BigNumber(0),
    projectedTotal: undefined,
    currency: undefined,
    ratePlans: [],
    ...changes,
  };
}

function charges(...rows: readonly ChargeRow[]): ChargeResult {
  const period = {
    startMs: 0,
    endMs: 3_600_000,
    totalSeconds: 3_600,
    elapsedSeconds: 3_600,
    consumptionCount: rows.length,
    groups: [{ key: {}, rows }],
  };
  return { periods: [period], consumptionCount: rows.length, skipped: 0 };
}

const item = (name: string, consumptionTags: Tags) => ({
  id: `item-${name}`,
  name,
  description: '',
  consumptionTags,
  unit: '',
  type: undefined,
});

const catalogue: Catalogue = {
  items: [
    item('cpu', { feature: 'workloads', metric: 'cpu', locationType: 'hosted' }),
    item('ssd', { feature: 'volume-sets', metric: 'capacity', performanceClass: 'ssd' }),
  ],
  skipped: 0,
};

const reported = (answer: ChargeResult, known: Catalogue = catalogue) =>
  unpricedCaveats([answer], known).map(({ text }) => text.text);

const cpu = { feature: 'workloads', metric: 'cpu', locationType: 'hosted' };

describe('usage without a price', () => {
  const rows = (...tags: Tags[]) => tags.map((one) => row({ ...cpu, ...one }));
  const plan = { ratePlans: ['plan-1'] };

  it.each([
    [
      'is named without its feature where nothing prices its metric',
      rows({ metric: 'logs', feature: 'a' }, { metric: 'logs', feature: 'b' }),
      'counted as 0: `logs`. ',
    ],
    [
      'is reported although the row names a rate plan, which a platform may do for every row',
      [row({ ...cpu, metric: 'replicas' }, plan), row({ ...cpu, locationType: '' }, plan)],
      ': `cpu` without `locationType`, `replicas`. ',
    ],
  ])('%s', (_, unpriced, words) => {
    expect(reported(charges(...unpriced))).toEqual([expect.stringContaining(words)]);
  });

  it('is reported right where an item prices on a tag that is named like a member of every object', () => {
    const named = (tag: string) =>
      JSON.parse(`{"feature":"workloads","metric":"cpu","${tag}":"a"}`) as Tags;
    for (const tag of ['constructor', '__proto__']) {
      const known = { items: [item('odd', named(tag))], skipped: 0 };
      expect(reported(charges(row(cpu)), known)[0]).toContain(`\`cpu\` without \`${tag}\``);
      expect(reported(charges(row(named(tag))), known)).toEqual([]);
    }
  });

  it('may be reported by its group alone', () => {
    const { periods } = charges(row({ metric: 'cpu', locationType: 'hosted' }));
    const groups = [{ key: { feature: 'workloads' }, rows: periods[0]?.groups[0]?.rows ?? [] }];
    expect(reported({ ...charges(), periods: [{ ...periods[0]!, groups }] })).toEqual([]);
  });

  it('is priced by no item that asks for no tags', () => {
    const fee = { items: [item('support', {})], skipped: 0 };
    expect(reported(charges(row(cpu)), fee)[0]).toContain('Not priced, so counted as 0: `cpu`.');
  });

  it('is nothing that anyone knows when the items cannot be read, which another line says', () => {
    expect(unpricedCaveats([charges(row({ ...cpu, metric: 'replicas' }))], undefined)).toEqual([]);
  });

  it.each([
    ['an item fits', row({ ...cpu, gvc: 'shop' })],
    ['is in a free tier', row(cpu, plan)],
    ['is priced', row(cpu, { total: new BigNumber(1), currency: 'USD' })],
    ['is zero', row(cpu, { value: new BigNumber(0) })],
  ])('is nothing that %s', (_, one) => {
    expect(unpricedCaveats([charges(one)], catalogue)).toEqual([]);
  });
});
