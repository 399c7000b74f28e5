import { effectiveState } from '../../../../../src/rollouts/engine/classify.ts';
import type { RecordMemory } from '../../../../../src/rollouts/engine/classify.ts';
import type { Records } from '../../../../../src/rollouts/engine/rollout.ts';
import type { RowState } from '../../../../../src/rollouts/engine/states.ts';

export const MINUTE = 60_000;
export const TROUBLE = ['failed', 'unhealthy', 'stale'] as const;
/** What is told like trouble: `blocked` is none for flapping. */
export const BROADCAST = [...TROUBLE, 'blocked'] as const;
export const OUT_OF_PLAY: readonly RowState[] = ['suspended', 'idle', 'gone'];

/** One location of a workload on its card. */
interface Row {
  state: RowState;
  record: RecordMemory;
  /** Adopted so, or listed again at the version and in the state in which it was listed last. */
  known: boolean;
  /** It is held by what does not pass by itself, and has been for three minutes. */
  held: boolean;
  blocked: boolean;
}

/** A workload at one poll. The states of its records are given; what is told of them is not. */
export interface Scene {
  at: number;
  records: Records;
  /** The newest expected version over its locations; 0 while none is stated. */
  E: number;
  /** The rollout of E begins with this poll. */
  begins: boolean;
  /** Its rollout is taken as it is: at the first poll, or because the location that led has gone. */
  found: boolean;
  /** The locations that come to E and are not adopted so. */
  arrives: string[];
  rows: ReadonlyMap<string, Row>;
  /** Records of any version that are no longer listed. */
  gone: string[];
  /** Every location in play is ready at E, and one is or was. */
  holds: boolean;
}

/** @param isAdopted the location is read for the first time, and was there at the first poll */
export function sceneOf(
  past: readonly Scene[],
  records: Records,
  at: number,
  isAdopted: (location: string) => boolean,
): Scene {
  const last = past.at(-1);
  const all = Object.entries(records)
    .filter(([, { cron }]) => !cron)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  const listed = all.filter(([, { state }]) => state !== 'gone');
  const E = Math.max(0, ...listed.map(([, { version }]) => version)) || (last?.E ?? 0);
  const arrives = all
    .filter(([key, { version }]) => version === E && last?.records[key]?.version !== E)
    .map(([location]) => location)
    .filter((location) => !isAdopted(location));
  const begins = E !== (last?.E ?? 0);
  // What left before the version came is no part of it.
  const rows = new Map(
    all
      .filter(([, { state, version }]) => state !== 'gone' || version >= E)
      .map(([key, record]) => [key, rowOf(past, key, record, { E, at, adopted: isAdopted(key) })]),
  );
  const gone = all.filter(([, { state }]) => state === 'gone').map(([location]) => location);
  const found = begins && arrives.length === 0;
  return {
    at,
    records,
    E,
    begins,
    found,
    arrives,
    rows,
    gone,
    holds: holds([...rows.values()], E),
  };
}

function rowOf(
  past: readonly Scene[],
  location: string,
  record: RecordMemory,
  { E, at, adopted }: { E: number; at: number; adopted: boolean },
): Row {
  const memories = past.map(({ records }) => records[location]);
  const left = memories.findLast((one) => one !== undefined && one.state !== 'gone');
  const isBack = memories.at(-1)?.state === 'gone';
  const returns = isBack && left?.version === record.version && left.state === record.state;
  // Where no version was ever stated, there is none to wait for.
  const tellsItself = ['stale', 'suspended', 'gone'].includes(record.state) || record.version === 0;
  const state = record.version === E || tellsItself ? effectiveState(record) : 'waiting';
  const held = record.heldUpSince !== undefined && state !== 'waiting';
  // Nothing is told of what the list lacks.
  const blocked =
    record.missing > 0
      ? past.at(-1)?.rows.get(location)?.blocked === true
      : at - (record.heldUpSince ?? at) >= 3 * MINUTE;
  return { state, record, known: adopted || returns, held, blocked: held && blocked };
}

function holds(rows: readonly Row[], E: number): boolean {
  const inPlay = rows.filter(({ state }) => !OUT_OF_PLAY.includes(state));
  if (rows.every(({ state }) => state === 'gone')) return false;
  return (
    inPlay.every(({ state }) => state === 'ready') &&
    rows.some(({ record }) => record.wasReady && record.version === E)
  );
}

/**
 * The scenes since the ready condition was lost, up to the last one.
 * @param run the scenes of one rollout
 */
export function episodeOf(run: readonly Scene[]): readonly Scene[] {
  return run.slice(run.slice(0, -1).findLastIndex((scene) => scene.holds) + 1);
}

/** The locations that were in a state, or blocked, in any of the scenes. */
export function locationsIn(scenes: readonly Scene[], state: RowState | 'blocked'): string[] {
  const all = scenes.flatMap(({ rows }) =>
    [...rows].filter(([, row]) => (state === 'blocked' ? row.blocked : row.state === state)),
  );
  return [...new Set(all.map(([location]) => location))].toSorted();
}

/** The scenes in which trouble began that nobody had seen, or in which an episode with trouble ended. */
export function changesIn(run: readonly Scene[]): Scene[] {
  const inTrouble = (scenes: readonly Scene[]): boolean =>
    TROUBLE.some((kind) => locationsIn(scenes, kind).length > 0);
  return run.filter((scene, index) => {
    const before = inTrouble(episodeOf(run.slice(0, index + 1)).slice(0, -1));
    if (scene.holds) return before;
    // Trouble that is known is older than any other of the poll.
    const rows = [...scene.rows.values()];
    const isOld = rows.some(({ state, known }) => known && TROUBLE.some((one) => one === state));
    return !before && !scene.found && inTrouble([scene]) && !isOld;
  });
}
