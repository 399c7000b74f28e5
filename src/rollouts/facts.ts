import type {
  Container,
  Deployment,
  DeploymentVersion,
} from '../platform/deployments/deployment.ts';

/** Ready and wanted replicas of one version in one location. */
export interface Replicas {
  version: number;
  ready: number;
  wanted: number;
}

/**
 * What one poll says of one record, read as design section 4 reads it: absent booleans are false,
 * absent messages empty, version 0 is unset, several zones of a version are one entry.
 */
export interface Facts {
  reported: boolean;
  ready: boolean;
  deploying: boolean;
  message: string;
  /** expectedDeploymentVersion, 0 = unset. */
  expected: number;
  /** lastProcessedVersion, 0 = unset. */
  processed: number;
  /** `versions` is not empty. */
  hasVersions: boolean;
  entry: Entry | undefined;
  /** What still runs of an earlier version. */
  outgoing: Replicas | undefined;
  /** Replicas that the platform states as wanted; undefined when it states none, which is not 0. */
  wanted: number | undefined;
  cron: boolean;
}

/** The newest rendering of the expected version: elements of `versions` at E with the highest GVC version. */
export interface Entry {
  gvc: number;
  ready: boolean;
  created: number | undefined;
  messages: string[];
  containerMessages: string[];
  containers: Container[];
  zones: string[];
  replicas: Replicas;
  /** Restarts of all containers together. */
  restarts: number;
  lastRestartTime: number | undefined;
}

export function readFacts(deployment: Deployment): Facts {
  const expected = deployment.expectedDeploymentVersion;
  const current = deployment.versions.filter(
    (version) => expected !== 0 && version.workload === expected,
  );
  const gvc = Math.max(0, ...current.map((version) => version.gvc));
  const entry = mergeZones(current.filter((version) => version.gvc === gvc));
  return {
    reported: deployment.hasStatus,
    ready: deployment.ready,
    deploying: deployment.deploying,
    message: deployment.message.trim(),
    expected,
    processed: deployment.lastProcessedVersion,
    hasVersions: deployment.versions.length > 0,
    entry,
    outgoing: outgoingReplicas(deployment.versions, expected),
    wanted: wantedReplicas(deployment, entry),
    cron: deployment.jobExecutions !== undefined,
  };
}

function mergeZones(zones: DeploymentVersion[]): Entry | undefined {
  const first = zones[0];
  if (first === undefined) return undefined;
  const containers = zones.flatMap((zone) => zone.containers);
  const created = zones.flatMap((zone) => zone.created ?? []);
  const restartTimes = containers.flatMap((container) => container.restarts?.lastRestartTime ?? []);
  return {
    gvc: first.gvc,
    ready: zones.every((zone) => zone.ready),
    created: created.length > 0 ? Math.min(...created) : undefined,
    messages: distinct(zones.map((zone) => zone.message)),
    containerMessages: distinct(containers.map((container) => container.message)),
    containers,
    zones: distinct(zones.map((zone) => zone.zone ?? '')),
    replicas: zones.map(zoneReplicas).reduce((sum, zone) => ({
      ...sum,
      ready: sum.ready + zone.ready,
      wanted: sum.wanted + zone.wanted,
    })),
    restarts: containers.reduce((sum, container) => sum + (container.restarts?.count ?? 0), 0),
    lastRestartTime: restartTimes.length > 0 ? Math.max(...restartTimes) : undefined,
  };
}

/** A replica is as ready as its least ready container. */
function zoneReplicas(zone: DeploymentVersion): Replicas {
  const stated = zone.containers.flatMap((container) => container.replicas ?? []);
  const ready = zone.containers.map((container) => container.replicasReady ?? 0);
  return {
    version: zone.workload,
    ready: ready.length > 0 ? Math.min(...ready) : 0,
    wanted: zone.desiredScale ?? (stated.length > 0 ? Math.max(...stated) : 0),
  };
}

/** Of the earlier versions the newest that still has a ready replica. */
function outgoingReplicas(
  versions: readonly DeploymentVersion[],
  expected: number,
): Replicas | undefined {
  const older = versions.filter((version) => version.workload < expected);
  const newest = Math.max(
    0,
    ...older
      .filter((version) => zoneReplicas(version).ready > 0)
      .map((version) => version.workload),
  );
  return mergeZones(older.filter((version) => version.workload === newest))?.replicas;
}

function wantedReplicas(deployment: Deployment, entry: Entry | undefined): number | undefined {
  const zones = deployment.versions.filter(
    (version) =>
      entry !== undefined &&
      version.workload === deployment.expectedDeploymentVersion &&
      version.gvc === entry.gvc,
  );
  const perZone = zones.flatMap((zone) => zone.desiredScale ?? []);
  const stated = [
    ...(deployment.desiredScale === undefined ? [] : [deployment.desiredScale]),
    ...(perZone.length > 0 ? [perZone.reduce((sum, scale) => sum + scale, 0)] : []),
  ];
  if (stated.length > 0) return Math.max(...stated);
  const containers = entry?.containers ?? [];
  const replicas = containers.map((container) => container.replicas);
  if (replicas.length === 0 || replicas.includes(undefined)) return undefined;
  return Math.max(...replicas.map(Number));
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts.map((text) => text.trim()).filter((text) => text !== ''))];
}
