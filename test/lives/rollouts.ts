import {
  APPLIED,
  DEPLOYING,
  FATAL,
  KNOWN,
  LISTED,
  MINUTES,
  PLAYS,
  READY,
  type Track,
} from './track.ts';

/** A rollout of one workload as it truly went, in minutes. */
export interface TrueRollout {
  readonly version: number;
  readonly under: number;
  readonly from: number;
  /** When the next one began, or the life ended. */
  to: number;
  /** The same version rolled again by its GVC. */
  readonly isReroll: boolean;
  /** When it was ready in all locations in play, and remained so for a while. */
  readyAt: number | undefined;
  /** When it had failed or hung in a location for so long that a message is due. */
  troubleAt: number | undefined;
}

/** Ready, failed or hung for so long counts; a group message may wait five minutes. */
const HOLDS = 12;
const HANGS_AFTER = 11;

const bits = (track: Track, now: number): number => track.flags[now] ?? 0;

function plays(track: Track, now: number): boolean {
  const wanted = LISTED | KNOWN | PLAYS;
  return (bits(track, now) & wanted) === wanted;
}

/** The rollouts that began after the first poll. @param seen the minutes in which the list was read */
export function rolloutsOf(tracks: readonly Track[], seen: Uint8Array): TrueRollout[] {
  const all: TrueRollout[] = [];
  let current: TrueRollout | undefined;
  for (let now = 0; now <= MINUTES; now += 1) {
    const { version, under } = newestOf(tracks, now);
    if (version === current?.version && (under === current.under || under === 0)) continue;
    // Nothing of a new version is in place at first.
    if (version === current?.version && current.under === 0) {
      Object.assign(current, { under });
      continue;
    }
    if (current !== undefined) current.to = now;
    const isReroll = version === current?.version;
    const ends = { to: MINUTES + 1, readyAt: undefined, troubleAt: undefined };
    current = { version, under, from: now, isReroll, ...ends };
    // A location that left may leave an older version behind, which is no rollout.
    const begins = tracks.some(({ expected, under: gvcs }) => {
      const isOwn = expected[now] === version;
      return isOwn && (expected[now - 1] !== version || gvcs[now - 1] !== gvcs[now]);
    });
    if (version > 0 && now > 0 && begins) all.push(current);
  }
  for (const rollout of all) {
    rollout.readyAt = firstLasting(rollout, seen, HOLDS, (now) => isReady(tracks, rollout, now));
    const troubles = tracks.flatMap((track) => troubleOf(track, rollout, seen) ?? []);
    rollout.troubleAt = troubles.length === 0 ? undefined : Math.min(...troubles);
  }
  return all;
}

function newestOf(tracks: readonly Track[], now: number): { version: number; under: number } {
  const listed = tracks.filter((track) => (bits(track, now) & LISTED) !== 0);
  const version = Math.max(0, ...listed.map(({ expected }) => expected[now] ?? 0));
  const own = listed.filter(
    (track) => track.expected[now] === version && (bits(track, now) & APPLIED) !== 0,
  );
  return { version, under: Math.max(0, ...own.map(({ under }) => under[now] ?? 0)) };
}

function isAt(track: Track, { version, under }: TrueRollout, now: number): boolean {
  const isApplied = (bits(track, now) & APPLIED) !== 0;
  return isApplied && track.expected[now] === version && track.under[now] === under;
}

function isReady(tracks: readonly Track[], rollout: TrueRollout, now: number): boolean {
  const own = tracks.filter((track) => plays(track, now));
  return (
    own.length > 0 &&
    own.every((track) => isAt(track, rollout, now) && (bits(track, now) & READY) !== 0)
  );
}

/** The first minute from which something holds for so many seen minutes. */
function firstLasting(
  { from, to }: TrueRollout,
  seen: Uint8Array,
  minutes: number,
  holds: (now: number) => boolean,
): number | undefined {
  let since: number | undefined;
  for (let now = from; now < to; now += 1) {
    if (seen[now] !== 1 || !holds(now)) since = undefined;
    else since ??= now;
    if (since !== undefined && now - since >= minutes) return since;
  }
  return undefined;
}

/** When a message about this location is due: it failed, or made no progress for ten minutes. */
function troubleOf(track: Track, rollout: TrueRollout, seen: Uint8Array): number | undefined {
  const { from, to } = rollout;
  const waits = new Uint8Array(to);
  let [most, movedAt, firstReady] = [0, from, Infinity];
  for (let now = from; now < to; now += 1) {
    const isHere = isAt(track, rollout, now);
    const isUp = isHere && (bits(track, now) & READY) !== 0;
    if (isUp) firstReady = Math.min(firstReady, now);
    const progress = isHere ? (track.fresh[now] ?? 0) + Number(isUp) : 0;
    if (progress > most) [most, movedAt] = [progress, now];
    if (!plays(track, now) || seen[now] !== 1) movedAt = now;
    const isOpen = !isHere || (bits(track, now) & DEPLOYING) !== 0;
    waits[now] = Number(isOpen && now - movedAt >= HANGS_AFTER);
  }
  const at = firstLasting(rollout, seen, HOLDS, (now) => {
    const isStopped = isAt(track, rollout, now) && (bits(track, now) & (READY | DEPLOYING)) === 0;
    return now < firstReady && plays(track, now) && (isStopped || waits[now] === 1);
  });
  return at;
}

/** The minutes in which a rollout of the workload has stopped, hangs or has a cause that remains. */
export function troubleMinutes(tracks: readonly Track[]): Uint8Array {
  const trouble = new Uint8Array(MINUTES + 1);
  const states = tracks.map((track) => ({ track, most: 0, movedAt: -Infinity, stopped: 0 }));
  for (let now = 0; now <= MINUTES; now += 1) {
    const { version } = newestOf(tracks, now);
    for (const state of states) {
      const { track } = state;
      const { expected, under, fresh } = track;
      const isNew = expected[now] !== expected[now - 1] || under[now] !== under[now - 1];
      if (isNew || !plays(track, now)) Object.assign(state, { most: 0, movedAt: now });
      const flags = bits(track, now);
      const isHere = (flags & APPLIED) !== 0 && expected[now] === version;
      const progress = isHere ? (fresh[now] ?? 0) + Number((flags & READY) !== 0) : 0;
      if (progress > state.most) Object.assign(state, { most: progress, movedAt: now });
      state.stopped = (flags & (READY | DEPLOYING)) === 0 ? state.stopped + 1 : 0;
      const isOpen = !isHere || (flags & DEPLOYING) !== 0;
      const hangs = isOpen && (now - state.movedAt >= 9 || (flags & FATAL) !== 0);
      const failed = isHere && state.stopped >= 2;
      if (plays(track, now) && (hangs || failed)) trouble[now] = 1;
    }
  }
  return trouble;
}
