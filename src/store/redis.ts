import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Cluster, Redis } from 'ioredis';
import { DAY_MS, type Clock } from '../lib/time.ts';
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
 * @param lazy it connects when it is asked to, or at the first command
 */
export function connectRedis(
  nodes: readonly RedisAddress[],
  use: RedisUse,
  logger: Logger,
  { lazy: lazyConnect = false }: { lazy?: boolean } = {},
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
    username: first.username,
    ...(first.password === undefined ? {} : { password: first.password.reveal() }),
    ...(first.tls ? { tls: {} } : {}),
  };
  const connection =
    nodes.length > 1
      ? new Cluster(
          nodes.map(({ host, port }) => ({ host, port })),
          {
            clusterRetryStrategy: reconnectDelay,
            enableOfflineQueue,
            lazyConnect,
            redisOptions: options,
          },
        )
      : new Redis({ ...options, lazyConnect, host: first.host, port: first.port, db: first.db });
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

/** Names of everything that the bot keeps in Redis (design section 8). */
export type Keys = ReturnType<typeof createKeys>;

/**
 * @param prefix REDIS_PREFIX; it becomes a hash tag, so that one deployment of the bot lives in one
 *   Cluster slot and scripts may touch several keys at once
 */
export function createKeys(prefix: string) {
  const key = (...parts: string[]): string => `{${prefix}}:${parts.join(':')}`;
  return {
    /** BullMQ's own keys. */
    queuePrefix: `{${prefix}}`,
    lock: (name: string) => key('lock', name),
    /** String: the number of the formats in which everything here is kept. */
    schema: key('schema'),
    /** Hash: fingerprints and rollout states of one GVC. */
    rollouts: (org: string, gvc: string) => key('rollouts', `${org}/${gvc}`),
    /** String: when a GVC was last polled, and how that went. */
    pulse: (org: string, gvc: string) => key('pulse', `${org}/${gvc}`),
    /** Hash: watches made by command. */
    watches: key('watches'),
    /** Hash: what is muted, and until when. */
    mutes: key('mutes'),
    /** Hash: names of a channel's messages that a mute keeps back, with their place. */
    held: (channel: string) => key('held', channel),
    /** Set: channels with muted messages. */
    heldChannels: key('held-channels'),
    /** Hash: channels that Slack refuses, with what was told of it. */
    refusals: key('refusals'),
    /** Hash: outages of the platform that are open, and the numbers of those that were. */
    outages: key('outages'),
    /** Hash: one message to one channel, as wanted and as sent. */
    message: (channel: string, name: string) => key('card', channel, name),
    /** Sorted set: names of a channel's messages that differ from what Slack has, in order. */
    outbox: (channel: string) => key('outbox', channel),
    /** Set: channels whose outbox is not empty. */
    outboxChannels: key('outbox-channels'),
    /** Counter: the order of the outbox. */
    outboxSequence: key('outbox-sequence'),
    /** Sorted set: records whose content Slack has, by when it is dropped (ms since the epoch). */
    sentContents: key('sent-contents'),
    /** Sorted set: messages whose edit is tried again, as `[channel, key]`, by when (ms since the epoch). */
    laterEdits: key('later-edits'),
    /** Hash: which run of Redis the bot has seen last, and when (ms by Slack's clock). */
    redisRun: key('redis-run'),
    /** String with TTL: Redis has come back, so first posts are looked for, from when on. */
    lookBack: key('look-back'),
    /** String with TTL: place of the last post to a channel, in the order of the outbox. */
    lastPost: (channel: string) => key('last-post', channel),
    /** Hash: how often there was a message that the bot numbers by itself, by its name. */
    numbers: key('numbers'),
    /** String with TTL: a channel has to wait with this kind of call. */
    channelBackoff: (channel: string, call: 'post' | 'edit') =>
      key('hold', call === 'post' ? channel : `${channel}:edits`),
    /** String with TTL: a process with workers that take jobs has reported lately. */
    heartbeat: key('beat'),
    /** String with TTL: a delivery of Slack's that was seen. */
    seen: (id: string) => key('seen', id),
    /** String with TTL: an answer that may still be shared, or come back to its place. */
    answer: (id: string) => key('answer', id),
    /** String with TTL: what a button of a person stands for. */
    kept: (id: string) => key('kept', id),
    /** String with TTL: something that is told once a day was told on that day. */
    today: (day: string, name: string) => key('today', day, name),
    /** Hash: a request for a change, its version, and who wrote it last. */
    change: (id: string) => key('change', id),
    /** Sorted set: ids of all changes, by the time of the request. */
    changes: key('changes'),
    /** Sorted set: ids of changes for which something is to be done, by when (ms since the epoch). */
    changesDue: key('changes-due'),
    /** Hash: what is ordered by open changes -> the id of the change. */
    changesOpen: key('changes-open'),
    /** Hash with TTL: who was refused on a day to ask for what kind of change, and why, as the audit says. */
    changesRefused: (day: string) => key('changes-refused', day),
    /** Stream: what happened to changes, for 400 days. */
    audit: key('audit'),
    /** Stream: the same of one change. */
    auditOf: (id: string) => key('audit', id),
    /** Hash: what the last look at each topic of notices saw, and what it told, by topic. */
    told: key('told'),
    /** Hash: topics that somebody stopped, with who and when. */
    stops: key('stops'),
    /** Hash: saved questions by their number, and beside each (`3:told`) what its last run told. */
    savedQuestions: key('saved-questions'),
    /** String with TTL: a secret of the platform's, encrypted, until it is revealed. */
    secret: (id: string) => key('secret', id),
  };
}

