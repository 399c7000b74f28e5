import { isAside, isKnown, isUnknown, isYoung, shouldServe, type Location } from './location.ts';
import type { PollTime } from './spans.ts';

/** 3 = nothing serves, 2 = less than half or nothing in a location, 1 = less than it should, 0 = all is served. */
export type Level = 0 | 1 | 2 | 3;

/** The service that users get of a workload now (design section 4.3): the only source of levels, first words and counts. */
export interface Impact {
  level: Level;
  /** The level, counting young locations as full. */
  settled: Level;
  /** No level, because nothing is in play, nothing ever served, or no location is known. */
  without?: 'nothing' | 'new' | 'unknown';
  /** Ready and wanted replicas over all versions and the known locations in play. */
  have: number;
  wanted: number;
  /** Locations that cause the level. */
  worst: string[];
  /** Locations that serve less than they should, or are neither ready nor deploying. */
  sick: string[];
  /** Locations in play that do not report. */
  silent: string[];
}

/** The facts that first words state. */
export type ImpactCounts = Pick<Impact, 'level' | 'without' | 'have' | 'wanted'> & {
  worst: readonly string[];
};

export type Locations = Readonly<Record<string, Location>>;

/** @param time of the poll that the locations are of */
export function impactOf(locations: Locations, time: PollTime): Impact {
  const all = Object.entries(locations);
  const inPlay = all.filter(([, one]) => !isAside(one));
  const known = inPlay.filter(([, one]) => isKnown(one));
  const silent = inPlay.filter(([, one]) => isUnknown(one)).map(([name]) => name);
  const counted = known.filter(([, one]) => one.served);
  const shares = (counted.length > 0 ? counted : known).map(([name, one]) =>
    shareOf(name, one, time),
  );
  const base = {
    have: sumOf(shares, 'have'),
    wanted: sumOf(shares, 'wanted'),
    sick: shares.filter((one) => one.isSick).map(({ name }) => name),
    silent,
  };
  if (counted.length === 0) {
    const unserved = known.length === 0 || inPlay.some(([, one]) => one.served);
    const without = inPlay.length === 0 ? 'nothing' : unserved ? 'unknown' : 'new';
    return { ...base, level: 0, settled: 0, without, worst: [], sick: [] };
  }
  const { level, worst } = levelOf(shares);
  const settled = levelOf(shares.map((one) => (one.isYoung ? full(one) : one))).level;
  return { ...base, level, settled, worst };
}

interface Share {
  name: string;
  have: number;
  wanted: number;
  /** All replicas are up, and it is neither ready nor deploying. */
  isStopped: boolean;
  isSick: boolean;
  isYoung: boolean;
}

function shareOf(name: string, location: Location, time: PollTime): Share {
  const wanted = shouldServe(location);
  const have = Math.min(location.have, wanted);
  const isStopped = isStoppedAt(location, wanted);
  return {
    name,
    have,
    wanted,
    isStopped,
    isSick: have < wanted || isStopped,
    isYoung: isYoung(location, time),
  };
}

/** All replicas are up, and it is neither ready nor deploying (DNS, for one). */
function isStoppedAt({ have, fresh, stopped }: Location, wanted: number): boolean {
  return have > 0 && have >= wanted && fresh >= wanted && stopped === 2;
}

/** A known location in play serves all that it should. */
export function servesAll(location: Location | undefined): boolean {
  if (location === undefined || !isKnown(location) || location.have === 0) return false;
  const wanted = shouldServe(location);
  return location.have >= wanted && !isStoppedAt(location, wanted);
}

function full(share: Share): Share {
  return { ...share, have: share.wanted, isStopped: false };
}

/** The first row of the table of design section 4.3 that holds, and its locations. */
function levelOf(shares: readonly Share[]): { level: Level; worst: string[] } {
  const wanting = shares.filter(({ wanted }) => wanted > 0);
  const of = (level: Level, some: readonly Share[]): { level: Level; worst: string[] } => ({
    level,
    worst: some.map(({ name }) => name),
  });
  if (wanting.length > 0 && wanting.every(({ have }) => have === 0)) return of(3, wanting);
  const little = wanting.filter(({ have, wanted }) => have * 2 < wanted);
  if (little.length > 0) return of(2, little);
  const less = wanting.filter(({ have, wanted }) => have < wanted);
  if (less.length > 0) return of(1, less);
  const stopped = shares.filter(({ isStopped }) => isStopped);
  return of(stopped.length > 0 ? 1 : 0, stopped);
}

function sumOf(shares: readonly Share[], part: 'have' | 'wanted'): number {
  return shares.reduce((sum, one) => sum + one[part], 0);
}

/**
 * "Partial outage (oslo)": the first words of everything about the workload.
 * @param listed puts names into a sentence
 */
export function impactWords(
  { level, without, have, wanted, worst }: ImpactCounts,
  listed: (names: readonly string[]) => string,
): string {
  if (without === 'nothing') return 'Nothing to serve';
  if (without === 'new') return 'Never served yet';
  if (without === 'unknown') return 'Unknown';
  if (level === 3) return 'Outage';
  if (level === 2) return `Partial outage (${listed(worst)})`;
  if (level === 0) return 'No impact';
  return have < wanted ? `Reduced capacity (${have} of ${wanted})` : `Unknown (${listed(worst)})`;
}
