import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createOutbox } from '../../../src/notify/outbox.ts';
import type { DeploymentsClient } from '../../../src/platform/deployments/client.ts';
import { PlatformError } from '../../../src/platform/errors.ts';
import { readPulse } from '../../../src/rollouts/gvc-store.ts';
import { createPoller } from '../../../src/rollouts/poll.ts';
import { createWatches } from '../../../src/rollouts/watches.ts';
import { createKeys } from '../../../src/store/keys.ts';
import type { Keys } from '../../../src/store/keys.ts';
import { acquireLock } from '../../../src/store/lock.ts';
import type { RedisConnection } from '../../../src/store/redis.ts';
import { logger, openRedis } from './support.ts';
import type { TestRedis } from './support.ts';

const ACTIVE_MS = 10_000;
const IDLE_MS = 60_000;
const SECOND = 1_000;

let opened: TestRedis;
let redis: RedisConnection;
let keys: Keys;
let now: number;
let calls: number;
let fail: Error | undefined;

beforeAll(async () => {
  opened = await openRedis();
  redis = opened.redis;
});

beforeEach(() => {
  keys = createKeys(`test-${randomUUID()}`);
  now = Date.UTC(2026, 9, 5, 12);
  calls = 0;
  fail = undefined;
});

afterAll(() => opened.close());

/** A worker of its own: what it remembers in the process is gone with it. */
function worker(): (org: string, gvc: string) => Promise<void> {
  const client = {
    listGvc: () => {
      calls += 1;
      return fail === undefined
        ? Promise.resolve({ deployments: [], unreadable: [], unidentified: 0 })
        : Promise.reject(fail);
    },
  } as Partial<DeploymentsClient> as DeploymentsClient;
  return createPoller({
    redis,
    keys,
    client,
    watches: createWatches({ redis, keys, configured: [] }),
    outbox: createOutbox(redis, keys, (text) => text),
    wake: () => Promise.resolve(),
    polling: { activeMs: ACTIVE_MS, idleMs: IDLE_MS },
    clock: { now: () => now },
    logger,
    polls: { inc: () => undefined },
    stopping: new AbortController().signal,
  });
}

/** Ticks at the fast pace for a while; gives how often the platform was asked. */
async function ticksFor(ms: number, tick: (org: string, gvc: string) => Promise<void>) {
  const before = calls;
  for (const end = now + ms; now < end; now += ACTIVE_MS) await tick('acme', 'shop');
  return calls - before;
}

it('a GVC where nothing moves is asked at the idle pace', async () => {
  expect(await ticksFor(5 * IDLE_MS, worker())).toBe(5);
});

it('a worker that has just started asks at once', async () => {
  await worker()('acme', 'shop');
  now += SECOND;

  await worker()('acme', 'shop');

  expect(calls).toBe(2);
});

it('a platform that fails is asked again soon, and at the idle pace when it goes on', async () => {
  fail = new PlatformError('unavailable', 'bad gateway', { status: 502 });
  const tick = worker();

  expect(await ticksFor(5 * ACTIVE_MS, tick)).toBe(5);
  expect(await ticksFor(5 * IDLE_MS, tick)).toBeLessThanOrEqual(5);
  expect(await readPulse(redis, keys, 'acme', 'shop')).toMatchObject({ error: 'bad gateway' });
});

it('a pause that the platform asks for is kept', async () => {
  fail = new PlatformError('rate-limited', 'slow down', { status: 429, retryAfterMs: 300_000 });
  const tick = worker();
  await tick('acme', 'shop');

  expect(await ticksFor(290_000, tick)).toBe(0);
  expect(await ticksFor(30_000, tick)).toBe(1);
});

it('what was a failure is forgotten with the first answer', async () => {
  fail = new PlatformError('unreachable', 'refused');
  const tick = worker();
  await ticksFor(3 * ACTIVE_MS, tick);
  fail = undefined;
  await ticksFor(IDLE_MS, tick);

  expect(await readPulse(redis, keys, 'acme', 'shop')).toMatchObject({ failures: 0, error: '' });
});

it('a GVC that another process is reading is left to it', async () => {
  const lock = await acquireLock(redis, keys.lock('poll:acme/shop'), 10_000);

  await worker()('acme', 'shop');

  expect(calls).toBe(0);
  await lock?.release();
});