/** A lock that is held. `token` is the fence: a script that compares it refuses an owner that has lost the lock. */
export interface Lock {
  readonly key: string;
  readonly token: string;
  /** False from the moment a renewal found another owner, or none succeeded for the lock's time. */
  held(): boolean;
  release(): Promise<void>;
}

const RENEW = `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end return 0`;
const RELEASE = `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0`;

/**
 * Takes a lock, or gives undefined when another owner has it. It is renewed at a third of its time until
 * it is released; after a crash it falls free within `ttlMs` milliseconds.
 */
export async function acquireLock(
  redis: RedisConnection,
  key: string,
  ttlMs: number,
): Promise<Lock | undefined> {
  const token = randomUUID();
  const asked = Date.now();
  if ((await redis.set(key, token, 'PX', ttlMs, 'NX')) !== 'OK') return undefined;
  let validUntil = asked + ttlMs;
  const timer = setInterval(() => {
    const from = Date.now();
    redis.eval(RENEW, 1, key, token, ttlMs).then(
      (renewed) => (validUntil = renewed === 1 ? from + ttlMs : 0),
      // While Redis is away the lock simply runs out.
      () => undefined,
    );
  }, ttlMs / 3);
  timer.unref();
  return {
    key,
    token,
    held: () => Date.now() < validUntil,
    async release() {
      clearInterval(timer);
      await redis.eval(RELEASE, 1, key, token);
    },
  };
}

/** Pause between two tries for a lock that is taken, in milliseconds. */
const RETRY_MS = 50;

/**
 * Runs work under a lock, after its present owner.
 * @throws after `patienceMs` milliseconds of waiting
 */
export async function withLock(
  redis: RedisConnection,
  key: string,
  times: { ttlMs: number; patienceMs: number },
  work: (lock: Lock) => Promise<void>,
): Promise<void> {
  const deadline = Date.now() + times.patienceMs;
  let lock = await acquireLock(redis, key, times.ttlMs);
  while (lock === undefined && Date.now() < deadline) {
    await sleep(RETRY_MS);
    lock = await acquireLock(redis, key, times.ttlMs);
  }
  if (lock === undefined) throw new Error(`the lock ${key} was not free in time`);
  try {
    await work(lock);
  } finally {
    await lock.release();
  }
}

/** Whether this name is asked about for the first time on this day (UTC), over all processes. */
export type FirstToday = (name: string) => Promise<boolean>;

export function createFirstToday(deps: {
  redis: RedisConnection;
  keys: Keys;
  clock: Clock;
}): FirstToday {
  const { redis, keys, clock } = deps;
  return async (name) => {
    const day = new Date(clock.now()).toISOString().slice(0, 10);
    try {
      return (await redis.set(keys.today(day, name), '1', 'PX', DAY_MS, 'NX')) === 'OK';
    } catch {
      // What Redis cannot remember is told again: twice is better than never.
      return true;
    }
  };
}
