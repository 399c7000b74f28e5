import { Queue, QueueEvents } from 'bullmq';
import { Redis } from 'ioredis';
import { vi } from 'vitest';
import type { Random } from '../chaos/random.ts';
import { createHarness } from '../contract/app/harness.ts';
import { createDurableRedis } from './durable-redis.ts';
import { until } from './until.ts';

const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
const QUEUE = 'billing';
const LATE_MS = 60_000;
/** BILLING_POLL_SECONDS of plays: with the few seconds of the stand-ins a slow machine would have more runs. */
export const POLL_SECONDS = 60;
/** A monitor that failed rests for half of that. */
const REST_MS = POLL_SECONDS * 500 + 1_000;

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
    /** So much of the step is over (ms). */
    pass(ms: number): void {
      beganAt -= ms;
    },
    /** @returns when the step begins */
    next(lengthMs = HOUR_MS): number {
      stepMs += lengthMs;
      beganAt = RealDate.now();
      return stepMs;
    },
  };
}

/** A time as a story has it: "10-15T10" is the hour after 10:00 on the 15th of October, in UTC. */
export function hourName(ms: number): string {
  return new Date(ms).toISOString().slice(5, 13);
}

export interface Course {
  /** In the hour before a time. */
  readonly story: Readonly<Record<string, () => Promise<unknown>>>;
  /** The kinds that the bot checks by itself now. */
  readonly kinds: () => readonly string[];
  /** Hours in which it is restarted, and whether that is in the middle of its checks. */
  readonly restarts: ReadonlyMap<string, boolean>;
  /** Redis dies in the middle of the checks of one hour, and comes back in another. */
  readonly away?: { readonly from: string; readonly until: string };
  /** Hours in which the platform answers nothing, so that checks fail. */
  readonly down?: (name: string) => boolean;
  /** The first hour that is not played. */
  readonly end: string;
  /** Called in each hour, once the bot has looked. @param now ms since the epoch */
  readonly note: (now: number) => Promise<void>;
}

/** So many hours in which a bot is restarted, of the `length` ones from `startMs` on. */
export function someRestarts(
  random: Random,
  count: number,
  { startMs, length, not }: { startMs: number; length: number; not: (name: string) => boolean },
): Map<string, boolean> {
  const restarts = new Map<string, boolean>();
  while (restarts.size < count) {
    const name = hourName(startMs + random.whole(length) * HOUR_MS);
    if (!not(name)) restarts.set(name, random.next() < 0.5);
  }
  return restarts;
}

/** Lets time pass by the hour, and everything be reported in the end. */
export async function playHours(hours: Hours, course: Course): Promise<void> {
  const { looks, time } = hours;
  for (;;) {
    const name = hourName(time.at() + HOUR_MS);
    const { from = '', until = '' } = course.away ?? {};
    const isAway = name > from && name <= until;
    // The story is about the runs after it.
    if (!isAway) await looks.quiet();
    await course.story[name]?.();
    if (name === course.end) break;
    if (isAway) looks.countFrom(time.next());
    else await hours.step();
    const hasLooked = await lookAround(hours, course, name).catch((error: unknown) => {
      const log = hours.house.lines().split('\n');
      const said = log.filter((line) => line.includes('A job failed')).slice(-2);
      throw new Error(`${name}: ${String(error)}\n${said.join('\n')}`, { cause: error });
    });
    if (!hasLooked) continue;
    await course.note(time.at());
    if (!name.endsWith('T23')) continue;
    // Slack takes a message a second, so they may come some hours late, and not on another day.
    await hours.reported();
    await hours.growOlder(24 * HOUR_MS);
  }
  await hours.reported();
}

