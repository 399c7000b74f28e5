import { createLogger } from '../../../src/lib/logger.ts';
import { startRedis } from '../../../src/sandbox/redis.ts';
import { connectRedis, redisReady, type RedisConnection } from '../../../src/store/redis.ts';

export const logger = createLogger({ level: 'silent', secrets: [] });

export interface TestRedis {
  redis: RedisConnection;
  close(): Promise<void>;
}

/** A Redis and the connection to it that the bot would have. */
export async function openRedis(): Promise<TestRedis> {
  const server = await startRedis(process.env['REDIS_URL']);
  const { hostname, port } = new URL(server.url);
  const node = { host: hostname, port: Number(port || 6379), db: 0, tls: false };
  const redis = connectRedis([node], 'commands', logger);
  await redisReady(redis, 5_000);
  return {
    redis,
    async close() {
      redis.disconnect();
      await server.close();
    },
  };
}
