import { BigNumber } from 'bignumber.js';
import { describe, expect, test } from 'vitest';
import {
  amountDue,
  type Invoice,
  type LineItem,
} from '../../../../src/platform/billing/invoices.ts';
import * as fc from '../../../support/fast-check.ts';
import { answering, createRecords, failureOf } from './support.ts';

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
  const places = ['total', 'period', 'line', 'credit'] as const;

  const odd = places.flatMap((place) => strange.map((text) => [place, text] as const));

  test.each(odd)('a %s of %s is not known, and the rest of the invoice is', async (place, text) => {
    const one = JSON.stringify(withMoney(place)).replace('"?"', text);
    const records = createRecords(({ path }) => ({
      text: path.endsWith('i1') ? one : `{"invoices":[${one},${JSON.stringify(INVOICE)}]}`,
    }));

    const { value } = await records.listInvoices(SEPTEMBER);
    const alone = await records.getInvoice('i1');

    expect(value.skipped).toBe(0);
    expect(value.items.map(({ number }) => number)).toEqual([7, 7]);
    expect(value.items.map(amountsOf)).toEqual([{ ...AMOUNTS, [place]: undefined }, AMOUNTS]);
    expect(alone.value).toEqual(value.items[0]);
  });

  test.each(['"none"', '7', '{}', 'true'])(
    'a list that is %s counts as one part that cannot be read',
    async (text) => {
      const said = (name: string) =>
        createRecords(() => ({
          text: JSON.stringify({ ...INVOICE, [name]: '?' }).replace('"?"', text),
        }));

      const credits = (await said('credits').getInvoice('i1')).value;
      const periods = (await said('periods').getInvoice('i1')).value;

      expect(amountsOf(credits)).toEqual({ ...AMOUNTS, credit: undefined });
      expect(periods.periods).toEqual([
        { startTime: undefined, endTime: undefined, totalCharge: undefined, status: '', items: [] },
      ]);
    },
  );

  test('a line with an unreadable org is not one of the whole account, and its amount counts', async () => {
    const [period] = INVOICE.periods;
    const { org: _org, ...ofNoOne } = LINE;
    const items = [{ ...LINE, org: 7 }, null, 'x', 5, [], { ...LINE, org: null }, ofNoOne];

    const { value } = await answering({
      ...INVOICE,
      periods: [{ ...period, items: [LINE, ...items] }],
    }).getInvoice('i1');

    const unread = [undefined, undefined];
    expect(value.periods[0]?.items.map(({ org, charge }) => [org, charge?.toNumber()])).toEqual([
      ['acme', 9500],
      [undefined, 9500],
      unread,
      unread,
      unread,
      unread,
      ['', 9500],
      ['', 9500],
    ]);
  });

  test.each([7, null, {}, ['acme']])('a credit counts, be its org %j', async (org) => {
    const { value } = await answering({
      ...INVOICE,
      credits: [{ ...LINE, charge: -500, org }],
    }).getInvoice('i1');

    expect(amountDue(value)).toEqual({ amount: new BigNumber(9000), isExact: true });
  });

  test.each(['"one"', '{"_isBigNumber":true,"s":1,"e":0,"c":[5]}', 'true', 'null', '[]'])(
    'a quantity of %s in one line is unknown there, and costs no money',
    async (quantity) => {
      const text = JSON.stringify(INVOICE).replaceAll('13950729216000,', `${quantity},`);

      const { value } = await createRecords(() => ({ text })).getInvoice('i1');

      expect(value.periods[0]?.items[0]?.quantity).toBeUndefined();
      expect(value.periods[0]?.items[0]?.charge?.toNumber()).toBe(9500);
    },
  );

  test('a credit that would raise the amount due is no credit', async () => {
    const records = answering({ ...INVOICE, credits: [{ ...LINE, charge: 500 }] });

    const { value } = await records.getInvoice('i1');

    expect(value.credits[0]?.charge).toBeUndefined();
    expect(amountDue(value)).toEqual({ amount: new BigNumber(9500), isExact: false });
  });

  test('amounts and quantities beyond 2^53 keep every digit', async () => {
    const text = JSON.stringify(INVOICE)
      .replaceAll('9500', '90071992547409931234')
      .replace('13950729216000,', '11132555231232000.125,');

    const { value } = await createRecords(() => ({ text })).getInvoice('i1');

    expect(value.totalCharge?.toFixed()).toBe('90071992547409931234');
    expect(value.periods[0]?.items[0]?.quantity?.toFixed()).toBe('11132555231232000.125');
  });
});

