import { createHash } from 'node:crypto';
import {
  endingOf,
  eventOf,
  isHourlyCallDue,
  isRiseDue,
  withAccount,
  withCall,
  withFall,
  withoutEpisode,
  withSick,
  withTrail,
  wordOfCall,
} from './episode.ts';
import { impactOf, type Impact } from './impact.ts';
import { isAside, isKnown, type Location } from './location.ts';
import { withReports } from './reports.ts';
import { atTarget, failedAt, isReady, stuckAt, withCard, withSpec } from './rollout.ts';
import { lasted, span, type PollTime } from './spans.ts';
import {
  takeNumber,
  type CardChange,
  type End,
  type Event,
  type Spec,
  type Workload,
} from './workload.ts';

/** The result of one poll for a workload. */
export interface WorkloadStep {
  workload: Workload;
  impact: Impact;
  card?: CardChange | undefined;
  events: Event[];
  /** The same version rolls under a higher GVC version. */
  rolls?: true | undefined;
}

interface Input {
  locations: Workload['locations'];
  /** Containers of the newest version. */
  containers: Spec['containers'];
  time: PollTime;
  adopting: boolean;
}

/** One step: an event is appended for each message, and the workload remembers that it was posted. */
interface Draft {
  workload: Workload;
  impact: Impact;
  time: PollTime;
  /** At the poll before a location was in play and known, and one had served. */
  wasServing: boolean;
  events: Event[];
}

type Rule = (draft: Draft) => { workload: Workload; events: Event[] };

/** The rules of design section 4.3 to 4.5 in their order: an earlier one may post what a later one would. */
const RULES: readonly Rule[] = [
  leaving,
  rise,
  failedEnd,
  stuckEnd,
  readyEnd,
  fall,
  reports,
  crashLoop,
];

/** The next memory of a workload, and its messages. Pure. */
export function stepWorkload(before: Workload | undefined, input: Input): WorkloadStep {
  const { time, adopting } = input;
  const target = atTarget(before, input.locations, time, adopting);
  const opens =
    target.opened && !Object.values(input.locations).every(({ state }) => state === 'cron');
  const impact = impactOf(input.locations, time);
  let workload = withSick(withSpec(target.workload, input.containers), impact);
  if (adopting)
    return { workload: withPrint(adoptedAt(workload, impact, time), impact), impact, events: [] };
  if (opens) workload = withCard(workload);
  const account = withAccount(withTrail(workload, impact, time), impact, time);
  const past = Object.values(before?.locations ?? {});
  const wasServing = past.some(isKnown) && past.some(({ served }) => served);
  const draft: Draft = { workload: account.workload, impact, time, wasServing, events: [] };
  if (account.flapped) run(draft, flapping);
  for (const rule of RULES) run(draft, rule);
  const posted = withPostAsCard(draft);
  if (posted.away?.posted === true && posted.away.root === undefined) {
    const card = posted.card ?? posted.postAsCard ?? 1;
    posted.away = { ...posted.away, root: { version: posted.version, card } };
  }
  // A version that is ready when it is first seen is one post.
  if (opens)
    draft.events = draft.events.map((one) =>
      one.word === 'ready' ? { ...one, isCard: true } : one,
    );
  const isCard = draft.events.some((one) => one.isCard === true);
  const printed = withPrint(posted, impact);
  const isChanged = printed.print !== before?.print && printed.card !== undefined;
  const card: CardChange | undefined =
    opens || target.closed !== undefined || isChanged
      ? { opens: opens && !isCard, closed: target.closed }
      : undefined;
  const rolls =
    target.workload.rolled === true && before?.gvc !== target.workload.gvc ? true : undefined;
  return { workload: printed, impact, card, events: draft.events, rolls };
}

/** A post without a card serves as the card. */
function withPostAsCard({ workload, events }: Draft): Workload {
  const posts = events.some(
    (one) => one.edit === undefined && (one.loud || one.word === 'crashloop'),
  );
  if (!posts || workload.card !== undefined || workload.postAsCard !== undefined) {
    return { ...workload };
  }
  const { workload: next, n } = takeNumber(workload, 'card');
  return { ...next, postAsCard: n };
}

function run(draft: Draft, rule: Rule): void {
  const { workload, events } = rule(draft);
  draft.workload = workload;
  draft.events.push(...events);
}

/** A state found at the first poll counts as posted. */
function adoptedAt(workload: Workload, impact: Impact, { now }: PollTime): Workload {
  const found = { ...workload };
  if (Object.values(found.locations).every(isAside)) found.away = { since: now, silent: true };
  if (impact.level === 0) return found;
  const { level: called, sick } = impact;
  return {
    ...found,
    trail: [[now, impact.level, impact.settled]],
    episode: { since: now, called, calledAt: now, lastCallAt: now, sick },
  };
}

