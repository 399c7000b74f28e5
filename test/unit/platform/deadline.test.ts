import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { startDeadline } from '../../../src/platform/deadline.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('the time runs out to the millisecond', () => {
  const { signal } = startDeadline(30_000);

  vi.advanceTimersByTime(29_999);
  expect(signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(signal.reason).toMatchObject({ reason: 'timeout', retryable: false });
});

test('the caller can end it earlier, for whatever reason', () => {
  const caller = new AbortController();
  const { signal } = startDeadline(30_000, caller.signal);

  caller.abort(null);

  expect(signal.reason).toMatchObject({ reason: 'timeout', retryable: false });
});

test('once released, neither clock nor caller reach it, and no timer is left', () => {
  const caller = new AbortController();
  const { signal, release } = startDeadline(30_000, caller.signal);

  release();

  expect(vi.getTimerCount()).toBe(0);
  caller.abort();
  expect(signal.aborted).toBe(false);
});
