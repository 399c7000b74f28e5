import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createOutbox } from '../../../src/notify/outbox.ts';
import type { GvcState } from '../../../src/rollouts/engine/advance.ts';
import {
  changesOf,
  createGvcStore,
  forgetGvc,
  readGvc,
  type GvcStore,
} from '../../../src/rollouts/gvc-store.ts';
import { createWatches, type Watch } from '../../../src/rollouts/watches.ts';
import { acquireLock, createKeys, type RedisConnection } from '../../../src/store/redis.ts';
import { gvcScenario } from '../../unit/rollouts/engine/gvc-scenario.ts';
import { broken, ready } from '../../unit/rollouts/platform-json.ts';
import { connectTo, useRedis } from '../../support/redis.ts';

const keys = createKeys(`test-${randomUUID()}`);
let redis: RedisConnection;

beforeAll(async () => {
  redis = await connectTo(useRedis().url);
});

afterAll(() => redis.disconnect());

async function store(state: GvcState): Promise<void> {
  const lock = await acquireLock(redis, keys.lock('test'), 5_000);
  if (lock === undefined) throw new Error('the lock is taken');
  const { state: before } = await readGvc(redis, keys, 'acme', 'shop');
  const change = changesOf(before, state);
  const hash = keys.rollouts('acme', 'shop');
  await createOutbox(redis, keys, (text) => text).commit([], { lock, hash, ...change });
  await lock.release();
}

it('what is stored of a GVC is read back as it was', async () => {
  const story = gvcScenario({ here: ready(11) });
  story.poll({ here: broken(11, 'probe failing') });
  await store(story.state());

  const { state } = await readGvc(redis, keys, 'acme', 'shop');

  expect(JSON.parse(JSON.stringify(state))).toEqual(JSON.parse(JSON.stringify(story.state())));
  const again = await readGvc(redis, keys, 'acme', 'shop');
  expect(changesOf(again.state, state)).toEqual({ set: {}, remove: [] });
});

it('a GVC that nobody watches is forgotten, save for the numbers of its keys', async () => {
  const story = gvcScenario({ here: ready(11) });
  expect(story.poll({ here: broken(11, 'probe failing') })).toContain('cart/11/unhealthy in here');
  await store(story.state());

  await forgetGvc(redis, keys, 'acme', 'shop');

  const { state } = await readGvc(redis, keys, 'acme', 'shop');
  expect(state.meta).toBeUndefined();
  expect(state.records).toEqual({});
  expect(state.rollouts['cart']?.told).toEqual({ '11/card': 1, '11/unhealthy': 1 });
  expect(await redis.pttl(keys.rollouts('acme', 'shop'))).toBeGreaterThan(0);
});

it('and one that is watched again does not run out', async () => {
  await store(gvcScenario({ here: ready(12) }).state());

  expect(await redis.pttl(keys.rollouts('acme', 'shop'))).toBe(-1);
});

it('watches made by command are kept by channel and place; those of the environment come first', async () => {
  const watch = (over: Partial<Watch>): Watch => ({
    org: 'acme',
    gvc: 'shop',
    channel: 'C0OPS',
    quiet: false,
    configured: false,
    ...over,
  });
  const configured = watch({ configured: true });
  const watches = createWatches({
    redis,
    keys,
    config: { watches: [configured], channels: { notify: configured.channel } },
  });

  expect(await watches.add(watch({ workload: 'cart' }))).toBe(false);
  expect(await watches.add(watch({ workload: 'cart', quiet: true }))).toBe(true);
  expect(await watches.all()).toEqual([configured, watch({ workload: 'cart', quiet: true })]);

  await watches.remove([watch({ workload: 'cart' })]);
  expect(await watches.all()).toEqual([configured]);
});

it('what a process knows of a GVC is used until somebody else has written, and while there is room', async () => {
  const known = createGvcStore({ redis, keys });
  const small = createGvcStore({ redis, keys }, 1);
  await store(gvcScenario({ here: ready(11), there: ready(11) }).state());
  for (const one of [known, small]) await reads(one);

  expect(await reads(known)).toEqual(['hget']);
  expect(await reads(small)).toEqual(['hgetall']);

  await store(gvcScenario({ here: ready(12) }).state());
  expect(await reads(known)).toEqual(['hget', 'hgetall']);
  expect(await reads(known)).toEqual(['hget']);

  const { state } = await known.open('acme', 'shop');
  expect(state.records['cart/here']?.version).toBe(12);
  // Whoever opened it and did not get to the end kept nothing.
  expect(await reads(known)).toEqual(['hgetall']);
});

/** What a poll that changes nothing asks of Redis. */
async function reads(one: GvcStore): Promise<string[]> {
  const sent = vi.spyOn(redis, 'sendCommand');
  const open = await one.open('acme', 'shop');
  one.keep('acme', 'shop', open, open.state, { set: {}, remove: [] });
  const names = sent.mock.calls.map(([command]) => command.name);
  sent.mockRestore();
  return names;
}
