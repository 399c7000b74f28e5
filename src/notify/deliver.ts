import { setTimeout as sleep } from 'node:timers/promises';
import type { JobKind } from '../jobs/jobs.ts';
import type { Logger } from '../lib/logger.ts';
import type { Clock } from '../lib/time.ts';
import { record as metrics } from '../metrics.ts';
import { context, topText } from '../slack/kit/blocks.ts';
import { LIMITS, mrkdwn, Mrkdwn } from '../slack/kit/text.ts';
import type { SendResult } from '../slack/sender.ts';
import { acquireLock, type Keys, type Lock, type RedisConnection } from '../store/redis.ts';
import { createLookBack, createRefusals, type LookBack, type SearchResult } from './channels.ts';
import {
  LOOK_MARGIN_MS,
  type Message,
  type MessageContent,
  type MessageSender,
} from './message.ts';
import type { Outbox } from './outbox.ts';
import { createQueue, type Queue, type SlackCall } from './queue.ts';
import {
  createMessageRecords,
  type MessagePlace,
  type MessageRecord,
  type MessageRecords,
} from './records.ts';

export type Deliverer = ReturnType<typeof createDeliverer>;

/** After a crash a channel is free after this time. */
const LOCK_MS = 10_000;
const POST_SPACING_MS = 1_000;
/** Short, so that a busy channel leaves the workers to the others. */
const TURN_MS = 10_000;
const TURN_MESSAGES = 10;

/**
 * The relay of the outbox: each channel by one process at a time.
 * @param delivery `stopping` is aborted when the process is asked to stop: the message under way is
 *   finished, no other begun. `spacingMs`: milliseconds between two posts to a channel; Slack takes about one
 *   a second
 */
export function createDeliverer(
  delivery: Delivery & { stopping: AbortSignal; spacingMs?: number },
) {
  const { redis, keys, clock, stopping, spacingMs = POST_SPACING_MS } = delivery;
  const queue = createQueue(redis, keys);
  const records = createMessageRecords(redis, keys, () => clock.now());
  const lookBack = createLookBack(delivery);
  const stored = { ...delivery, queue, records, lookBack };
  const transmitter = createTransmitter(stored);

  async function deliverNext(channel: string, key: string, lock: Lock): Promise<boolean> {
    const record = await records.read(channel, key);
    if (record === undefined || record.dead !== undefined) {
      await queue.drop(channel, key);
      return true;
    }
    const { ts } = record;
    if (ts !== undefined) return (await transmitter.edit(record, ts, lock)) !== 'lost';
    const end = await transmitter.post(record, lock);
    if (end === 'done') {
      await sleep(spacingMs, undefined, { signal: stopping }).catch(() => undefined);
    }
    return end !== 'lost';
  }

  async function drain(channel: string, lock: Lock, turn: Turn): Promise<DrainEnd> {
    try {
      while (!stopping.aborted && lock.held()) {
        if (turn.left === 0 || clock.now() >= turn.endsAt) return 'spent';
        const key = await queue.next(channel);
        if (key === undefined) return 'idle';
        turn.left -= 1;
        if (!(await deliverNext(channel, key, lock))) return 'ended';
      }
      return 'ended';
    } finally {
      await lock.release();
    }
  }

  return {
    /**
     * Delivers the outbox of a channel in order, for a turn of about 10 s or 10 messages.
     * @returns true when the turn ended with deliverable messages left
     */
    async deliver(channel: string): Promise<boolean> {
      const turn: Turn = { left: TURN_MESSAGES, endsAt: clock.now() + TURN_MS };
      for (;;) {
        const lock = await acquireLock(redis, keys.lock(`deliver:${channel}`), LOCK_MS);
        // Its owner checks again after releasing it, so nothing is left behind.
        if (lock === undefined) return false;
        const end = await drain(channel, lock, turn);
        if (end === 'ended' || (await queue.next(channel)) === undefined) return false;
        if (end === 'spent') return true;
      }
    },
    /**
     * Channels that have something to deliver now. To be called every few seconds: it also drops sent content
     * from Redis, and notices a Redis that has lost data.
     */
    async due(): Promise<string[]> {
      await Promise.all([lookBack.noteRun(), records.forgetSent(), records.retryEdits()]);
      const due: string[] = [];
      for (const channel of await redis.smembers(keys.outboxChannels)) {
        if (await queue.forgetEmpty(channel)) continue;
        if ((await redis.exists(keys.lock(`deliver:${channel}`))) === 1) continue;
        if ((await queue.next(channel)) !== undefined) due.push(channel);
      }
      return due;
    },
  };
}

