import { BigNumber } from 'bignumber.js';
import { describe, expect, it } from 'vitest';

import { deliveriesAnswer } from '../../../../src/features/invoices/deliveries-view.ts';
import { invoiceAnswer } from '../../../../src/features/invoices/invoice-view.ts';
import { listAnswer } from '../../../../src/features/invoices/list-view.ts';
import { payAnswer } from '../../../../src/features/invoices/pay-view.ts';
import { pendingAnswer } from '../../../../src/features/invoices/pending-view.ts';
import { createMoney } from '../../../../src/features/invoices/words.ts';
import type { Invoice } from '../../../../src/platform/billing/invoices.ts';
import type { Delivery } from '../../../../src/platform/billing/recipients.ts';
import { invoice, line, NOW, OCTOBER, period, rowsOf, shared, wordsOf } from './story.ts';

const RANGE = { startMs: OCTOBER.startTime, endMs: OCTOBER.endTime };
const impossible = { impossible: 'the platform does not answer.' };

const list = (invoices: readonly Invoice[], changes = {}) =>
  listAnswer({ invoices, range: RANGE, page: 0, skipped: 0, ...shared, ...changes });
const shown = (one: Invoice, changes = {}) =>
  invoiceAnswer({ invoice: one, reconciliation: impossible, page: 0, ...shared, ...changes });

describe('the list', () => {
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
      ['acme', 'Flat fee', '–', '$1.00'],
      ['acme', 'cpu', '2 core-hours', '$1.00'],
    ]);
  });

  it('without lines is still an invoice', () => {
    const answer = shown(invoice({ periods: [] }));

    expect(answer.text).toContain('*Invoice 12* · Oct 2026');
    expect(answer.blocks.some(({ type }) => type === 'table')).toBe(false);
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

describe('deliveries', () => {
  const delivery = (changes: Partial<Delivery> = {}): Delivery => ({
    recipientEmail: 'ada@acme.example',
    status: 'delivered',
    attemptCount: 1,
    errorMessages: [],
    invoiceId: 'in_12',
    ...changes,
  });
  const answer = (deliveries: readonly Delivery[], changes = {}) =>
    deliveriesAnswer({
      deliveries,
      of: undefined,
      numbers: new Map([['in_12', 12]]),
      page: 0,
      skipped: 0,
      ...shared,
      ...changes,
    });

  it('keep the order of the platform behind what failed', () => {
    const statuses = ['delivered', 'pending', 'failed', 'in_progress', 'permanently_failed', 'odd'];

    const rows = rowsOf(answer(statuses.map((status) => delivery({ status }))));

    expect(rows.map((row) => row[2]?.replaceAll('\u00A0', ' '))).toEqual([
      '⊗ failed for good',
      '✗ failed',
      '✓ delivered',
      '… waiting',
      '→ being sent',
      'odd',
    ]);
  });

  it('show an invoice by its id where its number is not known, and dashes for what is not said', () => {
    const rows = rowsOf(
      answer([
        delivery({ invoiceId: 'in_3' }),
        delivery({ invoiceId: '', attemptCount: undefined }),
      ]),
    );

    expect(rows.map(([invoice, , , attempts, error]) => [invoice, attempts, error])).toEqual([
      ['in_3', '1', '–'],
      ['–', '–', '–'],
    ]);
  });

  it('tell the last error, without the recipient, who stands beside it', () => {
    const errorMessages = ['421 try later', '550 5.1.1 <ada@acme.example>: rejected'];

    const [row] = rowsOf(answer([delivery({ status: 'failed', errorMessages })]));

    expect(row?.at(-1)).toBe('550 5.1.1: rejected');
  });

  it('keep a status on one line', () => {
    const [row] = rowsOf(answer([delivery({ status: 'permanently_failed' })]));

    expect(row?.[2]).toBe('⊗\u00A0failed\u00A0for\u00A0good');
  });

  it('that cannot be read are counted, and are not none', () => {
    const words = JSON.stringify(answer([delivery()], { skipped: 3 }).blocks);

    expect(words).toContain('⚠ 3 deliveries could not be read and are left out');
    expect(answer([], { skipped: 3 }).text).toContain('cannot be read');
  });
});
