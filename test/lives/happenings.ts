import {
  begin,
  DROPPED_AFTER,
  newSite,
  scale,
  STALE_AFTER,
  type Cause,
  type Fault,
  type Rollout,
  type Site,
} from './site.ts';
import { later, type Gvc, type Workload, type World } from './world.ts';

/** Minutes from one change of a workload to the next, on average. */
const CHANGE_EVERY = 120;

const KINDS = {
  rollout: 44,
  badRollout: 20,
  breakage: 12,
  flap: 4,
  scale: 6,
  zero: 4,
  suspend: 4,
  dns: 2,
  location: 3,
  recreate: 2,
  scalingOnly: 3,
} as const;

/** Plans everything that happens. @param from minute, before 0 if things are under way at the first poll */
export function plan(world: World, from: number, until: number): void {
  const { dice, workloads, gvcs, locations } = world;
  for (const workload of workloads) {
    for (let at = from + dice.wait(CHANGE_EVERY); at < until; at += dice.wait(CHANGE_EVERY)) {
      later(world, at, (now) => happen(world, workload, now));
    }
  }
  for (const gvc of gvcs) {
    if (dice.chance(0.25)) {
      later(world, dice.between(from, until - 60), (now) => reroll(world, gvc, now));
    }
  }
  if (dice.chance(0.25)) planLoss(world, dice.pick(locations), until);
  if (dice.chance(0.1)) {
    const location = dice.pick(locations);
    const only = new Set([dice.pick(nonEmpty(workloads)).name]);
    loseAt(world, { location, only, at: dice.between(0, until), lasts: dice.between(50, 200) });
  }
}

function nonEmpty<T>(all: readonly T[]): [T, ...T[]] {
  const [first, ...rest] = all;
  if (first === undefined) throw new Error('Nothing to pick from');
  return [first, ...rest];
}

function happen(world: World, workload: Workload, now: number): void {
  const { dice } = world;
  if (workload.deleted) return;
  if (workload.kind === 'cron') return failJobs(world, workload, now);
  switch (dice.weighted(KINDS)) {
    case 'rollout':
      return rollOut(world, workload, now);
    case 'badRollout':
      return rollOutBad(world, workload, now);
    case 'breakage':
      return breakSome(world, workload, now, false);
    case 'flap':
      return breakSome(world, workload, now, true);
    case 'scale':
      return scaleSome(world, workload, now);
    case 'zero':
      return toZero(world, workload, now);
    case 'suspend':
      return suspend(world, workload, now);
    case 'dns':
      return loseAddress(world, workload, now);
    case 'location':
      return moveLocation(world, workload, now);
    case 'recreate':
      return recreate(world, workload, now);
    case 'scalingOnly': {
      // The workload's version rises, and what is deployed remains.
      for (const site of workload.sites) site.beyond += 1;
      return scaleSome(world, workload, now);
    }
  }
}

interface Troubled {
  readonly fault: Fault;
  readonly locations: ReadonlySet<string>;
}

/** Begins a version in all locations, each in its time. */
function rollOut(world: World, workload: Workload, now: number, troubled?: Troubled): void {
  const { dice } = world;
  const { sites, pace, gvc } = workload;
  const back = troubled === undefined && workload.version > 4 && dice.chance(0.04);
  workload.version += back ? -1 : 1;
  const stagger = dice.chance(0.4) ? dice.between(1, 15) : 0;
  for (const [index, site] of sites.entries()) {
    const fault = troubled?.locations.has(site.location) === true ? troubled.fault : undefined;
    const delay = dice.between(0, 1) + stagger * index;
    site.beyond = 0;
    const expectedLater = delay > 1 && dice.chance(0.3);
    const rollout = {
      workload: workload.version,
      gvc: gvc.version,
      appliesAt: now + delay,
      style: styleOf(world, workload),
      pace,
      dns: dice.pick([0, 0, 0, 1, 2, 5]),
      fault,
    };
    if (expectedLater) later(world, now + delay, () => beginIf(workload, site, rollout));
    else begin(site, rollout);
  }
  if (dice.chance(0.05)) {
    later(world, now + dice.between(1, 5), (at) => rollOut(world, workload, at));
  }
}

/** Unless a newer one has begun, or the location was left. */
function beginIf(workload: Workload, site: Site, rollout: Rollout): void {
  if (rollout.workload === workload.version && site.listed) begin(site, rollout);
}

function styleOf({ dice }: World, { kind, wanted }: Workload): Rollout['style'] {
  if (kind === 'stateful') return 'ordered';
  return wanted <= 2 && dice.chance(0.3) ? 'recreate' : dice.pick(['surge', 'surge', 'ordered']);
}