/** `idle`: nothing to do now; `spent`: the turn is over; `ended`: stopped, or the lock was lost. */
type DrainEnd = 'idle' | 'spent' | 'ended';

/** The rest of a turn: messages, and its end in milliseconds since the epoch. */
interface Turn {
  left: number;
  readonly endsAt: number;
}

const SWEEP_MS = 2_000;

/**
 * The relay of the outbox: at once after a write, and by a regular sweep after a crash.
 * @param alsoDue another task of the sweep: messages that become due by time alone
 */
export function createDeliveryJobs(
  services: Omit<Delivery, 'opsChannel'> & {
    config: { channels: { ops: string } };
    stopping: AbortSignal;
  },
  alsoDue: () => Promise<void>,
): JobKind[] {
  const { config, wake } = services;
  const deliverer = createDeliverer({ ...services, opsChannel: config.channels.ops });
  return [
    {
      queue: 'notifications',
      name: 'deliver',
      run: async ({ channel }) => {
        if (channel === undefined) return;
        // A busy channel lets others run in between.
        if (await deliverer.deliver(channel)) await wake([channel]);
      },
    },
    {
      queue: 'notifications',
      name: 'sweep',
      every: SWEEP_MS,
      run: async () => {
        await wake(await deliverer.due());
        await alsoDue();
      },
    },
  ];
}

/** By the number of unclear results. An accepted post is in the history after the first wait. */
const UNCLEAR_WAITS_MS = [2_000, 4_000, 8_000, 16_000] as const;
const UNCLEAR_WAIT_CAP_MS = 30_000;
const UNSENT_WAIT_MS = 2_000;
/** If more time has passed since the mark, another process may have taken over. */
const MARK_TO_POST_MS = 5_000;

/** Temporary; any other result of kind `limited` is a token or scope that people have to fix. */
const PASSING = new Set(['ratelimited', 'rate_limited', 'team_added_to_org']);
/** These concern the channel, not the message. */
const CHANNEL_ERRORS = new Set([
  'channel_not_found',
  'not_in_channel',
  'is_archived',
  'restricted_action',
  'restricted_action_read_only_channel',
  'restricted_action_thread_only_channel',
]);
/** The message exists and cannot be edited: too old for the workspace's rules, or another app's. */
const CLOSED_ERRORS = new Set(['edit_window_closed', 'cant_update_message']);
/** Where edits are rarely allowed, not every edit may become a new post. Milliseconds. */
const REOPEN_MS = 10 * 60_000;
/** Of an edit: the message was deleted in Slack. */
const DELETED = 'message_not_found';

export interface Delivery {
  redis: RedisConnection;
  keys: Keys;
  sender: MessageSender;
  outbox: Outbox;
  wake: (channels: readonly string[]) => Promise<void>;
  opsChannel: string;
  clock: Clock;
  logger: Logger;
}

interface StoredDelivery extends Delivery {
  queue: Queue;
  records: MessageRecords;
  lookBack: LookBack;
}

/** `done`: Slack's answer is final; `waiting`: retried later; `lost`: the channel's lock was lost. */
type CallEnd = 'done' | 'waiting' | 'lost';
type OwnEnd = Exclude<CallEnd, 'lost'>;

type PendingPost = NonNullable<MessageRecord['pending']>;
type NotSent = Exclude<SendResult, { kind: 'sent' | 'refused' }>;

