import type { JobExecution } from '../../platform/deployments/deployment.ts';
import { isFatal } from './causes.ts';
import type { Facts } from './facts.ts';
import { lasted, span, type PollTime } from './spans.ts';

/** Runs of a cron workload that failed in a row, in any location (design section 4.7). Times in milliseconds. */
export interface JobEpisode {
  /** The first one: its message is edited by the others. */
  first: JobKey;
  since: number;
  count: number;
  /** Locations that failed and have had no success since. */
  open: readonly string[];
  locations: readonly string[];
  message: string;
  /** The last execution that failed. */
  last: string;
  startTime?: number | undefined;
  completionTime?: number | undefined;
  /** It is the third one within an hour. */
  flaps?: true | undefined;
  /** Every location has succeeded since then; the last success. */
  goodSince?: number | undefined;
  good?: JobKey | undefined;
}

export interface JobKey {
  location: string;
  execution: string;
  status: string;
}

/** Remembered of the runs of a workload. */
export interface Jobs {
  /** Ended executions that are listed, by location: `<name> <status>`. */
  seen: Readonly<Record<string, readonly string[]>>;
  /** `removed` executions in a row, by location. */
  removed?: Readonly<Record<string, number>> | undefined;
  /** Executions that are pending for a cause that only people can remove, and since when. */
  held?: Readonly<Record<string, number>> | undefined;
  episode?: JobEpisode | undefined;
  /** Beginnings of episodes within the last hour. */
  begins?: readonly number[] | undefined;
}

export interface JobNotice {
  kind: 'job';
  workload: string;
  what: 'failed' | 'edited' | 'recovered';
  episode: JobEpisode;
}

/** The executions of a workload by location. */
export type Listed = ReadonlyMap<string, Facts>;

const ENDED: ReadonlySet<string> = new Set(['failed', 'invalid', 'removed', 'successful']);
const REMOVED_FROM = 3;
const FLAPS_FROM = 3;

interface JobsInput {
  workload: string;
  /** The reports of this poll that were read, by location. */
  listed: Listed;
  /** Locations in which the workload is. */
  locations: ReadonlySet<string>;
  time: PollTime;
  /** Executions that are listed are known. */
  adopting: boolean;
}

export function stepJobs(
  before: Jobs | undefined,
  { workload, listed, locations, time, adopting }: JobsInput,
): { jobs: Jobs | undefined; notices: JobNotice[] } {
  const listing = [...listed].filter(([, facts]) => facts.listsExecutions);
  if (before === undefined && listing.every(([, facts]) => facts.executions.length === 0)) {
    return { jobs: undefined, notices: [] };
  }
  const state: Draft = { workload, time, jobs: copyOf(before), failed: false, edited: false };
  for (const [location, facts] of listing) {
    const news = newsAt(state, location, facts.executions);
    if (!adopting) for (const execution of news) take(state, location, execution);
  }
  leave(state, locations);
  const notices = noticesOf(state);
  return { jobs: state.jobs, notices };
}

interface Draft {
  workload: string;
  time: PollTime;
  jobs: Jobs;
  failed: boolean;
  edited: boolean;
}

function copyOf(before: Jobs | undefined): Jobs {
  return { ...before, seen: { ...before?.seen } };
}

/** The executions that ended since the poll before, the oldest first; and pending ones that are held for long. */
function newsAt(
  state: Draft,
  location: string,
  executions: readonly JobExecution[],
): JobExecution[] {
  const known = new Set(state.jobs.seen[location]);
  const named = executions.filter(({ name }) => name !== '');
  const idOf = ({ name, status }: JobExecution): string => `${plainName(name)} ${status}`;
  const ended = named.filter(({ status }) => ENDED.has(status));
  const held = heldAt(
    state,
    location,
    named.filter(({ status }) => status === 'pending'),
  );
  const seen = [...ended.map(idOf), ...held.map((one) => `${plainName(one.name)} held`)];
  state.jobs = { ...state.jobs, seen: { ...state.jobs.seen, [location]: seen.toSorted() } };
  const news = ended.filter((one) => !known.has(idOf(one)) && !isHeldBefore(known, one));
  const heldNews = held.filter((one) => !known.has(`${plainName(one.name)} held`));
  const endOf = ({ completionTime, startTime }: JobExecution): number =>
    completionTime ?? startTime ?? Infinity;
  return [...news.toSorted((a, b) => endOf(a) - endOf(b)), ...heldNews];
}

