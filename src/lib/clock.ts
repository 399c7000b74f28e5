/** Where the time comes from; handed in, so that tests own it. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
}

/** Where the age of something comes from: a clock that is set back must not make it younger. */
export interface Stopwatch {
  /** Milliseconds since some moment; never goes back. */
  elapsed(): number;
}

/** The clock of the machine. */
export const systemClock: Clock = { now: () => Date.now() };

/** The stopwatch of the process. */
export const systemStopwatch: Stopwatch = { elapsed: () => performance.now() };
