/**
 * The platform in small: one workload in one location, minute by minute. All times are minutes from the
 * beginning of the life; those before it are negative.
 */

/** Why replicas do not come up, or went down. `quiet` has no message. */
export type Cause = 'image' | 'secret' | 'quota' | 'crash' | 'oom' | 'probe' | 'quiet';

/** Replicas of one version, under one version of the GVC. */
export interface Version {
  readonly workload: number;
  readonly gvc: number;
  readonly created: number;
  /** Replicas that are up, and those that exist. */
  up: number;
  size: number;
  restarts: number;
  restartedAt: number;
}

export interface Rollout {
  readonly workload: number;
  readonly gvc: number;
  readonly appliesAt: number;
  /**
   * `surge`: new replicas come before old ones go. `ordered`: an old one goes first. `recreate`: all old
   * ones go first.
   */
  readonly style: 'surge' | 'ordered' | 'recreate';
  /** Minutes from one new replica to the next. */
  readonly pace: number;
  /** Minutes from the last replica to `ready`: DNS. */
  readonly dns: number;
  readonly fault?: Fault | undefined;
}

export interface Fault {
  readonly cause: Cause;
  /** So many replicas come up all the same. */
  readonly goodFor: number;
  /** Minutes until the platform gives up; Infinity = it hangs. */
  readonly stopsAfter: number;
  /** Minutes until the old version is removed all the same. */
  readonly oldGoesAfter: number;
  /** Minutes until the fault is over by itself. */
  readonly endsAfter: number;
}

/** Trouble of a version that was up. */
export interface Breakage {
  readonly cause: Cause;
  /** Replicas that are down. */
  readonly down: number;
  readonly from: number;
  readonly until: number;
  /** Probes that flap: minutes up after `down` minutes down. */
  readonly flaps?: { readonly up: number; readonly down: number } | undefined;
  /** The platform says that it deploys the same version again. */
  readonly deploys: boolean;
}

export interface Site {
  readonly workload: string;
  readonly location: string;
  /** It is in the list of the platform. */
  listed: boolean;
  wanted: number;
  expected: number;
  /** Versions that were processed beyond the expected one. */
  beyond: number;
  processed: number;
  /** Newest first. */
  versions: Version[];
  rollout: Rollout | undefined;
  appliedAt: number | undefined;
  nextAt: number;
  /** When all replicas of the rollout were up. */
  allUpAt: number | undefined;
  stopped: boolean;
  breakage: Breakage | undefined;
  suspended: boolean;
  /** Scaled to zero by load: it counts as ready. */
  zeroByLoad: boolean;
  /** All replicas are up, and the address does not work until then. */
  dnsUntil: number;
  /** When its reports stopped. */
  lostAt: number | undefined;
  /** Minutes that a replica of the version in place takes to come up. */
  readonly boot: number;
  growsAt: number;
  /** It comes up from zero, and the platform calls that a rollout. */
  comesUp: boolean;
}

/** After so many minutes without a report the platform says so, and drops the record after so many. */
export const STALE_AFTER = 45;
export const DROPPED_AFTER = 24 * 60;

export function isStale({ lostAt }: Site, now: number): boolean {
  return lostAt !== undefined && now - lostAt >= STALE_AFTER;
}

export function newSite(workload: string, location: string, boot: number): Site {
  return {
    workload,
    location,
    listed: true,
    wanted: 0,
    expected: 0,
    beyond: 0,
    processed: 0,
    versions: [],
    rollout: undefined,
    appliedAt: undefined,
    nextAt: 0,
    allUpAt: undefined,
    stopped: false,
    breakage: undefined,
    suspended: false,
    zeroByLoad: false,
    dnsUntil: -Infinity,
    lostAt: undefined,
    boot,
    growsAt: 0,
    comesUp: false,
  };
}

/** A site with a version that has been up for long. */
export function settle(site: Site, place: { workload: number; gvc: number; wanted: number }): void {
  const { workload, gvc, wanted } = place;
  const restarts = { restarts: 0, restartedAt: 0 };
  const up = { up: wanted, size: wanted };
  site.wanted = wanted;
  site.expected = workload;
  site.processed = workload;
  site.versions = wanted > 0 ? [{ workload, gvc, created: -3000, ...up, ...restarts }] : [];
}

/** Replicas of the newest version that are down although they were up. */
function downOf({ breakage, versions }: Site, now: number): number {
  if (breakage === undefined || now < breakage.from || now >= breakage.until) return 0;
  const { flaps, from, down } = breakage;
  if (flaps !== undefined && (now - from) % (flaps.up + flaps.down) >= flaps.down) return 0;
  return Math.min(down, versions[0]?.size ?? 0);
}

export function isBroken(site: Site, now: number): boolean {
  return downOf(site, now) > 0;
}

/** Replicas of one of the versions that serve. */
export function serving(site: Site, index: number, now: number): number {
  const version = site.versions[index];
  if (version === undefined) return 0;
  return index === 0 ? Math.max(0, version.up - downOf(site, now)) : version.up;
}

export function servingInAll(site: Site, now: number): number {
  return site.versions.reduce((sum, _, index) => sum + serving(site, index, now), 0);
}

/** The platform's flag: the expected version is fully up, its address included. */
export function isReady(site: Site, now: number): boolean {
  if (site.suspended || site.rollout !== undefined || site.expected > site.processed) return false;
  if (site.wanted === 0) return site.zeroByLoad;
  return serving(site, 0, now) >= site.wanted && now >= site.dnsUntil;
}

export function isDeploying(site: Site, now: number): boolean {
  const { rollout, appliedAt, stopped, breakage } = site;
  if (rollout !== undefined) return appliedAt !== undefined && !stopped;
  return site.comesUp || (isBroken(site, now) && breakage?.deploys === true);
}