/** It counted as a failure while it was pending. */
function isHeldBefore(known: ReadonlySet<string>, { name, status }: JobExecution): boolean {
  return status !== 'successful' && known.has(`${plainName(name)} held`);
}

/** Pending executions whose cause has stood for three minutes. */
function heldAt(
  { jobs, time }: Draft,
  location: string,
  pending: readonly JobExecution[],
): JobExecution[] {
  const held: Record<string, number> = {};
  for (const [id, since] of Object.entries(jobs.held ?? {})) {
    if (!id.startsWith(`${location} `)) held[id] = since;
  }
  const due = pending.filter((one) => {
    if (!isFatal(one.message)) return false;
    const id = `${location} ${plainName(one.name)}`;
    const since = time.inRow ? (jobs.held?.[id] ?? time.now) : time.now;
    held[id] = since;
    return lasted(time, since, 'fatal');
  });
  jobs.held = Object.keys(held).length > 0 ? held : undefined;
  return due;
}

function take(state: Draft, location: string, execution: JobExecution): void {
  const { status, name } = execution;
  const removed = { ...state.jobs.removed };
  if (status === 'removed') {
    removed[location] = (removed[location] ?? 0) + 1;
    state.jobs = { ...state.jobs, removed };
    if ((removed[location] ?? 0) < REMOVED_FROM) return;
  } else if (removed[location] !== undefined) {
    delete removed[location];
    state.jobs = { ...state.jobs, removed: Object.keys(removed).length > 0 ? removed : undefined };
  }
  const key = { location, execution: plainName(name), status };
  if (status === 'successful') succeed(state, key);
  else fail(state, key, execution);
}

function fail(
  state: Draft,
  key: JobKey,
  { message, startTime, completionTime }: JobExecution,
): void {
  const { episode } = state.jobs;
  const { now } = state.time;
  if (episode === undefined) state.failed = true;
  else state.edited = true;
  const from = now - span(state.time, 'flap');
  const recent = (state.jobs.begins ?? []).filter((at) => at > from);
  const begins = episode === undefined ? [...recent, now] : recent;
  state.jobs = {
    ...state.jobs,
    begins,
    episode: {
      flaps: episode?.flaps ?? (begins.length >= FLAPS_FROM ? true : undefined),
      first: episode?.first ?? key,
      since: episode?.since ?? startTime ?? now,
      count: (episode?.count ?? 0) + 1,
      open: sorted([...(episode?.open ?? []), key.location]),
      locations: sorted([...(episode?.locations ?? []), key.location]),
      message,
      last: key.execution,
      startTime,
      completionTime,
    },
  };
}

function succeed(state: Draft, key: JobKey): void {
  const { episode } = state.jobs;
  if (episode === undefined || !episode.open.includes(key.location)) return;
  const open = episode.open.filter((location) => location !== key.location);
  const goodSince = open.length === 0 ? state.time.now : undefined;
  state.jobs = { ...state.jobs, episode: { ...episode, open, good: key, goodSince } };
}

/** A location that left waits for no success; without any success the row ends unseen. */
function leave(state: Draft, locations: ReadonlySet<string>): void {
  const { episode } = state.jobs;
  if (episode === undefined || episode.open.every((one) => locations.has(one))) return;
  const open = episode.open.filter((one) => locations.has(one));
  const goodSince = open.length === 0 ? (episode.goodSince ?? state.time.now) : undefined;
  const next = { ...episode, open, goodSince };
  const isUnseen = open.length === 0 && episode.good === undefined;
  state.jobs = { ...state.jobs, episode: isUnseen ? undefined : next };
}

function noticesOf(state: Draft): JobNotice[] {
  const { workload, jobs, time } = state;
  const { episode } = jobs;
  if (episode === undefined) return [];
  const notices: JobNotice[] = [];
  if (state.failed) notices.push({ kind: 'job', workload, what: 'failed', episode });
  else if (state.edited) notices.push({ kind: 'job', workload, what: 'edited', episode });
  const { goodSince, flaps } = episode;
  if (goodSince === undefined) return notices;
  if (flaps === true && !lasted(time, goodSince, 'flapCalm')) return notices;
  notices.push({ kind: 'job', workload, what: 'recovered', episode });
  state.jobs = { ...jobs, episode: undefined };
  return notices;
}

function sorted(names: readonly string[]): string[] {
  return [...new Set(names)].toSorted();
}

/** Names become parts of keys, which slashes divide and spaces join. */
function plainName(name: string): string {
  return /^[\w.-]+$/.test(name) ? name : encodeURIComponent(Buffer.from(name).toString());
}
