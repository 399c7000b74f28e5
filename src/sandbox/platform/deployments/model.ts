/**
 * How a rollout ends. `hang` never does, and `lag` never begins: the location keeps its version. The
 * `held-` ones show why they do not go on and stay `deploying` all the same; `ready-at-none` is flagged
 * ready without a ready replica.
 */
export const OUTCOMES = [
  'ready',
  'image-pull',
  'oom',
  'missing-secret',
  'exec-format',
  'crash-loop',
  'probe',
  'hang',
  'lag',
  'held-image',
  'held-secret',
  'held-quota',
  'ready-at-none',
] as const;
export type Outcome = (typeof OUTCOMES)[number];

export const EXECUTION_STATUSES = [
  'pending',
  'active',
  'successful',
  'failed',
  'invalid',
  'removed',
] as const;
export type ExecutionStatus = (typeof EXECUTION_STATUSES)[number];

export const WORKLOAD_TYPES = ['serverless', 'standard', 'stateful', 'cron'] as const;
export type WorkloadType = (typeof WORKLOAD_TYPES)[number];

export interface Org {
  readonly name: string;
  /** Part of the global addresses of its workloads, if present (spec 2.14). */
  readonly endpointPrefix?: string;
  readonly gvcs: Map<string, Gvc>;
}

export interface Gvc {
  readonly name: string;
  /** 13 letters and digits, part of every address (spec 2.15). */
  readonly alias: string;
  readonly locations: readonly string[];
  readonly workloads: Map<string, Workload>;
  version: number;
}

export interface Workload {
  readonly name: string;
  readonly type: WorkloadType;
  readonly containers: readonly ContainerSpec[];
  readonly multiZone: boolean;
  readonly wire: WireStyle;
  /** One record per location, in the order of the GVC's locations. */
  readonly records: Map<string, LocationRecord>;
  /** How the debug option was switched, oldest first; it is off before. */
  readonly debug: DebugSwitch[];
  version: number;
  replicas: number;
}

interface DebugSwitch {
  readonly on: boolean;
  readonly at: number;
}

export interface ContainerSpec {
  readonly name: string;
  /** Without its tag; the tag follows the workload version. */
  readonly image: string;
  /** Millicores. */
  readonly cpu: number;
  /** MiB. */
  readonly memory: number;
}

/** The ways in which real answers differ from the tables of the specification. */
export interface WireStyle {
  readonly versions: 'integer' | 'string' | 'float';
  readonly links: 'relative' | 'absolute';
  /** False, empty and zero values are left out. */
  readonly lean: boolean;
}

/** A workload version under a GVC version, as it runs in one location. */
export interface Revision {
  readonly workload: number;
  readonly gvc: number;
  /** When it began to roll out here. */
  readonly createdAt: number;
}

/** Everything that is to happen with a revision; what holds at a moment is computed from it. */
export interface Rollout {
  readonly revision: Revision;
  readonly outcome: Outcome;
  /** `lastProcessedVersion` until the change is applied; 0 = not set yet. */
  readonly processedBefore: number;
  /** When the location applies the change (`deploying` begins). */
  readonly appliedAt: number;
  /** From applied to fully ready, or to the point where the rollout gives up. */
  readonly spanMs: number;
}

export interface LocationRecord {
  readonly location: string;
  /** Even and odd locations differ in how they report the outgoing version. */
  readonly index: number;
  /** Layers of raw fields over the rendered status; null takes the whole status away. */
  readonly patches: (Readonly<Record<string, unknown>> | null)[];
  readonly executions: Execution[];
  /** Before this moment the location has not reported at all. */
  readonly reportsFrom: number;
  rollout: Rollout;
  /** The version that serves until the rollout succeeds. */
  serving: Revision | undefined;
  suspended: boolean;
  /** Processed but held back while suspended: `lastProcessedVersion` above the expected one. */
  heldVersion: number | undefined;
  /** Replicas starting up without a rollout: scaled up or resumed. */
  warmUp: WarmUp | undefined;
  silence: Silence | undefined;
  sickness: Sickness | undefined;
  absence: Absence | undefined;
  /** Processed a version above the expected one, and no one knows why. */
  diverged: boolean;
}

interface WarmUp {
  readonly from: number;
  readonly at: number;
}

/** The location stopped reporting: its last report stays as it was. */
interface Silence {
  readonly since: number;
  readonly overdue: boolean;
  readonly lastReport: Observation;
}

/** The current version fails its probe `times` times for `eachMs`, and is well as long in between. */
interface Sickness {
  readonly from: number;
  readonly times: number;
  readonly eachMs: number;
}

/** Nothing is listed in [from, until). */
interface Absence {
  readonly from: number;
  readonly until: number;
}

export interface Execution {
  readonly name: string;
  readonly version: number;
  readonly dueAt: number;
  readonly status: ExecutionStatus | '';
  readonly startedAt: number | undefined;
  readonly completedAt: number | undefined;
}

/** The report of a location at one moment, without its wire format. */
export interface Observation {
  readonly expected: number;
  readonly processed: number;
  readonly ready: boolean;
  readonly deploying: boolean;
  readonly message: string;
  readonly desiredScale: number | undefined;
  readonly versions: readonly ObservedVersion[];
  readonly executions: readonly Execution[] | undefined;
  readonly scenario: string;
  readonly at: number;
}

export interface ObservedVersion {
  readonly revision: Revision;
  readonly ready: boolean;
  readonly message: string;
  readonly desiredScale: number | undefined;
  /** Absent where nothing was ever started, as with a missing secret. */
  readonly replicas?: { readonly total: number; readonly ready: number } | 'unknown';
  readonly trouble?: Trouble | undefined;
}

/** The failure of the first container of a workload. */
export interface Trouble {
  readonly message: string;
  readonly restarts?: {
    readonly count: number;
    readonly exitCode: number;
    readonly reason: string;
    readonly lastRestartAt: number;
  };
}
