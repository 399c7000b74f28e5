import { BigNumber } from 'bignumber.js';
import { describe, expect, it } from 'vitest';

import { invoiceAnswer } from '../../../../src/features/invoices/invoice-view.ts';
import { listAnswer } from '../../../../src/features/invoices/list-view.ts';
import { payAnswer } from '../../../../src/features/invoices/due-view.ts';
import type { Invoice } from '../../../../src/platform/billing/invoices.ts';
import * as fc from '../../../support/fast-check.ts';
import { proseOf, rowsOf } from '../../../support/answer.ts';
import { invoice, line, OCTOBER, shared } from './scenario.ts';

const RANGE = { startMs: OCTOBER.startTime, endMs: OCTOBER.endTime };
const cents = (amount: number) => new BigNumber(amount);
const credit = (amount?: number) =>
  line({ charge: amount === undefined ? undefined : cents(-amount) });

const list = (invoices: readonly Invoice[], changes = {}) =>
  listAnswer({ invoices, range: RANGE, page: 0, skipped: 0, ...shared, ...changes });
/** The second line of the head of `/invoices show`. */
const shown = (changes: Partial<Invoice>) => {
  const impossible = { impossible: 'the platform does not answer.' };
  const answer = invoiceAnswer({
    invoice: invoice(changes),
    reconciliation: impossible,
    page: 0,
    ...shared,
  });
  return (answer.blocks[0] as { text: { text: string } }).text.text.split('\n')[1];
};
const pay = (changes: Partial<Invoice>, links = { items: [], skipped: 0 }) =>
  payAnswer({ invoice: invoice(changes), links, ...shared }).text;

/** One of $5.00 in each unpaid status, a paid one, and ones whose status nobody knows. */
const UNPAID = ['pending-payment', 'payment-failed', 'partially-paid', 'partially-failed'];
const five = (status: string) => invoice({ status, totalCharge: cents(500) });

/** How `/invoices` begins. */
const stateOf = ({ text }: { text: string }) => text.split('\n')[0];

