import { Cluster, Redis } from 'ioredis';
import type { Logger } from '../lib/logger.ts';
import type { Secret } from '../lib/secret.ts';
import { refusalWord } from './refusal.ts';

export interface RedisAddress {
  readonly host: string;
  readonly port: number;
  readonly db: number;
  readonly tls: boolean;
  readonly username?: string;
  readonly password?: Secret;
}

export type RedisConnection = Redis | Cluster;

/**
 * `commands` fails at once while Redis is away, so that a person gets an answer; `worker` waits for
 * its return, as BullMQ's blocking reads have to.
 */
export type RedisUse = 'commands' | 'worker';

/** Longest pause between two tries to connect, in milliseconds; BullMQ's own 20 s are felt in every outage. */
const RECONNECT_CAP_MS = 2_000;
const CONNECT_TIMEOUT_MS = 5_000;
const COMMAND_TIMEOUT_MS = 5_000;

/**
 * Opens a connection; several nodes mean Redis Cluster (design section 7).
 * Errors are logged and retried for ever, with at most 2 s between two tries.
 */
export function connectRedis(
  nodes: readonly RedisAddress[],
  use: RedisUse,
  logger: Logger,
): RedisConnection {
  const first = nodes[0];
  if (first === undefined) throw new Error('no Redis node is configured');
  const enableOfflineQueue = use === 'worker';
  const options = {
    retryStrategy: reconnectDelay,
    reconnectOnError: isReplica,
    connectTimeout: CONNECT_TIMEOUT_MS,
    maxRetriesPerRequest: use === 'worker' ? null : 1,
    enableOfflineQueue,
    ...(use === 'commands' ? { commandTimeout: COMMAND_TIMEOUT_MS } : {}),
    ...(first.username === undefined ? {} : { username: first.username }),
    ...(first.password === undefined ? {} : { password: first.password.reveal() }),
    ...(first.tls ? { tls: {} } : {}),
  };
  const connection =
    nodes.length > 1
      ? new Cluster(
          nodes.map(({ host, port }) => ({ host, port })),
          { clusterRetryStrategy: reconnectDelay, enableOfflineQueue, redisOptions: options },
        )
      : new Redis({ ...options, host: first.host, port: first.port, db: first.db });
  let failing = false;
  connection.on('error', (error: Error) => {
    // One line per outage, not one per try.
    if (!failing) logger.error({ err: error, use }, 'Redis cannot be reached');
    failing = true;
  });
  connection.on('ready', () => {
    if (failing) logger.info({ use }, 'Redis is back');
    failing = false;
  });
  return connection;
}

/** A primary that has become one: after a fail-over its name leads to another server, which a new connection finds. */
function isReplica(error: Error): boolean {
  return refusalWord(error) === 'READONLY';
}

/** Capped exponential pause with jitter, in milliseconds. */
function reconnectDelay(tries: number): number {
  const delay = Math.min(50 * 2 ** Math.min(tries, 10), RECONNECT_CAP_MS);
  return Math.round(delay * (0.8 + Math.random() * 0.2));
}

/** Resolves when the connection can take commands. @throws after `timeoutMs` milliseconds */
export async function redisReady(connection: RedisConnection, timeoutMs: number): Promise<void> {
  if (connection.status === 'ready') return;
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => {
      connection.off('ready', done);
      reject(new Error(`Redis was not ready within ${timeoutMs} ms`));
    }, timeoutMs);
    function done(): void {
      clearTimeout(timer);
      resolve();
    }
    connection.once('ready', done);
  });
}
