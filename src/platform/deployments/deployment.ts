import { z } from 'zod';
import { countOf, membersOf, messageOf, objectsOf, textOf, timeOf, versionOf } from '../json.ts';

/** Times in milliseconds since the epoch. */
interface Restarts {
  count: number | undefined;
  exitCode: number | undefined;
  reason: string;
  lastRestartTime: number | undefined;
}

/**
 * One container of a version, or of one run of a cron workload, in one location (spec 2.12); cpu in
 * millicores, memory in MiB.
 */
export interface Container {
  name: string;
  image: string;
  ready: boolean;
  message: string;
  replicas: number | undefined;
  replicasReady: number | undefined;
  cpu: number | undefined;
  memory: number | undefined;
  restarts: Restarts | undefined;
}

export interface DeploymentVersion {
  workload: number;
  gvc: number;
  created: number | undefined;
  ready: boolean;
  message: string;
  zone: string | undefined;
  desiredScale: number | undefined;
  containers: Container[];
}

/** Times in milliseconds since the epoch. */
export interface JobCondition {
  type: string;
  status: string;
  reason: string;
  message: string;
  lastDetectionTime: number | undefined;
  lastTransitionTime: number | undefined;
}

/** One run of a cron workload in one location (spec 2.12); times in milliseconds since the epoch. */
export interface JobExecution {
  name: string;
  /** Needed to find its logs; absent when nothing ever ran. */
  replica: string | undefined;
  /**
   * Lower case: one of spec 2.12's six, or a newer word of the platform. An empty string is read as pending.
   */
  status: string;
  workloadVersion: number;
  startTime: number | undefined;
  /** Failures have one, too: it does not mean success. */
  completionTime: number | undefined;
  conditions: JobCondition[];
  containers: Container[];
  /** Separated by semicolons. */
  message: string;
}

/** The observed state of one workload in one location (spec 2.12), with defaults for absent members. */
export interface Deployment {
  workload: string;
  location: string;
  /** Milliseconds since the epoch. */
  lastModified: number | undefined;
  hasStatus: boolean;
  endpoint: string | undefined;
  /** The control endpoint of the location, for operations on replicas. */
  remote: string | undefined;
  ready: boolean;
  deploying: boolean;
  message: string;
  /** 0 = unset. */
  lastProcessedVersion: number;
  /** 0 = unset. */
  expectedDeploymentVersion: number;
  desiredScale: number | undefined;
  versions: DeploymentVersion[];
  /** Present for cron workloads only. */
  jobExecutions: JobExecution[] | undefined;
}

export interface DeploymentList extends Unread {
  deployments: Deployment[];
}

/** The same list with its items identified and checked; they are parsed on demand. */
export interface ScannedList extends Unread {
  listed: ListedDeployment[];
}

export interface ListedDeployment {
  /** `workload/location`. */
  readonly key: string;
  readonly workload: string;
  readonly location: string;
  /** Equal for items of one record with the same state and causes (see `printOf`); '' = unknown. */
  readonly print: string;
  read(): Deployment;
}

interface Unread {
  /** `workload/location` of unreadable items: present, state unknown. */
  unreadable: string[];
  /** Items with an unknown workload or location; with any, the list does not prove that a record is gone. */
  unidentified: number;
}

const AD_HOC = /^(?:run-for-)?command-/;

/**
 * An ad-hoc command, which any workload can have. It is unrelated to the schedule, so it causes no notices
 * (design section 4, "Cron").
 */
export function isAdHoc({ name }: Pick<JobExecution, 'name'>): boolean {
  return AD_HOC.test(name);
}

const SEGMENT = '/workload/';
const PLAIN_NAME = /^[\w.-]+$/;

