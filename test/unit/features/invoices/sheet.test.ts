import { BigNumber } from 'bignumber.js';
import { describe, expect, it } from 'vitest';
import { payAnswer } from '../../../../src/features/invoices/invoice-view.ts';
import { listAnswer } from '../../../../src/features/invoices/list-view.ts';
import { createMoney, sheetOf } from '../../../../src/features/invoices/sheet.ts';
import type { Invoice } from '../../../../src/platform/billing/invoices.ts';
import { rowsOf, spoken } from '../../../support/answer.ts';
import { invoice, line, OCTOBER, period, shared } from './scenario.ts';

// The words of each state are in the catalogue, and the amounts are recomputed in `contract/money`.

const cents = (amount: number) => new BigNumber(amount);
const credit = (amount?: number) =>
  line({ charge: amount === undefined ? undefined : cents(-amount) });
const sheet = (changes: Partial<Invoice>) => sheetOf(invoice(changes), shared.money);

describe('the open part of an invoice', () => {
  const WRONG = ':large_orange_circle:';
  const [PAID, OPEN] = [{ status: 'paid' }, { status: 'payment-failed' }];
  const SEPTEMBER = { startTime: Date.UTC(2026, 8, 1), endTime: OCTOBER.startTime };
  const september = period({ ...SEPTEMBER, ...PAID, totalCharge: cents(100_000) });
  const october = period({ ...OPEN, totalCharge: cents(50_000) });
  const parts = (...periods: Invoice['periods']) => ({
    ...SEPTEMBER,
    endTime: OCTOBER.endTime,
    totalCharge: cents(150_000),
    status: 'partially-failed',
    periods,
  });

  it.each<[string, number[], cell: string]>([
    ['without credits', [], '$500.00 open (October) of $1,500.00'],
    [
      'of which a credit may lower any period',
      [100],
      'at most $500.00 open (October) of $1,499.00',
    ],
    ['is not more than what is due', [120_000], 'at most $300.00 open (October) of $300.00'],
  ])('%s is shown beside the full amount', (_what, credits, cell) => {
    expect(sheet({ ...parts(september, october), credits: credits.map(credit) }).cell).toBe(cell);
  });

  it.each([
    ['has a status that is not known', [september, october, period({ status: 'void' })]],
    ['is paid in part', [september, period({ status: 'partially-paid' })]],
  ])('is not known where a period %s', (_what, periods) => {
    expect(sheet(parts(...periods))).toMatchObject({ cell: 'at most $1,500.00', pay: 'Pay' });
  });

  it('is all of it where no period is paid, unless the invoice is paid in part', () => {
    const both = parts(period({ ...september, ...OPEN }), october);
    const text = '$1,500.00 open (September, October)';
    expect(sheet(both)).toMatchObject({ cell: text, pay: 'Pay $1,500.00' });
    expect(sheet(both).state.text).toBe(`${WRONG} *Payment failed in part: ${text}*`);
    expect(sheet({ ...both, status: 'partially-paid' }).cell).toBe('at most $1,500.00');
    expect(sheet({ ...both, status: 'payment-failed' }).cell).toBe('$1,500.00');
  });

  it.each([
    ['payment-failed', `${WRONG} *Payment failed: $500.00 open (October) of $1,500.00*`, 1],
    [
      'pending-payment',
      ':hourglass_flowing_sand: *$500.00 open (October) of $1,500.00*: not paid yet',
      0,
    ],
  ])('that is %s decides over an invoice that is pending', (status, state, steps) => {
    const one = sheet({
      ...parts(september, { ...october, status }),
      status: 'pending-payment',
    });
    expect(one.state.text).toBe(state);
    expect(one.next).toHaveLength(steps);
  });

  it('is known also if the amount of a paid period cannot be read', () => {
    const unread = period({ ...PAID, totalCharge: undefined });
    expect(sheet(parts(unread, october)).due).toBe('open');
  });
});

