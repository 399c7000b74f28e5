import { BigNumber } from 'bignumber.js';
import { describe, expect, it, test } from 'vitest';
import { formatChange, formatShare } from '../../../src/reporting/amounts.ts';
import * as fc from '../../support/fast-check.ts';

const amounts = fc
  .tuple(fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }), fc.integer({ min: 0, max: 24 }))
  .map(([digits, decimals]) => new BigNumber(String(digits)).shiftedBy(-decimals));
const positive = amounts.map((amount) => amount.abs()).filter((amount) => !amount.isZero());

describe('a share', () => {
  test.each([
    ['12.34', '100', '12%'],
    ['12.35', '100', '12%'],
    ['50', '100', '50%'],
    ['9.94', '100', '9.9%'],
    ['9.95', '100', '10%'],
    ['99.5', '100', '<100%'],
    ['99.4', '100', '99%'],
    ['100', '100', '100%'],
    ['0', '100', '0%'],
    ['0.1', '100', '0.1%'],
    ['0.0999', '100', '<0.1%'],
    ['1e-30', '1', '<0.1%'],
    ['99.99', '100', '<100%'],
    ['-5', '100', '−5.0%'],
    ['-1e-30', '1', '>−0.1%'],
    ['1e15', '1000000000000000.000000001', '<100%'],
    ['-100', '-100', '100%'],
    ['1250', '100', '1,250%'],
    ['3', '0', ''],
    ['0', '0', ''],
  ])('%s of %s is %j', (part, whole, text) => {
    expect(formatShare(new BigNumber(part), new BigNumber(whole))).toBe(text);
  });

  it('is given to half a percent, and the shares of a whole are near 100%', () => {
    fc.assert(
      fc.property(fc.array(positive, { minLength: 1, maxLength: 10 }), (parts) => {
        const whole = BigNumber.sum(...parts);
        const sum = parts
          .map((part) => new BigNumber(/[\d.]+/.exec(formatShare(part, whole))?.[0] ?? Number.NaN))
          .reduce((total, share) => total.plus(share));

        expect(
          sum
            .minus(100)
            .abs()
            .lte(0.5 * parts.length),
        ).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('a change', () => {
  test.each([
    ['112.34', '100', '+12%'],
    ['95', '100', '−5.0%'],
    ['109.95', '100', '+10%'],
    ['82.7', '100', '−17%'],
    ['100', '100', 'no change'],
    ['0', '0', 'no change'],
    ['5', '0', 'new'],
    ['0', '5', 'gone'],
    ['100.01', '100', 'about 0%'],
    ['100.05', '100', '+0.1%'],
    ['99.99', '100', 'about 0%'],
    ['0.001', '100', 'almost −100%'],
    ['-0.001', '-100', 'almost 100% less credit'],
    ['199.99', '100', '+100%'],
    ['200', '100', '+100%'],
    ['1099', '100', '+999%'],
    ['1100', '100', '11 times'],
    ['25000', '100', '250 times'],
    ['100000', '100', '1,000 times'],
    ['1e30', '1e-18', 'over 1,000 times'],
    ['-10', '-5', '100% more credit'],
    ['-5', '-10', '50% less credit'],
    ['-5.01', '-5', '0.2% more credit'],
    ['-100', '-5', '20 times'],
    ['5', '-5', 'from credit to charge'],
    ['-5', '5', 'from charge to credit'],
  ])('to %s from %s is %j', (now, before, text) => {
    expect(formatChange(new BigNumber(now), new BigNumber(before))).toBe(text);
  });

  it('from an unknown value is no change', () => {
    expect(formatChange(new BigNumber(5), undefined)).toBe('no data before');
    expect(formatChange(new BigNumber(0), undefined)).toBe('no data before');
  });
});