/** The owner of an item: the last `/workload/<name>` of its `workload` link, absolute or relative. */
export function workloadOfLinks(links: unknown): string | undefined {
  if (!Array.isArray(links)) return undefined;
  const link = (links as unknown[]).find((one) => membersOf(one)['rel'] === 'workload');
  const href = textOf(membersOf(link)['href']);
  const plain = href.slice(href.lastIndexOf(SEGMENT) + SEGMENT.length);
  // A fast path: nearly every link ends with the name, and a list has ten thousand of them.
  if (PLAIN_NAME.test(plain) && href.includes(SEGMENT)) return plain;
  const name = href.match(/^.*\/workload\/([^/?#]+)/s)?.[1];
  if (name === undefined) return undefined;
  try {
    return decodeURIComponent(name);
  } catch {
    return undefined;
  }
}

export function toDeployment(workload: string, item: DeploymentItem): Deployment {
  const status = item.status;
  return {
    workload,
    location: item.name,
    lastModified: timeOf(item.lastModified),
    hasStatus: status !== null && status !== undefined,
    endpoint: textOf(status?.endpoint) || undefined,
    remote: textOf(status?.remote) || undefined,
    ready: status?.ready ?? false,
    deploying: status?.deploying ?? false,
    message: messageOf(status?.message),
    lastProcessedVersion: versionOf(status?.lastProcessedVersion),
    expectedDeploymentVersion: versionOf(status?.expectedDeploymentVersion),
    desiredScale: countOf(status?.desiredScale),
    versions: (status?.versions ?? []).filter((one) => one !== null).map(toVersion),
    jobExecutions: status?.jobExecutions?.filter((one) => one !== null).map(toJobExecution),
  };
}

function toVersion(version: VersionItem): DeploymentVersion {
  return {
    workload: versionOf(version.workload),
    gvc: versionOf(version.gvc),
    created: timeOf(version.created),
    ready: version.ready ?? false,
    message: messageOf(version.message),
    zone: textOf(version.zone) || undefined,
    desiredScale: countOf(version.desiredScale),
    containers: Object.entries(version.containers ?? {}).flatMap(([name, container]) =>
      container === null ? [] : [toContainer(name, container)],
    ),
  };
}

function toContainer(name: string, container: ContainerItem): Container {
  const resources = membersOf(container.resources);
  return {
    name,
    image: textOf(container.image),
    ready: container.ready === true,
    message: messageOf(container.message),
    replicas: countOf(resources['replicas']),
    replicasReady: countOf(resources['replicasReady']),
    cpu: countOf(resources['cpu']),
    memory: countOf(resources['memory']),
    restarts: toRestarts(container.restarts),
  };
}

function toRestarts(value: unknown): Restarts | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { count, exitCode, reason, lastRestartTime } = membersOf(value);
  return {
    count: countOf(count),
    exitCode: typeof exitCode === 'number' ? exitCode : undefined,
    reason: messageOf(reason),
    lastRestartTime: timeOf(lastRestartTime),
  };
}

function toJobExecution(job: JobItem): JobExecution {
  return {
    name: textOf(job.name),
    replica: textOf(job.replica) || undefined,
    status: textOf(job.status).toLowerCase() || 'pending',
    workloadVersion: versionOf(job.workloadVersion),
    startTime: timeOf(job.startTime),
    completionTime: timeOf(job.completionTime),
    conditions: objectsOf(job.conditions).map(toCondition),
    // Unlike those of a version, these decide no state, so the schema does not check them.
    containers: Object.entries(membersOf(job.containers)).flatMap(([name, container]) =>
      container === null ? [] : [toContainer(name, membersOf(container))],
    ),
    message: messageOf(job.message),
  };
}

function toCondition(condition: Readonly<Record<string, unknown>>): JobCondition {
  return {
    type: textOf(condition['type']),
    status: textOf(condition['status']),
    reason: messageOf(condition['reason']),
    message: messageOf(condition['message']),
    lastDetectionTime: timeOf(condition['lastDetectionTime']),
    lastTransitionTime: timeOf(condition['lastTransitionTime']),
  };
}

/**
 * Only the members that the bot reads; all others are dropped, among them `status.internal` (spec 2.12: its
 * shape is outside the contract and must not be read).
 *
 * Members that decide a state are checked here: an item with `ready: "yes"` is a bad item, not a deployment
 * that is not ready. Labels and counts may have any type; `toDeployment` takes those of the right type.
 * Transforms and fallbacks are avoided, because a list of 10,000 items is checked in a fraction of the time
 * without them.
 */
const flag = z.boolean().nullish();
const label = z.unknown().optional();

/** A resource version: `11`, `11.0` or `"11"`; absent, empty and 0 all mean "not set yet". */
const versionNumber = z
  .union([z.number().int().min(0), z.string().regex(/^\s*(?:\d{1,15}(?:\.0+)?\s*)?$/)])
  .nullish();

const container = z.object({
  image: label,
  ready: label,
  message: label,
  resources: label,
  restarts: label,
});

const deploymentVersion = z.object({
  workload: versionNumber,
  gvc: label,
  created: label,
  ready: flag,
  message: label,
  zone: label,
  desiredScale: label,
  containers: z.record(z.string(), container.nullable()).nullish(),
});

const jobExecution = z.object({
  name: label,
  replica: label,
  status: label,
  workloadVersion: label,
  startTime: label,
  completionTime: label,
  conditions: label,
  containers: label,
  message: label,
});

const status = z.object({
  endpoint: label,
  remote: label,
  ready: flag,
  deploying: flag,
  message: label,
  lastProcessedVersion: versionNumber,
  expectedDeploymentVersion: versionNumber,
  desiredScale: label,
  versions: z.array(deploymentVersion.nullable()).nullish(),
  jobExecutions: z.array(jobExecution.nullable()).nullish(),
});

/**
 * Of a workload or a location. They are joined by slashes in stored data and in message keys, where a leading
 * `@` marks our own parts, and keys are listed with spaces in between: a name with any of these would be
 * ambiguous.
 */
const NAME = /^[^/@\s][^/\s]*$/;

/** Checked apart from the status: an item with a broken status must not look gone. */
export function isName(value: unknown): value is string {
  return typeof value === 'string' && NAME.test(value);
}

export const DeploymentItem = z.object({
  name: z.string().regex(NAME),
  lastModified: label,
  status: status.nullish(),
  links: label,
});
export type DeploymentItem = z.infer<typeof DeploymentItem>;
type VersionItem = z.infer<typeof deploymentVersion>;
type ContainerItem = z.infer<typeof container>;
type JobItem = z.infer<typeof jobExecution>;

/** The `next` link is read strictly: if it were overlooked, the rest of the list would look gone. */
const pageLink = z.union([
  z.object({ rel: z.literal('next'), href: z.string().nullish() }),
  z
    .unknown()
    .refine((other) => (other as { rel?: unknown } | null | undefined)?.rel !== 'next')
    .transform(() => ({ rel: '', href: '' })),
]);

/** Empty members are often omitted, so a declared list needs no items. */
export const ListPage = z
  .object({
    kind: label,
    items: z.array(z.unknown()).nullish(),
    links: z.array(pageLink).nullish(),
  })
  .refine(({ kind, items }) => items !== undefined || kind === 'list');
export type ListPage = z.infer<typeof ListPage>;
