import { Queue, QueueEvents } from 'bullmq';
import { Redis } from 'ioredis';
import { vi } from 'vitest';
import { createHarness } from '../contract/app/harness.ts';
import { createDurableRedis } from './durable-redis.ts';
import { until } from './until.ts';

const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
const QUEUE = 'billing';
const LATE_MS = 60_000;

/**
 * Moves the time of everything in this process: of the bot, its queues and the stand-ins. Each step begins
 * exactly an hour after the last one, however long that took, so that a slow machine sees the same hours as
 * a fast one; within a step time goes on as it does.
 * @param startMs ms since the epoch
 */
function stubDate(startMs: number) {
  const RealDate = Date;
  let beganAt = RealDate.now();
  let stepMs = startMs;
  class SteppedDate extends RealDate {
    constructor(...parts: [] | [number]) {
      super(parts.length === 0 ? SteppedDate.now() : parts[0]);
    }
    static override now(): number {
      return stepMs + RealDate.now() - beganAt;
    }
  }
  vi.stubGlobal('Date', SteppedDate);
  return {
    /** When the step began; ms since the epoch. */
    at: () => stepMs,
    next(): void {
      stepMs += HOUR_MS;
      beganAt = RealDate.now();
    },
  };
}

export type Hours = Awaited<ReturnType<typeof openHours>>;

/**
 * The bot between the stand-ins and a Redis that can go away, where time passes by the hour. The bot in it
 * knows nothing of billing until it is restarted.
 */
export async function openHours(start: string, prefix: string) {
  const time = stubDate(Date.parse(start));
  const durable = await createDurableRedis();
  const own = { REDIS_URL: durable.url, REDIS_PREFIX: prefix };
  const house = await createHarness(own);
  const looks = await watchLooks(durable.port, prefix);
  const redis = new Redis(durable.url);
  redis.on('error', () => undefined);
  const outboxes = `{${prefix}}:outbox:`;
  const deliveries = openQueue('notifications', durable.port, prefix);

  /** As if so much time had passed for every key in Redis; what lives for a minute dies by itself. */
  async function growOlder(ms: number): Promise<void> {
    for (const key of await redis.keys(`{${prefix}}:*`)) {
      const ttl = await redis.pttl(key);
      if (ttl > MINUTE_MS) await redis.pexpire(key, Math.max(1, ttl - ms));
    }
  }

  /**
   * Waits until nothing is left to be told. Where the clock was moved while a message went out, the bot takes
   * its lock for lost and leaves the next one to its sweep: here that comes at once.
   */
  const told = () =>
    until('everything to be told', async () => {
      const waiting = await redis.keys(`${outboxes}*`);
      for (const key of waiting) {
        await deliveries.add('deliver', { channel: key.slice(outboxes.length) });
      }
      return waiting.length === 0;
    });

  return {
    house,
    durable,
    time,
    looks,
    restart: (changes: Record<string, string> = {}) =>
      house.restartBot({ ...house.money, ...own, ...changes }),
    told,
    growOlder,
    async close(): Promise<void> {
      await looks.close();
      await deliveries.close();
      redis.disconnect();
      await house.close();
      await durable.close();
      vi.unstubAllGlobals();
    },
  };
}

function queueOptions(port: number, prefix: string) {
  const connection = { host: '127.0.0.1', port, maxRetriesPerRequest: null };
  return { connection, prefix: `{${prefix}}` };
}

/** A queue of the bot, from outside. */
function openQueue(name: string, port: number, prefix: string): Queue {
  const queue = new Queue(name, queueOptions(port, prefix));
  queue.on('error', () => undefined);
  return queue;
}

/**
 * The looks of the bot, as its queue tells of them. Its worker sleeps by real time until the next look is
 * due, so that a test that moves the clock would have to wait for it: a look more wakes the worker, and it
 * finds all those that are due by the new time. That costs 50 ms an hour. Short polls (0.2 s) with a wait
 * for one of each would cost four times as much, and asking the log of the stand-in says that something was
 * read, and not that the look has written what it saw.
 */
async function watchLooks(port: number, prefix: string) {
  const queue = openQueue(QUEUE, port, prefix);
  const events = new QueueEvents(QUEUE, queueOptions(port, prefix));
  events.on('error', () => undefined);
  /** Jobs that have ended, by their id; those that failed with why. */
  const ended = new Map<string, string | undefined>();
  let wakeUp = (): void => undefined;
  const note = (id: string, failure?: string): void => {
    ended.set(id, failure);
    wakeUp();
  };
  events.on('completed', ({ jobId }) => note(jobId));
  events.on('failed', ({ jobId, failedReason }) => note(jobId, failedReason));
  await events.waitUntilReady();

  /** Whether there was such a look. "repeat:every:alert:1791159600688" is one by the schedule. @throws when it failed */
  function isOver(look: string): boolean {
    const found = [...ended].find(([id]) => id === look || id.startsWith(`repeat:every:${look}:`));
    const failure = found?.[1];
    if (failure !== undefined) throw new Error(`the look ${found?.[0]} failed: ${failure}`);
    return found !== undefined;
  }

  /** @throws after the deadline, with what was waited for */
  async function over(looks: readonly string[]): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<'late'>((resolve) => {
      timer = setTimeout(() => resolve('late'), LATE_MS);
    });
    try {
      while (!looks.every(isOver)) {
        const next = new Promise<void>((resolve) => {
          wakeUp = resolve;
        });
        if ((await Promise.race([next, late])) !== 'late') continue;
        throw new Error(`no look within ${LATE_MS} ms: ${looks.filter((one) => !isOver(one))}`);
      }
    } finally {
      clearTimeout(timer);
    }
  }

  const wake = async (kind: string): Promise<string> => (await queue.add(kind, {})).id ?? '';

  return {
    /** From now on only what comes now counts. */
    forget: () => ended.clear(),
    /** Has the worker look at what is due, and at this kind once more. @returns the id of that look */
    wake,
    /** Each of these has ended since it was forgotten: a kind, by its schedule, or the id of a look. */
    over,
    /** Looks of each kind until one succeeds: for when the bot was cut off from what it needs. */
    async again(kinds: readonly string[]): Promise<void> {
      for (const kind of kinds) {
        await until(`a look at ${kind}`, async () => {
          const id = await wake(kind);
          return over([id]).then(
            () => true,
            () => false,
          );
        });
      }
    },
    async close(): Promise<void> {
      await events.close();
      await queue.close();
    },
  };
}
