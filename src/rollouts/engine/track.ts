import { standingOf } from './classify.ts';
import type { Crash, RecordMemory, RecordState } from './classify.ts';
import type { LastRestart } from './explain.ts';
import type { Replicas } from './facts.ts';
import type { Flapping } from './flapping.ts';
import { waits } from './gvc-step.ts';
import { adoptInto, tell } from './outcomes.ts';

export { nextNumber } from './saying.ts';

/** What a channel is told about a rollout (design section 4). */
export type OutcomeKind =
  | 'ready'
  | 'failed'
  | 'stale'
  | 'unhealthy'
  | 'blocked'
  | 'recovered'
  | 'flapping'
  | 'suspended'
  | 'resumed'
  | 'diverged'
  | 'lagging'
  | 'crashloop'
  | 'gone';

/** How a card stands that moves no more. */
export type Ending = 'ready' | 'idle' | 'suspended' | 'gone' | 'superseded';

/** What was said of one kind; `n` 0 = known without having been said. */
interface Said {
  n: number;
  locations: string[];
  /** The message about flapping stands for it. */
  covered?: true;
}

/** Versions whose numbers are not kept singly: one of them that comes again goes on after the highest. */
interface Forgotten {
  upTo: number;
  /** The highest number of each word. */
  told: Record<string, number>;
}

/**
 * What is remembered of one workload's rollout. An episode runs from the loss of the ready condition
 * to its return; each outcome is told once in it. Times in milliseconds since the epoch.
 */
export interface Track {
  /** The newest expected version over the locations. */
  version: number;
  /** Null for a rollout that was found and not seen to begin. */
  startedAt: number | null;
  /** When the ready condition was first seen to come; null before. */
  readyAt: number | null;
  /** Null while something is on its way or in trouble. */
  ending: Ending | null;
  /** Readiness was told, or adopted as known. */
  announced: boolean;
  /** The ready condition held at the last poll. */
  ready: boolean;
  said: Partial<Record<OutcomeKind, Said>>;
  /** How often each `<E>/<word>` was told, for the numbers of later keys. */
  told: Record<string, number>;
  /** What has been left out of `told`; absent while nothing has. */
  forgotten?: Forgotten;
  /** When the ready condition was lost last, in milliseconds since the epoch; absent: not seen. */
  lostAt?: number;
  /** Fingerprint of the card as it was last told. */
  print: string;
  /** The version was ready when it was first seen: the number of the `ready` that serves as the card where it was told. */
  readyIsCard?: number;
  /** Since when locations that are waited for are not ready at this version. */
  late: Record<string, number>;
  /** Locations that were suspended and have not been ready since. */
  asleep: string[];
  /** The states in which the locations that are gone were last seen. */
  left: Record<string, RecordState>;
  /** When trouble began or ended at this version: the last times, which may come to flapping. */
  changes: number[];
  flapping: Flapping | null;
  /** The first moment at which time alone may have something to tell; null = never. */
  wakeAt: number | null;
}

/** One line of a card. `waiting` is a location that the version has not reached. */
export interface Row {
  location: string;
  state: RecordState | 'waiting';
  since: number;
  cause: string;
  replicas: Replicas;
  outgoing: Replicas | null;
  /** Of a location whose containers restarted lately in this rollout. */
  crash?: CrashRow;
}

/** What a crash loop comes to: so many restarts in so many milliseconds. */
export interface CrashRow extends LastRestart {
  restarts: number;
  lastsMs: number;
}

export type Records = Readonly<Record<string, RecordMemory>>;

/** One outcome of the track's version. */
export interface Outcome {
  kind: OutcomeKind;
  n: number;
  locations: string[];
  /** Outcomes of the same version that `flapping` stands for: the last hundred. */
  covers?: { kind: OutcomeKind; n: number }[];
  /** Flapping has ended, and so it settled. */
  settled?: RecordState;
  /** Of an outcome of the thread: it is shown in the channel, too. */
  loud?: true;
  /** Of a return: when the ready condition was lost, in milliseconds since the epoch. */
  since?: number;
}

/** What the poll changed for one workload. */
export interface TrackStep {
  track: Track;
  rows: Row[];
  /** The track that this one ended, when its card was still open. */
  closed: Track | undefined;
  /** The rollout is new here, so it gets a card. */
  opened: boolean;
  outcomes: Outcome[];
}

interface StepOptions {
  /** Its records before, by location. */
  previous: Records;
  /** Milliseconds since the epoch. */
  now: number;
  adopting: boolean;
  /** Locations that are adopted in this poll, because the first one could not read them. */
  found?: ReadonlySet<string> | undefined;
  /** False: this step does not begin to flap. */
  mayFlap?: boolean;
}

/** So many versions have their numbers kept singly. */
const TOLD_VERSIONS = 20;

/** The rows of a card at `version`, sorted by location. */
function rowsOf(records: Records, version: number): Row[] {
  return Object.entries(records)
    .filter(([, record]) => !record.cron && !leftBefore(record, version))
    .map(([location, record]) => ({
      location,
      state: waits(record, version) ? ('waiting' as const) : standingOf(record),
      since: record.since,
      cause: record.cause,
      ...(record.crash === undefined ? {} : { crash: crashSince(record, record.crash) }),
      replicas: record.replicas,
      outgoing: record.outgoing,
    }))
    .sort((a, b) => (a.location < b.location ? -1 : 1));
}