/**
 * Mark as pending, post with metadata, record. A post with an unclear result is searched for by its key
 * before it is sent again; if the history cannot be read it is sent again, because a duplicate is seen and a
 * loss is not.
 */
function createTransmitter(delivery: StoredDelivery) {
  const { sender, clock, queue, records, lookBack } = delivery;
  const results = createResultHandler(delivery);
  const searches = createSearchHandler(delivery, results);

  /** Whether the root is waiting, too, and was moved before this reply. */
  async function waitsForRoot({ message }: MessageRecord, root: MessagePlace): Promise<boolean> {
    if (root.ts !== undefined || root.dead !== undefined) return false;
    if (root.alone) return false;
    // The message posted instead of the root, or a new post of the root, may be queued after the reply.
    const isLater = root.key !== message.threadKey || root.older.length > 0;
    return isLater && queue.moveBefore(root, message);
  }

  const mayReopen = ({ reopenedAt }: MessageRecord): boolean =>
    clock.now() - reopenedAt >= REOPEN_MS;

  return {
    async post(record: MessageRecord, lock: Lock): Promise<CallEnd> {
      const { channel, threadKey } = record.message;
      if (record.pending !== undefined) {
        const end = await searches.reconcile(record, record.pending);
        if (end !== undefined) return end;
      }
      const root =
        threadKey === undefined ? undefined : await records.readPlace(channel, threadKey);
      if (root !== undefined && (await waitsForRoot(record, root))) return 'waiting';
      const threadTs = root?.dead === DELETED ? undefined : root?.ts;
      const found = await lookBack.find(record.message, threadTs, record.older);
      const end = await searches.accept(record, found);
      if (end !== undefined) return end;
      const since = (await sender.time()) ?? clock.now();
      const marked = clock.now();
      const owner = await records.markPending(record, lock, { since, threadTs });
      if (!owner || !lock.held() || clock.now() - marked > MARK_TO_POST_MS) return 'lost';
      return results.record(record, 'post', await sender.post(contentOf(record), threadTs));
    },
    async edit(record: MessageRecord, ts: string, lock: Lock): Promise<CallEnd> {
      if (!lock.held()) return 'lost';
      const result = await sender.update(contentOf(record), ts);
      const end = result.kind === 'sent' ? { kind: result.kind, ts } : result;
      if (end.kind === 'refused' && CLOSED_ERRORS.has(end.error) && mayReopen(record)) {
        const { channel, key } = record.message;
        delivery.logger.warn({ channel, key, error: end.error }, 'A message is posted again');
        await records.markClosed(record.message, ts);
        return 'done';
      }
      return results.record(record, 'edit', end);
    },
  };
}

function contentOf({ message, older }: MessageRecord): Message {
  return older.length > 0 ? continued(message) : message;
}

const FROM_OLDER = 'from an older message, which Slack no longer lets Purser edit';

/** Marks a message as the continuation of a post that can no longer be edited. */
export function continued<T extends MessageContent>(message: T): T {
  const { blocks, text } = message;
  const room = blocks.length > 0 && blocks.length < LIMITS.messageBlocks;
  return {
    ...message,
    text: topText(mrkdwn`${new Mrkdwn(text)} (goes on ${FROM_OLDER})`),
    blocks: room ? [...blocks, context(mrkdwn`Goes on ${FROM_OLDER}.`)] : blocks,
  };
}

/**
 * Handles posts that may exist already. Each function returns undefined when Slack does not have the message,
 * or its history cannot be read.
 */
