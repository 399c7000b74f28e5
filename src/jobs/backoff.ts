import type { Worker } from 'bullmq';
import type { Logger } from '../lib/logger.ts';
import { refusalWord } from '../store/redis.ts';
import type { RefusalWord } from '../store/redis.ts';

/** Told of the time in which Redis refuses what the workers write. */
export interface StoreOutage {
  /** Called with each refusal. */
  refused(word: RefusalWord): void;
  over(): void;
}

export interface WriteBackoff {
  /** Pauses the workers if it was Redis that refused a worker itself; else false. */
  workerRefused(error: unknown): boolean;
  /** Pauses them if Redis refused a job, and the probe as well; alone, it is a matter of that job. */
  jobFailed(error: unknown): void;
  /** Why the workers are paused, or were a moment ago. */
  word(): RefusalWord | undefined;
  stop(): void;
}

/** Milliseconds between two tries; longer where the probe is taken and the workers are refused all the same. */
const TRY_MS = 1_000;
const LONGEST_MS = 10_000;
/** It is over when there was no refusal for this long. Milliseconds. */
const CALM_MS = 5_000;
/** One line of the log in this time, per cause. Milliseconds. */
const QUIET_MS = 60_000;

/**
 * Pauses the workers of a process while Redis refuses their writes (full, a replica, no right): one probe a
 * second, and all of them go on where they were once it is taken. What they had taken runs on. Without it
 * BullMQ's own loop asks again at once after an error, tens of thousands of times a second.
 * @param deps `probe`: one small write, which says whether Redis takes writes
 */
export function createWriteBackoff(deps: {
  workers: () => Iterable<Pick<Worker, 'pause' | 'resume'>>;
  probe: () => Promise<unknown>;
  outage?: StoreOutage;
  logger: Logger;
}): WriteBackoff {
  const complain = createComplaint(deps.logger);
  let word: RefusalWord | undefined;
  let isPaused = false;
  let waitMs = TRY_MS;
  let timer: NodeJS.Timeout | undefined;

  function later(ms: number, work: () => void): void {
    clearTimeout(timer);
    timer = setTimeout(work, ms).unref();
  }

  function note(error: unknown): boolean {
    const said = refusalWord(error);
    if (said === undefined) return false;
    word = said;
    complain(said, error);
    deps.outage?.refused(said);
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

  function workerRefused(error: unknown): boolean {
    if (!note(error)) return false;
    if (isPaused) return true;
    isPaused = true;
    for (const worker of deps.workers()) void worker.pause(true);
    later(waitMs, probe);
    return true;
  }

  const ask = createAsk(deps.probe, workerRefused);
  return {
    workerRefused,
    jobFailed(error) {
      if (!isPaused && refusalWord(error) !== undefined) void ask();
    },
    word: () => word,
    stop: () => clearTimeout(timer),
  };
}

/** Asks the probe, once for many who ask at a time, and hands on why it is refused. */
function createAsk(probe: () => Promise<unknown>, refused: (error: unknown) => unknown) {
  let isAsking = false;
  return async (): Promise<void> => {
    if (isAsking) return;
    isAsking = true;
    try {
      await probe();
    } catch (error) {
      refused(error);
    } finally {
      isAsking = false;
    }
  };
}

/** One line at once, and then one a minute that says how many were left out. */
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
