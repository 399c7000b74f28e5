import type { Deployment } from '../../platform/deployments/deployment.ts';
import { takeCalls } from './called.ts';
import { readFacts, specOf, type Facts } from './facts.ts';
import type { GroupNotice, OrgState, WorkloadNotice } from './group.ts';
import type { Impact, Locations } from './impact.ts';
import { stepJobs, type JobNotice, type Jobs } from './jobs.ts';
import { isKnown, isYoung, lackingLocation, nextLocation, type Location } from './location.ts';
import { regroup } from './regroup.ts';
import { lasted, pollTime, type PollTime } from './spans.ts';
import { stepWorkload, type WorkloadStep } from './step-workload.ts';
import type { CardChange, Workload } from './workload.ts';

/** One complete list of a GVC. */
export interface RecordList {
  seen: readonly ListedRecord[];
  /** `workload/location` of records that are there and could not be read. */
  unreadable: readonly string[];
  /** Items without a workload or location; with any, the list lacks nothing. */
  unidentified: number;
  /** The list is the second empty one or a later one, and a known workload is not found either. */
  gone?: boolean;
}

/** One record of a list, which is read only where it may matter. */
export interface ListedRecord {
  key: string;
  workload: string;
  location: string;
  /** Equal for equal reports of a record; '' is unknown. */
  print: string;
  read(): Deployment;
}

/** Remembered of the lists of a GVC. */
export interface ListMemory {
  /** Milliseconds since the epoch. */
  adoptedAt: number;
  emptySince?: number | undefined;
  /** Records that the first list could not read, and none since. */
  unread?: readonly string[] | undefined;
}

export interface GvcState {
  /** Absent before the first poll. */
  meta?: ListMemory | undefined;
  workloads: Readonly<Record<string, Workload>>;
  jobs: Readonly<Record<string, Jobs>>;
}

export const EMPTY_GVC: GvcState = { workloads: {}, jobs: {} };

/** The card of a rollout. */
export interface CardNotice {
  kind: 'card';
  workload: string;
  card: CardChange;
  state: Workload;
  impact: Impact;
}

/** The workloads that the first poll found ill. */
export interface AdoptedNotice {
  kind: 'adopted';
  ill: readonly { workload: string; state: Workload; impact: Impact }[];
}

export type Notice = CardNotice | WorkloadNotice | GroupNotice | JobNotice | AdoptedNotice;

export interface Advance {
  /** The very object that was there where nothing has changed. */
  state: GvcState;
  org: OrgState;
  notices: Notice[];
  /** Something is on its way, so the next poll should be soon. */
  active: boolean;
}

export interface AdvanceOptions {
  gvc: string;
  now: number;
  /** The last complete poll; 0 = none. Milliseconds since the epoch. */
  previousAt: number;
  /** `WATCH_PATIENCE` */
  patience: number;
  idleMs: number;
  /** The last report of each record, by key; written to. Only a saving. */
  cache: Cache;
}

export type Cache = Map<string, { print: string; facts: Facts }>;

/**
 * The next state of a GVC and its org after one complete list, and what is to be posted. Pure, but for the
 * cache. The same list again yields nothing, but for what time alone brings.
 */
export function advance(
  before: GvcState,
  org: OrgState,
  list: RecordList,
  options: AdvanceOptions,
): Advance {
  const time = pollTime(options.now, options.previousAt, options);
  const adopting = before.meta === undefined;
  const meta = nextMeta(before, list, options.now);
  if (meta.emptySince !== undefined && list.gone !== true) {
    const state = meta === before.meta ? before : { ...before, meta };
    return { state, org, notices: [], active: true };
  }
  const workloads = copyOf(before.workloads);
  const groups = takeCalls(org, options.gvc, workloads, time);
  const poll: Poll = { list, time, adopting, meta: before.meta, cache: options.cache };
  const found = readList(poll, workloads);
  const steps = stepAll(workloads, found, poll);
  const jobs = jobsOf(before.jobs, workloads, found.facts, poll);
  if (adopting) {
    const notice = adoptedOf(steps);
    const state = { meta, workloads, jobs: jobs.jobs };
    return {
      state,
      org: groups,
      notices: notice === undefined ? [] : [notice],
      active: isActive(workloads, time),
    };
  }
  forget(workloads, time);
  const regrouped = regroup(groups, { gvc: options.gvc, time, workloads, stepped: steps });
  return {
    state: sameIfEqual(before, { meta, workloads, jobs: jobs.jobs }),
    org: regrouped.org,
    notices: [...cardsOf(steps), ...regrouped.notices, ...jobs.notices],
    active: isActive(workloads, time),
  };
}