function rollOutBad(world: World, workload: Workload, now: number): void {
  const { dice } = world;
  const all = workload.sites.map(({ location }) => location);
  const locations = dice.chance(0.7) ? all : [dice.pick(nonEmpty(all))];
  rollOut(world, workload, now, { fault: faultOf(world), locations: new Set(locations) });
  // Most are fixed by the next version, sooner or later.
  if (dice.chance(0.8)) {
    later(world, now + dice.between(8, 100), (at) => rollOut(world, workload, at));
  }
}

function faultOf({ dice }: World): Fault {
  const cause: Cause = dice.pick(['image', 'secret', 'quota', 'crash', 'oom', 'probe', 'quiet']);
  const hangs = dice.chance(cause === 'crash' || cause === 'oom' ? 0.1 : 0.4);
  return {
    cause,
    goodFor: dice.chance(0.7) ? 0 : dice.between(1, 3),
    stopsAfter: hangs ? Infinity : dice.pick([1, 3, 10]),
    oldGoesAfter: dice.chance(0.45) ? dice.between(2, 40) : Infinity,
    endsAfter: dice.chance(0.2) ? dice.between(10, 90) : Infinity,
  };
}

/** Replicas of a version that was up go down for a while. */
function breakSome({ dice }: World, { sites }: Workload, now: number, flaps: boolean): void {
  const cause: Cause = dice.pick(['crash', 'oom', 'probe', 'quiet']);
  const lasts = flaps ? dice.between(30, 150) : dice.pick([1, 2, 4, 8, 25, 45, 90]);
  const rhythm = { up: dice.pick([1, 2, 5, 12]), down: dice.pick([1, 3, 6, 12]) };
  const deploys = dice.chance(0.2);
  const one = dice.between(0, sites.length - 1);
  const everywhere = dice.chance(0.4);
  const stagger = dice.chance(0.5) ? dice.between(0, 20) : 0;
  for (const [index, site] of sites.entries()) {
    if (!everywhere && index !== one) continue;
    const from = now + stagger * index;
    const down = dice.chance(0.6) ? site.wanted : dice.between(1, Math.max(1, site.wanted));
    const span = { from, until: from + lasts };
    if (site.rollout !== undefined || site.comesUp) continue;
    site.breakage = { cause, down, ...span, flaps: flaps ? rhythm : undefined, deploys };
  }
}

function scaleSome({ dice }: World, workload: Workload, now: number): void {
  const wanted = Math.max(1, workload.wanted + dice.pick([-2, -1, 1, 1, 2, 3]));
  workload.wanted = wanted;
  for (const site of workload.sites) {
    if (site.listed && site.wanted > 0) scale(site, wanted, workload.gvc.version, now);
  }
}

/** To zero and back, by load or by hand. */
function toZero(world: World, workload: Workload, now: number): void {
  const { dice } = world;
  const byLoad = dice.chance(0.5);
  const sites = dice.chance(0.6) ? workload.sites : workload.sites.slice(0, 1);
  for (const site of sites) {
    if (site.wanted === 0) continue;
    scale(site, 0, workload.gvc.version, now);
    site.zeroByLoad = byLoad;
  }
  later(world, now + dice.between(5, 120), (at) => wakeAll(world, workload, sites, at));
}

function suspend(world: World, workload: Workload, now: number): void {
  const { dice } = world;
  const sites = dice.chance(0.5) ? workload.sites : workload.sites.slice(0, 1);
  const says = dice.chance(0.8);
  for (const site of sites) {
    site.suspended = says;
    site.rollout = undefined;
    site.appliedAt = undefined;
    site.breakage = undefined;
    if (site.wanted > 0) scale(site, 0, workload.gvc.version, now);
    site.versions = [];
  }
  later(world, now + dice.between(5, 120), (at) => wakeAll(world, workload, sites, at));
}

/** Now and then something keeps them from coming up. */
function wakeAll(world: World, workload: Workload, sites: readonly Site[], now: number): void {
  const hangs = world.dice.chance(0.15);
  for (const site of sites) {
    if (!site.listed || site.wanted > 0) continue;
    site.suspended = false;
    scale(site, workload.wanted, workload.gvc.version, now);
    if (hangs) site.growsAt = now + 40;
  }
}

function loseAddress({ dice }: World, { sites }: Workload, now: number): void {
  const site = dice.pick(nonEmpty(sites));
  site.dnsUntil = now + dice.between(1, 60);
}

