import { invoiceAnswer, type InvoiceView } from '../../../src/features/invoices/invoice-view.ts';
import { reconcile } from '../../../src/features/invoices/reconcile.ts';
import type { ChargesClient } from '../../../src/platform/billing/charges.ts';
import type { Invoice } from '../../../src/platform/billing/invoices.ts';
import { answer, HOUR, NOW, type Area, type Entry } from '../entry.ts';
import { amount, CURRENCY, many } from './money-data.ts';
import {
  charged,
  chargesOf,
  CREDITS,
  frame,
  invoice,
  line,
  LINES,
  NOVEMBER,
  ofAccount,
  period,
  tier,
  unread,
} from './money-invoices-data.ts';

export type Charging = Pick<ChargesClient, 'account'>;

/** The charges of October by the charge query, equal to the invoice. */
export const EXACTLY = chargesOf(charged(1_274.5));

/** An answer to `/invoices show`, beside the charges. */
export function show(
  id: string,
  when: string,
  shown: Invoice,
  { charges = EXACTLY, ...view }: Partial<InvoiceView> & { charges?: Charging } = {},
): Entry {
  return answer(`invoice-${id}`, when, async () =>
    invoiceAnswer({
      ...frame,
      invoice: shown,
      reconciliation: await reconcile(charges, shown, CURRENCY),
      ...view,
    }),
  );
}

const EVERY_STATUS = {
  paid: 'It is paid.',
  'pending-payment': 'Its payment is on its way.',
  'payment-failed': 'Its payment failed.',
  'partially-paid': 'It is paid in part.',
  'partially-failed': 'Part of its payment failed.',
  'written-off': 'Its status is one that Purser does not know.',
};

const MANY_LINES = many(40, (place) =>
  line(`team-${String(place + 1).padStart(2, '0')}`, 'cpu (cores * seconds)', 3_600, 4_000 - place),
);

/** A line of which nothing can be read. */
const NOTHING = { description: '', quantity: undefined, charge: undefined, org: undefined };

