import { describe, expect, it } from 'vitest';
import {
  CARD,
  CHANNEL,
  emptyOutbox,
  harness,
  heldUp,
  message,
  READY,
  useHarness,
} from './support.ts';
import type { SendResult } from '../../../src/slack/sender.ts';

useHarness();

const DAY_MS = 24 * 3_600_000;
/** As long as a card with a row per location. */
const LONG = 'v7 ready in all 3 locations '.repeat(40);

const recordOf = (key: string): Promise<Record<string, string>> =>
  harness.redis.hgetall(harness.keys.message(CHANNEL, key));
const bytesOf = async (key: string): Promise<number> =>
  Number(await harness.redis.call('MEMORY', 'USAGE', harness.keys.message(CHANNEL, key)));

/** The regular sweep of a bot, so many milliseconds from now. */
async function sweepIn(ms: number): Promise<void> {
  const later = harness.anotherDeliverer({ clock: { now: () => Date.now() + ms } });
  await later.due();
}

describe('a delivered message', () => {
  it('is kept for 3 s, then its place and a hash are', async () => {
    await harness.post(message(CARD, LONG));
    const whole = await bytesOf(CARD);

    await sweepIn(0);
    expect((await recordOf(CARD))['body']).toContain('v7 ready');
    await sweepIn(5_000);

    const [posted] = await harness.accepted();
    expect(await recordOf(CARD)).toEqual({
      hash: expect.stringMatching(/^[0-9a-f]{16}$/),
      revision: '1',
      sentRevision: '1',
      ts: posted?.ts,
    });
    // Redis has it in its small form again: the names and the values, and little else.
    expect(await bytesOf(CARD)).toBeLessThan(Math.min(400, whole / 4));
    expect(await harness.redis.pttl(harness.keys.message(CHANNEL, CARD))).toBeGreaterThan(
      44 * DAY_MS,
    );
  });

  it('changes nothing when it is wanted again, and is edited when it is wanted otherwise', async () => {
    await harness.post(message(CARD, 'v7 deploying'));
    await sweepIn(5_000);

    expect(await harness.outbox.commit([message(CARD, 'v7 deploying')])).toEqual([]);
    expect(await harness.outbox.commit([message(CARD, 'v7 ready')])).toEqual([CHANNEL]);
    await emptyOutbox(harness);

    expect(await harness.accepted()).toMatchObject([{ text: 'v7 ready', edit_count: 1 }]);
    await sweepIn(5_000);
    expect(await recordOf(CARD)).not.toHaveProperty('body');
  });

  it('still has replies in its thread', async () => {
    await harness.post(message(CARD, 'v7 deploying'));
    await sweepIn(5_000);

    await harness.post(message(READY, 'v7 ready', { threadKey: CARD, orphan: 'drop' }));

    const [card, reply] = await harness.accepted();
    expect(reply?.thread_ts).toBe(card?.ts);
  });

  it('still covers the same keys after an edit without them', async () => {
    await harness.post(message(CARD, 'v7 deploying', { covers: [READY] }));
    await sweepIn(5_000);

    await harness.post(message(CARD, 'v7 in place'));
    await sweepIn(5_000);
    await harness.post(message(CARD, 'v7 in place, scaled to zero'));

    const [card] = await harness.accepted();
    expect(card?.text).toBe('v7 in place, scaled to zero');
    expect(card?.metadata?.event_payload.covers).toBe(READY);
  });

  it('is not forgotten while an edit waits', async () => {
    await harness.post(message(CARD, 'v7 deploying'));
    await harness.outbox.commit([message(CARD, 'v7 ready')]);

    await sweepIn(5_000);
    await emptyOutbox(harness);

    expect(await harness.reported()).toEqual([`${CARD}: v7 ready`]);
  });

  it('is kept for 7 days when it stands for others, because that can grow', async () => {
    const held = { held: 'acme/shop/api' };
    const MUTE = '@mute/C0DEPLOYS/1';
    await harness.outbox.commit([message(CARD, 'v7 deploying', held)]);
    await harness.gather([CARD], message(MUTE, 'Held back'));
    expect(await recordOf(CARD)).not.toHaveProperty('body');

    await sweepIn(5_000);
    await harness.post(message(CARD, 'v7 ready', { covers: [READY] }));

    const [summary] = await harness.accepted();
    expect(summary?.metadata?.event_payload).toEqual({ key: MUTE, covers: `${CARD} ${READY}` });
    await sweepIn(7 * DAY_MS + 5_000);
    expect(await recordOf(MUTE)).not.toHaveProperty('body');
    // Then only Redis knows the additional keys; the message is not edited for them.
    await harness.post(message(CARD, 'v7 ready', { covers: [READY, 'one/more/key'] }));
    expect(await harness.calls('chat.update')).toHaveLength(1);
  });
});

