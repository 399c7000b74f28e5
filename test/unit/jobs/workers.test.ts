import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createHealth, type QueueWorker } from '../../../src/jobs/workers.ts';
import type { RefusalWord } from '../../../src/store/redis.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A worker that looks for jobs, or does not, on a Redis that may go away. */
function workers() {
  let lookedAt = performance.now();
  const state = {
    looks: true,
    full: false,
    redis: true,
    beats: 0,
    refusal: undefined as RefusalWord | undefined,
  };
  const worker = {
    queue: 'rollouts',
    activeAt: () => lookedAt,
    isFull: () => state.full,
  } as QueueWorker;
  const health = createHealth({
    workers: () => [worker],
    heartbeat: async () => {
      if (!state.redis) throw new Error('Redis is away');
      state.beats += 1;
    },
    refusal: () => state.refusal,
  });
  async function pass(seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second += 1) {
      await vi.advanceTimersByTimeAsync(1_000);
      if (state.looks) lookedAt = performance.now();
    }
  }
  return { state, health, pass };
}

describe('the workers of a process', () => {
  it('are not there before they start, and well as soon as they beat', async () => {
    const { health, pass, state } = workers();
    expect(health.now()).toEqual({ unwell: 'the workers have not started yet' });

    health.start();
    await pass(60);

    expect(health.now()).toEqual({});
    expect(state.beats).toBeGreaterThan(10);
  });

  it('are stuck when one has taken nothing for a minute, and the beat stops', async () => {
    const { health, pass, state } = workers();
    health.start();
    await pass(10);
    state.looks = false;
    await pass(55);
    expect(health.now()).toEqual({});

    await pass(10);

    const why = 'the worker of rollouts has taken nothing for 65 s';
    expect(health.now()).toEqual({ unwell: why, stuck: why });
    const { beats } = state;
    await pass(30);
    expect(state.beats).toBe(beats);
  });

  it('are well with their hands full of slow jobs, as long as a job may take', async () => {
    const { health, pass, state } = workers();
    health.start();
    await pass(10);
    Object.assign(state, { looks: false, full: true });

    await pass(290);
    expect(health.now()).toEqual({});

    await pass(15);
    expect(health.now().stuck).toContain('has taken nothing for 305 s');
  });

  it('are unwell while Redis is away, which no new process fixes, and have their time after it', async () => {
    const { health, pass, state } = workers();
    health.start();
    await pass(10);
    Object.assign(state, { looks: false, redis: false });

    await pass(300);
    expect(health.now()).toEqual({ unwell: 'the workers cannot reach Redis' });
    state.redis = true;
    await pass(50);
    expect(health.now()).toEqual({});

    await pass(20);
    expect(health.now().stuck).toBeDefined();
  });

  it('are unwell, not stuck, while Redis refuses their writes', async () => {
    const { health, pass, state } = workers();
    health.start();
    Object.assign(state, { looks: false, refusal: 'OOM' });

    await pass(300);
    expect(health.now()).toEqual({ unwell: 'Redis refuses what the workers write (OOM)' });

    Object.assign(state, { looks: true, refusal: undefined });
    await pass(5);
    expect(health.now()).toEqual({});
  });
});
