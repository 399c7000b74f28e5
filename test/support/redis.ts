import { afterAll, beforeAll } from 'vitest';
import { createLogger } from '../../src/lib/logger.ts';
import { startRedis, type SandboxRedis } from '../../src/sandbox/redis.ts';
import { connectRedis, redisReady, type RedisConnection } from '../../src/store/redis.ts';

const READY_MS = 5_000;

/** A Redis for the tests of a file: that of REDIS_URL, or else one that is started for them. */
export function useRedis(): { readonly url: string } {
  let server: SandboxRedis;
  beforeAll(async () => {
    server = await startRedis(process.env['REDIS_URL']);
  });
  afterAll(() => server.close());
  return {
    get url() {
      return server.url;
    },
  };
}

/** The same, with a connection to it. */
export function useConnection(): { readonly url: string; readonly redis: RedisConnection } {
  const server = useRedis();
  let redis: RedisConnection;
  beforeAll(async () => {
    redis = await connectTo(server.url);
  });
  afterAll(() => redis.disconnect());
  return {
    get url() {
      return server.url;
    },
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
  const redis = connectRedis([address], 'commands', logger);
  await redisReady(redis, READY_MS);
  return redis;
}
