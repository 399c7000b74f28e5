import {
  causeOf,
  isBroken,
  isDeploying,
  isReady,
  isStale,
  serving,
  servingInAll,
  type Site,
} from './site.ts';

/** Minutes of a life. */
export const MINUTES = 360;
const LENGTH = MINUTES + 1;

/** Bits of `flags`. */
export const LISTED = 1;
/** Its reports come. */
export const KNOWN = 2;
/** It wants replicas and is not suspended. */
export const PLAYS = 4;
export const READY = 8;
export const DEPLOYING = 16;
/** The platform names a cause that does not end by waiting. */
export const FATAL = 32;
/** All replicas are up, and the address does not work. */
export const NO_ADDRESS = 64;
/** The newest version is the expected one. */
export const APPLIED = 128;

/** The true state of one workload in one location, minute by minute. */
export interface Track {
  readonly org: string;
  readonly gvc: string;
  readonly workload: string;
  readonly location: string;
  readonly cron: boolean;
  /** Replicas that serve, those that should, and those of the newest version that serve. */
  readonly have: Uint8Array;
  readonly want: Uint8Array;
  readonly fresh: Uint8Array;
  readonly expected: Uint16Array;
  /** The version of the GVC that the newest version runs under; 0 = nothing is in place. */
  readonly under: Uint16Array;
  readonly flags: Uint8Array;
}

export function newTrack(
  place: Pick<Track, 'org' | 'gvc' | 'workload' | 'location' | 'cron'>,
): Track {
  return {
    ...place,
    have: new Uint8Array(LENGTH),
    want: new Uint8Array(LENGTH),
    fresh: new Uint8Array(LENGTH),
    expected: new Uint16Array(LENGTH),
    under: new Uint16Array(LENGTH),
    flags: new Uint8Array(LENGTH),
  };
}

/** Writes the minute `now` of a site; of a lost one it is as before, and unknown once that is stated. */
export function note(track: Track, site: Site, now: number): void {
  if (!site.listed) return;
  if (site.lostAt !== undefined && now > 0) {
    for (const name of ['have', 'want', 'fresh', 'expected', 'under', 'flags'] as const) {
      track[name][now] = track[name][now - 1] ?? 0;
    }
    if (isStale(site, now)) track.flags[now] = (track.flags[now] ?? 0) & ~KNOWN;
    return;
  }
  const newest = site.versions[0];
  track.have[now] = servingInAll(site, now);
  track.want[now] = site.wanted;
  track.fresh[now] = serving(site, 0, now);
  track.expected[now] = site.expected;
  track.under[now] = newest?.gvc ?? 0;
  track.flags[now] = flagsOf(site, now);
}

function flagsOf(site: Site, now: number): number {
  const cause = causeOf(site, now);
  const isSettled = site.rollout === undefined && !isBroken(site, now);
  return (
    LISTED |
    (isStale(site, now) ? 0 : KNOWN) |
    (site.wanted > 0 && !site.suspended ? PLAYS : 0) |
    (isReady(site, now) ? READY : 0) |
    (isDeploying(site, now) ? DEPLOYING : 0) |
    (cause === 'image' || cause === 'secret' || cause === 'quota' ? FATAL : 0) |
    (isSettled && now < site.dnsUntil && site.wanted > 0 ? NO_ADDRESS : 0) |
    (site.versions[0]?.workload === site.expected ? APPLIED : 0)
  );
}
