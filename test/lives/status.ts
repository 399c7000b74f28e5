import {
  causeOf,
  isBroken,
  isDeploying,
  isReady,
  isStale,
  serving,
  type Cause,
  type Site,
  type Version,
} from './site.ts';

type Json = Record<string, unknown>;

/** How the platform words its statuses: the contract leaves room. */
export interface Dialect {
  /** `status.desiredScale` is stated; else only that of each version, if `versionsScale`. */
  readonly statesScale: boolean;
  readonly versionsScale: boolean;
  /** A version serves from its first replica on; else from its last. */
  readonly servesEarly: boolean;
  /** Flags that are false are left out. */
  readonly omitsFalse: boolean;
  /** `ready` stays while more replicas come up. */
  readonly scalesReady: boolean;
  /** A cron workload states `ready`. */
  readonly cronReady: boolean;
}

export const BEGINNING = Date.UTC(2026, 10, 2, 8);

export function timeAt(minute: number): string {
  return new Date(BEGINNING + minute * 60_000).toISOString();
}

const MESSAGES: Readonly<Record<Cause, string>> = {
  image: 'Back-off pulling image "registry.example.com/acme/app:v2": ImagePullBackOff',
  secret: 'CreateContainerConfigError: secret "db" not found',
  quota: 'exceeded quota: cpu, requested 4, used 60, limited 62',
  crash: 'CrashLoopBackOff: back-off 5m0s restarting failed container',
  oom: 'CrashLoopBackOff: back-off 5m0s restarting failed container',
  probe: 'Readiness probe failed: HTTP probe failed with statuscode: 503',
  quiet: '',
};

interface About {
  readonly dialect: Dialect;
  readonly zones: boolean;
  readonly now: number;
}

/** One item of the list, as in spec 2.12. */
export function itemOf(site: Site, place: { org: string; gvc: string }, about: About): Json {
  const { workload, location } = site;
  const path = `/org/${place.org}/gvc/${place.gvc}/workload/${workload}`;
  const links = [
    { rel: 'self', href: `${path}/deployment/${location}` },
    { rel: 'workload', href: path },
    { rel: 'location', href: `/org/${place.org}/location/${location}` },
  ];
  return { kind: 'deployment', name: location, status: statusOf(site, about), links };
}

/** A text that is the same as long as the item of the site is. */
export function printOf(site: Site, now: number): string {
  const { expected, beyond, processed, wanted, suspended, appliedAt, dnsUntil, versions } = site;
  const shown = versions.map((one, index) =>
    [one.workload, one.gvc, one.created, one.size, one.restarts, serving(site, index, now)].join(),
  );
  const flags = [isReady(site, now), isDeploying(site, now), suspended, isStale(site, now)].join();
  const isWaiting = site.rollout !== undefined && appliedAt === undefined;
  const numbers = [expected, beyond, processed, wanted, isWaiting, now < dnsUntil].join();
  return [flags, numbers, causeOf(site, now), isBroken(site, now), ...shown].join(' ');
}

const STALE = 'Status details are stale, the last report is overdue';

/** All but the message remains as it was when the reports stopped. */
export function staleItemOf(item: unknown): Json {
  const before = item as { status: Json };
  return { ...before, status: { ...before.status, message: STALE } };
}

function statusOf(site: Site, about: About): Json {
  const { dialect, now } = about;
  const { expected, wanted, rollout, appliedAt } = site;
  const isPending = rollout !== undefined && appliedAt === undefined;
  const processed = isPending ? site.processed : expected + site.beyond;
  return {
    endpoint: `https://${site.workload}.${site.location}.example.com`,
    ...flag(dialect, 'ready', readyOf(site, about)),
    ...flag(dialect, 'deploying', isDeploying(site, now)),
    message: messageOf(site, now),
    expectedDeploymentVersion: expected,
    lastProcessedVersion: processed,
    ...(dialect.statesScale || wanted === 0 ? { desiredScale: wanted } : {}),
    versions: site.versions.flatMap((version, index) => entriesOf(site, version, index, about)),
  };
}

function flag({ omitsFalse }: Dialect, name: string, value: boolean): Json {
  return omitsFalse && !value ? {} : { [name]: value };
}

function readyOf(site: Site, { dialect, now }: About): boolean {
  if (isReady(site, now)) return true;
  const [version] = site.versions;
  const grows = site.rollout === undefined && !isBroken(site, now) && (version?.up ?? 0) > 0;
  return dialect.scalesReady && grows && !site.comesUp && !site.suspended && now >= site.dnsUntil;
}

/** @returns the text that the platform has for the location as a whole */
function messageOf(site: Site, now: number): string {
  if (isStale(site, now)) return STALE;
  if (site.suspended) return 'This location is deactivated because suspend is set to true.';
  return now < site.dnsUntil && site.rollout === undefined && !isBroken(site, now)
    ? 'DNS records could not be created'
    : '';
}

function entriesOf(site: Site, version: Version, index: number, about: About): Json[] {
  const { dialect, zones, now } = about;
  const ready = serving(site, index, now);
  const { size } = version;
  if (!zones || index > 0 || size < 2) {
    return [entryOf(site, version, { ready, size, isNewest: index === 0 }, about)];
  }
  const half = Math.ceil(size / 2);
  const inFirst = Math.min(ready, half);
  const parts = [
    { ready: inFirst, size: half, isNewest: true, zone: 'a' },
    { ready: ready - inFirst, size: size - half, isNewest: true, zone: 'b' },
  ];
  return parts.map((part) => ({
    ...entryOf(site, version, part, about),
    ...(dialect.versionsScale ? { desiredScale: part.size } : {}),
    zone: part.zone,
  }));
}

interface Part {
  readonly ready: number;
  readonly size: number;
  readonly isNewest: boolean;
}

function entryOf(site: Site, version: Version, part: Part, { dialect, now }: About): Json {
  const { ready, size, isNewest } = part;
  const cause = isNewest && ready < size ? causeOf(site, now) : undefined;
  const message = cause === undefined ? '' : MESSAGES[cause];
  const isUp = ready >= size || (dialect.servesEarly && ready > 0);
  return {
    workload: version.workload,
    gvc: version.gvc,
    created: timeAt(version.created),
    ...flag(dialect, 'ready', isUp && ready > 0),
    message: '',
    ...(dialect.versionsScale ? { desiredScale: size } : {}),
    containers: {
      main: {
        name: 'main',
        image: `registry.example.com/acme/${site.workload}:v${version.workload}`,
        ...flag(dialect, 'ready', ready >= size),
        message,
        resources: { replicas: size, replicasReady: ready, cpu: 250, memory: 512 },
        ...restartsOf(version, cause),
      },
    },
  };
}

function restartsOf({ restarts, restartedAt }: Version, cause: Cause | undefined): Json {
  if (restarts === 0) return {};
  const reason = cause === 'oom' ? 'OOMKilled' : 'Error';
  const exitCode = cause === 'oom' ? 137 : 1;
  return {
    restarts: { count: restarts, exitCode, reason, lastRestartTime: timeAt(restartedAt) },
  };
}
