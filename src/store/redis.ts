import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Cluster, Redis } from 'ioredis';
import { StartRefused } from '../lib/errors.ts';
import type { Logger } from '../lib/logger.ts';
import type { Secret } from '../lib/secret.ts';

/**
 * Error codes with which Redis refuses a valid write: it is full, a replica, cannot save, misses its
 * replicas, the user lacks permission or has another password, or the cluster has no primary for the key.
 */
const WORDS = [
  'OOM',
  'READONLY',
  'MISCONF',
  'NOREPLICAS',
  'NOPERM',
  'NOAUTH',
  'WRONGPASS',
  'CLUSTERDOWN',
] as const;

/** `ERR`: any other error reply. */
export type RefusalWord = (typeof WORDS)[number] | 'ERR';

/** Before Redis 7 the code of a command in a script is inside the script's own error. */
const WORD = new RegExp(`(?:^|-)(${WORDS.join('|')}) `);

/** For the person whose request needs the store. */
export const UNAVAILABLE =
  'Purser cannot reach its own store just now, so nothing was done. Please try again in a minute.';

/** Why Redis refused a command; undefined for any other error, such as a lost connection. */
export function refusalWord(error: unknown): RefusalWord | undefined {
  if (!(error instanceof Error) || error.name !== 'ReplyError') return undefined;
  // The reply to a blocking read when its server becomes a replica.
  if (error.message.startsWith('UNBLOCKED ')) return 'READONLY';
  // A script's error quotes no user input before its own code.
  const word = WORD.exec(error.message.slice(0, 300))?.[1];
  return WORDS.find((one) => one === word) ?? 'ERR';
}

export interface RedisAddress {
  readonly host: string;
  readonly port: number;
  readonly db: number;
  readonly tls: boolean;
  readonly username?: string | undefined;
  readonly password?: Secret | undefined;
}

/** Where Redis is. */
export interface RedisTarget {
  readonly nodes: readonly RedisAddress[];
  /** A Redis Cluster, of which `nodes` are some. */
  readonly cluster?: boolean;
  /** The sentinels that name the primary; user, password, database and TLS are those of the first of `nodes`. */
  readonly sentinel?:
    { readonly name: string; readonly nodes: readonly RedisAddress[] } | undefined;
}

export type RedisConnection = Redis | Cluster;

/**
 * `commands` fails at once while Redis is away, so that users get an answer; `worker` waits for its return,
 * as BullMQ's blocking reads require.
 */
export type RedisUse = 'commands' | 'worker';

/** Longest pause between two tries to connect, in milliseconds; BullMQ's 20 s prolong every outage. */
const RECONNECT_CAP_MS = 2_000;
const CONNECT_TIMEOUT_MS = 5_000;
const COMMAND_TIMEOUT_MS = 5_000;
/**
 * A server whose host is gone closes nothing: without data for this long while a command waits, the connection is
 * closed and the present primary asked for. A blocking read of a worker takes up to 10 s. Milliseconds.
 */
const SILENCE_MS = { commands: 10_000, worker: 20_000 } as const;

/** Why a Redis refuses new connections: the first that is refused is not the one that commands are sent by. */
const refusals = new WeakMap<RedisTarget, RefusalWord>();

/** Undefined where it does not answer, and where it takes connections. */
export function connectRefusal(target: RedisTarget): RefusalWord | undefined {
  return refusals.get(target);
}

/**
 * Errors are logged and retried forever, at most 2 s apart.
 * @param lazy connects on request or at the first command
 */
export function connectRedis(
  target: RedisTarget,
  use: RedisUse,
  logger: Logger,
  { lazy: lazyConnect = false }: { lazy?: boolean } = {},
): RedisConnection {
  const connection = openConnection(target, use, lazyConnect);
  let failing = false;
  connection.on('error', (error: Error & { lastNodeError?: Error }) => {
    // Of a cluster ioredis says only that no node was of use.
    const reason = error.lastNodeError ?? error;
    const word = refusalWord(reason);
    if (word !== undefined) refusals.set(target, word);
    // One line per outage.
    if (!failing) logger.error({ err: reason, use }, 'Redis cannot be reached');
    failing = true;
  });
  connection.on('ready', () => {
    refusals.delete(target);
    if (failing) logger.info({ use }, 'Redis is back');
    failing = false;
  });
  return connection;
}

