import { BigNumber } from 'bignumber.js';
import { describe, expect, it } from 'vitest';

import { invoiceCard } from '../../../../src/features/invoices/card-view.ts';
import { invoiceAnswer } from '../../../../src/features/invoices/invoice-view.ts';
import { listAnswer } from '../../../../src/features/invoices/list-view.ts';
import { payAnswer, pendingAnswer } from '../../../../src/features/invoices/due-view.ts';
import { createMoney } from '../../../../src/features/invoices/sheet.ts';
import type { Invoice, LineItem } from '../../../../src/platform/billing/invoices.ts';
import { proseOf, rowsOf, spoken, tableOf } from '../../../support/answer.ts';
import { invoice, line, NOW, OCTOBER, period, shared } from './scenario.ts';

const RANGE = { startMs: OCTOBER.startTime, endMs: OCTOBER.endTime };
const impossible = { impossible: 'the platform does not answer.' };

const list = (items: readonly Invoice[], changes = {}) =>
  listAnswer({ items, range: RANGE, skipped: 0, ...shared, ...changes });
const shown = (one: Invoice, changes = {}) =>
  invoiceAnswer({ invoice: one, reconciliation: impossible, ...shared, ...changes });

describe('the list', () => {
  it('is for members with access to bills, also when it is shared', () => {
    expect(list([invoice()])).toMatchObject({ needs: 'billing', shareable: {} });
    expect(shown(invoice())).toMatchObject({ needs: 'billing', shareable: {} });
  });

  it('names two orgs and counts the rest', () => {
    const orgNames = ['acme', 'globex', 'initech', 'umbrella', 'hooli'];
    expect(rowsOf(list([invoice({ orgNames })]))[0]?.[5]).toBe('acme, globex + 3');
  });

  it.each([
    ['JPY', '¥6,000'],
    ['USD', '$60.00'],
    ['KWD', 'KWD 6.000'],
  ])('counts %s in its own smallest unit', (currency, text) => {
    const one = invoice({ totalCharge: new BigNumber(6000), status: 'payment-failed' });
    const [row] = rowsOf(list([one], { money: createMoney(currency) }));
    expect([row?.[2], row?.[4]]).toEqual([text, text]);
  });

  it('says when it was read, and how many invoices could not be', () => {
    const words = proseOf(list([invoice()], { readAt: NOW - 12_000, skipped: 2 }));

    expect(words).toContain('Read 12 s ago');
    expect(words).toContain('⚠ 2 invoices could not be read and are left out');
    expect(proseOf(list([invoice()]))).not.toContain('Read ');
  });
});

it('an invoice without a number has its id', () => {
  expect(spoken(shown(invoice({ number: undefined })))).toContain('Invoice in_12');
});

it('an invoice without lines is still an invoice, and one without a comparison says why', () => {
  const empty = shown(invoice({ periods: [] }));

  expect(tableOf(empty)).toEqual([]);
  expect(proseOf(empty)).not.toContain('0 lines');
  expect(proseOf(shown(invoice()))).toContain('same months: the platform does not answer.');
});

const GIFT = line({ charge: new BigNumber(-150) });

