import { setTimeout as sleep } from 'node:timers/promises';
import type { JobKind } from '../jobs/jobs.ts';
import type { Logger } from '../lib/logger.ts';
import type { Counter, Metrics } from '../lib/metrics.ts';
import type { Clock } from '../lib/time.ts';
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
import { createBatcher, createQueue, type Queue, type SlackCall } from './queue.ts';
import {
  createMessageRecords,
  type MessagePlace,
  type MessageRecord,
  type MessageRecords,
} from './records.ts';

export interface Deliverer {
  /**
   * Makes one channel what its outbox wants, in order, for a turn of about 10 s or 10 messages.
   * @returns true when the turn ended with something left to do now
   */
  deliver(channel: string): Promise<boolean>;
  /**
   * Channels that have something to deliver now. To be called every few seconds: it also drops from Redis
   * what Slack has by then, and notices a Redis that has forgotten something.
   */
  due(): Promise<string[]>;
}

/** A crash frees a channel after this time. */
const LOCK_MS = 10_000;
const POST_SPACING_MS = 1_000;
/** A turn is short, so that a busy channel leaves the workers to the others. */
const TURN_MS = 10_000;
const TURN_MESSAGES = 10;

/**
 * The relay of the outbox: one channel at a time in one place at a time.
 * @param delivery `stopping` is aborted when the process is asked to stop: the message under way is
 *   finished, no other begun. `spacingMs`: milliseconds between two posts to a channel; Slack takes about
 *   one a second
 */
