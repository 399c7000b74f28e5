import {
  APPLIED,
  DEPLOYING,
  KNOWN,
  LISTED,
  MINUTES,
  NO_ADDRESS,
  PLAYS,
  READY,
  type Track,
} from './track.ts';

/** The true impact of one workload, minute by minute. */
export interface Impact {
  /** `org/gvc/workload`. */
  readonly name: string;
  readonly tracks: readonly Track[];
  /** Whether the list was read in that minute. */
  readonly seen: Uint8Array;
  /** Design section 4.3: 0 to 3. */
  readonly level: Uint8Array;
  /** The same, with young locations as if they were full. */
  readonly settled: Uint8Array;
  /** Fewer than half of the wanted replicas serve. */
  readonly out: Uint8Array;
  /** A location reports nothing. */
  readonly unknown: Uint8Array;
}

/** The share of a location in one minute. */
interface Part {
  /** It is known, in play, and has served. */
  readonly counts: boolean;
  readonly young: boolean;
  readonly have: number;
  /** Wanted now, and the least that was wanted within ten minutes. */
  readonly want: number;
  readonly least: number;
  readonly noAddress: boolean;
  readonly unknown: boolean;
}

const LATELY = 10;

export function impactOf(name: string, tracks: readonly Track[], seen: Uint8Array): Impact {
  const length = MINUTES + 1;
  const parts = tracks.map(partsOf);
  const impact: Impact = {
    name,
    tracks,
    seen,
    level: new Uint8Array(length),
    settled: new Uint8Array(length),
    out: new Uint8Array(length),
    unknown: new Uint8Array(length),
  };
  for (let now = 0; now < length; now += 1) {
    const here = parts.flatMap((all) => all[now] ?? []);
    const counting = here.filter(({ counts }) => counts);
    impact.level[now] = levelOf(counting, false);
    impact.settled[now] = levelOf(counting, true);
    const have = counting.reduce((sum, part) => sum + part.have, 0);
    const want = counting.reduce((sum, part) => sum + part.want, 0);
    impact.out[now] = have * 2 < want ? 1 : 0;
    impact.unknown[now] = here.some(({ unknown }) => unknown) ? 1 : 0;
  }
  return impact;
}

function levelOf(parts: readonly Part[], youngIsFull: boolean): number {
  if (parts.length === 0) return 0;
  const lacks = parts.filter(({ young, have, least }) => have < least && !(young && youngIsFull));
  if (lacks.length > 0 && parts.every(({ have }) => have === 0)) {
    if (!youngIsFull || lacks.length === parts.length) return 3;
  }
  if (lacks.some(({ have, least }) => have === 0 || have * 2 < least)) return 2;
  return lacks.length > 0 || parts.some(({ noAddress }) => noAddress) ? 1 : 0;
}

function partsOf(track: Track): Part[] {
  const { have, want, flags, fresh, expected, under } = track;
  const parts: Part[] = [];
  let served = false;
  let servedSincePlay = true;
  let [playsSince, movedAt, most, stopped] = [-Infinity, -Infinity, 0, 0];
  for (let now = 0; now <= MINUTES; now += 1) {
    const bits = flags[now] ?? 0;
    const before = now === 0 ? bits : (flags[now - 1] ?? 0);
    const isListed = (bits & LISTED) !== 0;
    const plays = isListed && (bits & PLAYS) !== 0;
    if (!isListed) served = false;
    if (plays && (before & PLAYS) === 0 && servedSincePlay) {
      playsSince = now;
      servedSincePlay = false;
    }
    const serves = (have[now] ?? 0) > 0;
    served ||= serves || (now === 0 && plays);
    servedSincePlay ||= serves || !isListed;
    const isNew =
      now > 0 && (expected[now] !== expected[now - 1] || under[now] !== under[now - 1]) && plays;
    if (isNew) [movedAt, most] = [now, 0];
    const isApplied = (bits & APPLIED) !== 0;
    const progress = isApplied ? (fresh[now] ?? 0) + Number((bits & READY) !== 0) : 0;
    if (progress > most) {
      most = progress;
      if (now > 0) movedAt = now;
    }
    stopped = (bits & (READY | DEPLOYING)) === 0 ? stopped + 1 : 0;
    const isMoving = now - movedAt < LATELY && stopped < 2;
    parts.push({
      counts: plays && served && (bits & KNOWN) !== 0,
      young: now - playsSince < LATELY || isMoving,
      have: have[now] ?? 0,
      want: want[now] ?? 0,
      least: Math.min(...want.subarray(Math.max(0, now - LATELY), now + 1)),
      noAddress: plays && (bits & NO_ADDRESS) !== 0,
      unknown: isListed && (bits & KNOWN) === 0,
    });
  }
  return parts;
}

/** How many minutes of a span are at this level or above, or unseen if they shall count. */
export function minutesAt(
  levels: Uint8Array,
  level: number,
  [from, to]: readonly [number, number],
): number {
  let count = 0;
  for (let now = Math.max(0, from); now <= Math.min(to, MINUTES); now += 1) {
    if ((levels[now] ?? 0) >= level) count += 1;
  }
  return count;
}
