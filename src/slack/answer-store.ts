import type { Logger } from '../lib/logger.ts';
import type { Keys } from '../store/keys.ts';
import type { RedisConnection } from '../store/redis.ts';
import type { Answer } from './routes.ts';

/** Answers as they were shown, so that they can be shared and come back to their place. */
export interface AnswerStore {
  /** Gives false when it could not be kept, which is logged. */
  put(userId: string, id: string, answer: Answer): Promise<boolean>;
  /** What was shown to this person; undefined when it is too old or another's. @throws when the store does not answer */
  find(userId: string, id: string): Promise<Answer | undefined>;
  /** Gives true once for every answer. @throws when the store does not answer */
  claim(userId: string, id: string): Promise<boolean>;
}

/** People come back to an answer on the same day. */
const KEEP_MS = 24 * 60 * 60_000;

export function createAnswerStore(deps: {
  redis: RedisConnection;
  keys: Keys;
  logger: Logger;
}): AnswerStore {
  const { redis, keys, logger } = deps;
  /** The key has the person in it: nobody else can share an answer, or use it up. */
  const keyOf = (userId: string, ...rest: string[]): string =>
    keys.answer([userId, ...rest].join(':'));
  return {
    async put(userId, id, answer) {
      try {
        await redis.set(keyOf(userId, id), JSON.stringify(answer), 'PX', KEEP_MS);
        return true;
      } catch (error) {
        logger.warn({ err: error }, 'An answer was not kept: it cannot be shared');
        return false;
      }
    },
    async find(userId, id) {
      const text = await redis.get(keyOf(userId, id));
      return text === null ? undefined : (JSON.parse(text) as Answer);
    },
    async claim(userId, id) {
      const key = keyOf(userId, id, 'shared');
      return (await redis.set(key, '1', 'PX', KEEP_MS, 'NX')) === 'OK';
    },
  };
}
