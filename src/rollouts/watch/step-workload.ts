import { createHash } from 'node:crypto';
import { DAY_MS } from '../../lib/time.ts';
import {
  call,
  closeEpisode,
  endingOf,
  endRollout,
  fall,
  isHourlyCallDue,
  isRiseDue,
  noteLevel,
  noteReturn,
  noteSick,
  reports,
  wordOfCall,
} from './episode.ts';
import { impactOf, type Impact } from './impact.ts';
import { isAside, isKnown, type Location } from './location.ts';
import { atTarget, failedAt, isReady, stuckAt, withSpec } from './rollout.ts';
import { begunAt, lasted, span, type PollTime } from './spans.ts';
import {
  changeLocations,
  namesOf,
  post,
  remember,
  takeNumber,
  type CardChange,
  type Event,
  type Spec,
  type Turn,
  type Workload,
} from './workload.ts';

/** The result of one poll for a workload. */
export interface WorkloadStep {
  workload: Workload;
  impact: Impact;
  card?: CardChange | undefined;
  events: readonly Event[];
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

/** The next memory of a workload, and its messages. Pure. */
export function stepWorkload(
  before: Workload | undefined,
  { locations, containers, time, adopting }: Input,
): WorkloadStep {
  const target = atTarget(before, locations, time, adopting);
  const impact = impactOf(locations, time);
  const turn: Turn = { workload: withSpec(target.workload, containers), impact, time, events: [] };
  const { events } = turn;
  noteSick(turn);
  if (adopting) {
    adopt(turn);
    return { workload: withPrint(turn), impact, events };
  }
  const isCron = Object.values(locations).every(({ state }) => state === 'cron');
  const opens = target.opened && !isCron;
  if (opens) remember(turn, { card: takeNumber(turn, 'card') });
  noteLevel(turn);
  // In the order of design sections 4.3 to 4.5: an earlier rule may post what a later one would.
  if (noteReturn(turn)) callSick(turn, false);
  leaving(turn, Object.values(before?.locations ?? {}));
  rise(turn);
  badEnd(turn, 'failed', failedAt(turn.workload));
  stuckEnd(turn);
  readyEnd(turn);
  fall(turn);
  reports(turn);
  crashLoop(turn);
  rootThreads(turn);
  // A version that is ready when it is first seen is one post.
  const readies = opens ? events.filter(({ word }) => word === 'ready') : [];
  for (const one of readies) one.isCard = true;
  const workload = withPrint(turn);
  const isChanged = workload.print !== before?.print && workload.card !== undefined;
  const { closed } = target;
  const card =
    opens || closed !== undefined || isChanged
      ? { opens: opens && readies.length === 0, closed }
      : undefined;
  const rolls = workload.rolled === true && before?.gvc !== workload.gvc ? true : undefined;
  return { workload, impact, card, events, rolls };
}

/** A post without a card serves as the card; a workload that left is resumed in the thread of its leaving. */
function rootThreads(turn: Turn): void {
  const { card, postAsCard, version } = turn.workload;
  const posts = turn.events.some(
    (one) => one.edit === undefined && (one.loud || one.what === 'crashes'),
  );
  const isCard = posts && card === undefined && postAsCard === undefined;
  if (isCard) remember(turn, { postAsCard: takeNumber(turn, 'card') });
  const { away } = turn.workload;
  if (away?.posted !== true || away.root !== undefined) return;
  const root = { version, card: card ?? turn.workload.postAsCard ?? 1 };
  remember(turn, { away: { ...away, root } });
}

/** A state found at the first poll counts as posted. */
function adopt(turn: Turn): void {
  const { workload, impact, time } = turn;
  const { level: called, settled, sick } = impact;
  const { now } = time;
  if (Object.values(workload.locations).every(isAside)) {
    remember(turn, { away: { since: now, silent: true } });
  }
  if (called === 0) return;
  const episode = { since: now, called, calledAt: now, lastCallAt: now, sick };
  remember(turn, { trail: [[now, called, settled]], episode });
}

function callSick(turn: Turn, rises: boolean): void {
  const { sick } = turn.impact;
  const event = call(turn, wordOfCall(turn.workload, sick), sick, { rises });
  if (rises) endRollout(turn, event);
}

function rise(turn: Turn): void {
  const isDue = isRiseDue(turn) || isHourlyCallDue(turn);
  if (isDue && turn.events.length === 0) callSick(turn, true);
}

function stuckEnd(turn: Turn): void {
  const { workload, time } = turn;
  const isOver = workload.ends.failed !== undefined && workload.ends.stuck === undefined;
  if (!isOver) badEnd(turn, 'stuck', stuckAt(workload, time));
}

/** Posted once per rollout; later locations are added by an edit. */
function badEnd(turn: Turn, word: 'failed' | 'stuck', found: readonly string[]): void {
  const { ends, ended } = turn.workload;
  const known = ended?.[word] ?? [];
  const news = found.filter((name) => !known.includes(name));
  const n = ends[word];
  if (news.length === 0 || n === 0) return;
  const locations = [...known, ...news].toSorted();
  const event =
    n === undefined
      ? call(turn, word, locations, { rises: false })
      : post(turn, 'call', word, { n, loud: true, edit: true, locations });
  endRollout(turn, event);
}

function readyEnd(turn: Turn): void {
  const { workload, impact, time } = turn;
  const { episode, ends, readyAt = time.now } = workload;
  if (ends.ready !== undefined || !isReady(workload, time)) return;
  const isEnd = episode !== undefined && episode.flaps !== true && impact.level === 0;
  const { recovered, leavers } = isEnd ? endingOf(workload) : { recovered: [], leavers: [] };
  const { n } = post(turn, 'ready', 'ready', {
    loud: true,
    locations: namesOf(workload.locations, ({ state }) => state === 'ready').toSorted(),
    recovered: recovered.length > 0 ? recovered : undefined,
    leavers,
    since: isEnd ? episode.since : undefined,
  });
  if (isEnd) closeEpisode(turn);
  const { episode: left, calls } = turn.workload;
  remember(turn, {
    readyAt,
    ends: { ready: n },
    ended: undefined,
    awaitedSince: undefined,
    calls: left === undefined ? undefined : calls,
  });
}

/** Nothing of a workload that served is in play or unknown for three minutes, or serves again. */
function leaving(turn: Turn, past: readonly Location[]): void {
  const { workload, time } = turn;
  const { away, locations } = workload;
  if (Object.values(locations).some((one) => !isAside(one))) {
    if (away?.posted === true) resume(turn);
    else remember(turn, { away: undefined });
    return;
  }
  if (away === undefined) {
    // Lost reports are no leaving, and what never served leaves nothing.
    const wasServing = past.some(isKnown) && past.some(({ served }) => served);
    const silent = wasServing ? undefined : true;
    return remember(turn, { away: { since: time.now, silent } });
  }
  if (away.silent === true || away.posted === true) return;
  const since = begunAt(time, away.since);
  if (lasted(time, since, 'calm')) leave(turn, since);
  else remember(turn, { away: { since } });
}

function resume(turn: Turn): void {
  const { locations, away } = turn.workload;
  const serving = namesOf(locations, (one) => isKnown(one) && one.have > 0);
  if (serving.length === 0) return;
  post(turn, 'resumed', 'resumed', { locations: serving, root: away?.root });
  remember(turn, { away: undefined });
}

function leave(turn: Turn, since: number): void {
  const { workload, time } = turn;
  const states = new Set(Object.values(workload.locations).map(({ state }) => state));
  const isGone = [...states].every((state) => state === 'gone');
  const isZero = !isGone && [...states].every((state) => state === 'gone' || state === 'idle');
  const { zeroAt } = workload;
  if (isZero && zeroAt !== undefined && time.now - zeroAt < DAY_MS) {
    return remember(turn, { away: { since, silent: true } });
  }
  const locations = Object.keys(workload.locations);
  post(turn, 'left', isGone ? 'gone' : 'suspended', { loud: true, locations });
  closeEpisode(turn);
  remember(turn, { away: { since, posted: true }, zeroAt: isZero ? time.now : zeroAt });
  // A deleted workload is forgotten, but not its numbers.
  if (isGone) changeLocations(turn, locations, (one) => ({ ...one, served: false }));
}

const CRASHES = 3;

/** Three restarts within an hour, once a day. */
function crashLoop(turn: Turn): void {
  const { workload, time } = turn;
  if (workload.crashAt !== undefined && time.now - workload.crashAt < DAY_MS) return;
  const from = time.now - span(time, 'crashLoop');
  const locations = namesOf(workload.locations, ({ restarts = [] }) => {
    const recent = restarts.filter(([at]) => at > from);
    return recent.reduce((sum, [, by]) => sum + by, 0) >= CRASHES;
  });
  if (locations.length === 0) return;
  post(turn, 'crashes', 'crashloop', { locations });
  remember(turn, { crashAt: time.now });
}

/** With the print of all that the card shows: the same shown again is no edit. */
function withPrint({ workload, impact }: Turn): Workload {
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
