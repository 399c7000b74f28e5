import type { SandboxClock } from '../clock.ts';

/** A clock that is set to a past moment, for results as of then. */
export interface LookBack extends SandboxClock {
  /** @param moment ms since the epoch */
  at<T>(moment: number, work: () => T): T;
}

export function createLookBack(clock: SandboxClock): LookBack {
  let held: number | undefined;

  return {
    now: () => held ?? clock.now(),
    advance: (ms) => clock.advance(ms),
    onMove: (listener) => clock.onMove(listener),
    at(moment, work) {
      held = moment;
      try {
        return work();
      } finally {
        held = undefined;
      }
    },
  };
}
