import { BigNumber } from 'bignumber.js';
import { stepsOf } from '../../../src/reporting/range.ts';
import type {
  ChargeableItem,
  ChargeRow,
  ChargeTier,
} from '../../../src/platform/billing/charge-rows.ts';
import type { ConsumptionQuery, TagFilter } from '../../../src/platform/consumption/query.ts';
import type { ConsumptionResult } from '../../../src/platform/consumption/result.ts';
import { HOUR, NOW } from '../entry.ts';

/** The account of the reports: the hourly usage of each meter, and its price. */

export type Tags = Readonly<Record<string, string>>;

/** One thing that is metered under one metric. */
export interface Meter {
  readonly tags: Tags;
  /** In the metric's raw unit. */
  readonly perHour: number;
  /** How much more it is each month: 0.05 is 5 %. */
  readonly growth?: number;
  /** When it is there, ms since the epoch. */
  readonly from?: number;
  readonly to?: number;
}

/** A chargeable item, and the parts of the usage that each of its tiers gets. */
interface Price {
  readonly item: ChargeableItem;
  readonly tiers: readonly { share: number; from?: number; to?: number; rate: string }[];
}

const GIB = 2 ** 30;

/** The metrics of workloads and volumes, by the hour for each core, GiB or GB. */
const SIZES = { cpu: 3_600, memory: 3_600 * GIB, egress: 1e9, 'volume-set-capacity-bytes': 3_600 };
type Metric = keyof typeof SIZES;

/** org, GVC, workload, locations, cores, GiB of memory, GB of egress in an hour, GiB of volumes. */
const WORKLOADS: readonly (readonly [
  org: string,
  gvc: string,
  workload: string,
  location: string,
  ...sizes: number[],
])[] = [
  ['acme', 'shop', 'cart', 'aws-eu-central-1', 1.5, 3, 2.5],
  ['acme', 'shop', 'cart', 'azure-eastus2', 1, 2, 1.75],
  ['acme', 'shop', 'checkout', 'aws-eu-central-1', 2, 4, 1.2],
  ['acme', 'shop', 'web', 'aws-eu-central-1', 3, 4, 9],
  ['acme', 'shop', 'orders-db', 'aws-eu-central-1', 4, 16, 0.1, 250],
  ['acme', 'data', 'ingest', 'gcp-us-east1', 2, 4, 0.4],
  ['acme', 'data', 'warehouse', 'gcp-us-east1', 8, 32, 0.2, 900],
  ['acme', 'tools', 'grafana', 'gcp-us-east1', 0.1, 0.25, 0.01],
  ['globex', 'prod', 'api', 'azure-eastus2', 2.5, 2.5, 3],
  ['globex', 'prod', 'worker', 'azure-eastus2', 4, 4, 0.3],
  ['globex', 'staging', 'api', 'azure-eastus2', 0.25, 0.25, 0.01],
  ['initech', 'main', 'portal', 'aws-eu-central-1', 0.5, 1, 0.8],
  ['initech', 'main', 'auth', 'aws-eu-central-1', 0.25, 0.5, 0.1],
];

/** How much more each of them uses every month. */
const GROWTH = [0.04, -0.02, 0.08, 0.01, 0, 0.12, -0.03, 0, 0.02, 0.05, -0.15, 0.03, 0];

export const METERS: readonly Meter[] = WORKLOADS.flatMap(
  ([org, gvc, workload, location, ...sizes], row) =>
    (Object.keys(SIZES) as Metric[]).flatMap((metric, at): Meter[] => {
      const size = sizes[at] ?? 0;
      const isVolume = metric === 'volume-set-capacity-bytes';
      const kind = isVolume
        ? { feature: 'volume-sets', performanceClass: 'general-purpose-ssd' }
        : { feature: 'workloads' };
      const tags = { org, gvc, workload, location, metric, locationType: 'hosted', ...kind };
      const growth = isVolume ? 0 : (GROWTH[row] ?? 0);
      return size === 0 ? [] : [{ tags, perHour: size * SIZES[metric], growth }];
    }),
);

/** One more thing beside the account's own. */
export function meter(metric: string, perHour: number, tags: Tags = {}, when = {}): Meter {
  const own = { org: 'acme', gvc: 'shop', workload: 'cart', location: 'aws-eu-central-1' };
  return {
    tags: { ...own, metric, feature: 'workloads', locationType: 'hosted', ...tags },
    perHour,
    ...when,
  };
}

