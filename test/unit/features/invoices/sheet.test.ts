import { BigNumber } from 'bignumber.js';
import { describe, expect, it } from 'vitest';
import { payAnswer } from '../../../../src/features/invoices/due-view.ts';
import { listAnswer } from '../../../../src/features/invoices/list-view.ts';
import { sheetOf } from '../../../../src/features/invoices/sheet.ts';
import type { Invoice } from '../../../../src/platform/billing/invoices.ts';
import type { Answer } from '../../../../src/slack/routing/routes.ts';
import { proseOf, rowsOf, spoken } from '../../../support/answer.ts';
import * as fc from '../../../support/fast-check.ts';
import { invoice, line, OCTOBER, period, shared } from './scenario.ts';

const cents = (amount: number) => new BigNumber(amount);
const credit = (amount?: number) =>
  line({ charge: amount === undefined ? undefined : cents(-amount) });
const sheet = (changes: Partial<Invoice>) => sheetOf(invoice(changes), shared.money);
const UNPAID = ['pending-payment', 'payment-failed', 'partially-paid', 'partially-failed'];

describe('the state of an invoice', () => {
  const FAILED = { status: 'payment-failed' };
  const CREDITS = { credits: [credit(20), credit(10)] };
  const COVERED = { credits: [credit(150)] };
  const NO_TOTAL = { totalCharge: undefined };
  const [WRONG, GOOD, UNKNOWN] = [
    ':large_orange_circle:',
    ':white_check_mark:',
    ':white_circle:',
  ] as const;

  it.each<[string, Partial<Invoice>, state: string, credits?: string]>([
    [
      'pending',
      { status: UNPAID[0]! },
      ':hourglass_flowing_sand: *Amount due $1.00*: not paid yet',
    ],
    ['failed', FAILED, `${WRONG} *Payment failed: amount due $1.00*`],
    [
      'less credits',
      { ...FAILED, ...CREDITS },
      `${WRONG} *Payment failed: amount due $0.70*`,
      '$1.00 before credits, credits −$0.30',
    ],
    [
      'partly paid',
      { status: UNPAID[2]! },
      `${WRONG} *Paid in part: amount due at most $1.00* (what is paid is not known)`,
    ],
    [
      'partly failed',
      { status: UNPAID[3]! },
      `${WRONG} *Payment failed in part: amount due at most $1.00* (what is paid is not known)`,
    ],
    ['paid', {}, `${GOOD} *Paid*: $1.00`],
    [
      'paid after credits',
      CREDITS,
      `${GOOD} *Paid*: $0.70`,
      '$1.00 before credits, credits −$0.30',
    ],
    [
      'covered by credits',
      { ...FAILED, ...COVERED },
      `${GOOD} *Nothing to pay*: credits cover it`,
      '$1.00 before credits, credits −$1.00 (of −$1.50)',
    ],
    [
      'covered, and paid',
      COVERED,
      `${GOOD} *Paid*: credits cover it`,
      '$1.00 before credits, credits −$1.00 (of −$1.50)',
    ],
    [
      'covered, its status unknown',
      { status: 'void', credits: [credit(100)] },
      `${GOOD} *Nothing to pay*: credits cover it`,
      '$1.00 before credits, credits −$1.00',
    ],
    ['free', { ...FAILED, totalCharge: cents(0) }, `${GOOD} *Nothing to pay*: it costs nothing`],
    [
      'of less than nothing',
      { ...FAILED, totalCharge: cents(-500) },
      `${GOOD} *Nothing to pay*: the total is −$5.00`,
    ],
    [
      'of less than nothing, with a credit',
      { ...FAILED, totalCharge: cents(-500), credits: [credit(30)] },
      `${GOOD} *Nothing to pay*: the total is −$5.00`,
      '−$5.00 before credits, credits $0.00 (of −$0.30)',
    ],
    [
      'with an unreadable credit',
      { ...FAILED, credits: [credit(20), credit()] },
      `${WRONG} *Payment failed: amount due at most $0.80*`,
      '$1.00 before credits, credits −$0.20, 1 credit not readable and not counted',
    ],
    [
      'with unreadable credits',
      { ...FAILED, credits: [credit(), credit()] },
      `${WRONG} *Payment failed: amount due at most $1.00*`,
      '$1.00 before credits, 2 credits not readable and not counted',
    ],
    [
      'failed, without a total',
      { ...FAILED, ...CREDITS, ...NO_TOTAL },
      `${UNKNOWN} *Amount due not known*: the total cannot be read; payment failed`,
      'credits −$0.30',
    ],
    ['paid, without a total', NO_TOTAL, `${GOOD} *Paid*: an amount that cannot be read`],
    [
      'in an unknown status',
      { status: '<!here> void' },
      `${UNKNOWN} *Status not known* (\`&lt;!here&gt; void\`): $1.00 in all, perhaps due`,
    ],
    [
      'in no status, without a total',
      { status: '', ...NO_TOTAL },
      `${UNKNOWN} *Status not known* (the platform gives none): an amount that cannot be read in all, perhaps due`,
    ],
  ])('that is %s', (_what, changes, state, credits = '') => {
    expect([sheet(changes).state.text, sheet(changes).credits]).toEqual([state, credits]);
  });

  const [PAID, OPEN] = [{ status: 'paid' }, { status: 'payment-failed' }];
  const SEPTEMBER = { startTime: Date.UTC(2026, 8, 1), endTime: OCTOBER.startTime };
  const parts = (...periods: Invoice['periods']) => ({
    ...SEPTEMBER,
    endTime: OCTOBER.endTime,
    totalCharge: cents(150_000),
    status: 'partially-failed',
    periods,
  });
  const september = period({ ...SEPTEMBER, ...PAID, totalCharge: cents(100_000) });
  const october = period({ ...OPEN, totalCharge: cents(50_000) });

  it('names the open part beside the full amount where each period has a known status', () => {
    const one = parts(september, october);
    const text = '$500.00 open (October) of $1,500.00';
    expect(sheet(one)).toMatchObject({ cell: text, pay: 'Pay $500.00', amount: '$1,500.00' });
    expect(sheet(one).state.text).toBe(`${WRONG} *Payment failed in part: ${text}*`);
    // Which period a credit lowers is not known.
    expect(sheet({ ...one, credits: [credit(100)] }).cell).toBe(
      'at most $500.00 open (October) of $1,499.00',
    );
    expect(sheet({ ...one, credits: [credit(120_000)] }).cell).toBe(
      'at most $300.00 open (October) of $300.00',
    );
    const list = listAnswer({
      items: [invoice(one), invoice({ ...one, status: 'paid' })],
      range: { startMs: 0, endMs: OCTOBER.endTime },
      skipped: 0,
      ...shared,
    });
    expect(spoken(list)).toContain(
      '$500.00 open of $1,500.00 in 1 invoice · 1 partly failed · 2 invoices',
    );
    expect(rowsOf(list)[0]?.[2]).toBe(text);
  });

  it.each([
    ['has a status that is not known', [september, october, period({ status: 'void' })]],
    ['is paid in part', [september, period({ status: 'partially-paid' })]],
  ])('names no open part where a period %s', (_what, periods) => {
    expect(sheet(parts(...periods)).cell).toBe('at most $1,500.00');
  });

  it('is open as a whole where no period is paid, unless the invoice is paid in part', () => {
    const both = parts(period({ ...september, ...OPEN }), october);
    const text = '$1,500.00 open (September, October)';
    expect(sheet(both)).toMatchObject({ cell: text, pay: 'Pay $1,500.00' });
    expect(sheet(both).state.text).toBe(`${WRONG} *Payment failed in part: ${text}*`);
    expect(sheet({ ...both, status: 'partially-paid' }).cell).toBe('at most $1,500.00');
    expect(sheet({ ...both, status: 'payment-failed' }).cell).toBe('$1,500.00');
  });

  it('is failed, with the next step, where the open part of a pending invoice has failed', () => {
    const failed = period({ ...OPEN, totalCharge: cents(50_000), status: 'payment-failed' });
    const [bad, good] = [failed, { ...failed, status: 'pending-payment' }].map((open) =>
      sheet({ ...parts(september, open), status: 'pending-payment' }),
    );

    expect(bad?.state.text).toBe(`${WRONG} *Payment failed: $500.00 open (October) of $1,500.00*`);
    expect(bad?.next.map(({ text }) => text)).toEqual([
      '→ See which card was charged: `/billing account`; change it on the platform, then pay',
    ]);
    expect(good?.state.text).toBe(
      ':hourglass_flowing_sand: *$500.00 open (October) of $1,500.00*: not paid yet',
    );
    expect(good?.next).toEqual([]);
  });

  it.each([
    [{ status: 'void' }, undefined, '→ Ask the platform’s support before you pay'],
    [{ status: 'pending-payment', ...NO_TOTAL }, 'Pay', '→ See the amount on the payment page'],
    [
      { ...FAILED, ...NO_TOTAL },
      'Pay',
      '→ See which card was charged: `/billing account`; change it on the platform, then see the amount on the payment page',
    ],
  ])('has a next step where it may be due: %j', (changes, pay, step) => {
    expect(sheet(changes)).toMatchObject({ pay, next: [{ text: step }] });
  });

  it('calls no amount due where a period is paid and that of an open one cannot be read', () => {
    const one = sheet(parts(september, period({ ...OPEN, totalCharge: undefined })));
    expect(one.state.text).toBe(
      `${UNKNOWN} *Amount due not known*: the amount of October 2026 (payment failed) cannot be read; partly failed`,
    );
    expect(one).toMatchObject({ cell: 'not readable', pay: 'Pay' });
    const unread = period({ ...PAID, totalCharge: undefined });
    expect(sheet(parts(unread, october)).due).toBe('open');
  });
});

