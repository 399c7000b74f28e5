import { afterEach, describe, expect, it, test, vi } from 'vitest';
import { atMost, backoffDelay, createMemo, systemStopwatch } from '../../../src/lib/time.ts';
import * as fc from '../../support/fast-check.ts';

test('no more runs at once than may, in its order, and a failure takes no place away', async () => {
  const twoAtOnce = atMost(2);
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const work = [0, 1, 2, 3].map((at) =>
    twoAtOnce(async () => {
      begun.push(at);
      await new Promise<void>((resolve) => ends.push(resolve));
      if (at === 0) throw new Error('out of luck');
      return at;
    }),
  );
  const outcomes = Promise.allSettled(work);

  await expect.poll(() => begun).toEqual([0, 1]);
  ends[0]?.();
  await expect.poll(() => begun).toEqual([0, 1, 2]);
  ends[1]?.();
  await expect.poll(() => begun).toEqual([0, 1, 2, 3]);
  for (const end of ends) end();

  expect((await outcomes).map(({ status }) => status)).toEqual([
    'rejected',
    ...Array<string>(3).fill('fulfilled'),
  ]);
});

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

  it('does not keep a value for longer when the clock of the machine is set back', async () => {
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

  it('remembers neither failures nor values that it is to drop', async () => {
    const { memo, read } = counted((value) => value > 2);
    await expect(memo('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');

    expect([await read(), await read(), await read(), await read()]).toEqual([1, 2, 3, 3]);
  });

  it('asks afresh when it is reported to, and remembers that', async () => {
    const { memo, read } = counted();
    await read();

    expect(await memo('a', () => Promise.resolve(7), true)).toBe(7);
    expect(await read()).toBe(7);
  });

  it('keeps the later answer, when the answer to an earlier question is late', async () => {
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

describe('the pause between two attempts', () => {
  it('grows twofold up to the cap', () => {
    const pauses = [1, 2, 3, 4].map((attempt) =>
      backoffDelay(attempt, { baseMs: 100, capMs: 250, random: () => 0.5 }),
    );

    expect(pauses).toEqual([50, 100, 125, 125]);
  });

  it('lies between nothing and the cap, for any attempt and any random number', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 2_000 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (attempt, random) => {
          const pause = backoffDelay(attempt, { baseMs: 50, capMs: 2_000, random: () => random });

          expect(pause).toBeGreaterThanOrEqual(0);
          expect(pause).toBeLessThanOrEqual(Math.min(2_000, 50 * 2 ** (attempt - 1)));
        },
      ),
    );
  });
});
