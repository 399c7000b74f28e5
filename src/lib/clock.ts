/** Where the time comes from; handed in, so that tests own it. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
}

/** The clock of the machine. */
export const systemClock: Clock = { now: () => Date.now() };
