import { readDeployment, type Deployment } from '../../../src/platform/deployments/deployment.ts';
import { advance, EMPTY_GVC, type GvcState } from '../../../src/rollouts/watch/advance.ts';
import { EMPTY_ORG } from '../../../src/rollouts/watch/group.ts';

/** Statuses as the platform writes them; tests read them through the client's own schema. */
export type Json = Record<string, unknown>;

/** Monday noon, the moment of the first poll. */
export const NOON = Date.UTC(2026, 9, 5, 12);
export const MINUTE = 60_000;

/** An element of `status.versions` with one container `main` of two replicas. */
export function version(workload: number, over: Json = {}): Json {
  return {
    workload,
    gvc: 4,
    created: new Date(NOON - MINUTE).toISOString(),
    ready: true,
    message: '',
    containers: { main: container() },
    ...over,
  };
}

export function container(over: Json = {}): Json {
  return {
    name: 'main',
    image: 'registry.example.com/acme/cart:v1',
    ready: true,
    resources: { replicas: 2, replicasReady: 2, cpu: 250, memory: 512 },
    ...over,
  };
}

/** A container of which no replica is up. */
export function down(over: Json = {}): Json {
  return container({
    ready: false,
    resources: { replicas: 2, replicasReady: 0, cpu: 250, memory: 512 },
    ...over,
  });
}

function at(expected: number, processed: number, over: Json): Json {
  return {
    ready: false,
    deploying: false,
    message: '',
    expectedDeploymentVersion: expected,
    lastProcessedVersion: processed,
    desiredScale: 2,
    versions: [],
    ...over,
  };
}

export function ready(expected: number, over: Json = {}): Json {
  return at(expected, expected, { ready: true, versions: [version(expected)], ...over });
}

/** The change has not been applied: the version before serves on. */
export function pending(expected: number, over: Json = {}): Json {
  return at(expected, expected - 1, { versions: [version(expected - 1)], ...over });
}

/** The new version comes up beside the old one. */
export function rolling(expected: number, over: Json = {}): Json {
  return at(expected, expected, {
    deploying: true,
    versions: [
      version(expected, { ready: false, containers: { main: down() } }),
      version(expected - 1),
    ],
    ...over,
  });
}

/** The rollout has stopped without success; without a message nothing says why. */
export function broken(expected: number, message = '', over: Json = {}): Json {
  return at(expected, expected, {
    versions: [version(expected, { ready: false, message, containers: { main: down() } })],
    ...over,
  });
}

export function suspended(expected: number, over: Json = {}): Json {
  return at(expected, expected, {
    message: 'This location is deactivated because suspend is set to true.',
    desiredScale: 0,
    ...over,
  });
}

export function stale(expected: number, over: Json = {}): Json {
  return at(expected, expected, {
    message: 'Status details are stale, the last report came 50 minutes ago',
    versions: [version(expected)],
    ...over,
  });
}

export function idle(expected: number, over: Json = {}): Json {
  return at(expected, expected, { desiredScale: 0, ...over });
}

export function cron(expected: number, over: Json = {}): Json {
  const jobExecutions = [{ name: 'cart-29920213', status: 'successful' }];
  return at(expected, expected, { desiredScale: undefined, jobExecutions, ...over });
}

/** One deployment, read as the client reads it. `status` undefined: it has none. */
export function deployment(
  status: Json | undefined,
  { workload = 'cart', location = 'oslo' } = {},
): Deployment {
  const item = { kind: 'deployment', name: location, status };
  return readDeployment(workload, JSON.parse(JSON.stringify(item)));
}

/** Statuses by `workload/location`. */
export type Statuses = Readonly<Record<string, Json | undefined>>;

export function deploymentsOf(statuses: Statuses): Deployment[] {
  return Object.entries(statuses).map(([key, status]) => {
    const [workload = '', location = ''] = key.split('/');
    return deployment(status, { workload, location });
  });
}

/** Their GVC after polls, one a minute, of which the first is adopted. @param from the time of the first one */
export function polled(polls: readonly Statuses[], from = NOON): { state: GvcState; at: number } {
  let state = EMPTY_GVC;
  let at = 0;
  for (const [index, statuses] of polls.entries()) {
    const seen = deploymentsOf(statuses).map((one) => {
      const { workload, location } = one;
      return { key: `${workload}/${location}`, workload, location, print: '', read: () => one };
    });
    const now = from + index * MINUTE;
    const list = { seen, unreadable: [], unidentified: 0 };
    const times = { now, previousAt: at, patience: 1, idleMs: MINUTE };
    const step = advance(state, EMPTY_ORG, list, { gvc: 'shop', ...times, cache: new Map() });
    [state, at] = [step.state, now];
  }
  return { state, at };
}
