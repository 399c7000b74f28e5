import { describe, expect, it, vi } from 'vitest';
import type { MessageSender } from '../../../src/notify/message.ts';
import { until } from '../../support/until.ts';
import { CARD, CHANNEL, harness, heldUp, message, READY, useHarness } from './support.ts';

useHarness();

describe('a message', () => {
  it('is posted once, with the key that names it in its metadata', async () => {
    await harness.outbox.commit([message(CARD, 'shop/api v7 deploying', { covers: ['a', 'b'] })]);

    await harness.deliverer.deliver(CHANNEL);
    await harness.deliverer.deliver(CHANNEL);

    expect(await harness.accepted()).toMatchObject([
      {
        text: 'shop/api v7 deploying',
        blocks: [{ type: 'section', text: { text: 'shop/api v7 deploying' } }],
        metadata: { event_type: 'purser_event', event_payload: { key: CARD, covers: 'a b' } },
        thread_ts: null,
      },
    ]);
    expect(await harness.deliverer.due()).toEqual([]);
  });

  it.each(['posted', 'still waiting'])(
    'that stands for others goes on doing so after an edit without them, %s',
    async (state) => {
      await harness.outbox.commit([message(CARD, 'two are failing', { covers: ['a', 'b'] })]);
      if (state === 'posted') await harness.deliverer.deliver(CHANNEL);

      await harness.outbox.commit([message(CARD, 'one is back')]);
      await harness.deliverer.deliver(CHANNEL);

      expect(await harness.accepted()).toMatchObject([
        { text: 'one is back', metadata: { event_payload: { key: CARD, covers: 'a b' } } },
      ]);
    },
  );

  it.each(['post', 'update'] as const)(
    'that changes while its %s is under way is edited right after it',
    async (method) => {
      const { sender, reached, letGo } = heldUp(method);
      if (method === 'update') await harness.post(message(CARD, 'v7 0 %'));
      await harness.outbox.commit([message(CARD, 'v7 50 %')]);

      const delivery = harness.anotherDeliverer({ sender }).deliver(CHANNEL);
      await reached;
      await harness.outbox.commit([message(CARD, 'v7 90 %')]);
      await harness.outbox.commit([message(CARD, 'v7 100 %')]);
      letGo();
      await delivery;

      const edits = method === 'update' ? 2 : 1;
      expect(await harness.accepted()).toMatchObject([{ text: 'v7 100 %', edit_count: edits }]);
    },
  );

  it('that comes while the channel is about to be given back is not left lying', async () => {
    await harness.outbox.commit([message('first', 'a')]);
    const look = harness.redis.zrange.bind(harness.redis);
    const spy = vi.spyOn(harness.redis, 'zrange');
    spy.mockImplementation((async (key: string) => {
      const found = await look(key, '0', '0');
      if (found.length > 0) return found;
      spy.mockRestore();
      await harness.outbox.commit([message('second', 'b')]);
      // Its own wake-up finds the channel taken.
      await harness.anotherDeliverer().deliver(CHANNEL);
      return found;
    }) as never);

    await harness.deliverer.deliver(CHANNEL);

    expect(await harness.reported()).toEqual(['first: a', 'second: b']);
  });
});

describe('a reply', () => {
  it('goes into the thread of its card, and into the channel if it is meant to', async () => {
    await harness.outbox.commit([
      message(CARD, 'v7 deploying'),
      message(READY, 'v7 ready', { threadKey: CARD, broadcast: true }),
      message('acme/shop/api/7/resumed', 'v7 resumed', { threadKey: CARD }),
    ]);
    await harness.deliverer.deliver(CHANNEL);

    const [card, ...replies] = await harness.accepted();
    expect(card).toMatchObject({ text: 'v7 deploying', thread_ts: null });
    expect(replies).toMatchObject([
      { text: 'v7 ready', thread_ts: card?.ts, broadcast: true },
      { text: 'v7 resumed', thread_ts: card?.ts, broadcast: false },
    ]);
  });
});

