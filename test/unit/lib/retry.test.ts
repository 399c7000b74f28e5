import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PurserError } from '../../../src/lib/errors.ts';
import { backoffDelay, retry } from '../../../src/lib/retry.ts';

const busy = new PurserError('busy', { reason: 'busy', retryable: true });
const broken = new PurserError('broken', { reason: 'broken' });

function start(outcomes: readonly (Error | string)[], attempts = 4) {
  const pauses: number[] = [];
  const result = retry(
    async (attempt) => {
      const outcome = outcomes[attempt - 1] ?? busy;
      if (outcome instanceof Error) throw outcome;
      return outcome;
    },
    {
      attempts,
      baseMs: 100,
      capMs: 250,
      random: () => 0.5,
      sleep: async (ms) => void pauses.push(ms),
    },
  );
  return { result, pauses };
}

describe('retry', () => {
  it('tries again with growing pauses until it works', async () => {
    const { result, pauses } = start([busy, busy, busy, 'done']);

    await expect(result).resolves.toBe('done');
    expect(pauses).toEqual([50, 100, 125]);
  });

  it('gives up with the last error after the last attempt', async () => {
    const { result, pauses } = start([], 2);

    await expect(result).rejects.toBe(busy);
    expect(pauses).toHaveLength(1);
  });

  it('does not repeat what fails for good', async () => {
    const { result, pauses } = start([busy, broken, 'done']);

    await expect(result).rejects.toBe(broken);
    expect(pauses).toHaveLength(1);
  });
});

describe('the pause', () => {
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
