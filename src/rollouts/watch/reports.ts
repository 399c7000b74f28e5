import { servesAll } from './impact.ts';
import { isUnknown, type Location } from './location.ts';
import { begunAt, FLAPS_FROM, lasted, lastHour, type PollTime } from './spans.ts';
import { changeLocations, copyOf, namesOf, post, remember, type Turn } from './workload.ts';

/**
 * No report: an episode of each location, whatever its version (design section 4.5). Locations that share a
 * moment share a message.
 */
export function reports(turn: Turn): void {
  const { time } = turn;
  noteBack(turn);
  const lost = sortedNames(turn, (one) => isLossDue(one, time));
  if (lost.length > 0) {
    const { n } = post(turn, 'lost', 'stale', { loud: true, locations: lost });
    noteLosses(turn, lost, n);
  }
  const dropped = sortedNames(turn, (one) => one.state === 'gone' && one.report !== undefined);
  endLoss(turn, 'dropped', dropped);
  endLoss(
    turn,
    'back',
    sortedNames(turn, (one) => isBack(one, time)),
  );
}

function sortedNames({ workload }: Turn, is: (location: Location) => boolean): string[] {
  return namesOf(workload.locations, is).toSorted();
}

function endLoss(turn: Turn, what: 'dropped' | 'back', names: readonly string[]): void {
  if (names.length === 0) return;
  const { impact, time } = turn;
  const found = names.flatMap((name) => turn.workload.locations[name] ?? []);
  const loud = what === 'back' && impact.level < 2 && found.every(servesAll);
  // It reports again and is ill: that is the end of the loss, and no recovery.
  const word = what === 'dropped' ? 'gone' : loud ? 'recovered' : 'stale';
  const since = Math.min(...found.map((one) => one.report?.at ?? time.now));
  post(turn, what, word, { loud, locations: names, since });
  changeLocations(turn, names, (one) => ({ ...one, report: undefined }));
}

function isLossDue({ state, silentSince, report, served }: Location, time: PollTime): boolean {
  if (report !== undefined || silentSince === undefined) return false;
  if (state === 'stale') return lasted(time, silentSince, 'stale');
  return state === 'unknown' && served && lasted(time, silentSince, 'unknown');
}

function isBack({ report }: Location, time: PollTime): boolean {
  return lasted(time, report?.backSince, report?.flaps ? 'flapCalm' : 'calm');
}

/** Since when the lost locations report again. */
function noteBack(turn: Turn): void {
  const reporting = namesOf(turn.workload.locations, (one) => {
    const isSilent = isUnknown(one) || one.state === 'gone' || one.missing !== undefined;
    return one.report !== undefined && !isSilent;
  });
  changeLocations(turn, reporting, ({ report, ...one }) => ({
    ...one,
    report: report && { ...report, backSince: begunAt(turn.time, report.backSince) },
  }));
}

/** Marks locations as lost, and counts their losses within the last hour. */
function noteLosses(turn: Turn, lost: readonly string[], n: number): void {
  const { time } = turn;
  const losses = copyOf<readonly number[]>({});
  for (const [name, times] of Object.entries(turn.workload.losses ?? {})) {
    const kept = lastHour(time, times);
    if (kept.length > 0) losses[name] = kept;
  }
  for (const name of lost) {
    const times = [...(losses[name] ?? []), time.now];
    const flaps = times.length >= FLAPS_FROM ? true : undefined;
    losses[name] = times;
    changeLocations(turn, [name], (one) => ({ ...one, report: { n, at: time.now, flaps } }));
  }
  remember(turn, { losses });
}
