import { Queue } from 'bullmq';
import { settledWithin } from '../lib/time.ts';
import { record } from '../metrics.ts';
import type { RedisConnection } from '../store/redis.ts';
import { createWorkers, QUEUE_NAMES, type QueueName, type WorkerSetup } from './workers.ts';

export interface Schedule {
  id: string;
  name: string;
  data: Record<string, string>;
  everyMs: number;
  /** Shifts the runs within `everyMs`, so that schedules do not coincide. */
  offsetMs: number;
}

/** Data holds names only: it is clear text in Redis (no secret, no response body). */
export interface JobKind {
  queue: QueueName;
  name: string;
  /** May run again after a crash, so it must be repeatable. */
  run(data: Record<string, string>): Promise<void>;
  /** Milliseconds; the job is then scheduled, in one process at a time. */
  every?: number;
}

export interface QueueStatus {
  readonly queue: string;
  readonly waiting: number;
  /** How long the first waiting job could have run, in milliseconds; undefined when none waits. */
  readonly oldestMs: number | undefined;
  readonly failed: number;
}

/** How long a stop waits for running jobs, and a close for Redis. Milliseconds. */
const STOP_MS = 10_000;
const CLOSE_MS = 2_000;
const REASSERT_MS = 10_000;
/**
 * For this time after its start it also removes schedules of unknown kinds, which an older version puts back
 * as long as it runs. Not forever: an older version must not remove those of a newer one. Milliseconds.
 */
const CLEARING_MS = 30 * 60_000;
const OWN_PREFIX = 'every:';
const JOB_STATES = ['waiting', 'active', 'delayed', 'failed'] as const;

export type Jobs = ReturnType<typeof createJobs>;

/** @param setup `commands`: the connection for adding, which fails at once while Redis is away */
export function createJobs(setup: WorkerSetup & { commands: RedisConnection }) {
  const { commands, logger } = setup;
  const queues = new Map<QueueName, Queue>();
  const workers = createWorkers(setup);
  let reassert: NodeJS.Timeout | undefined;

  function queueOf(name: QueueName): Queue {
    const queue = queues.get(name) ?? openQueue(name, setup);
    queues.set(name, queue);
    return queue;
  }

  const schedules = createSchedules(setup, queueOf);
  return {
    async add(queue: QueueName, name: string, data: Record<string, string>): Promise<void> {
      await queueOf(queue).add(name, data);
    },
    reconcile: schedules.reconcile,
    /** Times in milliseconds since the epoch. @throws when the store does not answer */
    inspect: (times: { now: number; failedSince: number }): Promise<QueueStatus[]> =>
      Promise.all(QUEUE_NAMES.map((name) => inspectQueue(queueOf(name), commands, times))),
    /** For the metrics of all queues. @throws when the store does not answer */
    async measure(): Promise<void> {
      await Promise.all(QUEUE_NAMES.map((name) => measureQueue(name, queueOf(name))));
    },
    async work(kinds: readonly JobKind[]): Promise<void> {
      for (const name of QUEUE_NAMES) {
        const own = kinds.filter((kind) => kind.queue === name);
        if (own.length > 0) workers.open(name, own);
      }
      workers.watch();
      await schedules.assertOwn(kinds, true);
      const clearUntil = performance.now() + CLEARING_MS;
      // A Redis that was emptied has lost the schedules, and with them the jobs that would notice.
      reassert ??= setInterval(() => {
        if (workers.isPaused()) return;
        schedules.assertOwn(kinds, performance.now() < clearUntil).catch((error: unknown) => {
          logger.debug({ err: error }, 'The schedules could not be looked at');
        });
      }, REASSERT_MS);
    },
    health: () => workers.health(),
    /** Stops taking jobs; waits for running ones, and hands back those that take longer than 10 s. */
    async stopWorking(): Promise<void> {
      clearInterval(reassert);
      if (await workers.stop(STOP_MS)) return;
      // Their locks expire and another worker takes them: that is no failure.
      logger.warn({}, 'Jobs that were still running are handed back');
    },
    async close(): Promise<void> {
      await settledWithin(
        Promise.all([...queues.values()].map((queue) => queue.close())),
        CLOSE_MS,
      );
      workers.disconnect();
    },
  };
}

