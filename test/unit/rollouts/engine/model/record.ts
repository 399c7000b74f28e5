import { isFatal } from '../../../../../src/rollouts/engine/explain.ts';
import type { View } from './read.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const DOWN = ['idle', 'suspended', 'unknown', 'gone'];

export type State =
  | 'unknown'
  | 'suspended'
  | 'stale'
  | 'cron'
  | 'pending'
  | 'diverged'
  | 'deploying'
  | 'ready'
  | 'idle'
  | 'unhealthy'
  | 'failed'
  | 'gone';

/** One record at one poll, and how it is seen in the light of all polls before. */
export interface Moment {
  at: number;
  /** What the list says; undefined where it lacks the record or the item cannot be read. */
  view: View | undefined;
  /** The list does not have it, though it is complete. */
  absent: boolean;
  state: State;
  /** Rollout: E and GVC version as last stated; `begins` with this very poll. */
  E: number;
  gvc: number;
  begins: boolean;
  /** It begins with another E, not only under another GVC version. */
  newE: boolean;
  /** Not ready by the last row of the table, confirmed or not. */
  notReady: boolean;
  /** Ready by its flag, though no replica is, and something explains it. */
  explainedlyEmpty: boolean;
  /** There is nothing to judge by, and nothing is on the way. */
  silent: boolean;
  /** It was so in two polls, or found so: nothing is to be waited for. */
  atRest: boolean;
  /** On the way and held by what does not pass by itself; since when, and whether for three minutes. */
  heldSince: number | undefined;
  blocked: boolean;
  /** The restart count rose since the poll before. */
  climbed: boolean;
  adopted: boolean;
  /** Executions were seen on it, now or ever: nothing but these is told of it. */
  cron: boolean;
  /** Was listed again after it was gone: what it was before; undefined otherwise. */
  back: Moment | undefined;
}

/**
 * What a list says of a record: a view, that it is there and cannot be read, or that it is not there.
 * `gone`: so does the platform, when it is asked.
 */
export type Look = View | 'unreadable' | 'absent' | 'unproven' | 'gone';

/** The next moment of a record. `past`: all before, since it was first listed. */
export function look(past: readonly Moment[], now: Look, at: number, adopted: boolean): Moment {
  const before = past.at(-1);
  if (typeof now === 'string') {
    if (before === undefined) throw new Error('a record begins with a view');
    // A list that proves nothing stands between two that do as if it were not there.
    const absent = now === 'absent' || now === 'gone' || (now === 'unproven' && before.absent);
    const isGone = now === 'gone' || (now === 'absent' && before.absent);
    const stays: Moment = {
      ...before,
      at,
      view: undefined,
      absent,
      begins: false,
      newE: false,
      adopted: false,
      climbed: false,
      back: undefined,
    };
    if (isGone) {
      return { ...stays, state: 'gone', atRest: false, heldSince: undefined, blocked: false };
    }
    // Nothing is told of what the list lacks, and nothing changes by an item that cannot be read.
    return absent ? stays : { ...stays, blocked: isBlocked(stays) };
  }
  const life = sinceForgotten(past, at);
  const last = life.at(-1);
  const begins = last === undefined || isNewRollout(now, last);
  const moment: Moment = {
    at,
    view: now,
    absent: false,
    state: 'unknown',
    E: now.E === 0 ? (last?.E ?? 0) : now.E,
    gvc: now.entry?.gvc || (begins && now.E !== last?.E ? 0 : (last?.gvc ?? 0)),
    begins,
    newE: begins && now.E !== last?.E,
    notReady: false,
    explainedlyEmpty: false,
    silent: false,
    atRest: false,
    heldSince: undefined,
    blocked: false,
    climbed: !begins && climbed(now, life),
    adopted,
    cron: (now.executions ?? []).length > 0 || past.at(-1)?.cron === true,
    back: last?.state === 'gone' ? life.findLast((one) => one.state !== 'gone') : undefined,
  };
  const judged = judge(moment, life);
  const rollout = ofRollout(moment, life);
  return { ...judged, ...restOf(judged, rollout), ...holdOf(judged, rollout) };
}

/** Nothing to judge by and nothing on the way, in two polls or as it is found: as good as idle. */
function restOf(
  { state, view, adopted }: Moment,
  rollout: readonly Moment[],
): Pick<Moment, 'silent' | 'atRest'> {
  const inPlace = view !== undefined && view.E !== 0 && view.E === view.P && !view.deploying;
  const silent = state === 'unknown' && inPlace;
  return { silent, atRest: silent && (adopted || rollout.at(-1)?.silent === true) };
}

