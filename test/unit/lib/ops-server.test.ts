import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createLoopWatch } from '../../../src/lib/ops-server.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Time passes by in a loop that turns, or that stands still. */
function loop() {
  let still = 0;
  const watch = createLoopWatch(() => performance.now() + still);
  return {
    watch,
    turn: (ms: number) => vi.advanceTimersByTime(ms),
    standStill: (ms: number) => void (still += ms),
  };
}

it('a loop that turns never stood still', () => {
  const { watch, turn } = loop();
  turn(120_000);
  expect(watch.stoodStillMs()).toBe(0);
});

it('one that stands still says so at once, and is forgiven when it has turned for 15 s', () => {
  const { watch, turn, standStill } = loop();
  turn(5_000);

  standStill(12_000);
  expect(watch.stoodStillMs()).toBe(11_000);
  turn(1_000);
  expect(watch.stoodStillMs()).toBe(12_000);
  turn(14_000);
  expect(watch.stoodStillMs()).toBe(12_000);

  turn(2_000);
  expect(watch.stoodStillMs()).toBe(0);
});

it('one that stands still again and again says so for the minute', () => {
  const { watch, turn, standStill } = loop();
  for (let time = 0; time < 3; time += 1) {
    standStill(4_000);
    turn(15_000);
  }
  expect(watch.stoodStillMs()).toBe(12_000);

  turn(60_000);
  expect(watch.stoodStillMs()).toBe(0);
});

it('however often it is a moment late, that is no standstill', () => {
  const { watch, turn, standStill } = loop();
  for (let second = 0; second < 100; second += 1) {
    standStill(second % 2 === 0 ? 600 : 2_500);
    turn(1_000);
  }
  expect(watch.stoodStillMs()).toBe(0);
});
