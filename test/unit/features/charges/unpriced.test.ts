import { BigNumber } from 'bignumber.js';
import { describe, expect, it } from 'vitest';
import { unpricedCaveats } from '../../../../src/features/charges/unpriced.ts';
import type { ChargeRow, Charges } from '../../../../src/platform/billing/charge-rows.ts';
import type { Catalogue } from '../../../../src/platform/billing/items.ts';

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

function charges(...rows: readonly ChargeRow[]): Charges {
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

const asked = ['feature', 'metric', 'locationType', 'performanceClass'];

const told = async (answer: Charges, known: Catalogue | undefined = catalogue) =>
  (await unpricedCaveats([answer], () => Promise.resolve(known), asked)).map(({ text }) => text);

const cpu = { feature: 'workloads', metric: 'cpu', locationType: 'hosted' };

describe('usage without a price', () => {
  it('that no item is for says so, once for all of it', async () => {
    const rows = ['replicas', 'snapshots', 'replicas'].map((metric) => row({ ...cpu, metric }));
    const ofVolumes = row({ ...cpu, feature: 'volume-sets' });

    expect(await told(charges(...rows, ofVolumes))).toEqual([
      'ℹ Not priced (counted as 0), no chargeable item: `cpu` of `volume-sets`, `replicas`, `snapshots`',
    ]);
  });

  it('names three, and counts the others', async () => {
    const rows = ['a', 'e', 'b', 'd', 'c'].map((metric) => row({ ...cpu, metric }));

    expect(await told(charges(...rows))).toEqual([
      'ℹ Not priced (counted as 0), no chargeable item: `a`, `b`, `c` and 2 more',
    ]);
  });

  it('that lacks a tag names the tag and the item that prices on it', async () => {
    const lacking = row({ feature: 'volume-sets', metric: 'capacity', performanceClass: '' });

    expect(await told(charges(lacking))).toEqual([
      'ℹ Not priced (counted as 0), a tag is missing: `capacity` of `volume-sets` lacks `performanceClass` for `ssd`',
    ]);
  });

  it('that lacks a tag which nobody asked for says how to ask', async () => {
    const gpus = { items: [item('gpu-h100', { metric: 'gpu', gpuModel: 'h100' })], skipped: 0 };

    expect(await told(charges(row({ ...cpu, metric: 'gpu' })), gpus)).toEqual([
      'ℹ Not priced (counted as 0), a tag is missing: `gpu` lacks `gpuModel` for `gpu-h100` (try `by gpuModel`)',
    ]);
  });

  it('that has a tag as no item has it names the tag', async () => {
    expect(await told(charges(row({ ...cpu, locationType: 'byok' })))).toEqual([
      'ℹ Not priced (counted as 0), no chargeable item: `cpu` with `locationType=byok`',
    ]);
  });

  it('is none where an item fits, at a price of 0 or in a free tier', async () => {
    expect(await told(charges(row(cpu)))).toEqual([]);
    expect(await told(charges(row({ ...cpu, gvc: 'shop' }, { ratePlans: ['plan-1'] })))).toEqual(
      [],
    );
  });

  it('may be told by its group alone', async () => {
    const { periods } = charges(row({ metric: 'cpu', locationType: 'hosted' }));
    const groups = [{ key: { feature: 'workloads' }, rows: periods[0]?.groups[0]?.rows ?? [] }];

    expect(await told({ ...charges(), periods: [{ ...periods[0]!, groups }] })).toEqual([]);
  });

  it('is told although the row names a rate plan, which a platform may do for all of them', async () => {
    const rows = [
      row({ ...cpu, metric: 'replicas' }, { ratePlans: ['plan-1'] }),
      row({ ...cpu, locationType: '' }, { ratePlans: ['plan-1'] }),
    ];

    expect(await told(charges(...rows))).toEqual([
      'ℹ Not priced (counted as 0), a tag is missing: `cpu` lacks `locationType` for `cpu`',
      'ℹ Not priced (counted as 0), no chargeable item: `replicas`',
    ]);
  });

  it('is priced by no item that asks for no tags', async () => {
    const fee = { items: [item('support', {})], skipped: 0 };

    expect(await told(charges(row(cpu)), fee)).toEqual([
      'ℹ Not priced (counted as 0), no chargeable item: `cpu`',
    ]);
  });

  it('is believed to be what no rate plan prices when the items cannot be read', async () => {
    const rows = [row(cpu, { ratePlans: ['plan-1'] }), row({ ...cpu, metric: 'replicas' })];

    const said = await unpricedCaveats([charges(...rows)], () => Promise.resolve(undefined), asked);

    expect(said.map(({ text }) => text)).toEqual([
      'ℹ Not priced (counted as 0), the chargeable items could not be read: `replicas`',
    ]);
  });

  it('is told without a reason when the items cannot be read', async () => {
    const [line] = await unpricedCaveats(
      [charges(row(cpu))],
      () => Promise.resolve(undefined),
      asked,
    );

    expect(line?.text).toContain('the chargeable items could not be read: `cpu`');
  });

  it.each([
    ['is priced', row(cpu, { total: new BigNumber(1), currency: 'USD' })],
    ['is none', row(cpu, { value: new BigNumber(0) })],
  ])('is nothing that %s, and then nobody asks for the items', async (_, one) => {
    const refuse = () => Promise.reject(new Error('was asked'));
    const caveats = await unpricedCaveats([charges(one)], refuse, asked);

    expect(caveats).toEqual([]);
  });
});
