import type { SendResult } from '../slack/sender.ts';
import type { Lock } from '../store/lock.ts';
import type { DeliverDeps } from './deliver.ts';
import { createHolds } from './holds.ts';
import type { Call } from './holds.ts';
import type { Message } from './message.ts';
import { createQueue } from './queue.ts';
import { createMessageRecords } from './records.ts';
import type { MessageRecord, MessageRecords } from './records.ts';
import { createRefusals } from './refusals.ts';

/** By the number of unclear ends. What was accepted is in the history after the first wait. */
const UNCLEAR_HOLDS_MS = [2_000, 4_000, 8_000, 16_000] as const;
const UNCLEAR_HOLD_CAP_MS = 30_000;
const UNSENT_HOLD_MS = 2_000;
/** Clocks of Slack and of this machine differ; look further back. */
const RECONCILE_MARGIN_MS = 15 * 60_000;
/** A post that was marked longer ago than this was held up, and someone else may have taken over. */
const MARK_TO_POST_MS = 5_000;

/** What passes by itself; any other end of kind `limited` is a token or a right that somebody has to mend. */
const PASSING = new Set(['ratelimited', 'rate_limited', 'team_added_to_org']);
/** These are about the channel and not about the message. */
const CHANNEL_ERRORS = new Set([
  'channel_not_found',
  'not_in_channel',
  'is_archived',
  'restricted_action',
  'restricted_action_read_only_channel',
]);

/** `done`: Slack has answered for good; `waiting`: it is tried later; `lost`: the channel is another's. */
type PostEnd = 'done' | 'waiting' | 'lost';

/** One call to Slack for one message, and the record of how it ended. */
export interface Transmitter {
  post(record: MessageRecord, lock: Lock): Promise<PostEnd>;
  edit(record: MessageRecord, ts: string): Promise<void>;
}

type NotSent = Exclude<SendResult, { kind: 'sent' | 'refused' }>;

/**
 * Pending mark, post with metadata, record. A post with an unclear end is looked for by its key
 * before it is sent again; where the history cannot be read it is sent again, because a doubled
 * message is seen and a lost one is not.
 */
export function createTransmitter(deps: DeliverDeps): Transmitter {
  const { sender, clock } = deps;
  const queue = createQueue(deps.redis, deps.keys);
  const records = createMessageRecords(deps.redis, deps.keys);
  const settler = createSettler(deps, records);

  /** Settles a post with an unclear end; undefined when Slack does not have it, or nobody can tell. */
  async function reconcile(
    record: MessageRecord,
    pending: NonNullable<MessageRecord['pending']>,
  ): Promise<'done' | 'waiting' | undefined> {
    const since = pending.since - RECONCILE_MARGIN_MS;
    const found = await sender.find(record.message, since, pending.threadTs);
    switch (found.kind) {
      case 'found':
        deps.deliveries.inc({ result: 'reconciled' });
        // Which revision went out is not known, so an edit makes sure of the last.
        await records.markSent(record.message, found.ts, 0);
        return 'done';
      case 'absent':
      case 'unknown':
        return undefined;
      case 'limited':
      case 'unsent':
      case 'unclear':
        return settler.wait(record, 'post', found);
    }
  }

  /** Whether a root that waits, too, has to be there first. */
  async function linesUp({ message }: MessageRecord, root: MessageRecord): Promise<boolean> {
    if (root.ts !== undefined || root.dead !== undefined) return false;
    if (root.alone) return false;
    // The message that tells the root may have come after the reply.
    return root.message.key !== message.threadKey && queue.moveBefore(root.message, message);
  }

  return {
    async post(record, lock) {
      const { channel, threadKey } = record.message;
      if (record.pending !== undefined) {
        const end = await reconcile(record, record.pending);
        if (end !== undefined) return end;
      }
      const root =
        threadKey === undefined ? undefined : await records.readTeller(channel, threadKey);
      if (root !== undefined && (await linesUp(record, root))) return 'waiting';
      const mark = { since: clock.now(), threadTs: root?.ts };
      const owner = await records.markPending(record, lock, mark);
      if (!owner || !lock.held() || clock.now() - mark.since > MARK_TO_POST_MS) return 'lost';
      return settler.settle(record, 'post', await sender.post(record.message, root?.ts));
    },
    async edit(record, ts) {
      const result = await sender.update(record.message, ts);
      await settler.settle(record, 'edit', result.kind === 'sent' ? { kind: 'sent', ts } : result);
    },
  };
}

/** What follows from the end of a call. */
interface Settler {
  settle(record: MessageRecord, call: Call, result: SendResult): Promise<'done' | 'waiting'>;
  /** Calls of this kind wait in the whole channel, so that the order stays. */
  wait(record: MessageRecord, call: Call, end: NotSent): Promise<'waiting'>;
}

function createSettler(deps: DeliverDeps, records: MessageRecords): Settler {
  const holds = createHolds(deps.redis, deps.keys);
  const refusals = createRefusals(deps);

  async function wait({ message }: MessageRecord, call: Call, end: NotSent): Promise<'waiting'> {
    const { channel, key } = message;
    const ms = await waitOf(message, end);
    deps.logger.warn({ channel, key, error: end.error, waitMs: ms }, 'A message has to wait');
    await holds.set(channel, call, ms);
    return 'waiting';
  }

  async function waitOf(message: Message, end: NotSent): Promise<number> {
    if (end.kind === 'limited') return end.retryAfterMs;
    if (end.kind === 'unsent') return UNSENT_HOLD_MS;
    return UNCLEAR_HOLDS_MS[(await records.markUnclear(message)) - 1] ?? UNCLEAR_HOLD_CAP_MS;
  }

  async function giveUp(message: Message, call: Call, error: string): Promise<'done'> {
    const isOfChannel = CHANNEL_ERRORS.has(error);
    // An edit that is refused for itself is of a message that somebody deleted.
    if (call === 'post' || isOfChannel) await refusals.refused(message, error);
    await (isOfChannel ? records.markRefused(message, error) : records.markDead(message, error));
    return 'done';
  }

  async function settle(
    record: MessageRecord,
    call: Call,
    result: SendResult,
  ): Promise<'done' | 'waiting'> {
    const { channel, key } = record.message;
    deps.deliveries.inc({ result: result.kind });
    switch (result.kind) {
      case 'sent':
        await records.markSent(record.message, result.ts, record.revision);
        if (call === 'post') await refusals.worked(channel);
        return 'done';
      case 'limited':
        await records.clearPending(record.message);
        if (!PASSING.has(result.error)) await refusals.refused(record.message, result.error);
        return wait(record, call, result);
      case 'unsent':
        await records.clearPending(record.message);
        return wait(record, call, result);
      case 'unclear':
        return wait(record, call, result);
      case 'refused':
        deps.logger.error({ channel, key, error: result.error }, 'Slack refuses a message');
        return giveUp(record.message, call, result.error);
    }
  }

  return { settle, wait };
}
