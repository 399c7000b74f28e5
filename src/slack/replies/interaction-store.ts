import { randomUUID } from 'node:crypto';
import type { Logger } from '../../lib/logger.ts';
import type { Keys } from '../../store/keys.ts';
import type { RedisConnection } from '../../store/redis.ts';

/** What buttons stand for, as JSON, each for one person. */
export interface InteractionStore {
  /** Kept for a day, or `forMs` milliseconds. Gives the id for the button; undefined when it could not be kept, which is logged. */
  put(userId: string, value: unknown, forMs?: number): Promise<string | undefined>;
  /** What was kept for this person; undefined when it is too old or another person's. @throws when the store does not answer */
  get(userId: string, id: string): Promise<unknown>;
}

/** People come back to an answer on the same day. */
const KEEP_MS = 24 * 60 * 60_000;

export function createInteractionStore({
  redis,
  keys,
  logger,
}: {
  redis: RedisConnection;
  keys: Keys;
  logger: Logger;
}): InteractionStore {
  /** The key contains the person: the id is of no use to another. */
  const keyOf = (userId: string, id: string): string => keys.kept(`${userId}:${id}`);
  return {
    async put(userId, value, forMs = KEEP_MS) {
      const id = randomUUID();
      try {
        await redis.set(keyOf(userId, id), JSON.stringify(value), 'PX', forMs);
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
