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
  /** The restart count rose since the poll before. */
  climbed: boolean;
  adopted: boolean;
  /** Executions were seen on it, now or ever: nothing but these is told of it. */
  cron: boolean;
  /** Was listed again after it was gone: what it was before; undefined otherwise. */
  back: Moment | undefined;
}

/** What a list says of a record: a view, that it is there and cannot be read, or that it is not there. */
export type Look = View | 'unreadable' | 'absent' | 'unproven';

/** The next moment of a record. `past`: all before, since it was first listed. */
export function look(past: readonly Moment[], now: Look, at: number, adopted: boolean): Moment {
  const before = past.at(-1);
  if (typeof now === 'string') {
    if (before === undefined) throw new Error('a record begins with a view');
    // A list that proves nothing stands between two that do as if it were not there.
    const absent = now === 'absent' || (now === 'unproven' && before.absent);
    const stays = {
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
    return now === 'absent' && before.absent ? { ...stays, state: 'gone' } : stays;
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
    climbed: !begins && climbed(now, life),
    adopted,
    cron: now.executions !== undefined || past.at(-1)?.cron === true,
    back: last?.state === 'gone' ? life.findLast((one) => one.state !== 'gone') : undefined,
  };
  return judge(moment, life);
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
function entryExplains(moment: Moment): boolean {
  const entry = moment.view?.entry;
  if (entry === undefined) return false;
  if (entry.messages.length + entry.containerMessages.length > 0) return true;
  const { lastRestart, created } = entry;
  if (lastRestart !== undefined && created !== undefined && lastRestart > created) return true;
  return moment.climbed;
}

function explains(moment: Moment): boolean {
  return entryExplains(moment) || moment.view?.message !== '';
}

function judge(moment: Moment, life: readonly Moment[]): Moment {
  const said = table(moment);
  if (said !== 'not ready') return { ...moment, state: said };
  const starting: Moment = { ...moment, notReady: true, state: 'deploying' };
  return { ...starting, state: notReady(starting, life) };
}

/** The rows of the table that need no memory, in their order. */
function table(moment: Moment): State | 'not ready' {
  const view = moment.view as View;
  const { E, P, ready, message } = view;
  if (!view.hasStatus || (E === 0 && P === 0 && !ready)) return 'unknown';
  if (!ready && /deactivated/i.test(message) && /suspend/i.test(message)) return 'suspended';
  if (message.startsWith('Status details are stale')) return 'stale';
  if (moment.cron) return 'cron';
  if ((P === 0 || P < E) && !entryExplains(moment)) return 'pending';
  if (E !== 0 && P > E) return 'diverged';
  if (view.deploying) return 'deploying';
  if (E !== 0 && view.elements > 0 && view.entry === undefined) return 'deploying';
  if (ready && view.entry?.ready === false) return 'deploying';
  if (ready) return 'ready';
  if (!explains(moment) && view.wanted === undefined) return 'unknown';
  if (!explains(moment) && view.wanted === 0) return 'idle';
  return 'not ready';
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
  return all.some((one) => one !== '' && !/initiali[sz]ing/i.test(one));
}