/** It is on the way and does not get on, for a cause that does not pass by itself. */
function holdOf(moment: Moment, rollout: readonly Moment[]): Pick<Moment, 'heldSince' | 'blocked'> {
  const onTheWay = moment.state === 'deploying' || moment.state === 'pending';
  if (!onTheWay || !isFatal(explanation(moment))) return { heldSince: undefined, blocked: false };
  const heldSince = rollout.at(-1)?.heldSince ?? moment.at;
  return { heldSince, blocked: isBlocked({ ...moment, heldSince }) };
}

function isBlocked({ at, heldSince }: Moment): boolean {
  return heldSince !== undefined && at - heldSince >= 3 * MINUTE;
}

/** What stands for it in everything that is told: what is at rest is idle. */
export function stateShown({ state, atRest }: Moment): State {
  return atRest ? 'idle' : state;
}

/** A record that was gone for seven days is a new one. */
function sinceForgotten(past: readonly Moment[], at: number): readonly Moment[] {
  if (past.at(-1)?.state !== 'gone') return past;
  const lastListed = past.findLastIndex((one) => one.state !== 'gone');
  const goneAt = past[lastListed + 1]?.at ?? at;
  return at - goneAt >= 7 * DAY ? [] : past;
}

function isNewRollout(now: View, last: Moment): boolean {
  if (now.E === 0) return false;
  if (now.E !== last.E) return true;
  const gvc = now.entry?.gvc ?? 0;
  return gvc !== 0 && last.gvc !== 0 && gvc !== last.gvc;
}

/** The moments of the rollout that is under way, without this one. */
function ofRollout(moment: Moment, life: readonly Moment[]): readonly Moment[] {
  if (moment.begins) return [];
  return life.slice(life.findLastIndex((one) => one.begins));
}

function climbed(now: View, life: readonly Moment[]): boolean {
  const rollout = life.slice(life.findLastIndex((one) => one.begins));
  const before = rollout.findLast((one) => one.view?.entry !== undefined)?.view?.entry?.restarts;
  return now.entry !== undefined && now.entry.restarts > (before ?? 0);
}

/** What the entry says, without the status: the reasons that make `pending` more than that. */
function entryExplanation(moment: Moment): string {
  const entry = moment.view?.entry;
  if (entry === undefined) return '';
  const said = [entry.messages, entry.containerMessages].map(whatExplains);
  return said.find((one) => one !== '') ?? (restarts(moment) ? 'restarts' : '');
}

function restarts({ view, climbed: rose }: Moment): boolean {
  const { lastRestart, created } = view?.entry ?? {};
  return rose || (lastRestart !== undefined && created !== undefined && lastRestart > created);
}

/** '' where nothing explains it. */
function explanation(moment: Moment): string {
  return entryExplanation(moment) || whatExplains([moment.view?.message ?? '']);
}

function explains(moment: Moment): boolean {
  return explanation(moment) !== '';
}

/** That replicas are initializing explains nothing. */
function whatExplains(messages: readonly string[]): string {
  return messages.filter((one) => one !== '' && !ONLY_INITIALIZING.test(one)).join('; ');
}

const ONLY_INITIALIZING =
  /^(\d+( of \d+)? )?(replica(\(s\)|s)? )?((is|are) )?(still )?initiali[sz]ing\W*$/i;

function judge(moment: Moment, life: readonly Moment[]): Moment {
  const said = table(moment);
  if (said === 'empty') {
    const starting: Moment = { ...moment, state: 'deploying' };
    if (startsUp(starting, life)) return starting;
    const now: Moment = { ...starting, explainedlyEmpty: explains(moment) };
    const rollout = ofRollout(moment, life);
    const before = rollout.at(-1);
    const isSick =
      rollout.some(({ state }) => state === 'ready') &&
      now.explainedlyEmpty &&
      before?.explainedlyEmpty === true;
    // What was unhealthy is so until a replica is ready.
    return isSick || before?.state === 'unhealthy' ? { ...now, state: 'unhealthy' } : now;
  }
  if (said !== 'not ready') return { ...moment, state: said };
  const starting: Moment = { ...moment, notReady: true, state: 'deploying' };
  return { ...starting, state: notReady(starting, life) };
}

/**
 * The rows of the table that need no memory, in their order; `empty` is the one of what is ready and
 * has no replica that is.
 */
