import { BigNumber } from 'bignumber.js';
import { describe, expect, test } from 'vitest';
import {
  amountDue,
  type Invoice,
  type LineItem,
} from '../../../../src/platform/billing/invoices.ts';
import * as fc from '../../../support/fast-check.ts';
import { answering, createRecords, failureOf } from './support.ts';

const LINE = { description: 'acme: memory', quantity: 13950729216000, charge: 9500, org: 'acme' };
const SPAN = { startTime: '2026-09-01T00:00:00Z', endTime: '2026-10-01T00:00:00Z' };
const PERIOD = { ...SPAN, totalCharge: 9500, status: 'paid', items: [LINE] };
const CREDIT = { ...LINE, charge: -500 };
const { items: _items, ...TOTAL } = PERIOD;
const INVOICE = {
  ...TOTAL,
  id: 'i1',
  accountId: 'a1',
  number: 7,
  orgNames: ['acme'],
  periods: [PERIOD],
  credits: [CREDIT],
};
const SEPTEMBER = { start: SPAN.startTime, end: SPAN.endTime };

/** The invoice with one amount replaced by another text of JSON, by its place. */
const WITH = {
  total: { totalCharge: '?' },
  period: { periods: [{ ...PERIOD, totalCharge: '?' }] },
  line: { periods: [{ ...PERIOD, items: [{ ...LINE, charge: '?' }] }] },
  credit: { credits: [{ ...CREDIT, charge: '?' }] },
};
const AMOUNTS = { total: '9500', period: '9500', line: '9500', credit: '-500' };

function amountsOf({ totalCharge, periods: [period], credits: [credit] }: Invoice) {
  return {
    total: totalCharge?.toFixed(),
    period: period?.totalCharge?.toFixed(),
    line: period?.items[0]?.charge?.toFixed(),
    credit: credit?.charge?.toFixed(),
  };
}

const changed = async (said: object) =>
  (await answering({ ...INVOICE, ...said }).getInvoice('i1')).value;
const written = async (text: string) =>
  (await createRecords(() => ({ text })).getInvoice('i1')).value;

describe('money that is not whole is no money', () => {
  const strange = ['"95.00 USD"', '"95.5"', '""', '95.5', 'null', '1e400', 'true', '[9500]', '{}'];
  const odd = (Object.keys(WITH) as (keyof typeof WITH)[]).flatMap((place) =>
    strange.map((text) => [place, text] as const),
  );

  test.each(odd)('a %s of %s is not known, and the rest of the invoice is', async (place, text) => {
    const invoice = JSON.stringify({ ...INVOICE, ...WITH[place] }).replace('"?"', text);

    expect(amountsOf(await written(invoice))).toEqual({ ...AMOUNTS, [place]: undefined });
  });

  test.each(['none', 7, {}, true])(
    'a list that is %j counts as one part that cannot be read',
    async (said) => {
      const unread = { startTime: undefined, endTime: undefined, totalCharge: undefined };

      expect(amountsOf(await changed({ credits: said })).credit).toBeUndefined();
      expect((await changed({ periods: said })).periods).toEqual([
        { ...unread, status: '', items: [] },
      ]);
    },
  );

  test('a line with an unreadable org is not one of the whole account, and its amount counts', async () => {
    const { org: _org, ...ofNoOne } = LINE;
    const items = [LINE, { ...LINE, org: 7 }, null, 'x', 5, [], { ...LINE, org: null }, ofNoOne];

    const { periods } = await changed({ periods: [{ ...PERIOD, items }] });

    expect(periods[0]?.items.map(({ org, charge }) => `${org} ${charge?.toFixed()}`)).toEqual([
      'acme 9500',
      'undefined 9500',
      ...Array<string>(4).fill('undefined undefined'),
      ' 9500',
      ' 9500',
    ]);
  });

  test.each([7, null, {}, ['acme']])('a credit counts, be its org %j', async (org) => {
    const due = amountDue(await changed({ credits: [{ ...CREDIT, org }] }));

    expect(due).toEqual({ amount: new BigNumber(9000), isExact: true });
  });

  test('a credit that would raise the amount due is no credit', async () => {
    const invoice = await changed({ credits: [LINE] });

    expect(invoice.credits[0]?.charge).toBeUndefined();
    expect(amountDue(invoice)).toEqual({ amount: new BigNumber(9500), isExact: false });
  });

  test.each(['"one"', '{"_isBigNumber":true,"s":1,"e":0,"c":[5]}', 'true', 'null', '[]'])(
    'a quantity of %s in one line is unknown there, and costs no money',
    async (quantity) => {
      const text = JSON.stringify(INVOICE).replaceAll('13950729216000,', `${quantity},`);

      const [line] = (await written(text)).periods[0]?.items ?? [];

      expect([line?.quantity, line?.charge?.toNumber()]).toEqual([undefined, 9500]);
    },
  );
});

