import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startRedis, type SandboxRedis } from '../../../../src/sandbox/redis.ts';
import { createDedupe } from '../../../../src/slack/connection/http-receiver.ts';
import { createKeys, type RedisConnection } from '../../../../src/store/redis.ts';
import { createHarness, type Harness } from '../../app/harness.ts';

// Its settings are changed here, so it is one of its own.
let server: SandboxRedis;
let admin: Redis;
let house: Harness;
beforeAll(async () => {
  server = await startRedis();
  admin = new Redis(server.url);
  house = await createHarness({ REDIS_URL: server.url });
});
afterAll(async () => {
  await house.close();
  admin.disconnect();
  await server.close();
});

it('while Redis is full, a person reads the failure and the fix', async () => {
  await admin.config('SET', 'maxmemory', '1');
  const { text } = await house.ask('U0ADA', 'C0DEPLOYS', '/purser doctor');
  await admin.config('SET', 'maxmemory', '0');

  expect(text).toBe(
    'Purser’s store takes no writes (Redis says OOM), so nothing was done: ask your Purser administrator to give Redis more memory (maxmemory).',
  );
  expect(house.lines()).toContain('Redis takes no writes');
});

it('a Redis that is a replica says so', async () => {
  const replica = await startRedis();
  const redis = new Redis(replica.url);
  await redis.call('REPLICAOF', '127.0.0.1', '1');
  const state = await createDedupe(redis, createKeys('test'))('an id', 'a request');
  redis.disconnect();
  await replica.close();

  expect(state).toBe('READONLY');
});

it('an answer of Redis counts that came while the whole process paused', async () => {
  const redis = new Redis(server.url);
  await redis.ping();
  const state = createDedupe(redis, createKeys('test'))('another id', 'a request');
  // The command has gone out by then, and its answer is not read yet.
  await new Promise((resolve) => process.nextTick(resolve));
  const end = performance.now() + 800;
  while (performance.now() < end);

  expect(await state).toBe('new');
  redis.disconnect();
});

it.each([
  ['MISCONF Redis is configured to save RDB snapshots', 'MISCONF'],
  ['OOM command not allowed', 'OOM'],
  ['READONLY You can’t write against a read only replica.', 'READONLY'],
  ['OOMPH', 'unavailable'],
  ['Connection is closed.', 'unavailable'],
])('a store that says "%s" is %s', async (says, state) => {
  const error = Object.assign(new Error(says), { name: 'ReplyError' });
  const redis = { eval: () => Promise.reject(error) } as unknown as RedisConnection;

  expect(await createDedupe(redis, createKeys('test'))('an id', 'a request')).toBe(state);
});
