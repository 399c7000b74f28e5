import type { Clock } from '../lib/clock.ts';
import type { Logger } from '../lib/logger.ts';
import type { Counter } from '../lib/metrics.ts';
import type { Keys } from '../store/keys.ts';
import { acquireLock } from '../store/lock.ts';
import type { Lock } from '../store/lock.ts';
import type { RedisConnection } from '../store/redis.ts';
import { createDigester } from './digest.ts';
import { createHolds } from './holds.ts';
import { createLookBack } from './look-back.ts';
import type { Outbox } from './outbox.ts';
import { createQueue } from './queue.ts';
import { createMessageRecords } from './records.ts';
import type { MessageSender } from './sender.ts';
import { createTransmitter } from './transmit.ts';

export interface DeliverDeps {
  redis: RedisConnection;
  keys: Keys;
  sender: MessageSender;
  outbox: Outbox;
  /** Told which channels have something to deliver. */
  wake: (channels: readonly string[]) => Promise<void>;
  /** Who runs the bot is told here what Slack refuses. */
  opsChannel: string;
  clock: Clock;
  logger: Logger;
  /** Messages by what became of them. */
  deliveries: Counter;
  /** Fires when the process is asked to stop: the message under way is finished, no other begun. */
  stopping: AbortSignal;
  /** Milliseconds between two posts to a channel; Slack takes about one a second. */
  spacingMs?: number;
}

export interface Deliverer {
  /**
   * Makes one channel what its outbox wants, in order, for a turn of about 10 s or 10 messages.
   * @returns true when the turn ended with something left to do now
   */
  deliver(channel: string): Promise<boolean>;
  /**
   * Channels with something to deliver that nobody holds back. To be asked every few seconds: what Slack
   * has by then is dropped from Redis, too, and a Redis that has forgotten something is noticed.
   */
  due(): Promise<string[]>;
}

/** A crash frees a channel after this time. */
const LOCK_MS = 10_000;
const POST_SPACING_MS = 1_000;
/** A turn is short, so that a busy channel leaves the workers to the others. */
const TURN_MS = 10_000;
const TURN_MESSAGES = 10;

/** The relay of the outbox: one channel at a time in one place at a time. */
export function createDeliverer(deps: DeliverDeps): Deliverer {
  const { redis, keys, clock, stopping, spacingMs = POST_SPACING_MS } = deps;
  const queue = createQueue(redis, keys);
  const records = createMessageRecords(redis, keys, () => clock.now());
  const holds = createHolds(redis, keys);
  const lookBack = createLookBack(deps);
  const transmitter = createTransmitter({ ...deps, lookBack });
  const digest = createDigester({ ...deps, queue, records, lookBack });

  /** The channel's next message that need not wait. */
  const nextOf = async (channel: string): Promise<string | undefined> =>
    queue.next(channel, await holds.open(channel));

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

  /** Gives the channel free when it is done. */
  async function drain(channel: string, lock: Lock, turn: Turn): Promise<DrainEnd> {
    try {
      while (!stopping.aborted && lock.held()) {
        if (turn.left === 0 || clock.now() >= turn.endsAt) return 'spent';
        const key = await nextOf(channel);
        if (key === undefined) return 'idle';
        if (await digest(channel, key)) continue;
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
        // Whoever has the channel looks again after giving it back, so nothing is left lying.
        if (lock === undefined) return false;
        const end = await drain(channel, lock, turn);
        if (end === 'ended' || (await nextOf(channel)) === undefined) return false;
        if (end === 'spent') return true;
      }
    },
    async due() {
      await Promise.all([lookBack.beat(), records.forgetSent(), records.retryEdits()]);
      const due: string[] = [];
      for (const channel of await redis.smembers(keys.outboxChannels)) {
        if (await forgetEmpty(redis, keys, channel)) continue;
        if ((await redis.exists(keys.lock(`deliver:${channel}`))) === 1) continue;
        if ((await nextOf(channel)) !== undefined) due.push(channel);
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

const FORGET_EMPTY = `
if redis.call('ZCARD', KEYS[1]) > 0 then return 0 end
redis.call('SREM', KEYS[2], ARGV[1])
return 1`;

async function forgetEmpty(redis: RedisConnection, keys: Keys, channel: string): Promise<boolean> {
  const outbox = keys.outbox(channel);
  return (await redis.eval(FORGET_EMPTY, 2, outbox, keys.outboxChannels, channel)) === 1;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, signal.aborted ? 0 : ms);
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
    signal.addEventListener('abort', done, { once: true });
  });
}
