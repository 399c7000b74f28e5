import type { Queue } from 'bullmq';
import type { RedisConnection } from '../store/redis.ts';

/** How a queue stands. */
export interface QueueLook {
  readonly queue: string;
  /** Jobs that could run now. */
  readonly waiting: number;
  /** For how long the first of them could have, in milliseconds; undefined when none waits. */
  readonly oldestMs: number | undefined;
  /** Jobs that failed since the time that was asked for, as far as they are kept. */
  readonly failed: number;
}

/**
 * Looks at a queue. Nothing in it is changed.
 * @param redis the connection of the queue
 * @param times milliseconds since the epoch
 */
export async function lookAtQueue(
  queue: Queue,
  redis: RedisConnection,
  { now, failedSince }: { now: number; failedSince: number },
): Promise<QueueLook> {
  const [waiting, [oldest], failed] = await Promise.all([
    queue.getWaitingCount(),
    queue.getJobs(['waiting'], 0, 0, true),
    // They are kept in the order of their end.
    redis.zcount(queue.toKey('failed'), failedSince, '+inf'),
  ]);
  const runnable = oldest === undefined ? undefined : oldest.timestamp + (oldest.opts.delay ?? 0);
  return {
    queue: queue.name,
    waiting,
    oldestMs: runnable === undefined ? undefined : Math.max(0, now - runnable),
    failed,
  };
}