function createSearchHandler(delivery: StoredDelivery, results: ResultHandler) {
  const { sender, clock, records } = delivery;

  async function reconcile(
    record: MessageRecord,
    pending: PendingPost,
  ): Promise<OwnEnd | undefined> {
    const { message, older } = record;
    // The mark may be by this machine's clock: if that is ahead of Slack's, the search starts earlier.
    const ahead = Math.max(0, clock.now() - ((await sender.time()) ?? clock.now()));
    const since = pending.since - ahead - LOOK_MARGIN_MS;
    return accept(record, await sender.find(message, since, pending.threadTs, older));
  }

  async function accept(
    record: MessageRecord,
    found: SearchResult | undefined,
  ): Promise<OwnEnd | undefined> {
    switch (found?.kind) {
      case 'found':
        return acceptPost(record, found);
      case 'covered':
        await records.markDead(record.message, `posted in ${found.by}`);
        return 'done';
      case 'limited':
      case 'unsent':
      case 'unclear':
        return results.wait(record, 'post', found);
      case 'absent':
      case 'unknown':
      case undefined:
        return undefined;
    }
  }

  async function acceptPost(
    record: MessageRecord,
    { ts, hidden = false }: { ts: string; hidden?: boolean },
  ): Promise<OwnEnd | undefined> {
    if (hidden) {
      const shown = await sender.update(contentOf(record), ts, true);
      // If it can never be shown, it is posted again.
      if (shown.kind === 'refused') return undefined;
      if (shown.kind !== 'sent') return results.wait(record, 'post', shown);
    }
    metrics.deliveries.inc({ result: 'reconciled' });
    // The posted revision is unknown, so an edit brings the last.
    await records.markSent(record.message, ts, hidden ? record.revision : 0);
    return 'done';
  }

  return { reconcile, accept };
}

type ResultHandler = ReturnType<typeof createResultHandler>;

function createResultHandler(delivery: StoredDelivery) {
  const { queue, records, logger } = delivery;
  const refusals = createRefusals(delivery);

  /** Calls of this kind wait in the whole channel, which keeps the order. */
  async function wait(
    { message }: MessageRecord,
    call: SlackCall,
    result: NotSent,
  ): Promise<'waiting'> {
    const { channel, key } = message;
    const ms = await waitOf(message, result);
    logger.warn({ channel, key, error: result.error, waitMs: ms }, 'A message has to wait');
    await queue.backOff(channel, call, ms);
    return 'waiting';
  }

  async function waitOf(message: Message, result: NotSent): Promise<number> {
    if (result.kind === 'limited') return result.retryAfterMs;
    if (result.kind === 'unsent') return UNSENT_WAIT_MS;
    return UNCLEAR_WAITS_MS[(await queue.defer(message)) - 1] ?? UNCLEAR_WAIT_CAP_MS;
  }

  async function giveUp(record: MessageRecord, call: SlackCall, error: string): Promise<'done'> {
    const { message } = record;
    const isOfChannel = CHANNEL_ERRORS.has(error);
    // An edit refused for any other reason is of a deleted message.
    if (call === 'post' || isOfChannel) await refusals.refused(message, error);
    const isClosed = call === 'edit' && CLOSED_ERRORS.has(error);
    if (isClosed) await records.markRefused(message, error, record.reopenedAt + REOPEN_MS);
    else if (isOfChannel) await records.markRefused(message, error);
    else await records.markDead(message, error);
    return 'done';
  }

  async function record(sent: MessageRecord, call: SlackCall, result: SendResult): Promise<OwnEnd> {
    const { channel, key } = sent.message;
    metrics.deliveries.inc({ result: result.kind });
    switch (result.kind) {
      case 'sent': {
        const waitedMs = await records.markSent(sent.message, result.ts, sent.revision);
        if (call === 'edit') return 'done';
        if (waitedMs !== undefined) metrics.deliverySeconds.observe({}, waitedMs / 1_000);
        await refusals.worked(channel);
        return 'done';
      }
      case 'limited':
        await records.restorePending(sent);
        if (!PASSING.has(result.error)) await refusals.refused(sent.message, result.error);
        return wait(sent, call, result);
      case 'unsent':
        await records.restorePending(sent);
        return wait(sent, call, result);
      case 'unclear':
        return wait(sent, call, result);
      case 'refused':
        logger.error({ channel, key, error: result.error }, 'Slack refuses a message');
        return giveUp(sent, call, result.error);
    }
  }

  return { record, wait };
}
