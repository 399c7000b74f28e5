import { beforeEach, describe, expect, it } from 'vitest';
import type { Deliverer } from '../../../src/notify/deliver.ts';
import { dataTable } from '../../../src/slack/kit/tables.ts';
import {
  CARD,
  CHANNEL,
  emptyOutbox,
  harness,
  message,
  OPS_CHANNEL,
  READY,
  useHarness,
} from './support.ts';

useHarness();

const deliverAll = (deliverer?: Deliverer): Promise<void> => emptyOutbox(harness, deliverer);

it('a message that may be posted already is looked up when the right to read and to post comes back', async () => {
  await harness.faults({ kind: 'reset-after', times: 1 });
  await harness.outbox.commit([message(CARD, 'v7 deploying')]);
  await harness.deliverer.deliver(CHANNEL);
  await harness.faults({ method: '*', kind: 'error', error: 'access_denied' });
  for (const _try of ['first', 'second']) {
    await harness.waitIsOver();
    await harness.deliverer.deliver(CHANNEL);
  }
  await harness.faults();
  await deliverAll();

  expect(await harness.reported()).toEqual([`${CARD}: v7 deploying`]);
});

describe('a message that Slack refuses', () => {
  it.each(['invalid_blocks', 'msg_blocks_too_long', 'msg_too_long'])(
    'for its blocks (%s) goes out as plain text',
    async (error) => {
      await harness.faults({ kind: 'error', error, times: 1 });
      await harness.post(message(CARD, 'v7 deploying'));

      expect(await harness.accepted()).toMatchObject([{ text: 'v7 deploying', blocks: [] }]);
    },
  );

  it.each([
    [1, [{ type: 'table' }]],
    [2, []],
  ])('for its data table, %i times, goes out with less', async (times, blocks) => {
    const rows = [{ cells: ['shop/api', 'ready'] }];
    const whole = dataTable({ caption: 'Workloads', columns: ['Workload', 'State'], rows });
    await harness.faults({ kind: 'error', error: 'invalid_blocks', times });
    await harness.post(message(CARD, 'v7 deploying', { blocks: [whole] }));

    expect(await harness.accepted()).toMatchObject([{ text: 'v7 deploying', blocks }]);
  });

  it('for the size of its covers goes out with its key alone', async () => {
    await harness.faults({ kind: 'error', error: 'metadata_too_large', times: 1 });
    await harness.post(message(CARD, 'v7 failed', { covers: [READY] }));

    expect(await harness.accepted()).toMatchObject([
      { text: 'v7 failed', blocks: [{ type: 'section' }] },
    ]);
    expect((await harness.accepted())[0]?.metadata?.event_payload).toEqual({ key: CARD });
  });

  it.each(['invalid_blocks', 'metadata_too_large'])(
    'whatever is left out (%s) is given up',
    async (error) => {
      await harness.faults({ kind: 'error', error, times: 9 });
      await harness.post(message(CARD, 'v7 failed', { covers: [READY] }));

      expect(await harness.accepted()).toEqual([]);
      expect((await harness.calls('chat.postMessage')).length).toBeLessThanOrEqual(3);
    },
  );

  it('for the blocks of an edit becomes plain text, and later edits are shown again', async () => {
    await harness.post(message(CARD, 'v7 deploying'));
    const tooLong = [{ type: 'header', text: { type: 'plain_text', text: 'x'.repeat(200) } }];

    await harness.post(message(CARD, 'v7 failed', { blocks: tooLong as never }));
    expect(await harness.accepted()).toMatchObject([{ text: 'v7 failed', blocks: [] }]);

    await harness.post(message(CARD, 'v7 ready'));
    expect(await harness.accepted()).toMatchObject([
      { text: 'v7 ready', blocks: [{ type: 'section' }] },
    ]);
  });

  it.each(['channel_not_found', 'restricted_action'])(
    'for good (%s) is asked once and does not block the next message',
    async (error) => {
      await harness.faults({ kind: 'error', error, times: 1 });
      await harness.post(message('first', 'a'), message('second', 'b'));
      expect(await harness.outbox.commit([message('first', 'a')])).toEqual([]);
      await emptyOutbox(harness);

      expect(await harness.reported()).toEqual(['second: b']);
      expect(await harness.calls('chat.postMessage')).toHaveLength(2);
    },
  );

  it('for itself is not tried again with other content', async () => {
    await harness.faults({ kind: 'error', error: 'cannot_reply_to_message', times: 1 });
    await harness.post(message(CARD, 'v7 deploying'));

    expect(await harness.outbox.commit([message(CARD, 'v7 ready')])).toEqual([]);
  });

  it('as an edit of a deleted message is not tried again, and is no matter of the ops channel', async () => {
    await harness.post(message(CARD, 'v7 deploying'));
    await harness.deleteInSlack((await harness.accepted())[0]?.ts ?? '');

    await harness.post(message(CARD, 'v7 ready'));
    await harness.post(message(CARD, 'v7 failed'));

    expect(await harness.calls('chat.update')).toHaveLength(1);
    expect(await harness.accepted()).toHaveLength(1);
    await harness.deliverer.deliver(OPS_CHANNEL);
    expect(await harness.reported(OPS_CHANNEL)).toEqual([]);
  });
});

describe.each(['channel_not_found', 'is_archived', 'not_in_channel', 'restricted_action'])(
  'a card that a channel refused (%s)',
  (error) => {
    beforeEach(async () => {
      await harness.faults({ kind: 'error', error, times: 1 });
      await harness.post(message(CARD, 'v7 deploying'));
    });

    it('is tried again when it has changed', async () => {
      await harness.post(message(CARD, 'v7 ready', { editOnly: true }));

      expect(await harness.reported()).toEqual([`${CARD}: v7 ready`]);
    });

    it('comes before the next message in its thread', async () => {
      await harness.post(message(READY, 'v7 ready', { threadKey: CARD }));
      await harness.post(message('later', 'more', { threadKey: CARD }));

      const [card, ...replies] = await harness.accepted();
      expect(card).toMatchObject({ text: 'v7 deploying', thread_ts: null });
      expect(replies).toMatchObject([
        { text: 'v7 ready', thread_ts: card?.ts },
        { text: 'more', thread_ts: card?.ts },
      ]);
    });

    it('is refused once more, without holding up later messages', async () => {
      await harness.faults({ kind: 'error', error, times: 1 });
      await harness.post(message(READY, 'v7 ready', { threadKey: CARD }));

      expect(await harness.reported()).toEqual([`${READY}: v7 ready`]);
      expect(await harness.calls('chat.postMessage')).toHaveLength(3);
    });

    it('is held back like a new one while the channel is muted', async () => {
      await harness.outbox.commit([message(CARD, 'v7 ready', { held: 'acme/shop/api' })]);
      await harness.post(message(READY, 'v7 ready', { threadKey: CARD }));

      expect(await harness.reported()).toEqual([`${READY}: v7 ready`]);
      expect(await harness.redis.hkeys(harness.keys.held(CHANNEL))).toEqual([CARD]);
    });
  },
);
