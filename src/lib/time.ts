export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** Injected, so that tests control the time. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
}

/** For ages: a clock that is set back must not make anything younger. */
export interface Stopwatch {
  /** Milliseconds since some moment; monotonic. */
  elapsed(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

export const systemStopwatch: Stopwatch = { elapsed: () => performance.now() };

/** Runs at most `max` pieces of work at a time, in the order of the calls. */
export function atMost(max: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    // A free place goes straight to the next in line, so that no newcomer takes it.
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
 * The result of the work within `ms` milliseconds, else `otherwise`; late work goes on running.
 * @throws what the work throws in time
 */
export async function within<T>(work: T | Promise<T>, ms: number, otherwise: T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(otherwise), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** Whether work settled within `ms` milliseconds; late work goes on running. */
export function settledWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  const done = work.then(
    () => true,
    () => true,
  );
  return within(done, ms, false);
}

interface Backoff {
  readonly baseMs: number;
  readonly capMs: number;
  /** From 0 up to 1, as `Math.random`. */
  readonly random: () => number;
}

/**
 * The pause before attempt `attempt + 1` (the first attempt is 1): between zero and `baseMs * 2^(attempt -
 * 1)`, at most `capMs`. Full jitter keeps many clients from returning at once.
 */
export function backoffDelay(attempt: number, { baseMs, capMs, random }: Backoff): number {
  return Math.floor(random() * Math.min(capMs, baseMs * 2 ** (attempt - 1)));
}

/** When full, all are forgotten. */
const MAX_REMEMBERED = 10_000;

/**
 * Caches by key. Failures are not cached, nor are values that `keeps` rejects. Of two answers, the one asked
 * for later counts; `fresh` always asks.
 * @param forMs milliseconds since the question: an answer may already be old when it arrives
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
