import type { Gvc, LocationRecord, Org, Workload } from '../deployments/model.ts';
import type { Rhythm } from './curve.ts';
import type { Metric } from './metrics.ts';

/** Something that is metered: the counts of its metric in an average hour, and how they change. */
export interface Meter {
  readonly tags: Readonly<Record<string, string | number>>;
  readonly metric: Metric;
  /** At the beginning of the history. */
  readonly hourly: number;
  readonly rhythm: Rhythm;
  /** `swing` follows the week, rises slowly and is noisy; `stairs` rise every second month. */
  readonly growth: 'none' | 'swing' | 'stairs';
  readonly life: Life;
}

/** Days since the epoch between which there is usage. */
interface Life {
  readonly from?: number;
  readonly until?: number;
}

/** The day that is `days` after the start of the month `months` months ago. */
type DayOf = (months: number, days: number) => number;

type Place = Pick<Meter, 'tags' | 'life'>;
/** The meters of a place: metric, counts in an hour, and how they change. */
type Use = readonly [Metric, number, Rhythm, Meter['growth']];

const HOUR_S = 3600;
const GIB_IN_GB = 1.073741824;
const BYOK = { org: 'globex', gvc: 'staging', location: 'azure-southeastasia' };
const GPU = { org: 'acme', gvc: 'shop', workload: 'recommendations', location: 'aws-us-west-2' };
const FAST_VOLUMES = 'warehouse';
/** A GVC of this many workloads has load balancers of its own. */
const BALANCED_WORKLOADS = 4;
/** As the nightly runs of `deployments/cron.ts`. */
const CRON_RUN_S = 95;

/** Everything that these orgs have metered, and what they had before. */
export function metersOf(orgs: Iterable<Org>, dayOf: DayOf): Meter[] {
  return [...orgs].flatMap((org) =>
    [...org.gvcs.values()].flatMap((gvc) => meterGvc(org, gvc, dayOf)),
  );
}

function meterGvc(org: Org, gvc: Gvc, dayOf: DayOf): Meter[] {
  const present = [...gvc.workloads.values()];
  const workloads = [...present, ...formerWorkloads(org, gvc)].flatMap((workload) =>
    [...workload.records.values()].flatMap((record) => {
      const life = lifeOf(`${org.name}/${gvc.name}/${workload.name}`, record, dayOf);
      return meterWorkload(workload, { tags: placeTags(org, gvc, record.location), life });
    }),
  );
  const balancers =
    present.length < BALANCED_WORKLOADS
      ? []
      : gvc.locations.flatMap((location) => meterBalancer(placeTags(org, gvc, location), gvc));
  return [...workloads, ...balancers, ...meterObservability(org, gvc)];
}

/** Gone from the platform by now, though not from the bills. */
function formerWorkloads(org: Org, gvc: Gvc): Workload[] {
  const model = gvc.workloads.get('gateway');
  const isHome = org.name === 'globex' && gvc.name === 'prod';
  return isHome && model !== undefined ? [{ ...model, name: 'legacy-gateway' }] : [];
}

function lifeOf(path: string, record: LocationRecord, dayOf: DayOf): Life {
  if (path === 'acme/tools/wiki') return { from: dayOf(5, 11) };
  if (path === 'globex/prod/legacy-gateway') return { until: dayOf(3, 17) };
  return record.suspended ? { until: dayOf(1, 9) } : {};
}

function placeTags(org: Org, gvc: Gvc, location: string) {
  const isByok = org.name === BYOK.org && gvc.name === BYOK.gvc && location === BYOK.location;
  return {
    org: org.name,
    gvc: gvc.name,
    location,
    locationType: isByok ? 'byok' : 'control_plane_hosted',
    provider: location.slice(0, location.indexOf('-')),
  };
}

