import { getEventListeners } from 'node:events';

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

test('everybody else who may end it can do so, also before it begins', () => {
  const closing = new AbortController();
  const { signal } = startDeadline(30_000, new AbortController().signal, closing.signal);
  expect(signal.aborted).toBe(false);

  closing.abort();

  expect(signal.reason).toMatchObject({ reason: 'timeout' });
  expect(startDeadline(30_000, undefined, closing.signal).signal.aborted).toBe(true);
});

test('once released, neither clock nor anybody reaches it, and nothing is left behind', () => {
  const caller = new AbortController();
  const closing = new AbortController();
  const { signal, release } = startDeadline(30_000, caller.signal, closing.signal);

  release();

  expect(vi.getTimerCount()).toBe(0);
  expect(getEventListeners(caller.signal, 'abort')).toEqual([]);
  expect(getEventListeners(closing.signal, 'abort')).toEqual([]);
  caller.abort();
  expect(signal.aborted).toBe(false);
});
