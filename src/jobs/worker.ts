import { Worker } from 'bullmq';
import type { Job } from 'bullmq';
import type { Logger } from '../lib/logger.ts';
import type { Counter } from '../lib/metrics.ts';
import type { RedisConnection } from '../store/redis.ts';

/** One kind of job, as far as a worker has to know it. */
interface Runnable {
  name: string;
  run(data: Record<string, string>): Promise<void>;
}

export interface QueueWorkerDeps {
  queue: string;
  concurrency: number;
  kinds: readonly Runnable[];
  connection: RedisConnection;
  prefix: string;
  /** Whether it was Redis that refused the worker itself; then that is told elsewhere. */
  refused: (error: unknown) => boolean;
  /** Told why a job failed: what Redis refuses one job need not be refused to others. */
  doubt: (error: unknown) => void;
  logger: Logger;
  /** Jobs by queue, name and result. */
  finished: Counter;
}

/** The worker of one queue, with what is to be known of it from outside. */
export interface QueueWorker {
  readonly queue: string;
  readonly worker: Worker;
  /** When it last looked for a job or took one, on the clock of `performance.now`. */
  lookedAt(): number;
  /** It takes none because it has its hands full. */
  isFull(): boolean;
}

/**
 * A crashed process's jobs are taken up again within 20 s (design section 7: a watch goes on within
 * 30 s): after the lock's time, at the second look, and a look that comes a moment early is skipped.
 */
const LOCK_MS = 10_000;
const STALLED_MS = 4_000;
const MAX_STALLED = 5;
const KEEP_DONE = { count: 100, age: 3_600 };
const KEEP_FAILED = { count: 500, age: 7 * 24 * 3_600 };

export function openWorker(deps: QueueWorkerDeps): QueueWorker {
  const { queue, concurrency, logger, finished } = deps;
  const runners = new Map(deps.kinds.map((kind) => [kind.name, kind]));
  let lookedAt = performance.now();
  let running = 0;
  const looked = (): void => void (lookedAt = performance.now());

  /** An idle worker asks for a job at least every 10 s, when its blocking read runs out. */
  class LookingWorker extends Worker<Record<string, string>> {
    protected override async moveToActive(token: string, name?: string) {
      const job = await super.moveToActive(token, name);
      looked();
      return job;
    }
  }

  async function run(job: Job<Record<string, string>>): Promise<void> {
    const kind = runners.get(job.name);
    if (kind === undefined) throw new Error(`no job of this name: ${job.name}`);
    looked();
    running += 1;
    try {
      await kind.run(job.data);
    } catch (error) {
      logger.error({ err: error, queue, job: job.name, data: job.data }, 'A job failed');
      deps.doubt(error);
      throw new LoggedFailure();
    } finally {
      running -= 1;
    }
  }

  const worker = new LookingWorker(queue, run, {
    connection: deps.connection,
    prefix: deps.prefix,
    concurrency,
    lockDuration: LOCK_MS,
    stalledInterval: STALLED_MS,
    maxStalledCount: MAX_STALLED,
    removeOnComplete: KEEP_DONE,
    removeOnFail: KEEP_FAILED,
  });
  worker.on('completed', (job) => finished.inc({ queue, name: job.name, result: 'done' }));
  worker.on('failed', (job, error) => {
    finished.inc({ queue, name: job?.name ?? 'unknown', result: 'failed' });
    if (error instanceof LoggedFailure) return;
    logger.error({ err: error, queue, job: job?.name, data: job?.data }, 'A job failed');
  });
  worker.on('error', (error) => {
    if (!deps.refused(error)) logger.debug({ err: error, queue }, 'Worker error');
  });
  return { queue, worker, lookedAt: () => lookedAt, isFull: () => running >= concurrency };
}

/** What BullMQ keeps of a failure is clear text in Redis, so the error itself goes to the log alone. */
class LoggedFailure extends Error {
  constructor() {
    super('see the log');
    this.name = 'LoggedFailure';
  }
}