export function item(
  name: string,
  consumptionTags: Tags,
  unit: string,
  description = '',
): ChargeableItem {
  return { id: `item-${name}`, name, description, consumptionTags, unit, type: 'consumption' };
}

const HOSTED = { feature: 'workloads', locationType: 'hosted' };

const PRICES: readonly Price[] = [
  {
    item: item('cpu', { metric: 'cpu', ...HOSTED }, 'cores * seconds'),
    tiers: [
      { share: 0.45, to: 36e6, rate: '0.000012' },
      { share: 0.55, from: 36e6, rate: '0.0000105' },
    ],
  },
  {
    item: item('memory', { metric: 'memory', ...HOSTED }, 'bytes * seconds'),
    tiers: [{ share: 1, from: 0, rate: '0.0000000000000015' }],
  },
  {
    item: item('egress', { metric: 'egress', ...HOSTED }, 'bytes'),
    tiers: [
      { share: 0.0075, from: 0, to: 1e11, rate: '0' },
      { share: 0.37, from: 1e11, to: 5e12, rate: '0.00000000009' },
      { share: 0.6225, from: 5e12, rate: '0.00000000007' },
    ],
  },
  {
    item: item(
      'general-purpose-ssd',
      {
        metric: 'volume-set-capacity-bytes',
        feature: 'volume-sets',
        locationType: 'hosted',
        performanceClass: 'general-purpose-ssd',
      },
      'gibibytes * seconds',
      'Volumes on solid-state disks for general purposes',
    ),
    tiers: [{ share: 1, rate: '0.00000003858' }],
  },
];

export const ITEMS: readonly ChargeableItem[] = PRICES.map((price) => price.item);

/** From Sunday on: people buy less at weekends. In hundredths. */
const WEEKDAYS = [62, 96, 100, 104, 98, 91, 70];

/** How much goes on in an hour, in hundredths. */
function activity(hour: number): number {
  const date = new Date(hour);
  const isDay = date.getUTCHours() >= 7 && date.getUTCHours() < 20;
  return (WEEKDAYS[date.getUTCDay()] ?? 0) * (isDay ? 1.25 : 0.75);
}

/** From when on anything is metered. */
const FIRST = Date.parse('2025-01-01T00:00:00Z');

/** The activity in all hours before each hour since the first. */
const BEFORE = [0];
for (let hour = FIRST; hour < NOW; hour += HOUR) {
  BEFORE.push((BEFORE.at(-1) ?? 0) + Math.round(activity(hour)));
}

/** The count of a meter between two moments. Volumes count without activity, too. */
function counted(
  { tags, perHour, growth = 0, from = FIRST, to = NOW }: Meter,
  start: number,
  end: number,
): BigNumber {
  const hours = [Math.max(start, from, FIRST), Math.min(end, to)].map((ms) => (ms - FIRST) / HOUR);
  const [first = 0, last = 0] = hours.map(Math.floor);
  if (last <= first) return new BigNumber(0);
  const went = (BEFORE[last] ?? 0) - (BEFORE[first] ?? 0);
  const hundredths = tags['feature'] === 'volume-sets' ? 100 * (last - first) : went;
  const grown = growth === 0 ? 1 : (1 + growth) ** (monthOf(start) - monthOf(NOW));
  return new BigNumber(perHour)
    .times(Math.round(grown * 1e4))
    .times(hundredths)
    .div(1e6)
    .dp(0);
}

/** So many months since the year 0. */
function monthOf(ms: number): number {
  const date = new Date(ms);
  return 12 * date.getUTCFullYear() + date.getUTCMonth();
}

export function passes(tags: Tags, filter: TagFilter = {}): boolean {
  return Object.entries(filter).every(([tag, wanted]) => {
    const value = tags[tag] ?? '';
    return /^\/.*\/$/s.test(wanted)
      ? new RegExp(wanted.slice(1, -1)).test(value)
      : value === wanted;
  });
}

function isPricedAs(tags: Tags, items: readonly string[] | undefined): boolean {
  if (items === undefined) return true;
  return PRICES.some(({ item }) => items.includes(item.name) && passes(tags, item.consumptionTags));
}

