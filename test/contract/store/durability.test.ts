import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  connectRedis,
  createKeys,
  redisReady,
  type RedisConnection,
} from '../../../src/store/redis.ts';
import { createDurability, readRedisFacts } from '../../../src/store/server.ts';
import { startRedis, type SandboxRedis } from '../../../src/sandbox/redis.ts';
import { connectTo } from '../../support/redis.ts';
import { until } from '../../support/until.ts';
import { Secret } from '../../../src/lib/secret.ts';
import { silentLogger } from '../notify/support.ts';

const durabilityOf = (redis: RedisConnection) =>
  createDurability({ redis, keys: createKeys(`test-${randomUUID()}`), logger: silentLogger });

describe('a Redis with a replica', () => {
  let servers: SandboxRedis[];
  let primary: RedisConnection;
  let replica: RedisConnection;

  beforeAll(async () => {
    servers = [await startRedis(), await startRedis()];
    [primary, replica] = (await Promise.all(servers.map(({ url }) => connectTo(url)))) as [
      RedisConnection,
      RedisConnection,
    ];
  });
  afterAll(async () => {
    primary.disconnect();
    replica.disconnect();
    for (const server of servers) await server.close();
  });

  const follow = (url: string) => {
    const { hostname, port } = new URL(url);
    return replica.call('REPLICAOF', hostname, port);
  };

  it('has nothing to wait for as long as it has none', async () => {
    await expect(durabilityOf(primary).confirmed()).resolves.toBe(true);
  });

  it('is confirmed as soon as the replica has it', async () => {
    await follow(servers[0]!.url);
    await until('the replica to be there', async () =>
      (await replica.info('replication')).includes('master_link_status:up'),
    );
    await primary.set('mine', 'claimed');

    await expect(durabilityOf(primary).confirmed()).resolves.toBe(true);
    await expect(replica.get('mine')).resolves.toBe('claimed');
  });

  it('is not confirmed while the replica takes nothing', async () => {
    const stopped = Number(/process_id:(\d+)/.exec(await replica.info('server'))?.[1]);
    process.kill(stopped, 'SIGSTOP');
    try {
      await expect(durabilityOf(primary).confirmed()).resolves.toBe(false);
    } finally {
      process.kill(stopped, 'SIGCONT');
    }
  });

  it('counts as without one where the user may not wait', async () => {
    const user = `limited-${randomUUID()}`;
    await primary.call('ACL', 'SETUSER', user, 'on', '>secret', '~*', '+@all', '-wait');
    const { hostname: host, port } = new URL(servers[0]!.url);
    const address = { host, port: Number(port), db: 0, tls: false, username: user };
    const limited = connectRedis(
      { nodes: [{ ...address, password: new Secret('secret') }] },
      'commands',
      silentLogger,
    );
    await redisReady(limited, 5_000);

    await expect(durabilityOf(limited).confirmed()).resolves.toBe(true);
    const [facts] = (await readRedisFacts(limited, () => 0)).nodes;
    expect(facts?.canWait).toBe(false);
    const [own] = (await readRedisFacts(primary, () => 0)).nodes;
    expect(own?.canWait).toBe(true);
    limited.disconnect();
  });

  it('names its run and its time, and has another run when it was started anew', async () => {
    const { run, at } = await durabilityOf(primary).moment();
    expect(run).toMatch(/^[0-9a-f]{40}$/);
    expect(Math.abs(at - Date.now())).toBeLessThan(60_000);
    await expect(durabilityOf(replica).moment()).resolves.not.toMatchObject({ run });
  });
});