describe('identity is not guessed', () => {
  test('another invoice than the one that was asked for is refused', async () => {
    const failure = await failureOf(answering({ ...INVOICE, id: 'i2' }).getInvoice('i1'));

    expect(failure.message).toContain('the invoice that was asked for');
  });

  test('an invoice without an id is skipped in the list, and stays in the pending charges', async () => {
    const { id: _id, ...nameless } = INVOICE;
    const records = answering({ invoices: [nameless] });

    expect((await records.listInvoices(SEPTEMBER)).value).toEqual({ items: [], skipped: 1 });
    expect((await records.listPendingInvoices()).value.items[0]?.totalCharge?.toNumber()).toBe(
      9500,
    );
  });

  test.each([{ id: '' }, { id: null }, { id: true }, {}])(
    'a pending invoice with %j is shown without an id',
    async (said) => {
      const { id: _id, ...nameless } = INVOICE;
      const records = answering({ invoices: [{ ...nameless, ...said }] });

      const { value } = await records.listPendingInvoices();

      expect(value).toMatchObject({ items: [{ status: 'paid' }], skipped: 0 });
      expect(value.items[0]?.id).toBeUndefined();
    },
  );

  test('members of a prototype do not count', async () => {
    const text = `{"__proto__":${JSON.stringify(INVOICE)},"credits":null}`;

    const failure = await failureOf(createRecords(() => ({ text })).getInvoice('i1'));

    expect(failure.reason).toBe('malformed');
  });
});

describe('tolerated answers', () => {
  test('absent lists are empty, an unknown status stays as it is, credits may be left out', async () => {
    const invoice = { id: 'i1', totalCharge: 0, status: 'on-hold', periods: null };

    const { value } = await answering(invoice).getInvoice('i1');

    expect(value).toMatchObject({ status: 'on-hold', periods: [], credits: [], orgNames: [] });
    expect(amountDue(value)?.amount.toNumber()).toBe(0);
  });

  test('space around a status is removed', async () => {
    const [period] = INVOICE.periods;
    const said = { ...INVOICE, status: ' paid\n', periods: [{ ...period, status: '\tpaid ' }] };

    const { value } = await answering(said).getInvoice('i1');

    expect([value.status, value.periods[0]?.status]).toEqual(['paid', 'paid']);
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
        expect(due?.isExact).toBe(true);
        expect(due?.amount.toFixed()).toBe((expected > 0n ? expected : 0n).toString());
      }),
    );
  });

  test('is at most so much where a credit cannot be read, and exact where the others cover it', () => {
    fc.assert(
      fc.property(cents, fc.array(cents, { maxLength: 5 }), (total, credits) => {
        const read = credits.map((credit) => creditOf(-credit));
        const totalCharge = new BigNumber(total.toString());
        const most = amountDue({ totalCharge, credits: read });

        const due = amountDue({
          totalCharge,
          credits: [...read, { ...creditOf(0n), charge: undefined }],
        });

        expect(due?.amount).toEqual(most?.amount);
        expect(due?.isExact).toBe(most?.amount.isZero());
      }),
    );
  });

  test('is not known without the total', () => {
    expect(amountDue({ totalCharge: undefined, credits: [] })).toBeUndefined();
  });
});

/** The amounts in `INVOICE`, by place. */
const AMOUNTS = { total: '9500', period: '9500', line: '9500', credit: '-500' };

function amountsOf({ totalCharge, periods: [period], credits: [credit] }: Invoice) {
  return {
    total: totalCharge?.toFixed(),
    period: period?.totalCharge?.toFixed(),
    line: period?.items[0]?.charge?.toFixed(),
    credit: credit?.charge?.toFixed(),
  };
}

function creditOf(charge: bigint): LineItem {
  return {
    description: '',
    quantity: undefined,
    charge: new BigNumber(charge.toString()),
    org: '',
  };
}

/** The invoice with `"?"` in the place of one of its amounts. */
function withMoney(place: keyof typeof AMOUNTS): object {
  if (place === 'total') return { ...INVOICE, totalCharge: '?' };
  if (place === 'credit') return { ...INVOICE, credits: [{ ...LINE, charge: '?' }] };
  const [period] = INVOICE.periods;
  const changed = place === 'period' ? { totalCharge: '?' } : { items: [{ ...LINE, charge: '?' }] };
  return { ...INVOICE, periods: [{ ...period, ...changed }] };
}
