import { createDice, type Dice } from './dice.ts';
import { newSite, settle, step, type Site } from './site.ts';
import { type Dialect } from './status.ts';

/** An org in small, with all that happens in it. Times are minutes from the beginning of the life. */
export interface World {
  readonly dice: Dice;
  readonly dialect: Dialect;
  readonly org: string;
  readonly locations: readonly [string, ...string[]];
  readonly gvcs: readonly Gvc[];
  readonly workloads: readonly Workload[];
  /** Everything that is due later, in any order. */
  agenda: { readonly at: number; readonly run: (now: number) => void }[];
}

export interface Gvc {
  readonly name: string;
  version: number;
}

export interface Workload {
  readonly name: string;
  readonly gvc: Gvc;
  readonly kind: 'service' | 'stateful' | 'cron';
  readonly sites: Site[];
  readonly zones: boolean;
  /** Minutes from one new replica of a rollout to the next. */
  readonly pace: number;
  version: number;
  wanted: number;
  deleted: boolean;
  readonly jobs: Job[];
}

/** The runs of a cron workload in one location. */
export interface Job {
  readonly location: string;
  readonly every: number;
  readonly lasts: number;
  readonly offset: number;
  /** Runs fail from then on, until then. */
  failsFrom: number;
  failsUntil: number;
}

/** The most workloads, locations and GVCs of a life. */
const NAMES = ['lima', 'oslo', 'kyiv'] as const;
const MOST_WORKLOADS = 30;

export function createWorld(seed: number): World {
  const dice = createDice(seed);
  const locations = NAMES.slice(0, dice.between(1, NAMES.length)) as [string, ...string[]];
  const count = dice.chance(0.15) ? dice.between(5, MOST_WORKLOADS) : dice.between(1, 4);
  const gvcs = ['shop', 'data', 'edge'].slice(0, Math.min(count, dice.pick([1, 1, 1, 2, 3])));
  const world: World = {
    dice,
    dialect: dialectOf(dice),
    org: 'acme',
    locations,
    gvcs: gvcs.map((name) => ({ name, version: dice.between(1, 9) })),
    workloads: [],
    agenda: [],
  };
  const workloads = Array.from({ length: count }, (_, index) => workloadOf(world, index));
  return { ...world, workloads };
}

function dialectOf(dice: Dice): Dialect {
  return {
    statesScale: dice.chance(0.8),
    versionsScale: dice.chance(0.5),
    servesEarly: dice.chance(0.5),
    omitsFalse: dice.chance(0.3),
    scalesReady: dice.chance(0.5),
    cronReady: dice.chance(0.5),
  };
}

function workloadOf({ dice, gvcs, locations }: World, index: number): Workload {
  const kind = dice.weighted({ service: 75, stateful: 15, cron: index === 0 ? 0 : 10 });
  const own = dice.chance(0.7)
    ? locations
    : locations.filter((_, at) => at === 0 || dice.chance(0.5));
  const gvc = gvcs[index % gvcs.length] ?? { name: 'shop', version: 1 };
  const version = dice.between(3, 40);
  const wanted = dice.pick([1, 1, 2, 2, 3, 3, 4, 6, 10]);
  const boot = dice.between(1, kind === 'stateful' ? 8 : 3);
  const sites = own.map((location) => {
    const site = newSite(`app${index + 1}`, location, boot);
    settle(site, { workload: version, gvc: gvc.version, wanted });
    return site;
  });
  return {
    name: `app${index + 1}`,
    gvc,
    kind,
    sites,
    zones: dice.chance(0.15),
    pace: kind === 'stateful' ? dice.between(2, 14) : dice.pick([1, 1, 1, 2, 3, 5]),
    version,
    wanted,
    deleted: false,
    jobs: kind === 'cron' ? own.map((location) => jobOf(dice, location)) : [],
  };
}

function jobOf(dice: Dice, location: string): Job {
  const every = dice.pick([5, 15, 60]);
  const times = { lasts: dice.between(1, 3), offset: dice.between(0, every - 1) };
  return { location, every, ...times, failsFrom: Infinity, failsUntil: Infinity };
}

export function later(world: World, at: number, run: (now: number) => void): void {
  world.agenda.push({ at, run });
}

/** Everything that is due at this minute, and then a minute of every site. */
export function tick(world: World, now: number): void {
  for (;;) {
    const due = world.agenda.filter(({ at }) => at <= now);
    if (due.length === 0) break;
    world.agenda = world.agenda.filter(({ at }) => at > now);
    for (const { run } of due) run(now);
  }
  for (const { kind, sites } of world.workloads) {
    if (kind !== 'cron') for (const site of sites) step(site, now);
  }
}
