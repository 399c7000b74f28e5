import { BigNumber } from 'bignumber.js';
import { describe, expect, it } from 'vitest';
import { createChargesSource } from '../../../../src/features/reports/charges.ts';
import type {
  BillingPeriodCharges,
  ChargeableItem,
  ChargeRow,
  ChargeTier,
  DetailedChargeRow,
} from '../../../../src/platform/billing/charge-rows.ts';
import type { BillingClient } from '../../../../src/platform/billing/client.ts';
import type { ConsumptionResult } from '../../../../src/platform/consumption/result.ts';
import { toCsv } from '../../../../src/reporting/csv.ts';
import { chargesBody, tiersBody } from '../../../support/platform-bodies.ts';
import { readable, servicesOf } from '../../../support/reports.ts';
import { october, question } from './support.ts';

const DAY = 86_400_000;
const at = (day: number) => october.startMs + (day - 1) * DAY;

/** Rows of org acme from one day of October to another; `total` 0 comes without a currency. */
function result<Row>(from: number, to: number, ...rows: Row[]): ConsumptionResult<Row> {
  const reported = {
    totalSeconds: undefined,
    elapsedSeconds: undefined,
    consumptionCount: undefined,
  };
  const period = { startMs: at(from), endMs: at(to), ...reported };
  return {
    periods: [{ ...period, groups: [{ key: { org: 'acme' }, rows }] }],
    consumptionCount: rows.length,
    skipped: 0,
  };
}

function row(total: string, changes: Partial<ChargeRow> = {}): ChargeRow {
  return {
    value: new BigNumber(1),
    tags: { metric: 'cpu', feature: 'workloads' },
    total: new BigNumber(total),
    projectedTotal: undefined,
    currency: 'USD',
    ratePlans: [],
    ...changes,
  };
}

function priced(feature: string, ...units: (readonly [from: string, units: string])[]) {
  const details = units.map(([from, amount]): ChargeTier => ({
    amount: new BigNumber(amount),
    units: new BigNumber(amount),
    rate: new BigNumber(1),
    from: new BigNumber(from),
    to: undefined,
    chargeableItemId: 'item-cpu',
    ratePlanItem: undefined,
  }));
  const total = details.reduce((sum, { amount }) => sum.plus(amount), new BigNumber(0));
  const tags = { metric: 'cpu', feature };
  return { ...row(total.toFixed(), { tags }), details } satisfies DetailedChargeRow;
}

type Charges = BillingClient['charges'];

/** `/charges` before an account with the answers of a test, and without charges of the time before. */
function startSource(
  now: ConsumptionResult<ChargeRow>,
  billingPeriods: readonly BillingPeriodCharges[] = [],
  items: readonly ChargeableItem[] | 'down' = [],
  aggregateBy: readonly string[] = ['metric'],
) {
  const catalogue = items === 'down' ? undefined : { items, skipped: 0 };
  const aggregation = { aggregateBy, catalogue, mayBeTooLow: false };
  const readAt = at(20);
  const noOne = () => Promise.reject(new Error('is not asked'));
  const charges = {
    accountBody: async ({ startTime }, { detailed = false }) => {
      const plain = startTime < '2026-10' ? { ...now, periods: [] } : now;
      const body = detailed ? tiersBody(billingPeriods) : chargesBody(plain);
      return { value: { body, ...aggregation }, readAt };
    },
    tagValues: noOne,
  } satisfies Partial<Charges>;
  const source = createChargesSource(
    servicesOf({
      config: {},
      billing: () => ({ charges, listOrgs: noOne }),
      access: { roleRefusal: () => Promise.resolve(undefined) },
      orgs: { known: [], fallback: undefined },
    }),
  );
  return readable(source);
}

