import { Cluster } from 'ioredis';
import type { Redis } from 'ioredis';
import type { RedisConnection } from './redis.ts';

/** What one server says of itself; a member that it does not say is undefined. */
export interface RedisNodeFacts {
  readonly version: string | undefined;
  /** `master`, or `slave` of another, which takes no writes. */
  readonly role: string | undefined;
  /** It is a part of a cluster. */
  readonly clustered: boolean | undefined;
  /** `ok`, or why the cluster does not work; undefined outside of one. */
  readonly clusterState: string | undefined;
  /** What happens to keys when the memory is full: `noeviction`, `allkeys-lru`. */
  readonly policy: string | undefined;
  /** Bytes. */
  readonly usedBytes: number | undefined;
  /** Bytes, 0 = no limit. */
  readonly maxBytes: number | undefined;
  /** Each write is written down. */
  readonly appendOnly: boolean | undefined;
  /** `ok`, or how the last write to the append-only file ended. */
  readonly lastAppend: string | undefined;
  /** `ok`, or how the last snapshot ended. */
  readonly lastSave: string | undefined;
}

export interface RedisFacts {
  /** Milliseconds. */
  readonly pingMs: number;
  /** The servers that take writes: one, or those of a cluster. */
  readonly nodes: readonly RedisNodeFacts[];
}

/**
 * What the servers of a connection say of themselves. What a user may not ask (ACL) is undefined.
 * @param now milliseconds of a clock that only goes forward
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

/** How far the clock of Redis is: milliseconds since the epoch. @throws when it does not answer */
export async function readRedisTime(redis: RedisConnection): Promise<number> {
  const [seconds, microseconds] = await redis.time();
  return Number(seconds) * 1_000 + Number(microseconds) / 1_000;
}

async function readNode(server: Redis): Promise<RedisNodeFacts> {
  const info = fieldsOf(await said(() => server.info()));
  const clustered = flag(info.get('cluster_enabled'));
  const cluster =
    clustered === true
      ? fieldsOf(await said(() => server.cluster('INFO')))
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
  };
}

/** Empty when the server refuses the question; a server that is away is no refusal. */
async function said(ask: () => Promise<unknown>): Promise<string> {
  try {
    return String(await ask());
  } catch (error) {
    if (error instanceof Error && /^(?:NOPERM|ERR) /.test(error.message)) return '';
    throw error;
  }
}

/** Lines of `name:value`. */
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