function table(moment: Moment): State | 'empty' | 'not ready' {
  const view = moment.view as View;
  const { E, P, ready, message } = view;
  if (!view.hasStatus || (E === 0 && P === 0 && !ready)) return 'unknown';
  if (!ready && /deactivated/i.test(message) && /suspend/i.test(message)) return 'suspended';
  if (message.startsWith('Status details are stale')) return 'stale';
  if (moment.cron) return 'cron';
  if (E !== 0 && P !== 0 && P < E && entryExplanation(moment) === '') return 'pending';
  if (E !== 0 && P === 0 && !ready && !explains(moment)) return 'pending';
  if (E !== 0 && P !== 0 && P > E) return 'diverged';
  if (view.deploying) return 'deploying';
  if (E !== 0 && view.elements > 0 && view.entry === undefined) return 'deploying';
  if (ready && view.entry?.ready === false) return 'deploying';
  if (ready && hasNoReplica(view)) return 'empty';
  if (ready) return 'ready';
  if (!explains(moment) && view.wanted === undefined) return 'unknown';
  if (!saysMore(view) && view.wanted === 0) return 'idle';
  return 'not ready';
}

/** Its own counts say that nothing runs, or, where it has none, its words say so. */
function hasNoReplica({ entry, wanted }: View): boolean {
  if (entry === undefined || wanted === 0) return false;
  if (entry.statedReady.length > 0) {
    return wanted !== undefined && entry.statedReady.every((count) => count === 0);
  }
  return entry.messages.length > 0 && whatExplains(entry.messages) === '';
}

function notReady(moment: Moment, life: readonly Moment[]): State {
  const rollout = ofRollout(moment, life);
  const sick = rollout.some((one) => one.state === 'ready') ? 'unhealthy' : 'failed';
  if (moment.adopted) return sick;
  if (startsUp(moment, life)) return 'deploying';
  const before = rollout.at(-1);
  if (explains(moment) || before?.notReady === true) return sick;
  const stays = before?.state ?? 'deploying';
  return DOWN.includes(stays) ? 'deploying' : stays;
}

/**
 * Start-up is not sickness: for ten minutes after nothing was to run, or after more was to run than
 * before, unless something says that it goes wrong or that it is over. What is stale says nothing.
 */
function startsUp(moment: Moment, life: readonly Moment[]): boolean {
  const all = [...life, moment];
  for (let start = all.length - 1; start > 0; start -= 1) {
    const began = all[start] as Moment;
    if (moment.at - began.at >= 10 * MINUTE) return false;
    const tail = all.slice(start);
    if (beginsFromNothing(all, start)) return !isOver(tail, (one) => one.state === 'ready');
    if (wantsMore(all, start) && !isOver(tail, servesAll)) return true;
  }
  return false;
}

function beginsFromNothing(all: readonly Moment[], start: number): boolean {
  const { state } = all[start] as Moment;
  const before = all.slice(0, start).findLast((one) => one.state !== 'stale')?.state ?? 'ready';
  return DOWN.includes(before) && state !== 'stale' && !DOWN.includes(state);
}

function wantsMore(all: readonly Moment[], start: number): boolean {
  const now = all[start]?.view?.wanted;
  const before = all.slice(0, start).findLast((one) => one.view !== undefined)?.view?.wanted;
  return now !== undefined && before !== undefined && now > before;
}

function servesAll({ state, view }: Moment): boolean {
  return state === 'ready' && (view?.entry?.replicasReady ?? 0) >= (view?.wanted ?? 0);
}

/** Whether the start-up that began with the first of the moments is over with the last. */
function isOver(tail: readonly Moment[], done: (moment: Moment) => boolean): boolean {
  const began = tail[0] as Moment;
  let deployed = false;
  for (const one of tail) {
    if (done(one)) return true;
    if (one.view === undefined || one.state === 'stale') continue;
    const restarted = one.begins ? (one.view.entry?.restarts ?? 0) > 0 : one.climbed;
    if (restarted || (one.view.entry?.lastRestart ?? 0) > began.at) return true;
    if (saysMore(one.view)) return true;
    if (deployed && !one.view.deploying) return true;
    deployed ||= one.view.deploying;
  }
  return false;
}

/** More than that replicas are initializing. */
function saysMore({ message, entry }: View): boolean {
  const all = [message, ...(entry?.messages ?? []), ...(entry?.containerMessages ?? [])];
  return whatExplains(all) !== '';
}
