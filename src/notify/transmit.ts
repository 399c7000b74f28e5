import type { Lock } from '../store/lock.ts';
import type { DeliverDeps } from './deliver.ts';
import { createMessageRecords } from './records.ts';
import type { MessageRecord } from './records.ts';
import type { SendResult } from './sender.ts';

/** After an unclear end: what was accepted is in the history by then. */
const UNCLEAR_HOLD_MS = 2_000;
const UNSENT_HOLD_MS = 2_000;
/** Clocks of Slack and of this machine differ; look further back. */
const RECONCILE_MARGIN_MS = 15 * 60_000;
/** A post that was marked longer ago than this was held up, and someone else may have taken over. */
const MARK_TO_POST_MS = 5_000;

/** One call to Slack for one message, and the record of how it ended. */
export interface Transmitter {
  /** Posts a message that Slack may or may not have. True to go on with the channel's next message. */
  post(record: MessageRecord, lock: Lock): Promise<boolean>;
  edit(record: MessageRecord, ts: string): Promise<boolean>;
}

/**
 * Pending mark, post with metadata, record. A post with an unclear end is looked for by its key
 * before it is sent again; where the history cannot be read it is sent again, because a doubled
 * message is seen and a lost one is not.
 */
export function createTransmitter(deps: DeliverDeps): Transmitter {
  const { sender, clock, deliveries } = deps;
  const records = createMessageRecords(deps.redis, deps.keys);

  /** The channel waits, and with it the message that is first in its outbox. */
  async function hold({ message }: MessageRecord, ms: number, error: string): Promise<false> {
    const { channel, key } = message;
    deps.logger.warn({ channel, key, error, waitMs: ms }, 'A message has to wait for Slack');
    await deps.redis.set(deps.keys.hold(channel), '1', 'PX', Math.max(1, Math.ceil(ms)));
    return false;
  }

  async function settle(record: MessageRecord, result: SendResult): Promise<boolean> {
    const { channel, key } = record.message;
    deliveries.inc({ result: result.kind });
    switch (result.kind) {
      case 'sent':
        await records.markSent(record.message, result.ts, record.revision);
        return true;
      case 'limited':
        await records.clearPending(record.message);
        return hold(record, result.retryAfterMs, result.error);
      case 'unsent':
        await records.clearPending(record.message);
        return hold(record, UNSENT_HOLD_MS, result.error);
      case 'unclear':
        return hold(record, UNCLEAR_HOLD_MS, result.error);
      case 'refused':
        deps.logger.error({ channel, key, error: result.error }, 'Slack refuses a message');
        await records.markDead(record.message, result.error);
        return true;
    }
  }

  return {
    async post(record, lock) {
      const { channel, threadKey } = record.message;
      const parent =
        threadKey === undefined ? undefined : (await records.read(channel, threadKey))?.ts;
      if (record.pendingSince !== undefined) {
        const since = record.pendingSince - RECONCILE_MARGIN_MS;
        const found = await sender.find(record.message, since, parent);
        if (found.kind === 'limited') return hold(record, found.retryAfterMs, found.error);
        if (found.kind === 'found') {
          deliveries.inc({ result: 'reconciled' });
          // Which revision went out is not known, so an edit makes sure of the last.
          await records.markSent(record.message, found.ts, 0);
          return true;
        }
      }
      const marked = clock.now();
      const owner = await records.markPending(record, lock.key, lock.token, marked);
      if (!owner || !lock.held() || clock.now() - marked > MARK_TO_POST_MS) return false;
      return settle(record, await sender.post(record.message, parent));
    },
    async edit(record, ts) {
      const result = await sender.update(record.message, ts);
      return settle(record, result.kind === 'sent' ? { kind: 'sent', ts } : result);
    },
  };
}
