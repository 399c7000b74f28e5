import { servesAll, type Level } from './impact.ts';
import { isAside, isUnknown, type Location } from './location.ts';
import { begunAt, FLAPS_FROM, lasted, lastHour, span, type PollTime } from './spans.ts';
import {
  changeLocations,
  copyOf,
  isCall,
  namesOf,
  post,
  remember,
  type Call,
  type Episode,
  type Event,
  type Leaver,
  type Step,
  type Turn,
  type Word,
  type Workload,
} from './workload.ts';

/** The levels of the last ten minutes. A level 0 for longer is remembered as nothing. */
export function noteLevel(turn: Turn): void {
  const { workload, impact, time } = turn;
  const { level, settled } = impact;
  const { calmSince, trail: before = [[0, 0, 0]] } = workload;
  const step: Step = [time.now, level, settled];
  const last = before.at(-1);
  const isSame = last?.[1] === level && last[2] === settled;
  const grown = !time.inRow ? [step] : isSame ? before : [...before, step];
  const from = time.now - span(time, 'window');
  const first = Math.max(
    0,
    grown.findLastIndex(([at]) => at <= from),
  );
  const trail = grown.slice(first);
  const isCalm = trail.length === 1 && trail[0]?.[1] === 0 && trail[0][2] === 0;
  remember(turn, {
    trail: isCalm ? undefined : trail,
    calmSince: lasted(time, calmSince, 'window') ? undefined : calmSince,
  });
}

/** Milliseconds within the last ten minutes, and since the called level changed, that the level held. */
function heldFor(workload: Workload, time: PollTime, holds: (step: Step) => boolean): number {
  const { trail = [], episode } = workload;
  const changedAt = Math.max(episode?.calledAt ?? 0, workload.calmSince ?? 0);
  const from = Math.max(time.now - span(time, 'window'), changedAt);
  return trail.reduce((sum, step, place) => {
    const until = trail[place + 1]?.[0] ?? time.now;
    return holds(step) ? sum + Math.max(0, until - Math.max(step[0], from)) : sum;
  }, 0);
}

/** Since when the level holds on end; undefined when it does not hold now. */
function heldSince({ trail = [] }: Workload, holds: (step: Step) => boolean): number | undefined {
  const firstOut = trail.findLastIndex((step) => !holds(step));
  return trail[firstOut + 1]?.[0];
}

/** Whether people are to be called about the level (design section 4.3, "Rise"). */
export function isRiseDue({ workload, impact, time }: Turn): boolean {
  const { level, settled } = impact;
  const called = workload.episode?.called ?? 0;
  const least = Math.max(2, called + 1);
  const confirmed = heldFor(workload, time, (step) => step[2] >= least) >= span(time, 'confirm');
  if (settled >= least && confirmed) return true;
  if (level >= least) {
    const since = heldSince(workload, (step) => step[1] >= least);
    if (lasted(time, since, 'slow')) return true;
  }
  const reduced = heldSince(workload, (step) => step[2] >= 1);
  return called === 0 && settled >= 1 && lasted(time, reduced, 'slow');
}

/** While it flaps and hurts it calls once an hour. */
export function isHourlyCallDue({ workload: { episode }, impact, time }: Turn): boolean {
  return episode?.flaps === true && impact.level >= 2 && lasted(time, episode.lastCallAt, 'flap');
}

/** The outcome word of a call: by what the sick locations were before. */
export function wordOfCall({ locations }: Workload, sick: readonly string[]): Word {
  const of = sick.flatMap((name) => locations[name] ?? []);
  if (of.some(({ wasReady }) => wasReady)) return 'unhealthy';
  return of.some(({ state }) => state === 'failed') ? 'failed' : 'stuck';
}

/** A call about the workload now would mention people: the first one of its episode at level 2 or 3. */
export function mentionsAt({ calls = [] }: Workload, level: Level): true | undefined {
  return level >= 2 && !calls.some((one) => one.level >= 2) ? true : undefined;
}

const MAX_CALLS = 5;

/** A call states the level of this very moment. @param rises it counts towards flapping */
export function call(
  turn: Turn,
  word: Word,
  locations: readonly string[],
  { rises }: { rises: boolean },
): Event {
  const { impact, time } = turn;
  const { level, have, wanted, sick } = impact;
  const { episode: known, version } = turn.workload;
  if (rises) noteRise(turn);
  const flaps = isFlapping(turn) || known?.flaps === true ? true : undefined;
  const mentions = mentionsAt(turn.workload, level);
  const event = post(turn, 'call', word, { loud: true, locations, flaps });
  const cause = causeAt(turn.workload, locations);
  const { n, at } = event;
  const made: Call = {
    word,
    n,
    version,
    at,
    level,
    locations,
    have,
    wanted,
    cause,
    flaps,
    mentions,
  };
  event.call = made;
  closeCalls(turn);
  remember(turn, { calls: [...(turn.workload.calls ?? []), made].slice(-MAX_CALLS) });
  if (level === 0 && known === undefined) return event;
  const called = Math.max(level, known?.called ?? 0) as Level;
  const episode: Episode = {
    since: known?.since ?? time.now,
    called,
    calledAt: known?.called === called ? known.calledAt : time.now,
    lastCallAt: level < 2 && known !== undefined ? known.lastCallAt : time.now,
    sick: union(known?.sick ?? [], sick),
    wasAtZero: known?.wasAtZero,
    flaps,
  };
  remember(turn, { episode });
  return event;
}

