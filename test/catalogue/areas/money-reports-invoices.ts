import {
  deliveriesReply,
  invoiceCard,
  reconciliationReply,
  revisedReply,
  statusReply,
} from '../../../src/features/invoices/card-view.ts';
import { reconcile } from '../../../src/features/invoices/reconcile.ts';
import { PlatformError } from '../../../src/platform/errors.ts';
import type { Invoice, LineItem } from '../../../src/platform/billing/invoices.ts';
import { broadcast, post, reply, type Area } from '../entry.ts';
import { amount, at, CURRENCY, failing, many } from './money-data.ts';
import {
  charged,
  chargesOf,
  CREDITS,
  frame,
  invoice,
  line,
  LINES,
  ofAccount,
  period,
} from './money-invoices-data.ts';

const { money, unitOf } = frame;

/** Invoice 11, of September. */
function earlier(items: readonly LineItem[]): Invoice {
  const september = { startTime: at('2026-09-01'), endTime: at('2026-10-01') };
  return invoice({
    id: '11111111-93c6-4f0a-8d21-6e5a0c9f3b11',
    number: 11,
    ...september,
    periods: [period({ ...september, items })],
  });
}

const SEPTEMBER = earlier([
  line('acme', 'cpu (cores * seconds)', 2_001_600, 66_720),
  line('acme', 'memory (bytes * seconds)', 5_566_277_615_616_000, 33_900),
  line('globex', 'egress (bytes)', 412_316_860_416, 10_000),
  ofAccount('Support plan', 9_900),
]);
const due = (changes: Partial<Invoice> = {}): Invoice =>
  invoice({ status: 'pending-payment', ...changes });
const MANY = many(9, (place) =>
  line(
    `org-${place + 1}`,
    'volume-set-capacity (bytes * seconds)',
    2_592_000,
    90_000 - 7_000 * place,
  ),
);

/** September is paid, the payment of October failed. */
const PARTS = due({
  startTime: at('2026-09-01'),
  status: 'partially-failed',
  periods: [
    period({ startTime: at('2026-09-01'), endTime: at('2026-10-01') }),
    period({ status: 'payment-failed' }),
  ],
});

const CARDS: Readonly<Record<string, [when: string, invoice: Invoice, before?: Invoice]>> = {
  due: ['A new invoice is there, and is to be paid.', due(), SEPTEMBER],
  credits: ['Credits pay a part.', due({ credits: CREDITS }), SEPTEMBER],
  many: [
    'More changed than there is room for.',
    due({ periods: [period({ items: MANY })] }),
    SEPTEMBER,
  ],
  paid: ['It is paid.', invoice(), SEPTEMBER],
  failed: ['Its payment failed.', due({ status: 'payment-failed' }), SEPTEMBER],
  partial: ['It is paid in part.', due({ status: 'partially-paid' }), SEPTEMBER],
  'partial-failed': [
    'A part of its payment failed.',
    due({ status: 'partially-failed' }),
    SEPTEMBER,
  ],
  'partial-failed-open': ['Of its two months one is paid, and one failed.', PARTS],
  'partial-open': [
    'Of its two months one is paid, and one open.',
    { ...PARTS, status: 'partially-paid' },
  ],
  shorter: [
    'It is of two weeks, the one before of a month.',
    due({ endTime: at('2026-10-15') }),
    SEPTEMBER,
  ],
  nothing: [
    'Credits cover the whole amount.',
    due({ credits: [ofAccount('Welcome credit', -500_000)] }),
    SEPTEMBER,
  ],
  free: [
    'It costs nothing.',
    due({ periods: [period({ items: [line('acme', 'cpu (cores * seconds)', 10, 0)] })] }),
    SEPTEMBER,
  ],
  first: ['It is the first invoice of the account.', due({ number: 1 })],
  same: ['It is the same as the one before.', due(), earlier(LINES)],
  unreadable: [
    'An open part cannot be read.',
    due({
      status: 'partially-paid',
      periods: [period(), period({ status: 'payment-failed', totalCharge: undefined, items: [] })],
    }),
    SEPTEMBER,
  ],
  'no-total': [
    'It is paid, and its amounts cannot be read.',
    invoice({ totalCharge: undefined, periods: [] }),
    SEPTEMBER,
  ],
  'unknown-status': [
    'Its status is not one that Purser knows.',
    due({ status: 'in-dispute' }),
    SEPTEMBER,
  ],
  'no-number': ['It has no number.', due({ number: undefined }), SEPTEMBER],
};

