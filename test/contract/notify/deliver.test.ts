import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { MessageSender } from '../../../src/notify/sender.ts';
import { startRedis } from '../../../src/sandbox/redis.ts';
import type { SandboxRedis } from '../../../src/sandbox/redis.ts';
import { until } from '../../support/until.ts';
import { CHANNEL, heldUp, message, openOffice } from './support.ts';

let server: SandboxRedis;
beforeAll(async () => {
  server = await startRedis(process.env['REDIS_URL']);
});
afterAll(() => server.close());

const CARD = 'acme/shop/api/7/card';
const READY = 'acme/shop/api/7/ready';

describe('a message', () => {
  it('is posted once, with the key that names it in its metadata', async () => {
    const office = await openOffice(server.url);
    await office.outbox.commit([message(CARD, 'shop/api v7 deploying', { covers: ['a', 'b'] })]);

    await office.deliverer.deliver(CHANNEL);
    await office.deliverer.deliver(CHANNEL);

    expect(await office.accepted()).toMatchObject([
      {
        text: 'shop/api v7 deploying',
        blocks: [{ type: 'section', text: { text: 'shop/api v7 deploying' } }],
        metadata: { event_type: 'purser_event', event_payload: { key: CARD, covers: 'a b' } },
        thread_ts: null,
      },
    ]);
    expect(await office.deliverer.due()).toEqual([]);
  });

  it.each(['posted', 'still waiting'])(
    'that stands for others goes on doing so after an edit without them, %s',
    async (state) => {
      const office = await openOffice(server.url);
      await office.outbox.commit([message(CARD, 'two are failing', { covers: ['a', 'b'] })]);
      if (state === 'posted') await office.deliverer.deliver(CHANNEL);

      await office.outbox.commit([message(CARD, 'one is back')]);
      await office.deliverer.deliver(CHANNEL);

      expect(await office.accepted()).toMatchObject([
        { text: 'one is back', metadata: { event_payload: { key: CARD, covers: 'a b' } } },
      ]);
    },
  );

  it('is edited in place when its content changes', async () => {
    const office = await openOffice(server.url);
    await office.outbox.commit([message(CARD, 'v7 deploying')]);
    await office.deliverer.deliver(CHANNEL);
    await office.outbox.commit([message(CARD, 'v7 ready')]);

    await office.deliverer.deliver(CHANNEL);

    expect(await office.accepted()).toMatchObject([
      { text: 'v7 ready', edit_count: 1, metadata: { event_payload: { key: CARD } } },
    ]);
  });

  it('that changes ten times while Slack is slow is edited few times, the last content wins', async () => {
    const office = await openOffice(server.url);
    await office.outbox.commit([message(CARD, 'v7 0 %')]);
    await office.deliverer.deliver(CHANNEL);
    await office.faults({ method: 'chat.update', kind: 'delay-before', delayMs: 200, times: 1 });

    await office.outbox.commit([message(CARD, 'v7 10 %')]);
    const delivery = office.deliverer.deliver(CHANNEL);
    for (const percent of [20, 30, 40, 50, 60, 70, 80, 90, 100]) {
      await office.outbox.commit([message(CARD, `v7 ${percent} %`)]);
    }
    await delivery;

    const [card, ...others] = await office.accepted();
    expect(others).toEqual([]);
    expect(card?.text).toBe('v7 100 %');
    expect(card?.edit_count).toBeLessThanOrEqual(2);
  });

  it('that changes while its post is under way is edited right after it', async () => {
    const office = await openOffice(server.url);
    const { sender, reached, letGo } = heldUp('post');
    await office.outbox.commit([message(CARD, 'v7 deploying')]);

    const delivery = office.colleague({ sender }).deliver(CHANNEL);
    await reached;
    await office.outbox.commit([message(CARD, 'v7 ready')]);
    letGo();
    await delivery;

    expect(await office.accepted()).toMatchObject([{ text: 'v7 ready', edit_count: 1 }]);
  });

  it('that comes while the channel is about to be given back is not left lying', async () => {
    const office = await openOffice(server.url);
    await office.outbox.commit([message('first', 'a')]);
    const look = office.redis.zrange.bind(office.redis);
    const spy = vi.spyOn(office.redis, 'zrange');
    spy.mockImplementation((async (key: string) => {
      const found = await look(key, '0', '0');
      if (found.length > 0) return found;
      spy.mockRestore();
      await office.outbox.commit([message('second', 'b')]);
      // Its own wake-up finds the channel taken.
      await office.colleague().deliver(CHANNEL);
      return found;
    }) as never);

    await office.deliverer.deliver(CHANNEL);

    expect(await office.told()).toEqual(['first: a', 'second: b']);
  });
});

