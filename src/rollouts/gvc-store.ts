import { MESSAGE_TTL_MS } from '../notify/outbox.ts';
import type { Keys } from '../store/keys.ts';
import type { RedisConnection } from '../store/redis.ts';
import type { GvcState } from './advance.ts';
import type { RecordMemory } from './classify.ts';
import type { Track } from './track.ts';

/** A GVC as it was read, with the fields as they stand in Redis. */
export interface StoredGvc {
  state: GvcState;
  fields: Record<string, string>;
}

/** Names are foreign: `__proto__` must be a key like any other. */
function emptyState(): GvcState {
  return {
    meta: undefined,
    records: Object.create(null) as GvcState['records'],
    tracks: Object.create(null) as GvcState['tracks'],
    wide: undefined,
  };
}

const META = '@meta';
const WIDE = '@wide';
const TRACK = '@track/';

/** Reads the hash of one GVC (design section 8). */
export async function readGvc(
  redis: RedisConnection,
  keys: Keys,
  org: string,
  gvc: string,
): Promise<StoredGvc> {
  const fields = await redis.hgetall(keys.rollouts(org, gvc));
  const state = emptyState();
  for (const [field, text] of Object.entries(fields)) {
    if (field === META) state.meta = JSON.parse(text) as NonNullable<GvcState['meta']>;
    else if (field === WIDE) state.wide = JSON.parse(text) as NonNullable<GvcState['wide']>;
    else if (field.startsWith(TRACK)) {
      state.tracks[field.slice(TRACK.length)] = JSON.parse(text) as Track;
    } else state.records[field] = JSON.parse(text) as RecordMemory;
  }
  return { state, fields };
}

/** What has to be written so that the hash holds `next`; nothing for a poll that changed nothing. */
export function changesOf(
  before: StoredGvc,
  next: GvcState,
): { set: Record<string, string>; remove: string[] } {
  const wanted = new Map<string, string>();
  if (next.meta !== undefined) wanted.set(META, JSON.stringify(next.meta));
  if (next.wide !== undefined) wanted.set(WIDE, JSON.stringify(next.wide));
  for (const [workload, track] of Object.entries(next.tracks)) {
    wanted.set(TRACK + workload, JSON.stringify(track));
  }
  for (const [key, record] of Object.entries(next.records)) wanted.set(key, JSON.stringify(record));
  const changed = [...wanted].filter(([field, text]) => before.fields[field] !== text);
  return {
    set: Object.fromEntries(changed),
    remove: Object.keys(before.fields).filter((field) => !wanted.has(field)),
  };
}

/** How the last poll of a GVC went; times in milliseconds since the epoch. */
export interface Pulse {
  /** Of the last complete poll, 0 = none yet. */
  at: number;
  /** Something is on its way: poll soon again. */
  moving: boolean;
  /** Failed polls since. */
  failures: number;
  /** Before this nothing is asked again; 0 = whenever it is due. */
  notBefore: number;
  /** Sentence of the last failure, '' when there is none. */
  error: string;
  skipped: number;
}

export const NO_PULSE: Pulse = {
  at: 0,
  moving: false,
  failures: 0,
  notBefore: 0,
  error: '',
  skipped: 0,
};

export async function readPulse(
  redis: RedisConnection,
  keys: Keys,
  org: string,
  gvc: string,
): Promise<Pulse> {
  const text = await redis.get(keys.pulse(org, gvc));
  return text === null ? NO_PULSE : (JSON.parse(text) as Pulse);
}

/**
 * Forgets what was seen of a GVC that nobody watches any more: when it is watched again, the first
 * poll takes what it sees in silence. The tracks stay for as long as their messages do, because
 * they hold the numbers of the keys: one that was used must not be used for other news.
 */
export async function forgetGvc(
  redis: RedisConnection,
  keys: Keys,
  org: string,
  gvc: string,
): Promise<void> {
  const hash = keys.rollouts(org, gvc);
  const fields = (await redis.hkeys(hash)).filter((field) => !field.startsWith(TRACK));
  if (fields.length > 0) await redis.hdel(hash, ...fields);
  await redis.pexpire(hash, MESSAGE_TTL_MS);
  await redis.del(keys.pulse(org, gvc));
}
