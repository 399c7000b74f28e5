import { describe, expect, it } from 'vitest';
import type { Message } from '../../../src/notify/message.ts';
import {
  CARD,
  CHANNEL,
  emptyOutbox,
  FAILED,
  harness,
  heldUp,
  message,
  READY,
  useHarness,
} from './support.ts';

useHarness();

const PLACE = 'acme/shop/api';
const SUMMARY = '@mute/C0DEPLOYS/1';

const heldBack = async (): Promise<string[]> =>
  (await harness.redis.hkeys(harness.keys.held(CHANNEL))).sort();

/** Keys and covers of the messages in the channel, in order. */
async function reportedKeys(): Promise<string[]> {
  return (await harness.accepted()).map(({ metadata }) =>
    [metadata?.event_payload.key, metadata?.event_payload.covers].filter(Boolean).join(' <- '),
  );
}

describe('a message that is held back', () => {
  it('is not posted, and its later contents are not either', async () => {
    const held = { held: PLACE };
    expect(await harness.outbox.commit([message(CARD, 'v7 deploying', held)])).toEqual([]);
    expect(await harness.outbox.commit([message(CARD, 'v7 failed', held)])).toEqual([]);
    // The mute is over, and its held-back messages are due.
    expect(await harness.outbox.commit([message(CARD, 'v7 ready')])).toEqual([]);
    await emptyOutbox(harness);

    expect(await harness.reported()).toEqual([]);
    expect(await heldBack()).toEqual([CARD]);
    expect(await harness.redis.hget(harness.keys.held(CHANNEL), CARD)).toBe(PLACE);
    expect(await harness.redis.smembers(harness.keys.heldChannels)).toEqual([CHANNEL]);
  });

  it('is an edit like any other when it was posted before', async () => {
    await harness.post(message(CARD, 'v7 deploying'));

    await harness.post(message(CARD, 'v7 ready', { held: PLACE }));

    expect(await harness.reported()).toEqual([`${CARD}: v7 ready`]);
    expect(await heldBack()).toEqual([]);
  });

  it('is posted anew when its record is gone, and held back no longer', async () => {
    await harness.outbox.commit([message(CARD, 'v7 deploying', { held: PLACE })]);
    await harness.redis.del(harness.keys.message(CHANNEL, CARD));

    await harness.post(message(CARD, 'v7 ready'));

    expect(await harness.reported()).toEqual([`${CARD}: v7 ready`]);
    expect(await heldBack()).toEqual([]);
  });
});

