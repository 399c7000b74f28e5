import { describe, expect, it } from 'vitest';
import { CARD, CHANNEL, emptyOutbox, harness, message, READY, useHarness } from './support.ts';
import type { MessageSender } from '../../../src/notify/message.ts';

useHarness();

const MINUTE_MS = 60_000;
const NOTE = 'oes on from an older message, which Slack no longer lets Purser edit';

const closes = (times: number, error = 'edit_window_closed') =>
  harness.faults({ method: 'chat.update', kind: 'error', error, times });

async function notify(text: string, deliverer = harness.deliverer): Promise<void> {
  await harness.outbox.commit([message(CARD, text)]);
  await emptyOutbox(harness, deliverer);
}

it.each(['edit_window_closed', 'cant_update_message'])(
  'a card of which Slack says %s goes on in a new one, which says so',
  async (error) => {
    await notify('v7 deploying');
    await closes(1, error);
    await notify('v7 ready');

    const [older, card, ...others] = await harness.accepted();
    expect(others).toEqual([]);
    expect(older).toMatchObject({ text: 'v7 deploying', edit_count: 0 });
    expect(card?.metadata?.event_payload.key).toBe(CARD);
    expect(card?.text).toContain('v7 ready');
    expect(card?.text).toContain(NOTE);
    expect(JSON.stringify(card?.blocks)).toContain(NOTE);
  },
);

describe('the new card', () => {
  it('is edited from then on, goes on saying so, and has the later replies in its thread', async () => {
    await notify('v7 deploying');
    await closes(1);
    await harness.outbox.commit([
      message(READY, 'v7 ready', { threadKey: CARD }),
      message(CARD, 'v7 in place'),
    ]);
    // The reply was wanted first, and waits for the card all the same.
    await harness.redis.zadd(harness.keys.outbox(CHANNEL), 'XX', 1_000_000, READY);
    await emptyOutbox(harness);
    await notify('v7 scaled to zero');

    const [, card, reply, ...others] = await harness.accepted();
    expect(others).toEqual([]);
    expect(card?.text).toContain('v7 scaled to zero');
    expect(card?.text).toContain(NOTE);
    expect(reply?.thread_ts).toBe(card?.ts);
  });

  it('is not followed by another with every edit, where Slack takes none', async () => {
    await notify('v7 deploying');
    await closes(20);
    for (const step of [1, 2, 3, 4]) await notify(`v7 deploying ${step}/4`);
    expect(await harness.accepted()).toHaveLength(2);

    const later = harness.anotherDeliverer({ clock: { now: () => Date.now() + 11 * MINUTE_MS } });
    await notify('v7 ready', later);

    const [, , card, ...others] = await harness.accepted();
    expect(others).toEqual([]);
    expect(card?.text).toContain('v7 ready');
  });

  it('shows the last refused content in the end, also without news', async () => {
    await notify('v7 deploying');
    await closes(2);
    await notify('v7 2/4 locations');
    await notify('v7 ready');
    expect((await harness.accepted()).at(-1)?.text).toContain('v7 2/4');

    const soon = harness.anotherDeliverer({ clock: { now: () => Date.now() + 9 * MINUTE_MS } });
    expect(await soon.due()).toEqual([]);
    const later = harness.anotherDeliverer({ clock: { now: () => Date.now() + 11 * MINUTE_MS } });
    expect(await later.due()).toEqual([CHANNEL]);
    await emptyOutbox(harness, later);

    expect((await harness.accepted()).at(-1)?.text).toContain('v7 ready');
    expect(await later.due()).toEqual([]);
    expect(await harness.accepted()).toHaveLength(2);
  });

  it('remembers no more than 20 of those before it', async () => {
    await notify('v7 deploying');
    await closes(25);
    for (let hour = 1; hour <= 25; hour += 1) {
      const clock = { now: () => Date.now() + hour * 60 * MINUTE_MS };
      await notify(`v7 deploying for ${hour} h`, harness.anotherDeliverer({ clock }));
    }

    const posts = (await harness.accepted()).map(({ ts }) => ts);
    expect(posts).toHaveLength(26);
    const older = await harness.redis.hget(harness.keys.message(CHANNEL, CARD), 'older');
    expect(older?.split(' ')).toEqual(posts.slice(-21, -1));
  });

  it('cannot be taken by another that would show it a second time', async () => {
    await notify('v7 deploying');
    await closes(1);
    await harness.outbox.commit([message(CARD, 'v7 ready')]);
    await expect(
      harness.anotherDeliverer({ sender: dies('before') }).deliver(CHANNEL),
    ).rejects.toThrow('killed');
    await harness.redis.hdel(harness.keys.message(CHANNEL, CARD), 'pendingSince');

    const summary = message('@mute/C0DEPLOYS/1', 'everything');
    expect(await harness.outbox.gather([CARD], [summary])).toBeUndefined();
  });

  it('is not held back by a mute, which could not know it then, when the channel refused it', async () => {
    await notify('v7 deploying');
    await closes(1);
    await harness.faults(
      { method: 'chat.update', kind: 'error', error: 'edit_window_closed', times: 1 },
      { kind: 'error', error: 'is_archived', times: 1 },
    );
    await notify('v7 2/4 locations');
    await harness.post(message(CARD, 'v7 ready', { held: 'acme/shop/api' }));

    expect((await harness.accepted()).at(-1)?.text).toContain('v7 ready');
  });

  const dies = (moment: 'before' | 'after') => (real: MessageSender) => ({
    ...real,
    async post(...args: Parameters<MessageSender['post']>): ReturnType<MessageSender['post']> {
      if (moment === 'after') await real.post(...args);
      throw new Error('killed');
    },
  });

  it.each(['before', 'after'] as const)(
    'is there once when the process dies %s its post',
    async (moment) => {
      await notify('v7 deploying');
      await closes(1);
      await harness.outbox.commit([message(CARD, 'v7 ready')]);
      await expect(
        harness.anotherDeliverer({ sender: dies(moment) }).deliver(CHANNEL),
      ).rejects.toThrow('killed');
      await emptyOutbox(harness);

      const [older, card, ...others] = await harness.accepted();
      expect(others).toEqual([]);
      expect(older?.text).toBe('v7 deploying');
      expect(card?.text).toContain('v7 ready');
    },
  );
});
