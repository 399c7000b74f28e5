import type { Clock } from '../lib/clock.ts';
import type { Logger } from '../lib/logger.ts';
import type { Counter } from '../lib/metrics.ts';
import type { Keys } from '../store/keys.ts';
import { acquireLock } from '../store/lock.ts';
import type { Lock } from '../store/lock.ts';
import type { RedisConnection } from '../store/redis.ts';
import { createMessageRecords } from './records.ts';
import type { MessageSender } from './sender.ts';
import { createTransmitter } from './transmit.ts';

export interface DeliverDeps {
  redis: RedisConnection;
  keys: Keys;
  sender: MessageSender;
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
  /** Makes one channel what its outbox wants, in order. Ends early when the channel has to wait. */
  deliver(channel: string): Promise<void>;
  /** Channels with something to deliver that nobody holds back. */
  due(): Promise<string[]>;
}

/** A crash frees a channel after this time. */
const LOCK_MS = 10_000;
const POST_SPACING_MS = 1_000;

/** The relay of the outbox: one channel at a time in one place at a time. */
export function createDeliverer(deps: DeliverDeps): Deliverer {
  const { redis, keys, stopping, spacingMs = POST_SPACING_MS } = deps;
  const records = createMessageRecords(redis, keys);
  const transmitter = createTransmitter(deps);

  /** True to go on with the channel's next message. */
  async function deliverNext(channel: string, key: string, lock: Lock): Promise<boolean> {
    const record = await records.read(channel, key);
    if (record === undefined || record.dead !== undefined) {
      await records.drop(channel, key);
      return true;
    }
    if (record.ts !== undefined) return transmitter.edit(record, record.ts);
    const goOn = await transmitter.post(record, lock);
    if (goOn) await pause(spacingMs, stopping);
    return goOn;
  }

  /** True when the outbox is empty, false when the channel has to wait. */
  async function drain(channel: string, lock: Lock): Promise<boolean> {
    while (!stopping.aborted && lock.held()) {
      if ((await redis.exists(keys.hold(channel))) === 1) return false;
      const key = await records.next(channel);
      if (key === undefined) return true;
      if (!(await deliverNext(channel, key, lock))) return false;
    }
    return false;
  }

  return {
    async deliver(channel) {
      let more = true;
      while (more) {
        const lock = await acquireLock(redis, keys.lock(`deliver:${channel}`), LOCK_MS);
        // Whoever has the channel looks again after giving it back, so nothing is left lying.
        if (lock === undefined) return;
        let empty = false;
        try {
          empty = await drain(channel, lock);
        } finally {
          await lock.release();
        }
        more = empty && (await redis.zcard(keys.outbox(channel))) > 0;
      }
    },
    async due() {
      const due: string[] = [];
      for (const channel of await redis.smembers(keys.outboxChannels)) {
        if (await forgetEmpty(redis, keys, channel)) continue;
        const lock = keys.lock(`deliver:${channel}`);
        if ((await redis.exists(keys.hold(channel), lock)) === 0) due.push(channel);
      }
      return due;
    },
  };
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
