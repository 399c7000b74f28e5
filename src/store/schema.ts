import { StartRefused } from '../lib/errors.ts';
import type { Logger } from '../lib/logger.ts';
import {
  connectRedis,
  redisReady,
  withLock,
  type Keys,
  type RedisConnection,
  type RedisTarget,
} from './redis.ts';

/**
 * The schema number of the data in Redis. Raise it whenever this code can no longer read data of the number
 * before, together with an entry in `MIGRATIONS` where that data has to be rewritten.
 */
export const SCHEMA = 1;

/**
 * Rewrites the data in Redis from one schema to the next. May run again after a crash or beside a process
 * that has lost its lock, so each step must be repeatable.
 */
export type Migration = (redis: RedisConnection, keys: Keys) => Promise<void>;

/** By the number that a migration starts from; without an entry there is nothing to rewrite. */
const MIGRATIONS: ReadonlyMap<number, Migration> = new Map();

interface Deps {
  readonly redis: RedisConnection;
  readonly keys: Keys;
  readonly logger: Pick<Logger, 'info'>;
}

interface Known {
  readonly schema: number;
  readonly migrations: ReadonlyMap<number, Migration>;
}

const THIS_RELEASE: Known = { schema: SCHEMA, migrations: MIGRATIONS };
/** Milliseconds. A migration by another process is waited for this long; then the start tries again. */
const LOCK = { ttlMs: 15_000, patienceMs: 60_000 };
/** Longer than any number; longer text is cut in the log. */
const MOST_SHOWN = 40;

/** Replaces the number if it is unchanged and this process still holds the lock. */
const ADVANCE = `if redis.call('GET', KEYS[1]) == ARGV[1] and redis.call('GET', KEYS[2]) == ARGV[3] then
  redis.call('SET', KEYS[1], ARGV[2]) return 1 end return 0`;

/**
 * Compares the schema of the data in Redis with that of the code: an empty Redis gets the number of the code,
 * older data is migrated. Newer or unknown data is only read.
 * @throws StartRefused when the data is newer or has no number; any other error: try again
 */
export async function ensureSchema(deps: Deps, known: Known = THIS_RELEASE): Promise<void> {
  const { redis, keys } = deps;
  const held =
    (await readNumber(redis, keys)) ??
    // Of two processes that start at once, one writes it and the other reads it.
    ((await redis.set(keys.schema, String(known.schema), 'NX')) === 'OK'
      ? String(known.schema)
      : await readNumber(redis, keys));
  if (held === undefined) throw new Error('the schema was removed while Purser started');
  if (checked(held, known) === known.schema) return;
  await withLock(redis, keys.lock('schema'), LOCK, async (lock) => {
    for (;;) {
      // Another process may have migrated while this one waited for the lock.
      const from = checked((await readNumber(redis, keys)) ?? String(known.schema), known);
      if (from === known.schema) return;
      await known.migrations.get(from)?.(redis, keys);
      const to = from + 1;
      const advanced = await redis.eval(ADVANCE, 2, keys.schema, lock.key, from, to, lock.token);
      if (advanced !== 1) throw new Error(`another process migrates schema ${from}`);
      deps.logger.info({ from, to }, 'The data in Redis was migrated');
    }
  });
}

/** Undefined when the key is absent. */
async function readNumber(redis: RedisConnection, keys: Keys): Promise<string | undefined> {
  try {
    return (await redis.get(keys.schema)) ?? undefined;
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('WRONGTYPE ')) return 'of another type';
    throw error;
  }
}

/** @throws StartRefused unless the code has this number or a higher one */
function checked(held: string, { schema }: Known): number {
  const number = /^\d{1,15}$/.test(held) ? Number(held) : Number.NaN;
  if (number <= schema) return number;
  const isNumber = !Number.isNaN(number);
  const shown = isNumber ? String(number) : JSON.stringify(held.slice(0, MOST_SHOWN));
  const start = isNumber ? 'start the newer release' : 'restore the key schema';
  throw new StartRefused(
    `Redis holds data of schema ${shown}, this Purser knows schema ${schema}: ${start}, or point REDIS_URL or REDIS_PREFIX at an empty store`,
  );
}

/** A connection that stays closed until the data behind it is known to be readable. */
export interface Store {
  /** Until `open` has succeeded, every command fails as it does while Redis is away. */
  readonly redis: RedisConnection;
  /**
   * Checks the schema on a separate connection, then connects. @throws as `ensureSchema`; when Redis is away
   */
  readonly open: () => Promise<void>;
}

/** How long one `open` waits for Redis. Milliseconds. */
const READY_MS = 60_000;

export function createStore(options: {
  readonly target: RedisTarget;
  readonly keys: Keys;
  readonly logger: Logger;
  readonly stopping: AbortSignal;
}): Store {
  const { target, keys, logger, stopping } = options;
  const redis = connectRedis(target, 'commands', logger, { lazy: true });
  // The first command would connect a lazy connection.
  redis.connect = () => Promise.reject(new Error('the schema has not been checked yet'));
  let probe: RedisConnection | undefined;
  const endProbe = (): void => {
    probe?.disconnect();
    probe = undefined;
  };
  stopping.addEventListener('abort', endProbe, { once: true });
  let isChecked = false;
  return {
    redis,
    async open() {
      if (!isChecked) {
        probe ??= connectRedis(target, 'commands', logger);
        await redisReady(probe, READY_MS);
        await ensureSchema({ redis: probe, keys, logger });
        isChecked = true;
        endProbe();
        Reflect.deleteProperty(redis, 'connect');
        // After a failed try, the connection retries on its own.
        redis.connect().catch(() => undefined);
      }
      await redisReady(redis, READY_MS);
    },
  };
}