function openQueue(
  name: QueueName,
  { commands, prefix, telemetry, logger }: Parameters<typeof createJobs>[0],
): Queue {
  const queue = new Queue(name, {
    connection: commands,
    prefix,
    streams: { events: { maxLen: 1_000 } },
    skipWaitingForReady: true,
    defaultJobOptions: { stackTraceLimit: 3 },
    ...(telemetry && { telemetry }),
  });
  queue.on('error', (error) => logger.debug({ err: error, queue: name }, 'Queue error'));
  return queue;
}

async function inspectQueue(
  queue: Queue,
  redis: RedisConnection,
  { now, failedSince }: { now: number; failedSince: number },
): Promise<QueueStatus> {
  const [waiting, [oldest], failed] = await Promise.all([
    queue.getWaitingCount(),
    queue.getJobs(['waiting'], 0, 0, true),
    // They are ordered by their end.
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

async function measureQueue(name: QueueName, queue: Queue): Promise<void> {
  const counts = await queue.getJobCounts(...JOB_STATES);
  for (const state of JOB_STATES) {
    record.queueJobs.set({ queue: name, state }, counts[state] ?? 0);
  }
}

function ownSchedule({ name, every }: JobKind): Schedule[] {
  if (every === undefined) return [];
  return [{ id: `${OWN_PREFIX}${name}`, name, data: {}, everyMs: every, offsetMs: 0 }];
}

function createSchedules(
  { commands, logger }: Pick<Parameters<typeof createJobs>[0], 'commands' | 'logger'>,
  queueOf: (name: QueueName) => Queue,
) {
  /**
   * Makes the schedules of a queue with this id prefix exactly these; unchanged ones are not written.
   * @param leave runs before a schedule is removed that is not wanted at any interval. If it fails, that is logged
   *   and the schedule stays, so that the next call tries again
   */
  const reconcile = async (
    name: QueueName,
    idPrefix: string,
    wanted: readonly Schedule[],
    leave?: (id: string) => Promise<void>,
  ): Promise<void> => {
    const queue = queueOf(name);
    const ids = new Set(wanted.map(({ id }) => id));
    for (const stored of await putSchedules(queue, commands, idPrefix, wanted)) {
      const id = stored.slice(0, stored.lastIndexOf(INTERVAL_MARK));
      try {
        if (!ids.has(id)) await leave?.(id);
        await queue.removeJobScheduler(stored);
      } catch (error) {
        logger.warn(
          { err: error, schedule: id },
          'A schedule stays for now, what it leaves is not done',
        );
      }
    }
  };

  return {
    reconcile,
    /** The jobs of Purser's own. @param isClearing removes others with their prefix */
    async assertOwn(kinds: readonly JobKind[], isClearing: boolean): Promise<void> {
      for (const name of QUEUE_NAMES) {
        const own = kinds.filter(({ queue }) => queue === name).flatMap(ownSchedule);
        if (own.length === 0) continue;
        await (isClearing
          ? reconcile(name, OWN_PREFIX, own)
          : putSchedules(queueOf(name), commands, OWN_PREFIX, own));
      }
    },
  };
}

/** Before the interval in the stored id of a schedule: the ids alone show whether all schedules are right. */
const INTERVAL_MARK = '@';

/**
 * Writes the schedules that are missing or overdue. Others stay untouched: a repeated upsert can lose its next job
 * (BullMQ #3063, #3262). For the same reason an id is never removed and added in a row.
 * @returns the other stored ids with this prefix
 */
async function putSchedules(
  queue: Queue,
  redis: RedisConnection,
  idPrefix: string,
  wanted: readonly Schedule[],
): Promise<string[]> {
  const flat = await redis.zrange(queue.toKey('repeat'), 0, '-1', 'WITHSCORES');
  const nextRuns = new Map<string, number>();
  for (let at = 0; at < flat.length; at += 2) nextRuns.set(flat[at] ?? '', Number(flat[at + 1]));

  for (const { id, name, data, everyMs, offsetMs } of wanted) {
    const stored = `${id}${INTERVAL_MARK}${everyMs}`;
    const next = nextRuns.get(stored);
    nextRuns.delete(stored);
    if (next !== undefined && next >= Date.now() - 3 * everyMs - 60_000) continue;
    await queue.upsertJobScheduler(stored, { every: everyMs, offset: offsetMs }, { name, data });
  }
  return [...nextRuns.keys()].filter((stored) => stored.startsWith(idPrefix));
}
