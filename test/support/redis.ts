import { afterAll, beforeAll } from 'vitest';
import { createLogger } from '../../src/lib/logger.ts';
import { connectRedis, redisReady, type RedisConnection } from '../../src/store/redis.ts';

const READY_MS = 5_000;

/** The Redis that all tests of a run share (shared-redis.ts): a test keeps to a prefix of its own. */
export function useRedis(): { readonly url: string } {
  const url = process.env['REDIS_URL'];
  if (url === undefined) throw new Error('this project has no shared-redis.ts in its globalSetup');
  return { url };
}

/** The same, with a connection to it. */
export function useConnection(): { readonly url: string; readonly redis: RedisConnection } {
  const { url } = useRedis();
  let redis: RedisConnection;
  beforeAll(async () => {
    redis = await connectTo(url);
  });
  afterAll(() => redis.disconnect());
  return {
    url,
    get redis() {
      return redis;
    },
  };
}

/** A connection as the bot's own, ready for commands. */
export async function connectTo(redisUrl: string): Promise<RedisConnection> {
  const { hostname, port } = new URL(redisUrl);
  const address = { host: hostname, port: Number(port || 6379), db: 0, tls: false };
  const logger = createLogger({ level: 'silent', secrets: [] });
  const redis = connectRedis({ nodes: [address] }, 'commands', logger);
  await redisReady(redis, READY_MS);
  return redis;
}
