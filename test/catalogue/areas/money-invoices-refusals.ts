import { INVOICES_HELP, parseInvoices } from '../../../src/features/invoices/parse.ts';
import type { BillingClient } from '../../../src/platform/billing/client.ts';
import { PlatformError } from '../../../src/platform/errors.ts';
import { refusal, type Area, type Entry } from '../entry.ts';
import { failing, listing, typed, wordsOf } from './money-data.ts';
import { invoicesFeature, monthly } from './money-invoices-data.ts';

const LINES: Readonly<Record<string, [when: string, line: string]>> = {
  'number-alone': ['The number of an invoice is typed alone.', '12'],
  'id-alone': ['The id of an invoice is typed alone.', '7b1e4d52-93c6-4f0a-8d21-6e5a0c9f3b12'],
  'surcharges-alone': ['The word is typed without "pending".', 'surcharges'],
  'unknown-word': ['The first word is nothing that is known.', 'frobnicate'],
  'misspelled-word': ['The first word is misspelled.', 'dliveries 12'],
  'quoted-word': ['The first word is in quotes.', '"show" 12'],
  'single-quotes': ['A range is in single quotes.', "list 'last month'"],
  'no-range': ['The word in the place of a range is not one.', 'list everything'],
  'misspelled-range': ['The range is misspelled.', 'list lst month'],
  'backward-range': ['The range ends before it begins.', 'list 2026-10-31..2026-10-01'],
  'more-than-range': ['The list is to be grouped, as charges can be.', 'list last month by org'],
  'only-group': ['Something follows "list" that only charges know.', 'list by org'],
  'pending-what': ['An unknown word follows "pending".', 'pending credits'],
  'pending-more': ['Something follows "surcharges".', 'pending surcharges now'],
  'show-nothing': ['No invoice is named.', 'show'],
  'show-two': ['Two invoices are named.', 'show 12 13'],
  'show-pending': ['The pending invoice is asked for.', 'show pending'],
  'show-period': ['A period follows the number.', 'show 12.'],
  'show-huge': ['The number is too large.', 'pdf 99999999999999999999'],
};

const finding = (id: string, when: string, line: string, says: Partial<BillingClient>): Entry =>
  refusal(`invoice-not-found-${id}`, when, () => typed(invoicesFeature(says), line));

const absent = () => failing(new PlatformError('not-found', 'not found', { status: 404 }));
const LISTED = { listInvoices: () => listing(monthly(12)) };

export const invoicesRefusals: Area = {
  id: 'invoices-refusals',
  title: '/invoices: refusals',
  entries: [
    ...Object.entries(LINES).map(([id, [when, line]]) =>
      refusal(`invoices-unreadable-${id}`, when, () => parseInvoices(wordsOf(line)), INVOICES_HELP),
    ),
    finding('number', 'There is no invoice of that number.', '/invoices show 99', LISTED),
    finding('only-one', 'There is one invoice, and it has another number.', '/invoices pay 99', {
      listInvoices: () => listing(monthly(1, 1)),
    }),
    finding('none-yet', 'The account has no invoice yet.', '/invoices show 1', {
      listInvoices: () => listing([]),
    }),
    finding('some-unreadable', 'It may be one that cannot be read.', '/invoices show 99', {
      listInvoices: () => listing(monthly(12), 1),
    }),
    finding('id', 'There is no invoice of that id.', '/invoices show in-2026-10', {
      getInvoice: absent,
    }),
  ],
};
