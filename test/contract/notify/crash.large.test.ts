import { describe, expect, it } from 'vitest';
import type { MessageSender } from '../../../src/notify/message.ts';
import { exitOf } from '../../../src/sandbox/redis.ts';
import { useRedis } from '../../support/redis.ts';
import { until } from '../../support/until.ts';
import { CARD, CHANNEL, harness, message, READY, spawnDeliverer, useHarness } from './support.ts';

const server = useRedis();
useHarness();

/** A process that dies at a moment of its post: its next steps do not happen. */
const diesBefore = (real: MessageSender): MessageSender => ({
  ...real,
  post: () => Promise.reject(new Error('killed before the post')),
});
const diesAfter = (real: MessageSender): MessageSender => ({
  ...real,
  async post(...args) {
    await real.post(...args);
    throw new Error('killed after the post');
  },
});

describe('after a crash', () => {
  it('of a machine whose clock is a day ahead, one with a true clock finds its post', async () => {
    await harness.outbox.commit([message(CARD, 'v7 deploying')]);
    const clock = { now: () => Date.now() + 24 * 3_600_000 };
    const doomed = harness.anotherDeliverer({ sender: diesAfter, clock });
    await expect(doomed.deliver(CHANNEL)).rejects.toThrow('killed');

    await harness.deliverer.deliver(CHANNEL);

    expect(await harness.reported()).toEqual([`${CARD}: v7 deploying`]);
  });

  it('the found card is edited, and its thread goes on', async () => {
    await harness.outbox.commit([message(CARD, 'v7 deploying')]);
    await expect(harness.anotherDeliverer({ sender: diesAfter }).deliver(CHANNEL)).rejects.toThrow(
      'killed',
    );

    await harness.outbox.commit([
      message(CARD, 'v7 ready'),
      message(READY, 'is ready', { threadKey: CARD, orphan: 'drop', broadcast: true }),
    ]);
    await expect(harness.anotherDeliverer({ sender: diesAfter }).deliver(CHANNEL)).rejects.toThrow(
      'killed',
    );
    await harness.deliverer.deliver(CHANNEL);

    const [card, ...replies] = await harness.accepted();
    expect(card?.text).toBe('v7 ready');
    expect(replies).toMatchObject([{ text: 'is ready', thread_ts: card?.ts, broadcast: true }]);
  });

  it('the message of another channel with the same key is not taken for its own', async () => {
    await harness.outbox.commit([message(CARD, 'v7 deploying', { channel: 'C0OPS' })]);
    await harness.deliverer.deliver('C0OPS');
    await harness.outbox.commit([message(CARD, 'v7 deploying')]);

    await expect(harness.anotherDeliverer({ sender: diesBefore }).deliver(CHANNEL)).rejects.toThrow(
      'killed',
    );
    await harness.deliverer.deliver(CHANNEL);

    expect(await harness.reported()).toEqual([`${CARD}: v7 deploying`]);
  });

  it('where the history cannot be read, the message is rather sent twice than not at all', async () => {
    await harness.faults({
      method: 'conversations.history',
      kind: 'error',
      error: 'missing_scope',
    });
    await harness.outbox.commit([message(CARD, 'v7 deploying')]);

    await expect(harness.anotherDeliverer({ sender: diesAfter }).deliver(CHANNEL)).rejects.toThrow(
      'killed',
    );
    await harness.deliverer.deliver(CHANNEL);

    expect(await harness.reported()).toEqual([`${CARD}: v7 deploying`, `${CARD}: v7 deploying`]);
  });

  it('a killed process gives its channel free, and nothing is lost or doubled', async () => {
    await harness.outbox.commit([
      message(CARD, 'v7 deploying'),
      message(READY, 'v7 ready', { threadKey: CARD }),
    ]);
    // Slack has the card while the process still waits to hear so.
    await harness.faults({ kind: 'delay-after', delayMs: 10_000, times: 1 });
    const child = spawnDeliverer(harness, server.url);
    await until('Slack has the card', async () => (await harness.accepted()).length === 1);

    child.kill('SIGKILL');
    await exitOf(child);
    expect(await harness.deliverer.due()).toEqual([]);
    await until('the channel is free', async () => (await harness.deliverer.due()).length === 1);
    await harness.deliverer.deliver(CHANNEL);

    expect(await harness.reported()).toEqual([`${CARD}: v7 deploying`, `${READY}: v7 ready`]);
  }, 30_000);
});
