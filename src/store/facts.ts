import { Cluster, type Redis } from 'ioredis';
import type { RedisConnection } from './redis.ts';

export interface RedisNodeFacts {
  readonly version: string | undefined;
  /** `master`, or `slave`, which takes no writes. */
  readonly role: string | undefined;
  readonly clustered: boolean | undefined;
  /** `ok`, or the state of a broken cluster; undefined outside of a cluster. */
  readonly clusterState: string | undefined;
  /** Eviction policy: `noeviction`, `allkeys-lru`. */
  readonly policy: string | undefined;
  /** Bytes. */
  readonly usedBytes: number | undefined;
  /** Bytes, 0 = no limit. */
  readonly maxBytes: number | undefined;
  readonly appendOnly: boolean | undefined;
  /** `ok`, or the result of the last write to the append-only file. */
  readonly lastAppend: string | undefined;
  /** `ok`, or the result of the last snapshot. */
  readonly lastSave: string | undefined;
  /** False: it has replicas, and the user may not wait for them. */
  readonly canWait?: boolean;
}

export interface RedisFacts {
  readonly pingMs: number;
  /** The primaries: one, or those of a cluster. */
  readonly nodes: readonly RedisNodeFacts[];
}

/**
 * Values that the user may not query (ACL) are undefined.
 * @param now milliseconds of a monotonic clock
 * @throws when Redis does not answer at all
 */
export async function readRedisFacts(
  redis: RedisConnection,
  now: () => number,
): Promise<RedisFacts> {
  const began = now();
  await redis.ping();
  const pingMs = now() - began;
  const servers = redis instanceof Cluster ? redis.nodes('master') : [redis];
  return { pingMs, nodes: await Promise.all(servers.map(readNode)) };
}

async function readNode(server: Redis): Promise<RedisNodeFacts> {
  const info = fieldsOf(await infoOf(() => server.info()));
  const clustered = flag(info.get('cluster_enabled'));
  const cluster =
    clustered === true
      ? fieldsOf(await infoOf(() => server.cluster('INFO')))
      : new Map<string, string>();
  return {
    version: info.get('redis_version'),
    role: info.get('role'),
    clustered,
    clusterState: cluster.get('cluster_state'),
    policy: info.get('maxmemory_policy'),
    usedBytes: count(info.get('used_memory')),
    maxBytes: count(info.get('maxmemory')),
    appendOnly: flag(info.get('aof_enabled')),
    lastAppend: info.get('aof_last_write_status'),
    lastSave: info.get('rdb_last_bgsave_status'),
    canWait:
      info.get('role') === 'slave' ||
      (count(info.get('connected_slaves')) ?? 0) === 0 ||
      (await mayWait(server)),
  };
}

/**
 * Used memory as a part of `maxmemory`, of several primaries the highest; 0 without a limit, and where the user may
 * not ask.
 * @throws when Redis does not answer
 */
export async function readMemoryRatio(redis: RedisConnection): Promise<number> {
  const servers = redis instanceof Cluster ? redis.nodes('master') : [redis];
  const ratios = servers.map(async (server) => {
    const info = fieldsOf(await infoOf(() => server.info('memory')));
    const [used = 0, most = 0] = [count(info.get('used_memory')), count(info.get('maxmemory'))];
    return most === 0 ? 0 : used / most;
  });
  return Math.max(0, ...(await Promise.all(ratios)));
}

/** WAIT for no replica is answered at once. */
async function mayWait(server: Redis): Promise<boolean> {
  try {
    await server.call('WAIT', '0', '0');
    return true;
  } catch (error) {
    if (error instanceof Error && /^(?:NOPERM|ERR) /.test(error.message)) return false;
    throw error;
  }
}

/** Empty when the server refuses the command; a lost connection still throws. */
async function infoOf(ask: () => Promise<unknown>): Promise<string> {
  try {
    return String(await ask());
  } catch (error) {
    if (error instanceof Error && /^(?:NOPERM|ERR) /.test(error.message)) return '';
    throw error;
  }
}

function fieldsOf(text: string): Map<string, string> {
  const lines = text.split(/\r?\n/).map((line) => /^(\w+):(.*)$/.exec(line));
  return new Map(lines.flatMap((line) => (line ? [[line[1] ?? '', line[2] ?? ''] as const] : [])));
}

function flag(text: string | undefined): boolean | undefined {
  return text === undefined ? undefined : text === '1';
}

function count(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}