/** The cause that the platform could name now. */
export function causeOf(site: Site, now: number): Cause | undefined {
  if (isBroken(site, now)) return site.breakage?.cause;
  const { rollout, appliedAt } = site;
  return appliedAt !== undefined && isAtFault(site, now) ? rollout?.fault?.cause : undefined;
}

function isAtFault({ rollout, appliedAt }: Site, now: number): boolean {
  const fault = rollout?.fault;
  return fault !== undefined && now - (appliedAt ?? now) < fault.endsAfter;
}

/** One minute of the site. Nothing is known of a lost one, so nothing happens there. */
export function step(site: Site, now: number): void {
  if (!site.listed || site.lostAt !== undefined) return;
  if (site.breakage !== undefined && now >= site.breakage.until) site.breakage = undefined;
  if (site.rollout !== undefined) roll(site, site.rollout, now);
  else grow(site, now);
  crash(site, now);
}

/** Begins a rollout; one that is under way is given up. */
export function begin(site: Site, rollout: Rollout): void {
  const { appliedAt, rollout: before } = site;
  site.expected = rollout.workload;
  if (before !== undefined && appliedAt !== undefined) {
    const rest = site.versions.filter(
      ({ workload, gvc, up }) => up > 0 || workload !== before.workload || gvc !== before.gvc,
    );
    if (rest.length > 0) site.versions = rest;
  }
  if (before !== undefined) site.breakage = undefined;
  // The version that remains is wanted in full again.
  for (const one of site.versions.slice(0, 1)) one.size = Math.max(one.up, site.wanted);
  site.rollout = rollout;
  site.appliedAt = undefined;
  site.allUpAt = undefined;
  site.stopped = false;
  site.comesUp = false;
}

function roll(site: Site, rollout: Rollout, now: number): void {
  if (now < rollout.appliesAt) return;
  if (site.appliedAt === undefined) apply(site, rollout, now);
  const [fresh, ...old] = site.versions;
  if (fresh === undefined || site.wanted === 0) return end(site);
  const { fault } = rollout;
  const since = now - (site.appliedAt ?? now);
  const isBad = isAtFault(site, now);
  const limit = isBad ? Math.min(fault?.goodFor ?? 0, site.wanted) : site.wanted;
  fresh.size = site.wanted;
  if (now >= site.nextAt && fresh.up < limit) {
    fresh.up += 1;
    site.nextAt = now + rollout.pace;
  }
  shrink(site, old, rollout.style === 'surge' ? 0 : Number(fresh.up < site.wanted));
  if (isBad && since >= (fault?.oldGoesAfter ?? Infinity)) site.versions = [fresh];
  if (isBad && since >= (fault?.stopsAfter ?? Infinity)) site.stopped = true;
  if (fresh.up < site.wanted) return;
  site.versions = [fresh];
  site.allUpAt ??= now;
  if (now >= site.allUpAt + rollout.dns) end(site);
}

function apply(site: Site, rollout: Rollout, now: number): void {
  const { workload, gvc, style, pace } = rollout;
  const restarts = { restarts: 0, restartedAt: 0 };
  const fresh = { workload, gvc, created: now, up: 0, size: site.wanted, ...restarts };
  // Broken replicas of the version before serve nothing, so they are no part of it any longer.
  const old = site.versions.map((one, index) => ({ ...one, up: serving(site, index, now) }));
  site.breakage = undefined;
  site.appliedAt = now;
  site.processed = workload;
  site.nextAt = now + pace;
  site.versions = style === 'recreate' || site.wanted === 0 ? [fresh] : [fresh, ...old];
}

/** Old replicas go as new ones come. @param fewer so many are missing on the way */
function shrink(site: Site, old: readonly Version[], fewer: number): void {
  let room = Math.max(0, site.wanted - (site.versions[0]?.up ?? 0) - fewer);
  for (const version of old) {
    version.up = Math.min(version.up, room);
    version.size = Math.max(version.up, 1);
    room -= version.up;
  }
}

function end(site: Site): void {
  site.rollout = undefined;
  site.appliedAt = undefined;
  if (site.wanted === 0) site.versions = [];
}

/** Follows the wanted replicas between rollouts. */
function grow(site: Site, now: number): void {
  const [version] = site.versions;
  if (site.wanted === 0) {
    site.versions = [];
    site.comesUp = false;
    return;
  }
  if (version === undefined) return;
  version.size = site.wanted;
  version.up = Math.min(version.up, site.wanted);
  if (version.up === site.wanted) {
    site.comesUp = false;
    site.growsAt = now + site.boot;
  } else if (now >= site.growsAt) {
    version.up += 1;
    if (version.up === site.wanted) site.comesUp = false;
    site.growsAt = now + Math.max(1, Math.floor(site.boot / 2));
  }
}

/** Replicas that crash are restarted every five minutes. */
function crash(site: Site, now: number): void {
  const cause = causeOf(site, now);
  const [version] = site.versions;
  if (version === undefined || (cause !== 'crash' && cause !== 'oom')) return;
  if (version.restarts > 0 && now - version.restartedAt < 5) return;
  version.restarts += 1;
  version.restartedAt = now;
}

/** Wants other replicas; from zero the version comes up anew. @param gvc the version of the GVC */
export function scale(site: Site, wanted: number, gvc: number, now: number): void {
  site.wanted = wanted;
  site.zeroByLoad = false;
  site.growsAt = now + site.boot;
  if (wanted === 0 || site.versions.length > 0 || site.rollout !== undefined) return;
  const restarts = { restarts: 0, restartedAt: 0 };
  const size = { up: 0, size: wanted };
  site.comesUp = true;
  site.processed = site.expected;
  site.versions = [{ workload: site.expected, gvc, created: now, ...size, ...restarts }];
}
