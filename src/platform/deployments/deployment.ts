import { PlatformError } from '../errors.ts';
import {
  countOf,
  isNothing,
  membersOf,
  messageOf,
  objectOf,
  objectsOf,
  textOf,
  timeOf,
  versionOf,
  type Members,
} from '../json.ts';

/**
 * The observed state of one workload in one location (spec 2.12), with defaults for absent members. Times in
 * milliseconds since the epoch.
 */
export type Deployment = ReturnType<typeof readDeployment>;

export type DeploymentVersion = Deployment['versions'][number];

/** One run of a cron workload in one location (spec 2.12). */
export type JobExecution = ReturnType<typeof toJobExecution>;

export type JobCondition = JobExecution['conditions'][number];

/** One container of a version, or of one run of a cron workload. */
export type Container = ReturnType<typeof toContainer>;

interface Unread {
  /** `workload/location` of unreadable items: present, state unknown. */
  unreadable: string[];
  /** Items with an unknown workload or location; with any, the list does not prove that a record is gone. */
  unidentified: number;
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

/**
 * Of a workload or a location. They are joined by slashes in stored data and in message keys, where a leading
 * `@` marks our own parts, and keys are listed with spaces in between: a name with any of these would be
 * ambiguous.
 */
const NAME = /^[^/@\s][^/\s]*$/;
/** Both are in the value of a button, which takes 2,000 characters. */
const LONGEST = 500;

/** Checked apart from the status: an item with a broken status must not look gone. */
export function isName(value: unknown): value is string {
  return typeof value === 'string' && value.length <= LONGEST && NAME.test(value);
}

/**
 * Reads the members that the bot uses; all others are dropped, among them `status.internal` (spec 2.12: its
 * shape is outside the contract and must not be read). Members that decide a state are read strictly: an item
 * with `ready: "yes"` is a bad item, not a deployment that is not ready. Labels and counts of a wrong type
 * count as absent.
 * @throws PlatformError `malformed`
 */
export function readDeployment(workload: string, said: unknown) {
  const item = given(said) ?? {};
  const location = item['name'];
  if (!isName(location)) throw unreadable();
  const stated = given(item['status']);
  const status = stated ?? {};
  const jobs = status['jobExecutions'];
  return {
    workload,
    location,
    lastModified: timeOf(item['lastModified']),
    hasStatus: stated !== undefined,
    endpoint: textOf(status['endpoint']) || undefined,
    /** The control endpoint of the location, for operations on replicas. */
    remote: textOf(status['remote']) || undefined,
    ready: isOn(status['ready']),
    deploying: isOn(status['deploying']),
    message: messageOf(status['message']),
    /** 0 = unset, as below. */
    lastProcessedVersion: statedVersionOf(status['lastProcessedVersion']),
    expectedDeploymentVersion: statedVersionOf(status['expectedDeploymentVersion']),
    desiredScale: countOf(status['desiredScale']),
    versions: listOf(status['versions']).map(toVersion),
    /** Present for cron workloads only. */
    jobExecutions: isNothing(jobs) ? undefined : listOf(jobs).map(toJobExecution),
  };
}

function toVersion(version: Members) {
  return {
    workload: statedVersionOf(version['workload']),
    gvc: versionOf(version['gvc']),
    created: timeOf(version['created']),
    ready: isOn(version['ready']),
    message: messageOf(version['message']),
    zone: textOf(version['zone']) || undefined,
    desiredScale: countOf(version['desiredScale']),
    containers: Object.entries(given(version['containers']) ?? {}).flatMap(([name, said]) => {
      const container = given(said);
      return container ? [toContainer(name, container)] : [];
    }),
  };
}

function toContainer(name: string, container: Members) {
  const resources = membersOf(container['resources']);
  return {
    name,
    image: textOf(container['image']),
    ready: container['ready'] === true,
    message: messageOf(container['message']),
    replicas: countOf(resources['replicas']),
    replicasReady: countOf(resources['replicasReady']),
    /** Millicores. */
    cpu: countOf(resources['cpu']),
    /** MiB. */
    memory: countOf(resources['memory']),
    restarts: toRestarts(container['restarts']),
  };
}

function toRestarts(value: unknown) {
  if (typeof value !== 'object' || value === null) return undefined;
  const { count, exitCode, reason, lastRestartTime } = membersOf(value);
  return {
    count: countOf(count),
    exitCode: typeof exitCode === 'number' ? exitCode : undefined,
    reason: messageOf(reason),
    lastRestartTime: timeOf(lastRestartTime),
  };
}

function toJobExecution(job: Members) {
  return {
    name: textOf(job['name']),
    /** Needed to find its logs; absent when nothing ever ran. */
    replica: textOf(job['replica']) || undefined,
    /**
     * Lower case: one of spec 2.12's six, or a newer word of the platform. An empty string is read as pending.
     */
    status: textOf(job['status']).toLowerCase() || 'pending',
    workloadVersion: versionOf(job['workloadVersion']),
    startTime: timeOf(job['startTime']),
    /** Failures have one, too: it does not mean success. */
    completionTime: timeOf(job['completionTime']),
    conditions: objectsOf(job['conditions']).map((condition) => ({
      type: textOf(condition['type']),
      status: textOf(condition['status']),
      reason: messageOf(condition['reason']),
      message: messageOf(condition['message']),
      lastDetectionTime: timeOf(condition['lastDetectionTime']),
      lastTransitionTime: timeOf(condition['lastTransitionTime']),
    })),
    // Unlike those of a version, these decide no state, so they are not read strictly.
    containers: Object.entries(membersOf(job['containers'])).flatMap(([name, container]) =>
      container === null ? [] : [toContainer(name, membersOf(container))],
    ),
    /** Separated by semicolons. */
    message: messageOf(job['message']),
  };
}

function unreadable(): PlatformError {
  return new PlatformError('malformed', 'the answer is not a deployment');
}

/** The strict readers: null means absent, any other wrong type makes the item unreadable. */

function given(value: unknown): Members | undefined {
  const members = objectOf(value);
  if (members === undefined && !isNothing(value)) throw unreadable();
  return members;
}

function isOn(value: unknown): boolean {
  if (!isNothing(value) && typeof value !== 'boolean') throw unreadable();
  return value ?? false;
}

function listOf(value: unknown): Members[] {
  if (!isNothing(value) && !Array.isArray(value)) throw unreadable();
  return (value ?? []).map(given).filter((item) => item !== undefined);
}

const VERSION_TEXT = /^\s*(?:\d{1,15}(?:\.0+)?\s*)?$/;

/** Whether it is a resource version: `11`, `11.0` or `"11"`; empty and 0 mean "not set yet". */
export function isVersion(value: unknown): boolean {
  return typeof value === 'string'
    ? VERSION_TEXT.test(value)
    : Number.isSafeInteger(value) && Number(value) >= 0;
}

function statedVersionOf(value: unknown): number {
  if (!isNothing(value) && !isVersion(value)) throw unreadable();
  return versionOf(value);
}