describe('a reply', () => {
  it('goes into the thread of its card, and into the channel if it is meant to', async () => {
    const office = await openOffice(server.url);

    await office.outbox.commit([
      message(CARD, 'v7 deploying'),
      message(READY, 'v7 ready', { threadKey: CARD, broadcast: true }),
      message('acme/shop/api/7/resumed', 'v7 resumed', { threadKey: CARD }),
    ]);
    await office.deliverer.deliver(CHANNEL);

    const [card, ...replies] = await office.accepted();
    expect(card).toMatchObject({ text: 'v7 deploying', thread_ts: null });
    expect(replies).toMatchObject([
      { text: 'v7 ready', thread_ts: card?.ts, broadcast: true },
      { text: 'v7 resumed', thread_ts: card?.ts, broadcast: false },
    ]);
  });

  it('stands by itself when somebody deleted the card in Slack', async () => {
    const office = await openOffice(server.url);
    await office.outbox.commit([message(CARD, 'v7 deploying')]);
    await office.deliverer.deliver(CHANNEL);
    const [card] = await office.accepted();
    await office.deleteInSlack(card?.ts ?? '');

    await office.outbox.commit([message(READY, 'v7 ready', { threadKey: CARD, broadcast: true })]);
    await office.deliverer.deliver(CHANNEL);

    expect((await office.accepted())[1]).toMatchObject({ text: 'v7 ready', thread_ts: null });
  });

  it('stands by itself when Slack never took the card', async () => {
    const office = await openOffice(server.url);
    await office.faults({ kind: 'error', error: 'restricted_action', times: 1 });

    await office.outbox.commit([
      message(CARD, 'v7 deploying'),
      message(READY, 'v7 ready', { threadKey: CARD, broadcast: true }),
    ]);
    await office.deliverer.deliver(CHANNEL);

    expect(await office.accepted()).toMatchObject([{ text: 'v7 ready', thread_ts: null }]);
  });
});

