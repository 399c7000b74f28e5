import type { RecordMemory, RecordState } from './classify.ts';
import type { Replicas } from './facts.ts';

/** What a channel is told about a rollout (design section 4). */
export type OutcomeKind =
  | 'ready'
  | 'failed'
  | 'stale'
  | 'unhealthy'
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

/** What was said of one kind in the running episode; `n` 0 = adopted, so known without having been said. */
interface Said {
  n: number;
  locations: string[];
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
  /** Fingerprint of the card as it was last told. */
  print: string;
}

/** One line of a card. `waiting` is a location that the version has not reached. */
export interface Row {
  location: string;
  state: RecordState | 'waiting';
  since: number;
  cause: string;
  replicas: Replicas;
  outgoing: Replicas | null;
}

export type Records = Readonly<Record<string, RecordMemory>>;

/** What the poll changed for one workload. */
export interface TrackStep {
  track: Track;
  rows: Row[];
  /** The track that this one ended, when its card was still open. */
  closed: Track | undefined;
  /** The rollout is new here, so it gets a card. */
  opened: boolean;
  outcomes: { kind: OutcomeKind; n: number; locations: string[] }[];
}

const TOLD_VERSIONS = 20;
const OUT_OF_PLAY: ReadonlySet<Row['state']> = new Set(['suspended', 'idle', 'gone']);
const KNOWN_AT_ADOPTION: ReadonlySet<Row['state']> = new Set([
  'ready',
  'idle',
  'suspended',
  'stale',
  'gone',
]);

/** The rows of a card at `version`, sorted by location. */
function rowsOf(records: Records, version: number): Row[] {
  return Object.entries(records)
    .filter(([, record]) => !record.cron && !leftBefore(record, version))
    .map(([location, record]) => ({
      location,
      state: waits(record, version) ? ('waiting' as const) : record.state,
      since: record.since,
      cause: record.cause,
      replicas: record.replicas,
      outgoing: record.outgoing,
    }))
    .sort((a, b) => (a.location < b.location ? -1 : 1));
}

/** It was gone before this version came. */
function leftBefore(record: RecordMemory, version: number): boolean {
  return record.state === 'gone' && record.version < version;
}

function waits(record: RecordMemory, version: number): boolean {
  if (record.version >= version) return false;
  return !['suspended', 'stale', 'gone'].includes(record.state);
}

/** The newest expected version over the locations that are still listed; 0 when none states one. */
function newestVersion(records: Records): number {
  const listed = Object.values(records).filter((record) => !record.cron && record.state !== 'gone');
  return Math.max(0, ...listed.map((record) => record.version));
}

/**
 * One step of a workload's rollout. Pure.
 * @param before undefined for a workload that had none
 * @param records its records after this poll, by location
 * @param options.previous its records before
 * @param options.now milliseconds since the epoch
 * @returns undefined while there is no rollout: no version was ever stated, or all are cron records
 */
export function stepTrack(
  before: Track | undefined,
  records: Records,
  options: { previous: Records; now: number; adopting: boolean },
): TrackStep | undefined {
  const version = newestVersion(records) || (before?.version ?? 0);
  const rows = rowsOf(records, version);
  if (version === 0 || rows.length === 0) return undefined;

  const isNew = before?.version !== version;
  const arrived = arrivals(options.previous, records, version);
  // The location that was ahead has left; what remains was told in its own time.
  const fellBack = isNew && before !== undefined && arrived.length === 0;
  const ending = fellBack ? ('gone' as const) : ('superseded' as const);
  const closed = isNew && before?.ending === null ? { ...before, ending } : undefined;
  if (options.adopting || fellBack) {
    return { track: adopt(before, version, rows), rows, closed, opened: false, outcomes: [] };
  }
  const track =
    before === undefined || isNew ? begin(before, version, options.now) : structuredClone(before);
  // A rollout that was found under way has no card until one more location goes along.
  const joins = arrived.some((location) => options.previous[location] !== undefined);
  const opened = isNew || (joins && track.told[`${version}/card`] === undefined);
  return { track, rows, closed, opened, outcomes: tell(track, rows, records, options.now) };
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
    told: recentlyTold(before?.told ?? {}, version),
    print: '',
  };
}