/** The runs of an hour. @returns false while there is no Redis, or no platform */
async function lookAround(
  { durable, house, looks, restart, time }: Hours,
  { away = { from: '', until: '' }, down, kinds, restarts }: Course,
  name: string,
): Promise<boolean> {
  // A run that failed, or was cut off, has its monitor rest.
  const again = () => looks.again(kinds(), () => time.pass(REST_MS));
  if (down?.(name) === true) {
    await looks.ended([...kinds(), await looks.wake(kinds()[0] ?? '')]);
    return false;
  }
  if (name === away.from) {
    await looks.wake(kinds()[0] ?? '');
    await durable.stop('SIGKILL');
  }
  if (name >= away.from && name < away.until) return false;
  if (name === away.until) await durable.start();
  const isAmid = restarts.get(name);
  if (isAmid === true) await looks.wake(kinds()[0] ?? '');
  if (isAmid !== undefined) await restart();
  if (isAmid !== undefined || name === away.until) {
    await again();
    return true;
  }
  // Each kind comes twice in its turn.
  const more = await looks.wake(kinds()[Number(name.slice(-2)) % kinds().length] ?? '');
  const logged = house.lines().length;
  await looks.over([...kinds(), more]).catch((error: unknown) => {
    // The bot gives Redis five seconds, and a busy machine can take longer in this one process.
    if (!house.lines().slice(logged).includes('Command timed out')) throw error;
    return again();
  });
  return true;
}

/** Options of the sandbox, and the environment of each bot with billing. */
export type Made = Parameters<typeof createHarness>[1] & {
  readonly environment?: Readonly<Record<string, string>>;
};

export type Hours = Awaited<ReturnType<typeof openHours>>;

/**
 * The bot between the stand-ins and a Redis that can go away, where time passes by the hour. The bot in it
 * knows nothing of billing until it is restarted.
 */
