import { createHash } from 'node:crypto';
import type { DeploymentList } from '../platform/deployments/client.ts';
import { classify, isNewRollout } from './classify.ts';
import type { RecordMemory } from './classify.ts';
import { readFacts } from './facts.ts';
import { cardNumber, nextNumber, rowsOf, stepTrack } from './track.ts';
import type { OutcomeKind, Row, Track, TrackStep } from './track.ts';

/** Everything that is remembered of one GVC: one hash in Redis (design section 8). */
export interface GvcState {
  /** Present once the first poll was adopted. `emptySince`: when the list became suddenly empty. */
  meta: { adoptedAt: number; emptySince: number | null } | undefined;
  /** By `workload/location`. */
  records: Record<string, RecordMemory>;
  /** By workload. */
  tracks: Record<string, Track>;
}

/** A card or an outcome to be told; which channels hear it is the watches' matter. */
export interface Telling {
  workload: string;
  version: number;
  /** Number of the card (from 1), which is also the thread of an outcome. */
  card: number;
  /** Absent for the card itself. */
  outcome?: { kind: OutcomeKind; n: number; locations: string[] };
  /** A card that opens may be posted; any other is only an edit of one that is there. */
  opens: boolean;
  track: Track;
  rows: Row[];
  supersededBy?: number;
}

export interface Advance {
  state: GvcState;
  tellings: Telling[];
  /** Something is on its way, so the next poll should be soon. */
  moving: boolean;
}

const EMPTY_LIST_MS = 10 * 60_000;
/** A record that comes back within this time at the same version and state is no news. */
const GONE_MS = 7 * 24 * 3_600_000;
const MISSING_LISTS = 2;
const MOVING_MS = 3_600_000;

export const EMPTY_STATE: GvcState = { meta: undefined, records: {}, tracks: {} };

/**
 * The next state of a GVC after one complete list, and what is to be told. Pure; the same list again
 * yields nothing to tell.
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
    return { state: { ...before, meta }, tellings: [], moving: true };
  }
  const records = nextRecords(before, list, now, adopting);
  const tracks = Object.assign(emptyRecord<Track>(), before.tracks);
  const state: GvcState = { meta, records, tracks };
  const tellings: Telling[] = [];
  let moving = false;
  for (const [workload, ofWorkload] of byWorkload(records)) {
    const track = before.tracks[workload];
    const moved = Object.entries(ofWorkload).some(([location, record]) => {
      const old = before.records[`${workload}/${location}`];
      return old === undefined || old.version !== record.version;
    });
    const step = stepTrack(track, ofWorkload, { now, adopting, moved });
    if (step === undefined) continue;
    tellings.push(...tellingsOf(workload, step, before));
    state.tracks[workload] = step.track;
    moving ||= isMoving(step, now) || Object.values(ofWorkload).some((r) => r.grace !== null);
  }
  moving ||= Object.values(records).some((record) => record.missing === 1);
  return { state, tellings, moving };
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
    const facts = readFacts(deployment);
    const known = before.records[key];
    // One that came back is compared with what it was before it was gone.
    const forgotten = known?.state === 'gone' && isNewRollout(facts, known);
    next[key] = classify(facts, forgotten ? undefined : known, { now, adopting });
  }
  const present = new Set([...Object.keys(next), ...list.unreadable]);
  for (const [key, record] of Object.entries(before.records)) {
    if (next[key] !== undefined) continue;
    const kept = present.has(key) || list.unidentified > 0 ? record : missed(record, now);
    if (kept !== undefined) next[key] = kept;
  }
  return next;
}

/** A record that a complete list lacks: gone after the second, forgotten after seven days. */
function missed(record: RecordMemory, now: number): RecordMemory | undefined {
  if (record.state === 'gone') return now - record.since < GONE_MS ? record : undefined;
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

function tellingsOf(workload: string, step: TrackStep, before: GvcState): Telling[] {
  const { track, rows } = step;
  const tellings: Telling[] = [];
  const old = before.tracks[workload];
  if (step.superseded !== undefined && old !== undefined) {
    tellings.push({
      workload,
      version: old.version,
      card: cardNumber(old),
      opens: false,
      track: step.superseded,
      rows: rowsOf(recordsOf(before, workload), old.version),
      supersededBy: track.version,
    });
  }
  const opens = step.opened || step.outcomes.length > 0;
  if (step.opened || track.told[`${track.version}/card`] === undefined) {
    if (opens) nextNumber(track, 'card');
  }
  const base = { workload, version: track.version, card: cardNumber(track), track, rows };
  const print = fingerprint(track, rows);
  if (opens || print !== track.print) tellings.push({ ...base, opens });
  track.print = print;
  for (const outcome of step.outcomes) tellings.push({ ...base, outcome, opens: true });
  return tellings;
}

function recordsOf(state: GvcState, workload: string): Record<string, RecordMemory> {
  return byWorkload(state.records).get(workload) ?? {};
}

/** Of what a card shows; times that only pass are left out, or every poll would be an edit. */
function fingerprint(track: Track, rows: Row[]): string {
  const shown = [track.version, track.ending, rows.map(({ since: _since, ...row }) => row)];
  return createHash('sha1').update(JSON.stringify(shown)).digest('base64').slice(0, 12);
}

/** A rollout that has not ended within an hour, or trouble older than that, is watched at the slow pace. */
function isMoving(step: TrackStep, now: number): boolean {
  const settled: readonly Row['state'][] = ['ready', 'idle', 'suspended', 'stale', 'gone'];
  return step.rows.some((row) => !settled.includes(row.state) && now - row.since < MOVING_MS);
}
