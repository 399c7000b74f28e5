import {
  listAnswer,
  pendingAnswer,
  type ListView,
  type PendingView,
} from '../../../src/features/invoices/list-view.ts';
import type { PendingInvoice } from '../../../src/platform/billing/invoices.ts';
import { answer, MINUTE, NOW, type Area, type Entry } from '../entry.ts';
import { amount, at, many } from './money-data.ts';
import {
  CREDITS,
  frame,
  invoice,
  LINES,
  line,
  monthly,
  NOVEMBER,
  ofAccount,
  OCTOBER,
  period,
  unread,
} from './money-invoices-data.ts';

const YEAR = { startMs: at('2025-12-01'), endMs: at('2026-12-01') };

function list(id: string, when: string, view: Partial<ListView>): Entry {
  return answer(`invoices-list-${id}`, when, () =>
    listAnswer({ ...frame, items: [], range: YEAR, ...view }),
  );
}

/** One in every status, the last ones in statuses that no one knows, or in none. */
const STATUSES = [
  'pending-payment',
  'payment-failed',
  'partially-paid',
  'partially-failed',
  'paid',
  'written-off',
  '',
];
const inEveryStatus = monthly(STATUSES.length).map((one, place) => ({
  ...one,
  status: STATUSES[place]!,
}));

export const invoicesList: Area = {
  id: 'invoices-list',
  title: '/invoices: the list',
  entries: [
    list(
      'every-status',
      'A person asks for the invoices of 12 months; each is in another status.',
      {
        items: inEveryStatus,
      },
    ),
    list('all-paid', 'All invoices of the range are paid.', { items: monthly(3) }),
    list('one-unpaid', 'The range has one invoice, and it is not paid.', {
      items: [invoice({ status: 'pending-payment' })],
      range: { startMs: OCTOBER.startTime, endMs: OCTOBER.endTime },
    }),
    list('one-partly-paid', 'Part of the only open invoice is paid; no one knows how much.', {
      items: monthly(2, 12, { status: 'partially-paid' }).slice(0, 1),
    }),
    list(
      'some-partly-paid',
      'Several invoices are open: one is partly paid, and of one a part of the payment failed.',
      {
        items: inEveryStatus.filter(({ status }) => /failed|partially-paid/.test(status)),
      },
    ),
    list('nothing-due', 'The one invoice that is not paid is covered by credits.', {
      items: [
        invoice({ status: 'payment-failed', credits: [ofAccount('Goodwill', -130_000)] }),
        ...monthly(1, 11),
      ],
    }),
    list('nothing-known', 'The one invoice that is not paid has a status that no one knows.', {
      items: [invoice({ status: 'on-hold' }), ...monthly(2, 11)],
    }),
    list(
      'unreadable-amounts',
      'The totals of two invoices and a credit of another are no amounts.',
      {
        items: ['payment-failed', 'pending-payment', 'partially-failed'].map((status, place) =>
          place === 2
            ? invoice({
                id: 'in-10',
                number: 10,
                status,
                credits: [...CREDITS, unread(CREDITS[0]!)],
              })
            : invoice({
                id: `in-${12 - place}`,
                number: 12 - place,
                status,
                totalCharge: undefined,
              }),
        ),
      },
    ),
    list('due-not-known', 'The total of the one invoice that is not paid is no amount.', {
      items: [invoice({ status: 'payment-failed', totalCharge: undefined }), ...monthly(2, 11)],
    }),
    list('unknown-status-covered', 'Credits cover the one invoice whose status no one knows.', {
      items: [
        invoice({ status: 'on-hold', credits: [ofAccount('Goodwill', -130_000)] }),
        ...monthly(2, 11),
      ],
    }),
    list('several-one-partly-paid', 'Two invoices are open, and a part of one is paid.', {
      items: inEveryStatus.slice(1, 3),
    }),
    list('odd-records', 'The platform leaves out numbers and months, and names many orgs.', {
      items: [
        invoice({
          number: undefined,
          orgNames: ['acme', 'globex', 'initech', 'hooli', 'umbrella'],
        }),
        invoice({ id: '9', number: 9, startTime: undefined, orgNames: [] }),
        invoice({
          id: '8',
          number: 8,
          startTime: at('2026-10-05'),
          orgNames: ['acme', 'globex', 'initech'],
        }),
        invoice({ id: '7', number: 7, endTime: at('2026-10-15T12:30:00Z'), credits: CREDITS }),
      ],
    }),
    list('none', 'There is no invoice in the range.', {}),
    list('none-readable', 'There are invoices in the range, and none of them can be read.', {
      skipped: 2,
    }),
    list('one-unreadable', 'There is one invoice in the range, and it cannot be read.', {
      skipped: 1,
    }),
    list('paid-some-left-out', 'All are paid but for one that cannot be read.', {
      items: monthly(1),
      skipped: 1,
    }),
    list(
      'some-left-out',
      'One invoice of the range cannot be read, and the answer is a minute old.',
      {
        items: monthly(2),
        skipped: 1,
        readAt: NOW - MINUTE,
      },
    ),
    list('many', 'The list is of three years.', {
      items: monthly(36, 47),
      range: { startMs: at('2023-11-01'), endMs: at('2026-11-01') },
    }),
  ],
};

