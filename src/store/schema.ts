import { StartRefused } from '../lib/errors.ts';
import type { Logger } from '../lib/logger.ts';
import {
  connectRedis,
  redisReady,
  requireDatabase,
  type Keys,
  type RedisConnection,
  type RedisTarget,
} from './redis.ts';

/** The schema number of the data in Redis. Raise it whenever this code can no longer read data of the number before. */
export const SCHEMA = 1;

/** Longer than any number; longer text is cut in the log. */
const MOST_SHOWN = 40;

/**
 * Compares the schema of the data in Redis with that of the code: an empty Redis gets the number of the code, any
 * other data is only read.
 * @throws StartRefused when the data has another number, or none; any other error: try again
 */
export async function ensureSchema(redis: RedisConnection, keys: Keys): Promise<void> {
  const own = String(SCHEMA);
  const held =
    (await readNumber(redis, keys)) ??
    // Of two processes that start at once, one writes it and the other reads it.
    ((await redis.set(keys.schema, own, 'NX')) === 'OK' ? own : await readNumber(redis, keys));
  if (held === null) throw new Error('the schema was removed while Purser started');
  if (held === own) return;

  const isNumber = /^\d{1,15}$/.test(held);
  const shown = isNumber ? held : JSON.stringify(held.slice(0, MOST_SHOWN));
  const release = Number(held) > SCHEMA ? 'newer' : 'older';
  const start = isNumber ? `start the ${release} release` : 'restore the key schema';
  throw new StartRefused(
    `Redis holds data of schema ${shown}, this Purser knows schema ${own}: ${start}, or point REDIS_URL or REDIS_PREFIX at an empty store`,
  );
}

/** Null when the key is absent. */
async function readNumber(redis: RedisConnection, keys: Keys): Promise<string | null> {
  try {
    return await redis.get(keys.schema);
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('WRONGTYPE ')) return 'of another type';
    throw error;
  }
}

/** How long one `open` waits for Redis. Milliseconds. */
const READY_MS = 60_000;

/** A connection that stays closed until the data behind it is known to be readable. */
export function createStore(options: {
  readonly target: RedisTarget;
  readonly keys: Keys;
  readonly logger: Logger;
  readonly stopping: AbortSignal;
}) {
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
    /** Until `open` has succeeded, every command fails as it does while Redis is away. */
    redis,
    /**
     * Checks the schema on a separate connection, then connects. @throws as `ensureSchema`; when Redis is away
     */
    async open(): Promise<void> {
      if (!isChecked) {
        probe ??= connectRedis(target, 'commands', logger);
        await redisReady(probe, READY_MS);
        await requireDatabase(probe);
        await ensureSchema(probe, keys);
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
