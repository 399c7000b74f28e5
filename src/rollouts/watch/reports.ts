import { eventOf } from './episode.ts';
import { servesAll, type Impact, type Locations } from './impact.ts';
import { isUnknown, type Location } from './location.ts';
import { lasted, span, type PollTime } from './spans.ts';
import { takeNumber, type Event, type Workload } from './workload.ts';

/** The third loss within an hour ends only after a longer time. */
const FLAPS_FROM = 3;

/**
 * No report: an episode of each location, whatever its version (design section 4.5). Locations that share a
 * moment share a message.
 */
export function withReports(
  before: Workload,
  impact: Impact,
  time: PollTime,
): { workload: Workload; events: Event[] } {
  let workload = withBack(before, time);
  const events: Event[] = [];
  const lost = namesOf(workload.locations, (one) => isLossDue(one, time));
  if (lost.length > 0) {
    const { workload: next, n } = takeNumber(workload, 'stale');
    workload = withLosses(next, lost, n, time);
    events.push({
      ...eventOf(workload, { word: 'stale', n, impact, time }),
      loud: true,
      calls: true,
      locations: lost,
    });
  }
  const dropped = namesOf(
    workload.locations,
    ({ state, report }) => state === 'gone' && report !== undefined,
  );
  const back = namesOf(workload.locations, (one) => isBack(one, time));
  for (const [report, locations] of [
    ['dropped', dropped],
    ['back', back],
  ] as const) {
    if (locations.length === 0) continue;
    const loud =
      report === 'back' &&
      impact.level < 2 &&
      locations.every((name) => servesAll(workload.locations[name]));
    // It reports again and is ill: that is the end of the loss, and no recovery.
    const word = report === 'dropped' ? 'gone' : loud ? 'recovered' : 'stale';
    const since = Math.min(
      ...locations.map((name) => workload.locations[name]?.report?.at ?? time.now),
    );
    const { workload: next, n } = takeNumber(workload, word);
    workload = changed(next, locations, (one) => ({ ...one, report: undefined }));
    events.push({
      ...eventOf(workload, { word, n, impact, time }),
      loud,
      locations,
      report,
      since,
    });
  }
  return { workload, events };
}

function isLossDue({ state, silentSince, report, served }: Location, time: PollTime): boolean {
  if (report !== undefined || silentSince === undefined) return false;
  if (state === 'stale') return lasted(time, silentSince, 'stale');
  return state === 'unknown' && served && lasted(time, silentSince, 'unknown');
}

function isBack({ report }: Location, time: PollTime): boolean {
  if (report?.backSince === undefined) return false;
  return lasted(time, report.backSince, report.flaps ? 'flapCalm' : 'calm');
}

/** Since when the lost locations report again. */
function withBack(workload: Workload, { now, inRow }: PollTime): Workload {
  const reporting = namesOf(
    workload.locations,
    (one) =>
      one.report !== undefined &&
      !isUnknown(one) &&
      one.state !== 'gone' &&
      one.missing === undefined,
  );
  return changed(workload, reporting, (one) => {
    const { report } = one;
    if (report === undefined) return one;
    const backSince = inRow ? (report.backSince ?? now) : now;
    return report.backSince === backSince ? one : { ...one, report: { ...report, backSince } };
  });
}

/** Marks locations as lost, and counts their losses within the last hour. */
function withLosses(
  before: Workload,
  lost: readonly string[],
  n: number,
  time: PollTime,
): Workload {
  const from = time.now - span(time, 'flap');
  const losses = Object.create(null) as Record<string, readonly number[]>;
  for (const [name, times] of Object.entries(before.losses ?? {})) {
    const kept = times.filter((at) => at > from);
    if (kept.length > 0) losses[name] = kept;
  }
  for (const name of lost) losses[name] = [...(losses[name] ?? []), time.now];
  const flaps = (name: string): true | undefined =>
    (losses[name] ?? []).length >= FLAPS_FROM ? true : undefined;
  const workload = changed({ ...before, losses }, lost, (one, name) => ({
    ...one,
    report: { n, at: time.now, flaps: flaps(name) },
  }));
  return workload;
}

export function changed(
  workload: Workload,
  names: readonly string[],
  change: (location: Location, name: string) => Location,
): Workload {
  if (names.length === 0) return workload;
  const locations = Object.assign(
    Object.create(null) as Record<string, Location>,
    workload.locations,
  );
  for (const name of names) {
    const one = locations[name];
    if (one !== undefined) locations[name] = change(one, name);
  }
  return { ...workload, locations };
}

function namesOf(
  locations: Locations,
  is: (location: Location, name: string) => boolean,
): string[] {
  return Object.entries(locations)
    .filter(([name, one]) => is(one, name))
    .map(([name]) => name)
    .toSorted();
}
