import { Cluster, type Redis } from 'ioredis';
import type { Logger } from '../lib/logger.ts';
import { HOUR_MS } from '../lib/time.ts';
import type { Keys, RedisConnection } from './redis.ts';

interface Deps {
  readonly redis: RedisConnection;
  readonly keys: Keys;
  readonly logger: Logger;
}

/** Whether the server does not know the command, or does not allow it (ACL). */
function isUnavailableCommand(error: unknown): boolean {
  return error instanceof Error && /^(?:NOPERM|ERR unknown command)/.test(error.message);
}

/** The answer to a command, or another where the server refuses it. @throws when it does not answer */
function whereAllowed<T>(asked: Promise<T>, otherwise: T): Promise<T> {
  return asked.catch((error: unknown) => {
    if (error instanceof Error && /^(?:NOPERM|ERR) /.test(error.message)) return otherwise;
    throw error;
  });
}

function fieldsOf(info: string): ReadonlyMap<string, string> {
  const lines = info.matchAll(/^(\w+):(.*?)\r?$/gm);
  return new Map([...lines].map(([, name = '', value = '']) => [name, value]));
}

/** Empty where the user may not ask. */
async function infoOf(server: Redis): Promise<ReadonlyMap<string, string>> {
  return fieldsOf(await whereAllowed(server.info(), ''));
}

/** One, or those of a cluster. */
function primariesOf(redis: RedisConnection): readonly Redis[] {
  return redis instanceof Cluster ? redis.nodes('master') : [redis];
}

/** The server that holds this key. @throws when the cluster omits the node */
async function nodeOf(redis: RedisConnection, key: string): Promise<Redis> {
  if (!(redis instanceof Cluster)) return redis;
  const [address] = redis.slots[await redis.cluster('KEYSLOT', key)] ?? [];
  const node = redis
    .nodes('master')
    .find(({ options: { host, port } }) => `${host}:${port}` === address);
  if (node === undefined) throw new Error('the cluster omits which node holds the data');
  return node;
}

/** KEYS: any key, for its node. */
const MOMENT = `
local info = redis.pcall('INFO', 'server')
local run = type(info) == 'string' and string.match(info, 'run_id:(%w+)') or ''
local time = redis.call('TIME')
return { run, time[1] .. string.sub('00000' .. time[2], -6, -4) }`;

const CONFIRM_MS = 1_000;
/** One replica has to have it. */
const IN_MEMORY = ['WAIT', '1', CONFIRM_MS] as const;
/** One replica has to have it on its disk; no flush here is asked for. */
const ON_DISK = ['WAITAOF', '0', '1', CONFIRM_MS] as const;
type Wait = typeof IN_MEMORY | typeof ON_DISK;

export type Durability = ReturnType<typeof createDurability>;

/** Writes that Redis may have forgotten, and those that survive a fail-over. */
export function createDurability({ redis, keys, logger }: Deps) {
  const marker = keys.lock('confirm');

  /** WAIT speaks of the writes of its own connection, so the connection has to write after all others. */
  async function waited(server: Redis, [command, ...args]: Wait): Promise<number> {
    await server.set(marker, '1', 'PX', CONFIRM_MS);
    const answer = (await server.call(command, ...args)) as number | number[];
    return [answer].flat().at(-1) ?? 0;
  }

  return {
    /**
     * `run` names the start of the server that holds the data: another one may have lost the last writes, or be restored
     * from a backup; undefined when Redis hides it. `at` is its time in ms since the epoch.
     */
    async moment(): Promise<{ readonly run: string | undefined; readonly at: number }> {
      const [run, at] = (await redis.eval(MOMENT, 1, marker)) as [string, string];
      return { run: run || undefined, at: Number(at) };
    },
    /**
     * Whether a replica has all writes so far, within a second. True without replicas, and where the server knows or
     * allows no WAIT. @throws when Redis does not answer
     */
    async confirmed(): Promise<boolean> {
      const node = await nodeOf(redis, marker);
      const waits = waitsOf(await infoOf(node));
      if (waits.length === 0) return true;
      const connection = node.duplicate({ enableOfflineQueue: true });
      try {
        for (const wait of waits) {
          try {
            return (await waited(connection, wait)) > 0;
          } catch (error) {
            if (!isUnavailableCommand(error)) throw error;
            logger.debug({ err: error }, 'Redis does not take this way of waiting for replicas');
          }
        }
        return true;
      } finally {
        connection.disconnect();
      }
    },
  };
}

/**
 * How to wait for a replica; nothing without replicas. Replicas have the settings of their server as a rule, and one
 * that writes no append-only file would never confirm WAITAOF.
 */
