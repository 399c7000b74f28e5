import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { exitOf, freePort } from '../../src/sandbox/redis.ts';
import { until } from '../support/until.ts';

const PROGRAM = 'redis-server';
const PRIMARIES = 3;
const SLOTS = 16_384;
/** Milliseconds after which a node that does not answer is taken for dead. */
const NODE_TIMEOUT_MS = 2_000;

/** A Redis Cluster of three primaries and a replica of each, on this machine. */
export interface RedisCluster {
  /** As REDIS_URL has it. */
  readonly url: string;
  /** Kills the primary that has the keys of a prefix, and gives when a replica has taken its place. */
  killPrimaryOf(prefix: string): Promise<void>;
  close(): Promise<void>;
}

interface Node {
  readonly port: number;
  readonly server: ChildProcess;
  readonly admin: Redis;
}

export async function createRedisCluster(): Promise<RedisCluster> {
  const folder = await mkdtemp(join(tmpdir(), 'purser-cluster-'));
  const nodes: Node[] = [];
  for (let index = 0; index < 2 * PRIMARIES; index += 1) nodes.push(await startNode(folder));
  await unite(nodes);

  const primaryOf = async (slot: number): Promise<number | undefined> => {
    for (const { server, admin } of nodes) {
      if (server.exitCode !== null || server.signalCode !== null) continue;
      const ranges = await admin.cluster('SLOTS');
      const found = ranges.find(([from, to]) => slot >= from && slot <= to);
      if (found !== undefined) return found[2]?.[1];
    }
    return undefined;
  };

  return {
    url: nodes.map(({ port }) => `redis://127.0.0.1:${port}`).join(','),
    async killPrimaryOf(prefix) {
      const slot = Number(await nodes[0]?.admin.cluster('KEYSLOT', `{${prefix}}`));
      const port = await primaryOf(slot);
      const primary = nodes.find((node) => node.port === port);
      primary?.admin.disconnect();
      primary?.server.kill('SIGKILL');
      if (primary !== undefined) await exitOf(primary.server);
      await until('a replica to take its place', async () => {
        const now = await primaryOf(slot);
        return now !== undefined && now !== port;
      });
    },
    async close() {
      for (const { server, admin } of nodes) {
        admin.disconnect();
        server.kill('SIGKILL');
        await exitOf(server);
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function startNode(folder: string): Promise<Node> {
  // The nodes talk to each other at 10,000 above it.
  const port = await freePort();
  const words = [
    `--port ${port} --bind 127.0.0.1 --cluster-enabled yes --cluster-config-file nodes-${port}.conf`,
    `--cluster-node-timeout ${NODE_TIMEOUT_MS} --appendonly yes --appendfilename aof-${port}`,
    `--appenddirname aof-${port} --dir ${folder} --repl-diskless-sync-delay 0`,
  ];
  const args = [...words.join(' ').split(' '), '--save', ''];
  const server = spawn(PROGRAM, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let ready = false;
  server.stdout.on('data', (text: Buffer) => {
    ready ||= text.includes('Ready to accept connections');
  });
  await until('a node takes connections', () => ready);
  const admin = new Redis(port, { maxRetriesPerRequest: 1 });
  admin.on('error', () => undefined);
  return { port, server, admin };
}

/** Makes one cluster of them: the first are the primaries, the others their replicas. */
async function unite(nodes: readonly Node[]): Promise<void> {
  const [first] = nodes;
  for (const { admin, port } of nodes.slice(0, PRIMARIES)) {
    const index = nodes.findIndex((node) => node.port === port);
    const from = Math.floor((index * SLOTS) / PRIMARIES);
    const to = Math.floor(((index + 1) * SLOTS) / PRIMARIES) - 1;
    await admin.call('CLUSTER', 'ADDSLOTSRANGE', from, to);
    await admin.call('CLUSTER', 'SET-CONFIG-EPOCH', index + 1);
  }
  for (const { admin } of nodes.slice(1)) {
    await admin.call('CLUSTER', 'MEET', '127.0.0.1', first?.port ?? 0);
  }
  const knows = async ({ admin }: Node): Promise<boolean> =>
    (await admin.cluster('INFO')).includes(`cluster_known_nodes:${nodes.length}`);
  await until('all know each other', async () =>
    (await Promise.all(nodes.map(knows))).every(Boolean),
  );
  const ids = await Promise.all(
    nodes.slice(0, PRIMARIES).map(({ admin }) => admin.cluster('MYID')),
  );
  for (const [index, { admin }] of nodes.slice(PRIMARIES).entries()) {
    await admin.call('CLUSTER', 'REPLICATE', String(ids[index]));
  }
  const isWhole = async ({ admin }: Node): Promise<boolean> =>
    (await admin.cluster('INFO')).includes('cluster_state:ok');
  await until('the cluster works', async () =>
    (await Promise.all(nodes.map(isWhole))).every(Boolean),
  );
  await until('the replicas have what is there', async () => {
    const infos = await Promise.all(
      nodes.slice(PRIMARIES).map(({ admin }) => admin.info('replication')),
    );
    return infos.every((info) => info.includes('master_link_status:up'));
  });
}
