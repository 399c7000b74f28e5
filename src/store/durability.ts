import { Cluster, type Redis } from 'ioredis';
import type { Logger } from '../lib/logger.ts';
import type { Keys, RedisConnection } from './redis.ts';

/** Writes that Redis may have forgotten, and those that survive a fail-over. */
export interface Durability {
  /**
   * `run` names the start of the server that holds the data: another one may have lost the last writes, or be restored
   * from a backup; undefined when Redis hides it. `at` is its time in ms since the epoch.
   */
  moment(): Promise<{ readonly run: string | undefined; readonly at: number }>;
  /**
   * Whether a replica has all writes so far, within a second. True without replicas, and where the server knows or
   * allows no WAIT. @throws when Redis does not answer
   */
  confirmed(): Promise<boolean>;
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

export function createDurability(deps: {
  redis: RedisConnection;
  keys: Keys;
  logger: Logger;
}): Durability {
  const { redis, keys, logger } = deps;
  const marker = keys.lock('confirm');

  /** WAIT speaks of the writes of its own connection, so the connection has to write after all others. */
  async function waited(server: Redis, [command, ...args]: Wait) {
    await server.set(marker, '1', 'PX', CONFIRM_MS);
    const answer = (await server.call(command, ...args)) as number | number[];
    return [answer].flat().at(-1) ?? 0;
  }

  return {
    async moment() {
      const [run, at] = (await redis.eval(MOMENT, 1, marker)) as [string, string];
      return { run: run || undefined, at: Number(at) };
    },
    async confirmed() {
      const node = await nodeOf(redis, marker);
      const waits = await waitsOf(node);
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

/** The server that holds this key. @throws when the cluster omits the node */
export async function nodeOf(redis: RedisConnection, key: string): Promise<Redis> {
  if (!(redis instanceof Cluster)) return redis;
  const [address] = redis.slots[await redis.cluster('KEYSLOT', key)] ?? [];
  const node = redis
    .nodes('master')
    .find(({ options: { host, port } }) => `${host}:${port}` === address);
  if (node === undefined) throw new Error('the cluster omits which node holds the data');
  return node;
}

/** Whether the server does not know the command, or does not allow it (ACL). */
export function isUnavailableCommand(error: unknown): boolean {
  return error instanceof Error && /^(?:NOPERM|ERR unknown command)/.test(error.message);
}

/**
 * How to wait for a replica; nothing without replicas. Replicas have the settings of their server as a rule, and one
 * that writes no append-only file would never confirm WAITAOF.
 */
async function waitsOf(node: Redis): Promise<readonly Wait[]> {
  try {
    const info = await node.info();
    if (!/^connected_slaves:[1-9]/m.test(info)) return [];
    return /^aof_enabled:1/m.test(info) ? [ON_DISK, IN_MEMORY] : [IN_MEMORY];
  } catch (error) {
    if (isUnavailableCommand(error)) return [];
    throw error;
  }
}
