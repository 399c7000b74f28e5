import type { RecordMemory } from './classify.ts';
import { fingerprint } from './fingerprint.ts';
import { isDueToFlap, withoutChange } from './flapping.ts';
import { locationOf, trackOf, workloadOf } from './gvc-step.ts';
import type { GvcStep } from './gvc-step.ts';
import { isMoving, isRolling, tracksInShort } from './moving.ts';
import { foundIn, nextMeta, provesAbsence } from './meta.ts';
import type { Meta } from './meta.ts';
import { FORGET_MS, nextRecords } from './records.ts';
import type { Settled, Sightings } from './sighting.ts';
import type { News, Telling } from './telling.ts';
import { THREAD_ONLY } from './outcomes.ts';
import { cardNumber, nextNumber, stepTrack } from './track.ts';
import type { Outcome, Track, TrackStep } from './track.ts';
import { stepWide } from './wide.ts';
import type { Wide } from './wide.ts';

/** Everything that is remembered of one GVC: one hash in Redis (design section 8). */
export interface GvcState {
  /** Present once the first poll was adopted. */
  meta: Meta | undefined;
  /** By `workload/location`. */
  records: Record<string, RecordMemory>;
  /** By workload. */
  tracks: Record<string, Track>;
  wide: Wide | undefined;
}

export interface Advance {
  /** What did not change is the very object that was there before. */
  state: GvcState;
  tellings: Telling[];
  news: News[];
  /** Something is on its way, so the next poll should be soon. */
  moving: boolean;
}

/** So long an empty list is looked at again soon. */
const LOOK_AGAIN_MS = 10 * 60_000;

export const EMPTY_STATE: GvcState = {
  meta: undefined,
  records: {},
  tracks: {},
  wide: undefined,
};

/**
 * The next state of a GVC after one complete list, and what is to be told. Pure, but for `settled`.
 * What needs two polls to be believed aside, the same list again yields nothing to tell.
 * @param now milliseconds since the epoch
 * @param settled what an earlier call found that it need not read again; written to. Only a saving
 */
export function advance(
  before: GvcState,
  sightings: Sightings,
  now: number,
  settled?: Settled,
): Advance {
  const adopting = before.meta === undefined;
  const meta = nextMeta(before, sightings, now);
  const found = foundIn(before.meta, sightings);
  // What is suddenly empty is no news by itself, however long it lasts.
  if (meta.emptySince !== null && !sightings.gone) {
    const moving = now - meta.emptySince < LOOK_AGAIN_MS;
    return { state: { ...before, meta }, tellings: [], news: [], moving };
  }
  const { records, changed, jobs } = nextRecords(before.records, sightings, {
    now,
    adopting,
    found,
    proves: provesAbsence(meta, now),
    allGone: sightings.gone === true,
    settled,
  });
  const next = { records, changed, found, adopting, now };
  const { tracks, wide, tellings, news } = stepTogether(before, next);
  const moving = isMoving({ records, tracks }, now) || isRolling(wide?.gvc, now);
  return { state: { meta, records, tracks, wide }, tellings, news: [...news, ...jobs], moving };
}

type Next = Pick<GvcStep, 'changed' | 'found' | 'adopting' | 'now'> & {
  records: GvcState['records'];
};

/**
 * Steps the workloads and the GVC around them. What a location tells of a workload is not flapping,
 * and what it tells is known when all have been stepped: those that begin to flap are found after a
 * first try in which nobody does. Which of the others a location tells does not depend on them.
 */
function stepTogether(
  before: GvcState,
  next: Next,
): Pick<GvcState, 'tracks'> & ReturnType<typeof stepWide> {
  const tried = tryStep(before, next, new Set());
  const due = new Set<string>();
  for (const { workload, track } of tried.tellings) {
    if (isDueToFlap(track, next.now) && !tried.toldWhole.has(workload)) due.add(workload);
  }
  const taken = due.size === 0 ? tried : tryStep(before, next, due);
  for (const workload of taken.toldWhole) {
    const track = trackOf(taken, workload);
    if (track !== undefined) taken.tracks[workload] = withoutChange(track, next.now);
  }
  return taken;
}

/** @param flapping the workloads that may begin to flap */
function tryStep(
  before: GvcState,
  next: Next,
  flapping: ReadonlySet<string>,
): ReturnType<typeof stepTogether> {
  const { tracks, step } = stepTracks(before, next, flapping);
  return { tracks, ...stepWide(before.wide, step) };
}

