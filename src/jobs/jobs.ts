import { Queue, Worker } from 'bullmq';
import type { Job } from 'bullmq';
import type { Logger } from '../lib/logger.ts';
import { settledWithin } from '../lib/patience.ts';
import type { Counter } from '../lib/metrics.ts';
import type { RedisConnection } from '../store/redis.ts';
import { lookAtQueue } from './look.ts';
import type { QueueLook } from './look.ts';

/**
 * The queues of design section 8 and how many jobs of each run at once in one process. A poll waits for
 * the platform most of its time: 100 GVCs keep a beat of 10 s while an answer takes less than 3 s.
 */
const QUEUES = {
  rollouts: { concurrency: 32 },
  notifications: { concurrency: 16 },
  changes: { concurrency: 4 },
  billing: { concurrency: 2 },
} as const;
export type QueueName = keyof typeof QUEUES;

/** One kind of job. Data holds names only: it is clear text in Redis (no secret, no response body). */
export interface JobKind {
  queue: QueueName;
  name: string;
  /** May run again after a crash, so it has to bear that. */
  run(data: Record<string, string>): Promise<void>;
  /** Milliseconds; a job of this kind then runs by itself, in one place at a time. */
  every?: number;
}

export interface Schedule {
  id: string;
  name: string;
  data: Record<string, string>;
  everyMs: number;
  /** Shifts the beat within `everyMs`, so that many schedules do not fall on one moment. */
  offsetMs: number;
}

export interface Jobs {
  add(queue: QueueName, name: string, data: Record<string, string>): Promise<void>;
  /**
   * Makes the schedules of a queue with this id prefix exactly these; what is right stays untouched.
   * @param leave what has to be done before a schedule goes. Where that fails, it is logged and the
   *   schedule stays, so that the next call tries again
   */
  reconcile(
    queue: QueueName,
    idPrefix: string,
    wanted: readonly Schedule[],
    leave?: (id: string) => Promise<void>,
  ): Promise<void>;
  /** How each queue stands. Times in milliseconds since the epoch. @throws when the store does not answer */
  look(times: { now: number; failedSince: number }): Promise<QueueLook[]>;
  /** Starts the workers and the kinds that run by themselves. */
  work(kinds: readonly JobKind[]): Promise<void>;
  /** Stops taking jobs; waits for those that run, and hands back what takes longer than 10 s. */
  stopWorking(): Promise<void>;
  close(): Promise<void>;
}

/**
 * A crashed process's jobs are taken up again within 20 s (design section 7: a watch goes on within
 * 30 s): after the lock's time, at the second look, and a look that comes a moment early is skipped.
 */
const LOCK_MS = 10_000;
const STALLED_MS = 4_000;
const MAX_STALLED = 5;
/** How long a stop waits for jobs that run, and for Redis to take leave. Milliseconds. */
const STOP_MS = 10_000;
const CLOSE_MS = 2_000;
/** How often a process looks that its own schedules are still there. */
const REASSERT_MS = 10_000;
const KEEP_DONE = { count: 100, age: 3_600 };
const KEEP_FAILED = { count: 500, age: 7 * 24 * 3_600 };

export interface JobsDeps {
  /** For adding: fails at once while Redis is away. */
  commands: RedisConnection;
  /** Opens a connection for workers, which waits for Redis. */
  connectWorker: () => RedisConnection;
  prefix: string;
  logger: Logger;
  /** Jobs by queue, name and result. */
  finished: Counter;
}

export function createJobs(deps: JobsDeps): Jobs {
  const queues = new Map<QueueName, Queue>();
  const workers = new Map<QueueName, Worker>();
  const connections: RedisConnection[] = [];
  let reassert: NodeJS.Timeout | undefined;

  function queueOf(name: QueueName): Queue {
    const queue = queues.get(name) ?? openQueue(name, deps);
    queues.set(name, queue);
    return queue;
  }

  return {
    async add(queue, name, data) {
      await queueOf(queue).add(name, data);
    },
    async reconcile(queue, idPrefix, wanted, leave) {
      const unwanted = await schedule(queueOf(queue), idPrefix, wanted);
      await unschedule(queueOf(queue), unwanted, { leave, logger: deps.logger });
    },
    look(times) {
      const names = Object.keys(QUEUES) as QueueName[];
      return Promise.all(names.map((name) => lookAtQueue(queueOf(name), deps.commands, times)));
    },
    async work(kinds) {
      for (const name of Object.keys(QUEUES) as QueueName[]) {
        const own = kinds.filter((kind) => kind.queue === name);
        if (own.length === 0 || workers.has(name)) continue;
        const connection = deps.connectWorker();
        connections.push(connection);
        workers.set(name, openWorker(name, own, connection, deps));
      }
      await scheduleOwn(kinds, queueOf);
      // A Redis that was emptied has lost the schedules, and with them whoever would notice.
      reassert ??= setInterval(() => {
        scheduleOwn(kinds, queueOf).catch((error: unknown) => {
          deps.logger.debug({ err: error }, 'The schedules could not be looked at');
        });
      }, REASSERT_MS);
    },
    async stopWorking() {
      clearInterval(reassert);
      const closed = Promise.all([...workers.values()].map((worker) => worker.close()));
      if (await settledWithin(closed, STOP_MS)) return;
      // Their locks run out, and another worker takes them up: that is handing back, not a failure.
      deps.logger.warn({}, 'Jobs that were still running are handed back');
    },
    async close() {
      await settledWithin(
        Promise.all([...queues.values()].map((queue) => queue.close())),
        CLOSE_MS,
      );
      for (const connection of connections) connection.disconnect();
    },
  };
}

