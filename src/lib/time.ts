export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

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

/** Runs work, at most `max` of it at a time; what is more waits for its turn. */
export function atMost(max: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    // A place that becomes free goes straight to the next in line, so that no newcomer takes it.
    if (running < max) running += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}

/**
 * What work gives within `ms` milliseconds, else `otherwise`; late work goes on running.
 * @throws what the work throws in time
 */
export async function within<T>(work: T | Promise<T>, ms: number, otherwise: T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(otherwise), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** Whether work ended within `ms` milliseconds, by a value or an error; late work goes on running. */
export function settledWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  const done = work.then(
    () => true,
    () => true,
  );
  return within(done, ms, false);
}

/** How long to wait between attempts. Times are milliseconds. */
interface Backoff {
  readonly baseMs: number;
  readonly capMs: number;
  /** A number from 0 up to 1, such as `Math.random` gives. */
  readonly random: () => number;
}

/**
 * The pause before attempt `attempt + 1` (the first attempt is 1): anywhere between nothing and
 * `baseMs * 2^(attempt - 1)`, at most `capMs`. Full jitter keeps many clients from coming back at once.
 */
export function backoffDelay(attempt: number, { baseMs, capMs, random }: Backoff): number {
  return Math.floor(random() * Math.min(capMs, baseMs * 2 ** (attempt - 1)));
}

/** At most as many are remembered at once; then all are forgotten. */
const MAX_REMEMBERED = 10_000;

/**
 * Remembers what was read, by key, for a while. Failures are not remembered, nor is what `keeps`
 * says no to. Of two answers, the one that was asked for later counts; `fresh` asks in any case.
 * @param forMs milliseconds since the question: an answer may have been old when it came
 */
export function createMemo<T>(
  stopwatch: Stopwatch,
  forMs: number,
  keeps: (value: T) => boolean = () => true,
): (key: string, read: () => Promise<T>, fresh?: boolean) => Promise<T> {
  const kept = new Map<string, { value: T; until: number }>();
  return async (key, read, fresh = false) => {
    const known = kept.get(key);
    if (!fresh && known !== undefined && known.until > stopwatch.elapsed()) return known.value;
    const until = stopwatch.elapsed() + forMs;
    const value = await read();
    if ((kept.get(key)?.until ?? 0) > until) return value;
    if (kept.size >= MAX_REMEMBERED) kept.clear();
    if (keeps(value)) kept.set(key, { value, until });
    else kept.delete(key);
    return value;
  };
}