/** Steps the rollouts of the workloads whose records changed, and of those that waited for this time. */
function stepTracks(
  before: GvcState,
  next: Next,
  flapping: ReadonlySet<string>,
): { tracks: GvcState['tracks']; step: GvcStep } {
  const { records, changed, found, adopting, now } = next;
  const due = dueWorkloads(before, next);
  const tracks = due.size > 0 ? copyOf(before.tracks) : before.tracks;
  const told: Told = { tellings: [], fresh: new Set(), opened: new Set() };
  const current = byWorkload(records, due);
  const previous = records === before.records ? current : byWorkload(before.records, due);
  for (const [workload, ofWorkload] of current) {
    const old = trackOf(before, workload);
    const options = {
      previous: previous.get(workload) ?? emptyRecord<RecordMemory>(),
      now,
      adopting,
      found: locationsOf(found, workload),
      mayFlap: flapping.has(workload),
    };
    const step = stepTrack(old, ofWorkload, options);
    const track = step === undefined ? old : tell(told, workload, old, step);
    if (track !== undefined) tracks[workload] = track;
  }
  for (const workload of due) {
    if (current.has(workload)) continue;
    const track = adopting ? trackOf(before, workload) : undefined;
    if (track === undefined) delete tracks[workload];
    else tracks[workload] = unlisted(track, now);
  }
  const after = { records, tracks };
  const lastGone = changed.size > 0 && allGone(records) && !allGone(before.records);
  return { tracks, step: { before, after, changed, found, ...told, lastGone, adopting, now } };
}

/** Nothing is known of what the first list lacks, but its numbers, for as long as its messages can be edited. */
function unlisted(track: Track, now: number): Track {
  const unknown = { version: 0, ending: 'gone' as const, asleep: [], left: {} };
  return { ...track, ...unknown, wakeAt: now + FORGET_MS };
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
  if (adopting) return new Set([...due, ...Object.keys(before.tracks)]);
  if (tracksInShort(before.tracks).wakesAt > now) return due;
  for (const [workload, { wakeAt }] of Object.entries(before.tracks)) {
    // What an earlier release stored does not say when it wakes.
    if (wakeAt === undefined || (wakeAt !== null && wakeAt <= now)) due.add(workload);
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
function copyOf<T>(record: Record<string, T>): Record<string, T> {
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

interface Told {
  tellings: Telling[];
  fresh: Set<Telling>;
  opened: Set<string>;
}

/** Adds what a step tells. @returns the track as it is to be remembered */
function tell(told: Told, workload: string, old: Track | undefined, step: TrackStep): Track {
  const { rows, closed } = step;
  if (closed !== undefined) told.tellings.push(lastEdit(workload, closed, step.track.version));
  const opens = step.opened || step.outcomes.some(({ kind }) => !THREAD_ONLY.has(kind));
  const hasCard = step.track.told[`${step.track.version}/card`] !== undefined;
  const print = fingerprint(step.track.ending ?? rows);
  // A step that changed nothing gives the very track that was there: it must stay as it is.
  const track = copyOfTrack(step.track, print, step.opened || (opens && !hasCard));
  const base = { workload, version: track.version, card: cardNumber(track), track, rows };
  // What was found under way has no print yet: it is known, and nothing is told.
  const changed = step.track.print !== '' && step.track.print !== print;
  if (opens || changed) told.tellings.push({ ...base, opens });
  if (step.opened) told.opened.add(workload);
  for (const outcome of step.outcomes) {
    const telling = {
      ...base,
      outcome: toldAs(base, outcome),
      opens: !THREAD_ONLY.has(outcome.kind),
    };
    told.tellings.push(telling);
    const before = old?.told[`${track.version}/${outcome.kind}`] ?? 0;
    if (outcome.n > before) told.fresh.add(telling);
  }
  return track;
}

function toldAs(
  { workload, version }: Pick<Telling, 'workload' | 'version'>,
  { covers, ...outcome }: Outcome,
): NonNullable<Telling['outcome']> {
  if (covers === undefined) return outcome;
  return { ...outcome, covers: covers.map((one) => ({ workload, version, ...one })) };
}

/** Of a card that is open while its rollout is over. */
function lastEdit(workload: string, closed: Track, next: number): Telling {
  return {
    workload,
    version: closed.version,
    card: cardNumber(closed),
    opens: false,
    track: closed,
    rows: [],
    ...(closed.ending === 'superseded' ? { supersededBy: next } : {}),
  };
}

function copyOfTrack(track: Track, print: string, newCard: boolean): Track {
  if (track.print === print && !newCard) return track;
  const copy = { ...track, print, told: { ...track.told } };
  if (newCard) nextNumber(copy, 'card');
  return copy;
}