function openConnection(
  { nodes, cluster = false, sentinel }: RedisTarget,
  use: RedisUse,
  lazyConnect: boolean,
): RedisConnection {
  const first = nodes[0];
  if (first === undefined) throw new Error('no Redis node is configured');
  const enableOfflineQueue = use === 'worker';
  const options = {
    retryStrategy: reconnectDelay,
    reconnectOnError: isReplica,
    connectTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SILENCE_MS[use],
    maxRetriesPerRequest: use === 'worker' ? null : 1,
    enableOfflineQueue,
    ...(use === 'commands' && { commandTimeout: COMMAND_TIMEOUT_MS }),
    username: first.username,
    ...(first.password && { password: first.password.reveal() }),
    ...(first.tls && { tls: {} }),
  };
  if (sentinel !== undefined) {
    return new Redis({ ...options, ...sentinelOptions(sentinel), lazyConnect, db: first.db });
  }
  if (!cluster) {
    return new Redis({ ...options, lazyConnect, host: first.host, port: first.port, db: first.db });
  }
  return new Cluster(
    nodes.map(({ host, port }) => ({ host, port })),
    {
      clusterRetryStrategy: reconnectDelay,
      // A `connect` of ioredis whose check fails never settles, and a worker of BullMQ would wait for it forever.
      enableReadyCheck: false,
      enableOfflineQueue,
      lazyConnect,
      redisOptions: options,
      // The certificate is for the name: by default ioredis connects to the address behind it.
      ...(first.tls && { dnsLookup: (host, found) => found(null, host) }),
    },
  );
}

function sentinelOptions({ name, nodes }: NonNullable<RedisTarget['sentinel']>) {
  const [first] = nodes;
  return {
    sentinels: nodes.map(({ host, port }) => ({ host, port })),
    name,
    sentinelRetryStrategy: reconnectDelay,
    sentinelCommandTimeout: COMMAND_TIMEOUT_MS,
    // Only with `tls` beside it.
    enableTLSForSentinelMode: true,
    ...(first?.username && { sentinelUsername: first.username }),
    ...(first?.password && { sentinelPassword: first.password.reveal() }),
    ...(first?.tls && { sentinelTLS: {} }),
  };
}

/**
 * A primary that became a replica: after a fail-over its name resolves to another server, which a new
 * connection finds.
 */
function isReplica(error: Error): boolean {
  return refusalWord(error) === 'READONLY';
}

/** Capped exponential pause with jitter, in milliseconds. */
function reconnectDelay(tries: number): number {
  const delay = Math.min(50 * 2 ** Math.min(tries, 10), RECONNECT_CAP_MS);
  return Math.round(delay * (0.8 + Math.random() * 0.2));
}

/**
 * ioredis works on database 0 where the server refuses the one that it was given.
 * @throws StartRefused when it does
 */
export async function requireDatabase(connection: RedisConnection): Promise<void> {
  const { db = 0 } = connection instanceof Redis ? connection.options : {};
  if (db === 0) return;
  await (connection as Redis).select(db).catch((error: unknown) => {
    if (refusalWord(error) === undefined) throw error;
    throw new StartRefused(
      `Redis does not open database ${db}: change the number behind the host of REDIS_URL, or leave it out`,
    );
  });
}

/** @throws after `timeoutMs` milliseconds */
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

/** Milliseconds since the epoch by the clock of Redis. @throws when it does not answer */
export async function readRedisTime(redis: RedisConnection): Promise<number> {
  const [seconds, microseconds] = await redis.time();
  return Number(seconds) * 1_000 + Number(microseconds) / 1_000;
}

/** All keys of the bot in Redis (design section 8). */
export type Keys = ReturnType<typeof createKeys>;

/**
 * @param prefix REDIS_PREFIX; it becomes a hash tag, so that one deployment of the bot lives in one Cluster
 *   slot and scripts may touch several keys at once
 */
