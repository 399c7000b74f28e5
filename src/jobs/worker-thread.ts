import { parentPort, type MessagePort } from 'node:worker_threads';
import { StartRefused } from '../lib/errors.ts';
import type { LogOutput } from '../lib/log-output.ts';
import type { MetricValues } from '../lib/metrics.ts';
import { threadOf } from '../lib/threads.ts';
import type { WorkersHealth } from './workers.ts';

/** Messages between the two threads of `ROLE=all`; without secrets. */
interface ThreadRequest {
  readonly kind: 'stop' | 'metrics' | 'read-keys';
}
type Report =
  | { readonly kind: 'started' }
  | { readonly kind: 'refused'; readonly sentence: string }
  | { readonly kind: 'health'; readonly health: WorkersHealth }
  | { readonly kind: 'metrics'; readonly values: MetricValues }
  | { readonly kind: 'log'; readonly line: string };

export type WorkerThread = ReturnType<typeof startWorkerThread>;

/**
 * In MB. Without a limit V8 keeps the lists of several polls before it collects them. The first figure is the
 * maximum for the thread, far beyond any real need; but V8 also derives from it how much garbage may
 * accumulate. Exceeding it ends the thread, and with it the process.
 */
const LIMITS = { maxOldGenerationSizeMb: 768, maxYoungGenerationSizeMb: 12 };

const HEALTH_MS = 1_000;
/** Longest silence, after its first report and before it. Milliseconds. */
const SILENT_MS = 20_000;
const STARTING_MS = 120_000;

/**
 * Starts the workers in a thread of their own.
 * @param entry the entry file of the process
 * @param log writes a line of the thread's log
 */
export function startWorkerThread(entry: URL, log: (line: string) => void) {
  const worker = threadOf(entry, LIMITS);
  /** Shared by all waiting scrapes: else each would queue another request in a stuck thread. */
  let question:
    { answer: Promise<MetricValues>; settle: (values: MetricValues) => void } | undefined;
  let error: unknown;
  let health: WorkersHealth = { unwell: 'the workers have not started yet' };
  let silentFrom = performance.now() + STARTING_MS;
  const request = (one: ThreadRequest): void => worker.postMessage(one);
  const started = new Promise<void>((resolve, reject) => {
    worker.on('message', (report: Report) => {
      silentFrom = performance.now() + SILENT_MS;
      if (report.kind === 'started') return resolve();
      if (report.kind === 'refused') return reject(new StartRefused(report.sentence));
      if (report.kind === 'health') return void (health = report.health);
      if (report.kind === 'log') return log(report.line);
      question?.settle(report.values);
      question = undefined;
    });
  });
  worker.on('error', (reason) => (error = reason));
  const ended = new Promise<number>((resolve) => {
    worker.on('exit', resolve);
  });
  return {
    /** Resolves when the workers work; stays pending when they cannot start. @throws StartRefused */
    started,
    /** Called when the thread has ended, asked or not, with the error that ended it. */
    onEnd: (listener: (error: unknown) => void) => void worker.on('exit', () => listener(error)),
    /** Stays pending as long as the thread does not answer. */
    metrics(): Promise<MetricValues> {
      if (question === undefined) {
        question = openQuestion();
        request({ kind: 'metrics' });
      }
      return question.answer;
    },
    /** As last reported. After 20 s of silence the thread counts as stuck. */
    health(): WorkersHealth {
      if (performance.now() < silentFrom) return health;
      const still = 'the thread of the workers stands still';
      return { unwell: still, stuck: still };
    },
    /** Has it read its key files again. */
    readKeys: () => request({ kind: 'read-keys' }),
    /** Asks it to stop, and terminates it after `limitMs` milliseconds. */
    async stop(limitMs: number): Promise<{ clean: boolean }> {
      request({ kind: 'stop' });
      const timer = setTimeout(() => void worker.terminate(), limitMs);
      const code = await ended;
      clearTimeout(timer);
      return { clean: code === 0 };
    },
  };
}

function openQuestion() {
  let settle: (values: MetricValues) => void = () => undefined;
  const answer = new Promise<MetricValues>((resolve) => {
    settle = resolve;
  });
  return { answer, settle };
}

/** In the thread of the workers: the main thread writes its log, so that lines never mix. */
export function createThreadOutput(port: MessagePort | null = parentPort): LogOutput {
  return {
    write: (line) => port?.postMessage({ kind: 'log', line } satisfies Report),
    flush: () => Promise.resolve(),
  };
}

interface Served {
  metrics(): Promise<MetricValues>;
  health(): WorkersHealth;
  readKeys(): void;
  stop(): void;
}

/**
 * Answers the requests of the main thread.
 * @returns functions to call when the workers work, or may not start
 */
export function serveMainThread(served: Served, port: MessagePort | null = parentPort) {
  if (port === null) throw new Error('this is not the thread of the workers');
  const report = (one: Report): void => port.postMessage(one);
  port.on('message', (request: ThreadRequest) => {
    if (request.kind === 'stop') served.stop();
    else if (request.kind === 'read-keys') served.readKeys();
    else void served.metrics().then((values) => report({ kind: 'metrics', values }));
  });
  setInterval(() => report({ kind: 'health', health: served.health() }), HEALTH_MS).unref();
  return {
    started: () => report({ kind: 'started' }),
    /** The main thread then ends the process, and this thread with it. */
    refused: ({ message }: StartRefused) => report({ kind: 'refused', sentence: message }),
  };
}