test('amounts and quantities keep every digit, also beyond 2^53 and in texts', async () => {
  const [total, quantity] = ['90071992547409931234', '11132555231232000.125'];
  const text = JSON.stringify(INVOICE)
    .replaceAll('9500', `"${total}"`)
    .replace('13950729216000,', `${quantity},`);

  const { totalCharge, periods } = await written(text);

  expect([totalCharge, periods[0]?.items[0]?.charge].map((one) => one?.toFixed())).toEqual([
    total,
    total,
  ]);
  expect(periods[0]?.items[0]?.quantity?.toFixed()).toBe(quantity);
});

test.each<[what: string, said: object, read: object]>([
  ['a number that is a text', { number: '60074' }, { number: 60_074 }],
  ['a number that is a word', { number: 'INV-7' }, { number: undefined }],
  ['a number with a fraction', { number: '7.5' }, { number: undefined }],
  ['a number that is too large', { number: '9007199254740993' }, { number: undefined }],
  ['a number of another type', { number: {} }, { number: undefined }],
  ['space around a status', { status: ' paid\n' }, { status: 'paid' }],
  [
    'space in a period',
    { periods: [{ ...PERIOD, status: '\tpaid ' }] },
    { periods: [{ status: 'paid' }] },
  ],
  ['a status that came later', { status: 'on-hold' }, { status: 'on-hold' }],
  [
    'absent lists',
    { periods: null, credits: undefined, orgNames: null },
    { periods: [], credits: [], orgNames: [] },
  ],
])('tolerated: %s', async (_what, said, read) => {
  expect(await changed(said)).toMatchObject(read);
});

describe('identity is not guessed', () => {
  test('another invoice than the one that was asked for is refused', async () => {
    const failure = await failureOf(answering({ ...INVOICE, id: 'i2' }).getInvoice('i1'));

    expect(failure.message).toContain('the invoice that was asked for');
  });

  test.each([{ id: '' }, { id: null }, { id: true }, { id: undefined }])(
    'an invoice with %j is skipped in the list, and stays in the pending charges',
    async (said) => {
      const records = answering({ invoices: [{ ...INVOICE, ...said }] });

      const pending = (await records.listPendingInvoices()).value;

      expect((await records.listInvoices(SEPTEMBER)).value).toEqual({ items: [], skipped: 1 });
      expect(pending).toMatchObject({ items: [{ id: undefined, status: 'paid' }], skipped: 0 });
    },
  );

  test('members of a prototype do not count', async () => {
    const text = `{"__proto__":${JSON.stringify(INVOICE)},"credits":null}`;

    await expect(written(text)).rejects.toMatchObject({ reason: 'malformed' });
  });
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
  const links = answering({ invoicePeriods: [{ id: 'p1', externalUrl }] });

  expect((await links.listPaymentLinks('i1')).skipped).toBe(skipped);
});

describe('amountDue', () => {
  const cents = fc.bigInt({ min: 0n, max: 10n ** 25n });
  const creditOf = (charge: bigint | undefined): LineItem => ({
    description: '',
    quantity: undefined,
    charge: charge === undefined ? undefined : new BigNumber((-charge).toString()),
    org: '',
  });

  test('is the total less the credits, and never below 0; one that cannot be read makes it the most', () => {
    fc.assert(
      fc.property(cents, fc.array(cents, { maxLength: 5 }), (total, credits) => {
        const expected = credits.reduce((sum, credit) => sum - credit, total);
        const amount = new BigNumber((expected > 0n ? expected : 0n).toString());
        const totalCharge = new BigNumber(total.toString());
        const read = credits.map(creditOf);

        expect(amountDue({ totalCharge, credits: read })).toEqual({ amount, isExact: true });
        expect(amountDue({ totalCharge, credits: [...read, creditOf(undefined)] })).toEqual({
          amount,
          isExact: amount.isZero(),
        });
      }),
    );
  });

  test('is not known without the total', () => {
    expect(amountDue({ totalCharge: undefined, credits: [] })).toBeUndefined();
  });
});
