import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createOutbox } from '../../../src/notify/outbox.ts';
import { scanItems } from '../../../src/platform/deployments/client.ts';
import {
  changesOf,
  createGvcStore,
  forgetGvc,
  nextOrg,
  orgChange,
  readGvc,
  readOrg,
  type GvcStore,
  type StoredOrg,
} from '../../../src/rollouts/gvc-store.ts';
import { advance, type GvcState } from '../../../src/rollouts/watch/advance.ts';
import { EMPTY_ORG, type Ill } from '../../../src/rollouts/watch/group.ts';
import { acquireLock, createKeys, type RedisConnection } from '../../../src/store/redis.ts';
import { broken, polled, ready, type Statuses } from '../../unit/rollouts/platform-json.ts';
import { connectTo, useRedis } from '../../support/redis.ts';
import { itemOf } from './poll-harness.ts';

const MINUTE = 60_000;

const keys = createKeys(`test-${randomUUID()}`);
let redis: RedisConnection;

beforeAll(async () => {
  redis = await connectTo(useRedis().url);
});

afterAll(() => redis.disconnect());

/** The state after polls, one a minute, of a workload. */
const stateAfter = (...polls: Statuses[]): GvcState => polled(polls).state;

/** A workload that rolls out a version, and a card for it. */
const rolled = (): GvcState => stateAfter({ 'cart/here': ready(11) }, { 'cart/here': ready(12) });

const forget = () =>
  forgetGvc(
    { redis, keys, outbox: createOutbox(redis, keys, (text) => text) },
    { org: 'acme', gvc: 'shop' },
  );

async function store(state: GvcState): Promise<void> {
  const lock = await acquireLock(redis, keys.lock('test'), 5_000);
  if (lock === undefined) throw new Error('the lock is taken');
  const before = await readGvc(redis, keys, 'acme', 'shop');
  const change = changesOf(before.state, state);
  const hash = keys.rollouts('acme', 'shop');
  await createOutbox(redis, keys, (text) => text).commit([], { lock, hash, ...change });
  await lock.release();
}

it('the stored record of a GVC is read back unchanged', async () => {
  const state = stateAfter(
    { 'cart/here': ready(11) },
    { 'cart/here': broken(11, 'probe failing') },
  );
  await store(state);

  const read = await readGvc(redis, keys, 'acme', 'shop');

  expect(JSON.parse(JSON.stringify(read.state))).toEqual(JSON.parse(JSON.stringify(state)));
  expect(changesOf(read.state, state)).toEqual({ set: {}, remove: [] });
});

it('a GVC that is not watched is forgotten, save for the numbers of its keys', async () => {
  const state = rolled();
  await store(state);

  await forget();

  const read = await readGvc(redis, keys, 'acme', 'shop');
  expect(read.state.meta).toBeUndefined();
  expect(read.state.workloads['cart']).toMatchObject({
    ends: {},
    locations: {},
    numbers: { '12/ready': 1 },
  });
  expect(await redis.pttl(keys.rollouts('acme', 'shop'))).toBeGreaterThan(0);
});

it('and one that is watched again does not run out', async () => {
  await store(stateAfter({ 'cart/here': ready(12) }));

  expect(await redis.pttl(keys.rollouts('acme', 'shop'))).toBe(-1);
});

it('its first poll then posts nothing, and takes no number twice', async () => {
  await store(rolled());
  await forget();
  const { state } = await readGvc(redis, keys, 'acme', 'shop');
  const items = [itemOf('here', broken(12, 'probe failing'))];
  const { listed: seen, ...unread } = scanItems(items);
  const options = { gvc: 'shop', now: 1, previousAt: 0, patience: 1, idleMs: MINUTE };

  const step = advance(state, EMPTY_ORG, { seen, ...unread }, { ...options, cache: new Map() });

  expect(step.notices.map(({ kind }) => kind)).toEqual(['adopted']);
  expect(step.state.workloads['cart']).toMatchObject({
    ends: { failed: 0 },
    numbers: { '12/ready': 1 },
  });
});

/** Writes the org as a poll does; false when another poll was first. */
async function storeOrg(before: StoredOrg, ill: Record<string, Ill[]>): Promise<boolean> {
  const next = nextOrg(before, { ...before.state, ill });
  const channels = await createOutbox(redis, keys, (text) => text).commit([], {
    hash: keys.lock('none'),
    set: {},
    remove: [],
    shared: orgChange(keys.org('acme'), before, next),
  });
  return channels !== undefined;
}

it('of an org only the poll that knows its last state may write, and a forgotten GVC leaves it', async () => {
  const ill = [{ workload: 'cart' } as Ill];
  const before = await readOrg(redis, keys, 'acme');
  expect(before.state).toBe(EMPTY_ORG);

  expect(await storeOrg(before, { shop: ill })).toBe(true);
  expect(await storeOrg(before, { pay: ill })).toBe(false);
  const first = await readOrg(redis, keys, 'acme');
  expect(first.state.ill).toEqual({ shop: ill });
  expect(await storeOrg(first, { shop: ill, pay: ill })).toBe(true);

  await forget();

  const last = await readOrg(redis, keys, 'acme');
  expect(last.state.ill).toEqual({ pay: ill });
  expect(await storeOrg(first, {})).toBe(false);
});

it('the cached record of a GVC is used until another process writes, and while there is room', async () => {
  const known = createGvcStore({ redis, keys });
  const small = createGvcStore({ redis, keys }, 1);
  await store(stateAfter({ 'cart/here': ready(11), 'cart/there': ready(11) }));
  for (const one of [known, small]) await reads(one);

  // Both begin with the revision of the org.
  expect(await reads(known)).toEqual(['hget', 'hget']);
  expect(await reads(small)).toEqual(['hget', 'hgetall']);

  await store(stateAfter({ 'cart/here': ready(12) }));
  expect(await reads(known)).toEqual(['hget', 'hget', 'hgetall']);
  expect(await reads(known)).toEqual(['hget', 'hget']);

  const { state } = await known.open('acme', 'shop');
  expect(state.workloads['cart']?.locations['here']?.version).toBe(12);
  // A poll that opened it and did not get to the end kept nothing.
  expect(await reads(known)).toEqual(['hget', 'hgetall']);
});

/** The commands to Redis of a poll that changes nothing. */
async function reads(one: GvcStore): Promise<string[]> {
  const sent = vi.spyOn(redis, 'sendCommand');
  const open = await one.open('acme', 'shop');
  one.keep('acme', 'shop', open, { set: {}, remove: [] });
  const names = sent.mock.calls.map(([command]) => command.name);
  sent.mockRestore();
  return names;
}
