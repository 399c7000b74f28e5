import { servesAll, type Impact, type Level } from './impact.ts';
import { isAside, isUnknown, type Location } from './location.ts';
import { lasted, span, type PollTime } from './spans.ts';
import {
  takeNumber,
  type Call,
  type Episode,
  type Event,
  type Leaver,
  type Step,
  type Word,
  type Workload,
} from './workload.ts';

/** The levels of the last ten minutes. A level 0 for longer is remembered as nothing. */
export function withTrail(
  workload: Workload,
  { level, settled }: Impact,
  time: PollTime,
): Workload {
  const step: Step = [time.now, level, settled];
  const before: readonly Step[] = workload.trail ?? [[0, 0, 0]];
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
  const { calmSince } = workload;
  const isOld = lasted(time, calmSince, 'window');
  return {
    ...workload,
    trail: isCalm ? undefined : trail,
    calmSince: isOld ? undefined : calmSince,
  };
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
export function isRiseDue(workload: Workload, { level, settled }: Impact, time: PollTime): boolean {
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
export function isHourlyCallDue({ episode }: Workload, { level }: Impact, time: PollTime): boolean {
  return episode?.flaps === true && level >= 2 && lasted(time, episode.lastCallAt, 'flap');
}

/** The outcome word of a call: by what the sick locations were before. */
export function wordOfCall({ locations }: Workload, sick: readonly string[]): Word {
  const of = sick.flatMap((name) => locations[name] ?? []);
  if (of.some(({ wasReady }) => wasReady)) return 'unhealthy';
  return of.some(({ state }) => state === 'failed') ? 'failed' : 'stuck';
}

/** The content of a call. */
interface CallOptions {
  word: Word;
  locations: readonly string[];
  impact: Impact;
  /** It counts towards flapping. */
  rises: boolean;
}

const FLAPS_FROM = 3;

/** Posts a call, which states the level of this very moment. */
export function withCall(
  before: Workload,
  { word, locations, impact, rises }: CallOptions,
  time: PollTime,
): { workload: Workload; events: Event[] } {
  const counted = rises ? withRise(before, time) : before;
  const { workload, n } = takeNumber(counted, word);
  const flaps = isFlapping(counted, time) || before.episode?.flaps === true ? true : undefined;
  const { level, have, wanted, sick } = impact;
  const call: Call = {
    word,
    n,
    version: workload.version,
    at: time.now,
    level,
    locations,
    have,
    wanted,
    cause: causeAt(workload, locations),
    flaps,
  };
  const event: Event = {
    ...eventOf(workload, { word, n, impact, time }),
    loud: true,
    calls: true,
    locations,
    call,
    flaps,
  };
  const wasCalled = (before.calls ?? []).some((one) => one.level >= 2);
  if (level >= 2 && !wasCalled && flaps !== true) event.mentions = true;
  const edits = closedCalls(before, impact, time);
  const calls = [...edits.calls, call].slice(-MAX_CALLS);
  const events = [event, ...edits.events];
  if (level === 0 && before.episode === undefined) {
    return { workload: { ...workload, calls }, events };
  }
  const known = before.episode;
  const called = Math.max(level, known?.called ?? 0) as Level;
  const episode: Episode = {
    since: known?.since ?? time.now,
    called,
    calledAt: known?.called === called ? known.calledAt : time.now,
    lastCallAt: time.now,
    sick: union(known?.sick ?? [], sick),
    wasAtZero: known?.wasAtZero,
    flaps,
  };
  return { workload: { ...workload, episode, calls }, events };
}

const MAX_CALLS = 5;

export function eventOf(
  { version }: Workload,
  { word, n, impact, time }: { word: Word; n: number; impact: Impact; time: PollTime },
): Event {
  return { word, n, version, at: time.now, loud: false, locations: [], impact };
}

function causeAt({ locations }: Workload, names: readonly string[]): string {
  return names.flatMap((name) => locations[name]?.cause ?? []).find((cause) => cause !== '') ?? '';
}

/** The calls of the episode whose level has changed, edited to say so. */
function closedCalls(
  { calls = [], version }: Workload,
  impact: Impact,
  time: PollTime,
): { calls: readonly Call[]; events: Event[] } {
  const closed = calls.map((call) =>
    call.level === impact.level ? call : { ...call, until: call.until ?? time.now },
  );
  const events = closed
    .filter(({ until }) => until !== undefined)
    .map((call): Event => ({
      ...eventOf({ version } as Workload, { word: call.word, n: call.n, impact, time }),
      version: call.version,
      loud: true,
      edit: true,
      calls: true,
      locations: call.locations,
      call,
      flaps: call.flaps,
    }));
  return { calls: closed, events };
}

function withRise(workload: Workload, time: PollTime): Workload {
  const recent = (workload.rises ?? []).filter((at) => !lasted(time, at, 'flap'));
  return { ...workload, rises: [...recent, time.now] };
}

function isFlapping({ rises = [] }: Workload, time: PollTime): boolean {
  return rises.filter((at) => !lasted(time, at, 'flap')).length >= FLAPS_FROM;
}

/** Keeps the episode's account: its sick locations, and returns from level 0. `flapped`: this return is the third. */
export function withAccount(
  workload: Workload,
  { level, sick }: Impact,
  time: PollTime,
): { workload: Workload; flapped: boolean } {
  const { episode } = workload;
  if (episode === undefined) return { workload, flapped: false };
  const isReturn = episode.wasAtZero === true && level >= 2;
  const wasAtZero = level === 0 || (episode.wasAtZero === true && !isReturn) ? true : undefined;
  const kept: Episode = { ...episode, sick: union(episode.sick, sick), wasAtZero };
  const next = { ...workload, episode: kept };
  if (!isReturn) return { workload: next, flapped: false };
  const counted = withRise(next, time);
  const flapped = episode.flaps !== true && isFlapping(counted, time);
  return { workload: counted, flapped };
}

/** A lower level that has lasted ends the episode, or is taken over by an edit (design section 4.3, "Fall"). */
export function withFall(
  workload: Workload,
  impact: Impact,
  time: PollTime,
): { workload: Workload; events: Event[] } {
  const { episode, locations } = workload;
  if (episode === undefined) return { workload, events: [] };
  const isLower = episode.flaps ? impact.level === 0 : impact.level < episode.called;
  if ((!isLower && impact.level > 0) || Object.values(locations).some(isOutOfSight)) {
    return { workload: withEpisode(workload, { ...episode, belowSince: undefined }), events: [] };
  }
  const since = time.inRow ? (episode.belowSince ?? time.now) : time.now;
  const patient = withEpisode(workload, { ...episode, belowSince: since });
  if (!lasted(time, since, episode.flaps ? 'flapCalm' : 'calm'))
    return { workload: patient, events: [] };
  if (impact.level === 0) return ended(workload, impact, time);
  const edits = closedCalls(workload, impact, time);
  const lower: Episode = {
    ...episode,
    called: impact.level,
    calledAt: time.now,
    belowSince: undefined,
  };
  const next = { ...workload, episode: lower, calls: edits.calls };
  return { workload: next, events: edits.events };
}

function withEpisode(workload: Workload, episode: Episode): Workload {
  return { ...workload, episode };
}

/** It was sick when it was last known, and is not known now. */
function isOutOfSight(location: Location): boolean {
  return location.sick === true && (isUnknown(location) || location.missing === 1);
}

/** The end of an episode: recovered, or over without recovery. */
function ended(
  workload: Workload,
  impact: Impact,
  time: PollTime,
): { workload: Workload; events: Event[] } {
  const { recovered, leavers } = endingOf(workload);
  const word = recovered.length > 0 ? 'recovered' : wordOfLeaving(leavers);
  const closed = withoutEpisode(workload, impact, time);
  const { workload: next, n } = takeNumber(closed.workload, word);
  const event: Event = {
    ...eventOf(next, { word, n, impact, time }),
    loud: recovered.length > 0,
    locations: recovered.length > 0 ? recovered : leavers.map(({ location }) => location),
    recovered,
    leavers,
    since: workload.episode?.since,
  };
  return { workload: next, events: [event, ...closed.events] };
}

/** The episode is over; its calls say so. */
export function withoutEpisode(
  workload: Workload,
  impact: Impact,
  time: PollTime,
): { workload: Workload; events: Event[] } {
  const { events } = closedCalls(workload, impact, time);
  const ended = { ...workload, episode: undefined, calls: undefined, calmSince: time.now };
  return { workload: ended, events };
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
export function withSick(workload: Workload, { sick }: Impact): Workload {
  const locations = Object.assign(
    Object.create(null) as Record<string, Location>,
    workload.locations,
  );
  for (const [name, one] of Object.entries(locations)) {
    if (isUnknown(one) || one.missing === 1) continue;
    const isSick = sick.includes(name) && !isAside(one);
    if (isSick === (one.sick === true)) continue;
    const { sick: _, ...rest } = one;
    locations[name] = isSick ? { ...rest, sick: true } : rest;
  }
  return { ...workload, locations };
}

function union(some: readonly string[], more: readonly string[]): string[] {
  return [...new Set([...some, ...more])].toSorted();
}
