import { randomUUID } from 'node:crypto';
import type { Logger } from '../lib/logger.ts';
import type { Keys } from '../store/keys.ts';
import type { RedisConnection } from '../store/redis.ts';

/** Things that a button stands for, kept for one person. */
export interface Keep {
  /** Gives the id that the button carries; undefined when it could not be kept, which is logged. For a day, or `forMs` milliseconds. */
  put(userId: string, thing: unknown, forMs?: number): Promise<string | undefined>;
  /** What was kept for this person; undefined when it is too old or another's. @throws when the store does not answer */
  get(userId: string, id: string): Promise<unknown>;
}

/** People come back to an answer on the same day. */
const KEEP_MS = 24 * 60 * 60_000;

/** Keeps things as JSON. */
export function createKeep(deps: { redis: RedisConnection; keys: Keys; logger: Logger }): Keep {
  const { redis, keys, logger } = deps;
  /** The key has the person in it: the id in another's hands opens nothing. */
  const keyOf = (userId: string, id: string): string => keys.kept(`${userId}:${id}`);
  return {
    async put(userId, thing, forMs = KEEP_MS) {
      const id = randomUUID();
      try {
        await redis.set(keyOf(userId, id), JSON.stringify(thing), 'PX', forMs);
        return id;
      } catch (error) {
        logger.warn({ err: error }, 'What a button stands for was not kept');
        return undefined;
      }
    },
    async get(userId, id) {
      const text = await redis.get(keyOf(userId, id));
      return text === null ? undefined : (JSON.parse(text) as unknown);
    },
  };
}
