import { HOUR_MS } from '../../lib/time.ts';
import { effectiveState, type RecordMemory } from './classify.ts';
import type { RecordList } from './facts.ts';
import { isDueToFlap, withoutChange } from './thread-outcomes.ts';
import { stepGvcLevel, type GvcLevelState, type GvcRollout } from './gvc.ts';
import {
  FORGET_MS,
  foundIn,
  nextListMemory,
  nextRecords,
  provesAbsence,
  type ListMemory,
  type Settled,
} from './list-memory.ts';
import {
  collect,
  type Collected,
  type GvcStep,
  type Notice,
  type RolloutNotice,
} from './notices.ts';
import { stepRollout } from './outcomes.ts';
import {
  locationOf,
  oncePer,
  rolloutOf,
  waits,
  workloadOf,
  type GvcRollouts,
  type RolloutState,
} from './rollout.ts';
import { stateIs } from './states.ts';

/** Everything that is remembered of one GVC: one hash in Redis (design section 8). */
export interface GvcState {
  /** Present once the first poll was adopted. */
  meta: ListMemory | undefined;
  /** By `workload/location`. */
  records: Record<string, RecordMemory>;
  /** By workload. */
  rollouts: Record<string, RolloutState>;
  gvcLevel: GvcLevelState | undefined;
}

export interface Advance {
  /** What did not change is the very object that was there before. */
  state: GvcState;
  rolloutNotices: RolloutNotice[];
  notices: Notice[];
  /** Something is on its way, so the next poll should be soon. */
  active: boolean;
}

/** So long an empty list is looked at again soon. */
const LOOK_AGAIN_MS = 10 * 60_000;

export const EMPTY_STATE: GvcState = {
  meta: undefined,
  records: {},
  rollouts: {},
  gvcLevel: undefined,
};

/**
 * The next state of a GVC after one complete list, and what is to be told. Pure, but for `settled`.
 * What needs two polls to be believed aside, the same list again yields nothing to tell.
 * @param now milliseconds since the epoch
 * @param settled what an earlier call found that it need not read again; written to. Only a saving
 */
export function advance(
  before: GvcState,
  list: RecordList,
  now: number,
  settled?: Settled,
): Advance {
  const adopting = before.meta === undefined;
  const meta = nextListMemory(before, list, now);
  const found = foundIn(before.meta, list);
  // What is suddenly empty is no news by itself, however long it lasts.
  if (meta.emptySince !== null && !list.gone) {
    const active = now - meta.emptySince < LOOK_AGAIN_MS;
    return { state: { ...before, meta }, rolloutNotices: [], notices: [], active };
  }
  const { records, changed, jobs } = nextRecords(before.records, list, {
    now,
    adopting,
    found,
    proves: provesAbsence(meta, now),
    allGone: list.gone === true,
    settled,
  });
  const next = { records, changed, found, adopting, now };
  const { rollouts, gvcLevel, rolloutNotices, notices } = stepTogether(before, next);
  return {
    state: { meta, records, rollouts, gvcLevel },
    rolloutNotices,
    notices: [...notices, ...jobs],
    active: isActive({ records, rollouts }, now) || isGvcActive(gvcLevel?.gvc, now),
  };
}

type Next = Pick<GvcStep, 'changed' | 'found' | 'adopting' | 'now'> & {
  records: GvcState['records'];
};

/**
 * Steps the workloads and the GVC around them. What a location tells of a workload is not flapping,
 * and what it tells is known when all have been stepped: those that begin to flap are found after a
 * first try in which none may. What a location tells of the others does not depend on them.
 */
function stepTogether(
  before: GvcState,
  next: Next,
): Pick<GvcState, 'rollouts'> & ReturnType<typeof stepGvcLevel> {
  const tried = tryStep(before, next, new Set());
  const due = new Set<string>();
  for (const { workload, rollout } of tried.rolloutNotices) {
    if (isDueToFlap(rollout, next.now) && !tried.toldWhole.has(workload)) due.add(workload);
  }
  const taken = due.size === 0 ? tried : tryStep(before, next, due);
  for (const workload of taken.toldWhole) {
    const rollout = rolloutOf(taken, workload);
    if (rollout !== undefined) taken.rollouts[workload] = withoutChange(rollout, next.now);
  }
  return taken;
}

/** @param flapping the workloads that may begin to flap */
function tryStep(
  before: GvcState,
  next: Next,
  flapping: ReadonlySet<string>,
): ReturnType<typeof stepTogether> {
  const { rollouts, step } = stepRollouts(before, next, flapping);
  return { rollouts, ...stepGvcLevel(before.gvcLevel, step) };
}

/** Steps the rollouts of the workloads whose records changed, and of those that waited for this time. */
function stepRollouts(
  before: GvcState,
  next: Next,
  flapping: ReadonlySet<string>,
): { rollouts: GvcState['rollouts']; step: GvcStep } {
  const { records, changed, found, adopting, now } = next;
  const due = dueWorkloads(before, next);
  const rollouts = due.size > 0 ? copyOfMap(before.rollouts) : before.rollouts;
  const told: Collected = { rolloutNotices: [], fresh: new Set(), opened: new Set() };
  const current = byWorkload(records, due);
  const previous = records === before.records ? current : byWorkload(before.records, due);
  for (const [workload, ofWorkload] of current) {
    const old = rolloutOf(before, workload);
    const options = {
      previous: previous.get(workload) ?? emptyRecord<RecordMemory>(),
      now,
      adopting,
      found: locationsOf(found, workload),
      mayFlap: flapping.has(workload),
    };
    const step = stepRollout(old, ofWorkload, options);
    const rollout =
      step === undefined ? old && withoutAlarm(old) : collect(told, workload, old, step);
    if (rollout !== undefined) rollouts[workload] = rollout;
  }
  for (const workload of due) {
    if (current.has(workload)) continue;
    const rollout = adopting ? rolloutOf(before, workload) : undefined;
    if (rollout === undefined) delete rollouts[workload];
    else rollouts[workload] = unlisted(rollout, now);
  }
  const after = { records, rollouts };
  const lastGone = changed.size > 0 && allGone(records) && !allGone(before.records);
  return { rollouts, step: { before, after, changed, found, ...told, lastGone, adopting, now } };
}

