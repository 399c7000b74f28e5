import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { pollLockOf, withPollLock, withPollLockSoon } from '../../../src/rollouts/poll.ts';
import {
  acquireLock,
  createKeys,
  type Keys,
  type Lock,
  type RedisConnection,
} from '../../../src/store/redis.ts';
import { connectTo, useRedis } from '../../support/redis.ts';

const SHOP = { org: 'acme', gvc: 'shop' };

let redis: RedisConnection;
let keys: Keys;
let done: string[];

beforeAll(async () => {
  redis = await connectTo(useRedis().url);
});

beforeEach(() => {
  keys = createKeys(`test-${randomUUID()}`);
  done = [];
});

afterAll(() => redis.disconnect());

async function beginPoll(): Promise<Lock> {
  const lock = await acquireLock(redis, pollLockOf(keys, SHOP), 10_000);
  if (lock === undefined) throw new Error('a poll is running');
  return lock;
}

const work = async (): Promise<void> => void done.push('work');

it.each([withPollLock, withPollLockSoon])('work waits for the poll that runs: %o', async (run) => {
  const poll = await beginPoll();
  const running = run({ redis, keys }, SHOP, 10_000, work);
  // Anyone who does not wait for the lock is done long before this answer.
  await redis.ping();
  done.push('poll');
  await poll.release();

  await running;

  expect(done).toEqual(['poll', 'work']);
});

it('no poll begins while work runs', async () => {
  let free: unknown;
  await withPollLock({ redis, keys }, SHOP, 0, async () => {
    free = await acquireLock(redis, pollLockOf(keys, SHOP), 10_000);
  });

  expect(free).toBeUndefined();
  await (await beginPoll()).release();
});

it('a poll that does not end is waited for no longer than said', async () => {
  const poll = await beginPoll();

  await expect(withPollLock({ redis, keys }, SHOP, 0, work)).rejects.toThrow('was not free');
  expect(done).toEqual([]);
  await withPollLockSoon({ redis, keys }, SHOP, 0, work);

  expect(done).toEqual(['work']);
  await poll.release();
});

it('work that fails is not done twice', async () => {
  const failing = async (): Promise<void> => {
    await work();
    throw new Error('Redis is away');
  };

  await expect(withPollLockSoon({ redis, keys }, SHOP, 0, failing)).rejects.toThrow('is away');
  expect(done).toEqual(['work']);
});