interface Poll {
  list: RecordList;
  time: PollTime;
  adopting: boolean;
  meta: ListMemory | undefined;
  cache: Cache;
}

function nextMeta({ meta, workloads }: GvcState, list: RecordList, now: number): ListMemory {
  const isEmpty = list.seen.length + list.unreadable.length === 0;
  const wasThere = Object.values(workloads).some(({ locations }) =>
    Object.values(locations).some(({ state }) => state !== 'gone'),
  );
  const emptySince = isEmpty && wasThere ? (meta?.emptySince ?? now) : undefined;
  if (meta === undefined) {
    const unread = list.unreadable.length > 0 ? list.unreadable : undefined;
    return { adoptedAt: now, unread };
  }
  const still = meta.unread?.filter((key) => list.unreadable.includes(key));
  const unread = still === undefined || still.length === 0 ? undefined : still;
  if (meta.emptySince === emptySince && meta.unread?.length === unread?.length) return meta;
  return { adoptedAt: meta.adoptedAt, emptySince, unread };
}

/** The locations of the workloads of which something may have changed. */
interface Found {
  /** By workload. */
  changed: Map<string, Record<string, Location>>;
  /** Workloads whose records are all adopted by this poll. */
  adopted: Set<string>;
  /** The reports of this poll, by workload and location. */
  facts: Map<string, Map<string, Facts>>;
}

function readList(
  { list, time, adopting, meta, cache }: Poll,
  workloads: GvcState['workloads'],
): Found {
  const found: Found = { changed: new Map(), adopted: new Set(), facts: new Map() };
  const unread = new Set(meta?.unread);
  const byWorkload = groupBy(list.seen, ({ workload }) => workload);
  for (const [workload, records] of byWorkload) {
    const known = own(workloads, workload);
    const isIdle = known !== undefined && !isBusy(known, time);
    const news = records.filter(
      (one) => one.print === '' || cache.get(one.key)?.print !== one.print,
    );
    const keys = new Set(records.map(({ key }) => key));
    const isComplete = known !== undefined && keys.size >= Object.keys(known.locations).length;
    if (isIdle && news.length === 0 && isComplete) continue;
    const locations = copyOf(known?.locations ?? {});
    const facts = new Map<string, Facts>();
    for (const record of records) {
      const before = own(locations, record.location);
      const isSame = record.print !== '' && cache.get(record.key)?.print === record.print;
      const report = factsOf(record, cache);
      facts.set(record.location, report);
      // The same report changes a location only while a span of it runs.
      if (isSame && before !== undefined && !isRunning(before, time)) continue;
      const isFound = adopting || unread.has(record.key);
      locations[record.location] = nextLocation(report, before, time, isFound);
    }
    found.facts.set(workload, facts);
    found.changed.set(workload, locations);
    if (known === undefined && records.every(({ key }) => unread.has(key)))
      found.adopted.add(workload);
  }
  missing(found, workloads, list, time, cache);
  return found;
}

function factsOf(record: ListedRecord, cache: Cache): Facts {
  const last = cache.get(record.key);
  if (last !== undefined && record.print !== '' && last.print === record.print) return last.facts;
  const facts = readFacts(record.read());
  cache.set(record.key, { print: record.print, facts });
  return facts;
}

