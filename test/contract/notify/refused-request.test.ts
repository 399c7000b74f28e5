import { beforeEach, describe, expect, it } from 'vitest';
import { cardKey, messagesOf } from '../../../src/changes/messages/messages.ts';
import { changeOf } from '../../support/changes.ts';
import { useRedis } from '../../support/redis.ts';
import { CHANNEL, emptyOutbox, openHarness, type Harness } from './support.ts';

const server = useRedis();
let harness: Harness;
beforeEach(async () => {
  harness = await openHarness(server.url);
});

const REQUEST = changeOf({ channel: CHANNEL });
const CARD = cardKey(REQUEST.id);

/** Delivers the messages about the request after so many reminders, as far as Slack takes them. */
async function reported(reminders: number): Promise<void> {
  await harness.outbox.commit(messagesOf({ ...REQUEST, reminders }));
  await emptyOutbox(harness);
}

/** The channel does not take the next posts. */
const refuses = (error: string, times: number) =>
  harness.faults({ kind: 'error', error, channel: CHANNEL, times });

describe.each(['not_in_channel', 'is_archived', 'channel_not_found', 'restricted_action'])(
  'the card of a request in a channel that takes no posts (%s)',
  (error) => {
    it('comes with the first reminder after it does, above it', async () => {
      await refuses(error, 1);
      await reported(0);
      expect(await harness.accepted()).toEqual([]);

      await reported(1);

      const [card, reminder, ...others] = await harness.accepted();
      expect(card).toMatchObject({
        metadata: { event_payload: { key: CARD } },
        thread_ts: null,
        edit_count: 0,
      });
      expect(reminder?.thread_ts).toBe(card?.ts);
      expect(others).toEqual([]);
    });

    it('comes with a later one, however many were refused', async () => {
      await refuses(error, 3);
      await reported(0);
      await reported(1);
      expect(await harness.accepted()).toEqual([]);

      await reported(2);

      const [card, reminder, ...others] = await harness.accepted();
      expect(card?.metadata?.event_payload.key).toBe(CARD);
      expect(reminder?.metadata?.event_payload.key).toContain('/reminder/2');
      expect(others).toEqual([]);
    });

    it('comes as it is by then, once a person has withdrawn it', async () => {
      await refuses(error, 1);
      await reported(0);

      await harness.outbox.commit(messagesOf({ ...REQUEST, state: 'withdrawn' }));
      await emptyOutbox(harness);

      const [card] = await harness.accepted();
      expect(card?.text).toContain('Withdrawn');
      expect(JSON.stringify(card?.blocks)).not.toContain('changes.review');
    });
  },
);
