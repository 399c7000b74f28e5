import { BigNumber } from 'bignumber.js';
import { describe, expect, it } from 'vitest';
import { formatMoney } from '../../../src/reporting/amounts.ts';
import { formatPriced } from '../../../src/reporting/quantity.ts';
import * as fc from '../../support/fast-check.ts';

const priced = (quantity: BigNumber, rate: BigNumber, charge: BigNumber, unit?: string) =>
  formatPriced({ quantity, rate, charge }, 'USD', unit);

/** The figure in front of a unit, and the number of units that a price is for. */
function figuresIn({ quantity = '', rate = '' }: ReturnType<typeof priced>) {
  const numberIn = (text: string) =>
    new BigNumber(text.replace('−', '-').replaceAll(/[$,<>]/g, ''));
  const [, price = '', count = '1'] =
    /^(?:about )?(−?\$[\d.,]+) per (?:([\d,]+) )?/.exec(rate) ?? [];
  return {
    quantity: numberIn(quantity.split(' ')[0] ?? ''),
    price: numberIn(price),
    count: numberIn(count),
  };
}

const units = fc.constantFrom('core-seconds', 'bytes * seconds', 'bytes', 'requests', undefined);
const numbers = fc
  .tuple(fc.integer({ min: 1, max: 10 ** 9 }), fc.integer({ min: -6, max: 21 }))
  .map(([digits, decimals]) => new BigNumber(digits).shiftedBy(-decimals));

describe('the quantity and the rate of a charge', () => {
  it.each([
    // The platform's rate, and a charge that differs from the one at four digits of the rate.
    ['5566277615616000', '5.57823e-14', '310.50', '1,440 GiB-hours', '$0.215625 per GiB-hour'],
    ['5566277615616000', '5.57823e-14', '310.51', '1,440 GiB-hours', 'about $0.2156 per GiB-hour'],
    ['0', '5.57823e-14', '0', '0 GiB-hours', '$0.2156 per GiB-hour'],
    ['1', '5.57823e-14', '0.00000001', '<0.001 GiB-hours', '$0.2156 per GiB-hour'],
  ])('%s at %s for %s are %s and %s', (quantity, rate, charge, used, at) => {
    const [amount, price, sum] = [quantity, rate, charge].map((one) => new BigNumber(one));
    expect(priced(amount!, price!, sum!, 'byte-seconds')).toEqual({ quantity: used, rate: at });
  });

  it('have as many digits as the charge takes', () => {
    const [quantity, rate] = [new BigNumber('2.3456789'), new BigNumber('123.456')];
    expect(priced(quantity, rate, new BigNumber('289.59'), 'GB')).toEqual({
      quantity: '2.34568 GB',
      rate: '$123.456 per GB',
    });
  });

  it('have the digits of the longest of several charges at one rate', () => {
    const rate = new BigNumber('123.456');
    const long = { rate, quantity: new BigNumber('2.3456789'), charge: new BigNumber('289.59') };
    const short = { rate, quantity: new BigNumber(1), charge: new BigNumber('123.46') };

    expect(formatPriced(short, 'USD', 'GB').rate).toBe('$123.46 per GB');
    for (const one of [short, long]) {
      expect(formatPriced(one, 'USD', 'GB', [short, long]).rate).toBe('$123.456 per GB');
    }
  });

  it('are in one unit, and multiply to the charge to the cent, or the rate is an approximate one', () => {
    const charges = fc.constantFrom('exact', 'to the cent', 'another');
    let exact = 0;
    fc.assert(
      fc.property(numbers, numbers, units, charges, (quantity, rate, unit, kind) => {
        const product = quantity.times(rate);
        const charge =
          kind === 'exact' ? product : kind === 'to the cent' ? product.dp(2) : product.plus(1);
        const shown = priced(quantity, rate, charge, unit);
        const { quantity: used, price, count } = figuresIn(shown);
        const multiplied = used.times(price).shiftedBy(1 - count.toFixed().length);
        const isExact = formatMoney(multiplied, 'USD') === formatMoney(charge, 'USD');
        if (isExact) exact += 1;
        expect(isExact || shown.rate?.startsWith('about ')).toBe(true);
        const [, name = ''] = / per (?:[\d,]+ )?(\S+)$/.exec(shown.rate ?? '') ?? [];
        const one = unit === undefined ? '' : name.replace(/s$/, '');
        expect(shown.quantity).toContain(one);
      }),
      { numRuns: 3_000 },
    );
    expect(exact).toBeGreaterThan(0);
  });

  it('are exact for a charge of up to a million that is their product, unless the quantity is tiny', () => {
    const quantity = fc
      .tuple(fc.integer({ min: 1, max: 10 ** 12 }), fc.integer({ min: 0, max: 9 }))
      .map(([digits, decimals]) => new BigNumber(digits).shiftedBy(-decimals));
    fc.assert(
      fc.property(quantity, numbers, units, (used, rate, unit) => {
        const charge = used.times(rate);
        fc.pre(charge.lt(1_000_000));
        // Half a cent is rounded the other way by the smallest difference.
        fc.pre(charge.times(100).mod(1).minus('0.5').abs().gt('0.01'));

        const shown = priced(used, rate, charge, unit);
        fc.pre(shown.quantity?.startsWith('<') === false);
        expect(shown.rate).not.toContain('about');
      }),
      { numRuns: 2_000 },
    );
  });
});
