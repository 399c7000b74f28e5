import { BigNumber } from 'bignumber.js';
import { describe, expect, test } from 'vitest';
import { readCharges, readDetailedCharges } from '../../../../src/platform/billing/charge-rows.ts';
import { CHARGES, DETAILED, GROUP_BY } from '../consumption/answers.ts';
import { replaced } from '../replaced.ts';
import { answering } from './support.ts';

/** Money and quantities in the writings that platforms have for them. */

const ROW = ['results', 'periods', 0, 'groups', 0, 'consumptions', 0];
const TIERS = ['detailedResults', 0, 'results', 0, ...ROW.slice(1), 'details'];
const number = (value: number | string) => new BigNumber(value);

/** The first row with one member replaced. */
function rowWith(name: string, by: unknown) {
  const { periods, skipped } = readCharges(replaced(CHARGES, [...ROW, name], by), GROUP_BY);
  return { ...periods[0]?.groups[0]?.rows[0], skipped };
}

function tierWith(members: object) {
  const said = { amount: 1, units: 2, rate: 0.5, from: 0, to: 2, ...members };
  const { billingPeriods } = readDetailedCharges(replaced(DETAILED, TIERS, [said]), GROUP_BY);
  return billingPeriods[0]?.results[0]?.periods[0]?.groups[0]?.rows[0]?.details[0];
}

describe('a number that is written as text is that number', () => {
  test.each(['value', 'total', 'projectedTotal'])('as the %s of a row', (name) => {
    expect(rowWith(name, '11132555231232001.5')).toMatchObject({
      [name]: number('11132555231232001.5'),
      skipped: 0,
    });
  });

  test('in a tier, where "-1" is no bound', () => {
    const said = { amount: '3.50', units: '12', rate: '0.29', from: '0', to: '-1' };

    expect(tierWith(said)).toMatchObject({
      amount: number(3.5),
      units: number(12),
      rate: number(0.29),
      from: number(0),
      to: undefined,
    });
  });

  test('as counts and seconds', () => {
    const rows = replaced(CHARGES, ['results', 'consumptionCount'], '2');
    const seconds = replaced(rows, [...ROW.slice(0, 3), 'totalSeconds'], '2592000');

    expect(readCharges(seconds, GROUP_BY)).toMatchObject({
      consumptionCount: 2,
      periods: [{ totalSeconds: 2_592_000 }],
    });
  });

  test('in an invoice', async () => {
    const line = { description: 'cpu', quantity: '12.5', charge: '9500', org: 'acme' };
    const periods = [{ totalCharge: '9500', status: 'paid', items: [line] }];
    const credits = [{ ...line, charge: '-500' }];
    const said = { id: 'i1', number: '60074', totalCharge: '9500', periods, credits };

    const { value } = await answering(said).getInvoice('i1');

    expect(value).toMatchObject({
      number: 60_074,
      totalCharge: number(9500),
      periods: [{ totalCharge: number(9500) }],
      credits: [{ charge: number(-500) }],
    });
    expect(value.periods[0]?.items[0]).toMatchObject({
      quantity: number(12.5),
      charge: number(9500),
    });
  });

  test.each([['INV-7'], ['7.5'], ['9007199254740993'], [{}]])(
    'and an invoice with the number %j has none',
    async (said) => {
      const { value } = await answering({
        id: 'i1',
        number: said,
        totalCharge: 1,
      }).getInvoice('i1');

      expect(value.number).toBeUndefined();
    },
  );

  test('in an alert, with how often it has fired', async () => {
    const { value } = await answering({ amount: '250.75', alertedTimes: '3' }).getAlert();

    expect(value).toMatchObject({ amount: number(250.75), alertedTimes: 3 });
  });
});

describe('a credit', () => {
  test('is a row whose money is below zero', () => {
    expect(rowWith('total', -12.5).total).toEqual(number(-12.5));
    expect(rowWith('projectedTotal', '-25').projectedTotal).toEqual(number(-25));
    expect(tierWith({ amount: -1, rate: -0.5 })).toMatchObject({
      amount: number(-1),
      rate: number(-0.5),
    });
  });

  test('is in some currency', () => {
    const said = { value: 0, tags: { gvc: 'shop' }, total: -5 };

    expect(readCharges(replaced(CHARGES, ROW, said), GROUP_BY).skipped).toBe(1);
  });
});

test.each(['usd', ' USD ', 'Usd'])('a currency is in capital letters: %j', (currency) => {
  expect(rowWith('currency', currency).currency).toBe('USD');
});
