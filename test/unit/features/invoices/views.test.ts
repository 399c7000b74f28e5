import { BigNumber } from 'bignumber.js';
import { describe, expect, it } from 'vitest';

import { invoiceAnswer } from '../../../../src/features/invoices/invoice-view.ts';
import { listAnswer } from '../../../../src/features/invoices/list-view.ts';
import { payAnswer } from '../../../../src/features/invoices/pay-view.ts';
import { pendingAnswer } from '../../../../src/features/invoices/pending-view.ts';
import { createMoney } from '../../../../src/features/invoices/words.ts';
import type { Invoice } from '../../../../src/platform/billing/invoices.ts';
import { invoice, line, NOW, OCTOBER, period, rowsOf, shared, wordsOf } from './story.ts';

const RANGE = { startMs: OCTOBER.startTime, endMs: OCTOBER.endTime };
const impossible = { impossible: 'the platform does not answer.' };

const list = (invoices: readonly Invoice[], changes = {}) =>
  listAnswer({ invoices, range: RANGE, page: 0, skipped: 0, ...shared, ...changes });
const shown = (one: Invoice, changes = {}) =>
  invoiceAnswer({ invoice: one, reconciliation: impossible, page: 0, ...shared, ...changes });

describe('the list', () => {
  it('is for those who may read bills, also when it is shared', () => {
    expect(list([invoice()])).toMatchObject({ needs: 'billing', shareable: {} });
    expect(shown(invoice())).toMatchObject({ needs: 'billing', shareable: {} });
  });

  it('says so when everything is paid', () => {
    expect(list([invoice(), invoice({ number: 11 })]).text).toContain('All of them are paid.');
  });

  it('counts what is paid in part as a whole, and says that', () => {
    const answer = list([
      invoice({ status: 'partially-paid', totalCharge: new BigNumber(500_00) }),
      invoice({ status: 'payment-failed', totalCharge: new BigNumber(100_00) }),
    ]);

    expect(answer.text).toContain(
      '*$600.00* due on 2 invoices not paid, 1 of them paid in part and counted whole',
    );
  });

  it('does not count what is the only one', () => {
    const half = invoice({ status: 'partially-failed' });

    expect(list([half]).text).toContain(
      'due on 1 invoice not paid, paid in part and counted whole',
    );
    expect(list([half, invoice()]).text).toContain('due on 1 invoice not paid, paid in part and');
  });

  it('shows a status that came later as it is, and a dash for what is not said', () => {
    const rows = rowsOf(
      list([
        invoice({ status: 'written-off' }),
        invoice({ number: undefined, startTime: undefined, status: '', orgNames: [] }),
      ]),
    );

    expect(rows).toEqual([
      ['12', 'Oct 2026', '$1.00', 'written-off', 'acme'],
      ['–', '–', '$1.00', '–', '–'],
    ]);
  });

  it('names two orgs and counts the rest', () => {
    const orgNames = ['acme', 'globex', 'initech', 'umbrella', 'hooli'];

    expect(rowsOf(list([invoice({ orgNames })]))[0]?.at(-1)).toBe('acme, globex + 3');
  });

  it.each([
    ['JPY', '¥6,000'],
    ['USD', '$60.00'],
    ['KWD', 'KWD 6.000'],
  ])('counts %s in its own smallest unit', (currency, text) => {
    const one = invoice({ totalCharge: new BigNumber(6000) });

    expect(rowsOf(list([one], { money: createMoney(currency) }))[0]?.[2]).toBe(text);
  });

  it('says when it was read, and what could not be', () => {
    const words = wordsOf(list([invoice()], { readAt: NOW - 12_000, skipped: 2 }));

    expect(words).toContain('Read 12 s ago');
    expect(words).toContain('⚠ 2 invoices could not be read and are left out');
    expect(wordsOf(list([invoice()]))).not.toContain('Read ');
  });

  it('pages beyond its end are its last one', () => {
    const many = Array.from({ length: 16 }, (_, index) => invoice({ number: index + 1 }));

    expect(rowsOf(list(many, { page: 9 })).map(([number]) => number)).toEqual(['16']);
    expect(rowsOf(list(many, { page: -1 })).length).toBe(15);
  });
});