function crashSince({ climbs }: RecordMemory, { risen, ...last }: Crash): CrashRow {
  const restarts = risen.reduce((sum, by) => sum + by, 0);
  return { ...last, restarts, lastsMs: (climbs.at(-1) ?? 0) - (climbs.at(-risen.length) ?? 0) };
}

/** It left without having come to this version. */
function leftBefore(record: RecordMemory, version: number): boolean {
  return record.state === 'gone' && record.version < version;
}

/** The newest expected version over the locations that are still listed; 0 when none states one. */
function newestVersion(records: Records): number {
  const listed = Object.values(records).filter((record) => !record.cron && record.state !== 'gone');
  return Math.max(0, ...listed.map((record) => record.version));
}

/**
 * One step of a workload's rollout. Pure. A step with the same records (the very objects) before
 * `wakeAt` tells nothing and gives the same track, so it may as well be left out.
 * @param before undefined for a workload that had none
 * @param records its records after this poll, by location
 * @returns undefined while there is no rollout: no version was ever stated, or all are cron records
 */
export function stepTrack(
  before: Track | undefined,
  records: Records,
  options: StepOptions,
): TrackStep | undefined {
  const version = newestVersion(records) || (before?.version ?? 0);
  const rows = rowsOf(records, version);
  if (version === 0 || rows.length === 0) return undefined;

  const isNew = before?.version !== version;
  if (before !== undefined && !isNew && sleeps(before, records, options)) {
    return { track: before, rows, closed: undefined, opened: false, outcomes: [] };
  }
  const { previous, now, adopting, found, mayFlap = true } = options;
  const sight = { rows, records, previous, found, now };
  const arrived = arrivals(previous, records, version).filter((one) => !found?.has(one));
  // Nobody saw it come: the location that was ahead has left, or one is adopted late.
  const fellBack = isNew && (before !== undefined || found !== undefined) && arrived.length === 0;
  const isLower = version < (before?.version ?? 0);
  const ending = fellBack && isLower ? ('gone' as const) : ('superseded' as const);
  const closed = isNew && before?.ending === null ? { ...before, ending } : undefined;
  if (adopting || fellBack) {
    const track = begin(before, version, null);
    adoptInto(track, sight);
    return { track, rows, closed, opened: false, outcomes: [] };
  }
  const track = before === undefined || isNew ? begin(before, version, now) : copyOf(before);
  // A rollout that was found under way has no card until one more location goes along.
  const joins = arrived.some((location) => previous[location] !== undefined);
  const opened = isNew || (joins && !hasCard(track));
  const thread = opened || hasCard(track);
  const outcomes = tell(track, sight, { hasThread: thread, mayFlap });
  const ready = isNew ? outcomes.find(({ kind }) => kind === 'ready') : undefined;
  if (ready !== undefined) track.readyIsCard = ready.n;
  return { track, rows, closed, opened, outcomes };
}

/** True when nothing changed and time has nothing to tell yet. */
function sleeps(before: Track, records: Records, options: StepOptions): boolean {
  const { previous, now, adopting } = options;
  if (adopting || !(before.wakeAt === null || now < before.wakeAt)) return false;
  const locations = Object.keys(records);
  return (
    locations.length === Object.keys(previous).length &&
    locations.every((location) => records[location] === previous[location])
  );
}

/** Locations that came to the version in this poll. */
function arrivals(previous: Records, records: Records, version: number): string[] {
  return Object.entries(records)
    .filter(
      ([location, record]) =>
        !record.cron && record.version === version && previous[location]?.version !== version,
    )
    .map(([location]) => location);
}

function begin(before: Track | undefined, version: number, startedAt: number | null): Track {
  return {
    version,
    startedAt,
    readyAt: null,
    ending: null,
    announced: false,
    ready: false,
    said: {},
    ...numbersFor(version, before),
    print: '',
    late: {},
    asleep: before?.asleep ?? [],
    left: before?.left ?? {},
    changes: [],
    flapping: null,
    wakeAt: null,
  };
}

/** A track to be changed; one that an earlier release stored lacks what has been added since. */
function copyOf(before: Track): Track {
  const { version, startedAt, told, said } = before;
  return {
    ...begin(undefined, version, startedAt),
    ...before,
    told: { ...told },
    said: { ...said },
  };
}

/** A workload with thousands of rollouts stays small, and yet no key is used twice when versions begin anew. */
function numbersFor(version: number, before: Track | undefined): Pick<Track, 'told' | 'forgotten'> {
  const kept: Track['told'] = {};
  const forgotten: Forgotten = {
    upTo: before?.forgotten?.upTo ?? 0,
    told: { ...before?.forgotten?.told },
  };
  for (const [key, n] of Object.entries(before?.told ?? {})) {
    const [of, word = ''] = key.split('/');
    if (Math.abs(Number(of) - version) < TOLD_VERSIONS) kept[key] = n;
    else {
      forgotten.upTo = Math.max(forgotten.upTo, Number(of));
      forgotten.told[word] = Math.max(forgotten.told[word] ?? 0, n);
    }
  }
  return forgotten.upTo === 0 ? { told: kept } : { told: kept, forgotten };
}

function hasCard(track: Track): boolean {
  return track.told[`${track.version}/card`] !== undefined;
}

/** The number of the card of a track: a version that comes again has a card of its own. */
export function cardNumber(track: Track): number {
  return track.told[`${track.version}/card`] ?? 1;
}
