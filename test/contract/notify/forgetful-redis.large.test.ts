import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Message } from '../../../src/notify/message.ts';
import { exitOf } from '../../../src/sandbox/redis.ts';
import { createDurableRedis, type DurableRedis } from '../../support/durable-redis.ts';
import { until } from '../../support/until.ts';
import { emptyOutbox, message, openHarness, spawnDeliverer, type Harness } from './support.ts';

const CARD = 'acme/shop/api/7/card';
const READY = 'acme/shop/api/7/ready';
const NEWS = [message(CARD, 'v7 deploying'), message(READY, 'v7 ready', { threadKey: CARD })];
const REPORTED = [`${CARD}: v7 deploying`, `${READY}: v7 ready`];

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

/** Redis comes back as it was when it last took a copy, and anyone who lived on has found it. */
async function hostDies(): Promise<void> {
  await server.loseTheRest();
  await until('Redis is back', () => harness.redis.ping().catch(() => undefined));
}

/** Posts these, and then the host of Redis dies: only Slack still has them. */
async function reportAndForget(messages: readonly Message[]): Promise<void> {
  await server.remember();
  await harness.outbox.commit(messages);
  await emptyOutbox(harness);
  await hostDies();
}

const reported = async (): Promise<string[]> =>
  (await harness.reported()).filter((line) => !line.startsWith('earlier'));
const looks = async (): Promise<number> =>
  (await harness.calls('conversations.history')).length +
  (await harness.calls('conversations.replies')).length;

describe('after the last second of Redis is lost with its host', () => {
  it('finds the posts of a killed process by their keys, and goes on editing them', async () => {
    await server.remember();
    await harness.outbox.commit(NEWS);
    const child = spawnDeliverer(harness, `redis://127.0.0.1:${server.port}`);
    await until('both are posted', async () => (await reported()).length === 2);
    child.kill('SIGKILL');
    await exitOf(child);
    await hostDies();

    // The next poll sees the same news, and then another state.
    await harness.outbox.commit(NEWS);
    await emptyOutbox(harness);
    await harness.post(message(CARD, 'v7 in place'));

    expect(await reported()).toEqual([`${CARD}: v7 in place`, `${READY}: v7 ready`]);
    expect(await harness.calls('chat.postMessage')).toHaveLength(3);
  });

  it('finds the posts of a process that lives on, too', async () => {
    await reportAndForget(NEWS);

    await harness.outbox.commit(NEWS);
    await emptyOutbox(harness);

    expect(await reported()).toEqual(REPORTED);
  });

  it('does not post again what another message covered', async () => {
    await reportAndForget([message('@location/lima/failed/1', 'lima', { covers: [READY] })]);

    await harness.post(message(READY, 'v7 ready'));

    expect(await reported()).toEqual(['@location/lima/failed/1: lima']);
  });

  it('posts new messages, and edits those that Redis knows', async () => {
    await reportAndForget(NEWS);

    await harness.post(message('earlier', 'news, edited'), message('new', 'news'));

    expect(await harness.reported()).toEqual(['earlier: news, edited', ...REPORTED, 'new: news']);
  });

  it('a number that is given again belongs to another message', async () => {
    const first = message('@mute/1', 'of the first mute', { madeAt: Date.now() });
    await reportAndForget([first]);

    // The same message once more, and then that of a mute of two minutes later.
    await harness.outbox.commit([first]);
    await emptyOutbox(harness);
    expect(await reported()).toEqual(['@mute/1: of the first mute']);
    await hostDies();
    const other = message('@mute/1', 'of another mute', { madeAt: Date.now() + 120_000 });
    await harness.post(other);

    expect(await reported()).toEqual(['@mute/1: of the first mute', '@mute/1: of another mute']);
  });

  it('the channel is read once for all that is reported in it', async () => {
    await reportAndForget(NEWS);

    const many = Array.from({ length: 20 }, (_, index) => message(`news/${index}`, 'news'));
    await harness.outbox.commit(many);
    await emptyOutbox(harness);

    expect(await looks()).toBe(1);
    expect(await reported()).toHaveLength(22);
  });

  it('a failed read of the channel is repeated before anything is posted', async () => {
    await reportAndForget(NEWS);
    await harness.faults({ method: 'conversations.history', kind: 'http', status: 503, times: 2 });

    await harness.outbox.commit(NEWS);
    await emptyOutbox(harness);

    expect(await reported()).toEqual(REPORTED);
  });

  it('where the history cannot be read, it is rather reported twice than not at all', async () => {
    await reportAndForget(NEWS.slice(0, 1));
    await harness.faults({
      method: 'conversations.history',
      kind: 'error',
      error: 'missing_scope',
    });

    await harness.outbox.commit(NEWS.slice(0, 1));
    await emptyOutbox(harness);

    expect(await reported()).toEqual([REPORTED[0], REPORTED[0]]);
  });

  it('a machine whose clock is a day ahead finds it, too', async () => {
    await reportAndForget(NEWS);

    const tomorrow = { now: () => Date.now() + 24 * 3_600_000 };
    await harness.outbox.commit(NEWS);
    await emptyOutbox(harness, harness.anotherDeliverer({ clock: tomorrow }));

    expect(await reported()).toEqual(REPORTED);
  });
});

it('as long as Redis forgets nothing, no channel is ever read', async () => {
  const others = Array.from({ length: 10 }, (_, index) => message(`news/${index}`, 'news'));
  await harness.post(...NEWS, ...others);
  await harness.deliverer.due();
  await harness.post(message(CARD, 'v7 in place'));

  expect(await reported()).toHaveLength(12);
  expect(await looks()).toBe(0);
});

it('a Redis that takes no writes is no reason for a sweep to fail', async () => {
  await harness.redis.call('CONFIG', 'SET', 'maxmemory', '1');

  expect(await harness.deliverer.due()).toEqual([]);
});

it('where Redis omits which run it is, messages go out as ever', async () => {
  await harness.redis.call('ACL', 'SETUSER', 'default', '-info');

  await reportAndForget(NEWS.slice(0, 1));
  await harness.outbox.commit(NEWS.slice(1));
  await emptyOutbox(harness);

  expect(await reported()).toHaveLength(2);
});
