import {
  isAdHoc,
  type Container,
  type Deployment,
  type DeploymentList,
  type DeploymentVersion,
  type JobExecution,
  type ListedDeployment,
  type ScannedList,
} from '../../platform/deployments/deployment.ts';

/** One complete list of a GVC, as the watch engine takes it. */
export interface RecordList {
  seen: readonly ListedRecord[];
  /** Keys of records that are there and could not be read. */
  unreadable: readonly string[];
  /** Items that do not say who they are; with any, the list does not prove that a record is gone. */
  unidentified: number;
  /** The list is the second empty one or a later one, and a workload that was known is not found either. */
  gone?: boolean;
}

/** What one poll says of one record. Its facts are only read where they may matter. */
export interface ListedRecord {
  /** `workload/location`. */
  key: string;
  workload: string;
  location: string;
  /** Records of one key with equal prints have equal facts; '' = unknown, so never equal. */
  print: string;
  facts(): Facts;
}

/** The list of a list that was read in full. */
export function recordListOf(list: DeploymentList): RecordList {
  return {
    seen: list.deployments.map((deployment) => ({
      key: `${deployment.workload}/${deployment.location}`,
      workload: deployment.workload,
      location: deployment.location,
      print: '',
      facts: () => readFacts(deployment),
    })),
    unreadable: list.unreadable,
    unidentified: list.unidentified,
  };
}

/** The list of a list whose items are read where they may matter. */
export function lazyRecordListOf(list: ScannedList): RecordList {
  return {
    seen: list.listed.map((one) => new LazyRecord(one)),
    unreadable: list.unreadable,
    unidentified: list.unidentified,
  };
}

/** A class, because ten thousand closures are felt. */
class LazyRecord implements ListedRecord {
  readonly key: string;
  readonly workload: string;
  readonly location: string;
  readonly print: string;
  private readonly listed: ListedDeployment;

  constructor(listed: ListedDeployment) {
    this.key = listed.key;
    this.workload = listed.workload;
    this.location = listed.location;
    this.print = listed.print;
    this.listed = listed;
  }

  facts(): Facts {
    return readFacts(this.listed.read());
  }
}

/** Ready and wanted replicas of one version in one location. */
export interface Replicas {
  version: number;
  ready: number;
  wanted: number;
}

/**
 * What a version runs: what people ask for first when something goes wrong. One line for each container:
 * its name, its image, cpu in millicores and memory in MiB, null where it is not stated.
 */
export interface Spec {
  version: number;
  containers: readonly (readonly [
    name: string,
    image: string,
    cpu: number | null,
    memory: number | null,
  ])[];
  /** Replicas that were wanted when the version was first seen; null = not stated. */
  replicas: number | null;
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
  /** What still serves of another version, or of the same one under an earlier GVC version. */
  outgoing: Replicas | undefined;
  /** Ready replicas of all other versions together: the outgoing one is the newest of them. */
  readyOfOthers: number;
  /** Replicas that the platform states as wanted; undefined when it states none, which is not 0. */
  wanted: number | undefined;
  /** It has an execution that is not that of an ad-hoc command, which any workload can have. */
  cron: boolean;
  /** `jobExecutions` is present, even if empty. */
  listsExecutions: boolean;
  /** Without those of ad-hoc commands. */
  executions: readonly Execution[];
}

/** One run of a cron workload, as it is told; times in milliseconds since the epoch. */
export type Execution = Pick<
  JobExecution,
  'name' | 'status' | 'message' | 'startTime' | 'completionTime'
>;

/** The newest rendering of the expected version: elements of `versions` at E with the highest GVC version. */
interface Entry {
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
  const zones = current.filter((version) => version.gvc === gvc);
  const wanted = wantedReplicas(deployment, zones);
  const executions = (deployment.jobExecutions ?? []).filter((execution) => !isAdHoc(execution));
  return {
    reported: deployment.hasStatus,
    ready: deployment.ready,
    deploying: deployment.deploying,
    message: deployment.message.trim(),
    expected,
    processed: deployment.lastProcessedVersion,
    hasVersions: deployment.versions.length > 0,
    entry: mergeZones(zones, wanted),
    outgoing: expected === 0 ? undefined : outgoingReplicas(deployment.versions, zones),
    readyOfOthers: sum(others(deployment.versions, zones).map(readyReplicas)),
    wanted,
    cron: executions.length > 0,
    listsExecutions: deployment.jobExecutions !== undefined,
    executions,
  };
}