export const invoiceShown: Area = {
  id: 'invoices-show',
  title: '/invoices show: one invoice',
  entries: [
    ...Object.entries(EVERY_STATUS).map(([status, when]) =>
      show(status, `A person looks at an invoice. ${when}`, invoice({ status })),
    ),
    show('credits', 'Two credits make the amount due smaller.', invoice({ credits: CREDITS })),
    show(
      'many-credits',
      'There are more credits than are listed, and they cover everything.',
      invoice({ credits: many(7, (place) => ofAccount(`Refund no. ${place + 1}`, -20_000)) }),
    ),
    show(
      'periods',
      'It is of two months, each with a status of its own, one without an amount.',
      invoice({
        endTime: NOVEMBER.endTime,
        status: 'partially-failed',
        periods: [
          period(),
          period({ ...NOVEMBER, status: 'payment-failed', totalCharge: undefined, items: [] }),
        ],
      }),
      { charges: chargesOf(charged(637.25)) },
    ),
    show(
      'odd-lines',
      'It has a surcharge, an item whose unit no one knows, and one without a quantity.',
      invoice({
        periods: [
          period({
            items: [
              ...LINES,
              ofAccount('Support plan', 9_900),
              line('acme', 'requests', 1_250_000, 310),
              { ...line('globex', 'cpu (cores * seconds)', 0, 120), quantity: undefined },
            ],
          }),
        ],
      }),
    ),
    show(
      'tiers',
      'Two items have tiers in two months, and there is a surcharge.',
      invoice({
        endTime: NOVEMBER.endTime,
        periods: [
          period({ items: [tier(100, '0.0000125', 450), tier(400, '0.000011', 1_584), LINES[1]!] }),
          period({
            ...NOVEMBER,
            items: [tier(90, '0.0000125', 405), LINES[1]!, ofAccount('Support plan', 9_900)],
          }),
        ],
      }),
      { charges: chargesOf(charged(322.7)) },
    ),
    show(
      'line-unreadable',
      'The charge of one line is no amount.',
      invoice({
        totalCharge: amount(33_084),
        periods: [
          period({
            totalCharge: amount(33_084),
            items: [tier(100, '0.0000125', 450), unread(tier(400, '0.000011', 0)), LINES[1]!],
          }),
        ],
      }),
      { charges: chargesOf(charged(330.84)) },
    ),
    show(
      'lines-unreadable',
      'No charge of any line is an amount.',
      invoice({
        totalCharge: amount(10_000),
        periods: [period({ totalCharge: undefined, items: LINES.slice(0, 2).map(unread) })],
      }),
      { charges: chargesOf(charged(100)) },
    ),
    show(
      'total-unreadable',
      'Its total is no amount.',
      invoice({ status: 'payment-failed', totalCharge: undefined }),
    ),
    show('paid-total-unreadable', 'It is paid, and its total is no amount.', {
      ...invoice(),
      totalCharge: undefined,
    }),
    show(
      'credit-unreadable',
      'One of two credits is no amount.',
      invoice({ status: 'payment-failed', credits: [CREDITS[0]!, unread(CREDITS[1]!)] }),
    ),
    show(
      'covered',
      'Credits cover it, and it is not paid.',
      invoice({ status: 'pending-payment', credits: [ofAccount('Goodwill', -130_000)] }),
    ),
    show(
      'disagreeing',
      'Its periods are not its total, and the lines of one are not that period.',
      invoice({
        endTime: NOVEMBER.endTime,
        totalCharge: amount(260_000),
        periods: [period(), period({ ...NOVEMBER, totalCharge: amount(127_500) })],
      }),
      { charges: chargesOf(charged(1_274.5)) },
    ),
    show(
      'no-lines-of-a-month',
      'It is of two months, and names no lines of the second one, which costs something.',
      invoice({
        endTime: NOVEMBER.endTime,
        totalCharge: amount(137_350),
        periods: [period(), period({ ...NOVEMBER, totalCharge: amount(9_900), items: [] })],
      }),
      { charges: chargesOf(charged(686.75)) },
    ),
    show(
      'negative',
      'It comes to less than nothing, because an earlier charge is taken back.',
      invoice({
        status: 'pending-payment',
        periods: [period({ items: [line('acme', 'egress (bytes)', 412_316_860_416, -5_000)] })],
      }),
      { charges: chargesOf(charged(-50)) },
    ),
    show(
      'negative-with-credit',
      'It comes to less than nothing, and there is a credit too.',
      invoice({
        status: 'pending-payment',
        periods: [period({ items: [line('acme', 'egress (bytes)', 412_316_860_416, -5_000)] })],
        credits: CREDITS.slice(0, 1),
      }),
      { charges: chargesOf(charged(-49)) },
    ),
    show(
      'lines-of-no-org',
      'The org of one line cannot be read, nothing of two others, and a credit has no description.',
      invoice({
        totalCharge: amount(137_350),
        periods: [
          period({
            totalCharge: amount(137_350),
            items: [...LINES, { ...ofAccount('Support', 9_900), org: undefined }, NOTHING, NOTHING],
          }),
        ],
        credits: [ofAccount('', -5_000)],
      }),
    ),
    show(
      'unknown-status-covered',
      'Its status is one that Purser does not know, and credits cover it.',
      invoice({ status: 'written-off', credits: [ofAccount('Goodwill', -130_000)] }),
    ),
    show('no-status', 'The platform omits its status.', invoice({ status: '' })),
    show(
      'bare',
      'The platform answers only with its id and an amount.',
      invoice({
        number: undefined,
        startTime: undefined,
        status: '',
        orgNames: [],
        periods: [],
        totalCharge: amount(2_500),
      }),
      { readAt: NOW - 2 * HOUR },
    ),
    show(
      'many-lines',
      'It has many lines.',
      invoice({ periods: [period({ items: MANY_LINES })] }),
      { charges: chargesOf(charged(1_592.2)) },
    ),
  ],
};
