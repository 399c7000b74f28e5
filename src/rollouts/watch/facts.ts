import {
  isAdHoc,
  type Container,
  type Deployment,
  type DeploymentVersion,
  type JobExecution,
} from '../../platform/deployments/deployment.ts';

/** Ready replicas of a version in one location. */
export type Serving = readonly [version: number, ready: number];

/**
 * One report about one workload in one location, as design section 4.1 reads it. Absent flags are false, absent
 * messages empty; 0 is an unset version.
 */
export interface Facts {
  /** The report has a status. */
  reported: boolean;
  ready: boolean;
  deploying: boolean;
  message: string;
  /** expectedDeploymentVersion, else the highest version that is listed. */
  expected: number;
  /** lastProcessedVersion. */
  processed: number;
  /** Some version is listed. */
  listed: boolean;
  entry: Entry | undefined;
  /** Ready replicas over all versions. */
  have: number;
  /** Ready replicas of the newest entry. */
  fresh: number;
  wanted: number;
  /** The report states how many replicas are wanted. */
  stated: boolean;
  /** Other versions that serve, the newest first. */
  others: readonly Serving[];
  /** `jobExecutions` is present, even if empty. */
  listsExecutions: boolean;
  /** An ad-hoc command is among the executions. */
  adHoc: boolean;
  /** Without ad-hoc commands. */
  executions: readonly JobExecution[];
}

/** The newest rendering of the expected version, all its zones together. */
export interface Entry {
  gvc: number;
  ready: boolean;
  /** Milliseconds since the epoch. */
  created: number | undefined;
  messages: readonly string[];
  containerMessages: readonly string[];
  containers: readonly Container[];
}

export function readFacts(deployment: Deployment): Facts {
  const { versions, ready } = deployment;
  const highest = Math.max(0, ...versions.map(({ workload }) => workload));
  const expected = deployment.expectedDeploymentVersion || highest;
  const current = versions.filter(({ workload }) => workload === expected);
  const gvc = Math.max(0, ...current.map((version) => version.gvc));
  const zones = current.filter((version) => version.gvc === gvc);
  const stated = wantedOf(deployment, zones);
  const wanted = stated ?? (versions.length > 0 || ready ? 1 : 0);
  const readyOf = (all: readonly DeploymentVersion[]): number =>
    sum(all, (one) => readyIn(one, wanted));
  const all = versions.length === 0 && ready ? wanted : readyOf(versions);
  const executions = deployment.jobExecutions ?? [];
  return {
    reported: deployment.hasStatus,
    ready,
    deploying: deployment.deploying,
    message: deployment.message.trim(),
    expected,
    processed: deployment.lastProcessedVersion,
    listed: versions.length > 0,
    entry: entryOf(zones),
    have: all,
    fresh: versions.length === 0 ? all : readyOf(zones),
    wanted,
    stated: stated !== undefined,
    others: servingOf(
      versions.filter((version) => !zones.includes(version)),
      wanted,
    ),
    listsExecutions: deployment.jobExecutions !== undefined,
    adHoc: executions.some(isAdHoc),
    executions: executions.filter((execution) => !isAdHoc(execution)),
  };
}

function entryOf(zones: readonly DeploymentVersion[]): Entry | undefined {
  const [first] = zones;
  if (first === undefined) return undefined;
  const created = zones.flatMap((zone) => zone.created ?? []);
  const containers = zones.flatMap((zone) => zone.containers);
  return {
    gvc: first.gvc,
    ready: zones.every((zone) => zone.ready),
    created: created.length > 0 ? Math.min(...created) : undefined,
    messages: distinct(zones.map(({ message }) => message)),
    containerMessages: distinct(containers.map(({ message }) => message)),
    containers,
  };
}

/** A replica is as ready as its least ready container. Without counts the flag means all or none. */
function readyIn({ containers, ready, desiredScale }: DeploymentVersion, wanted: number): number {
  const counting = containers.filter(
    ({ replicas, replicasReady }) => replicas !== undefined || replicasReady !== undefined,
  );
  if (counting.length === 0) return ready ? (desiredScale ?? wanted) : 0;
  return Math.min(...counting.map(({ replicasReady }) => replicasReady ?? 0));
}

/** Replicas that are wanted, as the location, the zones or the containers state it; else undefined. */
function wantedOf(
  { desiredScale, versions }: Deployment,
  zones: readonly DeploymentVersion[],
): number | undefined {
  if (desiredScale !== undefined) return desiredScale;
  const scales = zones.flatMap((zone) => zone.desiredScale ?? []);
  if (scales.length > 0) return sum(scales, (scale) => scale);
  const replicas = new Map<string, number>();
  for (const version of versions) {
    const counts = version.containers.flatMap((container) => container.replicas ?? []);
    if (counts.length === 0) continue;
    const name = `${version.workload}/${version.gvc}`;
    replicas.set(name, (replicas.get(name) ?? 0) + Math.max(...counts));
  }
  return replicas.size === 0 ? undefined : Math.max(...replicas.values());
}

function servingOf(versions: readonly DeploymentVersion[], wanted: number): Serving[] {
  const ready = new Map<number, number>();
  for (const version of versions) {
    const count = readyIn(version, wanted);
    if (count > 0) ready.set(version.workload, (ready.get(version.workload) ?? 0) + count);
  }
  return [...ready].toSorted(([a], [b]) => b - a);
}

function sum<T>(all: readonly T[], of: (one: T) => number): number {
  return all.reduce((total, one) => total + of(one), 0);
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts.map((text) => text.trim()).filter((text) => text !== ''))];
}

/** Name, image, cpu in millicores and memory in MiB of a container; null where it is not stated. */
export type ContainerSpec = readonly [
  name: string,
  image: string,
  cpu: number | null,
  memory: number | null,
];

/** The containers of the newest entry, each once, whatever the order of the zones. */
export function specOf({ entry }: Facts): readonly ContainerSpec[] {
  const byName = new Map<string, ContainerSpec>();
  for (const { name, image, cpu, memory } of entry?.containers ?? []) {
    const line = [name, image, cpu ?? null, memory ?? null] as const;
    const known = byName.get(name);
    if (known === undefined || JSON.stringify(line) < JSON.stringify(known)) byName.set(name, line);
  }
  return [...byName.values()];
}
