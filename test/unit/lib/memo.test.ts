import { afterEach, describe, expect, it, vi } from 'vitest';
import { systemStopwatch } from '../../../src/lib/clock.ts';
import { createMemo } from '../../../src/lib/memo.ts';

describe('a memo', () => {
  afterEach(() => void vi.restoreAllMocks());

  function counted(keeps?: (value: number) => boolean) {
    const clock = { at: 0, elapsed: () => clock.at };
    const memo = createMemo<number>(clock, 1_000, keeps);
    let reads = 0;
    const read = () => memo('a', () => Promise.resolve((reads += 1)));
    return { clock, memo, read };
  }

  it('reads once within its time', async () => {
    const { clock, read } = counted();

    expect([await read(), await read()]).toEqual([1, 1]);
    clock.at = 1_000;
    expect(await read()).toBe(2);
  });

  it('counts from the question, because a slow answer is an old one', async () => {
    const { clock, memo } = counted();
    await memo('a', () => {
      clock.at = 900;
      return Promise.resolve(1);
    });
    clock.at = 1_000;

    expect(await memo('a', () => Promise.resolve(2))).toBe(2);
  });

  it('does not keep for longer what it knows when the clock of the machine is set back', async () => {
    const elapsed = vi.spyOn(performance, 'now').mockReturnValue(10);
    const wall = vi.spyOn(Date, 'now').mockReturnValue(Date.UTC(2026, 10, 20, 9));
    const memo = createMemo<string>(systemStopwatch, 1_000);
    await memo('U0ADA', () => Promise.resolve('billing_admin'));

    wall.mockReturnValue(Date.UTC(2026, 10, 20, 8));
    elapsed.mockReturnValue(1_010);

    expect(await memo('U0ADA', () => Promise.resolve('no role'))).toBe('no role');
  });

  it('keeps keys apart', async () => {
    const { memo, read } = counted();
    await read();

    expect(await memo('b', () => Promise.resolve(7))).toBe(7);
  });

  it('remembers neither failures nor what is not worth it', async () => {
    const { memo, read } = counted((value) => value > 2);
    await expect(memo('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');

    expect([await read(), await read(), await read(), await read()]).toEqual([1, 2, 3, 3]);
  });

  it('asks afresh when it is told to, and remembers that', async () => {
    const { memo, read } = counted();
    await read();

    expect(await memo('a', () => Promise.resolve(7), true)).toBe(7);
    expect(await read()).toBe(7);
  });

  it('keeps what was asked for last, when the answer to an earlier question is late', async () => {
    const { clock, memo } = counted();
    let answer: (value: number) => void = () => undefined;
    const early = memo('a', () => new Promise((resolve) => (answer = resolve)));
    clock.at = 1;
    await memo('a', () => Promise.resolve(2), true);
    answer(1);

    expect(await early).toBe(1);
    expect(await memo('a', () => Promise.resolve(3))).toBe(2);
  });
});
