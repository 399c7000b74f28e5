import { Readable } from 'node:stream';
import {
  deliveriesAnswer,
  type DeliveriesView,
} from '../../../src/features/invoices/deliveries-view.ts';
import { payAnswer } from '../../../src/features/invoices/invoice-view.ts';
import type { Invoice, PaymentLink } from '../../../src/platform/billing/invoices.ts';
import type { Delivery } from '../../../src/platform/billing/recipients.ts';
import { PlatformError } from '../../../src/platform/errors.ts';
import { answer, MINUTE, NOW, refusal, type Area, type Entry } from '../entry.ts';
import { amount, clicked, listing, many, reading, typed } from './money-data.ts';
import {
  CREDITS,
  frame,
  invoice,
  invoicesFeature,
  monthly,
  NOVEMBER,
  ofAccount,
  period,
  unread,
} from './money-invoices-data.ts';

const pages = (count: number): PaymentLink[] =>
  many(count, (place) => ({
    id: `period-${place + 1}`,
    externalUrl: `https://invoice.stripe.com/i/acct_1/live_${place + 1}`,
  }));

/** `links`: the payment pages that can be read; undefined: the platform has none for this account. */
function pay(
  id: string,
  when: string,
  changes: Partial<Invoice>,
  links: readonly PaymentLink[] | undefined = pages(1),
  skipped = 0,
): Entry {
  return answer(`invoice-pay-${id}`, when, () =>
    payAnswer({
      ...frame,
      invoice: invoice({ status: 'pending-payment', ...changes }),
      links: links && { items: links, skipped },
    }),
  );
}

const inMonths = ['payment-failed', 'pending-payment'].map((status, place) =>
  period({ ...(place === 0 ? {} : NOVEMBER), status }),
);

export const invoicePay: Area = {
  id: 'invoices-pay',
  title: '/invoices pay: the payment pages',
  entries: [
    pay('one', 'The invoice names no periods, and there is one page.', {
      ...invoice(),
      status: 'pending-payment',
      periods: [],
    }),
    pay('one-period', 'The one page is of the one period of the invoice.', {}),
    pay(
      'periods',
      'Each period has a page of its own.',
      {
        endTime: NOVEMBER.endTime,
        status: 'partially-failed',
        periods: inMonths,
      },
      pages(2),
    ),
    pay(
      'same-months',
      'Two pages are of the same month, so they are numbered.',
      {
        periods: [period({ totalCharge: undefined }), period({ status: 'payment-failed' })],
      },
      pages(2),
    ),
    pay(
      'more-pages-than-periods',
      'No one can know which page is of which period.',
      {
        status: 'payment-failed',
      },
      pages(3),
    ),
    pay(
      'fewer-pages-than-periods',
      'There is one page, and the invoice has two periods.',
      { endTime: NOVEMBER.endTime, status: 'partially-failed', periods: inMonths },
      pages(1),
    ),
    pay('many', 'There are more pages than are listed.', {}, pages(18)),
    pay('not-https', 'The page is at an address that Slack takes no button for.', {}, [
      { id: 'period-1', externalUrl: 'http://pay.example/i/12' },
    ]),
    pay('some-unreadable', 'One of the pages cannot be read.', {}, pages(1), 1),
    pay('none-readable', 'There are pages, and none of them can be read.', {}, [], 2),
    pay('no-card', 'The account is not billed by card.', {}, []),
    pay('partly-paid', 'Part of the invoice is paid already.', { status: 'partially-paid' }),
    pay('paid', 'The invoice is paid; its page is there all the same.', { status: 'paid' }),
    pay('paid-no-page', 'The invoice is paid, and there is no page.', { status: 'paid' }, []),
    pay('free', 'The invoice is of nothing.', { periods: [], totalCharge: amount(0) }, []),
    pay(
      'negative',
      'The invoice comes to less than nothing.',
      { periods: [], totalCharge: amount(-5_000) },
      [],
    ),
    pay('total-unreadable', 'The total of the invoice is no amount.', { totalCharge: undefined }),
    pay('credit-unreadable', 'One of its credits is no amount.', {
      credits: [...CREDITS, unread(CREDITS[0]!)],
    }),
    pay('unknown-status', 'The invoice has a status that no one knows.', { status: 'on-hold' }),
    pay('no-status', 'The platform says no status, and has no page.', { status: '' }, []),
    pay('covered', 'Credits cover the whole invoice.', {
      credits: [...CREDITS, ofAccount('Goodwill', -130_000)],
    }),
  ],
};

const ADDRESS = 'https://acme.slack.com/files/U0PURSER/F0INVOICE/invoice-12.pdf';