describe('the list', () => {
  const five = (status: string, changes: Partial<Invoice> = {}) =>
    invoice({ status, totalCharge: cents(500), ...changes });
  const list = (items: readonly Invoice[], changes = {}) =>
    listAnswer({
      items,
      range: { startMs: OCTOBER.startTime, endMs: OCTOBER.endTime },
      skipped: 0,
      ...shared,
      ...changes,
    });

  it.each<[string, Invoice[], number]>([
    [
      'At most $9.00 open in 2 invoices · 2 failed · 2 invoices, October 2026',
      [five('payment-failed', { credits: [credit(100), credit()] }), five('payment-failed')],
      0,
    ],
    // Whatever is not counted may add to what is due.
    [
      '$5.00 open in 1 invoice, and 1 invoice not counted · 1 failed · 1 invoice, October 2026',
      [five('payment-failed')],
      1,
    ],
    [
      '$5.00 or less open in 1 invoice, and 1 invoice not counted · 2 invoices, October 2026',
      [five('pending-payment', { credits: [credit()] }), five('void')],
      0,
    ],
    [
      '$5.00 open in 1 invoice, and 2 invoices not counted · 1 failed · 3 invoices, October 2026',
      [
        five('payment-failed'),
        ...[1, 2].map(() => five('payment-failed', { totalCharge: undefined })),
      ],
      0,
    ],
  ])('begins with %s', (words, invoices, skipped) => {
    expect(spoken(list(invoices, { skipped })).split('\n')[0]).toBe(words);
  });

  it('offers to pay the invoice that failed, else the oldest, and nothing where nothing is due', () => {
    const payOf = (...statuses: string[]) =>
      list(
        statuses.map((status, at) => five(status, { id: `in_${20 - at}`, number: 20 - at })),
      ).buttons?.map(({ text, value }) => [text.text, value]);
    expect(payOf('payment-failed', 'paid')).toEqual([['Pay $5.00', 'in_20']]);
    expect(payOf('pending-payment', 'payment-failed', 'pending-payment')).toEqual([
      ['Pay Invoice 19', 'in_19'],
    ]);
    expect(payOf('pending-payment', 'pending-payment')?.[0]?.[0]).toBe('Pay Invoice 19');
    expect(payOf('paid', 'void')).toEqual([]);
  });

  it.each([
    ['JPY', '¥6,000'],
    ['KWD', 'KWD 6.000'],
  ])('counts %s in its own smallest unit', (currency, text) => {
    const one = five('payment-failed', { totalCharge: cents(6000) });
    const [row] = rowsOf(list([one], { money: createMoney(currency) }));
    expect([row?.[2], row?.[4]]).toEqual([text, text]);
  });
});

describe('payment pages', () => {
  const pay = (status: string, statuses: readonly string[], pages = statuses) => {
    const items = pages.map((id) => ({ id, externalUrl: `https://pay.example/${id}` }));
    const one = invoice({ status, periods: statuses.map((of) => period({ status: of })) });
    const answer = payAnswer({ invoice: one, links: { items, skipped: 0 }, ...shared });
    const beside = answer.blocks.flatMap((block) =>
      block.type === 'section' && block.accessory?.type === 'button' ? [block.accessory] : [],
    );
    const buttons = [...beside, ...(answer.buttons as typeof beside)];
    const labels = buttons.map(({ text, url }) => [text.text, url?.split('/').at(-1)]);
    return { labels, text: spoken(answer) };
  };

  it('of open parts come first, with buttons that name them', () => {
    const statuses = ['paid', 'payment-failed', 'void', 'pending-payment'];
    expect(pay('payment-failed', statuses).labels).toEqual([
      ['Pay October 2026 (2)', 'payment-failed'],
      ['Open October 2026 (3)', 'void'],
      ['Pay October 2026 (4)', 'pending-payment'],
      ['Receipt', 'paid'],
    ]);
  });

  it('invite to pay where the invoice is open, and nowhere once it is paid', () => {
    expect(pay('payment-failed', ['paid']).labels).toEqual([['Open payment page', 'paid']]);
    const paid = pay('paid', ['payment-failed', 'pending-payment']).labels;
    expect(paid.map(([label]) => label)).toEqual(['Receipt', 'Receipt']);
  });

  it('that are fewer than the periods may be a part of the invoice', () => {
    const { text } = pay('partially-paid', ['paid', 'payment-failed'], ['one']);
    expect(text).toContain('Part 1: page at');
    expect(text).toContain('The invoice has 2 periods, so this may be only a part');
  });
});
