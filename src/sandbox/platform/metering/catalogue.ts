import type { ChargeableItem } from './books.ts';
import { FACTORS, type Metric } from './metrics.ts';
import type { Tags } from './series.ts';

const HOSTED = 'control_plane_hosted';

/** The price of an item: `rates` has one more number than `bounds`. */
export interface Price {
  readonly item: ChargeableItem;
  readonly metric: Metric;
  /** Where tiers end, in counts of the metric. */
  readonly bounds: readonly number[];
  /** Rate plan -> 10^-15 of the currency's whole unit per whole unit of the metric, tier by tier. */
  readonly rates: Readonly<Record<PlanId, readonly bigint[]>>;
}

export type PlanId = 'standard-2025' | 'standard-2026';
/** The currency of all charges. */
export interface Currency {
  /** ISO 4217. */
  readonly code: string;
  /** Decimal places of its smallest unit: JPY 0, USD 2, KWD 3. */
  readonly digits: number;
}

export const DOLLARS: Currency = { code: 'USD', digits: 2 };

/**
 * How many tags the catalogue prices on: four, which every catalogue is known to have (spec 2.6), or
 * `gpuModel` as well, or `loadBalancerKind` as well.
 */
export type PricingTags = 4 | 5 | 6;

/** The catalogue of spec 2.6 with its prices; no two items price the same usage. */
export function pricesOn(count: PricingTags): readonly Price[] {
  const gpu = count >= 5 ? { tags: { gpuModel: 't4' } } : {};
  const balancer = count >= 6 ? { tags: { loadBalancerKind: 'dedicated' } } : {};
  return [
    ...PRICED_ON_FOUR,
    price('gpu', 'workloads', 'gpus * seconds', { ...gpu, rates: [97_222_222_222n] }),
    price('load-balancer-seconds', 'custom-ingress', 'seconds', {
      ...balancer,
      rates: [6_944_444_444n],
    }),
  ];
}

/** Items that are priced on `feature`, `metric`, `locationType` and `performanceClass` alone. */
const PRICED_ON_FOUR: readonly Price[] = [
  price('cpu', 'workloads', 'cores * seconds', {
    bounds: [50e9, 120e9],
    old: [12_500_000_000n, 11_000_000_000n, 9_500_000_000n],
    rates: [12_000_000_000n, 10_500_000_000n, 9_000_000_000n],
  }),
  price('memory', 'workloads', 'bytes * seconds', {
    bounds: [150e9, 400e9],
    old: [4n, 2n, 1n],
    rates: [3n, 2n, 1n],
  }),
  price('cpu', 'workloads', 'cores * seconds', {
    name: 'byok-cpu',
    tags: { locationType: 'byok' },
    rates: [2_400_000_000n],
  }),
  // Real catalogues have items without a `type` (platform notes).
  price('memory', 'workloads', 'bytes * seconds', {
    name: 'byok-memory',
    tags: { locationType: 'byok' },
    type: false,
    rates: [1n],
  }),
  price('egress', 'workloads', 'bytes', {
    // The first 100 GB of a month are free.
    bounds: [100e9, 5e12],
    old: [0n, 95_000n, 75_000n],
    rates: [0n, 90_000n, 70_000n],
  }),
  price('cross-zone-traffic', 'workloads', 'bytes', { rates: [10_000n] }),
  price('cpu', 'volume-sets', 'cores * seconds', {
    name: 'volume-set-cpu',
    tags: { performanceClass: 'general-purpose-ssd' },
    rates: [6_000_000_000n],
  }),
  price('volume-set-capacity-bytes', 'volume-sets', 'gibibytes * seconds', {
    name: 'general-purpose-ssd',
    tags: { performanceClass: 'general-purpose-ssd' },
    bounds: [3e9],
    old: [39_000_000n, 36_000_000n],
    rates: [38_580_247n, 34_722_222n],
  }),
  price('volume-set-capacity-bytes', 'volume-sets', 'gibibytes * seconds', {
    name: 'high-throughput-ssd',
    tags: { performanceClass: 'high-throughput-ssd' },
    bounds: [5e9],
    rates: [57_870_370n, 50_154_321n],
  }),
  ...['general-purpose-ssd', 'high-throughput-ssd'].map((performanceClass) =>
    price('snapshot-storage', 'volume-sets', 'gibibytes * seconds', {
      name: `snapshots-${performanceClass}`,
      tags: { performanceClass },
      rates: [11_574_074n],
    }),
  ),
  price('load-balancer-processed-bytes', 'custom-ingress', 'bytes', { rates: [8_000n] }),
  price('logs-storage', 'observability', 'gigabytes * seconds', { rates: [38_580_247n] }),
  price('metrics-storage', 'observability', 'gigabytes * seconds', { rates: [30_864_198n] }),
  price('tracing-storage', 'observability', 'gigabytes * seconds', { rates: [30_864_198n] }),
  price('metrics-samples', 'observability', 'samples', { rates: [100_000_000n] }),
];

/** The item that prices usage with these tags: each of its tags must be carried with its value. */
export function itemFor(prices: readonly Price[], tags: Tags): ChargeableItem | undefined {
  return prices.find(({ item }) =>
    Object.entries(item.consumptionTags).every(([key, value]) => tags[key] === value),
  )?.item;
}

interface PriceOptions {
  readonly name?: string;
  readonly tags?: Readonly<Record<string, string>>;
  readonly type?: false;
  readonly bounds?: readonly number[];
  /** Of the older plan; the same as `rates` when left out. */
  readonly old?: readonly bigint[];
  readonly rates: readonly bigint[];
}

function price(metric: Metric, feature: string, unit: string, options: PriceOptions): Price {
  const { name = metric, tags, type, bounds = [], rates, old = rates } = options;
  const item: ChargeableItem = {
    id: `item-${name}`,
    name,
    description: `${metric} of ${feature} (${unit})`,
    consumptionTags: { feature, metric, locationType: HOSTED, ...tags },
    unit,
    ...(type === false ? {} : { type: 'consumption' }),
  };
  return { item, metric, bounds, rates: { 'standard-2025': old, 'standard-2026': rates } };
}

/** Thousandths of the metric's unit that are one count of what the item prices. */
export function factorOf({ metric }: Price): bigint {
  return FACTORS[metric];
}