function withLocations(workload: Workload, change: (one: Location) => Location): Workload {
  const locations = Object.create(null) as Record<string, Location>;
  for (const [name, one] of Object.entries(workload.locations)) locations[name] = change(one);
  return { ...workload, locations };
}

/** A third return to level 2 or more within an open episode. */
function flapping({ workload, impact, time }: Draft): ReturnType<Rule> {
  const locations = impact.sick;
  return withCall(
    workload,
    { word: wordOfCall(workload, locations), locations, impact, rises: false },
    time,
  );
}

function rise({ workload, impact, time, events }: Draft): ReturnType<Rule> {
  const isDue = isRiseDue(workload, impact, time) || isHourlyCallDue(workload, impact, time);
  if (!isDue || events.length > 0) return { workload, events: [] };
  const locations = impact.sick;
  const word = wordOfCall(workload, locations);
  const called = withCall(workload, { word, locations, impact, rises: true }, time);
  if (word === 'unhealthy') return called;
  return {
    ...called,
    workload: withEnd(
      called.workload,
      word as 'failed' | 'stuck',
      called.events[0]?.n ?? 0,
      locations,
    ),
  };
}

/** A call is the end of the rollout that it names. */
function withEnd(
  workload: Workload,
  end: 'failed' | 'stuck',
  n: number,
  locations: readonly string[],
): Workload {
  const { ready: _, ...ends } = workload.ends;
  return {
    ...workload,
    ends: { ...ends, [end]: n },
    ended: { ...workload.ended, [end]: locations },
  };
}

function failedEnd(draft: Draft): ReturnType<Rule> {
  return badEnd(draft, 'failed', failedAt(draft.workload));
}

function stuckEnd(draft: Draft): ReturnType<Rule> {
  const { workload, time } = draft;
  const isOver = workload.ends.failed !== undefined && workload.ends.stuck === undefined;
  return badEnd(draft, 'stuck', isOver ? [] : stuckAt(workload, time));
}

/** Posted once per rollout; later locations are added by an edit. */
function badEnd(
  { workload, impact, time }: Draft,
  end: 'failed' | 'stuck',
  found: string[],
): ReturnType<Rule> {
  const known = workload.ended?.[end] ?? [];
  const news = found.filter((name) => !known.includes(name));
  if (news.length === 0) return { workload, events: [] };
  const n = workload.ends[end];
  if (n === 0) return { workload, events: [] };
  const locations = [...known, ...news].toSorted();
  if (n !== undefined) {
    const event: Event = {
      ...eventOf(workload, { word: end, n, impact, time }),
      loud: true,
      edit: true,
      calls: true,
      locations,
    };
    return { workload: withEnd(workload, end, n, locations), events: [event] };
  }
  const called = withCall(workload, { word: end, locations, impact, rises: false }, time);
  const number = called.events[0]?.n ?? 1;
  return { workload: withEnd(called.workload, end, number, locations), events: called.events };
}

function readyEnd({ workload, impact, time }: Draft): ReturnType<Rule> {
  if (workload.ends.ready !== undefined || !isReady(workload, time))
    return { workload, events: [] };
  const { episode } = workload;
  const ends = episode !== undefined && episode.flaps !== true && impact.level === 0;
  const { recovered, leavers } = ends ? endingOf(workload) : { recovered: [], leavers: [] };
  const closed = ends ? withoutEpisode(workload, impact, time) : { workload, events: [] };
  const { workload: next, n } = takeNumber(closed.workload, 'ready');
  const locations = Object.entries(next.locations)
    .filter(([, { state }]) => state === 'ready')
    .map(([name]) => name)
    .toSorted();
  const event: Event = {
    ...eventOf(next, { word: 'ready', n, impact, time }),
    loud: true,
    locations,
    recovered: recovered.length > 0 ? recovered : undefined,
    leavers,
    since: ends ? episode.since : undefined,
  };
  const ready: End = 'ready';
  const done: Workload = {
    ...next,
    readyAt: next.readyAt ?? time.now,
    ends: { [ready]: n },
    ended: undefined,
    awaitedSince: undefined,
    calls: closed.workload.episode === undefined ? undefined : closed.workload.calls,
  };
  return { workload: done, events: [event, ...closed.events] };
}

function fall({ workload, impact, time, events }: Draft): ReturnType<Rule> {
  const isCalled = events.some(({ calls, edit }) => calls === true && edit === undefined);
  return isCalled ? { workload, events: [] } : withFall(workload, impact, time);
}

