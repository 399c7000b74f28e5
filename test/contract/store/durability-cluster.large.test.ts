import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { createDurability } from '../../../src/store/server.ts';
import { connectRedis, createKeys, redisReady } from '../../../src/store/redis.ts';
import { createRedisCluster } from '../../chaos/cluster.ts';
import { silentLogger } from '../notify/support.ts';

it('a cluster is asked at the node that holds the data', { timeout: 180_000 }, async () => {
  const cluster = await createRedisCluster();
  const nodes = cluster.url.split(',').map((url) => {
    const { hostname, port } = new URL(url);
    return { host: hostname, port: Number(port), db: 0, tls: false };
  });
  const redis = connectRedis({ nodes, cluster: true }, 'commands', silentLogger);
  try {
    await redisReady(redis, 10_000);
    const durability = createDurability({
      redis,
      keys: createKeys(`test-${randomUUID()}`),
      logger: silentLogger,
    });
    await expect(durability.confirmed()).resolves.toBe(true);
    const { run } = await durability.moment();
    expect(run).toMatch(/^[0-9a-f]{40}$/);
  } finally {
    redis.disconnect();
    await cluster.close();
  }
});
