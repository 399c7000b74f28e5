import { Cluster, type Redis } from 'ioredis';
import type { Logger } from '../lib/logger.ts';
import type { Keys, RedisConnection } from './redis.ts';

/** What Redis may have forgotten, and what a fail-over would not forget. */
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
/** WAITAOF: no flush here is asked for, one replica has to have it on disk; WAIT: one has to have it. */
const WAITS = [
  ['WAITAOF', '0', '1', CONFIRM_MS],
  ['WAIT', '1', CONFIRM_MS],
] as const;

export function createDurability(deps: {
  redis: RedisConnection;
  keys: Keys;
  logger: Logger;
}): Durability {
  const { redis, keys, logger } = deps;
  const marker = keys.lock('confirm');

  /** WAIT speaks of the writes of its own connection, so the connection has to write after all others. */
  async function waited(server: Redis, [command, ...args]: (typeof WAITS)[number]) {
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
      if ((await replicasOf(node)) === 0) return true;
      const connection = node.duplicate({ enableOfflineQueue: true });
      try {
        for (const wait of WAITS) {
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

/** The server that holds this key. @throws when the cluster does not say */
export async function nodeOf(redis: RedisConnection, key: string): Promise<Redis> {
  if (!(redis instanceof Cluster)) return redis;
  const [address] = redis.slots[await redis.cluster('KEYSLOT', key)] ?? [];
  const node = redis
    .nodes('master')
    .find(({ options: { host, port } }) => `${host}:${port}` === address);
  if (node === undefined) throw new Error('the cluster does not say which node holds the data');
  return node;
}

/** Whether the server does not know the command, or does not allow it (ACL). */
export function isUnavailableCommand(error: unknown): boolean {
  return error instanceof Error && /^(?:NOPERM|ERR unknown command)/.test(error.message);
}

async function replicasOf(node: Redis): Promise<number> {
  try {
    const info = await node.info('replication');
    return Number(/^connected_slaves:(\d+)/m.exec(info)?.[1] ?? 0);
  } catch (error) {
    if (isUnavailableCommand(error)) return 0;
    throw error;
  }
}
