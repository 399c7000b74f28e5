import { startRedis } from '../../src/sandbox/redis.ts';

/**
 * One Redis for all tests of a run, named in REDIS_URL unless it names one already. Every test, and every
 * bot that a test starts, keeps to a REDIS_PREFIX of its own. A test that changes the settings of its Redis,
 * counts its commands or ends it starts a private one with `startRedis()`.
 */
export async function setup(): Promise<() => Promise<void>> {
  const redis = await startRedis(process.env['REDIS_URL']);
  process.env['REDIS_URL'] = redis.url;
  return () => redis.close();
}
