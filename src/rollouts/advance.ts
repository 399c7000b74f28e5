import { createHash } from 'node:crypto';
import type { DeploymentList } from '../platform/deployments/client.ts';
import { classify } from './classify.ts';
import type { RecordMemory } from './classify.ts';
import { readFacts } from './facts.ts';
import { cardNumber, nextNumber, stepTrack } from './track.ts';
import type { News, Telling } from './telling.ts';
import type { Row, Track, TrackStep } from './track.ts';
import type { Wide } from './wide.ts';

/** Everything that is remembered of one GVC: one hash in Redis (design section 8). */
export interface GvcState {
  /** Present once the first poll was adopted. `emptySince`: when the list became suddenly empty. */
  meta: { adoptedAt: number; emptySince: number | null } | undefined;
  /** By `workload/location`. */
  records: Record<string, RecordMemory>;
  /** By workload. */
  tracks: Record<string, Track>;
  wide: Wide | undefined;
}

export interface Advance {
  state: GvcState;
  tellings: Telling[];
  news: News[];
  /** Something is on its way, so the next poll should be soon. */
  moving: boolean;
}

const EMPTY_LIST_MS = 10 * 60_000;
const DAY_MS = 24 * 3_600_000;
/** A record that comes back within this time is compared with what it was. */
const RETURN_MS = 7 * DAY_MS;
/** As long as messages can still be edited, a key that was used must not be used for something else. */
const FORGET_MS = 45 * DAY_MS;
const MISSING_LISTS = 2;
const MOVING_MS = 3_600_000;

export const EMPTY_STATE: GvcState = {
  meta: undefined,
  records: {},
  tracks: {},
  wide: undefined,
};

/**
 * The next state of a GVC after one complete list, and what is to be told. Pure. What needs two polls
 * to be believed aside, the same list again yields nothing to tell.
 * @param now milliseconds since the epoch
 */
export function advance(before: GvcState, list: DeploymentList, now: number): Advance {
  const adopting = before.meta === undefined;
  const empty = list.deployments.length === 0 && list.unreadable.length === 0;
  const emptySince =
    empty && Object.values(before.records).some((record) => record.state !== 'gone')
      ? (before.meta?.emptySince ?? now)
      : null;
  const meta = { adoptedAt: before.meta?.adoptedAt ?? now, emptySince };
  if (emptySince !== null && now - emptySince < EMPTY_LIST_MS) {
    return { state: { ...before, meta }, tellings: [], news: [], moving: true };
  }
  const records = nextRecords(before, list, now, adopting);
  const state: GvcState = { meta, records, tracks: emptyRecord<Track>(), wide: before.wide };
  const tellings: Telling[] = [];
  let moving = Object.values(records).some((record) => record.missing === 1);
  const previous = byWorkload(before.records);
  for (const [workload, ofWorkload] of byWorkload(records)) {
    // `constructor` is a fine name for a workload.
    const old = Object.hasOwn(before.tracks, workload) ? before.tracks[workload] : undefined;
    const step = stepTrack(old, ofWorkload, {
      previous: previous.get(workload) ?? emptyRecord<RecordMemory>(),
      now,
      adopting,
    });
    const track = step?.track ?? old;
    if (track !== undefined) state.tracks[workload] = track;
    if (step === undefined) continue;
    tellings.push(...tellingsOf(workload, step));
    moving ||= isMoving(step, now) || Object.values(ofWorkload).some((r) => r.grace !== null);
  }
  return { state, tellings, news: [], moving };
}

function nextRecords(
  before: GvcState,
  list: DeploymentList,
  now: number,
  adopting: boolean,
): Record<string, RecordMemory> {
  const next = emptyRecord<RecordMemory>();
  for (const deployment of list.deployments) {
    const key = `${deployment.workload}/${deployment.location}`;
    const known = before.records[key];
    const forgotten = known?.state === 'gone' && now - known.since >= RETURN_MS;
    next[key] = classify(readFacts(deployment), forgotten ? undefined : known, { now, adopting });
  }
  const unreadable = new Set(list.unreadable);
  for (const [key, record] of Object.entries(before.records)) {
    if (next[key] !== undefined) continue;
    const kept = unreadable.has(key)
      ? { ...record, missing: 0 }
      : list.unidentified > 0
        ? record
        : missed(record, now);
    if (kept !== undefined) next[key] = kept;
  }
  return next;
}

/** A record that a complete list lacks: gone after the second, forgotten in the end. */
function missed(record: RecordMemory, now: number): RecordMemory | undefined {
  if (record.state === 'gone') return now - record.since < FORGET_MS ? record : undefined;
  const missing = record.missing + 1;
  if (missing < MISSING_LISTS) return { ...record, missing };
  return { ...record, missing, state: 'gone', since: now, cause: '', grace: null };
}

function emptyRecord<T>(): Record<string, T> {
  return Object.create(null) as Record<string, T>;
}

function byWorkload(
  records: Record<string, RecordMemory>,
): Map<string, Record<string, RecordMemory>> {
  const groups = new Map<string, Record<string, RecordMemory>>();
  for (const [key, record] of Object.entries(records)) {
    const slash = key.indexOf('/');
    const workload = key.slice(0, slash);
    // Names are foreign: `__proto__` must be a key like any other.
    const group = groups.get(workload) ?? emptyRecord<RecordMemory>();
    group[key.slice(slash + 1)] = record;
    groups.set(workload, group);
  }
  return groups;
}

function tellingsOf(workload: string, step: TrackStep): Telling[] {
  const { track, rows, closed } = step;
  const tellings: Telling[] = [];
  if (closed !== undefined) {
    tellings.push({
      workload,
      version: closed.version,
      card: cardNumber(closed),
      opens: false,
      track: closed,
      rows: [],
      ...(closed.ending === 'superseded' ? { supersededBy: track.version } : {}),
    });
  }
  const opens = step.opened || step.outcomes.length > 0;
  const hasCard = track.told[`${track.version}/card`] !== undefined;
  if (step.opened || (opens && !hasCard)) nextNumber(track, 'card');
  const base = { workload, version: track.version, card: cardNumber(track), track, rows };
  const print = fingerprint(track, rows);
  // What was found under way has no print yet: it is known, and nothing is told.
  const changed = track.print !== '' && track.print !== print;
  if (opens || changed) tellings.push({ ...base, opens });
  track.print = print;
  for (const outcome of step.outcomes) tellings.push({ ...base, outcome, opens: true });
  return tellings;
}

/** Of what a card shows; one that has ended shows no rows. */
function fingerprint(track: Track, rows: Row[]): string {
  const shown = track.ending ?? rows;
  return createHash('sha1').update(JSON.stringify(shown)).digest('base64').slice(0, 12);
}

/** A rollout that has not ended within an hour, or trouble older than that, is watched at the slow pace. */
function isMoving(step: TrackStep, now: number): boolean {
  const settled: readonly Row['state'][] = ['ready', 'idle', 'suspended', 'stale', 'gone'];
  return step.rows.some((row) => !settled.includes(row.state) && now - row.since < MOVING_MS);
}
