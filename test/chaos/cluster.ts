import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import { exitOf } from '../../src/sandbox/redis.ts';
import { freeClusterPort, startRedisServer } from '../support/durable-redis.ts';
import { hasEnded } from '../support/running-bot.ts';
import { until } from '../support/until.ts';

const NODES = 6;
/** Milliseconds after which a node that does not answer is taken for dead. */
const NODE_TIMEOUT_MS = 2_000;

/** A Redis Cluster of three primaries and a replica of each, on this machine. */
export async function createRedisCluster() {
  const folder = await mkdtemp(join(tmpdir(), 'purser-cluster-'));
  const nodes = await Promise.all(Array.from({ length: NODES }, () => startNode(folder)));
  const addresses = nodes.map(({ port }) => `127.0.0.1:${port}`);
  const words = ['create', ...addresses, '--cluster-replicas', '1', '--cluster-yes'];
  await promisify(execFile)('redis-cli', ['--cluster', ...words]);
  const says = async ({ admin }: (typeof nodes)[number]): Promise<boolean> =>
    (await admin.cluster('INFO')).includes('cluster_state:ok') &&
    !(await admin.info('replication')).includes('master_link_status:down');
  await until('the cluster to work and the replicas to have its data', async () =>
    (await Promise.all(nodes.map(says))).every(Boolean),
  );

  const primaryOf = async (slot: number): Promise<number | undefined> => {
    const alive = nodes.find(({ server }) => !hasEnded(server));
    const ranges = (await alive?.admin.cluster('SLOTS')) ?? [];
    return ranges.find(([from, to]) => slot >= from && slot <= to)?.[2]?.[1];
  };

  return {
    /** As REDIS_URL has it. */
    url: addresses.map((address) => `redis://${address}`).join(','),
    /** Kills the primary that has the keys of a prefix, and gives when a replica has taken its place. */
    async killPrimaryOf(prefix: string): Promise<void> {
      const slot = Number(await nodes[0]?.admin.cluster('KEYSLOT', `{${prefix}}`));
      const port = await primaryOf(slot);
      const primary = nodes.find((node) => node.port === port);
      if (primary === undefined) throw new Error(`slot ${slot} has no primary`);
      primary.admin.disconnect();
      primary.server.kill('SIGKILL');
      await exitOf(primary.server);
      await until('a replica to take its place', async () => {
        const now = await primaryOf(slot);
        return now !== undefined && now !== port;
      });
    },
    async close(): Promise<void> {
      for (const { server, admin } of nodes) {
        admin.disconnect();
        server.kill('SIGKILL');
        await exitOf(server);
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function startNode(folder: string) {
  const port = await freeClusterPort();
  const words = [
    `--cluster-enabled yes --cluster-config-file nodes-${port}.conf`,
    `--cluster-node-timeout ${NODE_TIMEOUT_MS} --appendfilename aof-${port}`,
    `--appenddirname aof-${port} --repl-diskless-sync-delay 0`,
  ];
  const server = await startRedisServer(port, folder, words.join(' ').split(' '));
  const admin = new Redis(port, { maxRetriesPerRequest: 1 });
  admin.on('error', () => undefined);
  return { port, server, admin };
}
