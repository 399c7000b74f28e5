import { isRetryable } from './errors.ts';

/** How long to wait between attempts. Times are milliseconds. */
export interface Backoff {
  readonly baseMs: number;
  readonly capMs: number;
  /** A number from 0 up to 1, such as `Math.random` gives. */
  readonly random: () => number;
}

export interface RetryOptions extends Backoff {
  /** How often the operation is tried in all. */
  readonly attempts: number;
  readonly sleep: (ms: number) => Promise<void>;
  readonly isRetryable?: (error: unknown) => boolean;
}

/**
 * The pause before attempt `attempt + 1` (the first attempt is 1): anywhere between nothing and
 * `baseMs * 2^(attempt - 1)`, at most `capMs`. Full jitter keeps many clients from coming back at once.
 */
export function backoffDelay(attempt: number, { baseMs, capMs, random }: Backoff): number {
  return Math.floor(random() * Math.min(capMs, baseMs * 2 ** (attempt - 1)));
}

/**
 * Runs the operation until it succeeds, fails for good, or was tried `attempts` times.
 * @throws the last error, as it came
 */
export async function retry<T>(
  operation: (attempt: number) => Promise<T>,
  options: RetryOptions,
): Promise<T> {
  const mayRetry = options.isRetryable ?? isRetryable;

  for (let attempt = 1; ; attempt += 1) {
    try {
      return await operation(attempt);
    } catch (error) {
      if (attempt >= options.attempts || !mayRetry(error)) throw error;
    }
    await options.sleep(backoffDelay(attempt, options));
  }
}