describe('the list', () => {
  const five = (status: string) => invoice({ status, totalCharge: cents(500) });
  const list = (items: readonly Invoice[], changes = {}) =>
    listAnswer({
      items,
      range: { startMs: OCTOBER.startTime, endMs: OCTOBER.endTime },
      skipped: 0,
      ...shared,
      ...changes,
    });
  const headOf = (answer: Answer) =>
    spoken(answer)
      .split('\n')
      .filter((row) => !/^(?:No\. 12|\d more|–)/.test(row));

  it('has a row of each status, and the open amount first', () => {
    const answer = list([...UNPAID, 'paid', 'written-off', ''].map(five));
    expect(headOf(answer)).toEqual([
      '$20.00 or less open in 4 invoices, and 2 invoices not counted · 1 failed · 1 partly paid',
      '1 partly failed (what is paid of 2 of them is not known) · 7 invoices, October 2026',
      '⚠ 2 invoices have a status that Purser does not know and are not counted',
    ]);
    // The first three fit a telephone.
    expect(rowsOf(answer).map((row) => row.slice(0, 5))).toEqual([
      ['12', '⏳ not paid yet', '$5.00', 'October 2026', '$5.00'],
      ['12', '🟠 payment failed', '$5.00', 'October 2026', '$5.00'],
      ['12', '🟠 partly paid', 'at most $5.00', 'October 2026', '$5.00'],
      ['12', '🟠 partly failed', 'at most $5.00', 'October 2026', '$5.00'],
      ['12', '✅ paid', '–', 'October 2026', '$5.00'],
      ['12', '⚪ written-off', 'not known', 'October 2026', '$5.00'],
      ['12', '–', 'not known', 'October 2026', '$5.00'],
    ]);
  });

  it('offers to pay the invoice that failed, else the oldest, and nothing where nothing is due', () => {
    const payOf = (...statuses: string[]) =>
      list(
        statuses.map((status, at) => ({ ...five(status), id: `in_${20 - at}`, number: 20 - at })),
      ).buttons?.map(({ text, value }) => [text.text, value]);
    expect(payOf('payment-failed', 'paid')).toEqual([['Pay $5.00', 'in_20']]);
    expect(payOf('pending-payment', 'payment-failed', 'pending-payment')).toEqual([
      ['Pay Invoice 19', 'in_19'],
    ]);
    expect(payOf('pending-payment', 'pending-payment')?.[0]?.[0]).toBe('Pay Invoice 19');
    expect(payOf('paid', 'void')).toEqual([]);
  });

  it.each<[string, Invoice[], number]>([
    ['All paid · 2 invoices, October 2026', [five('paid'), five('paid')], 0],
    ['What is due is not known · 1 invoice, October 2026', [five('void')], 0],
    ['Nothing is due, as far as it can be read · 1 invoice, October 2026', [five('paid')], 1],
    [
      'Nothing is due · 1 invoice, October 2026',
      [{ ...five('payment-failed'), credits: [credit(700)] }],
      0,
    ],
    [
      'What is due is not known · 1 invoice, October 2026',
      [invoice({ status: 'payment-failed', totalCharge: undefined })],
      0,
    ],
    [
      'At most $9.00 open in 2 invoices · 2 failed · 2 invoices, October 2026',
      [{ ...five('payment-failed'), credits: [credit(100), credit()] }, five('payment-failed')],
      0,
    ],
  ])('begins with %s', (words, invoices, skipped) => {
    expect(headOf(list(invoices, { skipped }))[0]).toBe(words);
    expect(JSON.stringify(list(invoices, { skipped }))).not.toContain('$0.00');
  });

  it('does not count a total that cannot be read, and says so', () => {
    const odd = invoice({ status: 'payment-failed', totalCharge: undefined });
    const answer = list([odd, odd, five('payment-failed')]);
    expect(headOf(answer)).toEqual([
      '$5.00 open in 1 invoice, and 2 invoices not counted · 1 failed · 3 invoices, October 2026',
      '⚠ 2 open invoices have an amount that cannot be read and are not counted',
    ]);
    expect(rowsOf(answer)[0]?.slice(1, 5)).toEqual([
      '🟠 payment failed',
      'not readable',
      'October 2026',
      'not readable',
    ]);
  });

  it.each([
    [1, /^There is 1 invoice from .+, and it cannot be read/],
    [2, /^There are 2 invoices from .+, and none can be read/],
  ])('of %i invoices that cannot be read is no empty list', (skipped, words) => {
    expect(spoken(list([], { skipped }))).toMatch(words);
    expect(proseOf(list([], { skipped }))).not.toContain('left out');
  });

  it('sums up the amounts due, to the cent', () => {
    const drawn = fc.record({
      status: fc.constantFrom(...UNPAID, 'paid', 'void', ''),
      total: fc.nat({ max: 1_000_000 }),
      credits: fc.array(fc.nat({ max: 500_000 }), { maxLength: 3 }),
    });
    fc.assert(
      fc.property(fc.array(drawn, { minLength: 1, maxLength: 20 }), (all) => {
        const answer = list(
          all.map(({ status, total, credits }) =>
            invoice({ status, totalCharge: cents(total), credits: credits.map(credit) }),
          ),
        );
        const dues = all
          .filter(({ status }) => UNPAID.includes(status))
          .map(({ total, credits }) => credits.reduce((left, one) => left - one, total))
          .filter((due) => due > 0);
        const sum = dues.reduce((one, other) => one + other, 0);
        const { amount, count } =
          /^(?:At most )?\$(?<amount>[\d,.]+)(?: or less)? open in (?<count>\d+) invoices?/.exec(
            spoken(answer),
          )?.groups ?? {};
        expect(Math.round(Number(amount?.replaceAll(',', '') ?? 0) * 100)).toBe(sum);
        expect(Number(count ?? 0)).toBe(dues.length);
      }),
      { numRuns: 500 },
    );
  });
});

describe('the payment pages', () => {
  const pay = (changes: Partial<Invoice>, skipped = 0) =>
    spoken(payAnswer({ invoice: invoice(changes), links: { items: [], skipped }, ...shared }));

  it('are not missed where nothing is to be paid', () => {
    for (const changes of [{}, { status: 'payment-failed', credits: [credit(100)] }]) {
      expect(pay(changes)).not.toContain('card');
    }
  });

  it.each(['payment-failed', 'partially-failed', 'void'])('are missed where it is %s', (status) => {
    expect(pay({ status })).toContain('\nOnly accounts that are billed by card');
    expect(pay({ status }, 1)).toContain('payment pages cannot be read');
  });
});