it('the tiers of two features stay apart where their bounds are the same', async () => {
  const features = ['workloads', 'volume-sets'].map((one) => priced(one, ['0', '5']));
  const periods = [{ ratePlan: 'p', results: [result(1, 9, ...features)] }];
  const detail = await startSource(result(1, 1), periods).detail(question());

  const [line] = detail.lines;
  expect(line && detail.tiersOf(line).map(({ amount }) => amount.toFixed())).toEqual(['5', '5']);
  expect(line?.value.toFixed()).toBe('10');
});

describe('a file', () => {
  it('repeats the tags of a group in each of its rows', async () => {
    const { file } = await startSource(result(1, 9, row('5'))).find(question());
    const org = file.columns.indexOf('org');
    expect(file.rows.map((cells) => cells[org])).toEqual(['acme']);
  });

  /** The lines of both files where the catalogue prices on some tags, and rows have theirs. */
  async function filesOf(aggregateBy: readonly string[], ...rows: readonly ChargeRow['tags'][]) {
    const { details } = priced('workloads', ['0', '5']);
    const charges = rows.map((tags) => row('5', { tags }));
    const tiers = charges.map((one) => ({ ...one, details }));
    const periods = [{ ratePlan: 'p', results: [result(1, 9, ...tiers)] }];
    const source = startSource(result(1, 9, ...charges), periods, [], aggregateBy);
    const answers = [await source.find(question()), await source.detail(question())];
    return answers.map((answer) =>
      toCsv(answer?.file.columns ?? [], answer?.file.rows ?? []).split('\r\n'),
    );
  }

  it('has tags that are named like members of every object', async () => {
    const tags = JSON.parse(
      '{"metric":"cpu","constructor":"b","__proto__":"c"}',
    ) as ChargeRow['tags'];

    const [charges, tiers] = await filesOf(['metric', 'constructor', '__proto__'], tags, {
      metric: 'gpu',
    });

    expect(charges?.[0]).toContain(',org,metric,constructor,__proto__,value,');
    expect(charges?.[1]).toContain(',acme,cpu,b,c,1,');
    expect(charges?.[2]).toContain(',acme,gpu,,,1,');
    expect(tiers?.[0]).toContain(',org,metric,constructor,__proto__,item id,');
    expect(tiers?.[1]).toContain(',acme,cpu,b,c,item-cpu,');
    expect(tiers?.[2]).toContain(',acme,gpu,,,item-cpu,');
  });

  it('has no column for a tag that prices something else, whatever it is named', async () => {
    const tags = ['metric', 'performanceClass', 'gpuModel', 'constructor', '__proto__'];

    const [charges, tiers] = await filesOf(tags, { metric: 'cpu', gpuModel: '' });

    expect(charges?.[0]).toContain(',org,metric,performanceClass,value,');
    expect(charges?.[1]).toContain(',acme,cpu,,1,');
    expect(tiers?.[0]).toContain(',org,metric,performanceClass,item id,');
    expect(tiers?.[1]).toContain(',acme,cpu,,item-cpu,');
  });

  it('has the column of a tag that is grouped by, also where nothing has the tag', async () => {
    const free = {
      ...result(1, 9, row('5')).periods[0]!,
      groups: [{ key: { gpuModel: '' }, rows: [row('5')] }],
    };
    const source = startSource({ ...result(1, 9), periods: [free] });
    const { file } = await source.find(question({ by: ['gpuModel'] }));

    expect(file.columns).toContain('gpuModel');
  });
});

describe('a charge of nothing', () => {
  const free = row('0', { currency: undefined });
  const sums = async (...rows: ChargeRow[]) => {
    const { lines } = await startSource(result(1, 9, ...rows)).find(question());
    return lines.map(({ measure, value }) => [
      measure.kind === 'money' && measure.currency,
      value.toFixed(),
    ]);
  };

  it('without a currency belongs to none of several', async () => {
    expect(await sums(free, row('5'), row('7', { currency: 'EUR' }))).toEqual([
      [undefined, '0'],
      ['EUR', '7'],
      ['USD', '5'],
    ]);
  });
});

