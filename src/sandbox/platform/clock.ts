/** The time of the stand-in: real time plus whatever it was moved by. Milliseconds since the epoch. */
export interface SandboxClock {
  now(): number;
  /** Moves the clock forward by `ms` >= 0; it never runs backwards. Throws a RangeError otherwise. */
  advance(ms: number): void;
}

export function createSandboxClock(realNow: () => number = Date.now): SandboxClock {
  let offset = 0;

  return {
    now: () => realNow() + offset,
    advance(ms) {
      if (!Number.isFinite(ms) || ms < 0) throw new RangeError(`cannot move the clock by ${ms} ms`);
      offset += ms;
    },
  };
}
