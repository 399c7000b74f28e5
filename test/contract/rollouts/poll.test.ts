import { expect, it, vi } from 'vitest';
import { forgetGvc, readGvc, readPulse } from '../../../src/rollouts/gvc-store.ts';
import { PlatformError } from '../../../src/platform/errors.ts';
import { acquireLock } from '../../../src/store/lock.ts';
import { ready } from '../../unit/rollouts/platform-json.ts';
import { ACTIVE_MS, IDLE_MS, SECOND, WATCH, pollHouse } from './poll-house.ts';

const house = pollHouse();

it('a GVC where nothing moves is asked at the idle pace', async () => {
  expect(await house.ticksFor(5 * IDLE_MS, house.worker())).toBe(5);
});

it('a worker that has just started asks at once', async () => {
  await house.worker()('acme', 'shop');
  house.now += SECOND;

  await house.worker()('acme', 'shop');

  expect(house.calls).toBe(2);
});

it('a GVC that another process is reading is left to it', async () => {
  const lock = await acquireLock(house.redis, house.keys.lock('poll:acme/shop'), 10_000);

  await house.worker()('acme', 'shop');

  expect(house.calls).toBe(0);
  await lock?.release();
});

it('a slow answer does not cost the next slot', async () => {
  house.listing = { here: ready(11), there: ready(11) };
  const tick = house.worker();
  await tick('acme', 'shop');
  // Something moves, so that every tick counts, and each answer takes most of the beat.
  house.listing = { here: ready(12), there: ready(11) };
  house.meanwhile = async () => void (house.now += 0.8 * ACTIVE_MS);
  house.now += IDLE_MS;
  const slots = [0, 1, 2, 3].map((slot) => house.now + slot * ACTIVE_MS);

  for (const slot of slots) {
    house.now = slot;
    await tick('acme', 'shop');
  }

  expect(house.calls).toBe(1 + slots.length);
});

it('a poll that changes nothing reads one field and writes its pulse alone', async () => {
  house.listing = { here: ready(11) };
  const tick = house.worker();
  await tick('acme', 'shop');
  house.now += IDLE_MS;
  await tick('acme', 'shop');
  const sent = vi.spyOn(house.redis, 'sendCommand');

  house.now += IDLE_MS;
  await tick('acme', 'shop');

  const names = sent.mock.calls.map(([command]) => command.name);
  sent.mockRestore();
  // The pulse, before and under the lock; the lock, the revision, the pulse, and the lock's end.
  expect(names).toEqual(['get', 'set', 'get', 'hget', 'set', 'eval']);
});

it('a poll that was overtaken writes nothing, and says nothing of the GVC', async () => {
  house.listing = { here: ready(11) };
  await house.worker()('acme', 'shop');
  const before = await house.redis.hgetall(house.keys.rollouts('acme', 'shop'));
  const pulse = await readPulse(house.redis, house.keys, 'acme', 'shop');
  house.listing = { here: ready(12) };
  house.now += IDLE_MS;
  house.meanwhile = async () =>
    void (await house.redis.set(house.keys.lock('poll:acme/shop'), 'another'));

  await house.worker()('acme', 'shop');

  expect(await house.redis.hgetall(house.keys.rollouts('acme', 'shop'))).toEqual(before);
  expect(await readPulse(house.redis, house.keys, 'acme', 'shop')).toEqual(pulse);
  expect(house.said).toEqual([]);
});

it('two workers take turns, and neither trusts what it knew before the other wrote', async () => {
  const workers = [house.worker(), house.worker()];
  house.listing = { here: ready(11) };
  for (const version of [11, 12, 13, 14, 15, 16]) {
    house.listing = { here: ready(version) };
    house.now += IDLE_MS;
    await workers[version % 2]?.('acme', 'shop');
    house.now += IDLE_MS;
    await workers[version % 2]?.('acme', 'shop');
  }

  const { state } = await readGvc(house.redis, house.keys, 'acme', 'shop');
  expect(state.records['cart/here']).toMatchObject({ version: 16, state: 'ready' });
  expect(Object.keys(state.tracks['cart']?.told ?? {})).toEqual(
    expect.arrayContaining(['12/ready', '13/ready', '14/ready', '15/ready', '16/ready']),
  );
});

it('a GVC that is forgotten stays so, although a tick was still on its way', async () => {
  house.listing = { here: ready(11) };
  const watching = [WATCH];
  const tick = house.worker({ watches: { all: () => Promise.resolve(watching) } });
  await tick('acme', 'shop');
  watching.length = 0;
  await forgetGvc(house.redis, house.keys, 'acme', 'shop');

  house.now += IDLE_MS;
  await tick('acme', 'shop');

  expect((await readGvc(house.redis, house.keys, 'acme', 'shop')).state).toMatchObject({
    records: {},
  });
  expect(await house.redis.exists(house.keys.pulse('acme', 'shop'))).toBe(0);
});

it('a worker looks again under the lock: another may have polled since its first look', async () => {
  const [one, other] = [house.worker(), house.worker()];
  await one('acme', 'shop');
  await other('acme', 'shop');
  house.now += IDLE_MS;
  const take = house.redis.set.bind(house.redis) as (...words: unknown[]) => Promise<'OK'>;
  const lock = vi.spyOn(house.redis, 'set').mockImplementationOnce(async (...words: unknown[]) => {
    await other('acme', 'shop');
    return take(...words);
  });
  house.calls = 0;

  await one('acme', 'shop');
  lock.mockRestore();

  expect(house.calls).toBe(1);
});

it('a poll that took longer than its lock writes no pulse', async () => {
  house.listing = { here: ready(11) };
  const tick = house.worker();
  await tick('acme', 'shop');
  const pulse = await readPulse(house.redis, house.keys, 'acme', 'shop');
  house.now += IDLE_MS;
  const late = Date.now() + 11 * SECOND;
  house.meanwhile = async () => void vi.spyOn(Date, 'now').mockReturnValue(late);

  await tick('acme', 'shop');
  vi.restoreAllMocks();

  expect(house.calls).toBe(2);
  expect(await readPulse(house.redis, house.keys, 'acme', 'shop')).toEqual(pulse);
});

/** A GVC that was known, and whose list is empty from now on. */
async function emptied(): Promise<() => Promise<void>> {
  house.listing = { here: ready(11) };
  const tick = house.worker();
  await tick('acme', 'shop');
  house.listing = {};
  return async () => {
    house.now += IDLE_MS;
    await tick('acme', 'shop');
  };
}

async function stateOfShop(): Promise<string | undefined> {
  const { state } = await readGvc(house.redis, house.keys, 'acme', 'shop');
  return Object.values(state.records)[0]?.state;
}

it('an empty list is no end of a GVC while its workloads are there, or nobody knows', async () => {
  const poll = await emptied();
  for (let count = 0; count < 3; count += 1) await poll();
  expect(await stateOfShop()).toBe('ready');

  house.knownWorkload = () => Promise.reject(new PlatformError('server-error', 'it answers 500'));
  await poll();
  expect(await stateOfShop()).toBe('ready');
  expect(house.said).toEqual([]);
});

it('a GVC is gone after two empty lists and a workload that is not found', async () => {
  const poll = await emptied();
  let asked = 0;
  house.knownWorkload = () => {
    asked += 1;
    return Promise.reject(new PlatformError('not-found', 'there is no such workload'));
  };

  await poll();
  expect([asked, await stateOfShop()]).toEqual([0, 'ready']);
  await poll();
  expect([asked, await stateOfShop()]).toEqual([1, 'gone']);
  await poll();
  expect(asked).toBe(1);
});
