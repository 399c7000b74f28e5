import type { Deployment } from '../../platform/deployments/deployment.ts';
import type { GvcState } from './advance.ts';
import { readFacts, type Serving } from './facts.ts';
import { impactOf, type Impact, type Locations } from './impact.ts';
import { isKnown, nextLocation, STATES, type Location, type State } from './location.ts';
import { lasted, type PollTime } from './spans.ts';
import { copyOf, own, type Workload } from './workload.ts';

/** A workload in one location, for people. */
export interface LocationStatus extends Pick<
  Location,
  'state' | 'version' | 'have' | 'fresh' | 'wanted'
> {
  workload: string;
  location: string;
  /** Other versions that serve, the newest first. */
  others: readonly Serving[];
  /** The cause of its trouble, or its own message; '' without one. */
  cause: string;
  /** When the state began, in milliseconds since the epoch; absent: never seen before. */
  since?: number | undefined;
  restarts: number;
  /** The version that it reports though another one is expected, for long (design section 4.2). */
  diverged?: number | undefined;
  /** The GVC version that it still runs while the GVC has a newer one. */
  oldGvc?: number | undefined;
}

/** A workload, for people: cards, `/deployments` and Home agree by this. */
export interface WorkloadStatus {
  workload: string;
  /** The first state of the table that a location has. */
  state: State;
  /** The newest expected version; 0 = unset. */
  version: number;
  impact: Impact;
  /** The worst first. */
  rows: readonly LocationStatus[];
}

/** The state of a location as its workload counts it: one that the version has not reached is pending. */
export function stateAt(
  { state, version }: Pick<Location, 'state' | 'version'>,
  newest: number,
): State {
  return state === 'ready' && version < newest ? 'pending' : state;
}

/** The state word of a workload: the first of the table that one of its locations has. */
export function stateWord({ locations, version }: Pick<Workload, 'locations' | 'version'>): State {
  const states = new Set(Object.values(locations).map((one) => stateAt(one, version)));
  return STATES.find((state) => states.has(state)) ?? 'unknown';
}

/** Compares by state, the worst first. */
export function byState(a: { state: State }, b: { state: State }): number {
  return STATES.indexOf(a.state) - STATES.indexOf(b.state);
}

const QUIET: ReadonlySet<State> = new Set(['ready', 'suspended', 'idle', 'cron']);
const ON_THE_WAY: ReadonlySet<State> = new Set(['deploying', 'pending']);
/** A message of the others is no cause: it names the state once more. */
export const EXPLAINED: ReadonlySet<State> = new Set([
  'failed',
  'unhealthy',
  'deploying',
  'pending',
  'ready',
]);

/** Of a location alone. */
export function isQuiet({ state }: { state: State }): boolean {
  return QUIET.has(state);
}

/** Nothing is wrong and nothing is on its way. */
export function isGreen({ state, impact }: Pick<WorkloadStatus, 'state' | 'impact'>): boolean {
  return impact.level === 0 && QUIET.has(state);
}

/** A rollout without impact. */
export function isMoving({ state, impact }: Pick<WorkloadStatus, 'state' | 'impact'>): boolean {
  return impact.level === 0 && ON_THE_WAY.has(state);
}

/** Workloads as the last complete poll left them; without those that are gone. */
export function rememberedStatuses({ workloads }: GvcState, time: PollTime): WorkloadStatus[] {
  const newest = newestGvc(Object.values(workloads).map(({ locations }) => locations));
  return Object.entries(workloads).flatMap(([name, { locations }]) =>
    statusIn(name, locations, time, newest),
  );
}

function newestGvc(all: readonly Locations[]): number {
  const present = all.flatMap((one) => Object.values(one)).filter(({ state }) => state !== 'gone');
  return Math.max(0, ...present.map(({ gvc }) => gvc));
}

/** A list that was read outside the polls. */
export interface FreshList {
  deployments: readonly Deployment[];
  /** `workload/location` */
  unreadable: readonly string[];
  unidentified: number;
  /** The one workload that was asked for; absent: all of the GVC. */
  workload?: string | undefined;
}

/**
 * Workloads as a list has them now. Each record follows its remembered state; one that cannot be read keeps
 * its facts. In a GVC without a poll everything is taken as it is.
 */
export function freshStatuses(list: FreshList, known: GvcState, time: PollTime): WorkloadStatus[] {
  const found = unreadIn(list, known);
  const adopting = known.meta === undefined;
  for (const deployment of list.deployments) {
    const { workload, location } = deployment;
    const before = own(own(known.workloads, workload)?.locations ?? {}, location);
    const next = nextLocation(readFacts(deployment), before, time, adopting);
    const locations = found.get(workload) ?? copyOf<Location>({});
    locations[location] = before === undefined ? { ...next, since: 0 } : next;
    found.set(workload, locations);
  }
  const others = Object.entries(known.workloads).filter(([name]) => !found.has(name));
  const newest = newestGvc([...found.values(), ...others.map(([, { locations }]) => locations)]);
  return [...found].flatMap(([name, locations]) => statusIn(name, locations, time, newest));
}

/** The state of a report by itself, without a memory. */
export function stateAlone(deployment: Deployment): State {
  const time: PollTime = { now: 0, previousAt: 0, inRow: false, patience: 1 };
  return nextLocation(readFacts(deployment), undefined, time, true).state;
}

/** The remembered state of records that are there, or may be there, and were not read. */
function unreadIn(
  { deployments, unreadable, unidentified, workload }: FreshList,
  { workloads }: GvcState,
): Map<string, Record<string, Location>> {
  const seen = new Set(deployments.map((one) => `${one.workload}/${one.location}`));
  const unread = new Map<string, Record<string, Location>>();
  if (unreadable.length + unidentified === 0) return unread;
  for (const [name, { locations }] of Object.entries(workloads)) {
    if ((workload ?? name) !== name) continue;
    const kept = Object.entries(locations).filter(([location]) => {
      const key = `${name}/${location}`;
      return !seen.has(key) && (unidentified > 0 || unreadable.includes(key));
    });
    if (kept.length > 0) {
      unread.set(name, copyOf(Object.fromEntries(kept)));
    }
  }
  return unread;
}

function statusIn(
  workload: string,
  locations: Locations,
  time: PollTime,
  newest: number,
): WorkloadStatus[] {
  const rows = Object.entries(locations)
    .filter(([, { state }]) => state !== 'gone')
    .map(([name, location]) => rowOf(workload, name, location, { time, newest }))
    .toSorted(byState);
  if (rows.length === 0) return [];
  const version = Math.max(...rows.map((row) => row.version));
  const state = stateWord({ locations, version });
  return [{ workload, state, version, impact: impactOf(locations, time), rows }];
}

function rowOf(
  workload: string,
  name: string,
  location: Location,
  { time, newest }: { time: PollTime; newest: number },
): LocationStatus {
  const { state, version, have, fresh, wanted, others = [], since, counts = [] } = location;
  const { apart, gvc } = location;
  return {
    workload,
    location: name,
    state,
    version,
    have,
    fresh,
    wanted,
    others,
    cause: EXPLAINED.has(state) ? (location.cause ?? '') : '',
    since: since > 0 ? since : undefined,
    restarts: counts.reduce((sum, [, count]) => sum + count, 0),
    diverged: lasted(time, apart?.since, 'diverged') ? apart?.version : undefined,
    oldGvc: isKnown(location) && gvc > 0 && gvc < newest ? gvc : undefined,
  };
}
