import { Worker, type Job, type Telemetry } from 'bullmq';
import type { Logger } from '../lib/logger.ts';
import { settledWithin } from '../lib/time.ts';
import { logWork } from '../lib/work-log.ts';
import { record } from '../metrics.ts';
import { refusalWord, type RedisConnection, type RefusalWord } from '../store/redis.ts';

/** Notified while Redis refuses writes of the workers. */
export interface StoreOutage {
  refused(word: RefusalWord): void;
  over(): void;
}

/** Milliseconds between two tries; longer when the probe succeeds and the workers are still refused. */
const TRY_MS = 1_000;
const LONGEST_MS = 10_000;
/** The outage is over after this time without a refusal. Milliseconds. */
const CALM_MS = 5_000;
/** At most one log line per cause in this time. Milliseconds. */
const QUIET_MS = 60_000;

interface BackoffDeps {
  workers: () => Iterable<Pick<Worker, 'pause' | 'resume'>>;
  /** One small write, which shows whether Redis takes writes. */
  probe: () => Promise<unknown>;
  outage?: StoreOutage;
  logger: Logger;
}

/**
 * Pauses the workers of a process while Redis refuses their writes (full, a replica, no permission): it
 * probes once a second and resumes all of them when the probe succeeds. Running jobs go on. Without it
 * BullMQ's loop retries at once after an error, tens of thousands of times a second.
 */
export function createWriteBackoff(deps: BackoffDeps) {
  const complain = createComplaint(deps.logger);
  let word: RefusalWord | undefined;
  let isPaused = false;
  let isAsking = false;
  let waitMs = TRY_MS;
  let timer: NodeJS.Timeout | undefined;

  function later(ms: number, work: () => void): void {
    clearTimeout(timer);
    timer = setTimeout(work, ms).unref();
  }

  function note(error: unknown): boolean {
    const current = refusalWord(error);
    if (current === undefined) return false;
    word = current;
    complain(current, error);
    deps.outage?.refused(current);
    return true;
  }

  function probe(): void {
    deps.probe().then(goOn, (error: unknown) => {
      note(error);
      later(TRY_MS, probe);
    });
  }

  function goOn(): void {
    isPaused = false;
    waitMs = Math.min(waitMs * 2, LONGEST_MS);
    for (const worker of deps.workers()) void worker.resume();
    later(CALM_MS, () => {
      word = undefined;
      waitMs = TRY_MS;
      deps.logger.info({}, 'Redis takes writes again');
      deps.outage?.over();
    });
  }

  /** Pauses the workers if Redis refused a write of the worker itself; else returns false. */
  function workerRefused(error: unknown): boolean {
    if (!note(error)) return false;
    if (isPaused) return true;
    isPaused = true;
    for (const worker of deps.workers()) void worker.pause(true);
    later(waitMs, probe);
    return true;
  }

  async function ask(): Promise<void> {
    isAsking = true;
    await deps.probe().catch(workerRefused);
    isAsking = false;
  }

  return {
    workerRefused,
    /**
     * Pauses the workers if Redis refused a write of a job and the probe, too; a refusal of the job alone
     * concerns only that job.
     */
    jobFailed(error: unknown): void {
      if (isPaused || isAsking || refusalWord(error) === undefined) return;
      void ask();
    },
    /** Why the workers are paused, or were until a moment ago. */
    word: () => word,
    stop: (): void => clearTimeout(timer),
  };
}

/** Logs at once, then once a minute with the number of omitted lines. */
function createComplaint(logger: Logger): (word: RefusalWord, error: unknown) => void {
  const last = new Map<RefusalWord, { at: number; leftOut: number }>();
  return (word, error) => {
    const before = last.get(word);
    const now = performance.now();
    if (before !== undefined && now - before.at < QUIET_MS) {
      before.leftOut += 1;
      return;
    }
    last.set(word, { at: now, leftOut: 0 });
    const leftOut = before?.leftOut ?? 0;
    logger.error(
      { err: error, says: word, leftOut },
      'Redis refuses what the workers write, so they rest and try once a second',
    );
  };
}