export function createDeliverer(
  delivery: Delivery & { stopping: AbortSignal; spacingMs?: number },
): Deliverer {
  const { redis, keys, clock, stopping, spacingMs = POST_SPACING_MS } = delivery;
  const queue = createQueue(redis, keys);
  const records = createMessageRecords(redis, keys, () => clock.now());
  const lookBack = createLookBack(delivery);
  const stored = { ...delivery, queue, records, lookBack };
  const transmitter = createTransmitter(stored);
  const batch = createBatcher(stored);

  /** False when the channel is another's by now. */
  async function deliverNext(channel: string, key: string, lock: Lock): Promise<boolean> {
    const record = await records.read(channel, key);
    if (record === undefined || record.dead !== undefined) {
      await queue.drop(channel, key);
      return true;
    }
    const { ts } = record;
    if (ts !== undefined) return (await transmitter.edit(record, ts, lock)) !== 'lost';
    const end = await transmitter.post(record, lock);
    if (end === 'done') await pause(spacingMs, stopping);
    return end !== 'lost';
  }

  /** Releases the lock when it is done. */
  async function drain(channel: string, lock: Lock, turn: Turn): Promise<DrainEnd> {
    try {
      while (!stopping.aborted && lock.held()) {
        if (turn.left === 0 || clock.now() >= turn.endsAt) return 'spent';
        const key = await queue.next(channel);
        if (key === undefined) return 'idle';
        if (await batch(channel, key)) continue;
        turn.left -= 1;
        if (!(await deliverNext(channel, key, lock))) return 'ended';
      }
      return 'ended';
    } finally {
      await lock.release();
    }
  }

  return {
    async deliver(channel) {
      const turn: Turn = { left: TURN_MESSAGES, endsAt: clock.now() + TURN_MS };
      for (;;) {
        const lock = await acquireLock(redis, keys.lock(`deliver:${channel}`), LOCK_MS);
        // The process that has the channel checks again after giving it back, so nothing is left behind.
        if (lock === undefined) return false;
        const end = await drain(channel, lock, turn);
        if (end === 'ended' || (await queue.next(channel)) === undefined) return false;
        if (end === 'spent') return true;
      }
    },
    async due() {
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

/** `idle`: nothing can be done now; `spent`: the turn is over; `ended`: it is no longer ours to do. */
type DrainEnd = 'idle' | 'spent' | 'ended';

/** What is left of one call of `deliver`: messages, and milliseconds since the epoch. */
interface Turn {
  left: number;
  readonly endsAt: number;
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}

/** How often leftovers are looked for. Milliseconds. */
const SWEEP_MS = 2_000;

/**
 * The relay of the outbox: at once when something is written, and by a regular sweep after a crash.
 * @param alsoDue what the sweep does besides: messages that become due by time alone
 */
export function createDeliveryJobs(
  services: Omit<Delivery, 'opsChannel' | 'deliveries'> & {
    metrics: Metrics;
    config: { channels: { ops: string } };
    stopping: AbortSignal;
  },
  alsoDue: () => Promise<void>,
): JobKind[] {
  const { config, metrics, wake } = services;
  const deliverer = createDeliverer({
    ...services,
    opsChannel: config.channels.ops,
    deliveries: metrics.counter('purser_deliveries_total', 'Messages by what became of them'),
  });
  return [
    {
      queue: 'notifications',
      name: 'deliver',
      run: async ({ channel }) => {
        if (channel === undefined) return;
        // A busy channel lets others go in between.
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

/** By the number of unclear ends. What was accepted is in the history after the first wait. */
const UNCLEAR_WAITS_MS = [2_000, 4_000, 8_000, 16_000] as const;
const UNCLEAR_WAIT_CAP_MS = 30_000;
const UNSENT_WAIT_MS = 2_000;
/** A post that was marked longer ago than this was held up, and another process may have taken over. */
const MARK_TO_POST_MS = 5_000;

/** What passes by itself; any other end of kind `limited` is a token or a right that a person has to mend. */
const PASSING = new Set(['ratelimited', 'rate_limited', 'team_added_to_org']);
/** These are about the channel and not about the message. */
const CHANNEL_ERRORS = new Set([
  'channel_not_found',
  'not_in_channel',
  'is_archived',
  'restricted_action',
  'restricted_action_read_only_channel',
  'restricted_action_thread_only_channel',
]);
/** What Slack says of the edit of a message that is there: too old for the workspace's rules, or another app's. */
const CLOSED_ERRORS = new Set(['edit_window_closed', 'cant_update_message']);
/** Where edits are hardly allowed at all, there is not a new card with each of them. Milliseconds. */
const REOPEN_MS = 10 * 60_000;
/** Of an edit: the message was deleted in Slack. */
const DELETED = 'message_not_found';

/** What every delivery works with. */
export interface Delivery {
  redis: RedisConnection;
  keys: Keys;
  sender: MessageSender;
  outbox: Outbox;
  /** Told which channels have something to deliver. */
  wake: (channels: readonly string[]) => Promise<void>;
  /** Gets a message about what Slack refuses, for the people who run the bot. */
  opsChannel: string;
  clock: Clock;
  logger: Logger;
  /** Messages by what became of them. */
  deliveries: Counter;
}

/** A delivery with what it keeps in Redis. */
interface StoredDelivery extends Delivery {
  queue: Queue;
  records: MessageRecords;
  lookBack: LookBack;
}

/** `done`: Slack has answered for good; `waiting`: it is tried later; `lost`: the channel is another's. */
type CallEnd = 'done' | 'waiting' | 'lost';
/** The end of a call under a lock that was still held. */
type OwnEnd = Exclude<CallEnd, 'lost'>;

/** One call to Slack for one message, and the record of how it ended. */
interface Transmitter {
  post(record: MessageRecord, lock: Lock): Promise<CallEnd>;
  edit(record: MessageRecord, ts: string, lock: Lock): Promise<CallEnd>;
}

type PendingPost = NonNullable<MessageRecord['pending']>;
type NotSent = Exclude<SendResult, { kind: 'sent' | 'refused' }>;

/**
 * Pending mark, post with metadata, record. A post with an unclear end is looked for by its key
 * before it is sent again; where the history cannot be read it is sent again, because a doubled
 * message is seen and a lost one is not.
 */
function createTransmitter(delivery: StoredDelivery): Transmitter {
  const { sender, clock, queue, records, lookBack } = delivery;
  const results = createResultHandler(delivery);
  const searches = createSearchHandler(delivery, results);

  /** Whether a root that waits, too, has to be posted first. */
  async function waitsForRoot({ message }: MessageRecord, root: MessagePlace): Promise<boolean> {
    if (root.ts !== undefined || root.dead !== undefined) return false;
    if (root.alone) return false;
    // The message that tells the root, or a new post of it, may have come after the reply.
    const isLater = root.key !== message.threadKey || root.older.length > 0;
    return isLater && queue.moveBefore(root, message);
  }

  const mayReopen = ({ reopenedAt }: MessageRecord): boolean =>
    clock.now() - reopenedAt >= REOPEN_MS;

  return {
    async post(record, lock) {
      const { channel, threadKey } = record.message;
      if (record.pending !== undefined) {
        const end = await searches.reconcile(record, record.pending);
        if (end !== undefined) return end;
      }
      const root =
        threadKey === undefined ? undefined : await records.readTeller(channel, threadKey);
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
    async edit(record, ts, lock) {
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

/** A message whose older post cannot be edited any more: it says that it goes on from there. */
export function continued<T extends MessageContent>(message: T): T {
  const note = mrkdwn`Goes on from an older message, which Slack does not let Purser edit any more.`;
  const { blocks } = message;
  const room = blocks.length > 0 && blocks.length < LIMITS.messageBlocks;
  return {
    ...message,
    text: topText(mrkdwn`${new Mrkdwn(message.text)} (${lower(note)})`),
    blocks: room ? [...blocks, context(note)] : blocks,
  };
}

function lower({ text }: Mrkdwn): Mrkdwn {
  return new Mrkdwn(`${text.charAt(0).toLowerCase()}${text.slice(1, -1)}`);
}

/**
 * Handles posts that may be there already. Each gives undefined when Slack does not have the message, or
 * it cannot be told.
 */
function createSearchHandler(delivery: StoredDelivery, results: ResultHandler) {
  const { sender, clock, records } = delivery;

  /** Looks for a post with an unclear end. */
  async function reconcile(
    record: MessageRecord,
    pending: PendingPost,
  ): Promise<OwnEnd | undefined> {
    const { message, older } = record;
    // The mark may be by this machine's clock: if that is ahead of Slack's, the search goes back further.
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
      case 'told':
        await records.markDead(record.message, `told in ${found.by}`);
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
      // Where it can never be shown, it is told again.
      if (shown.kind === 'refused') return undefined;
      if (shown.kind !== 'sent') return results.wait(record, 'post', shown);
    }
    delivery.deliveries.inc({ result: 'reconciled' });
    // Which revision went out is not known, so an edit makes sure of the last.
    await records.markSent(record.message, ts, hidden ? record.revision : 0);
    return 'done';
  }

  return { reconcile, accept };
}

type ResultHandler = ReturnType<typeof createResultHandler>;

/** What follows from the result of a call. */
function createResultHandler(delivery: StoredDelivery) {
  const { queue, records, logger } = delivery;
  const refusals = createRefusals(delivery);

  /** Calls of this kind wait in the whole channel, so that the order stays. */
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
    // An edit that is refused for itself is of a message that was deleted.
    if (call === 'post' || isOfChannel) await refusals.refused(message, error);
    const isClosed = call === 'edit' && CLOSED_ERRORS.has(error);
    if (isClosed) await records.markRefused(message, error, record.reopenedAt + REOPEN_MS);
    else if (isOfChannel) await records.markRefused(message, error);
    else await records.markDead(message, error);
    return 'done';
  }

  async function record(sent: MessageRecord, call: SlackCall, result: SendResult): Promise<OwnEnd> {
    const { channel, key } = sent.message;
    delivery.deliveries.inc({ result: result.kind });
    switch (result.kind) {
      case 'sent':
        await records.markSent(sent.message, result.ts, sent.revision);
        if (call === 'post') await refusals.worked(channel);
        return 'done';
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
