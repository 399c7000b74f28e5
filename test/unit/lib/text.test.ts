import * as fc from '../../support/fast-check.ts';
import { describe, expect, it } from 'vitest';
import {
  compareNames,
  cutForeign,
  formatAge,
  formatDuration,
  plural,
  stripControl,
  truncate,
  joinLines,
  withoutStop,
} from '../../../src/lib/text.ts';

describe('truncate', () => {
  it.each([
    ['rollout', 7, 'rollout'],
    ['rollout', 6, 'rollo…'],
    ['🙂🙂🙂', 3, '🙂🙂🙂'],
    ['🙂🙂🙂', 2, '🙂…'],
    ['rollout', 1, '…'],
  ])('%s to %d', (text, max, expected) => {
    expect(truncate(text, max)).toBe(expected);
  });

  it('is never longer than asked and never divides a letter', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 30 }), (text, max) => {
        const short = truncate(text, max);

        expect(Array.from(short).length).toBeLessThanOrEqual(max);
        expect(text.startsWith(short.replace(/…$/, ''))).toBe(true);
        expect(Buffer.from(short).toString()).toBe(short);
      }),
    );
  });
});

describe('stripControl', () => {
  it('removes invisible characters and keeps line breaks, tabs and emoji', () => {
    const text = 'a\u0000b\u001B[31m\u202Ec\u2066d\u200Be\uFEFF\u0085f\r\ng\rh\ti👩‍🚀';

    expect(stripControl(text)).toBe('ab[31mcdef\ng\nh\ti👩‍🚀');
  });

  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(stripControl(stripControl(text))).toBe(stripControl(text));
      }),
    );
  });
});

describe('names in order', () => {
  it('ignore case, and come the same way each time', () => {
    const names = ['b', 'Zoe', 'A', '', 'é', 'a', 'B'];

    expect(names.toSorted(compareNames)).toEqual(['', 'A', 'a', 'B', 'b', 'é', 'Zoe']);
    expect(names.toReversed().toSorted(compareNames)).toEqual(names.toSorted(compareNames));
  });

  it('are equal only where they are the same', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
        expect(compareNames(a, b) === 0).toBe(a === b);
        expect(compareNames(a, b)).toBe(-compareNames(b, a) + 0);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('amounts in words', () => {
  it('counts things', () => {
    expect(plural(1, 'replica')).toBe('1 replica');
    expect(plural(0, 'replica')).toBe('0 replicas');
    expect(plural(2, 'entry', 'entries')).toBe('2 entries');
    expect(plural(10_000, 'row')).toBe('10,000 rows');
  });

  it.each([
    [0, '0 s'],
    [-5, '0 s'],
    [499, '0 s'],
    [3 * 3_600_000 - 4, '3 h'],
    [65_000, '1 min 5 s'],
    [120_000, '2 min'],
    [3_600_000 + 59_000, '1 h'],
    [5_400_000, '1 h 30 min'],
    [90_000_000, '1 d 1 h'],
  ])('%d ms last %s', (ms, expected) => {
    expect(formatDuration(ms)).toBe(expected);
  });

  it.each([
    [0, 'just now'],
    [4_999, 'just now'],
    [12_000, '12 s ago'],
    [65_000, '1 min ago'],
    [7_300_000, '2 h ago'],
    [400 * 86_400_000, '400 d ago'],
  ])('%d ms were %s', (ms, expected) => {
    expect(formatAge(ms)).toBe(expected);
  });
});

describe('a foreign text', () => {
  it('is at most 4 KB, and divides no character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 20 }), fc.nat(5_000), (piece, times) => {
        const text = `${piece}é`.repeat(times);

        const cut = cutForeign(text);

        expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(4_096);
        expect(cut).not.toMatch(/\p{Cs}/u);
        if (cut === text) return;
        expect(cut.endsWith('…')).toBe(true);
        expect(text.startsWith(cut.slice(0, -1))).toBe(true);
        expect(Buffer.byteLength(cut)).toBeGreaterThan(4_096 - 4);
      }),
    );
  });

  it.each([
    [' a b ', ' a b '],
    ['a \n\n b', 'a b'],
    ['\n', ' '],
    ['a\t b', 'a\t b'],
  ])('%j is %j on one line', (text, expected) => {
    expect(joinLines(text)).toBe(expected);
  });

  it.each([
    ['Not found.', 'Not found'],
    ['Why? . . ', 'Why?'],
    ['...', ''],
    ['a.b', 'a.b'],
  ])('%j is %j without the punctuation at its end', (text, expected) => {
    expect(withoutStop(text)).toBe(expected);
  });
});
