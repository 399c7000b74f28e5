import { BigNumber } from 'bignumber.js';
import * as fc from '../../support/fast-check.ts';
import { describe, expect, test } from 'vitest';

import { amountDue } from '../../../src/platform/billing/invoices.ts';
import type { LineItem } from '../../../src/platform/billing/invoices.ts';
import { answering, createRecords, failureOf } from './billing-context.ts';

const LINE = {
  description: 'acme: memory (bytes * seconds), Quantity: 13950729216000',
  quantity: 13950729216000,
  charge: 9500,
  org: 'acme',
};
const INVOICE = {
  id: 'i1',
  accountId: 'a1',
  number: 7,
  startTime: '2026-09-01T00:00:00Z',
  endTime: '2026-10-01T00:00:00Z',
  totalCharge: 9500,
  status: 'paid',
  orgNames: ['acme'],
  periods: [
    {
      startTime: '2026-09-01T00:00:00Z',
      endTime: '2026-10-01T00:00:00Z',
      totalCharge: 9500,
      status: 'paid',
      items: [LINE],
    },
  ],
  credits: [{ ...LINE, charge: -500 }],
};
const SEPTEMBER = { start: '2026-09-01T00:00:00Z', end: '2026-10-01T00:00:00Z' };

describe('money that is not whole is no money', () => {
  const strange = ['"95.00 USD"', '"95.5"', '""', '95.5', 'null', '1e400', 'true', '[9500]', '{}'];
  const places = ['total', 'period', 'line'] as const;

  const isSaid = (place: string, text: string) => place !== 'period' || text !== 'null';
  const odd = places.flatMap((place) => strange.map((text) => [place, text] as const));

  test.each(odd.filter(([place, text]) => isSaid(place, text)))(
    'a %s of %s makes the invoice unreadable, alone and in a list',
    async (place, text) => {
      const one = JSON.stringify(withMoney(place)).replace('"?"', text);
      const records = createRecords(({ path }) => ({
        text: path.endsWith('i1') ? one : `{"invoices":[${one},${JSON.stringify(INVOICE)}]}`,
      }));

      const { value } = await records.listInvoices(SEPTEMBER);
      const failure = await failureOf(records.getInvoice('i1'));

      expect(value.skipped).toBe(1);
      expect(value.items.map(({ number }) => number)).toEqual([7]);
      expect(failure.reason).toBe('malformed');
    },
  );

  test('an object that says of itself that it is a number is none', async () => {
    const records = answering({
      ...INVOICE,
      totalCharge: { _isBigNumber: true, s: 1, e: 0, c: [5] },
    });

    expect((await failureOf(records.getInvoice('i1'))).reason).toBe('malformed');
  });

  test.each([{}, { totalCharge: null }])(
    'a period that says %j for its amount has an unknown one, and the rest is shown',
    async (said) => {
      const { totalCharge: _amount, ...period } = INVOICE.periods[0]!;
      const records = answering({ ...INVOICE, periods: [{ ...period, ...said }] });

      const { value } = await records.getInvoice('i1');

      expect(value.periods[0]).toMatchObject({ totalCharge: undefined, status: 'paid' });
      expect(value.totalCharge.toNumber()).toBe(9500);
    },
  );

  test.each(['"one"', '{"_isBigNumber":true,"s":1,"e":0,"c":[5]}', 'true', 'null', '[]'])(
    'a quantity of %s in one line is unknown there, and costs no money',
    async (quantity) => {
      const text = JSON.stringify(INVOICE).replaceAll('13950729216000,', `${quantity},`);

      const { value } = await createRecords(() => ({ text })).getInvoice('i1');

      expect(value.periods[0]?.items[0]?.quantity).toBeUndefined();
      expect(value.periods[0]?.items[0]?.charge.toNumber()).toBe(9500);
    },
  );

  test('a credit that would raise the amount due is none', async () => {
    const records = answering({ ...INVOICE, credits: [{ ...LINE, charge: 500 }] });

    expect((await failureOf(records.getInvoice('i1'))).reason).toBe('malformed');
  });

  test('amounts and quantities beyond 2^53 keep every digit', async () => {
    const text = JSON.stringify(INVOICE)
      .replaceAll('9500', '90071992547409931234')
      .replace('13950729216000,', '11132555231232000.125,');

    const { value } = await createRecords(() => ({ text })).getInvoice('i1');

    expect(value.totalCharge.toFixed()).toBe('90071992547409931234');
    expect(value.periods[0]?.items[0]?.quantity?.toFixed()).toBe('11132555231232000.125');
  });
});

