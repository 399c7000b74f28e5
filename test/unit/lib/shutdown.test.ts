import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createShutdown } from '../../../src/lib/shutdown.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function open() {
  const errors: unknown[] = [];
  const done: string[] = [];
  const shutdown = createShutdown({
    timeoutMs: 10_000,
    logger: { info: () => {}, error: (fields: unknown) => void errors.push(fields) },
  });
  const note = (text: string) => () => void done.push(text);
  return { shutdown, errors, done, note };
}

const never = () => new Promise<void>(() => {});

describe('shutdown', () => {
  it('goes from intake over workers to connections, whatever was registered first', async () => {
    const { shutdown, done, note } = open();
    shutdown.add('connections', 'redis', note('redis'));
    shutdown.add('workers', 'jobs', async () => {
      await Promise.resolve();
      note('jobs')();
    });
    shutdown.add('intake', 'http', note('http'));

    await expect(shutdown.run()).resolves.toEqual({ clean: true });

    expect(done).toEqual(['http', 'jobs', 'redis']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('runs once: a second call gets the result of the first', async () => {
    const { shutdown, done, note } = open();
    shutdown.add('intake', 'http', note('http'));

    const first = shutdown.run();

    expect(shutdown.run()).toBe(first);
    await first;
    expect(done).toEqual(['http']);
  });

  it('logs a step that fails, at once or later, and goes on', async () => {
    const { shutdown, errors, done, note } = open();
    shutdown.add('intake', 'http', () => {
      throw new Error('not running');
    });
    shutdown.add('workers', 'jobs', () => Promise.reject(new Error('lost')));
    shutdown.add('connections', 'redis', note('redis'));

    await expect(shutdown.run()).resolves.toEqual({ clean: false });

    expect(done).toEqual(['redis']);
    expect(errors).toEqual([
      { stage: 'intake', step: 'http', reason: 'not running' },
      { stage: 'workers', step: 'jobs', reason: 'lost' },
    ]);
  });

  it('waits for no step longer than its stage may take, and ends in time', async () => {
    const { shutdown, errors, done, note } = open();
    shutdown.add('intake', 'http', never);
    shutdown.add('workers', 'stuck', never);
    shutdown.add('workers', 'quick', note('quick'));
    shutdown.add('connections', 'redis', never);

    const result = shutdown.run();
    await vi.advanceTimersByTimeAsync(9_999);
    expect(errors).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(1);

    await expect(result).resolves.toEqual({ clean: false });
    expect(done).toEqual(['quick']);
    expect(errors).toMatchObject([
      { step: 'http', reason: 'not finished within 2000 ms' },
      { step: 'stuck', reason: 'not finished within 6000 ms' },
      { step: 'redis', reason: 'not finished within 2000 ms' },
    ]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