/** Locations that the list lacks. One without a name in the list, or an unreadable one, is not lacking. */
function missing(
  found: Found,
  workloads: GvcState['workloads'],
  list: RecordList,
  time: PollTime,
  cache: Cache,
): void {
  const listed = new Set([...list.seen.map(({ key }) => key), ...list.unreadable]);
  for (const [workload, known] of Object.entries(workloads)) {
    for (const [name, location] of Object.entries(known.locations)) {
      const key = `${workload}/${name}`;
      const isListed = listed.has(key) || (list.unidentified > 0 && location.state !== 'gone');
      const locations = found.changed.get(workload) ?? copyOf(known.locations);
      if (isListed) {
        if (isBusy(known, time)) found.changed.set(workload, locations);
        continue;
      }
      cache.delete(key);
      const next = lackingLocation(location, time, list.gone === true);
      if (isForgotten(next, time)) delete locations[name];
      else locations[name] = next;
      if (next !== location || isBusy(known, time) || isForgotten(next, time))
        found.changed.set(workload, locations);
    }
    if (Object.keys(known.locations).length === 0 && isBusy(known, time)) {
      found.changed.set(workload, copyOf(known.locations));
    }
  }
}

const FORGET_MS = 24 * 3_600_000;

function isForgotten({ state, since, report }: Location, { now }: PollTime): boolean {
  return state === 'gone' && report === undefined && now - since >= FORGET_MS;
}

function stepAll(
  workloads: Record<string, Workload>,
  { changed, adopted, facts }: Found,
  { time, adopting }: Poll,
): Map<string, WorkloadStep> {
  const steps = new Map<string, WorkloadStep>();
  for (const [name, locations] of changed) {
    const step = stepWorkload(own(workloads, name), {
      locations,
      containers: containersOf(facts.get(name), locations),
      time,
      adopting: adopting || adopted.has(name),
    });
    workloads[name] = step.workload;
    steps.set(name, step);
  }
  return steps;
}

/** The containers of the newest version, of the first location that lists them. */
function containersOf(
  facts: Map<string, Facts> | undefined,
  locations: Locations,
): ReturnType<typeof specOf> {
  const version = Math.max(
    0,
    ...Object.values(locations)
      .filter(isKnown)
      .map((one) => one.version),
  );
  for (const report of facts?.values() ?? []) {
    if (report.expected === version && report.entry !== undefined) return specOf(report);
  }
  return [];
}

const NUMBERS_MS = 45 * 24 * 3_600_000;

/** A workload without locations keeps its numbers as long as its messages can be edited. */
function forget(workloads: Record<string, Workload>, { now }: PollTime): void {
  for (const [name, workload] of Object.entries(workloads)) {
    if (Object.keys(workload.locations).length > 0) continue;
    const since = workload.emptySince ?? now;
    if (now - since >= NUMBERS_MS) delete workloads[name];
    else if (workload.emptySince === undefined) workloads[name] = { ...workload, emptySince: now };
  }
}

function jobsOf(
  before: GvcState['jobs'],
  workloads: GvcState['workloads'],
  facts: Found['facts'],
  { time, adopting }: Poll,
): { jobs: GvcState['jobs']; notices: JobNotice[] } {
  const next = copyOf(before);
  const notices: JobNotice[] = [];
  const due = new Set([...facts.keys(), ...Object.keys(before)]);
  for (const workload of due) {
    const known = own(before, workload);
    const step = stepJobs(known, {
      workload,
      listed: facts.get(workload) ?? new Map<string, Facts>(),
      locations: presentIn(own(workloads, workload)),
      time,
      adopting,
    });
    notices.push(...step.notices);
    if (step.jobs === undefined) delete next[workload];
    else next[workload] = step.jobs;
  }
  return { jobs: next, notices };
}

function presentIn(workload: Workload | undefined): Set<string> {
  const all = Object.entries(workload?.locations ?? {});
  return new Set(all.filter(([, { state }]) => state !== 'gone').map(([name]) => name));
}

