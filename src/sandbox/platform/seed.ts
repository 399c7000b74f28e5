import type {
  ContainerSpec,
  Gvc,
  LocationRecord,
  Org,
  WireStyle,
  Workload,
  WorkloadType,
} from './deployments/model.ts';
import { createRecord } from './deployments/record.ts';

const HOUR_MS = 3_600_000;
const LOCATIONS = ['aws-us-west-2', 'gcp-europe-west4', 'azure-eastus2'];
const ASIA = ['aws-ap-southeast-1', 'gcp-asia-northeast1', 'azure-southeastasia'];

/** Org -> what its workloads' global addresses have before the domain. */
export const ENDPOINT_PREFIXES: Readonly<Record<string, string>> = { globex: 'gx' };

interface WorkloadSeed {
  name: string;
  type: WorkloadType;
  version: number;
  replicas: number;
  cpu: number;
  memory: number;
  sidecar?: string;
  multiZone?: boolean;
  debug?: true;
  suspendedIn?: string;
  wire?: Partial<WireStyle>;
}

interface GvcSeed {
  org: string;
  name: string;
  alias: string;
  version: number;
  locations: readonly string[];
  workloads: readonly WorkloadSeed[];
}

/** Three orgs, six GVCs, thirty workloads; every way in which real answers differ occurs in `shop`. */
const GVCS: readonly GvcSeed[] = [
  {
    org: 'acme',
    name: 'shop',
    alias: 'k3v9q2m7x1b8d',
    version: 4,
    locations: LOCATIONS,
    workloads: [
      service('cart', 11, 3, { cpu: 250, memory: 256, debug: true, wire: { versions: 'string' } }),
      service('catalog', 27, 4, { cpu: 500, memory: 512, wire: { links: 'absolute' } }),
      service('checkout', 42, 2, { cpu: 250, memory: 512, wire: { lean: true } }),
      standard('coupons', 6, 0, { cpu: 100, memory: 128 }),
      cron('nightly-report', 3, { cpu: 1000, memory: 2048 }),
      stateful('orders-db', 8, 3, { cpu: 1000, memory: 4096, multiZone: true }),
      standard('payments', 19, 2, { cpu: 500, memory: 512 }),
      standard('recommendations', 31, 2, {
        cpu: 500,
        memory: 1024,
        suspendedIn: 'azure-eastus2',
        wire: { lean: true },
      }),
      service('search', 14, 4, { cpu: 1000, memory: 2048, wire: { versions: 'float' } }),
      service('web', 58, 6, { cpu: 250, memory: 256, sidecar: 'metrics-exporter' }),
    ],
  },
  {
    org: 'acme',
    name: 'data',
    alias: 'r8w2n5t0y6c4f',
    version: 2,
    locations: LOCATIONS,
    workloads: [
      standard('dashboard', 9, 1, { cpu: 100, memory: 256 }),
      cron('etl', 12, { cpu: 2000, memory: 8192 }),
      standard('ingest', 23, 4, { cpu: 500, memory: 1024, wire: { lean: true } }),
      standard('stream-processor', 17, 3, { cpu: 1000, memory: 2048 }),
      stateful('warehouse', 5, 2, { cpu: 4000, memory: 16_384, wire: { links: 'absolute' } }),
    ],
  },
  {
    org: 'acme',
    name: 'tools',
    alias: 'h6j1p4z9s3a7g',
    version: 1,
    locations: LOCATIONS,
    workloads: [
      standard('grafana', 7, 1, { cpu: 100, memory: 256 }),
      stateful('vault', 4, 3, { cpu: 250, memory: 512 }),
      service('wiki', 2, 1, { cpu: 100, memory: 256, wire: { lean: true } }),
    ],
  },
  {
    org: 'globex',
    name: 'prod',
    alias: 'e5u0l8o3i9v2q',
    version: 7,
    locations: ASIA,
    workloads: [
      service('api', 64, 5, { cpu: 500, memory: 512 }),
      service('gateway', 21, 3, { cpu: 250, memory: 256, sidecar: 'rate-limiter' }),
      standard('mailer', 13, 1, { cpu: 100, memory: 128 }),
      stateful('postgres', 3, 2, { cpu: 2000, memory: 8192 }),
      standard('worker', 35, 4, { cpu: 1000, memory: 1024, wire: { versions: 'string' } }),
    ],
  },
  {
    org: 'globex',
    name: 'staging',
    alias: 'd7b2x6k0m4n8w',
    version: 9,
    locations: ASIA,
    workloads: [
      service('api', 71, 1, { cpu: 250, memory: 256 }),
      service('gateway', 24, 1, { cpu: 100, memory: 128 }),
      standard('worker', 38, 1, { cpu: 250, memory: 512 }),
    ],
  },
  {
    org: 'initech',
    name: 'main',
    alias: 't1f5c9y3r7h2z',
    version: 3,
    locations: LOCATIONS,
    workloads: [
      standard('auth', 16, 2, { cpu: 250, memory: 256 }),
      cron('ledger-sync', 8, { cpu: 500, memory: 512 }),
      service('portal', 33, 2, { cpu: 250, memory: 512, wire: { lean: true } }),
      standard('tps-reports', 10, 1, { cpu: 100, memory: 256 }),
    ],
  },
];