export async function openHours(start: string, prefix: string, made: Made = {}) {
  const { environment = {}, ...options } = made;
  const time = stubDate(Date.parse(start));
  const durable = await createDurableRedis();
  const own = { REDIS_URL: durable.url, REDIS_PREFIX: prefix };
  const house = await createHarness(own, options);
  const redis = new Redis(durable.url);
  redis.on('error', () => undefined);
  const looks = await watchLooks(redis, durable.port, prefix);
  const outboxes = `{${prefix}}:outbox:`;
  const deliveries = openQueue('notifications', durable.port, prefix);

  /** As if so much time had passed for every key in Redis; keys that live for a minute die by themselves. */
  async function growOlder(ms: number): Promise<void> {
    for (const key of await redis.keys(`{${prefix}}:*`)) {
      const ttl = await redis.pttl(key);
      if (ttl > MINUTE_MS) await redis.pexpire(key, Math.max(1, ttl - ms));
    }
  }

  /**
   * Waits until nothing is left to be reported. Where the clock was moved while a message went out, the bot takes
   * its lock for lost and leaves the next one to its sweep: here that comes at once.
   */
  const reported = () =>
    until('everything to be reported', async () => {
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
    /**
     * Time passes, an hour or as given (ms), when all runs have ended: the bot skips a run while the one before is
     * in progress, and a run of a few seconds would last for many hours of a play.
     */
    async step(lengthMs?: number): Promise<void> {
      await looks.quiet();
      looks.countFrom(time.next(lengthMs));
    },
    restart: (changes: Record<string, string> = {}) =>
      house.restartBot({ ...house.money, ...own, ...environment, ...changes }),
    reported,
    /**
     * Delivers the waiting messages of a channel, as the sweep does: other channels can have more than Slack takes by
     * then.
     */
    deliver: (channel: string) => deliveries.add('deliver', { channel }),
    growOlder,
    async close(): Promise<void> {
      try {
        await looks.close();
        await deliveries.close();
        redis.disconnect();
        await house.close();
        await durable.close();
      } finally {
        vi.unstubAllGlobals();
      }
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
 * The checks of the bot, as its queue reports them. Its worker sleeps by real time until the next check is due, so that
 * a test that moves the clock would have to wait: an additional check wakes the worker, and it finds all those that are
 * due by the new time. That costs 50 ms an hour. Short polls (0.2 s) with a wait for one of each would cost four times
 * as much, and the log of the stand-in shows that something was read, and not that the check has written its result.
 */
async function watchLooks(redis: Redis, port: number, prefix: string) {
  const queue = openQueue(QUEUE, port, prefix);
  const events = new QueueEvents(QUEUE, queueOptions(port, prefix));
  events.on('error', () => undefined);
  /** Jobs that have ended, by their id: when they began (ms since the epoch), and why they failed. */
  const ended = new Map<string, { beganAt: number; failure?: string }>();
  let since = 0;
  let wakeUp = (): void => undefined;
  async function note(id: string, failure?: string): Promise<void> {
    const beganAt = Number(await redis.hget(queue.toKey(id), 'processedOn'));
    ended.set(id, { beganAt, ...(failure !== undefined && { failure }) });
    wakeUp();
  }
  // While Redis is away no one waits for a check.
  const ignore = (): void => undefined;
  events.on('completed', ({ jobId }) => void note(jobId).catch(ignore));
  events.on('failed', ({ jobId, failedReason }) => void note(jobId, failedReason).catch(ignore));
  await events.waitUntilReady();

  /** "repeat:every:alert@600000:1791159600688" is a check by the schedule. */
  const isEnded = (look: string) =>
    [...ended].find(
      ([id, { beganAt }]) =>
        beganAt >= since && (id === look || id.startsWith(`repeat:every:${look}@`)),
    );

  /** Whether there was such a check. @throws when it failed */
  function isOver(look: string): boolean {
    const [id, found] = isEnded(look) ?? [];
    if (found?.failure !== undefined) throw new Error(`the look ${id} failed: ${found.failure}`);
    return found !== undefined;
  }

  /** Asks at once, and after each run that ends, until nothing is missing. @throws after the deadline, with the rest */
  async function untilNothing(missing: () => string | Promise<string>): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<'late'>((resolve) => {
      timer = setTimeout(() => resolve('late'), LATE_MS);
    });
    try {
      for (;;) {
        const next = new Promise<void>((resolve) => {
          wakeUp = resolve;
        });
        const still = await missing();
        if (still === '') return;
        if ((await Promise.race([next, late])) === 'late') {
          throw new Error(`not within ${LATE_MS} ms: ${still}`);
        }
      }
    } finally {
      clearTimeout(timer);
    }
  }

  const all = (looks: readonly string[], isThere: (look: string) => boolean) =>
    untilNothing(() => looks.filter((one) => !isThere(one)).join(', '));
  const over = (looks: readonly string[]) => all(looks, isOver);
  const quiet = () =>
    untilNothing(async () => {
      const count = await queue.getJobCountByTypes('active', 'waiting');
      return count === 0 ? '' : `the end of ${count} runs`;
    });
  const wake = async (kind: string): Promise<string> => (await queue.add(kind, {})).id ?? '';

  return {
    /** From now on only looks count that begin at this time (ms since the epoch) or later. */
    countFrom(ms: number): void {
      since = ms;
      ended.clear();
    },
    /** Has the worker run the checks that are due, and this kind once more. @returns the id of that check */
    wake,
    /** Waits until all runs have ended. */
    quiet,
    /** Each of these was checked: a kind, by its schedule, or the id of a check. */
    over,
    /** The same, whether that failed or not. */
    ended: (looks: readonly string[]) => all(looks, (look) => isEnded(look) !== undefined),
    /** Checks of each kind until one succeeds: for when the bot was cut off from what it needs. @param rest after failures */
    async again(kinds: readonly string[], rest: () => void): Promise<void> {
      rest();
      for (const kind of kinds) {
        const isRead = async (): Promise<boolean> => {
          // Beside another one of its kind it would be skipped, and end as if it had read something.
          await quiet();
          const id = await wake(kind);
          return over([id]).then(
            () => true,
            () => {
              rest();
              return false;
            },
          );
        };
        // The rests count, too.
        await until(`a check of ${kind}`, isRead, 20 * MINUTE_MS);
      }
    },
    async close(): Promise<void> {
      await events.close();
      await queue.close();
    },
  };
}