describe('an invoice', () => {
  it('adds up the tiers of one org and item over its periods, largest first', () => {
    const tier = (charge: number, changes = {}) =>
      line({ charge: new BigNumber(charge), ...changes });
    const globex = { org: 'globex', description: 'globex: cpu (cores * seconds), Quantity: 1' };

    const rows = rowsOf(
      shown(
        invoice({
          periods: [
            period({ items: [tier(100), tier(50), tier(400, globex)] }),
            period({ items: [tier(7)] }),
          ],
        }),
      ),
    );

    expect(rows).toEqual([
      ['globex', 'cpu', '2 core-hours', '$4.00'],
      ['acme', 'cpu', '6 core-hours', '$1.57'],
    ]);
  });

  it('shows a description that nobody understands as it is, and no quantity that is not told', () => {
    const odd = line({ description: 'Flat fee', quantity: undefined });

    expect(rowsOf(shown(invoice({ periods: [period({ items: [odd, line()] })] })))).toEqual([
      ['acme', 'cpu', '2 core-hours', '$1.00'],
      ['acme', 'Flat fee', '–', '$1.00'],
    ]);
  });

  it('knows the unit of an item that the description does not say', () => {
    const bare = line({ description: 'acme: cpu, Quantity: 7200, Rate: 0.00001' });
    const one = invoice({ periods: [period({ items: [bare] })] });
    const unitOf = (item: string) => (item === 'cpu' ? 'cores * seconds' : undefined);

    expect(rowsOf(shown(one, { unitOf }))).toEqual([['acme', 'cpu', '2 core-hours', '$1.00']]);
    expect(rowsOf(shown(one))).toEqual([['acme', 'cpu', '7,200', '$1.00']]);
  });

  it('without lines is still an invoice', () => {
    const answer = shown(invoice({ periods: [] }));

    expect(answer.text).toContain('*Invoice 12* · Oct 2026');
    expect(answer.blocks.some(({ type }) => type === 'table')).toBe(false);
    expect(wordsOf(answer)).not.toContain('0 lines');
  });

  it('that has no number goes by its id', () => {
    expect(shown(invoice({ number: undefined })).text).toContain('*Invoice in_12*');
  });

  it('says why there is no comparison', () => {
    expect(wordsOf(shown(invoice()))).toContain(
      'No comparison with the charges of the same months: the platform does not answer.',
    );
  });

  it('names every part of the difference that there is, with its sign', () => {
    const parts = { charged: 10_000, credits: -5_000, surcharges: 300, rest: -1, due: 5_299 };
    const reconciliation = Object.fromEntries(
      Object.entries(parts).map(([name, amount]) => [name, new BigNumber(amount)]),
    );

    expect(wordsOf(shown(invoice(), { reconciliation }))).toContain(
      'Charges of the same months: $100.00; invoice: $52.99; difference -$47.01: credits -$50.00, surcharges (lines without an org) +$3.00, rest -$0.01 (tiers',
    );
  });
});

describe('what is pending', () => {
  const pending = (changes = {}) =>
    pendingAnswer({ pending: [invoice()], surcharges: false, skipped: 0, ...shared, ...changes });

  it('has a row for each period where there are several', () => {
    const months = [
      period({ totalCharge: new BigNumber(70) }),
      period({ totalCharge: undefined, startTime: undefined }),
    ];

    expect(rowsOf(pending({ pending: [invoice({ number: 0, periods: months })] }))).toEqual([
      ['–', 'Oct 2026', '$0.70', 'acme'],
      ['–', '–', '–', 'acme'],
    ]);
  });

  it('in full says what would be due, also when there are no surcharges and credits', () => {
    const answer = pending({ surcharges: true });

    expect(answer.text).toBe(
      '*$1.00* accrued and not billed yet; *$1.00* would be due after credits',
    );
    expect(wordsOf(answer)).toContain('No surcharges and no credits so far.');
  });

  it('that cannot be read is not nothing', () => {
    expect(pending({ pending: [], skipped: 1 }).text).toContain(
      'Nothing of what is pending can be',
    );
    expect(pending({ pending: [] }).text).toContain('Nothing has accrued');
  });
});

describe('payment pages', () => {
  it('that cannot be read are not an account without a card', () => {
    const answer = payAnswer({ invoice: invoice(), links: { items: [], skipped: 1 }, ...shared });

    expect(answer.text).toContain('cannot be read');
    expect(answer.text).not.toContain('billed by card');
  });

  it('of one month are told apart by their place', () => {
    const items = ['a', 'b', 'c'].map((id) => ({ id, externalUrl: `https://pay.example/${id}` }));
    const november = { startTime: OCTOBER.endTime, endTime: Date.UTC(2026, 11, 1) };
    const periods = [period(), period(), period(november)];

    const one = invoice({ periods });
    const answer = payAnswer({ invoice: one, links: { items, skipped: 0 }, ...shared });

    expect(wordsOf(answer)).toContain('• Page 2: Oct 2026, $1.00, ✓ paid');
    expect(answer.buttons?.map(({ text }) => text.text)).toEqual([
      'Payment page 1: Oct 2026',
      'Payment page 2: Oct 2026',
      'Payment page: Nov 2026',
    ]);
  });

  it('of more parts than the invoice has periods are numbered', () => {
    const items = ['a', 'b'].map((id) => ({ id, externalUrl: `https://pay.example/${id}` }));

    const answer = payAnswer({ invoice: invoice(), links: { items, skipped: 0 }, ...shared });

    expect(wordsOf(answer)).toContain('• Part 1 of 2: page at `pay.example`');
    expect(answer.buttons?.map(({ text }) => text.text)).toEqual([
      'Payment page: Part 1 of 2',
      'Payment page: Part 2 of 2',
    ]);
  });
});
