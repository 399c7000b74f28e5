/**
 * The reading of raw items, written anew from design section 4 and the specification: nothing of the
 * bot's own reading is used here, so that a wrong member is not wrong on both sides.
 */

type Raw = Readonly<Record<string, unknown>>;

/** What one list says of one record. */
export interface View {
  hasStatus: boolean;
  ready: boolean;
  deploying: boolean;
  message: string;
  /** 0 = unset, as P. */
  E: number;
  P: number;
  /** How many elements `versions` has. */
  elements: number;
  entry: Entry | undefined;
  /** Replicas stated as wanted. */
  wanted: number | undefined;
  /** Without those of ad-hoc commands; undefined where `jobExecutions` is absent. */
  executions: { name: string; status: string }[] | undefined;
}

/** All zones of the expected version under its highest GVC version. */
interface Entry {
  gvc: number;
  ready: boolean;
  created: number | undefined;
  messages: string[];
  containerMessages: string[];
  restarts: number;
  lastRestart: number | undefined;
  replicasReady: number;
  /** What its containers state of ready replicas, as far as they do. */
  statedReady: number[];
}

export interface List {
  /** By `workload/location`. */
  views: Map<string, View>;
  unreadable: Set<string>;
  unidentified: number;
}

export function readList(answer: Raw): List {
  const list: List = { views: new Map(), unreadable: new Set(), unidentified: 0 };
  for (const item of answer['items'] as Raw[]) {
    if (Object.keys(item).length === 0) continue;
    const [link] = (item['links'] ?? []) as Raw[];
    const workload = text(link?.['href']).split('/workload/')[1];
    if (typeof item['name'] !== 'string' || workload === undefined) {
      list.unidentified += 1;
      continue;
    }
    const key = `${workload}/${item['name']}`;
    const status = item['status'] as Raw | undefined;
    if (status !== undefined && typeof (status['ready'] ?? false) !== 'boolean') {
      list.unreadable.add(key);
    } else {
      list.views.set(key, readStatus(status));
    }
  }
  return list;
}

function readStatus(status: Raw | undefined): View {
  const of = status ?? {};
  const E = number(of['expectedDeploymentVersion']);
  const elements = (of['versions'] ?? []) as Raw[];
  const ofE = elements.filter((one) => E !== 0 && number(one['workload']) === E);
  const gvc = Math.max(0, ...ofE.map((one) => number(one['gvc'])));
  const zones = ofE.filter((one) => number(one['gvc']) === gvc);
  return {
    hasStatus: status !== undefined,
    ready: of['ready'] === true,
    deploying: of['deploying'] === true,
    message: text(of['message']),
    E,
    P: number(of['lastProcessedVersion']),
    elements: elements.length,
    entry: zones.length === 0 ? undefined : entryOf(gvc, zones),
    wanted: wantedOf(of, zones),
    executions: (of['jobExecutions'] as Raw[] | undefined)
      ?.map((one) => ({ name: text(one['name']), status: text(one['status']).toLowerCase() }))
      .filter(({ name }) => !/^(run-for-)?command-/.test(name)),
  };
}

function entryOf(gvc: number, zones: readonly Raw[]): Entry {
  const containers = zones.flatMap(containersOf);
  const restarts = containers.map((one) => (one['restarts'] ?? {}) as Raw);
  return {
    gvc,
    ready: zones.every((zone) => zone['ready'] === true),
    created: first(zones.map((zone) => time(zone['created']))),
    messages: zones.map((zone) => text(zone['message'])).filter((message) => message !== ''),
    containerMessages: containers
      .map((one) => text(one['message']))
      .filter((message) => message !== ''),
    restarts: sum(restarts.map((one) => number(one['count']))),
    lastRestart: last(restarts.map((one) => time(one['lastRestartTime']))),
    statedReady: containers
      .map((one) => replicas(one, 'replicasReady'))
      .filter((one) => one !== undefined),
    replicasReady: sum(
      zones.map((zone) =>
        Math.max(0, ...containersOf(zone).map((one) => replicas(one, 'replicasReady') ?? 0)),
      ),
    ),
  };
}

/** Stated by the status, else by the version, else by all of its containers. */
function wantedOf(status: Raw, zones: readonly Raw[]): number | undefined {
  if (status['desiredScale'] !== undefined) return Number(status['desiredScale']);
  const scales = zones.map((zone) => zone['desiredScale']);
  if (scales.length > 0 && !scales.includes(undefined)) return sum(scales.map(Number));
  const stated = zones.map((zone) => containersOf(zone).map((one) => replicas(one, 'replicas')));
  if (stated.length === 0 || stated.some((one) => one.length === 0 || one.includes(undefined))) {
    return undefined;
  }
  return sum(stated.map((one) => Math.max(...one.map(Number))));
}

function replicas(container: Raw, member: string): number | undefined {
  const value = ((container['resources'] ?? {}) as Raw)[member];
  return value === undefined ? undefined : Number(value);
}

function containersOf(zone: Raw): Raw[] {
  return Object.values((zone['containers'] ?? {}) as Record<string, Raw>);
}

/** 11, "11" and "11.0" are 11; absent is 0. */
function number(value: unknown): number {
  return Number(value ?? 0);
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function time(value: unknown): number | undefined {
  return typeof value === 'string' ? Date.parse(value) : undefined;
}

function first(times: readonly (number | undefined)[]): number | undefined {
  const given = times.filter((one) => one !== undefined);
  return given.length === 0 ? undefined : Math.min(...given);
}

function last(times: readonly (number | undefined)[]): number | undefined {
  const given = times.filter((one) => one !== undefined);
  return given.length === 0 ? undefined : Math.max(...given);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