function cardsOf(steps: ReadonlyMap<string, WorkloadStep>): CardNotice[] {
  return [...steps].flatMap(([workload, { card, workload: state, impact }]) =>
    card === undefined ? [] : [{ kind: 'card', workload, card, state, impact }],
  );
}

function adoptedOf(steps: ReadonlyMap<string, WorkloadStep>): AdoptedNotice | undefined {
  const ill = [...steps]
    .filter(([, { workload, impact }]) => impact.level > 0 || isRed(workload))
    .map(([workload, { workload: state, impact }]) => ({ workload, state, impact }));
  return ill.length === 0 ? undefined : { kind: 'adopted', ill };
}

function isRed({ locations }: Workload): boolean {
  return Object.values(locations).some(
    ({ state }) => state === 'failed' || state === 'unhealthy' || state === 'stale',
  );
}

/** Whether time alone may change something of it. */
function isBusy(workload: Workload, time: PollTime): boolean {
  const { episode, trail, away, ends, version, locations } = workload;
  if (episode !== undefined || trail !== undefined) return true;
  if (away !== undefined && away.posted !== true && away.silent !== true) return true;
  const all = Object.values(locations);
  if (version > 0 && ends.ready === undefined && all.some(isKnown)) return true;
  return all.some((one) => isRunning(one, time));
}

/** A span of the location runs. */
function isRunning(one: Location, time: PollTime): boolean {
  if (one.report !== undefined) return one.report.backSince !== undefined || one.state === 'gone';
  if (one.stopped === 1 || one.failed === 1 || one.missing === 1 || one.silentSince !== undefined)
    return true;
  if (one.wants !== undefined || one.movedAt !== undefined || one.enteredAt !== undefined)
    return true;
  if (one.apart !== undefined && !lasted(time, one.apart.since, 'diverged')) return true;
  return one.fatalSince !== undefined || one.state === 'gone' || typeof one.runs === 'number';
}

const HOUR_MS = 3_600_000;

/** Whether the next poll should be soon: a rollout of the last hour, or a span that ends soon. */
function isActive(workloads: GvcState['workloads'], time: PollTime): boolean {
  return Object.values(workloads).some(({ locations, startedAt, episode, ends }) => {
    if (episode?.belowSince !== undefined) return true;
    if (ends.ready === undefined && startedAt !== undefined && time.now - startedAt < HOUR_MS)
      return true;
    return Object.values(locations).some(
      (one) =>
        one.stopped === 1 ||
        one.failed === 1 ||
        one.missing === 1 ||
        (isKnown(one) && one.state !== 'ready' && isYoung(one, time)),
    );
  });
}

function sameIfEqual(before: GvcState, next: GvcState): GvcState {
  const workloads = keptObjects(before.workloads, next.workloads);
  const jobs = keptObjects(before.jobs, next.jobs);
  const isSame =
    workloads === before.workloads && jobs === before.jobs && next.meta === before.meta;
  return isSame ? before : { meta: next.meta, workloads, jobs };
}

/** The objects that were there, where they are equal to the new ones. */
function keptObjects<T>(
  before: Readonly<Record<string, T>>,
  next: Readonly<Record<string, T>>,
): Readonly<Record<string, T>> {
  const kept = Object.create(null) as Record<string, T>;
  let isSame = Object.keys(before).length === Object.keys(next).length;
  for (const [name, value] of Object.entries(next)) {
    const old = own(before, name);
    const isEqual =
      old === value || (old !== undefined && JSON.stringify(old) === JSON.stringify(value));
    kept[name] = isEqual ? (old as T) : value;
    isSame &&= isEqual;
  }
  return isSame ? before : kept;
}

/** Names are foreign: `__proto__` is a key like any other. */
function copyOf<T>(record: Readonly<Record<string, T>>): Record<string, T> {
  return Object.assign(Object.create(null) as Record<string, T>, record);
}

function own<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

function groupBy<T>(all: readonly T[], nameOf: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) groups.set(nameOf(one), [...(groups.get(nameOf(one)) ?? []), one]);
  return groups;
}