describe('a message that gathers others', () => {
  it('takes held-back and waiting messages; neither is ever posted', async () => {
    await harness.outbox.commit([
      message(CARD, 'v7 deploying', { held: PLACE }),
      message(FAILED, 'v7 failed', { covers: ['elsewhere'] }),
    ]);

    await harness.outbox.gather([CARD, FAILED], [message(SUMMARY, 'everything')]);
    await harness.post(message(CARD, 'v7 failed'), message(FAILED, 'once more'));

    expect(await harness.reported()).toEqual([`${SUMMARY}: everything`]);
    expect(await reportedKeys()).toEqual([`${SUMMARY} <- ${CARD} ${FAILED} elsewhere`]);
    expect(await heldBack()).toEqual([]);
  });

  it('is posted in their place, before later messages', async () => {
    await harness.outbox.commit([message('first', 'a'), message('second', 'b')]);

    await harness.gather(['first'], message(SUMMARY, 'everything'));

    expect(await harness.reported()).toEqual([`${SUMMARY}: everything`, 'second: b']);
  });

  it.each(['posted', 'under way', 'reported by another', 'unknown'])(
    'is refused as a whole when one of them is %s',
    async (state) => {
      const { sender, reached, letGo } = heldUp('post');
      if (state !== 'unknown') await harness.outbox.commit([message(FAILED, 'v7 failed')]);
      const post =
        state === 'under way' ? harness.anotherDeliverer({ sender }).deliver(CHANNEL) : undefined;
      if (post !== undefined) await reached;
      if (state === 'posted') await emptyOutbox(harness);
      if (state === 'reported by another') {
        await harness.outbox.gather([FAILED], [message('other', 'that')]);
      }
      await harness.outbox.commit([message(CARD, 'v7 deploying', { held: PLACE })]);

      const summary = [message(SUMMARY, 'everything')];
      expect(await harness.outbox.gather([CARD, FAILED], summary)).toBeUndefined();
      letGo();
      await post;
      await emptyOutbox(harness);

      expect(await heldBack()).toEqual([CARD]);
      expect((await reportedKeys()).join()).not.toContain(SUMMARY);
    },
  );

  it('wins against a post that was about to begin', async () => {
    await harness.outbox.commit([message(FAILED, 'v7 failed')]);
    const read = harness.redis.hgetall.bind(harness.redis);
    // Between reading the message and marking it.
    harness.redis.hgetall = (async (key: string) => {
      const record = await read(key);
      harness.redis.hgetall = read as never;
      await harness.outbox.gather([FAILED], [message(SUMMARY, 'everything')]);
      return record;
    }) as never;

    await harness.deliverer.deliver(CHANNEL);
    await emptyOutbox(harness);

    expect(await reportedKeys()).toEqual([`${SUMMARY} <- ${FAILED}`]);
  });

  it('has their replies in its thread, also those that wait already', async () => {
    await harness.outbox.commit([
      message(CARD, 'v7 deploying', { held: PLACE }),
      message(FAILED, 'v7 failed', { threadKey: CARD }),
    ]);
    await harness.outbox.gather([CARD], [message(SUMMARY, 'everything')]);
    await harness.post(message(READY, 'v7 ready', { threadKey: CARD, orphan: 'drop' }));

    const [summary, ...replies] = await harness.accepted();
    expect(summary).toMatchObject({ text: 'everything', thread_ts: null });
    expect(replies).toMatchObject([
      { text: 'v7 failed', thread_ts: summary?.ts },
      { text: 'v7 ready', thread_ts: summary?.ts },
    ]);
  });

  it('is edited to cover the keys that they cover later', async () => {
    await harness.outbox.commit([message(FAILED, 'flaps', { held: PLACE, covers: ['1'] })]);
    await harness.outbox.gather([FAILED], [message('@mute/1', 'inner', { held: PLACE })]);
    await harness.post(message(FAILED, 'flaps', { covers: ['1', '2'] }));
    expect(await reportedKeys()).toEqual([]);
    await harness.gather(['@mute/1'], message(SUMMARY, 'everything'));
    expect(await reportedKeys()).toEqual([`${SUMMARY} <- @mute/1 ${FAILED} 1 2`]);

    await harness.post(message(FAILED, 'flaps', { covers: ['1', '2', '3'] }));

    expect(await reportedKeys()).toEqual([`${SUMMARY} <- @mute/1 ${FAILED} 1 2 3`]);
    expect(await harness.calls('chat.postMessage')).toHaveLength(1);
  });

  it('covers at most 4,000 characters, the newest', async () => {
    const flaps = (count: number): Partial<Message> => ({
      covers: Array.from({ length: count }, (_, index) => `${FAILED}/${index}/${'x'.repeat(60)}`),
    });
    await harness.outbox.commit([message(FAILED, 'flaps', { held: PLACE, ...flaps(1) })]);
    await harness.gather([FAILED], message(SUMMARY, 'everything'));

    for (const count of [40, 70, 75, 75]) {
      await harness.outbox.commit([message(FAILED, 'flaps', flaps(count))]);
    }
    await emptyOutbox(harness);

    const covers = (await harness.accepted())[0]?.metadata?.event_payload.covers ?? '';
    const all = flaps(75).covers ?? [];
    expect(covers.length).toBeLessThanOrEqual(4_000);
    expect(covers.length).toBeGreaterThan(3_900);
    expect(covers.split(' ')).toEqual(all.slice(-covers.split(' ').length));
    const record = harness.keys.message(CHANNEL, SUMMARY);
    expect(await harness.redis.hstrlen(record, 'covers')).toBeLessThanOrEqual(4_000);
  });

  it('covers at most 4,000 characters with its own covers', async () => {
    const own = Array.from({ length: 40 }, (_, index) => `own/${index}/${'x'.repeat(50)}`);
    const absorbed = own.map((key) => key.replace('own', 'absorbed'));
    await harness.outbox.commit([message(FAILED, 'flaps', { covers: absorbed })]);
    await harness.gather([FAILED], message(SUMMARY, 'all', { covers: own }));

    const covers = (await harness.accepted())[0]?.metadata?.event_payload.covers ?? '';
    expect(covers.length).toBeLessThanOrEqual(4_000);
    expect(covers.split(' ').slice(-41)).toEqual([FAILED, ...absorbed]);
  });

  it('is kept as long as its messages go on', async () => {
    await harness.outbox.commit([message(FAILED, 'flaps')]);
    await harness.outbox.gather([FAILED], [message(SUMMARY, 'everything')]);
    const summary = harness.keys.message(CHANNEL, SUMMARY);
    await harness.redis.pexpire(summary, 60_000);

    await harness.outbox.commit([message(FAILED, 'flaps', { covers: ['1'] })]);

    expect(await harness.redis.pttl(summary)).toBeGreaterThan(44 * 24 * 3_600_000);
  });

  it('is not edited for keys that it covers already', async () => {
    await harness.outbox.commit([message(CARD, 'v7', { held: PLACE }), message(FAILED, 'failed')]);
    await harness.gather([CARD, FAILED], message(SUMMARY, 'everything'));

    expect(await harness.outbox.commit([message(CARD, 'v7 changed')])).toEqual([]);
  });

  it('has in its thread the replies of a message inside another one that it gathers', async () => {
    await harness.outbox.commit([message(CARD, 'v7 deploying', { held: PLACE })]);
    await harness.outbox.gather([CARD], [message('inner', 'some', { held: PLACE })]);
    await harness.outbox.gather(['inner'], [message(SUMMARY, 'everything')]);
    await harness.post(message(READY, 'v7 ready', { threadKey: CARD }));

    const [summary, ready] = await harness.accepted();
    expect(ready?.thread_ts).toBe(summary?.ts);
  });
});