describe('the pending charges', () => {
  const pending = (changes = {}) =>
    pendingAnswer({ items: [invoice()], surcharges: false, skipped: 0, ...shared, ...changes });

  it.each([
    ['$1.00 would be due after credits\n', { surcharges: true }],
    ['nothing would be due', { surcharges: true, items: [invoice({ credits: [GIFT] })] }],
    ['At least $1.00 accrued, not billed yet\n', { skipped: 1 }],
    ['is not billed yet cannot be read', { items: [invoice({ totalCharge: undefined })] }],
    ['Nothing of what is pending can be', { items: [], skipped: 1 }],
    ['Nothing has accrued', { items: [] }],
  ])('says first: %s', (words, changes) => {
    expect(spoken(pending(changes))).toContain(words);
  });

  it('has a row for each period where there are several', () => {
    const months = [
      period({ totalCharge: new BigNumber(70) }),
      period({ totalCharge: undefined, startTime: undefined }),
    ];
    expect(rowsOf(pending({ items: [invoice({ number: 0, periods: months })] }))).toEqual([
      ['October 2026', '–', '$0.70', 'acme'],
      ['–', '–', 'not readable', 'acme'],
    ]);
  });

  it('counts no total, surcharge or credit that cannot be read, and says so', () => {
    const items = [line({ org: '', description: 'Support', charge: undefined })];
    const credits = [line({ description: 'Goodwill', charge: undefined })];
    const odd = invoice({ totalCharge: undefined });
    const other = invoice({ number: 13, periods: [period({ items })], credits });

    const answer = pending({ surcharges: true, items: [odd, other] });

    expect(spoken(answer).split('\n').slice(0, 2)).toEqual([
      'At least $1.00 accrued, not billed yet; of this, at most $1.00 would be due after credits',
      '⚠ 1 pending invoice has a total that cannot be read and is not counted',
    ]);
    expect(rowsOf(answer).map((row) => row[2])).toEqual(['not readable', '$1.00']);
    expect(proseOf(answer)).toContain('Surcharge `Support`: not readable');
    expect(proseOf(answer)).toContain('Credit `Goodwill`: not readable');
  });

  it('does not call a line a surcharge that no one can know the org of', () => {
    const odd = line({ org: undefined, description: 'Support' });
    const withLines = (...items: LineItem[]) =>
      proseOf(pending({ surcharges: true, items: [invoice({ periods: [period({ items })] })] }));

    const one = withLines(odd);
    const both = withLines(odd, odd, line({ org: '', description: 'Fee' }));

    expect(one).toContain('⚠ The org of 1 line cannot be read: it may be a surcharge');
    expect(one).not.toMatch(/Surcharge `|No surcharges/);
    expect(both).toContain('• Surcharge `Fee`: $1.00');
    expect(both).toContain('⚠ The org of 2 lines cannot be read: they may be surcharges');
  });

  it('names totals that do not agree, and of which months where there are several', () => {
    const november = { startTime: OCTOBER.endTime, endTime: Date.UTC(2026, 11, 1) };
    const odd = invoice({ totalCharge: new BigNumber(900) });
    const other = invoice({
      ...november,
      totalCharge: new BigNumber(130),
      periods: [period(), period({ ...november, items: [], totalCharge: new BigNumber(30) })],
    });

    expect(proseOf(pending({ items: [odd] }))).toContain(
      '⚠ The periods add up to $1.00, but the total of the pending invoice is $9.00: difference +$8.00',
    );
    const words = proseOf(pending({ items: [odd, other] }));
    expect(words).toContain('the total of the pending invoice of October 2026 is $9.00');
    expect(words).toContain('⚠ The platform names no lines of November 2026 ($0.30)');
    expect(proseOf(pending())).not.toContain('⚠');
  });

  it('names a credit or surcharge without a description as such', () => {
    const items = [line({ org: '', description: ' ' })];
    const credits = [line({ description: '', charge: new BigNumber(-10) })];
    const one = invoice({ credits, periods: [period({ items })] });
    const words = proseOf(pending({ surcharges: true, items: [one] }));

    expect(words).toContain('• Surcharge without a description: $1.00');
    expect(words).toContain('• Credit without a description: −$0.10');
    expect(proseOf(shown(one))).toContain('• Credit without a description: −$0.10');
  });
});

describe('payment pages', () => {
  it('that cannot be read are not an account without a card', () => {
    const one = invoice({ status: 'payment-failed' });
    const text = spoken(payAnswer({ invoice: one, links: { items: [], skipped: 1 }, ...shared }));
    expect(text).toContain('cannot be read');
    expect(text).not.toContain('billed by card');
  });

  it('of one month are distinguished by their place', () => {
    const items = ['a', 'b', 'c'].map((id) => ({ id, externalUrl: `https://pay.example/${id}` }));
    const november = { startTime: OCTOBER.endTime, endTime: Date.UTC(2026, 11, 1) };
    const periods = [period(), period(), period(november)];

    const one = invoice({ periods });
    const answer = payAnswer({ invoice: one, links: { items, skipped: 0 }, ...shared });

    expect(proseOf(answer)).toContain('• October 2026 (2), $1.00, ✅ paid');
  });

  it('are first those of open parts, with buttons that name them', () => {
    const statuses = ['paid', 'payment-failed', 'void', 'pending-payment'];
    const items = statuses.map((id) => ({ id, externalUrl: `https://pay.example/${id}` }));
    const one = invoice({ periods: statuses.map((status) => period({ status })) });
    const { blocks } = payAnswer({ invoice: one, links: { items, skipped: 0 }, ...shared });

    const buttons = blocks.flatMap((block) =>
      block.type === 'section' && block.accessory?.type === 'button' ? [block.accessory] : [],
    );
    expect(buttons.map(({ text, url }) => [text.text, url?.split('/').at(-1)])).toEqual([
      ['Pay October 2026 (2)', 'payment-failed'],
      ['Open October 2026 (3)', 'void'],
      ['Pay October 2026 (4)', 'pending-payment'],
      ['Receipt', 'paid'],
    ]);
  });

  it('of a failed payment have the same next step in the answer as on the card', () => {
    const one = invoice({ status: 'payment-failed' });
    const step =
      '→ See which card was charged: `/billing account`; change it on the platform, then pay';
    const frame = { invoice: one, before: undefined, ...shared };

    expect(proseOf(shown(one))).toContain(step);
    expect(JSON.stringify(invoiceCard(frame))).toContain(step);
    expect(proseOf(shown(invoice()))).not.toContain(step);
  });

  it('of more than 15 parts are counted', () => {
    const items = Array.from({ length: 18 }, (_, at) => ({
      id: `${at}`,
      externalUrl: `https://pay.example/${at}`,
    }));

    const prose = proseOf(
      payAnswer({ invoice: invoice(), links: { items, skipped: 0 }, ...shared }),
    );

    expect(prose).toContain('• Part 15 of 18: page at `pay.example`');
    expect(prose).not.toContain('• Part 16 of 18');
    expect(prose).toContain('… and 3 more payment pages');
  });

  it('beside one that cannot be read have neither months nor an amount', () => {
    const items = [{ id: 'a', externalUrl: 'https://pay.example/a' }];
    const one = invoice({ status: 'pending-payment', periods: [period()] });

    const answer = payAnswer({ invoice: one, links: { items, skipped: 1 }, ...shared });

    expect(proseOf(answer)).toContain('• Part 1: page at `pay.example`');
    expect(proseOf(answer)).toContain(
      '⚠ 1 payment page could not be read, so this may be only a part: open it and compare the amount',
    );
    expect(answer.buttons?.map(({ text }) => text.text)).toEqual(['Open payment page']);
  });

  it('of more parts than the invoice has periods are numbered', () => {
    const items = ['a', 'b'].map((id) => ({ id, externalUrl: `https://pay.example/${id}` }));

    const answer = payAnswer({ invoice: invoice(), links: { items, skipped: 0 }, ...shared });

    expect(proseOf(answer)).toContain('• Part 1 of 2: page at `pay.example`');
  });
});
