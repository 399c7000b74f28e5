import { expect, it, vi } from 'vitest';
import { createOutbox, type Outbox } from '../../../src/notify/outbox.ts';
import { EMPTY_ORG } from '../../../src/rollouts/watch/group.ts';
import { forgetGvc, orgFields } from '../../../src/rollouts/gvc-store.ts';
import { addWatch, removeWatches } from '../../../src/rollouts/watches.ts';
import { PlatformError } from '../../../src/platform/errors.ts';
import { acquireLock } from '../../../src/store/redis.ts';
import { ready } from '../../unit/rollouts/platform-json.ts';
import { ACTIVE_MS, IDLE_MS, pollHarness, SECOND, WATCH } from './poll-harness.ts';

const harness = pollHarness();

it('a GVC where nothing moves is asked at the idle pace', async () => {
  expect(await harness.ticksFor(5 * IDLE_MS, harness.worker())).toBe(5);
});

it('a worker that has just started asks at once', async () => {
  await harness.worker()('acme', 'shop');
  harness.now += SECOND;

  await harness.worker()('acme', 'shop');

  expect(harness.calls).toBe(2);
});

it('a GVC that another process is reading is left to it', async () => {
  const lock = await acquireLock(harness.redis, harness.keys.lock('poll:acme/shop'), 10_000);

  await harness.worker()('acme', 'shop');

  expect(harness.calls).toBe(0);
  await lock?.release();
});

it('a slow answer does not cost the next slot', async () => {
  harness.listing = { here: ready(11), there: ready(11) };
  const tick = harness.worker();
  await tick('acme', 'shop');
  // Something moves, so that every tick counts, and each answer takes most of the beat.
  harness.listing = { here: ready(12), there: ready(11) };
  harness.meanwhile = async () => void (harness.now += 0.8 * ACTIVE_MS);
  harness.now += IDLE_MS;
  const slots = [0, 1, 2, 3].map((slot) => harness.now + slot * ACTIVE_MS);

  for (const slot of slots) {
    harness.now = slot;
    await tick('acme', 'shop');
  }

  expect(harness.calls).toBe(1 + slots.length);
});

it('a poll that changes nothing reads two fields and writes its pulse alone', async () => {
  harness.listing = { here: ready(11) };
  const tick = harness.worker();
  await tick('acme', 'shop');
  harness.now += IDLE_MS;
  await tick('acme', 'shop');
  const sent = vi.spyOn(harness.redis, 'sendCommand');

  harness.now += IDLE_MS;
  await tick('acme', 'shop');

  const names = sent.mock.calls.map(([command]) => command.name);
  sent.mockRestore();
  // The pulse, before and under the lock; the lock, the revisions, the pulse, and the lock's end.
  expect(names).toEqual(['get', 'set', 'get', 'hget', 'hget', 'set', 'eval']);
});

it('a poll that was overtaken writes nothing, and reports nothing about the GVC', async () => {
  harness.listing = { here: ready(11) };
  await harness.worker()('acme', 'shop');
  const before = await harness.redis.hgetall(harness.keys.rollouts('acme', 'shop'));
  const pulse = await harness.status();
  harness.listing = { here: ready(12) };
  harness.now += IDLE_MS;
  harness.meanwhile = async () =>
    void (await harness.redis.set(harness.keys.lock('poll:acme/shop'), 'another'));

  await harness.worker()('acme', 'shop');

  expect(await harness.redis.hgetall(harness.keys.rollouts('acme', 'shop'))).toEqual(before);
  expect(await harness.status()).toEqual(pulse);
  expect(harness.said).toEqual([]);
});

it('two workers take turns, and neither trusts its cache after the other wrote', async () => {
  const workers = [harness.worker(), harness.worker()];
  harness.listing = { here: ready(11) };
  for (const version of [11, 12, 13, 14, 15, 16]) {
    harness.listing = { here: ready(version) };
    harness.now += IDLE_MS;
    await workers[version % 2]?.('acme', 'shop');
    harness.now += IDLE_MS;
    await workers[version % 2]?.('acme', 'shop');
  }

  const state = await harness.state();
  expect(state.workloads['cart']?.locations['here']).toMatchObject({ version: 16, state: 'ready' });
  expect(Object.keys(state.workloads['cart']?.numbers ?? {})).toEqual(
    expect.arrayContaining(['12/ready', '13/ready', '14/ready', '15/ready', '16/ready']),
  );
});

/** An outbox before whose first commits the poll of another GVC writes the org. */
function contended(times: number): { outbox: Outbox; commits: () => number } {
  const real = createOutbox(harness.redis, harness.keys, (text) => text);
  let commits = 0;
  const outbox: Outbox = {
    ...real,
    async commit(messages, change) {
      commits += 1;
      const org = { state: EMPTY_ORG, revision: `other-${commits}` };
      if (commits <= times) await harness.redis.hset(harness.keys.org('acme'), orgFields(org));
      return real.commit(messages, change);
    },
  };
  return { outbox, commits: () => commits };
}

