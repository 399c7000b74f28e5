/** The time of the stand-in: real time plus whatever it was moved by. Milliseconds since the epoch. */
export interface SandboxClock {
  now(): number;
  /** Moves the clock forward by `ms` >= 0; it never runs backwards. Throws a RangeError otherwise. */
  advance(ms: number): void;
  /** Called with the whole distance from real time, in ms, after each move. */
  onMove(listener: (aheadMs: number) => void): void;
}

export function createSandboxClock(realNow: () => number = Date.now): SandboxClock {
  let offset = 0;
  const listeners: ((aheadMs: number) => void)[] = [];

  return {
    now: () => realNow() + offset,
    advance(ms) {
      if (!Number.isFinite(ms) || ms < 0) throw new RangeError(`cannot move the clock by ${ms} ms`);
      offset += ms;
      for (const listener of listeners) listener(offset);
    },
    onMove: (listener) => void listeners.push(listener),
  };
}