describe('what is due of a list', () => {
  it('is of the four unpaid statuses alone; what is paid or failed in part counts whole', () => {
    const answer = list([...UNPAID, 'paid'].map(five));
    expect(stateOf(answer)).toBe(
      '*4 open invoices, $20.00* (one partly paid, one partly failed, full amounts counted) · 5 invoices, October 2026',
    );
    expect(rowsOf(answer).map((row) => row.slice(2, 5))).toEqual([
      ['$5.00', '… payment pending', '$5.00'],
      ['$5.00', '✗ payment failed', '$5.00'],
      ['$5.00', '◐ partly paid', '$5.00'],
      ['$5.00', '⊗ partly failed', '$5.00'],
      ['–', '✓ paid', '$5.00'],
    ]);
  });

  it.each([
    [['partially-paid', 'paid'], '*1 open invoice, $5.00* (partly paid, full amount counted)'],
    [['partially-failed', 'paid'], '*1 open invoice, $5.00* (partly failed, full amount counted)'],
    [['partially-paid', 'payment-failed'], '$10.00* (one partly paid, full amount counted)'],
  ])('does not count what is one, and says which: %j', (statuses, words) => {
    expect(list(statuses.map(five)).text).toContain(words);
  });

  it('leaves out statuses that nobody knows, shows them as they came, and says so', () => {
    const answer = list(['written-off', '', 'PAID', 'payment-failed'].map(five));
    expect(answer.text.split('\n').slice(0, 2)).toEqual([
      '*1 open invoice, $5.00* · 4 invoices, October 2026',
      '⚠ 3 invoices have a status that Purser does not know and are not counted',
    ]);
    expect(rowsOf(answer).map((row) => row.slice(2, 5))).toEqual([
      ['not known', 'written-off', '$5.00'],
      ['not known', '–', '$5.00'],
      ['not known', 'PAID', '$5.00'],
      ['$5.00', '✗ payment failed', '$5.00'],
    ]);
  });

  it.each([
    ['*All paid* · 2 invoices', 'paid', 0],
    ['*Nothing is due, as far as it can be told* ·', 'on-hold', 0],
    ['*Nothing is due, as far as it can be told* ·', 'paid', 1],
  ])('is %s where one is %s and %i cannot be read', (words, status, skipped) => {
    expect(stateOf(list([five(status), five('paid')], { skipped }))).toContain(words);
  });

  it('is nothing, and not $0.00, where credits cover what is not paid', () => {
    const answer = list([{ ...five('payment-failed'), credits: [credit(700)] }]);

    expect(stateOf(answer)).toBe('*Nothing is due* · 1 invoice, October 2026');
    expect(rowsOf(answer)[0]?.slice(2, 5)).toEqual(['nothing', '✗ payment failed', '$5.00']);
    expect(answer.notes).toEqual(['Total: before credits. Amount due: after them.']);
    expect(JSON.stringify(answer)).not.toContain('$0.00');
  });

  it.each([[[]], [['on-hold']]])(
    'is not known where the total of the one that is not paid cannot be read, beside %s',
    (statuses) => {
      const odd = invoice({ status: 'payment-failed', totalCharge: undefined });
      const answer = list([odd, ...[...statuses, 'paid'].map(five)]);

      expect(answer.text.split('\n').slice(0, 2)).toEqual([
        expect.stringMatching(/^\*What is due is not known\* · /),
        '⚠ 1 open invoice has a total that cannot be read and is not counted',
      ]);
      expect(answer.text).not.toContain('Nothing is due');
    },
  );

  it('does not count a total that cannot be read, and says so', () => {
    const odd = invoice({ status: 'payment-failed', totalCharge: undefined });

    const answer = list([odd, odd, five('payment-failed')]);

    expect(answer.text.split('\n').slice(0, 2)).toEqual([
      '*3 open invoices*: $5.00 for 1; what is due of 2 cannot be read · 3 invoices, October 2026',
      'Invoice 12, October 2026: payment failed',
    ]);
    expect(rowsOf(answer)[0]?.slice(2, 5)).toEqual([
      'not readable',
      '✗ payment failed',
      'not readable',
    ]);
  });

  it('is at most so much where a credit cannot be read', () => {
    const odd = { ...five('payment-failed'), credits: [credit(100), credit()] };

    const answer = list([odd, five('payment-failed')]);

    expect(answer.text).toContain('*2 open invoices, at most $9.00*');
    expect(rowsOf(answer).map((row) => row[2])).toEqual(['at most $4.00', '$5.00']);
  });

  it.each([
    [1, /^There is 1 invoice from .+, and it cannot be read/],
    [2, /^There are 2 invoices from .+, and none can be read/],
  ])('of %i invoices that cannot be read is no empty list', (skipped, words) => {
    expect(list([], { skipped }).text).toMatch(words);
    expect(proseOf(list([], { skipped }))).not.toContain('left out');
  });

  it('is the sum of what is due of each, to the cent', () => {
    const statuses = fc.constantFrom(...UNPAID, 'paid', 'void', '');
    const drawn = fc.record({
      status: statuses,
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
          /^\*(?<count>\d+) open invoices?, \$(?<amount>[\d,.]+)\*/m.exec(answer.text)?.groups ??
          {};
        expect(Math.round(Number(amount?.replaceAll(',', '') ?? 0) * 100)).toBe(sum);
        expect(Number(count ?? 0)).toBe(dues.length);
      }),
      { numRuns: 500 },
    );
  });
});

