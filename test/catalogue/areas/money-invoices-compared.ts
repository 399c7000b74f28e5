import type { Invoice } from '../../../src/platform/billing/invoices.ts';
import { PlatformError } from '../../../src/platform/errors.ts';
import { HOUR, type Area } from '../entry.ts';
import { amount, at, CURRENCY, failing, many } from './money-data.ts';
import {
  charged,
  chargesOf,
  CREDITS,
  invoice,
  LINES,
  OCTOBER,
  ofAccount,
  period,
  unread,
} from './money-invoices-data.ts';
import { EXACTLY, show, type Charging } from './money-invoices-show.ts';

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
  'rest-up': [
    'The invoice is a little higher than the charges.',
    invoice(),
    chargesOf(charged(1_274.01)),
  ],
  'rest-down': [
    'The invoice is a little lower than the charges.',
    invoice(),
    chargesOf(charged(1_278)),
  ],
  unexplained: [
    'The invoice is higher than the charges by more than rounding makes.',
    invoice(),
    chargesOf(charged(1_200)),
  ],
  'too-low': [
    'The chargeable items could not be read, so some usage may not have been priced.',
    invoice(),
    chargesOf({ ...charged(1_200), mayBeTooLow: true }),
  ],
  everything: [
    'Credits, surcharges and a rest make the difference.',
    surcharged,
    chargesOf(charged(1_274.61)),
  ],
  'no-periods': ['The invoice has no periods.', { ...invoice(), periods: [] }, EXACTLY],
  'unread-surcharge': [
    'The invoice is higher than the charges, and a surcharge cannot be read.',
    invoice({
      totalCharge: amount(137_350),
      periods: [
        period({
          totalCharge: amount(137_350),
          items: [...LINES, unread(ofAccount('Support plan', 0))],
        }),
      ],
    }),
    EXACTLY,
  ],
  'no-times': [
    'A period omits when it begins.',
    invoice({ periods: [period({ startTime: undefined })] }),
    EXACTLY,
  ],
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
    'The platform shows the invoice, but not the charges.',
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
