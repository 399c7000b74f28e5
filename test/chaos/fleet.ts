import { LOCATIONS, PLANS, reportOf, type PlanName, type Step } from './plans.ts';
import { createRandom, type Random } from './random.ts';

/** One GVC of the script. */
export interface GvcScript {
  name: string;
  workloads: number;
  /** By default two, at most five. */
  locations?: number;
  /** Everything in it does the same at the same moment: trouble of a whole location. */
  unison?: boolean;
  /** Nothing ever happens in this GVC, and nothing may be reported about it. */
  still?: boolean;
  channels: readonly string[];
}

/** Something that a channel has to be reported. */
export interface Expectation {
  channel: string;
  key: string;
  /** Milliseconds since the epoch of the first complete list that showed it. */
  since: number;
}

/**
 * How many lists in a row show a state before the next one comes. The longest span of the watch takes four
 * with the patience of the workers, and begins anew after a gap.
 */
const HOLD_LISTS = 8;

/** Workloads that go through a plan together. */
interface Group {
  gvc: GvcScript;
  workloads: readonly string[];
  version: number;
  /** The remaining steps. */
  plan: readonly Step[];
  /** Complete lists since. */
  lists: number;
  items: string[];
  unseen: Expectation[];
  /** Of its own: its steps do not depend on faults. */
  random: Random;
}

export interface FleetOptions {
  gvcs: readonly GvcScript[];
  /** The plans for a version, picked anew for each; if empty, only the opening is played. */
  plans: readonly PlanName[];
  /** The first steps, for the version that was found. */
  opening?: readonly Step[];
  /** How many groups of one GVC move at one list; by default all that can. */
  pace?: number;
}

export type Fleet = ReturnType<typeof createFleet>;

export function createFleet(options: FleetOptions, random: Random) {
  const { gvcs, opening = [], pace = Infinity } = options;
  const groups = new Map(gvcs.map((gvc) => [gvc.name, groupsOf(gvc, opening, random)]));
  const listed = new Map(gvcs.map((gvc) => [gvc.name, 0]));
  const expected: Expectation[] = [];
  let allowed = 0;
  let done = 0;

  function move(group: Group): void {
    if (group.plan.length === 0 && options.plans.length > 0) {
      group.plan = PLANS[group.random.pick(options.plans)];
      group.version += 1;
    }
    const [next, ...ahead] = group.plan;
    if (next === undefined) return;
    group.plan = ahead;
    if (next.isNext) group.version += 1;
    group.lists = 0;
    group.items = itemsOf(group, next.phases);
    group.unseen = group.workloads.flatMap((workload) =>
      group.gvc.channels.flatMap((channel) =>
        next.trigger.map((reported) => ({
          channel,
          key: `acme/${group.gvc.name}/${workload}/${group.version}/${reported}`,
          since: 0,
        })),
      ),
    );
    done += group.workloads.length;
  }

  function served(group: Group): void {
    for (const one of group.unseen) expected.push({ ...one, since: Date.now() });
    group.unseen = [];
    group.lists += 1;
  }

  function moveSome(gvc: GvcScript): void {
    if (gvc.still) return;
    const ripe = (groups.get(gvc.name) ?? []).filter((group) => group.lists >= HOLD_LISTS);
    const longestFirst = ripe.toSorted((left, right) => right.lists - left.lists);
    for (const group of longestFirst.slice(0, pace)) if (done < allowed) move(group);
  }

  const all = (): Group[] => [...groups.values()].flat();
  return {
    expected,
    items: (gvc: string) => groups.get(gvc)?.flatMap((group) => group.items),
    /** A complete list of the GVC was handed over: its contents may change after enough lists. */
    served: (gvc: string): void => {
      listed.set(gvc, (listed.get(gvc) ?? 0) + 1);
      for (const group of groups.get(gvc) ?? []) served(group);
      for (const script of gvcs) if (script.name === gvc) moveSome(script);
    },
    /** The workers that had the last lists may have died before they wrote the result. */
    unsettle(): void {
      for (const group of all()) group.lists = 0;
    },
    /** Lets so many transitions happen in all; none at first, so that everything is as it was found. */
    allow: (transitions: number): void => void (allowed = transitions),
    /** Transitions so far. */
    done: () => done,
    /** All that was allowed has happened and was seen. */
    settled: () => done >= allowed && all().every(({ lists }) => lists >= HOLD_LISTS),
    /** How often the lists of the GVC that was seen least were handed over. */
    leastServed: () => Math.min(...listed.values()),
  };
}

const MAX_SEED = 1_000_000;

function groupsOf(gvc: GvcScript, opening: readonly Step[], random: Random): Group[] {
  const names = Array.from({ length: gvc.workloads }, (_, index) => `w${index}`);
  return (gvc.unison ? [names] : names.map((name) => [name])).map((workloads, index) => {
    const group: Group = {
      gvc,
      workloads,
      version: 1,
      plan: opening,
      lists: 0,
      items: [],
      unseen: [],
      random: createRandom(random.whole(MAX_SEED)),
    };
    group.items = itemsOf(group, gvc.still ? STILL[index % STILL.length] : READY);
    return group;
  });
}

const READY: Step['phases'] = ['ready', 'ready'];
/** States that a first poll can find, and adopts: no rollout under way, which would be stuck later. */
const STILL: readonly Step['phases'][] = [
  READY,
  ['broken', 'broken'],
  ['stale', 'ready'],
  ['suspended', 'suspended'],
  ['ready', 'broken'],
];

function itemsOf(group: Group, phases = READY): string[] {
  return group.workloads.flatMap((workload) =>
    LOCATIONS.slice(0, group.gvc.locations ?? 2).flatMap((location, index) => {
      const phase = phases[index === 1 ? 1 : 0];
      return phase === 'absent' ? [] : [reportOf(workload, location, group.version, phase)];
    }),
  );
}
