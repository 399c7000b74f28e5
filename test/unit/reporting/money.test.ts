import { BigNumber } from 'bignumber.js';
import { describe, expect, it, test } from 'vitest';
import {
  formatEstimate,
  formatExactMoney,
  formatMoney,
  smallestUnits,
  wholeUnits,
} from '../../../src/reporting/amounts.ts';
import * as fc from '../../support/fast-check.ts';

/** Up to 40 digits, from the finest rate to more than there is. */
const amounts = fc
  .tuple(
    fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }),
    fc.bigInt({ min: -9_999n, max: 9_999n }),
    fc.boolean(),
    fc.integer({ min: 0, max: 45 }),
  )
  .map(([long, short, large, decimals]) =>
    new BigNumber(String(large ? long : short)).shiftedBy(-decimals),
  );
const currencies = fc.constantFrom('USD', 'EUR', 'JPY', 'KWD', 'HUF', 'CHF', 'XBT', 'credits', '');
const digitsOf: Readonly<Record<string, number>> = { JPY: 0, KWD: 3 };

function money(amount: string, currency?: string): string {
  return formatMoney(new BigNumber(amount), currency);
}

describe('an amount', () => {
  test.each([
    ['1234.56', 'USD', '$1,234.56'],
    ['1234.5', 'JPY', '¥1,235'],
    ['1.2345', 'KWD', 'KWD 1.235'],
    ['-12.3', 'USD', '−$12.30'],
    ['-12.3', 'KWD', '−KWD 12.300'],
    ['2', 'CAD', 'CA$2.00'],
    ['1.005', 'USD', '$1.01'],
    ['-1.005', 'USD', '−$1.01'],
    ['12345678901234567890.125', 'USD', '$12,345,678,901,234,567,890.13'],
  ])('%s %s is %s', (amount, currency, text) => {
    expect(money(amount, currency)).toBe(text);
  });

  test.each([
    ['0', 'USD', '$0.00'],
    ['-0', 'USD', '$0.00'],
    ['0.005', 'USD', '$0.01'],
    ['0.0049', 'USD', '<$0.01'],
    ['-0.0049', 'USD', '>−$0.01'],
    ['0.4', 'JPY', '<¥1'],
    ['1e-18', 'KWD', '<KWD 0.001'],
    ['0.001', 'credits', '<0.01 credits'],
  ])('that is small, %s %s, is %s', (amount, currency, text) => {
    expect(money(amount, currency)).toBe(text);
  });

  test.each([
    ['usd', '$1,234.50'],
    [' USD ', '$1,234.50'],
    ['credits', '1,234.50 credits'],
    ['XQQ', '1,234.50 XQQ'],
    ['<!channel>', '1,234.50 <!channel>'],
    ['constructor', '1,234.50 constructor'],
    ['', '1,234.50'],
    [undefined, '1,234.50'],
  ])('in %j is %s', (currency, text) => {
    expect(money('1234.5', currency)).toBe(text);
  });

  it('has the digits of ISO 4217 also where everyday cash has fewer', () => {
    expect(money('5', 'HUF')).toBe('HUF 5.00');
    expect(money('5', 'IQD')).toBe('IQD 5.000');
  });

  it('has no spaces that look ordinary and are not', () => {
    expect(money('5', 'CHF')).toBe('CHF\u{20}5.00');
  });

  it('is within half a minor unit of its value', () => {
    fc.assert(
      fc.property(amounts, currencies, (amount, currency) => {
        const text = formatMoney(amount, currency);
        const minor = new BigNumber(1).shiftedBy(-(digitsOf[currency] ?? 2));

        expect(text).not.toMatch(/e[+-]?\d|NaN|Infinity|∞|\u00A0/);
        expect(readBack(text).mod(minor).isZero()).toBe(true);
        expect(standsFor(text, amount, minor)).toBe(true);
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('the smallest unit', () => {
  test.each([
    ['USD', '12.34'],
    ['JPY', '1234'],
    ['KWD', '1.234'],
    ['HUF', '12.34'],
    ['CLF', '0.1234'],
    ['kwd', '1.234'],
    ['credits', '12.34'],
  ])('1234 of %s is %s', (currency, whole) => {
    expect(wholeUnits(new BigNumber(1_234), currency).toFixed()).toBe(whole);
  });

  it('goes to whole units and back without loss', () => {
    fc.assert(
      fc.property(fc.bigInt(), currencies, (units, currency) => {
        const amount = new BigNumber(String(units));

        expect(smallestUnits(wholeUnits(amount, currency), currency)?.eq(amount)).toBe(true);
      }),
    );
  });

  it('has no parts', () => {
    expect(smallestUnits(new BigNumber('0.005'), 'USD')).toBeUndefined();
    expect(smallestUnits(new BigNumber('0.005'), 'KWD')?.toFixed()).toBe('5');
  });
});

/** Zero is zero, "<$0.01" is more than zero and less than half the smallest unit, all else is rounded. */
function standsFor(text: string, amount: BigNumber, minor: BigNumber): boolean {
  const read = readBack(text);
  const half = minor.div(2);
  if (read.isZero()) return amount.isZero();
  if (text.startsWith('<')) return read.eq(minor) && amount.gt(0) && amount.lt(half);
  if (text.startsWith('>'))
    return read.eq(minor.negated()) && amount.lt(0) && amount.gt(half.negated());
  return read.minus(amount).abs().lte(half);
}

function readBack(text: string): BigNumber {
  const [, sign = '', digits = ''] = /^[<>]?(−?)[^\d−]*([\d,]+(?:\.\d+)?)/.exec(text) ?? [];
  return new BigNumber(`${sign && '-'}${digits.replaceAll(',', '')}`);
}

describe('an amount that a person agrees to', () => {
  test.each([
    ['500', 'USD', '$500.00'],
    ['1000.555', 'USD', '$1,000.555'],
    ['-0.001', 'USD', '−$0.001'],
    ['1000', 'JPY', '¥1,000'],
    ['1000.5', 'JPY', '¥1,000.5'],
    ['1', 'KWD', 'KWD 1.000'],
    ['1', 'credits', '1.00 credits'],
  ])('%s %s is %s', (amount, currency, text) => {
    expect(formatExactMoney(new BigNumber(amount), currency)).toBe(text);
  });

  it('is never rounded', () => {
    fc.assert(
      fc.property(amounts, currencies, (amount, currency) => {
        const text = formatExactMoney(amount, currency);
        const figure = text
          .replace('−', '-')
          .replace(/[^\d.-]/g, '')
          .replace(/\.$/, '');
        expect(new BigNumber(figure).eq(amount)).toBe(true);
      }),
    );
  });
});

describe('an estimate', () => {
  test.each([
    ['6432.18', 'USD', 'about $6,430'],
    ['123456', 'USD', 'about $123,000'],
    ['999.6', 'USD', 'about $1,000'],
    ['45.678', 'USD', 'about $46'],
    ['3.204', 'USD', 'about $3.20'],
    ['0', 'USD', 'about $0.00'],
    ['-45.678', 'USD', 'about −$46'],
    ['6432.18', 'JPY', 'about ¥6,430'],
    ['6432.18', 'credits', 'about 6,430 credits'],
  ])('of %s %s is %s', (amount, currency, text) => {
    expect(formatEstimate(new BigNumber(amount), currency)).toBe(text);
  });

  it('is near to the amount', () => {
    fc.assert(
      fc.property(fc.integer({ min: 10, max: 1_000_000_000 }), (amount) => {
        const figure = Number(formatEstimate(new BigNumber(amount), 'USD').replace(/[^\d]/g, ''));
        expect(Math.abs(figure - amount) / amount).toBeLessThanOrEqual(0.05);
      }),
    );
  });
});
