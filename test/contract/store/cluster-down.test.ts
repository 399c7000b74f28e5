import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { expect, it, onTestFinished } from 'vitest';
import { settledWithin } from '../../../src/lib/time.ts';
import { exitOf } from '../../../src/sandbox/redis.ts';
import { connectRedis, refusalWord } from '../../../src/store/redis.ts';
import { freeClusterPort, startRedisServer } from '../../support/durable-redis.ts';
import { until } from '../../support/until.ts';
import { silentLogger } from '../notify/support.ts';

const LAST_SLOT = 16_383;
const WORDS = '--cluster-enabled yes --cluster-announce-ip 127.0.0.1'.split(' ');

/** A node of a cluster of which the other primaries are gone. */
async function startLoneNode() {
  const folder = await mkdtemp(join(tmpdir(), 'purser-lone-node-'));
  const port = await freeClusterPort();
  const server = await startRedisServer(port, folder, WORDS);
  const admin = new Redis(port);
  onTestFinished(async () => {
    admin.disconnect();
    server.kill('SIGKILL');
    await exitOf(server);
    await rm(folder, { recursive: true, force: true });
  });
  await admin.call('CLUSTER', 'ADDSLOTSRANGE', '0', '0');
  return { port, admin };
}

it('a cluster that is down is connected to, and used as soon as it works again', async () => {
  const { port, admin } = await startLoneNode();
  const nodes = [{ host: '127.0.0.1', port, db: 0, tls: false }];
  const lazy = { lazy: true };
  const redis = connectRedis({ nodes, cluster: true }, 'worker', silentLogger, lazy);
  onTestFinished(() => redis.disconnect());

  // BullMQ waits for it without a limit.
  expect(await settledWithin(redis.connect(), 10_000)).toBe(true);
  const refusal = await admin.set('key', '1').catch((error: unknown) => error);
  expect(refusalWord(refusal)).toBe('CLUSTERDOWN');

  await admin.call('CLUSTER', 'ADDSLOTSRANGE', '1', String(LAST_SLOT));
  await until('a write', () => redis.set('key', '1').catch(() => undefined));
});