it('a poll whose org another poll has changed meanwhile is stepped again', async () => {
  harness.listing = { here: ready(11) };
  await harness.worker()('acme', 'shop');
  harness.listing = { here: ready(12) };
  harness.now += IDLE_MS;
  const { outbox, commits } = contended(4);

  await harness.worker({ outbox })('acme', 'shop');

  expect(commits()).toBe(5);
  const state = await harness.state();
  expect(state.workloads['cart']?.version).toBe(12);
  expect(await harness.waiting(WATCH.channel)).toEqual([
    expect.stringMatching(/^acme\/shop\/cart\/12\/ready: /),
  ]);
});

it('and is left to the next tick after five tries', async () => {
  harness.listing = { here: ready(11) };
  await harness.worker()('acme', 'shop');
  const status = await harness.status();
  harness.listing = { here: ready(12) };
  harness.now += IDLE_MS;
  const { outbox, commits } = contended(5);

  await harness.worker({ outbox })('acme', 'shop');

  expect(commits()).toBe(5);
  expect(await harness.status()).toEqual(status);
  expect(harness.said).toEqual([]);
  await harness.worker()('acme', 'shop');
  expect(await harness.waiting(WATCH.channel)).toHaveLength(1);
});

it('a GVC that is forgotten stays so, although a tick was still on its way', async () => {
  harness.listing = { here: ready(11) };
  harness.watches = [];
  const outbox = createOutbox(harness.redis, harness.keys, (text) => text);
  const services = { ...harness, outbox, clock: { now: () => harness.now } };
  await addWatch(services, WATCH);
  const tick = harness.worker();
  await tick('acme', 'shop');
  const ended = { by: 'U1', channel: WATCH.channel, messages: [] };
  await removeWatches(services, [WATCH], ended);
  await forgetGvc({ ...harness, outbox }, { org: 'acme', gvc: 'shop' });

  harness.now += IDLE_MS;
  await tick('acme', 'shop');

  expect(await harness.state()).toMatchObject({
    workloads: {},
  });
  expect(await harness.redis.exists(harness.keys.pulse('acme', 'shop'))).toBe(0);
});

it('a worker reads again under the lock: another may have polled since its first read', async () => {
  const [one, other] = [harness.worker(), harness.worker()];
  await one('acme', 'shop');
  await other('acme', 'shop');
  harness.now += IDLE_MS;
  const take = harness.redis.set.bind(harness.redis) as (...words: unknown[]) => Promise<'OK'>;
  const lock = vi
    .spyOn(harness.redis, 'set')
    .mockImplementationOnce(async (...words: unknown[]) => {
      await other('acme', 'shop');
      return take(...words);
    });
  harness.calls = 0;

  await one('acme', 'shop');
  lock.mockRestore();

  expect(harness.calls).toBe(1);
});

it('a poll that took longer than its lock writes no pulse', async () => {
  harness.listing = { here: ready(11) };
  const tick = harness.worker();
  await tick('acme', 'shop');
  const pulse = await harness.status();
  harness.now += IDLE_MS;
  const late = Date.now() + 11 * SECOND;
  harness.meanwhile = async () => void vi.spyOn(Date, 'now').mockReturnValue(late);

  await tick('acme', 'shop');
  vi.restoreAllMocks();

  expect(harness.calls).toBe(2);
  expect(await harness.status()).toEqual(pulse);
});

/** A GVC that was known, and whose list is empty from now on. */
async function emptied(): Promise<() => Promise<void>> {
  harness.listing = { here: ready(11) };
  const tick = harness.worker();
  await tick('acme', 'shop');
  harness.listing = {};
  return async () => {
    harness.now += IDLE_MS;
    await tick('acme', 'shop');
  };
}

async function stateOfShop(): Promise<string | undefined> {
  const state = await harness.state();
  return state.workloads['cart']?.locations['here']?.state;
}

it('an empty list is no end of a GVC while its workloads are there, or no one knows', async () => {
  const poll = await emptied();
  for (let count = 0; count < 3; count += 1) await poll();
  expect(await stateOfShop()).toBe('ready');

  harness.knownWorkload = () => Promise.reject(new PlatformError('server-error', 'it answers 500'));
  await poll();
  expect(await stateOfShop()).toBe('ready');
  expect(harness.said).toEqual([]);
});

it('a GVC is gone after two empty lists and a workload that is not found', async () => {
  const poll = await emptied();
  let asked = 0;
  harness.knownWorkload = () => {
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
