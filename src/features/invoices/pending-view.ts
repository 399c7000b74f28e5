import type { KnownBlock } from '@slack/types';
import { plural } from '../../lib/text.ts';
import { amountDue, type PendingInvoice } from '../../platform/billing/invoices.ts';
import { lines, section, table, topText } from '../../slack/kit/blocks.ts';
import { code, mrkdwn, type Mrkdwn } from '../../slack/kit/text.ts';
import type { Answer } from '../../slack/routing/routes.ts';
import { footnotes, heard, lineSections, NOTHING, SHARING, smallPrint } from '../answer-parts.ts';
import {
  amountIn,
  dueInWords,
  monthsInWords,
  namedCharge,
  orgsInShort,
  type Money,
} from './words.ts';
import { countUnread, isSurcharge, sumOf } from './lines.ts';
import { disagreementsBlock } from './reconcile.ts';

/** Rows of the table, and all in a window; what has accrued is a month or two. */
const MAX_ROWS = 15;
const MAX_EXTRAS = 8;

export interface PendingView {
  pending: readonly PendingInvoice[];
  /** Only the current month was asked for, with surcharges and credits. */
  surcharges: boolean;
  /** Parts that could not be read. */
  skipped: number;
  /** Ms since the epoch, as is `now`. */
  readAt: number;
  now: number;
  money: Money;
}

/** What `/invoices pending` answers. Pure. */
export function pendingAnswer(view: PendingView): Answer {
  const { pending, money, surcharges } = view;
  const head = pending.length === 0 ? nothingLine(view) : accruedLine(view);
  const rows = pending.flatMap((invoice) => rowsOf(invoice, money));
  const isCut = rows.length > MAX_ROWS;
  return {
    text: topText(heard(head, rows.map(inShort))),
    blocks: [
      section(head),
      ...(rows.length === 0 ? [] : [table(COLUMNS, rows.slice(0, MAX_ROWS))]),
      ...disagreementsBlock(
        pending.map((invoice) => ({ invoice, name: nameIn(view, invoice) })),
        money,
      ),
      ...(surcharges ? extras(pending, money) : []),
      ...smallPrint([
        ...(isCut ? [mrkdwn`${plural(rows.length - MAX_ROWS, 'more row')}`] : []),
        ...footnotes({ ...view, thing: 'pending invoice' }),
      ]),
    ],
    notes: [(surcharges ? WITH : WITHOUT).text],
    ...(isCut && {
      rest: {
        button: `All ${rows.length} rows`,
        title: 'Not billed yet',
        blocks: lineSections(rows.map((row) => mrkdwn`• ${inShort(row)}`)),
      },
    }),
    ...SHARING,
  };
}

const WITH = mrkdwn`The current month only, with surcharges and credits as far as they are known`;
const WITHOUT = mrkdwn`Without surcharges and credits: ${code('/invoices pending surcharges')} shows the current month with them`;

/** A row of the table as one line. */
function inShort([number = '', months = '', amount = '', orgs = '']: readonly string[]): Mrkdwn {
  const name = number === NOTHING ? '' : `Invoice ${number}, `;
  return mrkdwn`${name}${months}: ${amount} (${orgs})`;
}

const COLUMNS = [
  { title: 'Number', align: 'right' },
  { title: 'Months' },
  { title: 'Accrued', align: 'right' },
  { title: 'Orgs' },
] as const;

function nothingLine({ surcharges, skipped }: PendingView): Mrkdwn {
  if (skipped > 0) return mrkdwn`Nothing of what is pending can be read: please try again.`;
  return surcharges
    ? mrkdwn`Nothing has accrued in the current month that is not billed: ${code('/invoices pending')} shows earlier months too.`
    : mrkdwn`Nothing has accrued that is not billed: ${code('/invoices')} lists what is.`;
}

function accruedLine({ pending, money, surcharges }: PendingView): Mrkdwn {
  const totals = pending.map(({ totalCharge: charge }) => ({ charge }));
  const unread = countUnread(totals);
  if (unread === pending.length) {
    return mrkdwn`What has accrued and is not billed yet cannot be read: please try again, and tell whoever runs Purser if it stays so.`;
  }
  const line = mrkdwn`*${money(sumOf(totals))}* accrued, not billed yet${surcharges ? dueLine(pending, money) : ''}`;
  if (unread === 0) return line;
  return mrkdwn`${line}\n⚠ ${plural(unread, 'pending invoice')} ${unread === 1 ? 'has' : 'have'} a total that cannot be read and ${unread === 1 ? 'is' : 'are'} not counted`;
}

/** What would be left after credits. */
function dueLine(pending: readonly PendingInvoice[], money: Money): Mrkdwn {
  const dues = pending.map(amountDue).filter((due) => due !== undefined);
  const amount = sumOf(dues.map(({ amount: charge }) => ({ charge })));
  if (amount.isZero()) return mrkdwn`; nothing would be due after credits`;
  const isExact = dues.every((due) => due.isExact);
  return mrkdwn`; *${dueInWords({ amount, isExact }, money)}* would be due after credits`;
}

/** By period where there are several; else the invoice as it is. */
function rowsOf(invoice: PendingInvoice, money: Money): string[][] {
  const number = invoice.number ? String(invoice.number) : NOTHING;
  const orgs = orgsInShort(invoice.orgNames);
  const parts = invoice.periods.length > 1 ? invoice.periods : [invoice];
  return parts.map(({ startTime, endTime, totalCharge }) => [
    number,
    monthsInWords(startTime, endTime),
    amountIn(money, totalCharge),
    orgs,
  ]);
}

/** "the pending invoice", and of which months where there are several. */
function nameIn({ pending }: PendingView, { startTime, endTime }: PendingInvoice): string {
  const months = pending.length > 1 ? ` of ${monthsInWords(startTime, endTime)}` : '';
  return `the pending invoice${months}`;
}

/** Surcharges and credits by name, and how many more of them there may be. */
function extras(pending: readonly PendingInvoice[], money: Money): KnownBlock[] {
  const items = pending.flatMap(({ periods }) => periods.flatMap((period) => period.items));
  const said = [
    ...items.filter(isSurcharge).map((line) => namedCharge('Surcharge', line, money)),
    ...pending.flatMap(({ credits }) => credits.map((line) => namedCharge('Credit', line, money))),
  ].map((one) => mrkdwn`• ${one}`);
  const unknown = items.filter(({ org }) => org === undefined).length;
  const isOne = unknown === 1;
  const doubt = mrkdwn`⚠ The org of ${plural(unknown, 'line')} cannot be read: ${isOne ? 'it may be a surcharge' : 'they may be surcharges'}`;
  if (said.length > 0) return [lines(said, MAX_EXTRAS), ...(unknown > 0 ? [section(doubt)] : [])];
  return [section(unknown > 0 ? doubt : mrkdwn`No surcharges and no credits so far.`)];
}
