import type { Stopwatch } from './clock.ts';

/** At most as many are remembered at once; then all are forgotten. */
const MAX_REMEMBERED = 10_000;

/**
 * Remembers what was read for a while, by key. Failures are not remembered, nor is what `keeps`
 * says no to. What was asked for later counts; `fresh` asks in any case.
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