function pendingInvoice(changes: Partial<PendingInvoice> = {}): PendingInvoice {
  const { periods = [period({ ...NOVEMBER, status: '' })] } = changes;
  return { ...invoice({ ...NOVEMBER, number: 13, periods }), status: '', ...changes };
}

function pending(id: string, when: string, view: Partial<PendingView>): Entry {
  return answer(`invoices-pending-${id}`, when, () =>
    pendingAnswer({ ...frame, items: [], surcharges: false, ...view }),
  );
}

/** A line whose org cannot be read. */
const OF_NO_ORG = { ...ofAccount('Support plan', 9_900), org: undefined };
const SURCHARGES = [ofAccount('Support plan', 9_900), ofAccount('Minimum spend', 1_200)];
const withExtras = pendingInvoice({
  periods: [period({ ...NOVEMBER, items: [...LINES, ...SURCHARGES] })],
  totalCharge: amount(138_550),
  credits: CREDITS,
});

export const invoicesPending: Area = {
  id: 'invoices-pending',
  title: '/invoices pending: charges that are not billed yet',
  entries: [
    pending(
      'one',
      'A person asks for the accrued charges that are not billed: the current month.',
      {
        items: [pendingInvoice()],
      },
    ),
    pending('two-months', 'The last month is not billed yet either.', {
      items: [
        pendingInvoice(),
        pendingInvoice({ ...OCTOBER, number: undefined, orgNames: ['acme'] }),
      ],
    }),
    pending('several-periods', 'One pending invoice has several periods, one without an amount.', {
      items: [
        pendingInvoice({
          periods: [
            period({ ...NOVEMBER, endTime: at('2026-11-11') }),
            period({ ...NOVEMBER, startTime: at('2026-11-11'), totalCharge: undefined }),
          ],
        }),
      ],
    }),
    pending('more-rows', 'Many months are not billed yet.', {
      items: many(33, (place) =>
        pendingInvoice({ number: 13 + place, orgNames: [`team-${place + 1}`] }),
      ),
      skipped: 2,
      readAt: NOW - 2 * MINUTE,
    }),
    pending('none', 'Nothing has accrued that is not billed.', {}),
    pending('none-readable', 'One pending invoice exists, and it cannot be read.', { skipped: 1 }),
    pending('surcharges', 'A person asks for the current month with surcharges and credits.', {
      items: [withExtras],
      surcharges: true,
    }),
    pending('surcharges-many', 'There are more surcharges and credits than are listed.', {
      items: [
        pendingInvoice({
          periods: [
            period({
              ...NOVEMBER,
              items: many(10, (place) => ofAccount(`Surcharge no. ${place + 1}`, 100)),
            }),
          ],
        }),
      ],
      surcharges: true,
    }),
    pending('surcharges-no-extras', 'The current month has no surcharge and no credit so far.', {
      items: [
        pendingInvoice({ periods: [period({ items: [line('acme', 'egress (bytes)', 1, 50)] })] }),
      ],
      surcharges: true,
    }),
    pending('surcharges-covered', 'Credits cover all that has accrued in the current month.', {
      items: [pendingInvoice({ credits: [ofAccount('Goodwill', -130_000)] })],
      surcharges: true,
    }),
    pending(
      'unreadable-amounts',
      'The amounts of a month, a surcharge and a credit cannot be read.',
      {
        items: [
          pendingInvoice({
            periods: [period({ ...NOVEMBER, items: [...LINES, unread(SURCHARGES[0]!)] })],
            credits: [CREDITS[0]!, unread(CREDITS[1]!)],
          }),
          pendingInvoice({ ...OCTOBER, totalCharge: undefined }),
        ],
        surcharges: true,
      },
    ),
    pending('disagreeing', 'Two pending invoices differ from the sum of their periods and lines.', {
      items: [
        pendingInvoice({ totalCharge: amount(130_000) }),
        pendingInvoice({
          ...OCTOBER,
          number: undefined,
          totalCharge: amount(137_350),
          periods: [
            period({ status: '' }),
            period({ ...NOVEMBER, status: '', totalCharge: amount(9_900), items: [] }),
          ],
        }),
      ],
    }),
    pending('disagreeing-alone', 'The one pending invoice differs from the sum of its lines.', {
      items: [pendingInvoice({ totalCharge: amount(130_000) })],
    }),
    pending('line-of-no-org', 'The org of a line cannot be read, and there are no extras.', {
      items: [pendingInvoice({ periods: [period({ items: [...LINES, OF_NO_ORG] })] })],
      surcharges: true,
    }),
    pending(
      'lines-of-no-org',
      'The org of two lines cannot be read, beside a nameless surcharge.',
      {
        items: [
          pendingInvoice({
            periods: [
              period({
                ...NOVEMBER,
                items: [...LINES, OF_NO_ORG, OF_NO_ORG, ofAccount('', 1_000)],
              }),
            ],
          }),
        ],
        surcharges: true,
      },
    ),
    pending('no-amount-readable', 'The amount of the one pending invoice is not one.', {
      items: [pendingInvoice({ totalCharge: undefined })],
    }),
    pending('surcharges-none', 'Nothing of the current month is to be billed.', {
      surcharges: true,
    }),
  ],
};