/** Fresh orgs with everything at rest since some hours before `now` (ms since the epoch). */
export function seedOrgs(now: number): Map<string, Org> {
  const orgs = new Map<string, Org>();
  for (const seed of GVCS) {
    const org = orgs.get(seed.org) ?? seedOrg(seed.org);
    orgs.set(org.name, org);
    org.gvcs.set(seed.name, seedGvc(seed, now));
  }
  return orgs;
}

function seedOrg(name: string): Org {
  const endpointPrefix = ENDPOINT_PREFIXES[name];
  return { name, gvcs: new Map(), ...(endpointPrefix === undefined ? {} : { endpointPrefix }) };
}

function seedGvc(seed: GvcSeed, now: number): Gvc {
  const { name, alias, version, locations } = seed;
  const workloads = seed.workloads.map((one) => seedWorkload(one, seed, now));
  return {
    name,
    alias,
    version,
    locations,
    workloads: new Map(workloads.map((workload) => [workload.name, workload])),
  };
}

function seedWorkload(seed: WorkloadSeed, gvc: GvcSeed, now: number): Workload {
  const { name, type, version, replicas, cpu, memory, sidecar } = seed;
  const main = { name, image: `registry.example.com/${gvc.org}/${name}`, cpu, memory };
  const containers: ContainerSpec[] = [main];
  if (sidecar !== undefined) {
    const image = `registry.example.com/${gvc.org}/${sidecar}`;
    containers.push({ name: sidecar, image, cpu: 50, memory: 64 });
  }
  const records = gvc.locations.map((location, index): LocationRecord => {
    // Days ago, and so that no two workloads share a moment.
    const createdAt = now - (72 + version * 5 + index) * HOUR_MS;
    const revision = { workload: version, gvc: gvc.version, createdAt };
    const rollout = {
      revision,
      outcome: 'ready',
      processedBefore: version,
      appliedAt: createdAt,
      spanMs: 60_000,
    } as const;
    const reportsFrom = createdAt - 240 * HOUR_MS;
    const record = createRecord({ location, index, reportsFrom, rollout });
    record.suspended = seed.suspendedIn === location;
    return record;
  });
  return {
    name,
    type,
    version,
    replicas,
    containers,
    multiZone: seed.multiZone ?? false,
    debug: seed.debug === true ? [{ on: true, at: 0 }] : [],
    wire: { versions: 'integer', links: 'relative', lean: false, ...seed.wire },
    records: new Map(records.map((record) => [record.location, record])),
  };
}

type Size = Omit<WorkloadSeed, 'name' | 'type' | 'version' | 'replicas'>;

function service(name: string, version: number, replicas: number, size: Size): WorkloadSeed {
  return { name, type: 'serverless', version, replicas, ...size };
}
function standard(name: string, version: number, replicas: number, size: Size): WorkloadSeed {
  return { name, type: 'standard', version, replicas, ...size };
}
function stateful(name: string, version: number, replicas: number, size: Size): WorkloadSeed {
  return { name, type: 'stateful', version, replicas, ...size };
}
function cron(name: string, version: number, size: Size): WorkloadSeed {
  return { name, type: 'cron', version, replicas: 1, ...size };
}
