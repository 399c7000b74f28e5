import { DAY_MS } from '../../lib/time.ts';
import type { RedisConnection } from '../../store/redis.ts';

/** People come back to an answer on the same day. Milliseconds. */
export const KEEP_MS = DAY_MS;

/** What stands beside a value, under its key with this ending, and is forgotten with it. */
export const BESIDE = ':shared';

/**
 * Keeps a value, and forgets the oldest ones of the same person beyond the most that are kept. KEYS: the value, the
 * index of the person's values by time. ARGV: id, value, ms to keep it, ms to keep the index, most. The time is that of
 * Redis, the same for all processes; a repeat after a lost connection changes nothing.
 */
const PUT = `
local id, most = ARGV[1], tonumber(ARGV[5])
local base = string.sub(KEYS[1], 1, -1 - #id)
local time = redis.call('TIME')
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
redis.call('ZADD', KEYS[2], string.format('%.0f', time[1] * 1000000 + time[2]), id)
redis.call('PEXPIRE', KEYS[2], ARGV[4])
for _, old in ipairs(redis.call('ZRANGE', KEYS[2], 0, -1 - most)) do
  redis.call('DEL', base .. old, base .. old .. '${BESIDE}')
  redis.call('ZREM', KEYS[2], old)
end
return 0
`;

interface Kept {
  /** Ends with the id. */
  readonly key: string;
  readonly id: string;
  readonly value: unknown;
  readonly forMs: number;
  /** Key of the index of the same person's values. */
  readonly index: string;
}

/** Keeps a value as JSON. @param most of one person; undefined: no limit @throws when the store does not answer */
export type Shelve = (kept: Kept) => Promise<void>;

export function createShelve(redis: RedisConnection, most: number | undefined): Shelve {
  return async ({ key, id, value, forMs, index }) => {
    const text = JSON.stringify(value);
    if (most === undefined) await redis.set(key, text, 'PX', forMs);
    else await redis.eval(PUT, 2, key, index, id, text, forMs, KEEP_MS, most);
  };
}
