import type { Logger } from '../lib/logger.ts';
import { DAY_MS } from '../lib/time.ts';
import type { Keys, RedisConnection } from '../store/redis.ts';

export type HomeVersions = ReturnType<typeof createHomeVersions>;

/**
 * The version (`hash`) of a person's home tab that Slack has, for a process that has not published it: Slack refuses a
 * view that was made from an older one. Never rejects: without it a view is published in any case.
 */
export function createHomeVersions({
  redis,
  keys,
  logger,
}: {
  redis: RedisConnection;
  keys: Keys;
  logger: Pick<Logger, 'warn'>;
}) {
  const unknown = (error: unknown): undefined => {
    logger.warn({ err: error }, 'The version of a home tab is not known');
  };
  return {
    get: async (userId: string): Promise<string | undefined> =>
      (await redis.get(keys.homeVersion(userId)).catch(unknown)) ?? undefined,
    set: async (userId: string, hash: string): Promise<void> =>
      void (await redis.set(keys.homeVersion(userId), hash, 'PX', DAY_MS).catch(unknown)),
  };
}