const pdfFeature = (content: string | Error, address?: string) =>
  invoicesFeature(
    {
      listInvoices: () => listing(monthly(2)),
      getInvoice: () => reading(invoice()),
      downloadInvoicePdf: async () => {
        if (typeof content !== 'string') throw content;
        return Readable.from([Buffer.from(content)]);
      },
    },
    address,
  );

const csvOf = (shown: Invoice) =>
  clicked(
    invoicesFeature({ getInvoice: () => reading(shown) }, ADDRESS.replace('.pdf', '.csv')),
    'invoices.csv',
  );

export const invoicePdf: Area = {
  id: 'invoices-pdf',
  title: '/invoices pdf, and CSV: the files',
  entries: [
    answer('invoice-pdf-sent', 'The PDF was sent to the person who asked for it.', () =>
      typed(pdfFeature('%PDF-1.7', ADDRESS), '/invoices pdf 12'),
    ),
    answer('invoice-pdf-no-link', 'It was sent, and Slack omits its address.', () =>
      typed(pdfFeature('%PDF-1.7'), '/invoices pdf 12'),
    ),
    refusal('invoice-pdf-no-pdf', 'The platform sends something else than a PDF.', () =>
      typed(pdfFeature('<html>'), '/invoices pdf 12'),
    ),
    refusal('invoice-pdf-none', 'The platform has no PDF of the invoice.', () =>
      typed(pdfFeature(new PlatformError('not-found', 'not found')), '/invoices pdf 12'),
    ),
    answer('invoice-csv-sent', 'CSV was pressed below an invoice.', () => csvOf(invoice())),
    refusal('invoice-csv-empty', 'CSV was pressed, and the invoice no longer has lines.', () =>
      csvOf(invoice({ periods: [] })),
    ),
  ],
};

const delivery = (status: string, changes: Partial<Delivery> = {}): Delivery => ({
  id: 'del_1',
  recipientEmail: 'books@acme.example',
  status,
  attemptCount: 1,
  errorMessages: [],
  invoiceId: 'i-12',
  ...changes,
});

const BOUNCED = '550 5.1.1 <old@acme.example>: user unknown';

const inEveryStatus = [
  delivery('pending', { attemptCount: 0 }),
  delivery('in_progress', { recipientEmail: 'cfo@acme.example' }),
  delivery('delivered', { invoiceId: 'i-11' }),
  delivery('failed', {
    recipientEmail: 'ben@acme.example',
    attemptCount: 2,
    errorMessages: ['421 try again later', '452 mailbox full'],
  }),
  delivery('permanently_failed', {
    recipientEmail: 'old@acme.example',
    attemptCount: 5,
    errorMessages: [BOUNCED, BOUNCED],
  }),
  delivery('greylisted', {
    attemptCount: undefined,
    invoiceId: 'f0e1d2c3-0000-4000-8000-000000000004',
  }),
];

function deliveries(id: string, when: string, view: Partial<DeliveriesView> = {}): Entry {
  return answer(`invoice-deliveries-${id}`, when, () =>
    deliveriesAnswer({
      ...frame,
      items: [],
      of: undefined,
      numbers: new Map([
        ['i-12', 12],
        ['i-11', 11],
      ]),
      ...view,
    }),
  );
}

const manyDelivered = (count: number) =>
  many(count, (place) =>
    delivery('delivered', { recipientEmail: `team-${place + 1}@acme.example` }),
  );

export const invoiceDeliveries: Area = {
  id: 'invoices-deliveries',
  title: '/invoices deliveries: the e-mails',
  entries: [
    deliveries('every-status', 'E-mails with invoices are in all statuses; one failed for good.', {
      items: inEveryStatus,
    }),
    deliveries('none-failed', 'All e-mails of one invoice arrived.', {
      of: 'Invoice 12',
      items: manyDelivered(2),
    }),
    deliveries('one-failed', 'One e-mail failed, and the platform will try again.', {
      of: 'Invoice 12',
      items: inEveryStatus.slice(3, 4),
    }),
    deliveries('none', 'No e-mail with an invoice was ever sent.'),
    deliveries('none-of-one', 'No e-mail with this invoice was sent.', { of: 'Invoice 12' }),
    deliveries('none-readable', 'There are deliveries, and none of them can be read.', {
      skipped: 3,
    }),
    ...[1, 2].map((page) =>
      deliveries(`page-${page}`, `There are more than a page takes: page ${page} of 2.`, {
        items: manyDelivered(240),
        asked: { ...frame.asked, page },
      }),
    ),
    deliveries('latest-only', 'There may be older ones than the platform reports.', {
      items: manyDelivered(499),
      skipped: 1,
      readAt: NOW - MINUTE,
    }),
  ],
};
