import { setTimeout as sleep } from 'node:timers/promises';

import { backoffDelay } from '../lib/retry.ts';
import { toPlatformError } from './failure.ts';

export interface RepeatDeps {
  readonly now: () => number;
  readonly random: () => number;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** How far repetitions may go. */
interface Bounds {
  /** Tries in all; 1 = no repetition. */
  readonly attempts: number;
  /** Ms since the epoch; no pause goes beyond it. */
  readonly endsAt: number;
  readonly signal: AbortSignal;
}

const BACKOFF = { baseMs: 500, capMs: 5_000 };

/**
 * Tries until it works, with the pause that the server asks for or a capped random one.
 * @throws PlatformError of the last try
 */
export async function repeat<T>(
  tryOnce: () => Promise<T>,
  { attempts, endsAt, signal }: Bounds,
  { now, random, wait }: RepeatDeps,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      signal.throwIfAborted();
      return await tryOnce();
    } catch (error) {
      const failure = toPlatformError(error);
      const pause = failure.retryAfterMs ?? backoffDelay(attempt, { ...BACKOFF, random });
      if (!failure.retryable || attempt >= attempts || now() + pause >= endsAt) throw failure;
      await wait(pause, signal);
    }
  }
}

/** The pause itself; ended by what the signal is aborted with. */
export async function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
}
