import type { RecordState } from './classify.ts';
import { nextNumber, union } from './saying.ts';
import { TROUBLE } from './telling.ts';
import type { Outcome, OutcomeKind, Row, Track } from './track.ts';

/** A workload that flaps, and the message that says so. */
export interface Flapping {
  n: number;
  /** When trouble last began or ended, in milliseconds since the epoch. */
  last: number;
  locations: string[];
  /** What the message stands for. */
  covers: { kind: OutcomeKind; n: number }[];
}

/** So many changes within this time are flapping, and so long without one ends it. */
const CHANGES = 4;
const WINDOW_MS = 10 * 60_000;
const MAX_COVERS = 100;

/** When flapping ends unless something changes before, in milliseconds since the epoch. */
export function settlesAt(flapping: Flapping): number {
  return flapping.last + WINDOW_MS;
}

/**
 * Ends the flapping that had no change for ten minutes. Trouble that it stood for is news again, so
 * that what holds now is told once.
 * @returns what has ended
 */
export function settle(track: Track, now: number): Flapping | undefined {
  const { flapping } = track;
  if (flapping === null || now < settlesAt(flapping)) return undefined;
  track.flapping = null;
  track.changes = [];
  for (const kind of TROUBLE) {
    const said = track.said[kind];
    if (said?.covered === true) track.said[kind] = { ...said, locations: [] };
  }
  return flapping;
}

/** The message about flapping for the last time: how it settled. */
export function settledOutcome(flapping: Flapping, track: Track, rows: readonly Row[]): Outcome {
  const { n, locations, covers } = flapping;
  return { kind: 'flapping', n, locations, covers, settled: settledAs(track, rows) };
}

function settledAs(track: Track, rows: readonly Row[]): RecordState {
  if (track.ending !== null && track.ending !== 'superseded') return track.ending;
  const trouble = TROUBLE.find((kind) => rows.some((row) => row.state === kind));
  if (trouble !== undefined) return trouble;
  const moving = rows.find((row) => row.state !== 'ready')?.state ?? 'ready';
  return moving === 'waiting' ? 'pending' : moving;
}

/**
 * Counts a change, and lets the message about flapping stand for what is new while the workload flaps
 * (design section 4, "Noise"). What was told by itself before goes on being edited.
 * @param step.changed trouble began or ended in this step
 * @param step.mayBegin false: it goes on flapping, but does not begin to
 * @param step.told the numbers before this step
 * @returns what is left to be told
 */
export function standFor(
  track: Track,
  outcomes: Outcome[],
  step: {
    changed: boolean;
    mayBegin: boolean;
    told: Readonly<Record<string, number>>;
    now: number;
  },
): Outcome[] {
  const { changed, mayBegin, told, now } = step;
  if (changed) {
    const recent = track.changes.filter((at) => now - at <= WINDOW_MS);
    track.changes = [...recent, now].slice(-CHANGES);
  }
  if (track.flapping === null && !(mayBegin && isDueToFlap(track, now))) return outcomes;

  const before = track.flapping ?? startOf(track, now);
  const isNew = ({ kind, n }: Outcome): boolean => n > (told[`${track.version}/${kind}`] ?? 0);
  const covered = outcomes.filter(isNew);
  const edits = outcomes.filter((outcome) => !isNew(outcome));
  for (const { kind } of covered) {
    const said = track.said[kind];
    if (said !== undefined) track.said[kind] = { ...said, covered: true };
  }
  const flapping: Flapping = {
    n: before.n,
    last: changed ? now : before.last,
    locations: union(
      before.locations,
      covered.flatMap(({ locations }) => locations),
    ),
    covers: [...before.covers, ...covered.map(({ kind, n }) => ({ kind, n }))].slice(-MAX_COVERS),
  };
  track.flapping = flapping;
  const { n, locations, covers } = flapping;
  return covered.length === 0 ? edits : [...edits, { kind: 'flapping', n, locations, covers }];
}

/** Its last change is of now, and one too many. @param now milliseconds since the epoch */
export function isDueToFlap({ flapping, changes }: Track, now: number): boolean {
  return flapping === null && changes.length >= CHANGES && changes.at(-1) === now;
}

/** The track without a change of now: one that others tell does not count. */
export function withoutChange(track: Track, now: number): Track {
  if (track.flapping !== null || track.changes.at(-1) !== now) return track;
  return { ...track, changes: track.changes.slice(0, -1) };
}

function startOf(track: Track, now: number): Flapping {
  return { n: nextNumber(track, 'flapping'), last: now, locations: [], covers: [] };
}