function adopt(before: Track | undefined, version: number, rows: Row[]): Track {
  const track = begin(before, version, null);
  track.announced = rows.every((row) => KNOWN_AT_ADOPTION.has(row.state));
  track.ready = rows.some((row) => row.state === 'ready') && holds(rows);
  track.ending = endingOf(rows, track.ready);
  for (const kind of TROUBLE) {
    const locations = locationsIn(rows, kind);
    if (locations.length > 0) track.said[kind] = { n: 0, locations };
  }
  return track;
}

const TROUBLE = ['failed', 'stale', 'unhealthy'] as const;

function tell(track: Track, rows: Row[], records: Records, now: number): TrackStep['outcomes'] {
  const served = Object.keys(records).filter((location) => {
    const record = records[location];
    return record?.version === track.version && record.wasReady && !record.cron;
  });
  const ready = served.length > 0 && holds(rows);
  if (track.ready && !ready) track.said = {};
  const outcomes = TROUBLE.flatMap((kind) => tellTrouble(track, rows, kind));
  if (ready && !track.ready) {
    const kind = kindOfReturn(track);
    if (kind !== undefined) {
      const serving = locationsIn(rows, 'ready');
      const locations = serving.length > 0 ? serving : served.sort();
      outcomes.push({ kind, n: nextNumber(track, kind), locations });
    }
    track.announced = true;
    track.readyAt ??= now;
  }
  track.ready = ready;
  track.ending = endingOf(rows, ready);
  return outcomes;
}

/** Told when it is news in this episode; a later location edits what was told. */
function tellTrouble(
  track: Track,
  rows: Row[],
  kind: (typeof TROUBLE)[number],
): TrackStep['outcomes'] {
  const said = track.said[kind];
  const known = said?.locations ?? [];
  const locations = [...new Set([...known, ...locationsIn(rows, kind)])].sort();
  if (locations.length === known.length) return [];
  const n = said !== undefined && said.n > 0 ? said.n : nextNumber(track, kind);
  track.said[kind] = { n, locations };
  return [{ kind, n, locations }];
}

function kindOfReturn(track: Track): 'ready' | 'recovered' | undefined {
  if (!track.announced) return 'ready';
  if (track.said.unhealthy !== undefined || track.said.stale !== undefined) return 'recovered';
  return track.said.failed === undefined ? undefined : 'ready';
}

/** In place with nothing to serve is an end, too; it is shown by an edit, and nobody is called. */
function endingOf(rows: Row[], ready: boolean): Ending | null {
  if (rows.every((row) => row.state === 'gone')) return 'gone';
  if (rows.every((row) => OUT_OF_PLAY.has(row.state))) {
    return rows.some((row) => row.state === 'suspended') ? 'suspended' : 'idle';
  }
  return ready ? 'ready' : null;
}

/** Every location in play is ready. */
function holds(rows: Row[]): boolean {
  return rows.every((row) => row.state === 'ready' || OUT_OF_PLAY.has(row.state));
}

function locationsIn(rows: Row[], state: Row['state']): string[] {
  return rows.filter((row) => row.state === state).map((row) => row.location);
}

/** Counts one more telling of a word at the track's version and gives its number. */
export function nextNumber(track: Track, word: OutcomeKind | 'card'): number {
  const key = `${track.version}/${word}`;
  const n = (track.told[key] ?? 0) + 1;
  track.told[key] = n;
  return n;
}

/** Old versions are forgotten, so that a workload with thousands of rollouts stays small. */
function recentlyTold(told: Record<string, number>, version: number): Record<string, number> {
  return Object.fromEntries(
    Object.entries(told).filter(([key]) => Number(key.split('/')[0]) > version - TOLD_VERSIONS),
  );
}

/** The number of the card of a track: a version that comes again has a card of its own. */
export function cardNumber(track: Track): number {
  return track.told[`${track.version}/card`] ?? 1;
}