/**
 * The queues of design section 8, with the jobs of each that run at once in one process. A poll mostly waits
 * for the platform: 100 GVCs of several orgs are polled every 10 s while an answer takes less than 3 s, even
 * beside an org that does not answer and fills all of its own places.
 */
const CONCURRENCY = {
  rollouts: 48,
  notifications: 16,
  changes: 4,
  // One place for each kind of check, so that one that hangs holds back no other.
  billing: 12,
} as const;
export type QueueName = keyof typeof CONCURRENCY;
export const QUEUE_NAMES = Object.keys(CONCURRENCY) as QueueName[];

export interface WorkerSetup {
  /** A connection that waits for Redis. */
  connectWorker: () => RedisConnection;
  prefix: string;
  /** Shows all processes that a worker is alive. One small write, so it also serves as the probe. */
  heartbeat: () => Promise<unknown>;
  outage?: StoreOutage;
  /** Makes a span of each job. */
  telemetry?: Telemetry | undefined;
  logger: Logger;
}

interface Kind {
  name: string;
  run(data: Record<string, string>): Promise<void>;
}

/** In words; plain data, because it crosses threads. */
export interface WorkersHealth {
  /** Why the workers do not work now; absent when they do. */
  readonly unwell?: string;
  /** Why only a restart helps; absent when it would not. */
  readonly stuck?: string;
}

export function createWorkers(setup: WorkerSetup) {
  const { heartbeat } = setup;
  const workers = new Map<QueueName, QueueWorker>();
  const connections: RedisConnection[] = [];
  const backoff = createWriteBackoff({
    ...setup,
    workers: () => [...workers.values()].map(({ worker }) => worker),
    probe: heartbeat,
  });
  const health = createHealth({
    workers: () => [...workers.values()],
    heartbeat,
    refusal: backoff.word,
  });
  return {
    open(queue: QueueName, kinds: readonly Kind[]): void {
      if (workers.has(queue)) return;
      const connection = setup.connectWorker();
      connections.push(connection);
      workers.set(queue, openWorker(queue, kinds, { ...setup, connection, backoff }));
    },
    watch: (): void => health.start(),
    /** Because Redis refuses writes. */
    isPaused: (): boolean => backoff.word() !== undefined,
    health: (): WorkersHealth => health.now(),
    /** Stops taking jobs; waits at most `limitMs` for running ones. @returns whether all have ended */
    stop(limitMs: number): Promise<boolean> {
      health.stop();
      backoff.stop();
      const closed = Promise.all([...workers.values()].map(({ worker }) => worker.close()));
      return settledWithin(closed, limitMs);
    },
    disconnect(): void {
      for (const connection of connections) connection.disconnect();
    },
  };
}

export interface QueueWorker {
  readonly queue: string;
  readonly worker: Worker;
  /** When it last asked for a job or took one, by `performance.now`. */
  activeAt(): number;
  isFull(): boolean;
}

/**
 * Jobs of a crashed process are taken over within 20 s (design section 7: a watch continues within 30 s):
 * after the lock has expired, at the second check, because a check that comes a moment early is skipped.
 */
const LOCK_MS = 10_000;
const STALLED_MS = 4_000;
const MAX_STALLED = 5;
const KEEP_DONE = { count: 100, age: 3_600 };
const KEEP_FAILED = { count: 500, age: 7 * 24 * 3_600 };

interface WorkerSurroundings extends Pick<WorkerSetup, 'prefix' | 'telemetry' | 'logger'> {
  connection: RedisConnection;
  backoff: ReturnType<typeof createWriteBackoff>;
}