/** @param wanted replicas to count as wanted where the zones themselves state none */
function mergeZones(
  zones: readonly DeploymentVersion[],
  wanted: number | undefined,
): Entry | undefined {
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
    replicas: {
      version: first.workload,
      ready: sum(zones.map(readyReplicas)),
      wanted: sum(zones.map((zone) => statedReplicas(zone) ?? 0)) || (wanted ?? 0),
    },
    restarts: sum(containers.map((container) => container.restarts?.count ?? 0)),
    lastRestartTime: restartTimes.length > 0 ? Math.max(...restartTimes) : undefined,
  };
}

/** A replica is as ready as its least ready container. */
function readyReplicas(zone: DeploymentVersion): number {
  const ready = zone.containers.map((container) => container.replicasReady ?? 0);
  return ready.length > 0 ? Math.min(...ready) : 0;
}

function statedReplicas(zone: DeploymentVersion): number | undefined {
  const stated = zone.containers.flatMap((container) => container.replicas ?? []);
  return zone.desiredScale ?? (stated.length > 0 ? Math.max(...stated) : undefined);
}

function others(
  versions: readonly DeploymentVersion[],
  expected: readonly DeploymentVersion[],
): DeploymentVersion[] {
  return versions.filter((version) => version.workload !== 0 && !expected.includes(version));
}

/** Of all but the expected rendering the newest that still has a ready replica. */
function outgoingReplicas(
  versions: readonly DeploymentVersion[],
  expected: readonly DeploymentVersion[],
): Replicas | undefined {
  const serving = others(versions, expected)
    .filter((version) => readyReplicas(version) > 0)
    .sort((a, b) => b.workload - a.workload || b.gvc - a.gvc);
  const [newest] = serving;
  const zones = serving.filter(
    (version) => version.workload === newest?.workload && version.gvc === newest.gvc,
  );
  return mergeZones(zones, undefined)?.replicas;
}

/** `desiredScale` of the location or of the version's zones; else what the containers say. */
function wantedReplicas(
  deployment: Deployment,
  zones: readonly DeploymentVersion[],
): number | undefined {
  const { desiredScale } = deployment;
  const inZones = zones.map(
    (zone) => zone.desiredScale ?? (desiredScale === undefined ? wantedIn(zone) : undefined),
  );
  const stated = inZones.filter((one) => one !== undefined);
  const isWhole = stated.length > 0 && stated.length === zones.length;
  const scales = [
    ...(desiredScale === undefined ? [] : [desiredScale]),
    ...(sum(stated) > 0 || isWhole ? [sum(stated)] : []),
  ];
  return scales.length === 0 ? undefined : Math.max(...scales);
}

/** A container that says so states replicas as wanted; none are wanted only where every container says 0. */
function wantedIn({ containers }: DeploymentVersion): number | undefined {
  const replicas = containers.map((container) => container.replicas);
  const most = Math.max(0, ...replicas.map((one) => one ?? 0));
  return most > 0 || (replicas.length > 0 && !replicas.includes(undefined)) ? most : undefined;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts.map((text) => text.trim()).filter((text) => text !== ''))];
}

/** What is remembered of what a record runs. */
interface Specs {
  spec?: Spec;
  specBefore?: Spec;
}

type Remembered = Specs & { wanted: number | null; wasReady: boolean };

/**
 * What runs, and what the last version ran that was ready here: people compare with what worked. Wanted
 * replicas move by themselves, so of a version those count with which it began, and of the one before
 * those with which it ended.
 * @param same the memory, where it is of the same rollout
 */
export function specsOf(
  { entry, wanted, expected }: Facts,
  before: Remembered | undefined,
  same: Remembered | undefined,
): Specs {
  const ended = before?.spec && { ...before.spec, replicas: before.wanted };
  // Another version of the GVC rolls the same version again.
  const isAnother = ended !== undefined && ended.version !== expected;
  const replaces = isAnother && (before?.wasReady === true || before?.specBefore === undefined);
  const specBefore = same === undefined && replaces ? ended : before?.specBefore;
  const spec: Spec | undefined =
    // A version that is held before it starts has no containers yet.
    entry === undefined || entry.containers.length === 0
      ? same?.spec
      : {
          version: expected,
          containers: linesOf(entry.containers),
          replicas: same?.spec?.replicas ?? wanted ?? null,
        };
  return {
    ...(spec === undefined ? {} : { spec }),
    ...(specBefore === undefined ? {} : { specBefore }),
  };
}

/** The same containers of several zones are one, and the same one whatever the order of the zones. */
function linesOf(containers: readonly Container[]): Spec['containers'] {
  const byName = new Map<string, Spec['containers'][number]>();
  for (const { name, image, cpu, memory } of containers) {
    const line = [name, image, cpu ?? null, memory ?? null] as const;
    const known = byName.get(name);
    if (known === undefined || JSON.stringify(line) < JSON.stringify(known)) byName.set(name, line);
  }
  return [...byName.values()];
}
