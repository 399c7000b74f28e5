import { DAY_MS, HOUR_MS } from '../../lib/time.ts';
import type { Deployment } from '../../platform/deployments/deployment.ts';
import { readFacts, specOf, type Facts } from './facts.ts';
import type { GroupNotice, OrgState, WorkloadNotice } from './group.ts';
import type { Impact, Locations } from './impact.ts';
import { stepJobs, type JobNotice, type Jobs } from './jobs.ts';
import { isKnown, isYoung, lackingLocation, nextLocation, type Location } from './location.ts';
import { afterList, type ApiNotice, type ApiState } from './operators.ts';
import { regroup, takeCalls } from './regroup.ts';
import { lasted, pollTime, type PollTime } from './spans.ts';
import { stepWorkload, type WorkloadStep } from './step-workload.ts';
import { copyOf, namesOf, own, type CardChange, type Workload } from './workload.ts';

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
  /** Absent: nothing was ever wrong with the lists. */
  api?: ApiState | undefined;
}

export const EMPTY_GVC: GvcState = { workloads: {}, jobs: {} };

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

export type Notice =
  CardNotice | WorkloadNotice | GroupNotice | JobNotice | AdoptedNotice | ApiNotice;

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
  failures?: number;
  /** The last report of each record, by key; written to. Only a saving. */
  cache: Cache;
}

/**
 * The next state of a GVC and its org after one complete list, and the messages to post. Pure, but for the
 * cache. The same list again yields nothing, but for what time alone brings.
 */
export function advance(
  before: GvcState,
  org: OrgState,
  list: RecordList,
  options: AdvanceOptions,
): Advance {
  const time = pollTime(options.now, options.previousAt, options);
  const step = stepList(before, org, list, { ...options, time });
  const { api, notices } = afterList(before.api, {
    time,
    unread: list.unreadable.length + list.unidentified,
    isEmpty: step.state.meta?.emptySince !== undefined,
    failures: options.failures ?? 0,
  });
  const isSame = JSON.stringify(api) === JSON.stringify(before.api);
  const state = isSame ? step.state : { ...step.state, api };
  return { ...step, state, notices: [...step.notices, ...notices] };
}

function stepList(
  before: GvcState,
  org: OrgState,
  list: RecordList,
  options: Pick<AdvanceOptions, 'gvc' | 'cache'> & { time: PollTime },
): Advance {
  const { time } = options;
  const adopting = before.meta === undefined;
  const meta = nextMeta(before, list, time.now);
  if (meta.emptySince !== undefined && list.gone !== true) {
    const state = meta === before.meta ? before : { ...before, meta };
    return { state, org, notices: [], active: true };
  }
  const workloads = copyOf(before.workloads);
  const { org: groups, notices: taken } = takeCalls(org, options.gvc, workloads, time);
  const poll = { list, time, adopting, unread: before.meta?.unread, cache: options.cache };
  const held = Object.keys(before.jobs).filter((name) => before.jobs[name]?.held !== undefined);
  const found = readList(poll, groups === org ? before.workloads : workloads, held);
  const steps = stepAll(workloads, found, time, adopting);
  const jobs = jobsOf(before.jobs, workloads, found.facts, time, adopting);
  const emptied = forget(workloads, time);
  const active = (): boolean => isActive(workloads, time);
  if (adopting) {
    const state = { ...before, meta, workloads, jobs: jobs.jobs };
    return { state, org: groups, notices: adoptedOf(steps), active: active() };
  }
  const regrouped = regroup(groups, { gvc: options.gvc, time, workloads, stepped: steps });
  const stepped = regrouped.org === org ? steps.keys() : Object.keys(workloads);
  const next: GvcState = {
    ...before,
    meta,
    workloads: keptObjects(before.workloads, workloads, new Set([...emptied, ...stepped])),
    jobs: jobs.jobs,
  };
  const isSame =
    meta === before.meta && next.workloads === before.workloads && next.jobs === before.jobs;
  return {
    state: isSame ? before : next,
    org: regrouped.org,
    notices: [...cardsOf(steps), ...taken, ...regrouped.notices, ...jobs.notices],
    active: active(),
  };
}

function nextMeta({ meta, workloads }: GvcState, list: RecordList, now: number): ListMemory {
  const isEmpty = list.seen.length + list.unreadable.length === 0;
  const wasThere = (): boolean => Object.values(workloads).some((one) => presentIn(one).size > 0);
  const emptySince = isEmpty && wasThere() ? (meta?.emptySince ?? now) : undefined;
  if (meta === undefined) {
    const unread = list.unreadable.length > 0 ? list.unreadable : undefined;
    return { adoptedAt: now, unread };
  }
  const still = meta.unread?.filter((key) => list.unreadable.includes(key));
  const unread = still === undefined || still.length === 0 ? undefined : still;
  if (meta.emptySince === emptySince && meta.unread?.length === unread?.length) return meta;
  return { adoptedAt: meta.adoptedAt, emptySince, unread };
}

