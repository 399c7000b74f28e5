import type { JobExecution } from '../../platform/deployments/deployment.ts';
import { isFatal } from './causes.ts';
import type { Facts } from './facts.ts';
import { begunAt, FLAPS_FROM, lasted, lastHour, type PollTime } from './spans.ts';
import { copyOf } from './workload.ts';

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

const ENDED: ReadonlySet<string> = new Set(['failed', 'invalid', 'removed', 'successful']);
const REMOVED_FROM = 3;

interface JobsInput {
  workload: string;
  /** The reports of this poll that were read, by location. */
  listed: ReadonlyMap<string, Facts>;
  /** Locations in which the workload is. */
  locations: ReadonlySet<string>;
  time: PollTime;
  /** Executions that are listed are known. */
  adopting: boolean;
}

/** The memory of the runs, which is written to. */
interface Draft {
  readonly time: PollTime;
  readonly seen: Record<string, readonly string[]>;
  readonly removed: Record<string, number>;
  held: Record<string, number>;
  begins: Jobs['begins'];
  episode: Jobs['episode'];
  /** A run failed in this poll. */
  what?: 'failed' | 'edited';
}

export function stepJobs(
  before: Jobs | undefined,
  { workload, listed, locations, time, adopting }: JobsInput,
): { jobs: Jobs | undefined; notices: JobNotice[] } {
  const listing = [...listed].filter(([, facts]) => facts.listsExecutions);
  if (before === undefined && listing.every(([, facts]) => facts.executions.length === 0)) {
    return { jobs: undefined, notices: [] };
  }
  const draft: Draft = {
    time,
    seen: copyOf(before?.seen ?? {}),
    removed: copyOf(before?.removed ?? {}),
    held: before?.held ?? {},
    begins: before?.begins,
    episode: before?.episode,
  };
  for (const [location, { executions }] of listing) {
    const news = newsAt(draft, location, executions);
    if (!adopting) for (const execution of news) take(draft, location, execution);
  }
  leave(draft, locations);
  const { seen, begins, episode, what } = draft;
  const notices: JobNotice[] = [];
  if (episode !== undefined && what !== undefined) {
    notices.push({ kind: 'job', workload, what, episode });
  }
  const { goodSince, flaps } = episode ?? {};
  const isOver = flaps === true ? lasted(time, goodSince, 'flapCalm') : goodSince !== undefined;
  if (episode !== undefined && isOver) {
    notices.push({ kind: 'job', workload, what: 'recovered', episode });
  }
  const [removed, held] = [filled(draft.removed), filled(draft.held)];
  const jobs = { seen, removed, held, begins, episode: isOver ? undefined : episode };
  return { jobs, notices };
}

function filled<T extends object>(record: T): T | undefined {
  return Object.keys(record).length > 0 ? record : undefined;
}

/** The executions that ended since the poll before, the oldest first; and pending ones that are held for long. */
function newsAt(
  draft: Draft,
  location: string,
  executions: readonly JobExecution[],
): JobExecution[] {
  const known = new Set(draft.seen[location]);
  const named = executions.filter(({ name }) => name !== '');
  const idOf = ({ name, status }: JobExecution): string => `${plainName(name)} ${status}`;
  const heldId = ({ name }: JobExecution): string => `${plainName(name)} held`;
  const ended = named.filter(({ status }) => ENDED.has(status));
  const held = heldAt(draft, location, named);
  draft.seen[location] = [...ended.map(idOf), ...held.map(heldId)].toSorted();
  // One that counted as a failure while it was pending is no other failure at its end.
  const news = ended.filter(
    (one) => !known.has(idOf(one)) && (one.status === 'successful' || !known.has(heldId(one))),
  );
  const endOf = ({ completionTime, startTime }: JobExecution): number =>
    completionTime ?? startTime ?? Infinity;
  const heldNews = held.filter((one) => !known.has(heldId(one)));
  return [...news.toSorted((a, b) => endOf(a) - endOf(b)), ...heldNews];
}

/** Pending executions whose cause has stood for three minutes. */
function heldAt(
  draft: Draft,
  location: string,
  executions: readonly JobExecution[],
): JobExecution[] {
  const { held: before, time } = draft;
  const others = Object.entries(before).filter(([id]) => !id.startsWith(`${location} `));
  draft.held = Object.fromEntries(others);
  return executions.filter(({ name, status, message }) => {
    if (status !== 'pending' || !isFatal(message)) return false;
    const id = `${location} ${plainName(name)}`;
    const since = begunAt(time, before[id]);
    draft.held[id] = since;
    return lasted(time, since, 'fatal');
  });
}

function take(draft: Draft, location: string, execution: JobExecution): void {
  const { status, name } = execution;
  const { removed } = draft;
  if (status === 'removed') {
    removed[location] = (removed[location] ?? 0) + 1;
    if (removed[location] < REMOVED_FROM) return;
  } else delete removed[location];
  const key = { location, execution: plainName(name), status };
  if (status === 'successful') succeed(draft, key);
  else fail(draft, key, execution);
}

function fail(
  draft: Draft,
  key: JobKey,
  { message, startTime, completionTime }: JobExecution,
): void {
  const { episode, time } = draft;
  const recent = lastHour(time, draft.begins);
  const begins = episode === undefined ? [...recent, time.now] : recent;
  draft.what ??= episode === undefined ? 'failed' : 'edited';
  draft.begins = begins;
  draft.episode = {
    flaps: episode?.flaps ?? (begins.length >= FLAPS_FROM ? true : undefined),
    first: episode?.first ?? key,
    since: episode?.since ?? startTime ?? time.now,
    count: (episode?.count ?? 0) + 1,
    open: sorted([...(episode?.open ?? []), key.location]),
    locations: sorted([...(episode?.locations ?? []), key.location]),
    message,
    last: key.execution,
    startTime,
    completionTime,
  };
}

function succeed(draft: Draft, good: JobKey): void {
  const { episode, time } = draft;
  if (episode === undefined || !episode.open.includes(good.location)) return;
  const open = episode.open.filter((location) => location !== good.location);
  const goodSince = open.length === 0 ? time.now : undefined;
  draft.episode = { ...episode, open, good, goodSince };
}

/** A location that left waits for no success; without any success the row ends unseen. */
function leave(draft: Draft, locations: ReadonlySet<string>): void {
  const { episode, time } = draft;
  if (episode === undefined || episode.open.every((one) => locations.has(one))) return;
  const open = episode.open.filter((one) => locations.has(one));
  const goodSince = open.length === 0 ? (episode.goodSince ?? time.now) : undefined;
  const isUnseen = open.length === 0 && episode.good === undefined;
  draft.episode = isUnseen ? undefined : { ...episode, open, goodSince };
}

function sorted(names: readonly string[]): string[] {
  return [...new Set(names)].toSorted();
}

/** Names become parts of keys, which slashes divide and spaces join. */
function plainName(name: string): string {
  return /^[\w.-]+$/.test(name) ? name : encodeURIComponent(Buffer.from(name).toString());
}