/** Makes the kinds that run by themselves do so. */
async function scheduleOwn(
  kinds: readonly JobKind[],
  queueOf: (name: QueueName) => Queue,
): Promise<void> {
  for (const name of Object.keys(QUEUES) as QueueName[]) {
    const own = kinds.filter((kind) => kind.queue === name).flatMap(ownSchedule);
    if (own.length === 0) continue;
    const unwanted = await schedule(queueOf(name), 'every:', own);
    for (const id of unwanted) await queueOf(name).removeJobScheduler(id);
  }
}

function openQueue(name: QueueName, deps: JobsDeps): Queue {
  const queue = new Queue(name, {
    connection: deps.commands,
    prefix: deps.prefix,
    streams: { events: { maxLen: 1_000 } },
    skipWaitingForReady: true,
    defaultJobOptions: { stackTraceLimit: 3 },
  });
  queue.on('error', (error) => deps.logger.debug({ err: error, queue: name }, 'Queue error'));
  return queue;
}

function openWorker(
  name: QueueName,
  kinds: readonly JobKind[],
  connection: RedisConnection,
  deps: JobsDeps,
): Worker {
  const { logger, finished } = deps;
  const runners = new Map(kinds.map((kind) => [kind.name, kind]));
  const worker = new Worker(
    name,
    async (job: Job<Record<string, string>>) => {
      const kind = runners.get(job.name);
      if (kind === undefined) throw new Error(`no job of this name: ${job.name}`);
      await kind.run(job.data).catch((error: unknown) => {
        logger.error({ err: error, queue: name, job: job.name, data: job.data }, 'A job failed');
        throw new LoggedFailure();
      });
    },
    {
      connection,
      prefix: deps.prefix,
      concurrency: QUEUES[name].concurrency,
      lockDuration: LOCK_MS,
      stalledInterval: STALLED_MS,
      maxStalledCount: MAX_STALLED,
      removeOnComplete: KEEP_DONE,
      removeOnFail: KEEP_FAILED,
    },
  );
  worker.on('completed', (job) => finished.inc({ queue: name, name: job.name, result: 'done' }));
  worker.on('failed', (job, error) => {
    finished.inc({ queue: name, name: job?.name ?? 'unknown', result: 'failed' });
    if (error instanceof LoggedFailure) return;
    logger.error({ err: error, queue: name, job: job?.name, data: job?.data }, 'A job failed');
  });
  worker.on('error', (error) => logger.debug({ err: error, queue: name }, 'Worker error'));
  return worker;
}

/** What BullMQ keeps of a failure is clear text in Redis, so the error itself goes to the log alone. */
class LoggedFailure extends Error {
  constructor() {
    super('see the log');
    this.name = 'LoggedFailure';
  }
}

function ownSchedule(kind: JobKind): Schedule[] {
  if (kind.every === undefined) return [];
  return [
    { id: `every:${kind.name}`, name: kind.name, data: {}, everyMs: kind.every, offsetMs: 0 },
  ];
}

async function unschedule(
  queue: Queue,
  ids: readonly string[],
  { leave, logger }: { leave: ((id: string) => Promise<void>) | undefined; logger: Logger },
): Promise<void> {
  for (const id of ids) {
    try {
      await leave?.(id);
      await queue.removeJobScheduler(id);
    } catch (error) {
      logger.warn(
        { err: error, schedule: id },
        'A schedule stays for now, what it leaves is not done',
      );
    }
  }
}

/**
 * A schedule is only written when it is missing or differs: a changed or repeated upsert can lose
 * its next job (BullMQ #3063, #3262), so removing and adding one id in a row is avoided, too.
 * @returns the ids that are there and no longer wanted
 */
async function schedule(
  queue: Queue,
  idPrefix: string,
  wanted: readonly Schedule[],
): Promise<string[]> {
  const known = new Map((await queue.getJobSchedulers(0, -1)).map((one) => [one.key, one]));
  const ids = new Set(wanted.map(({ id }) => id));
  for (const { id, name, data, everyMs, offsetMs } of wanted) {
    const current = known.get(id);
    const overdue = current?.next !== undefined && current.next < Date.now() - 3 * everyMs - 60_000;
    if (current?.every === everyMs && !overdue) continue;
    await queue.upsertJobScheduler(id, { every: everyMs, offset: offsetMs }, { name, data });
  }
  return [...known.keys()].filter((key) => key.startsWith(idPrefix) && !ids.has(key));
}