describe('a message with another content in Slack than in Redis', () => {
  /** A process that was held up sends an old content after Redis has forgotten the new one. */
  async function oldContentComesLast(): Promise<void> {
    await harness.post(message(CARD, 'v7 deploying'));
    const { sender, reached, letGo } = heldUp('update');
    const old = message(CARD, 'v7 2/4 locations');
    await harness.outbox.commit([old]);
    const late = harness.anotherDeliverer({ sender }).deliver(CHANNEL);
    await reached;
    await harness.redis.del(harness.keys.lock(`deliver:${CHANNEL}`));
    await harness.post(message(CARD, 'v7 ready'));
    await sweepIn(5_000);
    letGo();
    await late;
    await emptyOutbox(harness);
  }

  it('is edited by the next poll, even without news', async () => {
    await oldContentComesLast();
    expect(await harness.reported()).toEqual([`${CARD}: v7 2/4 locations`]);

    await harness.post(message(CARD, 'v7 ready'));

    expect(await harness.reported()).toEqual([`${CARD}: v7 ready`]);
  });
});

describe('a message that Redis forgot while it was on its way to Slack', () => {
  const ENDS: Record<string, SendResult | undefined> = {
    sent: undefined,
    'answer lost': { kind: 'unclear', error: 'timeout' },
    'refused for good': { kind: 'refused', error: 'no_text' },
    'refused by the channel': { kind: 'refused', error: 'is_archived' },
  };

  it.each(Object.keys(ENDS))('is not kept for ever: %s', async (end) => {
    const forgetful = harness.anotherDeliverer({
      sender: (real) => ({
        ...real,
        async post(...args) {
          const sent = await real.post(...args);
          await harness.redis.del(
            harness.keys.message(CHANNEL, CARD),
            harness.keys.outbox(CHANNEL),
          );
          return ENDS[end] ?? sent;
        },
      }),
    });
    await harness.outbox.commit([message(CARD, 'v7 deploying')]);
    await forgetful.deliver(CHANNEL);

    // -2: nothing is there.
    expect(await harness.redis.pttl(harness.keys.message(CHANNEL, CARD))).not.toBe(-1);
  });
});

describe('a message that Slack never takes', () => {
  it('is kept for 7 days where it is an edit, and its place for as long as any other', async () => {
    await harness.post(message(CARD, 'v7 deploying'));
    await harness.faults({ method: 'chat.update', kind: 'error', error: 'is_archived', times: 1 });
    await harness.post(message(CARD, LONG));

    await sweepIn(6 * DAY_MS);
    expect((await recordOf(CARD))['body']).toContain('v7 ready');
    await sweepIn(7 * DAY_MS + 5_000);

    expect(await recordOf(CARD)).not.toHaveProperty('body');
    expect(await recordOf(CARD)).toHaveProperty('ts');
    await harness.post(message(CARD, 'v7 scaled to zero'));
    expect(await harness.reported()).toEqual([`${CARD}: v7 scaled to zero`]);
  });

  it('is a place and a hash at once, where the message is refused for itself', async () => {
    await harness.faults({ kind: 'error', error: 'message_not_found', method: 'chat.update' });
    await harness.post(message(CARD, 'v7 deploying'));
    await harness.post(message(CARD, LONG));

    expect(await recordOf(CARD)).toMatchObject({ dead: 'message_not_found' });
    expect(await recordOf(CARD)).not.toHaveProperty('body');
    await harness.outbox.commit([message(CARD, `${LONG} again`)]);
    expect(await recordOf(CARD)).not.toHaveProperty('body');
  });

  it('is kept for 7 days where the channel refuses it, since it may come back', async () => {
    await harness.faults({ kind: 'error', error: 'is_archived', times: 1 });
    await harness.outbox.commit([message(CARD, LONG)]);
    await harness.deliverer.deliver(CHANNEL);

    const age = await harness.redis.pttl(harness.keys.message(CHANNEL, CARD));
    expect(age).toBeGreaterThan(6 * DAY_MS);
    expect(age).toBeLessThanOrEqual(7 * DAY_MS);
    await harness.post(message(CARD, 'v7 ready'));
    expect(await harness.reported()).toEqual([`${CARD}: v7 ready`]);
  });
});