export function createKeys(prefix: string) {
  const key = (...parts: string[]): string => `{${prefix}}:${parts.join(':')}`;
  return {
    /** BullMQ's own keys. */
    queuePrefix: `{${prefix}}`,
    lock: (name: string) => key('lock', name),
    /** String with TTL: the append-only file was rewritten. */
    rewritten: key('rewritten'),
    /** String: the schema number of the stored data. */
    schema: key('schema'),
    /** Hash: the state of one GVC, a field for each workload. */
    rollouts: (org: string, gvc: string) => key('rollouts', `${org}/${gvc}`),
    /** Hash: state and revision of what all GVCs of an org share. */
    org: (org: string) => key('org', org),
    /** String: time and result of the last poll of a GVC. */
    pulse: (org: string, gvc: string) => key('pulse', `${org}/${gvc}`),
    /** Hash: watches made by command. */
    watches: key('watches'),
    /** Hash: mutes with their ends. */
    mutes: key('mutes'),
    /** Hash: keys of a channel's messages held back by a mute, with their place. */
    held: (channel: string) => key('held', channel),
    /** Hash: keys of watch messages that a channel refused, with `<ms since the epoch> <Slack's code>`. */
    refusedPosts: (channel: string) => key('refused-posts', channel),
    /** Set: channels with messages held back or refused. */
    heldChannels: key('held-channels'),
    /** Hash: channels that Slack refuses, with the posted notices. */
    refusals: key('refusals'),
    /** Hash: open outages of the platform, and the numbers of earlier ones. */
    outages: key('outages'),
    /** Hash: one message to one channel, as wanted and as sent. */
    message: (channel: string, name: string) => key('card', channel, name),
    /** Sorted set: keys of a channel's messages that differ from what Slack has, in order. */
    outbox: (channel: string) => key('outbox', channel),
    outboxChannels: key('outbox-channels'),
    outboxSequence: key('outbox-sequence'),
    /** Sorted set: records whose content Slack has, by when it is dropped (ms since the epoch). */
    sentContents: key('sent-contents'),
    /** Sorted set: messages whose edit is retried, as `[channel, key]`, by when (ms since the epoch). */
    laterEdits: key('later-edits'),
    /** Hash: the last seen run of Redis, and when (ms by Slack's clock). */
    redisRun: key('redis-run'),
    /** String with TTL: Redis has restarted, so first posts are searched for; from when on. */
    lookBack: key('look-back'),
    /** String with TTL: place of the last post to a channel, in the order of the outbox. */
    lastPost: (channel: string) => key('last-post', channel),
    /** Hash: counters of numbered message keys, by name. */
    numbers: key('numbers'),
    /** String with TTL: this kind of call has to wait in a channel. */
    channelBackoff: (channel: string, call: 'post' | 'edit') =>
      key('hold', call === 'post' ? channel : `${channel}:edits`),
    /** String with TTL: a process with running workers has reported lately. */
    heartbeat: key('beat'),
    /** String: when a worker has last reported (ms since the epoch). */
    lastHeartbeat: key('last-beat'),
    /** String: the message that reports that no worker is running. */
    noWorker: key('no-worker'),
    /** String with TTL: Slack refused data tables or charts there, so plain ones are sent. */
    plainBlocks: (surface: string) => key('plain', surface),
    /** Sorted set: people (`team/user`) by when they last opened Home (ms since the epoch). */
    homes: key('homes'),
    /** String: what the last drawing of Home for all of them was made from. */
    homesDrawn: key('homes-drawn'),
    /** String with TTL: the version of a person's Home that Slack has. */
    homeVersion: (userId: string) => key('home-version', userId),
    /** String with TTL: a delivery of Slack that was processed. */
    seen: (id: string) => key('seen', id),
    /** String with TTL: an answer that can still be shared or restored. */
    answer: (id: string) => key('answer', id),
    /** Sorted set with TTL: the ids of a person's answers, by when they were shown. */
    answersOf: (userId: string) => key('answers-of', userId),
    /** String with TTL: the state behind a user's button. */
    kept: (id: string) => key('kept', id),
    /** Sorted set with TTL: the ids of the states behind a person's buttons, by when they were kept. */
    keptOf: (userId: string) => key('kept-of', userId),
    /** String with TTL: when the commands and clicks of a person are all free again (ms since the epoch). */
    personLimit: (userId: string) => key('person-limit', userId),
    /** String with TTL: the requests for changes that a person has made since the first one of the day. */
    personRequests: (userId: string) => key('person-requests', userId),
    /** Hash: a request for a change, its version, and who wrote it last. */
    change: (id: string) => key('change', id),
    /** Sorted set: ids of all changes, by the time of the request. */
    changes: key('changes'),
    /** Sorted set: ids of changes with pending work, by when (ms since the epoch). */
    changesDue: key('changes-due'),
    /** Hash: target of an open change -> its id. */
    changesOpen: key('changes-open'),
    /** Hash: kind of change -> the id of the one that was sent last. */
    changesSent: key('changes-sent'),
    /** Hash: state -> the number of changes in it. */
    changesByState: key('changes-by-state'),
    /** Hash with TTL: refused requests of a day (user, kind, reason), as in the audit. */
    changesRefused: (day: string) => key('changes-refused', day),
    /** Stream: the audit of all changes, for 400 days. */
    audit: key('audit'),
    /** Stream: the audit of one change. */
    auditOf: (id: string) => key('audit', id),
    /** Hash: result and notice of the last check of each topic. */
    reported: key('reported'),
    /** Hash: topic -> its last run that could read everything, or the first try (ms since the epoch). */
    monitorRuns: key('monitor-runs'),
    /** Hash: stopped topics, with user and time. */
    stops: key('stops'),
    /** Hash: saved questions by number, and beside each (`3:reported`) the result of its last run. */
    savedQuestions: key('saved-questions'),
    /** Hash: e-mail address, in lower case -> the Slack accounts that may use its roles, signed. */
    identities: key('identities'),
    /** String with TTL: an encrypted secret of the platform, until it is revealed. */
    secret: (id: string) => key('secret', id),
  };
}

/** `token` is the fence: a script that compares it refuses an owner that has lost the lock. */
export interface Lock {
  readonly key: string;
  readonly token: string;
  /** False as soon as a renewal found another owner, or none succeeded for the lock's time. */
  held(): boolean;
  release(): Promise<void>;
}

const RENEW = `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end return 0`;
const RELEASE = `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0`;

/**
 * Takes a lock; undefined when another owner has it. It is renewed at a third of its time until released;
 * after a crash it expires within `ttlMs` milliseconds.
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
      // While Redis is away the lock expires.
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

/** Pause between two tries for a lock, in milliseconds. */
const RETRY_MS = 50;

/**
 * Waits for the present owner.
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
