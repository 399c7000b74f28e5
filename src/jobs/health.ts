import type { RefusalWord } from '../store/refusal.ts';
import type { QueueWorker } from './worker.ts';

/** How the workers of a process stand, in words; plain data. */
export interface WorkersHealth {
  /** Why they do not do their work now; absent: they do. */
  readonly unwell?: string;
  /** Why only a new process helps; absent: it would not. */
  readonly stuck?: string;
}

export interface HealthDeps {
  workers: () => readonly QueueWorker[];
  /** Notes for everybody that a worker lives; it fails as long as Redis takes no writes. */
  beat: () => Promise<unknown>;
  /** Why Redis refuses writes now. */
  refusal: () => RefusalWord | undefined;
}

export interface Health {
  start(): void;
  now(): WorkersHealth;
  stop(): void;
}

const BEAT_MS = 5_000;
/** From then on a worker that could take a job and does not is stuck. Milliseconds. */
const STUCK_MS = 60_000;
/** A job ends within this time, so that hands that are full all the while are no work. Milliseconds. */
const FULL_MS = 5 * 60_000;

/**
 * Watches the workers of this process by a timer of their own, behind no job. While Redis does not answer,
 * or refuses writes, nobody can take a job and a new process could not either: they are unwell then, and
 * not stuck, until they have had their time again.
 */
export function createHealth(deps: HealthDeps): Health {
  let timer: NodeJS.Timeout | undefined;
  let excusedUntil = performance.now();
  let beatAt: number | undefined;

  function beat(): void {
    if (deps.refusal() !== undefined) return excuse();
    if (stuck() !== undefined) return;
    deps.beat().then(() => (beatAt = performance.now()), excuse);
  }

  function excuse(): void {
    excusedUntil = performance.now();
  }

  function stuck(): string | undefined {
    const now = performance.now();
    const found = deps.workers().find((one) => {
      const idleMs = now - Math.max(one.lookedAt(), excusedUntil);
      return idleMs > (one.isFull() ? FULL_MS : STUCK_MS);
    });
    if (found === undefined) return undefined;
    const seconds = Math.floor((now - Math.max(found.lookedAt(), excusedUntil)) / 1_000);
    return `the worker of ${found.queue} has taken nothing for ${seconds} s`;
  }

  return {
    start() {
      timer ??= setInterval(beat, BEAT_MS);
      timer.unref();
      beat();
    },
    now() {
      const word = deps.refusal();
      if (word !== undefined) return { unwell: `Redis refuses what the workers write (${word})` };
      const reason = stuck();
      if (reason !== undefined) return { unwell: reason, stuck: reason };
      if (timer === undefined) return { unwell: 'the workers have not started yet' };
      const isBeating = beatAt !== undefined && performance.now() - beatAt < 3 * BEAT_MS;
      return isBeating ? {} : { unwell: 'the workers cannot reach Redis' };
    },
    stop: () => clearInterval(timer),
  };
}
