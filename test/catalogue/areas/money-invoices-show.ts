import { invoiceAnswer } from '../../../src/features/invoices/invoice-view.ts';
import type { InvoiceView } from '../../../src/features/invoices/invoice-view.ts';
import { reconcile } from '../../../src/features/invoices/reconcile.ts';
import type { ChargesClient } from '../../../src/platform/billing/charges.ts';
import type { Invoice } from '../../../src/platform/billing/invoices.ts';
import { PlatformError } from '../../../src/platform/errors.ts';
import { answer, HOUR, MINUTE, NOW } from '../entry.ts';
import type { Area, Entry } from '../entry.ts';
import { amount, at, CURRENCY, failing, many } from './money-data.ts';
import {
  charged,
  chargesOf,
  CREDITS,
  frame,
  invoice,
  line,
  LINES,
  NOVEMBER,
  OCTOBER,
  ofAccount,
  period,
} from './money-invoices-data.ts';

type Charging = Pick<ChargesClient, 'account'>;

/** What the invoice of October is made of, as the charge query has it. */
const EXACTLY = chargesOf(charged(1_274.5));

function show(
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
  'partially-paid': 'Part of it is paid.',
  'partially-failed': 'Part of its payment failed.',
  'written-off': 'Its status is one that Purser does not know.',
};

const MANY_LINES = many(40, (place) =>
  line(`team-${String(place + 1).padStart(2, '0')}`, 'cpu (cores * seconds)', 3_600, 4_000 - place),
);

export const invoiceShown: Area = {
  id: 'invoices-show',
  title: '/invoices show: one invoice',
  entries: [
    ...Object.entries(EVERY_STATUS).map(([status, when]) =>
      show(status, `Somebody looks at an invoice. ${when}`, invoice({ status })),
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
      'It has a surcharge, an item whose unit nobody knows, and one without a quantity.',
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
      'bare',
      'The platform says no more of it than an id and an amount.',
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
    ...[0, 1, 2].map((page) =>
      show(
        `lines-page-${page + 1}`,
        `It has more lines than a page takes: page ${page + 1} of 3.`,
        invoice({ periods: [period({ items: MANY_LINES })] }),
        { page, charges: chargesOf(charged(1_592.2)) },
      ),
    ),
    show('no-buttons', 'Redis is away, so there are no buttons below it.', invoice(), {
      kept: undefined,
      readAt: NOW - MINUTE,
    }),
  ],
};

const daily = (day: number) => ({
  startTime: at(`2026-10-${String(day).padStart(2, '0')}`),
  endTime: at(`2026-10-${String(day).padStart(2, '0')}`) + 24 * HOUR,
  items: [],
});

/** Of so many hours in a row, each a period. */
const hourly = (count: number) =>
  many(count, (hour) =>
    period({
      startTime: OCTOBER.startTime + hour * HOUR,
      endTime: OCTOBER.startTime + (hour + 1) * HOUR,
      items: [],
    }),
  );

const refusing = (error: PlatformError): Charging => ({ account: () => failing(error) });

const surcharged = invoice({
  periods: [period({ items: [...LINES, ofAccount('Support plan', 9_900)] })],
  credits: CREDITS,
});

const COMPARISONS: Readonly<Record<string, [string, Invoice, Charging]>> = {
  'rest-up': ['The invoice is higher than the charges.', invoice(), chargesOf(charged(1_274.01))],
  'rest-down': ['The invoice is lower than the charges.', invoice(), chargesOf(charged(1_280))],
  everything: [
    'Credits, surcharges and a rest make the difference.',
    surcharged,
    chargesOf(charged(1_274.61)),
  ],
  'no-periods': ['The invoice has no periods.', { ...invoice(), periods: [] }, EXACTLY],
  'half-hour': [
    'A period ends within an hour, and charges are by the hour.',
    invoice({ periods: [period({ endTime: at('2026-10-31T23:30:00Z') })] }),
    EXACTLY,
  ],
  'many-periods': [
    'There are too many periods to ask for.',
    invoice({ periods: hourly(37) }),
    EXACTLY,
  ],
  overlap: [
    'Two periods have a day in common.',
    invoice({ periods: [period(), period(daily(14))] }),
    EXACTLY,
  ],
  'charges-unreadable': [
    'A part of the charges cannot be read.',
    invoice(),
    chargesOf(charged(900, CURRENCY, 2)),
  ],
  'other-currency': [
    'The platform charges in another currency than Purser is set to.',
    invoice(),
    chargesOf(charged(1_190, 'EUR')),
  ],
  'too-old': [
    'The invoice is older than the charges that the platform keeps.',
    invoice(),
    refusing(
      new PlatformError('bad-request', 'beyond retention', {
        status: 400,
        earliestStart: at('2025-11-01'),
      }),
    ),
  ],
  'platform-away': [
    'The platform tells the invoice, but not the charges.',
    invoice(),
    refusing(new PlatformError('unavailable', 'no answer', { status: 503 })),
  ],
};

export const invoiceCompared: Area = {
  id: 'invoices-reconciliation',
  title: '/invoices show: the comparison with the charges',
  entries: Object.entries(COMPARISONS).map(([id, [when, shown, charges]]) =>
    show(`compared-${id}`, when, shown, { charges }),
  ),
};
