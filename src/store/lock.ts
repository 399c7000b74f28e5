import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RedisConnection } from './redis.ts';

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
