import { MessageChannel, Worker, type MessagePort, type ResourceLimits } from 'node:worker_threads';
import { PurserError, Refusal } from './errors.ts';
import type { Logger } from './logger.ts';
import type { MetricValues } from './metrics.ts';
import { workUser } from './work-log.ts';

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

/** Crosses to the thread, so it is plain data. */
export interface ReportOrder<Job = unknown> {
  readonly kind: string;
  readonly job: Job;
  readonly bytes: number;
}

/** The error is plain data, too: classes do not cross threads. */
export type ReportOutcome = { readonly report: unknown } | { readonly error: unknown };

export type Reports = ReturnType<typeof createReports>;

/** The thread answers at the port. */
export interface MetricsOrder {
  readonly kind: 'metrics';
  readonly port: MessagePort;
}

/** How a report ends. */
type ReportEnd = 'done' | 'failed' | ReportFailed['reason'];

interface ReportThread {
  readonly ended?: (end: ReportEnd) => void;
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
/** Waiting reports of one person, and of all people, besides the running one. */
const MOST_OF_ONE = 20;
const MOST_WAITING = 100;

/**
 * Reports are made in a thread of their own, one after another: the thread that answers Slack is not blocked,
 * and a report that takes too much ends only the report thread, which starts again with the next report. People take
 * turns, so that many reports of one person delay those of another by one report at most.
 */
export function createReports(thread: ReportThread) {
  const { ended = () => {} } = thread;
  const turns = createTurns();
  const runner = createRunner(thread);
  return {
    /** @throws ReportFailed, and what the making of the report throws */
    async run(order: ReportOrder): Promise<unknown> {
      const person = workUser() ?? '';
      if (turns.waiting(person) >= MOST_OF_ONE || turns.waiting() >= MOST_WAITING) {
        ended('busy');
        throw new ReportFailed('busy');
      }
      try {
        const report = await turns.take(person, () => runner.run(order));
        ended('done');
        return report;
      } catch (error) {
        ended(error instanceof ReportFailed ? error.reason : 'failed');
        throw error;
      }
    },
    /** Of the thread; empty when it does not run. Stays pending while it makes a report. */
    metrics: () => runner.metrics(),
    /** Ends the thread, even in the middle of a report. */
    close: () => runner.close(),
  };
}

/** Runs one task at a time: those of a person in their order, and the people in turn. */
export function createTurns() {
  const queues = new Map<string, (() => void)[]>();
  let isBusy = false;

  /** The next person, who goes to the end of the row. */
  function passOn(): void {
    const [entry] = queues;
    if (entry === undefined) {
      isBusy = false;
      return;
    }
    const [person, [start, ...others]] = entry;
    queues.delete(person);
    if (others.length > 0) queues.set(person, others);
    start?.();
  }

  return {
    /** How many tasks wait. @param person absent: of everyone */
    waiting: (person?: string): number =>
      person === undefined
        ? [...queues.values()].reduce((sum, { length }) => sum + length, 0)
        : (queues.get(person)?.length ?? 0),
    async take<T>(person: string, task: () => Promise<T>): Promise<T> {
      if (isBusy) {
        await new Promise<void>((resolve) => {
          queues.set(person, [...(queues.get(person) ?? []), resolve]);
        });
      }
      isBusy = true;
      try {
        return await task();
      } finally {
        passOn();
      }
    },
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
    metrics(): Promise<MetricValues> {
      const asked = thread;
      if (asked === undefined) return Promise.resolve([]);
      const { port1: own, port2: port } = new MessageChannel();
      return new Promise<MetricValues>((resolve) => {
        // It closes when the thread ends.
        own.once('close', () => resolve([]));
        own.once('message', resolve);
        own.unref();
        asked.postMessage({ kind: 'metrics', port } satisfies MetricsOrder, [port]);
      }).finally(() => own.close());
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
