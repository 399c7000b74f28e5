import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { MESSAGE_TTL_MS } from '../notify/outbox.ts';
import type { Keys } from '../store/keys.ts';
import type { RedisConnection } from '../store/redis.ts';
import type { GvcState } from './engine/advance.ts';
import { countOf } from './engine/records.ts';
import type { Settled } from './engine/sighting.ts';
import { recordOf, recordText, trackOf, trackText } from './gvc-text.ts';

/** A GVC as it stands in Redis. */
export interface StoredGvc {
  state: GvcState;
  /** Changes with every write, '' before the first one. */
  revision: string;
}

/** A GVC in the hands of the one poll that may write it. */
export interface OpenGvc extends StoredGvc {
  settled: Settled;
}

/** What has to be written so that the hash holds the next state. */
export interface GvcChange {
  set: Record<string, string>;
  remove: string[];
}

export interface GvcStore {
  /**
   * The state of a GVC. What this process kept of it is used while nobody else has written since,
   * so that an unchanged poll reads one field. To be called under the lock of its polls.
   */
  open(org: string, gvc: string): Promise<OpenGvc>;
  /** Keeps what a poll has led to, once the change is written. Whoever fails before keeps nothing. */
  keep(org: string, gvc: string, open: OpenGvc, next: GvcState, change: GvcChange): void;
}

const META = '@meta';
const WIDE = '@wide';
const REVISION = '@revision';
const TRACK = '@track/';
/** Nothing of the platform begins so. */
const OWN = '@';
/** About 1 KB each. */
const KEPT_RECORDS = 50_000;

/** @param deps.keptRecords how many records of all GVCs together are kept in memory (50,000) */
export function createGvcStore(deps: {
  redis: RedisConnection;
  keys: Keys;
  keptRecords?: number;
}): GvcStore {
  const { redis, keys, keptRecords = KEPT_RECORDS } = deps;
  const kept = new LRUCache<string, OpenGvc>({ maxSize: keptRecords });
  return {
    async open(org, gvc) {
      const place = `${org}/${gvc}`;
      const known = kept.get(place);
      kept.delete(place);
      if (known !== undefined) {
        const revision = await redis.hget(keys.rollouts(org, gvc), REVISION);
        if (revision === known.revision) return known;
      }
      return { ...(await readGvc(redis, keys, org, gvc)), settled: new Map() };
    },
    keep(org, gvc, open, state, change) {
      const revision = change.set[REVISION] ?? open.revision;
      if (revision === '') return;
      const size = Math.max(1, countOf(state.records));
      kept.set(`${org}/${gvc}`, { ...open, state, revision }, { size });
    },
  };
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

/** Reads the hash of one GVC (design section 8). */
export async function readGvc(
  redis: RedisConnection,
  keys: Keys,
  org: string,
  gvc: string,
): Promise<StoredGvc> {
  const fields = await redis.hgetall(keys.rollouts(org, gvc));
  return { state: stateOf(fields), revision: fields[REVISION] ?? '' };
}

/** The state of a GVC from the fields of its hash. @throws SyntaxError */
export function stateOf(fields: Readonly<Record<string, string>>): GvcState {
  const state = emptyState();
  for (const [field, text] of Object.entries(fields)) {
    if (field === META) state.meta = JSON.parse(text) as NonNullable<GvcState['meta']>;
    else if (field === WIDE) state.wide = JSON.parse(text) as NonNullable<GvcState['wide']>;
    else if (field.startsWith(TRACK)) {
      state.tracks[field.slice(TRACK.length)] = trackOf(text);
    } else if (!field.startsWith(OWN)) state.records[field] = recordOf(text);
  }
  return state;
}

/**
 * What has to be written so that the hash holds `next` instead of `before`, with a new revision;
 * nothing for a poll that changed nothing. What is the same object is the same.
 */
export function changesOf(before: GvcState, next: GvcState): GvcChange {
  const change: GvcChange = { set: {}, remove: [] };
  compare<unknown>(
    change,
    { [META]: before.meta, [WIDE]: before.wide },
    parts(next),
    JSON.stringify,
  );
  compare(change, before.tracks, next.tracks, trackText, TRACK);
  compare(change, before.records, next.records, recordText);
  if (Object.keys(change.set).length + change.remove.length > 0) {
    change.set[REVISION] = randomUUID();
  }
  return change;
}

function parts({ meta, wide }: GvcState): Record<string, unknown> {
  return {
    ...(meta === undefined ? {} : { [META]: meta }),
    ...(wide === undefined ? {} : { [WIDE]: wide }),
  };
}

function compare<T>(
  change: GvcChange,
  before: Readonly<Record<string, T | undefined>>,
  next: Readonly<Record<string, T>>,
  textOf: (one: T) => string,
  prefix = '',
): void {
  if (before === next) return;
  for (const name in next) {
    const [old, now] = [own(before, name), next[name]];
    if (old === now) continue;
    if (now === undefined) continue;
    const text = textOf(now);
    if (old === undefined || textOf(old) !== text) change.set[prefix + name] = text;
  }
  for (const name in before) {
    if (own(next, name) === undefined && before[name] !== undefined) {
      change.remove.push(prefix + name);
    }
  }
}

/** `constructor` is a fine name for a workload. */
function own<T>(of: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(of, name) ? of[name] : undefined;
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
  /** When the last complete poll began: its slot in the beat. Absent: as `at`. */
  began?: number;
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
 * poll takes what it sees in silence. What has numbers stays for as long as their messages do, because
 * they hold the numbers of the keys: one that was used must not be used for other news. To be called
 * under the lock of its polls.
 */
export async function forgetGvc(
  redis: RedisConnection,
  keys: Keys,
  org: string,
  gvc: string,
): Promise<void> {
  const hash = keys.rollouts(org, gvc);
  const numbered = (field: string): boolean => field === WIDE || field.startsWith(TRACK);
  const fields = (await redis.hkeys(hash)).filter((field) => !numbered(field));
  if (fields.length > 0) await redis.hdel(hash, ...fields);
  await redis.pexpire(hash, MESSAGE_TTL_MS);
  // Last, because it tells the next poll whether there is anything to forget.
  await redis.del(keys.pulse(org, gvc));
}