describe('a call that is posted instead of its card', () => {
  it('is posted in the channel, has the replies to the other one in its thread, and ignores its contents', async () => {
    const failed = { threadKey: CARD, broadcast: true, orphan: 'root' } as const;
    await harness.post(message(FAILED, 'v7 failed', failed));
    await harness.post(
      message(FAILED, 'v7 failed in all', { ...failed, editOnly: true }),
      message(CARD, 'v7 failed'),
      message(READY, 'ready', { threadKey: CARD, orphan: 'root' }),
    );

    expect(await harness.reported()).toEqual([`${FAILED}: v7 failed in all`, `${READY}: ready`]);
    expect(await reportedKeys()).toEqual([FAILED, READY]);
    const [first, reply] = await harness.accepted();
    expect(first).toMatchObject({ thread_ts: null, edit_count: 1 });
    expect(reply?.thread_ts).toBe(first?.ts);
  });

  it('stays in the channel when it is edited under another filter', async () => {
    await harness.post(message(FAILED, 'v7 failed', { threadKey: CARD, orphan: 'root' }));
    await harness.post(message(FAILED, 'v7', { threadKey: CARD, orphan: 'drop' }));

    const [only] = await harness.accepted();
    expect(only).toMatchObject({ text: 'v7', thread_ts: null });
    expect(await harness.calls('chat.postMessage')).toHaveLength(1);
  });

  it('covers only the keys that its caller names', async () => {
    await harness.post(
      message(READY, 'v7 ready', { threadKey: CARD, orphan: 'root', covers: [CARD] }),
    );

    expect(await reportedKeys()).toEqual([`${READY} <- ${CARD}`]);
  });

  it('is tried again before its replies when the channel refused it', async () => {
    await harness.faults({
      method: 'chat.postMessage',
      kind: 'error',
      error: 'not_in_channel',
      times: 1,
    });
    await harness.post(message(READY, 'v7 ready', { threadKey: CARD, orphan: 'root' }));
    await harness.post(message(FAILED, 'failed', { threadKey: CARD, orphan: 'drop' }));

    expect(await harness.reported()).toEqual([`${READY}: v7 ready`, `${FAILED}: failed`]);
  });

  it('is a reply to one that was there before', async () => {
    await harness.outbox.commit([message(CARD, 'v7 deploying')]);
    const more = { orphan: 'root', threadKey: CARD, broadcast: true } as const;
    await harness.outbox.commit([message(READY, 'v7 ready', more)]);
    await harness.post(message(CARD, 'v7 ready'));

    expect(await reportedKeys()).toEqual([CARD, READY]);
    const [card, ready] = await harness.accepted();
    expect(ready?.thread_ts).toBe(card?.ts);
  });

  it('is held back like any other, and replies go to the message that includes it', async () => {
    const failed = { threadKey: CARD, orphan: 'root', held: PLACE } as const;
    await harness.outbox.commit([message(FAILED, 'failed', failed)]);
    await harness.outbox.commit([message(CARD, 'v7 ready')]);
    expect(await heldBack()).toEqual([FAILED]);

    await harness.gather([FAILED], message(SUMMARY, 'everything'));
    await harness.post(message(READY, 'ready', { threadKey: CARD, orphan: 'drop' }));

    expect(await reportedKeys()).toEqual([`${SUMMARY} <- ${FAILED}`, READY]);
    const [summary, ready] = await harness.accepted();
    expect(ready?.thread_ts).toBe(summary?.ts);
  });
});
