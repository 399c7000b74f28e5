/** Time source in milliseconds since the epoch. */
export interface Clock {
  now(): number;
  /** Calls the listener when it is moved, if it can be. */
  onMove?(listener: () => void): void;
}

export interface Ids {
  /** A new id with this prefix, e.g. `next('V')` -> `V000000001`. Unique within one workspace. */
  next(prefix: string): string;
  /** A new message time stamp: seconds with six decimals, later than every one before it. */
  timestamp(): string;
}

/** Ids are counted, not drawn: the same run gives the same ids. */
export function createIds(clock: Clock): Ids {
  let count = 0;
  let lastMicros = 0;
  return {
    next(prefix) {
      count += 1;
      return prefix + count.toString(36).toUpperCase().padStart(9, '0');
    },
    timestamp() {
      lastMicros = Math.max(clock.now() * 1000, lastMicros + 1);
      const seconds = Math.floor(lastMicros / 1_000_000);
      const micros = Math.floor(lastMicros % 1_000_000);
      return `${seconds}.${String(micros).padStart(6, '0')}`;
    },
  };
}