/** Of what has become a cron workload nothing is told, so it must not keep the pace of the polls fast. */
function withoutAlarm(rollout: RolloutState): RolloutState {
  return rollout.wakeAt === null ? rollout : { ...rollout, wakeAt: null };
}

/** Nothing is known of what the first list lacks, but its numbers, for as long as its messages can be edited. */
function unlisted(rollout: RolloutState, now: number): RolloutState {
  const unknown = { version: 0, ending: 'gone' as const, asleep: [], left: {} };
  return { ...rollout, ...unknown, wakeAt: now + FORGET_MS };
}

function locationsOf(keys: ReadonlySet<string>, workload: string): Set<string> | undefined {
  const own = [...keys].filter((key) => workloadOf(key) === workload);
  return own.length === 0 ? undefined : new Set(own.map(locationOf));
}

function dueWorkloads(
  before: GvcState,
  { changed, adopting, now }: Pick<GvcStep, 'changed' | 'adopting' | 'now'>,
): Set<string> {
  const due = new Set([...changed].map(workloadOf));
  if (adopting) return new Set([...due, ...Object.keys(before.rollouts)]);
  if (openRollouts(before.rollouts).wakesAt > now) return due;
  for (const [workload, { wakeAt }] of Object.entries(before.rollouts)) {
    if (wakeAt !== null && wakeAt <= now) due.add(workload);
  }
  return due;
}

function allGone(records: GvcState['records']): boolean {
  const all = Object.values(records);
  return all.length > 0 && all.every((record) => record.state === 'gone');
}

function emptyRecord<T>(): Record<string, T> {
  return Object.create(null) as Record<string, T>;
}

/** Names are foreign: `__proto__` must be a key like any other. */
function copyOfMap<T>(record: Record<string, T>): Record<string, T> {
  return Object.assign(emptyRecord<T>(), record);
}

function byWorkload(
  records: GvcState['records'],
  wanted: ReadonlySet<string>,
): Map<string, Record<string, RecordMemory>> {
  const groups = new Map<string, Record<string, RecordMemory>>();
  if (wanted.size === 0) return groups;
  for (const [key, record] of Object.entries(records)) {
    const workload = workloadOf(key);
    if (!wanted.has(workload)) continue;
    const group = groups.get(workload) ?? emptyRecord<RecordMemory>();
    group[locationOf(key)] = record;
    groups.set(workload, group);
  }
  return groups;
}

/** A rollout that has not ended within an hour, or trouble older than that, is watched at the slow pace. */
const ACTIVE_MS = HOUR_MS;
/** What becomes due within this time must not wait for a slow poll. */
const SOON_MS = 60_000;

/** Whether the next poll of a GVC should be soon, for what its workloads do. @param now milliseconds since the epoch */
function isActive(picture: GvcRollouts, now: number): boolean {
  const { wakesAt, anyOpen } = openRollouts(picture.rollouts);
  if (wakesAt - now <= SOON_MS || anyUndecided(picture.records)) return true;
  if (!anyOpen) return false;
  return Object.entries(picture.records).some(([key, record]) => {
    const rollout = rolloutOf(picture, workloadOf(key));
    return rollout?.ending === null && isUnderWay(record, rollout, now);
  });
}

/** Whether a rollout is open, and when the first rollout wants to be looked at; Infinity = not by the clock. */
const openRollouts = oncePer((rollouts: GvcRollouts['rollouts']) => {
  const all = Object.values(rollouts);
  const times = all.map(({ wakeAt }) => wakeAt ?? Infinity);
  return {
    wakesAt: times.reduce((first, time) => Math.min(first, time), Infinity),
    anyOpen: all.some(({ ending }) => ending === null),
  };
});

const anyUndecided = oncePer((records: GvcRollouts['records']) =>
  Object.values(records).some(isUndecided),
);

/** The same for a rollout of the GVC itself. */
function isGvcActive(rollout: GvcRollout | undefined, now: number): boolean {
  return rollout?.ending === null && now - rollout.startedAt < ACTIVE_MS;
}

/** One more poll will tell: it is missing for the first time, starts, or was not ready once. */
function isUndecided(record: RecordMemory): boolean {
  if (record.missing === 1) return true;
  if (record.cron) return false;
  if (record.atRest === 1 || (record.readyAtNone === true && record.wasReady)) {
    return !stateIs(record.state, 'confirmed');
  }
  return record.grace !== null || (record.notReady && !stateIs(record.state, 'confirmed'));
}

function isUnderWay(record: RecordMemory, rollout: RolloutState, now: number): boolean {
  if (record.cron) return false;
  const waiting = waits(record, rollout.version);
  if (!waiting && stateIs(effectiveState(record), 'atRest')) return false;
  // A waiting location has been what it is for long; its rollout has not.
  const since = waiting ? Math.max(record.since, rollout.startedAt ?? 0) : record.since;
  return now - since < ACTIVE_MS;
}