function openWorker(
  queue: QueueName,
  kinds: readonly Kind[],
  { connection, prefix, telemetry, logger, backoff }: WorkerSurroundings,
): QueueWorker {
  const concurrency = CONCURRENCY[queue];
  const runners = new Map(kinds.map((kind) => [kind.name, kind]));
  let activeAt = performance.now();
  let running = 0;

  /** An idle worker asks for a job at least every 10 s, when its blocking read times out. */
  class WatchedWorker extends Worker<Record<string, string>> {
    protected override async moveToActive(token: string, name?: string) {
      const job = await super.moveToActive(token, name);
      activeAt = performance.now();
      return job;
    }
  }

  async function run(job: Job<Record<string, string>>): Promise<void> {
    const kind = runners.get(job.name);
    if (kind === undefined) throw new Error(`no job of this name: ${job.name}`);
    activeAt = performance.now();
    running += 1;
    try {
      const { name, data } = job;
      await logWork(logger, { job: name, queue, data }, () => runLogged(kind, job));
    } finally {
      running -= 1;
    }
  }

  async function runLogged(kind: Kind, { name, data }: Job<Record<string, string>>): Promise<void> {
    try {
      await kind.run(data);
    } catch (error) {
      logger.error({ err: error, queue, job: name, data }, 'A job failed');
      backoff.jobFailed(error);
      throw new LoggedFailure();
    }
  }

  const worker = new WatchedWorker(queue, run, {
    connection,
    prefix,
    concurrency,
    lockDuration: LOCK_MS,
    stalledInterval: STALLED_MS,
    maxStalledCount: MAX_STALLED,
    removeOnComplete: KEEP_DONE,
    removeOnFail: KEEP_FAILED,
    ...(telemetry && { telemetry }),
  });
  worker.on('completed', () => record.jobs.inc({ queue, result: 'done' }));
  worker.on('failed', (job, error) => {
    record.jobs.inc({ queue, result: 'failed' });
    if (error instanceof LoggedFailure) return;
    logger.error({ err: error, queue, job: job?.name, data: job?.data }, 'A job failed');
  });
  worker.on('error', (error) => {
    if (!backoff.workerRefused(error)) logger.debug({ err: error, queue }, 'Worker error');
  });
  return { queue, worker, activeAt: () => activeAt, isFull: () => running >= concurrency };
}

/** BullMQ stores failures as clear text in Redis, so the error itself only goes to the log. */
class LoggedFailure extends Error {
  constructor() {
    super('see the log');
    this.name = 'LoggedFailure';
  }
}

const HEARTBEAT_MS = 5_000;
/** A worker that could take a job and does not for this long is stuck. Milliseconds. */
const STUCK_MS = 60_000;
/** Jobs end within this time, so a worker that is full for longer is stuck. Milliseconds. */
const FULL_MS = 5 * 60_000;

/**
 * Checks the workers of this process by a timer, independent of any job. While Redis does not answer or
 * refuses writes, no worker can take a job, and a new process could not either: they are unwell then, not
 * stuck, until their time has passed again.
 * @param watched `heartbeat` fails while Redis takes no writes; `refusal`: why Redis refuses writes now
 */
export function createHealth(watched: {
  workers: () => readonly QueueWorker[];
  heartbeat: () => Promise<unknown>;
  refusal: () => RefusalWord | undefined;
}) {
  let timer: NodeJS.Timeout | undefined;
  let excusedUntil = performance.now();
  let beatAt: number | undefined;

  function beat(): void {
    if (watched.refusal() !== undefined) return excuse();
    if (stuck() !== undefined) return;
    watched.heartbeat().then(() => (beatAt = performance.now()), excuse);
  }

  function excuse(): void {
    excusedUntil = performance.now();
  }

  function stuck(): string | undefined {
    const idleMs = (one: QueueWorker): number =>
      performance.now() - Math.max(one.activeAt(), excusedUntil);
    const found = watched
      .workers()
      .find((one) => idleMs(one) > (one.isFull() ? FULL_MS : STUCK_MS));
    if (found === undefined) return undefined;
    const seconds = Math.floor(idleMs(found) / 1_000);
    return `the worker of ${found.queue} has taken nothing for ${seconds} s`;
  }

  return {
    start(): void {
      timer ??= setInterval(beat, HEARTBEAT_MS);
      timer.unref();
      beat();
    },
    now(): WorkersHealth {
      const word = watched.refusal();
      if (word !== undefined) return { unwell: `Redis refuses what the workers write (${word})` };
      const reason = stuck();
      if (reason !== undefined) return { unwell: reason, stuck: reason };
      if (timer === undefined) return { unwell: 'the workers have not started yet' };
      const isBeating = beatAt !== undefined && performance.now() - beatAt < 3 * HEARTBEAT_MS;
      return isBeating ? {} : { unwell: 'the workers cannot reach Redis' };
    },
    stop: (): void => clearInterval(timer),
  };
}
