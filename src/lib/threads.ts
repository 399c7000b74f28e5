import { Worker, type ResourceLimits } from 'node:worker_threads';
import { PurserError, Refusal } from './errors.ts';
import type { Logger } from './logger.ts';
import { atMost } from './time.ts';

/**
 * Runs a source file in a thread. From source, tsx has to be registered there, too: on Node 20 it stays in
 * the first thread.
 */
export function threadOf(entry: URL, resourceLimits: ResourceLimits): Worker {
  if (!entry.pathname.endsWith('.ts')) return new Worker(entry, { resourceLimits });
  const [tsx, file] = [import.meta.resolve('tsx/esm/api'), entry.href].map((address) =>
    JSON.stringify(address),
  );
  const source = `import(${tsx}).then(({ register }) => (register(), import(${file})))`;
  return new Worker(source, { eval: true, execArgv: [], resourceLimits });
}

/**
 * A report that was not made. `too-large`: it exceeded its memory or time; `busy`: the queue is full;
 * `stopped`: the process ends.
 */
export class ReportFailed extends PurserError<'too-large' | 'busy' | 'stopped'> {
  constructor(reason: 'too-large' | 'busy' | 'stopped') {
    super(`a report was not made: ${reason}`, { reason });
  }

  /** For a user who can only ask again. */
  refusal(): Refusal {
    return new Refusal(SENTENCES[this.reason === 'busy' ? 'busy' : 'stopped']);
  }
}

const SENTENCES = {
  busy: 'Too many large questions are waiting for their answers just now: please ask again in a minute.',
  stopped: 'Purser is being restarted just now: please try again in a minute.',
} as const;

/** Crosses to the thread, so all of it is plain data. */
export interface ReportOrder<Job = unknown> {
  readonly kind: string;
  readonly job: Job;
  readonly bytes: number;
}

/** The error is plain data, too: classes do not cross threads. */
export type ReportOutcome = { readonly report: unknown } | { readonly error: unknown };

/**
 * Reports are made in a thread of their own, one after another: the thread that answers Slack is not blocked,
 * and a report that takes too much ends only the report thread.
 */
export interface Reports {
  /** @throws ReportFailed, and what the making of the report throws */
  run(order: ReportOrder): Promise<unknown>;
  /** Ends the thread, even in the middle of a report. */
  close(): Promise<void>;
}

interface ReportThread {
  readonly logger: Logger;
  readonly entry: URL;
  readonly errorOf: (plain: unknown) => Error;
  readonly resourceLimits?: ResourceLimits;
  /** Time limit of one report, in milliseconds (3 min). */
  readonly limitMs?: number;
}

/**
 * In MB. Reading an answer of 32 MB takes about 100, and V8 keeps as much as it may; with the other threads
 * the process stays below 400.
 */
const LIMITS: ResourceLimits = { maxOldGenerationSizeMb: 160, maxYoungGenerationSizeMb: 12 };
/** The thread has a low priority: on a busy machine it gets a tenth of a core. */
const LIMIT_MS = 3 * 60_000;
/**
 * An idle thread ends after this time, and at once after a job of more bytes: V8 keeps memory that it has
 * taken.
 */
const IDLE_MS = 60_000;
const LARGE_BYTES = 4 * 1024 * 1024;
/** Waiting reports, besides the running one. */
const MOST_WAITING = 20;

/** The thread starts with the first report. */
export function createReports(thread: ReportThread): Reports {
  const oneAtATime = atMost(1);
  const runner = createRunner(thread);
  let asked = 0;
  return {
    async run(order) {
      if (asked > MOST_WAITING) throw new ReportFailed('busy');
      asked += 1;
      try {
        return await oneAtATime(() => runner.run(order));
      } finally {
        asked -= 1;
      }
    },
    close: () => runner.close(),
  };
}

/** Starts the thread on demand, and again when it has ended. */
function createRunner({ logger, entry, errorOf, ...limits }: ReportThread) {
  const { resourceLimits = LIMITS, limitMs = LIMIT_MS } = limits;
  let thread: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let isClosed = false;

  function start(): Worker {
    const worker = threadOf(entry, resourceLimits);
    // An idle thread does not keep the process running.
    worker.unref();
    const forget = (): void => {
      if (thread === worker) thread = undefined;
    };
    worker.on('exit', forget);
    // It may die while idle: an error without a listener would end the process. Its exit event comes later,
    // and no report must be given to it in between.
    worker.on('error', (error) => {
      forget();
      logger.warn({ err: error }, 'The thread of the reports has ended');
    });
    return worker;
  }

  async function end(): Promise<void> {
    const ending = thread;
    thread = undefined;
    await ending?.terminate();
  }

  return {
    async run(order: ReportOrder): Promise<unknown> {
      if (isClosed) throw new ReportFailed('stopped');
      clearTimeout(idle);
      thread ??= start();
      try {
        return await reportOf(thread, order, { limitMs, errorOf });
      } catch (error) {
        if (isClosed) throw new ReportFailed('stopped');
        if (error instanceof ReportFailed) {
          logger.warn({ kind: order.kind }, 'A report took more than it may, and its thread ended');
        }
        throw error;
      } finally {
        if (order.bytes > LARGE_BYTES) void end();
        else idle = setTimeout(() => void end(), IDLE_MS).unref();
      }
    },
    async close(): Promise<void> {
      isClosed = true;
      clearTimeout(idle);
      await end();
    },
  };
}

/** @throws ReportFailed when the thread ends by its limits, else the error that ended it */
function reportOf(
  worker: Worker,
  order: ReportOrder,
  { limitMs, errorOf }: Pick<ReportThread, 'errorOf'> & { readonly limitMs: number },
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    let reason: Error = new ReportFailed('too-large');
    const timer = setTimeout(() => void worker.terminate(), limitMs);
    const onMessage = (outcome: ReportOutcome): void => {
      detach();
      if ('report' in outcome) resolve(outcome.report);
      else reject(errorOf(outcome.error));
    };
    const fail = (error: Error): void => {
      if (!isOutOfMemory(error)) reason = error;
    };
    const end = (): void => {
      detach();
      reject(reason);
    };
    const detach = (): void => {
      clearTimeout(timer);
      worker.off('message', onMessage).off('error', fail).off('exit', end);
    };
    worker.on('message', onMessage).on('error', fail).on('exit', end);
    worker.postMessage(order);
  });
}

function isOutOfMemory(error: Error): boolean {
  return 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
