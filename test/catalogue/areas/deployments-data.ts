import type { DeploymentsClient } from '../../../src/platform/deployments/client.ts';
import type { Deployment } from '../../../src/platform/deployments/deployment.ts';
import { NO_POLL, type PollStatus } from '../../../src/rollouts/gvc-store.ts';
import { readFacts } from '../../../src/rollouts/watch/facts.ts';
import { nextLocation, type Location, type State } from '../../../src/rollouts/watch/location.ts';
import { pollTime } from '../../../src/rollouts/watch/spans.ts';
import type { WorkloadStatus } from '../../../src/rollouts/watch/status.ts';
import type { Mute, Watch } from '../../../src/rollouts/watches.ts';
import {
  createDeployments,
  statusesOf,
  type Listed,
} from '../../unit/features/deployments/harness.ts';
import {
  broken,
  container,
  cron,
  deployment,
  down,
  idle,
  pending,
  ready,
  rolling,
  stale,
  suspended,
  version,
  type Json,
} from '../../unit/rollouts/platform-json.ts';
import { DAY, HOUR, MINUTE, NOW } from '../entry.ts';

export const LOCATIONS = ['aws-eu-central-1', 'azure-eastus2', 'gcp-us-east1'] as const;
export const OPS = 'C0OPS';

/** Where messages lead on to, as LINKS has it. */
export const LINKS = [
  { name: 'Logs', template: 'https://logs.example/{org}/{gvc}/{workload}?from={start}&to={end}' },
  { name: 'Metrics', template: 'https://metrics.example/{gvc}?at={end}' },
  { name: 'This location', template: 'https://map.example/{gvc}/{location}' },
];
export const iso = (ms: number): string => new Date(ms).toISOString();

type Setting = NonNullable<Parameters<typeof createDeployments>[0]>;

/** `/deployments` at the moment of the catalogue, on services of which only Redis and the platform are real. */
export function harness({ over, ...setting }: Setting = {}): ReturnType<typeof createDeployments> {
  return createDeployments({
    pollStatus: poll(),
    ...setting,
    over: {
      clock: { now: () => NOW },
      ...over,
    },
  });
}

/** A deployment, and its stored record. */
export interface Seen {
  deployment: Deployment;
  listed: Listed;
}

/** One deployment, in its state for three hours. @param memory absent: it was in that state at the first poll */
export function seen(
  status: Json | undefined,
  at: { workload?: string; location?: string } = {},
  memory?: Location,
): Seen {
  const deploymentRead = deployment(status, { location: LOCATIONS[0], ...at });
  const { workload, location } = deploymentRead;
  const next = nextLocation(readFacts(deploymentRead), memory, TIME, memory === undefined);
  const listed = { ...next, workload, location, since: NOW - 3 * HOUR };
  return { deployment: deploymentRead, listed };
}

const TIME = pollTime(NOW, NOW - MINUTE, { patience: 1, idleMs: MINUTE });

export function workloadsOf(all: readonly Seen[]): WorkloadStatus[] {
  return statusesOf(
    all.map(({ listed }) => listed),
    NOW,
  );
}

/** Ready an hour ago. */
const WAS_READY = nextLocation(readFacts(deployment(ready(12))), undefined, TIME, true);

const fresh = (workload: number, over: Json = {}): Json =>
  version(workload, { created: iso(NOW - 4 * MINUTE), ...over });

export const NOT_UP = { ready: false, containers: { main: down() } };

/** A deployment in each state that one can be listed in. */
export const IN_STATE: Readonly<
  Record<Exclude<State, 'gone'>, (at?: { workload?: string; location?: string }) => Seen>
> = {
  failed: (at) => seen(broken(12, 'Back-off pulling image "registry.example.com/cart:v12"'), at),
  unhealthy: (at) =>
    seen(
      broken(12, '', {
        versions: [fresh(12, { ...NOT_UP, containers: { main: crashing() } })],
      }),
      at,
      WAS_READY,
    ),
  stale: (at) => seen(stale(12), at),
  deploying: (at) => seen(rolling(12, { versions: [fresh(12, NOT_UP), version(11)] }), at),
  pending: (at) => seen(pending(12), at),
  unknown: (at) => seen(undefined, at),
  suspended: (at) => seen(suspended(12), at),
  idle: (at) => seen(idle(12), at),
  cron: (at) => seen(cron(4), at),
  ready: (at) => seen(ready(12), at),
};

/** It has long reported another version than the expected one. */
export function diverged(at?: { workload?: string; location?: string }): Seen {
  const { deployment: read, listed } = seen(ready(12, { lastProcessedVersion: 13 }), at);
  return { deployment: read, listed: { ...listed, apart: { version: 13, since: NOW - HOUR } } };
}

/** In three locations under a new GVC version: up, coming up beside the one before, and not reached. */
export function rerolled(): Seen[] {
  const at5 = (over: Json = {}): Json => fresh(12, { gvc: 5, ...over });
  const [up, coming, not] = LOCATIONS;
  return [
    seen(ready(12, { versions: [at5()] }), { location: up }),
    seen(rolling(12, { versions: [at5(NOT_UP), version(12)] }), { location: coming }),
    IN_STATE.ready({ location: not }),
  ];
}

/** A container that keeps stopping. */
export function crashing(): Json {
  return down({
    restarts: {
      count: 7,
      exitCode: 137,
      reason: 'OOMKilled',
      lastRestartTime: iso(NOW - 2 * MINUTE),
    },
    message: 'back-off 5m0s restarting failed container',
  });
}

/** A container with its replicas, and no word of its share of the machine. */
export function plainContainer(replicas: number, replicasReady: number): Json {
  return container({
    image: '',
    ready: replicas === replicasReady,
    resources: { replicas, replicasReady },
  });
}

export function watch(over: Partial<Watch> = {}): Watch {
  return {
    org: 'acme',
    gvc: 'shop',
    channel: OPS,
    quiet: false,
    configured: false,
    by: 'U0ADA',
    ...over,
  };
}

export function configured(over: Partial<Watch> = {}): Watch {
  const { by: _, ...rest } = watch(over);
  return { ...rest, configured: true };
}

export function mute(over: Partial<Mute> = {}): Mute {
  return {
    channel: OPS,
    org: 'acme',
    gvc: 'shop',
    since: NOW - HOUR,
    until: NOW + 7 * HOUR,
    by: 'U0BEN',
    ...over,
  };
}

export function poll(over: Partial<PollStatus> = {}): PollStatus {
  return { ...NO_POLL, at: NOW - 20_000, ...over };
}

/** Of a GVC that was never read. */
export const NEVER = poll({ at: 0 });
/** Of a GVC that can no longer be read. */
export const AWAY = poll({
  at: NOW - 2 * DAY,
  failures: 12,
  error: 'The platform does not answer just now',
});

/** A platform that is asked for this alone. */
export function platform(reads: Partial<DeploymentsClient>): DeploymentsClient {
  const unasked = (): Promise<never> => Promise.reject(new Error('not asked for'));
  return {
    listGvc: unasked,
    listWorkload: unasked,
    scanGvc: unasked,
    close: unasked,
    ...reads,
  };
}