describe('the relay', () => {
  it('gives its place to other channels after ten messages, and says that there is more', async () => {
    const office = await openOffice(server.url);
    const keys = Array.from({ length: 11 }, (_, index) => `message-${index}`);
    await office.outbox.commit(keys.map((key) => message(key, key)));

    expect(await office.deliverer.deliver(CHANNEL)).toBe(true);
    expect(await office.told()).toHaveLength(10);
    expect(await office.deliverer.deliver(CHANNEL)).toBe(false);
    expect(await office.told()).toHaveLength(11);
  });

  it('gives its place to other channels after ten seconds', async () => {
    const office = await openOffice(server.url);
    let now = Date.now();
    const slow = (real: MessageSender): MessageSender => ({
      ...real,
      async update(...args) {
        now += 4_000;
        return real.update(...args);
      },
    });
    const keys = ['a', 'b', 'c', 'd'];
    await office.outbox.commit(keys.map((key) => message(key, 'new')));
    await office.deliverer.deliver(CHANNEL);
    await office.outbox.commit(keys.map((key) => message(key, 'changed')));
    const colleague = office.colleague({ sender: slow, clock: { now: () => now } });

    expect(await colleague.deliver(CHANNEL)).toBe(true);
    expect(await office.calls('chat.update')).toHaveLength(3);
  });

  it('has nothing more to do now when the rest has to wait', async () => {
    const office = await openOffice(server.url);
    await office.faults({ kind: 'ratelimit', retryAfter: 30, times: 1 });
    await office.outbox.commit([message('a', 'one'), message('b', 'two')]);

    expect(await office.deliverer.deliver(CHANNEL)).toBe(false);
    expect(await office.calls('chat.postMessage')).toHaveLength(1);
  });

  it('posts about once a second to one channel', async () => {
    const office = await openOffice(server.url);
    await office.outbox.commit([message('a', 'one'), message('b', 'two')]);

    await office.colleague({ paced: true }).deliver(CHANNEL);

    const [first, second] = await office.accepted();
    expect(Number(second?.ts) - Number(first?.ts)).toBeGreaterThan(0.95);
  });

  it('never doubles when many processes deliver one channel at once', async () => {
    const office = await openOffice(server.url);
    const keys = Array.from({ length: 12 }, (_, index) => `message-${index}`);
    const processes = Array.from({ length: 5 }, () => office.colleague());

    for (const key of keys) {
      await office.outbox.commit([message(key, key)]);
      await Promise.all(processes.map((one) => one.deliver(CHANNEL)));
    }
    await Promise.all(processes.map((one) => one.deliver(CHANNEL)));

    expect(await office.told()).toEqual(keys.map((key) => `${key}: ${key}`));
  });

  it('lets a process that lost the channel post nothing more', async () => {
    const office = await openOffice(server.url);
    await office.outbox.commit([message(CARD, 'v7 deploying'), message('next', 'b')]);
    const { sender, reached, letGo } = heldUp('post');

    const paused = office.colleague({ sender }).deliver(CHANNEL);
    await reached;
    await office.redis.set(office.keys.lock(`deliver:${CHANNEL}`), 'another process');
    letGo();
    await paused;

    // What was on its way arrived; the next one is the new owner's.
    expect(await office.told()).toEqual([`${CARD}: v7 deploying`]);
    expect(await office.redis.zrange(office.keys.outbox(CHANNEL), '0', '-1')).toEqual(['next']);
  });

  it('shows the last content even if a process that was held up sent an old one after it', async () => {
    const office = await openOffice(server.url);
    await office.outbox.commit([message(CARD, 'v7 0 %')]);
    await office.deliverer.deliver(CHANNEL);
    const { sender, reached, letGo } = heldUp('update');
    const ending = new AbortController();

    await office.outbox.commit([message(CARD, 'v7 50 %')]);
    const paused = office.colleague({ sender, stopping: ending.signal }).deliver(CHANNEL);
    await reached;
    await office.redis.del(office.keys.lock(`deliver:${CHANNEL}`));
    await office.outbox.commit([message(CARD, 'v7 100 %')]);
    await office.deliverer.deliver(CHANNEL);
    expect(await office.deliverer.due()).toEqual([]);
    ending.abort();
    letGo();
    await paused;
    for (const channel of await office.deliverer.due()) await office.deliverer.deliver(channel);

    expect(await office.accepted()).toMatchObject([{ text: 'v7 100 %' }]);
  });

  it('finishes the message under way when it is asked to stop, and begins no other', async () => {
    const office = await openOffice(server.url);
    await office.outbox.commit([message('a', 'one'), message('b', 'two')]);
    const { sender, reached, letGo } = heldUp('post');

    const delivery = office.colleague({ sender, paced: true }).deliver(CHANNEL);
    await reached;
    office.stopping.abort();
    letGo();
    await delivery;
    expect(await office.told()).toEqual(['a: one']);

    const restarted = office.colleague({ stopping: new AbortController().signal });
    await until('the other process has it', async () => (await restarted.due()).includes(CHANNEL));
    await restarted.deliver(CHANNEL);
    expect(await office.told()).toEqual(['a: one', 'b: two']);
  });
});