describe('the relay', () => {
  it('gives its place to other channels after ten messages, and says that there is more', async () => {
    const keys = Array.from({ length: 11 }, (_, index) => `message-${index}`);
    await harness.outbox.commit(keys.map((key) => message(key, key)));

    expect(await harness.deliverer.deliver(CHANNEL)).toBe(true);
    expect(await harness.reported()).toHaveLength(10);
    expect(await harness.deliverer.deliver(CHANNEL)).toBe(false);
    expect(await harness.reported()).toHaveLength(11);
  });

  it('gives its place to other channels after ten seconds', async () => {
    let now = Date.now();
    const slow = (real: MessageSender): MessageSender => ({
      ...real,
      async update(...args) {
        now += 4_000;
        return real.update(...args);
      },
    });
    const keys = ['a', 'b', 'c', 'd'];
    await harness.outbox.commit(keys.map((key) => message(key, 'new')));
    await harness.deliverer.deliver(CHANNEL);
    await harness.outbox.commit(keys.map((key) => message(key, 'changed')));
    const anotherDeliverer = harness.anotherDeliverer({ sender: slow, clock: { now: () => now } });

    expect(await anotherDeliverer.deliver(CHANNEL)).toBe(true);
    expect(await harness.calls('chat.update')).toHaveLength(3);
  });

  it('has nothing more to do now when the rest has to wait', async () => {
    await harness.faults({ kind: 'ratelimit', retryAfter: 30, times: 1 });
    await harness.outbox.commit([message('a', 'one'), message('b', 'two')]);

    expect(await harness.deliverer.deliver(CHANNEL)).toBe(false);
    expect(await harness.calls('chat.postMessage')).toHaveLength(1);
  });

  it('posts about once a second to one channel', async () => {
    await harness.outbox.commit([message('a', 'one'), message('b', 'two')]);

    await harness.anotherDeliverer({ paced: true }).deliver(CHANNEL);

    const [first, second] = await harness.accepted();
    expect(Number(second?.ts) - Number(first?.ts)).toBeGreaterThan(0.95);
  });

  it('never doubles when many processes deliver one channel at once', async () => {
    const keys = Array.from({ length: 12 }, (_, index) => `message-${index}`);
    const processes = Array.from({ length: 5 }, () => harness.anotherDeliverer());

    for (const key of keys) {
      await harness.outbox.commit([message(key, key)]);
      await Promise.all(processes.map((one) => one.deliver(CHANNEL)));
    }
    await Promise.all(processes.map((one) => one.deliver(CHANNEL)));

    expect(await harness.reported()).toEqual(keys.map((key) => `${key}: ${key}`));
  });

  it('lets a process that lost the channel post nothing more', async () => {
    await harness.outbox.commit([message(CARD, 'v7 deploying'), message('next', 'b')]);
    const { sender, reached, letGo } = heldUp('post');

    const paused = harness.anotherDeliverer({ sender }).deliver(CHANNEL);
    await reached;
    await harness.redis.set(harness.keys.lock(`deliver:${CHANNEL}`), 'another process');
    letGo();
    await paused;

    // The message on its way arrived; the next one is the new owner's.
    expect(await harness.reported()).toEqual([`${CARD}: v7 deploying`]);
    expect(await harness.redis.zrange(harness.keys.outbox(CHANNEL), '0', '-1')).toEqual(['next']);
  });

  it('shows the last content even if a process that was held up sent an old one after it', async () => {
    await harness.outbox.commit([message(CARD, 'v7 0 %')]);
    await harness.deliverer.deliver(CHANNEL);
    const { sender, reached, letGo } = heldUp('update');
    const ending = new AbortController();

    await harness.outbox.commit([message(CARD, 'v7 50 %')]);
    const paused = harness.anotherDeliverer({ sender, stopping: ending.signal }).deliver(CHANNEL);
    await reached;
    await harness.redis.del(harness.keys.lock(`deliver:${CHANNEL}`));
    await harness.outbox.commit([message(CARD, 'v7 100 %')]);
    await harness.deliverer.deliver(CHANNEL);
    expect(await harness.deliverer.due()).toEqual([]);
    ending.abort();
    letGo();
    await paused;
    for (const channel of await harness.deliverer.due()) await harness.deliverer.deliver(channel);

    expect(await harness.accepted()).toMatchObject([{ text: 'v7 100 %' }]);
  });

  it('finishes the message under way when it is asked to stop, and begins no other', async () => {
    await harness.outbox.commit([message('a', 'one'), message('b', 'two')]);
    const { sender, reached, letGo } = heldUp('post');

    const delivery = harness.anotherDeliverer({ sender, paced: true }).deliver(CHANNEL);
    await reached;
    harness.stopping.abort();
    letGo();
    await delivery;
    expect(await harness.reported()).toEqual(['a: one']);

    const restarted = harness.anotherDeliverer({ stopping: new AbortController().signal });
    await until('the other process has it', async () => (await restarted.due()).includes(CHANNEL));
    await restarted.deliver(CHANNEL);
    expect(await harness.reported()).toEqual(['a: one', 'b: two']);
  });
});