function waitsOf(info: ReadonlyMap<string, string>): readonly Wait[] {
  if (Number(info.get('connected_slaves') ?? 0) === 0) return [];
  return info.get('aof_enabled') === '1' ? [ON_DISK, IN_MEMORY] : [IN_MEMORY];
}

/** Run every hour: then a rewrite begins less than a day after the one before. Milliseconds. */
const PAUSE_MS = 23 * HOUR_MS;

/**
 * Rewrites the append-only file of Redis once a day, over all processes. Redis itself does so by size alone, so in a
 * small installation an expired answer or a revealed secret would stay on the disk for months. Where the server has no
 * such file, or does not allow the command, nothing is done, and the log says so once.
 */
export function createRewrite({ redis, keys, logger }: Deps): () => Promise<void> {
  let isSkipped = false;

  function skip(why: string): void {
    if (!isSkipped) logger.info({ why }, 'The append-only file of Redis is not rewritten');
    isSkipped = true;
  }

  async function rewrite(server: Redis): Promise<void> {
    const file = fieldsOf(await server.info('persistence'));
    if (file.get('aof_enabled') !== '1') return skip('the server has none, or keeps it to itself');
    const isBusy = ['aof_rewrite_in_progress', 'aof_rewrite_scheduled'].some(
      (field) => file.get(field) === '1',
    );
    if (isBusy) return;
    if (file.get('aof_last_bgrewrite_status') === 'err') await redis.del(keys.rewritten);
    if ((await redis.set(keys.rewritten, '1', 'PX', PAUSE_MS, 'NX')) !== 'OK') return;
    try {
      await server.bgrewriteaof();
      logger.info({}, 'Redis rewrites its append-only file');
    } catch (error) {
      // One that has begun since then is as good.
      if (error instanceof Error && error.message.includes('already in progress')) return;
      if (!isUnavailableCommand(error)) await redis.del(keys.rewritten);
      throw error;
    }
  }

  return async () => {
    try {
      await rewrite(await nodeOf(redis, keys.rewritten));
    } catch (error) {
      if (!isUnavailableCommand(error)) throw error;
      skip('the server does not allow it');
    }
  };
}

export type RedisNodeFacts = Awaited<ReturnType<typeof readNode>>;
export type RedisFacts = Awaited<ReturnType<typeof readRedisFacts>>;

/**
 * Values that the user may not query (ACL) are undefined.
 * @param now milliseconds of a monotonic clock
 * @throws when Redis does not answer at all
 */
export async function readRedisFacts(redis: RedisConnection, now: () => number) {
  const began = now();
  await redis.ping();
  const pingMs = now() - began;
  return { pingMs, nodes: await Promise.all(primariesOf(redis).map(readNode)) };
}

async function readNode(server: Redis) {
  const info = await infoOf(server);
  const clustered = flag(info.get('cluster_enabled'));
  const cluster = clustered ? await whereAllowed(server.cluster('INFO'), '') : '';
  const role = info.get('role');
  return {
    version: info.get('redis_version'),
    /** `master`, or `slave`, which takes no writes. */
    role,
    clustered,
    /** `ok`, or the state of a broken cluster; undefined outside of a cluster. */
    clusterState: fieldsOf(cluster).get('cluster_state'),
    /** Eviction policy: `noeviction`, `allkeys-lru`. */
    policy: info.get('maxmemory_policy'),
    /** Bytes. */
    usedBytes: count(info.get('used_memory')),
    /** Bytes, 0 = no limit. */
    maxBytes: count(info.get('maxmemory')),
    appendOnly: flag(info.get('aof_enabled')),
    /** `ok`, or the result of the last write to the append-only file. */
    lastAppend: info.get('aof_last_write_status'),
    /** `ok`, or the result of the last snapshot. */
    lastSave: info.get('rdb_last_bgsave_status'),
    /** False: it has replicas, and the user may not wait for them. WAIT for no replica is answered at once. */
    canWait:
      role === 'slave' ||
      waitsOf(info).length === 0 ||
      (await whereAllowed(
        server.call('WAIT', '0', '0').then(() => true),
        false,
      )),
  };
}

/**
 * Used memory as a part of `maxmemory`, of several primaries the highest; 0 without a limit, and where the user may
 * not ask.
 * @throws when Redis does not answer
 */
export async function readMemoryRatio(redis: RedisConnection): Promise<number> {
  const ratios = primariesOf(redis).map(async (server) => {
    const info = fieldsOf(await whereAllowed(server.info('memory'), ''));
    const [used = 0, most = 0] = [count(info.get('used_memory')), count(info.get('maxmemory'))];
    return most === 0 ? 0 : used / most;
  });
  return Math.max(0, ...(await Promise.all(ratios)));
}

function flag(text: string | undefined): boolean | undefined {
  return text === undefined ? undefined : text === '1';
}

function count(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}
