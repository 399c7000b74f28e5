import * as fc from '../../support/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { backoffDelay } from '../../../src/lib/retry.ts';

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
