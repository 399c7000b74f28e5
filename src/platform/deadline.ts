import { setMaxListeners } from 'node:events';

import { PlatformError } from './errors.ts';

export interface Deadline {
  /** Aborted with a PlatformError `timeout`, by the clock or when the caller's own signal is. */
  readonly signal: AbortSignal;
  /** To be called when the work is done, however it ended. */
  readonly release: () => void;
}

/**
 * A time limit of `ms` milliseconds, joined with the signal of the caller. Not AbortSignal.any:
 * a caller's signal may live as long as the process, and Node 20 keeps a trace of each call on it.
 */
export function startDeadline(ms: number, caller?: AbortSignal): Deadline {
  const controller = new AbortController();
  const end = (message: string) => controller.abort(new PlatformError('timeout', message));
  const giveUp = () => end('the call was given up before the platform answered');
  const timer = setTimeout(() => end('the platform did not answer in time'), ms);
  if (caller?.aborted) giveUp();
  else if (caller) {
    // As many calls as run at once; Node takes more than ten for a leak.
    setMaxListeners(0, caller);
    caller.addEventListener('abort', giveUp);
  }
  return {
    signal: controller.signal,
    release: () => {
      clearTimeout(timer);
      caller?.removeEventListener('abort', giveUp);
    },
  };
}
