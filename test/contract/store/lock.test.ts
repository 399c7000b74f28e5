import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { acquireLock } from '../../../src/store/redis.ts';
import { until } from '../../support/until.ts';
import { connectTo, useConnection } from '../../support/redis.ts';

const server = useConnection();

/** Short for who waits for its end, and long for a busy machine on which it has to be renewed in time. */
const SHORT_MS = 1_500;

it('a lock has one owner until it is given back', async () => {
  const key = `test-${randomUUID()}`;
  const asking = Array.from({ length: 20 }, () => acquireLock(server.redis, key, 10_000));
  const locks = (await Promise.all(asking)).filter((lock) => lock !== undefined);

  expect(locks).toHaveLength(1);
  expect(locks[0]?.held()).toBe(true);
  await locks[0]?.release();
  const next = await acquireLock(server.redis, key, 10_000);
  expect(next).toBeDefined();
  await next?.release();
});

it('an owner keeps it for longer than its time', async () => {
  const key = `test-${randomUUID()}`;
  const lock = await acquireLock(server.redis, key, SHORT_MS);
  const asked = Date.now();

  await until('several lifetimes have gone by', () => Date.now() - asked > 3 * SHORT_MS);

  expect(lock?.held()).toBe(true);
  expect(await acquireLock(server.redis, key, SHORT_MS)).toBeUndefined();
  await lock?.release();
});

it('an owner that can no longer renew knows it, and the next one gets in', async () => {
  const key = `test-${randomUUID()}`;
  const doomed = await connectTo(server.url);
  const lock = await acquireLock(doomed, key, SHORT_MS);
  doomed.disconnect();

  const next = await until('the lock is free', () => acquireLock(server.redis, key, 10_000));

  expect(lock?.held()).toBe(false);
  expect(await server.redis.get(key)).toBe(next.token);
  await next.release();
});

it('an owner that was replaced notices, and neither renews nor releases the lock of another', async () => {
  const key = `test-${randomUUID()}`;
  const lock = await acquireLock(server.redis, key, SHORT_MS);
  await server.redis.set(key, 'another', 'PX', 10_000);

  await until('it noticed', () => lock?.held() === false);
  await lock?.release();

  expect(await server.redis.get(key)).toBe('another');
  expect(await server.redis.pttl(key)).toBeGreaterThan(1_000);
});