function meterWorkload(workload: Workload, { tags, life }: Place): Meter[] {
  const { name, type, replicas } = workload;
  const named = { ...tags, name, workload: name, workloadType: type, feature: 'workloads' };
  const millicores = sum(workload.containers.map(({ cpu }) => cpu)) * replicas;
  const mebibytes = sum(workload.containers.map(({ memory }) => memory)) * replicas;
  if (type === 'cron') {
    return meter({ tags: named, life }, [
      ['cpu', millicores * CRON_RUN_S, 'night', 'none'],
      ['memory', mebibytes * CRON_RUN_S, 'night', 'none'],
    ]);
  }
  const uses: Use[] = [
    ['cpu', millicores * 0.6 * HOUR_S, 'busy', 'swing'],
    ['memory', mebibytes * 0.8 * HOUR_S, 'steady', 'swing'],
    ['replicas', replicas * HOUR_S, 'flat', 'none'],
  ];
  if (type !== 'stateful') uses.push(['egress', replicas * 50e6, 'busy', 'swing']);
  if (workload.multiZone) uses.push(['cross-zone-traffic', replicas * 400e6, 'busy', 'swing']);
  return [
    ...meter({ tags: named, life }, uses),
    ...(isAt(named, GPU) ? meterGpu(named, life, replicas) : []),
    ...(type === 'stateful' ? meterVolumes(named, life, workload) : []),
  ];
}

function meterGpu(tags: Meter['tags'], life: Life, replicas: number): Meter[] {
  const model = { gpuResource: 'nvidia', gpuModel: 't4' };
  return meter({ tags: { ...tags, ...model }, life }, [['gpu', replicas * HOUR_S, 'flat', 'none']]);
}

/** One volume per replica, each with its snapshots. */
function meterVolumes(tags: Meter['tags'], life: Life, workload: Workload): Meter[] {
  const volumeSet = `${workload.name}-data`;
  const gibibytes = sum(workload.containers.map(({ memory }) => memory)) / 32;
  const volume = {
    ...tags,
    name: volumeSet,
    feature: 'volume-sets',
    volumeSet,
    performanceClass:
      workload.name === FAST_VOLUMES ? 'high-throughput-ssd' : 'general-purpose-ssd',
    driver: `${tags['provider']}-disk`,
  };
  return Array.from({ length: workload.replicas }, (_, volumeIndex) => {
    const one = { ...volume, volumeIndex };
    return [
      ...meter({ tags: one, life }, [
        ['cpu', 40 * HOUR_S, 'busy', 'swing'],
        ['memory', 64 * HOUR_S, 'steady', 'none'],
        ['volume-set-capacity-bytes', gibibytes * HOUR_S, 'flat', 'stairs'],
        ['volume_set_capacity', gibibytes * GIB_IN_GB * 1000 * HOUR_S, 'flat', 'stairs'],
      ]),
      ...meter({ tags: { ...one, snapshotName: `${volumeSet}-${volumeIndex}-daily` }, life }, [
        ['snapshot-storage', gibibytes * 0.37 * 1000 * HOUR_S, 'steady', 'swing'],
      ]),
    ];
  }).flat();
}

function meterBalancer(tags: Meter['tags'], gvc: Gvc): Meter[] {
  const balancer = {
    ...tags,
    name: `${gvc.name}-ingress`,
    feature: 'custom-ingress',
    customIngress: `${gvc.name}-ingress`,
    loadBalancerKind: 'dedicated',
    loadBalancerId: `lb-${gvc.alias}-${String(tags['location'])}`,
  };
  return meter({ tags: balancer, life: {} }, [
    // It reports for a little less than the whole hour.
    ['load-balancer-seconds', 3_599_500, 'flat', 'none'],
    ['load-balancer-processed-bytes', gvc.workloads.size * 300e6, 'busy', 'swing'],
  ]);
}

/** Logs, metrics and traces belong to a GVC; they have no workload and no location. */
function meterObservability(org: Org, gvc: Gvc): Meter[] {
  const size = gvc.workloads.size;
  const tags = {
    org: org.name,
    gvc: gvc.name,
    locationType: 'control_plane_hosted',
    feature: 'observability',
  };
  return meter({ tags, life: {} }, [
    ['logs-storage', size * 8.25 * 1000 * HOUR_S, 'steady', 'swing'],
    ['metrics-storage', size * 2.5 * 1000 * HOUR_S, 'steady', 'swing'],
    ['tracing-storage', size * 1.75 * 1000 * HOUR_S, 'steady', 'swing'],
    ['metrics-samples', size * 6000, 'flat', 'swing'],
  ]);
}

function meter({ tags, life }: Place, uses: readonly Use[]): Meter[] {
  return uses.map(([metric, hourly, rhythm, growth]) => ({
    tags: { ...tags, metric },
    metric,
    hourly,
    rhythm,
    growth,
    life,
  }));
}

function isAt(tags: Meter['tags'], place: Readonly<Record<string, string>>): boolean {
  return Object.entries(place).every(([key, value]) => tags[key] === value);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
