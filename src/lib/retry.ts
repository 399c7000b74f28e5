/** How long to wait between attempts. Times are milliseconds. */
export interface Backoff {
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