const STATUSES: Readonly<Record<string, [when: string, invoice: Invoice]>> = {
  paid: ['It was paid.', invoice()],
  'paid-unread': [
    'It was paid, and its amount cannot be read.',
    invoice({ totalCharge: undefined, periods: [] }),
  ],
  pending: ['Its payment is tried again.', due()],
  other: ['Its status is one that Purser does not know.', due({ status: 'in-dispute' })],
  partial: ['It was paid in part.', due({ status: 'partially-paid' })],
};
const BAD: Readonly<Record<string, [when: string, invoice: Invoice]>> = {
  failed: ['Its payment failed.', due({ status: 'payment-failed' })],
  'partial-failed': ['Its payment failed in part.', due({ status: 'partially-failed' })],
  'partial-failed-open': ['Of its two months one failed.', PARTS],
};

const credited = due({
  periods: [period({ items: [...LINES, ofAccount('Support plan', 9_900)] })],
  credits: CREDITS,
});
const RECONCILED = {
  exact: ['The charges of the same months are just the same.', due(), chargesOf(charged(1_274.5))],
  rounded: ['They differ by rounding.', due(), chargesOf(charged(1_274.01))],
  explained: ['Credits and surcharges make the difference.', credited, chargesOf(charged(1_274.5))],
  off: ['They differ by more.', due(), chargesOf(charged(1_200))],
  low: [
    'Some usage may not have been priced.',
    due(),
    chargesOf({ ...charged(1_200), mayBeTooLow: true }),
  ],
  'low-exact': [
    'They are the same, but some usage may not have been priced.',
    due(),
    chargesOf({ ...charged(1_274.5), mayBeTooLow: true }),
  ],
  impossible: [
    'The platform omits the charges.',
    due(),
    { account: () => failing(new PlatformError('unavailable', 'no answer', { status: 503 })) },
  ],
} as const satisfies Record<string, readonly [string, Invoice, Parameters<typeof reconcile>[0]]>;

function reconciled(name: keyof typeof RECONCILED, isFinal: boolean, isBelow = false) {
  const [, of, charges] = RECONCILED[name];
  return async () =>
    reconciliationReply(of, await reconcile(charges, of, CURRENCY), money, { isFinal, isBelow });
}

const names = Object.keys(RECONCILED) as (keyof typeof RECONCILED)[];
const WAS = { total: amount(130_000), due: amount(130_000) };

export const invoiceCards: Area = {
  id: 'report-invoices',
  title: 'Notifications: invoices',
  entries: [
    ...Object.entries(CARDS).map(([id, [when, of, before]]) =>
      post(`invoice-card-${id}`, when, () => invoiceCard({ invoice: of, before, unitOf, money })),
    ),
    ...Object.entries(STATUSES).map(([id, [when, of]]) =>
      reply(`invoice-reply-${id}`, when, () => statusReply(of, 'payment-failed', money)),
    ),
    ...Object.entries(BAD).map(([id, [when, of]]) =>
      broadcast(`invoice-reply-${id}`, when, () => statusReply(of, 'pending-payment', money)),
    ),
    ...names.map((name) =>
      (name === 'off' ? broadcast : reply)(
        `invoice-reply-reconciled-${name}`,
        RECONCILED[name][0],
        reconciled(name, true),
      ),
    ),
    reply(
      'invoice-reply-reconciled-off-below',
      'The reply with the provisional comparison, once the final one is off.',
      reconciled('off', true, true),
    ),
    reply(
      'invoice-reply-reconciled-provisional',
      'The invoice is compared while usage can still be revised.',
      reconciled('exact', false),
    ),
    reply(
      'invoice-reply-reconciled-provisional-off',
      'It is compared then, and the difference is not explained yet.',
      reconciled('off', false),
    ),
    reply('invoice-reply-revised', 'Its total was revised.', () => revisedReply(due(), WAS, money)),
    broadcast('invoice-reply-rose', 'Its total was revised, and more is due.', () =>
      revisedReply(due(), { total: amount(120_000), due: amount(120_000) }, money),
    ),
    broadcast('invoice-reply-rose-credits', 'A credit was taken back, so more is due.', () =>
      revisedReply(due(), { total: amount(127_450), due: amount(120_000) }, money),
    ),
    reply('invoice-reply-emailed', 'All its e-mails were delivered.', () =>
      deliveriesReply(due(), { delivered: 3, failed: 0, underWay: 0 }),
    ),
    reply('invoice-reply-email-failed', 'One of its e-mails failed for good.', () =>
      deliveriesReply(due(), { delivered: 2, failed: 1, underWay: 0 }),
    ),
    reply('invoice-reply-email-again', 'Another e-mail is sent after all had ended.', () =>
      deliveriesReply(due(), { delivered: 3, failed: 0, underWay: 1 }),
    ),
  ],
};
