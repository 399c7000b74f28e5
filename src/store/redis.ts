import { Cluster, Redis } from 'ioredis';
import type { Logger } from '../lib/logger.ts';
import type { Secret } from '../lib/secret.ts';

/**
 * The words with which Redis refuses a write that is in order: it is full, a replica, cannot save, misses
 * its replicas, or the user lacks the right.
 */
const WORDS = ['OOM', 'READONLY', 'MISCONF', 'NOREPLICAS', 'NOPERM', 'NOAUTH'] as const;

/** Why Redis refuses what it is told; `ERR`: for a reason of its own words. */
export type RefusalWord = (typeof WORDS)[number] | 'ERR';

/** Before Redis 7 the word of a command in a script stands inside of the script's own error. */
const WORD = new RegExp(`(?:^|-)(${WORDS.join('|')}) `);

/** Why Redis refused a command; undefined for any other error, such as that it cannot be reached. */
export function refusalWord(error: unknown): RefusalWord | undefined {
  if (!(error instanceof Error) || error.name !== 'ReplyError') return undefined;
  // What waited in a blocking read when its server became a replica.
  if (error.message.startsWith('UNBLOCKED ')) return 'READONLY';
  // The script's error quotes nothing that anybody typed before its own word.
  const word = WORD.exec(error.message.slice(0, 300))?.[1];
  return WORDS.find((one) => one === word) ?? 'ERR';
}

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