function stepAll(
  workloads: Record<string, Workload>,
  { changed, adopted, facts }: Found,
  time: PollTime,
  adopting: boolean,
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

const NUMBERS_MS = 45 * DAY_MS;

/** A workload without locations keeps its numbers as long as its messages can be edited. */
function forget(workloads: Record<string, Workload>, { now }: PollTime): string[] {
  const touched: string[] = [];
  for (const [name, workload] of Object.entries(workloads)) {
    const isEmpty = Object.keys(workload.locations).length === 0;
    const emptySince = isEmpty ? (workload.emptySince ?? now) : undefined;
    if (isEmpty || emptySince !== workload.emptySince) touched.push(name);
    if (emptySince !== undefined && now - emptySince >= NUMBERS_MS) delete workloads[name];
    else if (emptySince !== workload.emptySince) workloads[name] = { ...workload, emptySince };
  }
  return touched;
}

function jobsOf(
  before: GvcState['jobs'],
  workloads: GvcState['workloads'],
  facts: Found['facts'],
  time: PollTime,
  adopting: boolean,
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
  return { jobs: keptObjects(before, next, due), notices };
}

/** Locations in which a workload is. */
export function presentIn(workload: Workload | undefined): Set<string> {
  return new Set(namesOf(workload?.locations ?? {}, ({ state }) => state !== 'gone'));
}

function cardsOf(steps: ReadonlyMap<string, WorkloadStep>): CardNotice[] {
  return [...steps].flatMap(([workload, { card, workload: state, impact }]) =>
    card === undefined ? [] : [{ kind: 'card', workload, card, state, impact }],
  );
}

function adoptedOf(steps: ReadonlyMap<string, WorkloadStep>): AdoptedNotice[] {
  const ill = [...steps]
    .filter(([, { workload, impact }]) => impact.level > 0 || isRed(workload))
    .map(([workload, { workload: state, impact }]) => ({ workload, state, impact }));
  return ill.length === 0 ? [] : [{ kind: 'adopted', ill }];
}

function isRed({ locations }: Workload): boolean {
  return Object.values(locations).some(
    ({ state }) => state === 'failed' || state === 'unhealthy' || state === 'stale',
  );
}

/** Whether the next poll should be soon: a rollout of the last hour, or a span that ends soon. */
function isActive(workloads: GvcState['workloads'], time: PollTime): boolean {
  return Object.values(workloads).some(({ locations, startedAt, episode, ends, trail }) => {
    if (episode?.belowSince !== undefined) return true;
    const [since = 0, level = 0] = trail?.at(-1) ?? [];
    if (level > (episode?.called ?? 0) && !lasted(time, since, 'window')) return true;
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

/** The objects that were there, where they are equal to the new ones. */
function keptObjects<T>(
  before: Readonly<Record<string, T>>,
  next: Record<string, T>,
  touched: Iterable<string>,
): Readonly<Record<string, T>> {
  let isSame = true;
  for (const name of touched) {
    const [old, value] = [own(before, name), own(next, name)];
    if (old === value) continue;
    const isEqual = old !== undefined && JSON.stringify(old) === JSON.stringify(value);
    if (isEqual) next[name] = old;
    else isSame = false;
  }
  return isSame ? before : next;
}

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

/** The print of the last report of each record, by key. */
export type Cache = Map<string, string>;

/** The workloads of which a poll may change something. */
interface Found {
  changed: Map<string, Record<string, Location>>;
  /** Workloads whose records are all adopted by this poll. */
  adopted: Set<string>;
  /** The reports of this poll, by workload and location. */
  facts: Map<string, Map<string, Facts>>;
}

interface Poll {
  list: RecordList;
  time: PollTime;
  adopting: boolean;
  /** Records that the first list could not read, and none since. */
  unread: readonly string[] | undefined;
  cache: Cache;
}

type Workloads = Readonly<Record<string, Workload>>;

/**
 * The locations of the workloads of which something may have changed: with a new report, with a location that
 * the list lacks, or with a span that runs.
 * @param held workloads that are read whether or not their reports are new
 */
function readList(poll: Poll, workloads: Workloads, held: readonly string[]): Found {
  const { list, time, adopting, unread = [], cache } = poll;
  const found: Found = { changed: new Map(), adopted: new Set(), facts: new Map() };
  const { busy, present } = summaryOf(workloads);
  const due = new Set([...busy, ...held]);
  for (const { key, workload, print } of list.seen) {
    if (print === '' || cache.get(key) !== print) due.add(workload);
  }
  const isFirst = new Set(unread);
  for (const [workload, records] of recordsOf(list, due)) {
    const known = own(workloads, workload);
    const locations = copyOf(known?.locations ?? {});
    const facts = new Map<string, Facts>();
    for (const record of records) {
      const before = own(locations, record.location);
      const isSame = record.print !== '' && cache.get(record.key) === record.print;
      // The same report changes a location only while one of its spans runs.
      if (isSame && before !== undefined && !isRunning(before) && !held.includes(workload))
        continue;
      const report = readFacts(record.read());
      cache.set(record.key, record.print);
      facts.set(record.location, report);
      const isFound = adopting || isFirst.has(record.key);
      locations[record.location] = nextLocation(report, before, time, isFound);
    }
    found.facts.set(workload, facts);
    found.changed.set(workload, locations);
    if (known === undefined && records.every(({ key }) => isFirst.has(key))) {
      found.adopted.add(workload);
    }
  }
  if (due.size > 0 || list.seen.length !== present) lacking(found, poll, workloads, due);
  return found;
}

function recordsOf({ seen }: RecordList, names: ReadonlySet<string>): Map<string, ListedRecord[]> {
  const records = new Map<string, ListedRecord[]>();
  if (names.size === 0) return records;
  for (const record of seen) {
    if (!names.has(record.workload)) continue;
    const known = records.get(record.workload);
    if (known === undefined) records.set(record.workload, [record]);
    else known.push(record);
  }
  return records;
}

/** Locations that the list lacks. With an item without a name, or as an unreadable one, none is lacking. */
function lacking(
  found: Found,
  { list, time, cache }: Poll,
  workloads: Workloads,
  due: ReadonlySet<string>,
): void {
  const unread = new Set(list.unreadable);
  const listed = new Set(unread);
  for (const { key } of list.seen) listed.add(key);
  const isUnread = (workload: string, { locations }: Workload): boolean =>
    namesOf(locations, ({ state }) => state !== 'gone').some(
      (name) => list.unidentified > 0 || unread.has(`${workload}/${name}`),
    );
  for (const workload in workloads) {
    const known = workloads[workload];
    if (known === undefined) continue;
    // While nothing of a workload can be read, its spans stand still.
    if (due.has(workload) && !found.changed.has(workload) && !isUnread(workload, known)) {
      found.changed.set(workload, copyOf(known.locations));
    }
    for (const name in known.locations) {
      const key = `${workload}/${name}`;
      const location = known.locations[name];
      if (location === undefined || listed.has(key)) continue;
      if (list.unidentified > 0 && location.state !== 'gone') continue;
      cache.delete(key);
      const next = lackingLocation(location, time, list.gone === true);
      const isForgotten = isOld(next, time);
      if (next === location && !isForgotten) continue;
      const locations = found.changed.get(workload) ?? copyOf(known.locations);
      found.changed.set(workload, locations);
      if (isForgotten) delete locations[name];
      else locations[name] = next;
    }
  }
}

function isOld({ state, since, report }: Location, { now }: PollTime): boolean {
  return state === 'gone' && report === undefined && now - since >= DAY_MS;
}

interface Summary {
  /** Workloads of which time alone may change something. */
  busy: readonly string[];
  /** Locations that are there. */
  present: number;
}

/** Most polls change nothing and give the very objects that were there, so this is counted once. */
const summaries = new WeakMap<Workloads, Summary>();

function summaryOf(workloads: Workloads): Summary {
  const known = summaries.get(workloads);
  if (known !== undefined) return known;
  const busy: string[] = [];
  let present = 0;
  for (const [name, workload] of Object.entries(workloads)) {
    if (isBusy(workload)) busy.push(name);
    for (const one of Object.values(workload.locations)) present += one.state === 'gone' ? 0 : 1;
  }
  const summary = { busy, present };
  summaries.set(workloads, summary);
  return summary;
}

function isBusy({ episode, trail, away, ends, version, locations }: Workload): boolean {
  if (episode !== undefined || trail !== undefined) return true;
  if (away !== undefined && away.posted !== true && away.silent !== true) return true;
  const all = Object.values(locations);
  if (version > 0 && ends.ready === undefined && all.some(isKnown)) return true;
  return all.some(isRunning);
}

/** A span of the location runs. */
function isRunning(one: Location): boolean {
  if (one.report !== undefined) return one.report.backSince !== undefined || one.state === 'gone';
  if (one.stopped === 1 || one.failed === 1 || one.missing === 1) return true;
  if (one.silentSince !== undefined || one.state === 'gone') return true;
  if (one.wants !== undefined || one.movedAt !== undefined || one.enteredAt !== undefined)
    return true;
  if (one.apart !== undefined && one.apart.isOld !== true) return true;
  return one.fatalSince !== undefined || typeof one.runs === 'number';
}
