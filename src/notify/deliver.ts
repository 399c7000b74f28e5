import { setTimeout as sleep } from 'node:timers/promises';
import type { JobKind } from '../jobs/jobs.ts';
import type { Metrics } from '../lib/metrics.ts';
import { acquireLock, type Lock } from '../store/redis.ts';
import { createBatcher, createQueue } from './queue.ts';
import { createLookBack } from './channels.ts';
import { createMessageRecords } from './records.ts';
import { createTransmitter, type Delivery } from './transmit.ts';

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
