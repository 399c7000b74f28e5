import { episodeOf, locationsIn, TROUBLE } from './episode.ts';
import type { Told } from './outcomes.ts';
import type { Scene } from './scene.ts';

/** A location in trouble, as a poll leaves it. Which locations are, and when, is given to the model. */
export interface Incident {
  id: string;
  location: string;
  closedAt: number | null;
  /** The workloads that were in trouble there since it opened. */
  members: readonly string[];
}

/** What a workload has to do with them. */
export interface Around {
  workload: string;
  /** All so far, as this poll leaves them and as the one before did. */
  after: readonly Incident[];
  before: readonly Incident[];
}

/** What has been told of a rollout, all before the last of its scenes. */
interface Past {
  run: readonly Scene[];
  ofRun: readonly Told[];
}

const LOUD: readonly string[] = [...TROUBLE, 'ready', 'recovered'];

/**
 * Names the incident that tells each outcome of a poll, where one does (ADR 11, "Location").
 * @param told what the poll tells, if the workload does not flap
 */
export function withTellers(told: readonly Told[], past: Past, around: Around): Told[] {
  const { run, ofRun } = past;
  const since = episodeOf(run)[0]?.at ?? 0;
  const earlier = ofRun.filter(({ at }) => at >= since);
  const named: Told[] = [];
  for (const one of told) {
    const isNews = !ofRun.some(({ kind, n }) => kind === one.kind && n >= one.n);
    const by = isNews ? tellerOf(one, [...earlier, ...named], past, around) : undefined;
    named.push(by === undefined ? one : { ...one, by });
  }
  return named;
}

/** Incidents told all that a poll brought. */
export function isToldWhole(log: readonly Told[], at: number): boolean {
  const loud = log.filter((one) => one.at === at && LOUD.includes(one.kind));
  return loud.length > 0 && loud.every(({ by }) => by !== undefined);
}

/** @param episode what was told since the ready condition was lost */
function tellerOf(
  one: Told,
  episode: readonly Told[],
  past: Past,
  around: Around,
): string | undefined {
  const last = episode.findLast(({ by }) => by !== undefined)?.by;
  if (TROUBLE.some((kind) => kind === one.kind)) {
    const { rows } = past.run.at(-1) as Scene;
    const isSick = (location: string): boolean =>
      TROUBLE.some((kind) => kind === rows.get(location)?.state);
    const open = around.after.filter(({ closedAt }) => closedAt === null || closedAt === one.at);
    const there = one.locations
      .filter(isSick)
      .flatMap((location) => open.filter((incident) => incident.location === location));
    return [...there, ...open.filter(({ id }) => id === last)][0]?.id;
  }
  if (!LOUD.includes(one.kind)) return undefined;
  const incident =
    around.after.find(({ id }) => id === last) ??
    around.before.find(
      ({ closedAt, members }) => closedAt === null && members.includes(around.workload),
    );
  return incident !== undefined && isAllOf(incident, episode, past) ? incident.id : undefined;
}

/** All trouble of the episode was told by incidents, or was where this one is. */
function isAllOf({ location }: Incident, episode: readonly Told[], { run, ofRun }: Past): boolean {
  const now = run.at(-1) as Scene;
  const settled = ofRun.findLast((one) => one.settled && one.at < now.at)?.at ?? 0;
  const scenes = episodeOf(run).filter(({ at }) => at >= settled && at < now.at);
  const kinds = TROUBLE.filter((kind) => episode.some((one) => one.kind === kind));
  const isOfIt = (kind: (typeof TROUBLE)[number]): boolean => {
    const n = episode.findLast((one) => one.kind === kind)?.n;
    const told = episode.some((one) => one.kind === kind && one.n === n && one.by !== undefined);
    return told || locationsIn(scenes, kind).every((place) => place === location);
  };
  return kinds.length > 0 && kinds.every(isOfIt);
}
