import { BigNumber } from 'bignumber.js';
import * as fc from '../../../support/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { rangeInFileName, rangeWords } from '../../../../src/features/consumption/range-name.ts';
import { formatRate } from '../../../../src/features/consumption/rate.ts';
import { newState, readState } from '../../../../src/features/consumption/state.ts';
import { resolveRange } from '../../../../src/figures/range.ts';
import { later, openQuery } from './support.ts';

const span = (start: string, end: string) => ({
  startMs: Date.parse(`${start}:00Z`),
  endMs: Date.parse(`${end}:00Z`),
});

describe('a span', () => {
  it.each([
    ['2026-11-01T00:00', '2026-12-01T00:00', '2026-11'],
    ['2026-11-05T00:00', '2026-11-06T00:00', '2026-11-05'],
    ['2026-11-01T00:00', '2026-11-30T00:00', '2026-11-01-to-2026-11-29'],
    ['2026-10-01T00:00', '2026-12-01T00:00', '2026-10-01-to-2026-11-30'],
    ['2026-11-05T10:00', '2026-11-05T14:00', '2026-11-05T10-to-2026-11-05T14'],
  ])('from %s to %s is %s in the name of a file', (start, end, name) => {
    expect(rangeInFileName(span(start, end))).toBe(name);
  });

  it('is the same again when its words are read', () => {
    const hour = fc.integer({ min: 420_000, max: 500_000 });
    fc.assert(
      fc.property(hour, fc.integer({ min: 1, max: 9_000 }), (start, hours) => {
        const range = { startMs: start * 3_600_000, endMs: (start + hours) * 3_600_000 };

        expect(resolveRange(rangeWords(range), later)).toEqual(range);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('a rate', () => {
  it.each([
    ['0.000012', 'cpu', '0.0432 USD per core-hour'],
    ['0.000000000000003', 'memory', '0.0115964 USD per GiB-hour'],
    ['0.00000000008', 'egress', '0.0858993 USD per GiB'],
    ['0.000006944444444', 'load-balancer-seconds', '0.025 USD per hour'],
    ['0.0000001', 'metrics-samples', '0.0000001 USD per sample'],
    ['1.5', 'something-new', '1.5 USD per unit'],
    ['0', 'cpu', '0 USD per core-hour'],
  ])('of %s for %s is %s', (rate, metric, words) => {
    expect(formatRate(new BigNumber(rate), 'USD', metric)).toBe(words);
  });
});

describe('what a button stands for', () => {
  it('is read back as it was kept', () => {
    const state = newState('charges', { ...openQuery, by: ['gvc'], where: { gvc: '' } }, later);

    expect(readState(JSON.parse(JSON.stringify(state)), 'charges')).toEqual(state);
  });

  it.each([
    ['nothing', undefined],
    ['something of another version', { page: 1 }],
    ['of the other command', newState('usage', openQuery, later)],
  ])('is too old when it is %s', (_, kept) => {
    expect(() => readState(kept, 'charges')).toThrow(
      'This answer is too old: run the command again.',
    );
  });
});
