import { DAY_MS } from '../../lib/time.ts';
import type { Locations } from './impact.ts';
import { isKnown, isUnknown, type Location } from './location.ts';
import { begunAt, lasted, type PollTime } from './spans.ts';
import { namesOf, numbersFor, type Spec, type Workload } from './workload.ts';

/** The rollout that the locations are on. */
interface Target {
  version: number;
  gvc: number;
}

/**
 * The newest version over the locations that report, and the highest GVC version of its entries. Locations
 * without a report may hold an older answer.
 */
function targetOf(locations: Locations, before: Workload | undefined): Target {
  const all = Object.values(locations);
  const reporting = all.filter(
    (one) => !isUnknown(one) && one.state !== 'gone' && one.state !== 'cron',
  );
  if (reporting.length === 0 && before !== undefined && before.version > 0) return before;
  const listed = reporting.length > 0 ? reporting : all;
  if (listed.length === 0) return { version: 0, gvc: 0 };
  const version = Math.max(...listed.map((one) => one.version));
  const gvcs = listed.filter((one) => one.version === version).map(({ gvc }) => gvc);
  return { version, gvc: Math.max(0, ...gvcs) };
}

/** The workload at the rollout of its locations; `closed` is the one that a newer one has ended. */
export function atTarget(
  before: Workload | undefined,
  locations: Locations,
  time: PollTime,
  adopting: boolean,
): { workload: Workload; opened: boolean; closed?: Workload } {
  const { version, gvc } = targetOf(locations, before);
  if (before === undefined || adopting) {
    // Of a GVC that was watched before the numbers are known.
    const numbers = before === undefined ? { numbers: {} } : numbersFor(version, before);
    const found: Workload = { version, gvc, ends: {}, ...numbers, locations };
    return adopting || version === 0
      ? { workload: adopted(found, time), opened: false }
      : { workload: begun(found, time), opened: true };
  }
  const rolled = version === before.version && gvc > before.gvc && before.gvc > 0;
  if (version === before.version && !rolled) {
    const awaitedSince = before.awaitedSince && begunAt(time, before.awaitedSince);
    const highest = Math.max(gvc, before.gvc);
    return { workload: { ...before, gvc: highest, awaitedSince, locations }, opened: false };
  }
  const next: Workload = {
    ...before,
    version,
    gvc,
    ...numbersFor(version, before),
    ends: {},
    ended: undefined,
    calls: before.episode === undefined ? undefined : before.calls,
    card: undefined,
    postAsCard: undefined,
    print: undefined,
    readyAt: undefined,
    rolled: rolled ? true : undefined,
    spec: undefined,
    specBefore: before.ends.ready === undefined ? before.specBefore : before.spec,
    locations,
  };
  const hadOpenCard = before.card !== undefined && before.ends.ready === undefined;
  return {
    workload: begun(next, time),
    opened: !rolled && version > 0,
    ...(hadOpenCard ? { closed: before } : {}),
  };
}

function begun(workload: Workload, { now }: PollTime): Workload {
  return { ...workload, startedAt: now, awaitedSince: now };
}

/** A rollout at rest counts as posted, as ready or as failed; one under way is followed. */
function adopted(workload: Workload, { now }: PollTime): Workload {
  const inPlay = Object.values(workload.locations).filter(isKnown);
  const failed = inPlay.some((one) => one.state === 'failed');
  const ready = inPlay.every((one) => one.wasReady && one.version === workload.version);
  if (ready) return { ...workload, ends: { ready: 0 } };
  return { ...workload, ends: failed ? { failed: 0 } : {}, awaitedSince: now };
}

/** Every location in play is ready at this version, and at least one is (design section 4.4). */
export function isReady({ locations, version, gvc }: Workload, time: PollTime): boolean {
  const all = Object.values(locations);
  const inPlay = all.filter(isKnown);
  const holdsBack = (one: Location): boolean =>
    one.state === 'gone' && one.leftUnready === true && !lasted(time, one.since, 'left');
  return (
    inPlay.length > 0 &&
    inPlay.every((one) => one.state === 'ready' && isReached(one, { version, gvc })) &&
    !all.some(holdsBack)
  );
}

/** The location is at this version of the workload, and of the GVC where it states one. */
function isReached(location: Location, { version, gvc }: Target): boolean {
  return location.version === version && (location.gvc === 0 || location.gvc >= gvc);
}

/** Locations that failed at this version without having been ready at it, in two polls in a row. */
export function failedAt({ locations, version }: Workload): string[] {
  return namesOf(
    locations,
    (one) => one.version === version && one.failed === 2 && !one.wasReady && one.state === 'failed',
  ).toSorted();
}

/** Locations without a new maximum for ten minutes, or with a cause that only people can remove. */
export function stuckAt(workload: Workload, time: PollTime): string[] {
  const { locations, version, awaitedSince } = workload;
  return namesOf(locations, (one) => {
    if (!isKnown(one)) return false;
    if (!isReached(one, workload))
      return one.version <= version && lasted(time, awaitedSince, 'stuck');
    if (one.wasReady || (one.state !== 'deploying' && one.state !== 'pending')) return false;
    return (
      lasted(time, one.movedAt ?? awaitedSince, 'stuck') || lasted(time, one.fatalSince, 'fatal')
    );
  }).toSorted();
}

/** Going back is an answer to a rollout of the last day. */
function isOfLastDay({ startedAt }: Workload, now: number): boolean {
  return startedAt !== undefined && now - startedAt <= DAY_MS;
}

/** The version to which a rollout can go back; undefined where the GVC has changed and not the version. */
export function versionBefore(
  workload: Workload,
  now: number,
  version = workload.version,
): number | undefined {
  const { rolled, specBefore, locations } = workload;
  if (rolled === true || !isOfLastDay(workload, now)) return undefined;
  const serves = Object.values(locations).flatMap(({ others = [] }) => others.map(([one]) => one));
  return [...serves, specBefore?.version ?? 0].find((one) => one > 0 && one < version);
}

/** The version of the GVC that has rolled the workload anew within the last day. */
export function rolledBy(workload: Workload, now: number): number | undefined {
  return workload.rolled === true && isOfLastDay(workload, now) ? workload.gvc : undefined;
}

/** The containers of the version, once they are listed. */
export function withSpec(workload: Workload, containers: Spec['containers']): Workload {
  if (containers.length === 0 || workload.spec !== undefined) return workload;
  const all = Object.values(workload.locations).filter(({ state }) => state !== 'gone');
  const replicas = all.every(isKnown)
    ? all.reduce((sum, { wanted }) => sum + wanted, 0)
    : undefined;
  return { ...workload, spec: { version: workload.version, containers, replicas } };
}