describe('what is due of one invoice', () => {
  const FAILED = { status: 'payment-failed' };
  const CREDITS = { credits: [credit(20), credit(10)] };
  const COVERED = { credits: [credit(150)] };

  it.each<[string, Partial<Invoice>, string]>([
    ['not paid', FAILED, 'Amount due *$1.00*, no credits'],
    [
      'less credits',
      { ...FAILED, ...CREDITS },
      'Amount due *$0.70* = $1.00 before credits, credits −$0.30',
    ],
    ['partly paid', { status: 'partially-paid' }, 'due *$1.00* (full amount counted), no credits'],
    ['paid', { status: 'paid' }, 'Paid *$1.00*, no credits'],
    ['paid after credits', { status: 'paid', ...CREDITS }, 'Paid *$0.70* = $1.00 before credits'],
    [
      'covered by credits',
      { ...FAILED, ...COVERED },
      'cover it ($1.00 before credits, credits −$1.00 (of −$1.50))',
    ],
    ['covered, and paid', { status: 'paid', ...COVERED }, 'credits cover it'],
    ['covered, its status unknown', { status: 'void', ...COVERED }, 'credits cover it'],
    ['free', { totalCharge: cents(0) }, 'Nothing to pay: the total is $0.00'],
    ['of less than nothing', { ...FAILED, totalCharge: cents(-500) }, 'the total is −$5.00'],
    [
      'with an unreadable credit',
      { ...FAILED, credits: [credit(20), credit()] },
      'at most *$0.80* = $1.00 before credits, credits −$0.20, 1 credit not readable',
    ],
    [
      'with unreadable credits',
      { ...FAILED, credits: [credit(), credit()] },
      'at most *$1.00* = $1.00 before credits, 2 credits not readable',
    ],
    [
      'without a total',
      { ...FAILED, ...CREDITS, totalCharge: undefined },
      'not known*: the total cannot be read, credits −$0.30',
    ],
    ['paid, without a total', { totalCharge: undefined }, 'Paid, but the total cannot be read'],
    [
      'in an unknown status',
      { status: 'written-off', ...CREDITS },
      'In all *$0.70* = $1.00 before credits, credits −$0.30; whether it is due is not known',
    ],
    [
      'in no status, without a total',
      { status: '', totalCharge: undefined },
      'The total cannot be read; whether it is due is not known, because the platform gives no status',
    ],
  ])('that is %s', (_what, changes, words) => {
    expect(shown(changes)).toContain(words);
  });

  it.each<[string, Partial<Invoice>, string]>([
    ['paid', { status: 'paid' }, 'is paid: there is nothing to pay.'],
    ['covered by credits', { ...FAILED, credits: [credit(100)] }, 'credits cover it.'],
    ['free', { ...FAILED, totalCharge: cents(0) }, 'it costs nothing.'],
    ['of less than nothing', { ...FAILED, totalCharge: cents(-500) }, 'the total is −$5.00.'],
    ['free in an unknown status', { status: 'void', totalCharge: cents(0) }, 'it costs nothing.'],
  ])('whose payment page is asked for, and that is %s', (_what, changes, words) => {
    expect(pay(changes)).toContain(words);
    expect(pay(changes)).not.toMatch(/card|\$0\.00/);
  });

  it.each<[string, Partial<Invoice>, string]>([
    ['not paid', FAILED, ': *$1.00* due, ✗ payment failed.'],
    [
      'partly failed',
      { status: 'partially-failed' },
      'due, ⊗ partly failed (full amount counted).',
    ],
    ['with an unreadable credit', { ...FAILED, credits: [credit()] }, ': *at most $1.00* due, ✗'],
    [
      'without a total',
      { ...FAILED, totalCharge: undefined },
      'because an amount cannot be read; ✗',
    ],
    ['in an unknown status', { status: '<!here> void' }, 'its status `&lt;!here&gt; void`.'],
  ])('whose payment page is not there, and that is %s', (_what, changes, words) => {
    expect(pay(changes)).toContain(words);
    expect(pay(changes)).toContain('Only accounts that are billed by card');
    expect(pay(changes, { items: [], skipped: 1 })).toContain('payment pages cannot be read');
  });
});
