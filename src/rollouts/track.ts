import type { RecordMemory, RecordState } from './classify.ts';
import type { Replicas } from './facts.ts';

/** What a channel is told about a rollout (design section 4). */
export type OutcomeKind = 'ready' | 'failed' | 'stale' | 'unhealthy' | 'recovered';

/** Why a card moves no more. */
export type Ending = 'ready' | 'idle' | 'suspended' | 'superseded';

/** What was said of one kind in the running episode; `n` 0 = adopted, so known without having been said. */
interface Said {
  n: number;
  locations: string[];
}

/**
 * What is remembered of one workload's rollout. An episode runs from the loss of the ready condition
 * to its return; each outcome is told once in it.
 */
export interface Track {
  /** The newest expected version over the locations. */
  version: number;
  startedAt: number;
  /** When the ready condition first held, or the rollout ended otherwise. */
  finishedAt: number | null;
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
  /** The track that this one ended, when a newer version came while its card was open. */
  superseded: Track | undefined;
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
export function rowsOf(records: Records, version: number): Row[] {
  return Object.entries(records)
    .filter(([, record]) => !record.cron)
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

function waits(record: RecordMemory, version: number): boolean {
  if (record.version >= version) return false;
  return !['suspended', 'stale', 'gone'].includes(record.state);
}

/** The newest expected version over the locations that are still listed; 0 when none states one. */
export function newestVersion(records: Records): number {
  const listed = Object.values(records).filter((record) => !record.cron && record.state !== 'gone');
  return Math.max(0, ...listed.map((record) => record.version));
}

/**
 * One step of a workload's rollout. Pure.
 * @param before undefined for a workload that had none
 * @param records its records after this poll, by location
 * @param moved a record itself went to the newest version in this poll (and not only because another one left)
 */
export function stepTrack(
  before: Track | undefined,
  records: Records,
  options: { now: number; adopting: boolean; moved: boolean },
): TrackStep | undefined {
  const version = newestVersion(records);
  if (version === 0) return undefined;
  const rows = rowsOf(records, version);
  if (options.adopting) {
    return {
      track: adopt(before, version, rows, options.now),
      rows,
      superseded: undefined,
      opened: false,
      outcomes: [],
    };
  }
  const isNew = before === undefined || before.version !== version;
  if (isNew && before !== undefined && !options.moved) {
    // The location that was ahead has left; what remains was told in its own time.
    return {
      track: adopt(before, version, rows, options.now),
      rows,
      superseded: undefined,
      opened: false,
      outcomes: [],
    };
  }
  const track = isNew ? begin(before, version, options.now) : structuredClone(before);
  const superseded =
    isNew && before !== undefined && before.finishedAt === null
      ? { ...before, ending: 'superseded' as const, finishedAt: options.now }
      : undefined;
  const outcomes = tell(track, rows, records, options.now);
  return { track, rows, superseded, opened: isNew, outcomes };
}

function begin(before: Track | undefined, version: number, now: number): Track {
  return {
    version,
    startedAt: now,
    finishedAt: null,
    ending: null,
    announced: false,
    ready: false,
    said: {},
    told: recentlyTold(before?.told ?? {}, version),
    print: '',
  };
}

function adopt(before: Track | undefined, version: number, rows: Row[], now: number): Track {
  const track = begin(before, version, now);
  track.announced = rows.every((row) => KNOWN_AT_ADOPTION.has(row.state));
  track.ready = rows.some((row) => row.state === 'ready') && holds(rows);
  track.finishedAt = track.announced ? now : null;
  for (const kind of TROUBLE) {
    const locations = locationsIn(rows, kind);
    if (locations.length > 0) track.said[kind] = { n: 0, locations };
  }
  return track;
}

const TROUBLE = ['failed', 'stale', 'unhealthy'] as const;

function tell(track: Track, rows: Row[], records: Records, now: number): TrackStep['outcomes'] {
  const outcomes: TrackStep['outcomes'] = [];
  const served = Object.values(records).some(
    (record) => record.version === track.version && (record.wasReady || record.state === 'ready'),
  );
  const ready = served && holds(rows);
  if (track.ready && !ready) track.said = {};
  for (const kind of TROUBLE) {
    const locations = locationsIn(rows, kind);
    const said = track.said[kind];
    const all = [...new Set([...(said?.locations ?? []), ...locations])].sort();
    if (all.length === (said?.locations.length ?? 0)) continue;
    const n = said !== undefined && said.n > 0 ? said.n : nextNumber(track, kind);
    track.said[kind] = { n, locations: all };
    outcomes.push({ kind, n, locations: all });
  }
  if (ready && !track.ready) {
    const kind = kindOfReturn(track);
    if (kind !== undefined) {
      outcomes.push({ kind, n: nextNumber(track, kind), locations: locationsIn(rows, 'ready') });
    }
    track.announced = true;
    finish(track, 'ready', now);
  }
  track.ready = ready;
  if (!ready && rows.length > 0 && rows.every((row) => OUT_OF_PLAY.has(row.state))) {
    // In place with nothing to serve: that ends the card by an edit, and nobody is called.
    track.announced = true;
    finish(track, rows.some((row) => row.state === 'suspended') ? 'suspended' : 'idle', now);
  }
  return outcomes;
}

function kindOfReturn(track: Track): 'ready' | 'recovered' | undefined {
  if (!track.announced) return 'ready';
  if (track.said.unhealthy !== undefined || track.said.stale !== undefined) return 'recovered';
  return track.said.failed === undefined ? undefined : 'ready';
}

function finish(track: Track, ending: Ending, now: number): void {
  track.ending = ending;
  track.finishedAt ??= now;
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