/** A location is added, or left and taken again. */
function moveLocation(world: World, workload: Workload, now: number): void {
  const { dice, locations } = world;
  const { sites } = workload;
  const free = locations.find((name) => sites.every(({ location }) => location !== name));
  if (free !== undefined) {
    const site = newSite(workload.name, free, sites[0]?.boot ?? 1);
    sites.push(site);
    return enter(world, workload, site, now);
  }
  const site = dice.pick(nonEmpty(sites));
  if (!isListedBeside(world, workload, [site])) return;
  leave(site);
  later(world, now + dice.between(5, 60), (at) => enter(world, workload, site, at));
}

/** A list that is suddenly empty proves nothing, so something else of the GVC must be there. */
function isListedBeside({ workloads }: World, { gvc }: Workload, sites: readonly Site[]): boolean {
  return workloads.some(
    (one) => one.gvc === gvc && one.sites.some((site) => site.listed && !sites.includes(site)),
  );
}

function leave(site: Site): void {
  site.listed = false;
  site.lostAt = undefined;
  site.rollout = undefined;
  site.appliedAt = undefined;
  site.breakage = undefined;
  site.suspended = false;
  site.comesUp = false;
  site.versions = [];
  site.wanted = 0;
}

function enter(world: World, workload: Workload, site: Site, now: number): void {
  if (workload.deleted || (site.listed && site.versions.length > 0)) return;
  const { dice } = world;
  leave(site);
  site.listed = true;
  site.wanted = workload.wanted;
  site.processed = 0;
  site.beyond = 0;
  begin(site, {
    workload: workload.version,
    gvc: workload.gvc.version,
    appliesAt: now + dice.between(0, 2),
    style: 'surge',
    pace: workload.pace,
    dns: 0,
    fault: dice.chance(0.2) ? faultOf(world) : undefined,
  });
}

/** Deleted, and most of the time made again under the same name. */
function recreate(world: World, workload: Workload, now: number): void {
  const { dice } = world;
  if (!isListedBeside(world, workload, workload.sites)) return;
  workload.deleted = true;
  for (const site of workload.sites) leave(site);
  if (dice.chance(0.3)) return;
  later(world, now + dice.between(3, 60), (at) => {
    workload.deleted = false;
    workload.version = 1;
    for (const site of workload.sites) enter(world, workload, site, at);
  });
}

/** A new version of the GVC rolls every workload again, one after the other. */
function reroll(world: World, gvc: Gvc, now: number): void {
  const { dice, workloads } = world;
  gvc.version += 1;
  const version = gvc.version;
  const span = dice.pick([0, 3, 20, 45]);
  const badForAll = dice.chance(0.1) ? faultOf(world) : undefined;
  const own = workloads.filter((one) => one.gvc === gvc && one.kind !== 'cron');
  for (const workload of own) {
    const bad = badForAll ?? (dice.chance(0.12) ? faultOf(world) : undefined);
    const style = styleOf(world, workload);
    later(world, now + dice.between(0, span), (at) => {
      for (const site of workload.sites) {
        if (!site.listed || site.suspended || site.wanted === 0) continue;
        const fault = site.rollout?.fault ?? bad;
        const about = { workload: site.expected, gvc: version, style, pace: workload.pace };
        begin(site, { ...about, appliesAt: at, dns: 0, fault });
      }
    });
  }
}

interface Loss {
  readonly location: string;
  /** Of these workloads alone. */
  readonly only?: ReadonlySet<string>;
  readonly at: number;
  readonly lasts: number;
}

/** A location stops reporting: within the life, or so long before it that its records are dropped in it. */
function planLoss(world: World, location: string, until: number): void {
  const { dice } = world;
  const before = dice.chance(0.3);
  const at = before
    ? dice.between(60, until) - DROPPED_AFTER
    : dice.between(-STALE_AFTER, until - STALE_AFTER);
  loseAt(world, { location, at, lasts: before ? Infinity : dice.pick([30, 60, 120, Infinity]) });
}

function loseAt(world: World, { location, only, at, lasts }: Loss): void {
  const sites = world.workloads
    .filter(({ name, kind }) => kind !== 'cron' && (only === undefined || only.has(name)))
    .flatMap((workload) => workload.sites)
    .filter((site) => site.location === location);
  for (const site of sites) {
    later(world, at, () => (site.lostAt = site.listed ? at : undefined));
    later(world, at + lasts, () => (site.lostAt = undefined));
    later(world, at + DROPPED_AFTER, () => {
      if (site.lostAt !== undefined) leave(site);
    });
  }
}

function failJobs({ dice }: World, { jobs }: Workload, now: number): void {
  const lasts = dice.between(5, 120);
  const everywhere = dice.chance(0.5);
  for (const [index, job] of jobs.entries()) {
    if (!everywhere && index > 0) continue;
    job.failsFrom = now;
    job.failsUntil = now + lasts;
  }
}
