import { DAY_MS, HOUR_MS } from '../../lib/time.ts';
import { specOf, type Facts } from './facts.ts';
import type { GroupNotice, OrgState, WorkloadNotice } from './group.ts';
import type { Impact, Locations } from './impact.ts';
import { stepJobs, type JobNotice, type Jobs } from './jobs.ts';
import { readList, type Cache, type Found, type RecordList } from './list.ts';
import { isKnown, isYoung } from './location.ts';
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