/** The counts for the tags of the query, by span and group. */
export function answerOf<Row>(
  meters: readonly Meter[],
  query: ConsumptionQuery,
  rowOf: (tags: Tags, value: BigNumber, project: (value: BigNumber) => BigNumber) => Row,
): ConsumptionResult<Row> {
  const range = { startMs: Date.parse(query.startTime), endMs: Date.parse(query.endTime) };
  const spans = query.aggregateByTimeStep === true ? stepsOf(range, query.timeStep) : [range];
  const [{ filterBy, aggregateBy, chargeableItems } = { aggregateBy: [] }] =
    query.consumptionQueries;
  const asked = meters
    .filter(({ tags }) => passes(tags, filterBy) && isPricedAs(tags, chargeableItems))
    .map((one) => {
      const kept = aggregateBy.map((tag) => [tag, one.tags[tag]]);
      return { one, key: JSON.stringify(kept.filter(([, value]) => value !== undefined)) };
    });
  const periods = spans
    .filter(({ startMs }) => startMs < NOW)
    .map(({ startMs, endMs }) => {
      const project = (value: BigNumber) =>
        endMs > NOW ? value.times(endMs - startMs).div(NOW - startMs) : value;
      const sums = new Map<string, BigNumber>();
      for (const { one, key } of asked) {
        const value = counted(one, startMs, endMs);
        if (value.gt(0)) sums.set(key, sums.get(key)?.plus(value) ?? value);
      }
      const groups = [...sums].map(([text, value]) => {
        const tags = Object.fromEntries(JSON.parse(text) as [string, string][]);
        const key = Object.fromEntries(query.groupBy.map((tag) => [tag, tags[tag] ?? '']));
        return { key, rows: [rowOf(tags, value, project)] };
      });
      return { startMs, endMs, ...UNREPORTED, groups };
    });
  return {
    periods: periods.filter(({ groups }) => groups.length > 0),
    consumptionCount: undefined,
    skipped: 0,
  };
}

const UNREPORTED = {
  totalSeconds: undefined,
  elapsedSeconds: undefined,
  consumptionCount: undefined,
};

/** A row with its charges; usage without an item is free. */
export function priced(
  tags: Tags,
  value: BigNumber,
  project: (value: BigNumber) => BigNumber,
): ChargeRow & { readonly details: readonly ChargeTier[] } {
  const price = PRICES.find(({ item: { consumptionTags } }) => passes(tags, consumptionTags));
  const details = (price?.tiers ?? []).map(({ share, from, to, rate }): ChargeTier => {
    const units = value.times(share).dp(0);
    return {
      units,
      rate: new BigNumber(rate),
      amount: units.times(rate),
      from: from === undefined ? undefined : new BigNumber(from),
      to: to === undefined ? undefined : new BigNumber(to),
      chargeableItemId: price?.item.id ?? '',
      ratePlanItem: `standard-2026-${price?.item.name ?? ''}`,
    };
  });
  const total = details.reduce((sum, { amount }) => sum.plus(amount), new BigNumber(0));
  return {
    value,
    tags,
    total,
    projectedTotal: project(total),
    currency: price === undefined ? undefined : 'USD',
    ratePlans: price === undefined ? [] : ['standard-2026'],
    details,
  };
}

/** A charge that a person writes down: whose, how much, and in which currency. */
type Charge = readonly [label: string, total: string, currency?: string];

/** The answer of an account that was charged so, whatever was used. */
export function charged(
  query: ConsumptionQuery,
  charges: readonly Charge[],
): ConsumptionResult<ChargeRow> {
  const [tag = 'org'] = query.groupBy;
  const groups = charges.map(([label, total, currency = 'USD']) => {
    const row: ChargeRow = {
      value: new BigNumber(3_600),
      tags: { metric: 'cpu', ...HOSTED },
      total: new BigNumber(total),
      projectedTotal: undefined,
      currency: currency || undefined,
      ratePlans: ['standard-2026'],
    };
    return { key: { [tag]: label }, rows: [row] };
  });
  const period = { startMs: Date.parse(query.startTime), endMs: Date.parse(query.endTime) };
  return {
    periods: groups.length === 0 ? [] : [{ ...period, ...UNREPORTED, groups }],
    consumptionCount: undefined,
    skipped: 0,
  };
}
