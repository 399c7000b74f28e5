import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Message } from '../../../src/notify/message.ts';
import { exitOf } from '../../../src/sandbox/redis.ts';
import { createDurableRedis, type DurableRedis } from '../../support/durable-redis.ts';
import { until } from '../../support/until.ts';
import {
  CHANNEL,
  emptyOutbox,
  message,
  openHarness,
  spawnDeliverer,
  type Harness,
} from './support.ts';

const CARD = 'acme/shop/api/7/card';
const READY = 'acme/shop/api/7/ready';
const NEWS = [message(CARD, 'v7 deploying'), message(READY, 'v7 ready', { threadKey: CARD })];
const TOLD = [`${CARD}: v7 deploying`, `${READY}: v7 ready`];

let server: DurableRedis;
let harness: Harness;
beforeEach(async () => {
  server = await createDurableRedis('no');
  harness = await openHarness(server.url);
  // A bot that has been running for a while.
  await harness.post(message('earlier', 'news'));
  await harness.deliverer.due();
});
afterEach(() => server.close());

/** Redis comes back as it was when it last took a copy, and whoever lived on has found it. */
async function hostDies(): Promise<void> {
  await server.loseTheRest();
  await until('Redis is back', () => harness.redis.ping().catch(() => undefined));
}

/** Tells these, and then the host of Redis dies: nothing is left of it but what Slack has. */
async function tellAndForget(messages: readonly Message[]): Promise<void> {
  await server.remember();
  await harness.outbox.commit(messages);
  await emptyOutbox(harness);
  await hostDies();
}

const told = async (): Promise<string[]> =>
  (await harness.told()).filter((line) => !line.startsWith('earlier'));
const looks = async (): Promise<number> =>
  (await harness.calls('conversations.history')).length +
  (await harness.calls('conversations.replies')).length;

describe('after the last second of Redis is lost with its host', () => {
  it('what a killed process had posted is found by its key, and goes on', async () => {
    await server.remember();
    await harness.outbox.commit(NEWS);
    const child = spawnDeliverer(harness, `redis://127.0.0.1:${server.port}`);
    await until('both are posted', async () => (await told()).length === 2);
    child.kill('SIGKILL');
    await exitOf(child);
    await hostDies();

    // The next poll sees the same, and more of it.
    await harness.outbox.commit(NEWS);
    await emptyOutbox(harness);
    await harness.post(message(CARD, 'v7 in place'));

    expect(await told()).toEqual([`${CARD}: v7 in place`, `${READY}: v7 ready`]);
    expect(await harness.calls('chat.postMessage')).toHaveLength(3);
  });

  it('what a process has posted that lives on is found by it, too', async () => {
    await tellAndForget(NEWS);

    await harness.outbox.commit(NEWS);
    await emptyOutbox(harness);

    expect(await told()).toEqual(TOLD);
  });

  it('what another message had told is not told again', async () => {
    await tellAndForget([message('@location/lima/failed/1', 'lima', { covers: [READY] })]);

    await harness.post(message(READY, 'v7 ready'));

    expect(await told()).toEqual(['@location/lima/failed/1: lima']);
  });

  it('what was told one by one is not told together', async () => {
    const many = Array.from({ length: 6 }, (_, index) =>
      message(`acme/g${index}/@api/down/1`, `g${index}`, { groupable: true }),
    );
    await server.remember();
    for (const one of many) {
      await harness.post(one);
    }
    await hostDies();

    await harness.outbox.commit(many);
    await emptyOutbox(harness);

    expect(await told()).toHaveLength(6);
  });

  it('what is new among it is told together, in a digest that is no older one', async () => {
    const trouble = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, index) =>
        message(`acme/g${from + index}/@api/down/1`, `g${from + index}`, { groupable: true }),
      );
    await tellAndForget(trouble(0, 6));
    expect(await told()).toHaveLength(1);

    await harness.outbox.commit(trouble(0, 12));
    await emptyOutbox(harness);

    const posts = (await harness.accepted())
      .slice(1)
      .map(({ metadata }) => metadata?.event_payload);
    expect(posts).toEqual([
      {
        key: `@digest/${CHANNEL}/1`,
        covers: trouble(0, 6)
          .map(({ key }) => key)
          .join(' '),
      },
      {
        key: `@digest/${CHANNEL}/2`,
        covers: trouble(6, 12)
          .map(({ key }) => key)
          .join(' '),
      },
    ]);
    expect(await looks()).toBe(1);
  });

  it('what is new is posted, and what Redis knows is edited', async () => {
    await tellAndForget(NEWS);

    await harness.post(message('earlier', 'news, edited'), message('new', 'news'));

    expect(await harness.told()).toEqual(['earlier: news, edited', ...TOLD, 'new: news']);
  });

  it('the channel is read once for all that is told in it', async () => {
    await tellAndForget(NEWS);

    const many = Array.from({ length: 20 }, (_, index) => message(`news/${index}`, 'news'));
    await harness.outbox.commit(many);
    await emptyOutbox(harness);

    expect(await looks()).toBe(1);
    expect(await told()).toHaveLength(22);
  });

  it('a look that fails is made again before anything is posted', async () => {
    await tellAndForget(NEWS);
    await harness.faults({ method: 'conversations.history', kind: 'http', status: 503, times: 2 });

    await harness.outbox.commit(NEWS);
    await emptyOutbox(harness);

    expect(await told()).toEqual(TOLD);
  });

  it('where the history cannot be read, it is rather told twice than not at all', async () => {
    await tellAndForget(NEWS.slice(0, 1));
    await harness.faults({
      method: 'conversations.history',
      kind: 'error',
      error: 'missing_scope',
    });

    await harness.outbox.commit(NEWS.slice(0, 1));
    await emptyOutbox(harness);

    expect(await told()).toEqual([TOLD[0], TOLD[0]]);
  });

  it('a machine whose clock is a day ahead finds it, too', async () => {
    await tellAndForget(NEWS);

    const tomorrow = { now: () => Date.now() + 24 * 3_600_000 };
    await harness.outbox.commit(NEWS);
    await emptyOutbox(harness, harness.anotherDeliverer({ clock: tomorrow }));

    expect(await told()).toEqual(TOLD);
  });
});

it('as long as Redis forgets nothing, no channel is ever read', async () => {
  const others = Array.from({ length: 10 }, (_, index) => message(`news/${index}`, 'news'));
  await harness.post(...NEWS, ...others);
  await harness.deliverer.due();
  await harness.post(message(CARD, 'v7 in place'));

  expect(await told()).toHaveLength(12);
  expect(await looks()).toBe(0);
});

it('a Redis that takes no writes is no reason for a sweep to fail', async () => {
  await harness.redis.call('CONFIG', 'SET', 'maxmemory', '1');

  expect(await harness.deliverer.due()).toEqual([]);
});

it('where Redis does not say which run it is, messages go out as ever', async () => {
  await harness.redis.call('ACL', 'SETUSER', 'default', '-info');

  await tellAndForget(NEWS.slice(0, 1));
  await harness.outbox.commit(NEWS.slice(1));
  await emptyOutbox(harness);

  expect(await told()).toHaveLength(2);
});