describe('volumes that are measured in two ways', () => {
  const TWICE = 'are the same volumes';
  const volume = (metric: string, total: string) =>
    row(total, { tags: { metric, feature: 'volume-sets', performanceClass: 'general' } });

  async function saidOf(other: string, where: Record<string, string> = {}): Promise<string> {
    const rows = [volume('volume-set-capacity-bytes', '5'), volume('volume_set_capacity', other)];
    const source = startSource(result(1, 9, ...rows));
    const { query } = question();
    const { caveats } = await source.find({ ...question(), query: { ...query, where } });
    return caveats.map(({ text }) => text).join('\n');
  }

  it('are reported where both are charged for, and so are in one figure', async () => {
    expect(await saidOf('4')).toContain(TWICE);
  });

  it('are not reported where one of them is in no figure', async () => {
    expect(await saidOf('0')).not.toContain(TWICE);
  });

  it('are reported where metrics are chosen, whatever is charged', async () => {
    expect(await saidOf('0', { metric: '/volume/' })).toContain(TWICE);
  });
});

describe('the unit of a metric that no one documented', () => {
  const calls = { metric: 'api-calls', feature: 'workloads' };
  const item = { id: 'item-cpu', name: 'calls', description: '', type: undefined };
  const items = [{ ...item, consumptionTags: { metric: 'api-calls' }, unit: 'requests' }];

  it('is that of its chargeable item in the tiers and in their file', async () => {
    const { details } = priced('workloads', ['0', '1500']);
    const one = { ...row('5', { tags: calls }), details };
    const source = startSource(
      result(1, 1),
      [{ ratePlan: 'p', results: [result(1, 9, one)] }],
      items,
    );
    const detail = await source.detail(question());

    const tiers = detail?.lines.flatMap((line) => detail.tiersOf(line));
    expect(tiers).toMatchObject([{ item: 'calls', unit: 'requests' }]);
    expect(detail?.file.rows[0]?.[detail.file.columns.indexOf('unit')]).toBe('requests');
  });
});

describe('charges by item', () => {
  const tier = (chargeableItemId: string, amount: string): ChargeTier => ({
    amount: new BigNumber(amount),
    units: new BigNumber(amount).times(10),
    rate: new BigNumber('0.1'),
    from: undefined,
    to: undefined,
    chargeableItemId,
    ratePlanItem: undefined,
  });
  const item = (id: string, name: string): ChargeableItem => ({
    id,
    name,
    description: '',
    consumptionTags: {},
    unit: '',
    type: undefined,
  });
  const linesOf = async (rows: readonly DetailedChargeRow[]) => {
    const items = [item('i1', 'cpu'), item('i2', 'egress'), item('i3', 'egress')];
    const periods = [{ ratePlan: 'one', results: [result(1, 2, ...rows)] }];
    const source = startSource(result(1, 1), periods, items);
    const found = await source.find(question({ by: ['item'] }));
    return found?.lines.map(({ labels, value, projected }) =>
      [labels.join(), value.toFixed(), projected.toFixed()].join(' '),
    );
  };

  it('divides a charge that several items price, and keeps the rest', async () => {
    const projectedTotal = new BigNumber(20);
    const details = [tier('i1', '6'), tier('i2', '2'), tier('i1', '1')];

    expect(await linesOf([{ ...row('10', { projectedTotal }), details }])).toEqual([
      'cpu 7 14',
      'egress (i2) 2 4',
      ' 1 2',
    ]);
  });

  it('shows items of one name apart by their ids, and shows an unknown one by its id', async () => {
    const rows = ['i2', 'i3', 'i9'].map((id, at) => ({
      ...row(String(9 - at)),
      details: [tier(id, String(9 - at))],
    }));

    expect(await linesOf(rows)).toEqual(['egress (i2) 9 9', 'egress (i3) 8 8', 'i9 7 7']);
  });
});
