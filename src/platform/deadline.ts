import { setMaxListeners } from 'node:events';

import { PlatformError } from './errors.ts';

export interface Deadline {
  /** Aborted with a PlatformError `timeout`, by the clock or when one of the other signals is. */
  readonly signal: AbortSignal;
  /** To be called when the work is done, however it ended. */
  readonly release: () => void;
}

/**
 * A time limit of `ms` milliseconds, joined with the signals of who may give the work up before. Not
 * AbortSignal.any: such a signal may live as long as the process, and Node 20 keeps a trace of each
 * call on it.
 */
export function startDeadline(
  ms: number,
  ...others: readonly (AbortSignal | undefined)[]
): Deadline {
  const controller = new AbortController();
  const end = (message: string) => controller.abort(new PlatformError('timeout', message));
  const giveUp = () => end('the call was given up before the platform answered');
  const timer = setTimeout(() => end('the platform did not answer in time'), ms);
  const signals = others.filter((signal) => signal !== undefined);
  for (const signal of signals) {
    // As many calls as run at once; Node takes more than ten for a leak.
    setMaxListeners(0, signal);
    signal.addEventListener('abort', giveUp);
    if (signal.aborted) giveUp();
  }
  return {
    signal: controller.signal,
    release: () => {
      clearTimeout(timer);
      for (const signal of signals) signal.removeEventListener('abort', giveUp);
    },
  };
}
