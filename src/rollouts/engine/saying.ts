import type { Outcome, OutcomeKind, Records, Row, Track } from './track.ts';

/** What a step of a track looks at: the rows of its version, the records behind them and those before. */
export interface Sight {
  rows: readonly Row[];
  records: Records;
  previous: Records;
  /** Locations that are adopted in this poll, because the first one could not read them. */
  found?: ReadonlySet<string> | undefined;
  /** Milliseconds since the epoch. */
  now: number;
}

/** Counts one more telling of a word at the track's version and gives its number. */
export function nextNumber(track: Track, word: OutcomeKind | 'card'): number {
  const key = `${track.version}/${word}`;
  const { forgotten } = track;
  const before = track.version <= (forgotten?.upTo ?? 0) ? (forgotten?.told[word] ?? 0) : 0;
  const n = (track.told[key] ?? before) + 1;
  track.told[key] = n;
  return n;
}

/**
 * Says a kind of the locations of which it is news.
 * @param how.joins they join what was said before, if that is still going on; else it is said anew
 * @param how.aloud false: there is nowhere to say it, so it is known from now on without a number
 * @returns the outcome; none when nothing is news, or the message about flapping says it already
 */
export function say(
  track: Track,
  kind: OutcomeKind,
  news: readonly string[],
  { joins = true, aloud = true } = {},
): Outcome[] {
  if (news.length === 0) return [];
  const said = joins ? track.said[kind] : undefined;
  const locations = union(said?.locations ?? [], news);
  if (said?.covered === true && track.flapping !== null) {
    track.said[kind] = { ...said, locations };
    return [];
  }
  // What flapping stood for has no message of its own that could be edited.
  const goesOn = said !== undefined && said.n > 0 && said.covered !== true;
  if (!goesOn && !aloud) {
    track.said[kind] = { n: 0, locations };
    return [];
  }
  const n = goesOn ? said.n : nextNumber(track, kind);
  track.said[kind] = { n, locations };
  return [{ kind, n, locations }];
}

export function isSaid(track: Track, kind: OutcomeKind, location: string): boolean {
  return track.said[kind]?.locations.includes(location) === true;
}

export function locationsIn(rows: readonly Row[], state: Row['state']): string[] {
  return rows.filter((row) => row.state === state).map((row) => row.location);
}

export function union(some: readonly string[], more: readonly string[]): string[] {
  return [...new Set([...some, ...more])].sort();
}

/** Locations are foreign: `__proto__` must be a key like any other. */
export function byLocation<T>(entries: readonly (readonly [string, T])[]): Record<string, T> {
  const object = Object.create(null) as Record<string, T>;
  for (const [location, value] of entries) object[location] = value;
  return object;
}
