import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { createOutbox } from '../../../src/notify/outbox.ts';
import { seePage } from '../../../src/platform/deployments/list.ts';
import type { SeenList } from '../../../src/platform/deployments/list.ts';
import { PlatformError } from '../../../src/platform/errors.ts';
import { readGvc, readPulse } from '../../../src/rollouts/gvc-store.ts';
import { createPoller } from '../../../src/rollouts/poll.ts';
import type { PollDeps } from '../../../src/rollouts/poll.ts';
import { createMutes } from '../../../src/rollouts/mutes.ts';
import { createWatches } from '../../../src/rollouts/watches.ts';
import { createKeys } from '../../../src/store/keys.ts';
import type { Keys } from '../../../src/store/keys.ts';
import { acquireLock } from '../../../src/store/lock.ts';
import type { RedisConnection } from '../../../src/store/redis.ts';
import { ready } from '../../unit/rollouts/platform-json.ts';
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
/** Statuses of the workload `cart` by location. */
let listing: Record<string, object>;
/** What happens while the platform answers. */
let meanwhile: () => Promise<void>;
/** What the poller said of the platform's answers. */
let said: string[];

beforeAll(async () => {
  opened = await openRedis();
  redis = opened.redis;
});

beforeEach(() => {
  keys = createKeys(`test-${randomUUID()}`);
  now = Date.UTC(2026, 9, 5, 12);
  calls = 0;
  fail = undefined;
  listing = {};
  meanwhile = () => Promise.resolve();
  said = [];
});

afterAll(() => opened.close());

function itemOf(location: string, status: object): object {
  const links = [{ rel: 'workload', href: '/org/acme/gvc/shop/workload/cart' }];
  return { name: location, status, links };
}

async function seeGvc(): Promise<SeenList> {
  calls += 1;
  await meanwhile();
  if (fail !== undefined) throw fail;
  const list: SeenList = { seen: [], unreadable: [], unidentified: 0 };
  const items = Object.entries(listing).map(([location, status]) => itemOf(location, status));
  seePage({ items }, undefined, list);
  return list;
}

/** A worker of its own: what it remembers in the process is gone with it. */
function worker(over: Partial<PollDeps> = {}): (org: string, gvc: string) => Promise<void> {
  return createPoller({
    redis,
    keys,
    client: { seeGvc },
    watches: createWatches({ redis, keys, configured: [] }),
    mutes: createMutes({ redis, keys }),
    outbox: createOutbox(redis, keys, (text) => text),
    outages: {
      failed: async ({ org, gvc }, failures) => void said.push(`${org}/${gvc} failed ${failures}`),
      worked: async ({ org, gvc }) => void said.push(`${org}/${gvc} worked`),
    },
    wake: () => Promise.resolve(),
    polling: { activeMs: ACTIVE_MS, idleMs: IDLE_MS },
    clock: { now: () => now },
    logger,
    polls: { inc: () => undefined },
    stopping: new AbortController().signal,
    ...over,
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

it('of failed polls the outages hear with their count, and of the first that works', async () => {
  fail = new PlatformError('unreachable', 'refused');
  const tick = worker();
  await ticksFor(3 * ACTIVE_MS, tick);
  fail = undefined;
  await ticksFor(2 * IDLE_MS, tick);

  expect(said).toEqual([
    'acme/shop failed 1',
    'acme/shop failed 2',
    'acme/shop failed 3',
    'acme/shop worked',
  ]);
});

it('what fails on our side is no outage of the platform', async () => {
  fail = new Error('a defect');
  await worker()('acme', 'shop');

  expect(said).toEqual([]);
  expect(await readPulse(redis, keys, 'acme', 'shop')).toMatchObject({ failures: 1 });
});

it('a slow answer does not cost the next slot', async () => {
  listing = { here: ready(11), there: ready(11) };
  const tick = worker();
  await tick('acme', 'shop');
  // Something moves, so that every tick counts, and each answer takes most of the beat.
  listing = { here: ready(12), there: ready(11) };
  meanwhile = async () => void (now += 0.8 * ACTIVE_MS);
  now += IDLE_MS;
  const slots = [0, 1, 2, 3].map((slot) => now + slot * ACTIVE_MS);

  for (const slot of slots) {
    now = slot;
    await tick('acme', 'shop');
  }

  expect(calls).toBe(1 + slots.length);
});

it('a poll that changes nothing reads one field and writes its pulse alone', async () => {
  listing = { here: ready(11) };
  const tick = worker();
  await tick('acme', 'shop');
  now += IDLE_MS;
  await tick('acme', 'shop');
  const sent = vi.spyOn(redis, 'sendCommand');

  now += IDLE_MS;
  await tick('acme', 'shop');

  const names = sent.mock.calls.map(([command]) => command.name);
  sent.mockRestore();
  // The pulse, before and under the lock; the lock, the revision, the pulse, and the lock's end.
  expect(names).toEqual(['get', 'set', 'get', 'hget', 'set', 'eval']);
});

it('a poll that was overtaken writes nothing, and says nothing of the GVC', async () => {
  listing = { here: ready(11) };
  await worker()('acme', 'shop');
  const before = await redis.hgetall(keys.rollouts('acme', 'shop'));
  const pulse = await readPulse(redis, keys, 'acme', 'shop');
  listing = { here: ready(12) };
  now += IDLE_MS;
  meanwhile = async () => void (await redis.set(keys.lock('poll:acme/shop'), 'another'));

  await worker()('acme', 'shop');

  expect(await redis.hgetall(keys.rollouts('acme', 'shop'))).toEqual(before);
  expect(await readPulse(redis, keys, 'acme', 'shop')).toEqual(pulse);
  expect(said).toEqual([]);
});

it('two workers take turns, and neither trusts what it knew before the other wrote', async () => {
  const workers = [worker(), worker()];
  listing = { here: ready(11) };
  for (const version of [11, 12, 13, 14, 15, 16]) {
    listing = { here: ready(version) };
    now += IDLE_MS;
    await workers[version % 2]?.('acme', 'shop');
    now += IDLE_MS;
    await workers[version % 2]?.('acme', 'shop');
  }

  const { state } = await readGvc(redis, keys, 'acme', 'shop');
  expect(state.records['cart/here']).toMatchObject({ version: 16, state: 'ready' });
  expect(Object.keys(state.tracks['cart']?.told ?? {})).toEqual(
    expect.arrayContaining(['12/ready', '13/ready', '14/ready', '15/ready', '16/ready']),
  );
});
