import { standingOf } from './classify.ts';
import type { RecordMemory, RecordState } from './classify.ts';
import { trackOf, waits, workloadOf } from './gvc-step.ts';
import type { GvcRollout } from './gvc-rollout.ts';
import type { GvcPicture } from './gvc-step.ts';
import { oncePer } from './once-per.ts';
import type { Track } from './track.ts';

/** A rollout that has not ended within an hour, or trouble older than that, is watched at the slow pace. */
const MOVING_MS = 3_600_000;
/** What becomes due within this time must not wait for a slow poll. */
const SOON_MS = 60_000;

const AT_REST: ReadonlySet<RecordState> = new Set(['ready', 'idle', 'suspended', 'stale', 'gone']);
const CONFIRMED: ReadonlySet<RecordState> = new Set(['failed', 'unhealthy', 'gone']);

/** Whether the next poll of a GVC should be soon, for what its workloads do. @param now milliseconds since the epoch */
export function isMoving(picture: GvcPicture, now: number): boolean {
  const { wakesAt, anyOpen } = tracksInShort(picture.tracks);
  if (wakesAt - now <= SOON_MS || anyUndecided(picture.records)) return true;
  if (!anyOpen) return false;
  return Object.entries(picture.records).some(([key, record]) => {
    const track = trackOf(picture, workloadOf(key));
    return track?.ending === null && isUnderWay(record, track, now);
  });
}

/** Whether a rollout is open, and when the first track wants to be looked at: 0 = at once, Infinity = not by the clock. */
export const tracksInShort = oncePer((tracks: GvcPicture['tracks']) => {
  const all = Object.values(tracks);
  // What an earlier release stored does not say when it wakes.
  const times = all.map(({ wakeAt }) => (wakeAt === undefined ? 0 : (wakeAt ?? Infinity)));
  return {
    wakesAt: times.reduce((first, time) => Math.min(first, time), Infinity),
    anyOpen: all.some(({ ending }) => ending === null),
  };
});

const anyUndecided = oncePer((records: GvcPicture['records']) =>
  Object.values(records).some(isUndecided),
);

/** The same for a rollout of the GVC itself. */
export function isRolling(rollout: GvcRollout | undefined, now: number): boolean {
  return rollout?.ending === null && now - rollout.startedAt < MOVING_MS;
}

/** One more poll will tell: it is missing for the first time, starts, or was not ready once. */
function isUndecided(record: RecordMemory): boolean {
  if (record.missing === 1) return true;
  if (record.cron) return false;
  if (record.atRest === 1 || (record.readyAtNone === true && record.wasReady)) {
    return !CONFIRMED.has(record.state);
  }
  return record.grace !== null || (record.notReady && !CONFIRMED.has(record.state));
}

function isUnderWay(record: RecordMemory, track: Track, now: number): boolean {
  if (record.cron) return false;
  const waiting = waits(record, track.version);
  if (!waiting && AT_REST.has(standingOf(record))) return false;
  // A waiting location has been what it is for long; its rollout has not.
  const since = waiting ? Math.max(record.since, track.startedAt ?? 0) : record.since;
  return now - since < MOVING_MS;
}