/** A call is the end of the rollout that it names. */
export function endRollout(turn: Turn, { word, n, locations }: Event): void {
  if (word !== 'failed' && word !== 'stuck') return;
  const { ready: _, ...ends } = turn.workload.ends;
  remember(turn, {
    ends: { ...ends, [word]: n },
    ended: { ...turn.workload.ended, [word]: locations },
  });
}

function causeAt({ locations }: Workload, names: readonly string[]): string {
  return names.flatMap((name) => locations[name]?.cause ?? []).find((cause) => cause !== '') ?? '';
}

/** The calls of the episode whose level has changed, edited to say so. */
function closeCalls(turn: Turn): void {
  const { workload, impact, time } = turn;
  const calls = (workload.calls ?? []).map((one): Call => {
    const until = one.until ?? (one.level === impact.level ? undefined : time.now);
    return { ...one, until };
  });
  remember(turn, { calls });
  for (const one of calls) {
    const { word, n, version, locations, flaps, until } = one;
    if (until === undefined) continue;
    const edit = { loud: true, edit: true, call: one } as const;
    post(turn, 'call', word, { n, version, locations, flaps, ...edit });
  }
}

function noteRise(turn: Turn): void {
  const { workload, time } = turn;
  remember(turn, { rises: [...lastHour(time, workload.rises), time.now] });
}

function isFlapping({ workload, time }: Turn): boolean {
  return lastHour(time, workload.rises).length >= FLAPS_FROM;
}

/**
 * Keeps the account of the episode: its sick locations, and returns from level 0.
 * @returns whether this return is the third within an hour
 */
export function noteReturn(turn: Turn): boolean {
  const { episode } = turn.workload;
  const { level, sick } = turn.impact;
  if (episode === undefined) return false;
  const isReturn = episode.wasAtZero === true && level >= 2;
  const wasAtZero = level === 0 || (episode.wasAtZero === true && !isReturn) ? true : undefined;
  remember(turn, { episode: { ...episode, sick: union(episode.sick, sick), wasAtZero } });
  if (!isReturn) return false;
  noteRise(turn);
  return episode.flaps !== true && isFlapping(turn);
}

/** A lower level that has lasted ends the episode, or is taken over by an edit (design section 4.3, "Fall"). */
export function fall(turn: Turn): void {
  const { workload, impact, time, events } = turn;
  const { episode, locations } = workload;
  if (episode === undefined || events.some(isCall)) return;
  const { level } = impact;
  const isLower = level === 0 || (episode.flaps !== true && level < episode.called);
  if (!isLower || Object.values(locations).some(isOutOfSight)) {
    return remember(turn, { episode: { ...episode, belowSince: undefined } });
  }
  const belowSince = begunAt(time, episode.belowSince);
  if (!lasted(time, belowSince, episode.flaps ? 'flapCalm' : 'calm')) {
    return remember(turn, { episode: { ...episode, belowSince } });
  }
  if (level === 0) return end(turn);
  closeCalls(turn);
  const lower = { called: level, calledAt: time.now, belowSince: undefined };
  remember(turn, { episode: { ...episode, ...lower } });
}

/** It was sick when it was last known, and is not known now. */
function isOutOfSight(location: Location): boolean {
  return location.sick === true && (isUnknown(location) || location.missing === 1);
}

/** The end of an episode: recovered, or over without recovery. */
function end(turn: Turn): void {
  const { recovered, leavers } = endingOf(turn.workload);
  const loud = recovered.length > 0;
  const locations = loud ? recovered : leavers.map(({ location }) => location);
  const since = turn.workload.episode?.since;
  const word = loud ? 'recovered' : wordOfLeaving(leavers);
  post(turn, 'over', word, { loud, locations, recovered, leavers, since });
  closeEpisode(turn);
}

/** The episode is over; its calls say so. */
export function closeEpisode(turn: Turn): void {
  closeCalls(turn);
  remember(turn, { episode: undefined, calls: undefined, calmSince: turn.time.now });
}

/** Which of the sick locations serve all that they should now, and why the others are over. */
export function endingOf({ episode, locations }: Workload): {
  recovered: string[];
  leavers: Leaver[];
} {
  const sick = episode?.sick ?? [];
  const recovered = sick.filter((name) => servesAll(locations[name]));
  const leavers = sick
    .filter((name) => !recovered.includes(name))
    .map((location): Leaver => ({ location, why: reasonOf(locations[location]) }));
  return { recovered, leavers };
}

function reasonOf(location: Location | undefined): Leaver['why'] {
  if (location === undefined || location.state === 'gone') return 'gone';
  if (location.state === 'suspended') return 'suspended';
  return isUnknown(location) ? 'does not report' : 'scaled to zero';
}

function wordOfLeaving(leavers: readonly Leaver[]): Word {
  const reasons = new Set(leavers.map(({ why }) => why));
  if (reasons.has('suspended') || reasons.has('scaled to zero')) return 'suspended';
  return reasons.has('does not report') ? 'stale' : 'gone';
}

/** Remembers which locations serve too little, as long as they are known. */
export function noteSick(turn: Turn): void {
  const { workload, impact } = turn;
  const isNow = (name: string, one: Location): boolean =>
    impact.sick.includes(name) && !isAside(one);
  const changed = Object.entries(workload.locations)
    .filter(([, one]) => !isUnknown(one) && one.missing !== 1)
    .filter(([name, one]) => isNow(name, one) !== (one.sick === true))
    .map(([name]) => name);
  changeLocations(turn, changed, ({ sick, ...rest }) =>
    sick === true ? rest : { ...rest, sick: true },
  );
}

function union(some: readonly string[], more: readonly string[]): string[] {
  return [...new Set([...some, ...more])].toSorted();
}

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
