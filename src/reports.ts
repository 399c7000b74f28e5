import { extname } from 'node:path';
import type { ResourceLimits, Worker } from 'node:worker_threads';
import type { FiguresJob, FiguresReport } from './features/consumption/report.ts';
import { errorOf } from './features/plain-errors.ts';
import type { PlainError } from './features/plain-errors.ts';
import { ReportFailed } from './features/report-failed.ts';
import type { CheckJob, CheckReport } from './features/workload/check-report.ts';
import { atMost } from './lib/at-most.ts';
import type { Logger } from './lib/logger.ts';
import { threadOf } from './worker-thread.ts';

/** What the thread of the reports is told. Everything that crosses is plain data. */
export type ReportOrder =
  | { readonly kind: 'figures'; readonly job: FiguresJob }
  | { readonly kind: 'check'; readonly job: CheckJob };

/** What it gives. */
export type ReportOutcome =
  { readonly report: FiguresReport | CheckReport } | { readonly error: PlainError };

/**
 * Reports are made in a thread of their own, one after another: the thread that answers Slack does not
 * stand still meanwhile, and one that takes too much ends that thread alone.
 * Both throw a ReportFailed, and what the making of the report throws.
 */
export interface Reports {
  figures(job: FiguresJob): Promise<FiguresReport>;
  check(job: CheckJob): Promise<CheckReport>;
  /** Ends the thread, also in the midst of a report. */
  close(): Promise<void>;
}

interface ReportsDeps {
  readonly logger: Logger;
  /** The file of the thread. */
  readonly entry?: URL;
  readonly resourceLimits?: ResourceLimits;
  /** What one report may take, in milliseconds (60 s). */
  readonly limitMs?: number;
}

/**
 * In MB. An answer of 32 MB takes about 100 while it is read, and V8 lets as much lie as it may; with the
 * other threads and what they hold the process stays below 400.
 */
const LIMITS: ResourceLimits = { maxOldGenerationSizeMb: 160, maxYoungGenerationSizeMb: 12 };
const LIMIT_MS = 60_000;
/** What nobody asks for anymore gives its memory back: after this time, or at once after so many bytes. */
const IDLE_MS = 60_000;
const LARGE_BYTES = 4 * 1024 * 1024;
/** Reports that wait at most, beside the one that is being made. */
const MOST_WAITING = 20;

/** From dist and from a bundle as from source. */
const ENTRY = new URL(`./report-thread${extname(import.meta.url)}`, import.meta.url);

/** Nothing runs before the first report is asked for. */
export function createReports(deps: ReportsDeps): Reports {
  const inTurn = atMost(1);
  const runner = createRunner(deps);
  let asked = 0;
  async function run<T>(order: ReportOrder): Promise<T> {
    if (asked > MOST_WAITING) throw new ReportFailed('busy');
    asked += 1;
    try {
      return (await inTurn(() => runner.run(order))) as T;
    } finally {
      asked -= 1;
    }
  }
  return {
    figures: (job) => run<FiguresReport>({ kind: 'figures', job }),
    check: (job) => run<CheckReport>({ kind: 'check', job }),
    close: () => runner.close(),
  };
}

/** The thread, which is started when there is something to do, and again when it has ended. */
function createRunner({ logger, entry = ENTRY, resourceLimits = LIMITS, ...deps }: ReportsDeps) {
  const { limitMs = LIMIT_MS } = deps;
  let thread: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let isClosed = false;

  function start(): Worker {
    const worker = threadOf(entry, resourceLimits);
    // What waits for a report keeps the process, not the thread that could make one.
    worker.unref();
    worker.on('exit', () => {
      if (thread === worker) thread = undefined;
    });
    // It may die when nobody waits for it: an error that nobody hears would end the process.
    worker.on('error', (error) =>
      logger.warn({ err: error }, 'The thread of the reports has ended'),
    );
    return worker;
  }

  /** Whoever asks from now on gets another one. */
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
        return await reportOf(thread, order, limitMs);
      } catch (error) {
        if (isClosed) throw new ReportFailed('stopped');
        if (error instanceof ReportFailed) {
          logger.warn({ kind: order.kind }, 'A report took more than it may, and its thread ended');
        }
        throw error;
      } finally {
        if (bytesOf(order) > LARGE_BYTES) void end();
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

function bytesOf(order: ReportOrder): number {
  if (order.kind === 'check') return order.job.text.length;
  const { now, before } = order.job.bodies;
  const answers = [now, ...(before.parts ?? [])].flatMap((each) => each.answers);
  return answers.reduce((sum, { value }) => sum + value.body.length, 0);
}

/** @throws ReportFailed when the thread ends by its limits, and whatever else it ends by */
function reportOf(worker: Worker, order: ReportOrder, limitMs: number): Promise<unknown> {
  return new Promise((resolve, reject) => {
    let reason: Error = new ReportFailed('too-large');
    const timer = setTimeout(() => void worker.terminate(), limitMs);
    const hear = (outcome: ReportOutcome): void => {
      letGo();
      if ('report' in outcome) resolve(outcome.report);
      else reject(errorOf(outcome.error));
    };
    const fail = (error: Error): void => {
      if (!isOutOfMemory(error)) reason = error;
    };
    const end = (): void => {
      letGo();
      reject(reason);
    };
    const letGo = (): void => {
      clearTimeout(timer);
      worker.off('message', hear).off('error', fail).off('exit', end);
    };
    worker.on('message', hear).on('error', fail).on('exit', end);
    worker.postMessage(order);
  });
}

function isOutOfMemory(error: Error): boolean {
  return 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
