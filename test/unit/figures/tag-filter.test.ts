import * as fc from '../../support/fast-check.ts';
import { describe, expect, it } from 'vitest';

import { filterFor, valuesIn } from '../../../src/figures/tag-filter.ts';
import { hostile } from '../features/consumption-customize/support.ts';

const someValues = fc.uniqueArray(hostile, { minLength: 1, maxLength: 6 });
const someTag = fc.constantFrom('gvc', 'volumeIndex');

describe('Values as a filter', () => {
  it('names one value as it is, and several as an anchored alternation', () => {
    expect(filterFor('gvc', ['shop'])).toBe('shop');
    expect(filterFor('gvc', ['shop', 'shop.eu'])).toBe(String.raw`/^(shop|shop\.eu)$/`);
    expect(filterFor('gvc', [''])).toBe('');
    expect(filterFor('gvc', ['', 'shop'])).toBe('/^(shop)?$/');
  });

  it('asks for a number, and for what looks like an expression, by an expression', () => {
    expect(filterFor('volumeIndex', ['0'])).toBe('/^(0)$/');
    expect(filterFor('volumeIndex', [''])).toBe('/^$/');
    expect(filterFor('gvc', ['/api/'])).toBe('/^(/api/)$/');
  });

  it('lets exactly these values through', () => {
    fc.assert(
      fc.property(someTag, someValues, hostile, (tag, values, other) => {
        const filter = filterFor(tag, values);
        const passes = /^\/(?<source>.*)\/$/s.exec(filter)?.groups;
        const expression = passes && new RegExp(passes['source'] ?? '');
        const letsThrough = (value: string) => expression?.test(value) ?? value === filter;
        expect(values.every(letsThrough)).toBe(true);
        expect(letsThrough(other)).toBe(values.includes(other));
      }),
      { numRuns: 3_000 },
    );
  });

  it('is read back as the same values', () => {
    fc.assert(
      fc.property(someTag, someValues, (tag, values) => {
        const back = valuesIn(tag, filterFor(tag, values));
        expect(back?.toSorted()).toEqual(values.toSorted());
      }),
      { numRuns: 3_000 },
    );
  });

  it.each([
    '/prod/',
    '/^shop/',
    '/^(a|b)/',
    '/^(a|a)$/',
    '/^(a|.*)$/',
    '/^(a)$/',
    '/^(a||b)$/',
    '/^(a|(b))$/',
    '/',
  ])('leaves %s an expression of its own', (filter) => {
    expect(valuesIn('gvc', filter)).toBeUndefined();
  });

  it('never reads a filter as values that mean something else', () => {
    fc.assert(
      fc.property(someTag, hostile, (tag, filter) => {
        const values = valuesIn(tag, filter);
        expect(values === undefined ? filter : filterFor(tag, values)).toBe(filter);
      }),
      { numRuns: 3_000 },
    );
  });
});
