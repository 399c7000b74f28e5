import * as fc from '../../support/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { editDistance, nearest } from '../../../src/lib/nearest.ts';

const commands = ['charges', 'usage', 'invoices', 'deployments', 'watch', 'unwatch'] as const;

describe('the word that was meant', () => {
  it.each([
    ['deploymnets', 'deployments'],
    ['chrges', 'charges'],
    ['USAGE', 'usage'],
    ['wacth', 'watch'],
    ['zebra', undefined],
    ['', undefined],
    ['x'.repeat(100_000), undefined],
  ])('%.12s is %s', (typed, meant) => {
    expect(nearest(typed, commands)).toBe(meant);
  });
});

describe('the distance of two words', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 });

  it('is nothing for a word and itself only, and the same both ways', () => {
    fc.assert(
      fc.property(word, word, (one, other) => {
        expect(editDistance(one, other) === 0).toBe(one === other);
        expect(editDistance(one, other)).toBe(editDistance(other, one));
      }),
    );
  });

  it('counts one for each single error', () => {
    expect(editDistance('watch', 'wtch')).toBe(1);
    expect(editDistance('watch', 'waatch')).toBe(1);
    expect(editDistance('watch', 'match')).toBe(1);
    expect(editDistance('watch', 'wacth')).toBe(1);
    expect(editDistance('watch', '')).toBe(5);
  });
});