describe('identity is not guessed', () => {
  test('another invoice than the one that was asked for is refused', async () => {
    const failure = await failureOf(answering({ ...INVOICE, id: 'i2' }).getInvoice('i1'));

    expect(failure.message).toContain('the invoice that was asked for');
  });

  test('an invoice without an id is skipped in the list, and stays in what is pending', async () => {
    const { id: _id, ...nameless } = INVOICE;
    const records = answering({ invoices: [nameless] });

    expect((await records.listInvoices(SEPTEMBER)).value).toEqual({ items: [], skipped: 1 });
    expect((await records.listPendingInvoices()).value.items[0]?.totalCharge.toNumber()).toBe(9500);
  });

  test.each([{ id: '' }, { id: null }, { id: true }, {}])(
    'what is pending and says %j of itself is shown without an id',
    async (said) => {
      const { id: _id, ...nameless } = INVOICE;
      const records = answering({ invoices: [{ ...nameless, ...said }] });

      const { value } = await records.listPendingInvoices();

      expect(value).toMatchObject({ items: [{ status: 'paid' }], skipped: 0 });
      expect(value.items[0]).not.toHaveProperty('id');
    },
  );

  test('members of a prototype do not count', async () => {
    const text = `{"__proto__":${JSON.stringify(INVOICE)},"credits":null}`;

    const failure = await failureOf(createRecords(() => ({ text })).getInvoice('i1'));

    expect(failure.reason).toBe('malformed');
  });
});

describe('what is tolerated', () => {
  test('absent lists are empty, an unknown status stays as it is, credits may be left out', async () => {
    const invoice = { id: 'i1', totalCharge: 0, status: 'on-hold', periods: null };

    const { value } = await answering(invoice).getInvoice('i1');

    expect(value).toMatchObject({ status: 'on-hold', periods: [], credits: [], orgNames: [] });
    expect(amountDue(value).toNumber()).toBe(0);
  });

  test('null in the place of the list is an empty one; no list at all is no answer', async () => {
    const { value } = await answering({ invoices: null }).listInvoices(SEPTEMBER);
    const failure = await failureOf(answering({}).listInvoices(SEPTEMBER));

    expect(value).toEqual({ items: [], skipped: 0 });
    expect(failure.reason).toBe('malformed');
  });

  test.each([
    ['javascript:alert(1)', 1],
    ['not an address', 1],
    ['https://pay.example/i1', 0],
  ])('a payment page at %s', async (externalUrl, skipped) => {
    const { skipped: left } = await answering({
      invoicePeriods: [{ id: 'p1', externalUrl }],
    }).listPaymentLinks('i1');

    expect(left).toBe(skipped);
  });
});

describe('amountDue', () => {
  const cents = fc.bigInt({ min: 0n, max: 10n ** 25n });

  test('is the total less the credits, and never below 0', () => {
    fc.assert(
      fc.property(cents, fc.array(cents, { maxLength: 5 }), (total, credits) => {
        const due = amountDue({
          totalCharge: new BigNumber(total.toString()),
          credits: credits.map((credit) => creditOf(-credit)),
        });
        const expected = credits.reduce((sum, credit) => sum - credit, total);
        expect(due.toFixed()).toBe((expected > 0n ? expected : 0n).toString());
      }),
    );
  });
});

function creditOf(charge: bigint): LineItem {
  return {
    description: '',
    quantity: undefined,
    charge: new BigNumber(charge.toString()),
    org: '',
  };
}

/** The invoice with `"?"` in the place of one of its amounts. */
function withMoney(place: 'total' | 'period' | 'line'): object {
  if (place === 'total') return { ...INVOICE, totalCharge: '?' };
  const [period] = INVOICE.periods;
  const changed = place === 'period' ? { totalCharge: '?' } : { items: [{ ...LINE, charge: '?' }] };
  return { ...INVOICE, periods: [{ ...period, ...changed }] };
}