function reports({ workload, impact, time }: Draft): ReturnType<Rule> {
  return withReports(workload, impact, time);
}

const DAY_MS = 24 * 3_600_000;

/** Nothing of a workload that served is in play or unknown for three minutes, or serves again. */
function leaving({ workload, wasServing, impact, time }: Draft): ReturnType<Rule> {
  const all = Object.values(workload.locations);
  const { away } = workload;
  if (all.some((one) => !isAside(one))) {
    if (away?.posted === true) return resuming(workload, impact, time);
    return { workload: { ...workload, away: undefined }, events: [] };
  }
  if (away === undefined) {
    // Lost reports are no leaving, and what never served leaves nothing.
    const silent = wasServing ? undefined : true;
    return { workload: { ...workload, away: { since: time.now, silent } }, events: [] };
  }
  if (away.silent === true || away.posted === true) return { workload, events: [] };
  const since = time.inRow ? away.since : time.now;
  const waiting: Workload = { ...workload, away: { since } };
  return lasted(time, since, 'calm')
    ? left(waiting, impact, time)
    : { workload: waiting, events: [] };
}

function resuming(workload: Workload, impact: Impact, time: PollTime): ReturnType<Rule> {
  const serves = Object.values(workload.locations).some((one) => isKnown(one) && one.have > 0);
  if (!serves) return { workload, events: [] };
  const { workload: next, n } = takeNumber(workload, 'resumed');
  const locations = Object.entries(next.locations)
    .filter(([, one]) => isKnown(one) && one.have > 0)
    .map(([name]) => name);
  const event = { ...eventOf(next, { word: 'resumed', n, impact, time }), locations };
  const root = workload.away?.root;
  return { workload: { ...next, away: undefined }, events: [{ ...event, root }] };
}

function left(workload: Workload, impact: Impact, time: PollTime): ReturnType<Rule> {
  const all = Object.entries(workload.locations);
  const isGone = all.every(([, { state }]) => state === 'gone');
  const isZero = !isGone && all.every(([, { state }]) => state === 'gone' || state === 'idle');
  const { since } = workload.away ?? { since: time.now };
  if (isZero && workload.zeroAt !== undefined && time.now - workload.zeroAt < DAY_MS) {
    return { workload: { ...workload, away: { since, silent: true } }, events: [] };
  }
  const { workload: closed, events } = withoutEpisode(workload, impact, time);
  const word = isGone ? 'gone' : 'suspended';
  const { workload: next, n } = takeNumber(closed, word);
  const locations = all.map(([name]) => name);
  const event: Event = { ...eventOf(next, { word, n, impact, time }), loud: true, locations };
  const zeroAt = isZero ? time.now : next.zeroAt;
  const done: Workload = { ...next, away: { since, posted: true }, zeroAt };
  return { workload: isGone ? forgotten(done) : done, events: [event, ...events] };
}

/** A deleted workload is forgotten, but not its numbers. */
function forgotten(workload: Workload): Workload {
  return withLocations(workload, (one) => ({ ...one, served: false }));
}

const CRASHES = 3;

/** Three restarts within an hour, once a day. */
function crashLoop({ workload, impact, time }: Draft): ReturnType<Rule> {
  const { crashAt } = workload;
  if (crashAt !== undefined && time.now - crashAt < DAY_MS) return { workload, events: [] };
  const from = time.now - span(time, 'crashLoop');
  const locations = Object.entries(workload.locations)
    .filter(([, { restarts = [] }]) => {
      const recent = restarts.filter(([at]) => at > from);
      return recent.reduce((sum, [, by]) => sum + by, 0) >= CRASHES;
    })
    .map(([name]) => name);
  if (locations.length === 0) return { workload, events: [] };
  const { workload: next, n } = takeNumber(workload, 'crashloop');
  const event = { ...eventOf(next, { word: 'crashloop', n, impact, time }), locations };
  return { workload: { ...next, crashAt: time.now }, events: [event] };
}

/** Of all that the card shows: the same shown again is no edit. */
function withPrint(workload: Workload, impact: Impact): Workload {
  if (workload.card === undefined) return workload;
  const { ends, readyAt, locations } = workload;
  const rows = Object.entries(locations).map(([name, one]) => [
    name,
    one.state,
    one.version,
    one.have,
    one.fresh,
    one.wanted,
    one.cause,
    one.others,
    one.apart?.isOld === true ? one.apart.version : 0,
  ]);
  const shown = JSON.stringify([impact, ends.ready, readyAt, rows]);
  const print = createHash('sha1').update(shown).digest('base64').slice(0, 8);
  return { ...workload, print };
}
