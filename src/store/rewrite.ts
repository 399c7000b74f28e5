import type { Redis } from 'ioredis';
import type { Logger } from '../lib/logger.ts';
import { HOUR_MS } from '../lib/time.ts';
import { isUnavailableCommand, nodeOf } from './durability.ts';
import type { Keys, RedisConnection } from './redis.ts';

/** Run every hour: then a rewrite begins less than a day after the one before. Milliseconds. */
const PAUSE_MS = 23 * HOUR_MS;

/**
 * Rewrites the append-only file of Redis once a day, over all processes. Redis itself does so by size alone, so in a
 * small installation an expired answer or a revealed secret would stay on the disk for months. Where the server has no
 * such file, or does not allow the command, nothing is done, and the log says so once.
 */
export function createRewrite(deps: {
  redis: RedisConnection;
  keys: Keys;
  logger: Logger;
}): () => Promise<void> {
  const { redis, keys, logger } = deps;
  let isSkipped = false;

  function skip(why: string): void {
    if (!isSkipped) logger.info({ why }, 'The append-only file of Redis is not rewritten');
    isSkipped = true;
  }

  async function rewrite(server: Redis): Promise<void> {
    const file = fileIn(await server.info('persistence'));
    if (!file.isOn) return skip('the server has none, or keeps it to itself');
    if (file.isBusy) return;
    if (file.hasFailed) await redis.del(keys.rewritten);
    if ((await redis.set(keys.rewritten, '1', 'PX', PAUSE_MS, 'NX')) !== 'OK') return;
    try {
      await server.bgrewriteaof();
      logger.info({}, 'Redis rewrites its append-only file');
    } catch (error) {
      // One that has begun since then is as good.
      if (error instanceof Error && error.message.includes('already in progress')) return;
      if (!isUnavailableCommand(error)) await redis.del(keys.rewritten);
      throw error;
    }
  }

  return async () => {
    try {
      await rewrite(await nodeOf(redis, keys.rewritten));
    } catch (error) {
      if (!isUnavailableCommand(error)) throw error;
      skip('the server does not allow it');
    }
  };
}

function fileIn(info: string) {
  const has = (field: string, value: string): boolean =>
    new RegExp(`^${field}:${value}\\b`, 'm').test(info);
  return {
    isOn: has('aof_enabled', '1'),
    isBusy: has('aof_rewrite_in_progress', '1') || has('aof_rewrite_scheduled', '1'),
    hasFailed: has('aof_last_bgrewrite_status', 'err'),
  };
}
