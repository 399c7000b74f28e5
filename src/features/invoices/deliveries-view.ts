import type { KnownBlock } from '@slack/types';
import { plural, truncate } from '../../lib/text.ts';
import type { Delivery } from '../../platform/billing/recipients.ts';
import { section } from '../../slack/kit/blocks.ts';
import { Numeric } from '../../slack/kit/tables.ts';
import { code, mrkdwn, type Mrkdwn } from '../../slack/kit/text.ts';
import type { Answer } from '../../slack/routing/routes.ts';
import { NOTHING, pagedAnswer, type ReadPage } from '../answer-parts.ts';
import type { ListColumn } from '../list.ts';
import { withSign } from './sheet.ts';

/** The platform returns at most this many (spec section 8). */
const LATEST = 500;
/** Characters of one error, and of all errors of a delivery. */
const ERROR_LENGTH = 80;
const ERRORS_LENGTH = 200;
const URGENCY = ['permanently_failed', 'failed'];

/** Words and sign of each status of spec 2.10. */
const STATUSES = {
  pending: ['underWay', 'waiting'],
  in_progress: ['underWay', 'being sent'],
  delivered: ['good', 'delivered'],
  failed: ['wrong', 'failed'],
  permanently_failed: ['wrong', 'failed for good'],
} as const;

function deliveryStatus(status: string): string {
  return withSign(STATUSES, status);
}

export interface DeliveriesView extends ReadPage {
  items: readonly Delivery[];
  /** "Invoice 12"; undefined: all of the account. */
  of: string | undefined;
  /** Known numbers by invoice id. */
  numbers: ReadonlyMap<string, number>;
}

export function deliveriesAnswer(view: DeliveriesView): Answer {
  const { items, of, skipped } = view;
  const answer = pagedAnswer(view, {
    head: headline(view),
    above: adviceFor(items),
    caption: `E-mails with ${of ?? 'invoices'}`,
    columns: columnsOf(view.numbers),
    // Permanently failed, then failed, then the rest, each in the platform's order, latest first.
    rows: items.toSorted((a, b) => rankOf(a) - rankOf(b)),
    thing: 'delivery',
    things: 'deliveries',
  });
  if (items.length === 0) return { blocks: answer.blocks };
  const notes =
    items.length + skipped >= LATEST ? [`The platform lists the latest ${LATEST} only`] : [];
  return { ...answer, notes, needs: 'billing_admin' };
}

function columnsOf(numbers: DeliveriesView['numbers']): ListColumn<Delivery>[] {
  const numeric = (value: number | undefined, other: string) =>
    value === undefined ? other : new Numeric(value);
  return [
    { title: 'Recipient', of: ({ recipientEmail }) => truncate(recipientEmail, 100) },
    { title: 'Status', of: ({ status }) => deliveryStatus(status) },
    {
      title: 'Invoice',
      of: ({ invoiceId }) => numeric(numbers.get(invoiceId), truncate(invoiceId, 9)),
    },
    { title: 'Attempts', of: ({ attemptCount }) => numeric(attemptCount, NOTHING) },
    {
      title: 'Error',
      of: ({ errorMessages, recipientEmail }) => errorsIn(errorMessages, recipientEmail),
    },
  ];
}

function headline({ items, of, skipped }: DeliveriesView): Mrkdwn {
  const whose = of === undefined ? mrkdwn`invoices` : mrkdwn`${of}`;
  if (items.length === 0) {
    return skipped > 0
      ? mrkdwn`The deliveries of ${whose} cannot be read: please try again.`
      : mrkdwn`No e-mails with ${whose} were sent: ${code('/billing recipients')} shows who gets them.`;
  }
  const failed = items.filter(({ status }) => URGENCY.includes(status)).length;
  const count = plural(items.length, 'delivery', 'deliveries');
  const doubt = skipped > 0 ? ', as far as it can be read' : '';
  if (failed === 0) return mrkdwn`*None failed*${doubt} · ${count} of ${whose}`;
  return mrkdwn`*${failed} of ${count} failed* · ${whose}`;
}

const ADVICE = {
  permanently_failed: mrkdwn`there are no more tries. Check or disable the recipient: ${code('/billing recipients')}`,
  failed: mrkdwn`the platform tries again`,
};

function adviceFor(deliveries: readonly Delivery[]): KnownBlock[] {
  return Object.entries(ADVICE)
    .filter(([failed]) => deliveries.some(({ status }) => status === failed))
    .map(([status, advice]) => section(mrkdwn`${deliveryStatus(status)}: ${advice}`));
}

function rankOf({ status }: Delivery): number {
  const rank = URGENCY.indexOf(status);
  return rank === -1 ? URGENCY.length : rank;
}

/** The error of each attempt, the last first; repetitions in a row only once. */
function errorsIn(messages: readonly string[], recipient: string): string {
  const errors = messages
    .toReversed()
    .map((message) => withoutRecipient(message, recipient))
    .filter((error, at, all) => error !== all[at - 1])
    .map((error) => truncate(error, ERROR_LENGTH));
  return truncate(errors.join(' · '), ERRORS_LENGTH) || NOTHING;
}

export function withoutRecipient(message: string, recipient: string): string {
  return recipient === '' ? message : message.replace(` <${recipient}>`, '');
}
