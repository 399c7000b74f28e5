import { BigNumber } from 'bignumber.js';
import { plural } from '../../lib/text.ts';
import { DAY_MS } from '../../lib/time.ts';
import { type Invoice, amountDue, type PendingInvoice } from '../../platform/billing/invoices.ts';
import { describeRange, type Range } from '../../reporting/range.ts';
import { section, lines } from '../../slack/kit/blocks.ts';
import { Numeric } from '../../slack/kit/tables.ts';
import { code, joinMrkdwn, mrkdwn, type Mrkdwn } from '../../slack/kit/text.ts';
import type { Answer } from '../../slack/routing/routes.ts';
import { footnotes, NOTHING, pagedAnswer, smallPrint, type ReadPage } from '../answer-parts.ts';
import type { ListColumn } from '../list.ts';
import {
  invoiceButton,
  isSurcharge,
  amountCell,
  dueInWords,
  invoiceStatus,
  orgsInShort,
  sheetOf,
  PAID_UNKNOWN,
  type Money,
  type Sheet,
  countUnread,
  namedCharge,
  spanOf,
  sumOf,
} from './sheet.ts';
import type { KnownBlock } from '@slack/types';
import { disagreementsBlock } from './reconcile.ts';

export interface ListView extends ReadPage {
  /** Newest first. */
  items: readonly Invoice[];
  range: Range;
  money: Money;
}

type Row = Sheet & Pick<Invoice, 'number' | 'status' | 'totalCharge' | 'orgNames' | 'id'>;

export function listAnswer(view: ListView): Answer {
  const { items, money } = view;
  const span = describeRange(view.range);
  if (items.length === 0) return noneAnswer(view, span);
  const rows = items.map((invoice): Row => ({ ...invoice, ...sheetOf(invoice, money) }));
  const count = mrkdwn`${plural(items.length, 'invoice')}, ${span}`;
  const [state = count, ...doubts] = dueLines(rows, view);
  return {
    ...pagedAnswer(view, {
      head: joinMrkdwn([mrkdwn`${state} · ${count}`, ...doubts], '\n'),
      caption: `Invoices, ${span}`,
      columns: columnsOf(money),
      rows,
      step: (row) => invoiceButton('Details', 'show', row)[0],
      thing: 'invoice',
    }),
    buttons: payButton(rows),
    notes: items.some(({ credits }) => credits.length > 0)
      ? ['Total: before credits. Amount due: after them.']
      : [],
  };
}

/** A narrow window shows the first three. */
function columnsOf(money: Money): ListColumn<Row>[] {
  return [
    { title: 'No.', of: ({ number }) => (number ? new Numeric(number) : NOTHING) },
    { title: 'Status', of: ({ status }) => invoiceStatus(status) },
    {
      title: 'Amount due',
      of: ({ open, cell }) => (open ? amountCell(money, open.amount, cell) : cell),
    },
    { title: 'Months', of: ({ span }) => span },
    { title: 'Total', of: ({ totalCharge }) => amountCell(money, totalCharge) },
    { title: 'Orgs', of: ({ orgNames }) => orgsInShort(orgNames) },
  ];
}

/** About 36 months, the range that is suggested. */
const WIDE_MS = 36 * 30 * DAY_MS;

function noneAnswer(view: ListView, span: string): Answer {
  const { skipped, range } = view;
  const isWide = range.endMs - range.startMs >= WIDE_MS;
  const wider = mrkdwn`try a wider range such as ${code('/invoices list last 36 months')}, or `;
  const head =
    skipped > 0
      ? mrkdwn`There ${skipped === 1 ? 'is' : 'are'} ${plural(skipped, 'invoice')} from ${span}, and ${skipped === 1 ? 'it cannot' : 'none can'} be read: please try again, and contact your Purser administrator if it lasts.`
      : mrkdwn`No invoices from ${span}: ${isWide ? mrkdwn`` : wider}see ${code('/invoices pending')} for what is not billed yet.`;
  const notes = footnotes({ ...view, skipped: 0, thing: 'invoice' });
  return { blocks: [section(head), ...smallPrint(notes)] };
}

/** The open amount first; each uncertainty on its own line. */
function dueLines(rows: readonly Row[], { skipped, money }: ListView): Mrkdwn[] {
  const count = (due: Row['due']) => rows.filter((row) => row.due === due).length;
  const [unread, unknown] = [count('unreadable'), count('unknown-status')];
  const isAllPaid = count('paid') === rows.length + skipped;
  const doubt = skipped > 0 ? ', as far as it can be read' : '';
  const nothing = unread + unknown > 0 ? 'What is due is not known' : `Nothing is due${doubt}`;
  const none = isAllPaid ? 'All paid' : nothing;
  return [
    count('open') > 0 ? openLine(rows, unread + unknown + skipped, money) : mrkdwn`*${none}*`,
    ...notCounted(unread, 'open invoice', 'an amount that cannot be read'),
    ...notCounted(unknown, 'invoice', 'a status that Purser does not know'),
  ];
}

function notCounted(count: number, which: string, what: string): Mrkdwn[] {
  if (count === 0) return [];
  const [has, is] = count === 1 ? ['has', 'is'] : ['have', 'are'];
  return [mrkdwn`⚠ ${plural(count, which)} ${has} ${what} and ${is} not counted`];
}

const TROUBLE = {
  'payment-failed': 'failed',
  'partially-paid': 'partly paid',
  'partially-failed': 'partly failed',
};

/**
 * "*At most $5,098.00 open* in 4 invoices · 1 failed · 1 partly paid (what is paid of 1 of them is not known)". Invoices
 * that are not counted may add to the sum, so beside them its limit is of the others only:
 * "*$5,098.00 or less open in 4 invoices, and 2 invoices not counted*".
 */
function openLine(all: readonly Row[], uncounted: number, money: Money): Mrkdwn {
  const rows = all.flatMap(({ status, open }) => (open ? [{ status, ...open }] : []));
  const unknown = rows.filter(({ isPaidUnknown }) => isPaidUnknown).length;
  const isExact = rows.every((row) => row.all.isExact);
  const inWords = (amounts: readonly BigNumber[], isSure: boolean) => {
    const amount = BigNumber.sum(...amounts);
    if (isSure || uncounted === 0) return dueInWords({ amount, isExact: isSure }, money);
    return `${money(amount)} or less`;
  };
  const open = inWords(
    rows.map(({ amount }) => amount),
    isExact && unknown === 0,
  );
  const full = inWords(
    rows.map((row) => row.all.amount),
    isExact,
  );
  const of = rows.some((row) => !row.amount.eq(row.all.amount)) ? ` of ${full}` : '';
  const invoices = plural(rows.length, 'invoice');
  const head =
    uncounted === 0
      ? mrkdwn`*${open.replace(/^a/, 'A')} open*${of} in ${invoices}`
      : mrkdwn`*${open} open${of} in ${invoices}, and ${plural(uncounted, 'invoice')} not counted*`;
  const trouble = Object.entries(TROUBLE).flatMap(([status, words]) => {
    const count = rows.filter((row) => row.status === status).length;
    return count === 0 ? [] : [` · ${count} ${words}`];
  });
  const unpaid =
    rows.length === 1 ? PAID_UNKNOWN : `what is paid of ${unknown} of them is not known`;
  return mrkdwn`${head}${trouble.join('')}${unknown === 0 ? '' : ` (${unpaid})`}`;
}

/** For the invoice to pay first: one that failed, else the oldest. */
function payButton(rows: readonly Row[]) {
  const open = rows.filter((row) => row.open !== undefined);
  const row = open.findLast(({ status }) => status.endsWith('failed')) ?? open.at(-1);
  if (row?.pay === undefined) return [];
  return invoiceButton(open.length === 1 ? row.pay : `Pay ${row.name}`, 'pay', row);
}

const MAX_EXTRAS = 8;

export interface PendingView extends ReadPage {
  items: readonly PendingInvoice[];
  /** Only the current month was requested, with surcharges and credits. */
  surcharges: boolean;
  money: Money;
}

export function pendingAnswer(view: PendingView): Answer {
  const { items, money, surcharges } = view;
  const named = items.map((invoice) => ({ invoice, name: nameIn(view, invoice) }));
  return {
    ...pagedAnswer(view, {
      head: items.length === 0 ? nothingLine(view) : accruedLine(view),
      caption: 'Accrued, not billed yet',
      columns: pendingColumns(money),
      rows: items.flatMap(rowsOf),
      below: [...disagreementsBlock(named, money), ...(surcharges ? extras(items, money) : [])],
      thing: 'pending invoice',
    }),
    notes: [(surcharges ? WITH : WITHOUT).text],
  };
}

const WITH = mrkdwn`The current month only, with surcharges and credits as far as they are known`;
const WITHOUT = mrkdwn`Without surcharges and credits: ${code('/invoices pending surcharges')} shows the current month with them`;

/** One per period if there are several; otherwise one for the invoice. */
function rowsOf(invoice: PendingInvoice) {
  const { number, orgNames, periods } = invoice;
  return (periods.length > 1 ? periods : [invoice]).map(({ startTime, endTime, totalCharge }) => {
    return { number, orgNames, span: spanOf({ startTime, endTime }), totalCharge };
  });
}

function pendingColumns(money: Money): ListColumn<ReturnType<typeof rowsOf>[number]>[] {
  return [
    { title: 'Months', of: ({ span }) => span },
    { title: 'Number', of: ({ number }) => (number ? new Numeric(number) : NOTHING) },
    { title: 'Accrued', of: ({ totalCharge }) => amountCell(money, totalCharge) },
    { title: 'Orgs', of: ({ orgNames }) => orgsInShort(orgNames) },
  ];
}

function nothingLine({ surcharges, skipped }: PendingView): Mrkdwn {
  if (skipped > 0) return mrkdwn`Nothing of what is pending can be read: please try again.`;
  return surcharges
    ? mrkdwn`Nothing has accrued in the current month that is not billed: ${code('/invoices pending')} shows earlier months too.`
    : mrkdwn`Nothing has accrued that is not billed: ${code('/invoices')} lists what is.`;
}

function accruedLine({ items, money, surcharges, skipped }: PendingView): Mrkdwn {
  const totals = items.map(({ totalCharge: charge }) => ({ charge }));
  const unread = countUnread(totals);
  if (unread === items.length) {
    return mrkdwn`What has accrued and is not billed yet cannot be read: please try again, and contact your Purser administrator if it lasts.`;
  }
  const [least, of] = unread + skipped === 0 ? ['', ''] : ['At least ', 'of this, '];
  const after = surcharges ? mrkdwn`; ${of}${afterCredits(items, money)}` : '';
  const line = mrkdwn`*${least}${money(sumOf(totals))}* accrued, not billed yet${after}`;
  if (unread === 0) return line;
  return mrkdwn`${line}\n⚠ ${plural(unread, 'pending invoice')} ${unread === 1 ? 'has' : 'have'} a total that cannot be read and ${unread === 1 ? 'is' : 'are'} not counted`;
}

function afterCredits(pending: readonly PendingInvoice[], money: Money): Mrkdwn {
  const dues = pending.map(amountDue).filter((due) => due !== undefined);
  const amount = sumOf(dues.map(({ amount: charge }) => ({ charge })));
  if (amount.isZero()) return mrkdwn`nothing would be due after credits`;
  const isExact = dues.every((due) => due.isExact);
  return mrkdwn`*${dueInWords({ amount, isExact }, money)}* would be due after credits`;
}

/** "the pending invoice", with its months if there are several. */
function nameIn({ items }: PendingView, invoice: PendingInvoice): string {
  return `the pending invoice${items.length > 1 ? ` of ${spanOf(invoice)}` : ''}`;
}

/** Surcharges and credits by name, and a warning about lines that may be surcharges. */
function extras(pending: readonly PendingInvoice[], money: Money): KnownBlock[] {
  const items = pending.flatMap(({ periods }) => periods.flatMap((period) => period.items));
  const texts = [
    ...items.filter(isSurcharge).map((line) => namedCharge('Surcharge', line, money)),
    ...pending.flatMap(({ credits }) => credits.map((line) => namedCharge('Credit', line, money))),
  ].map((one) => mrkdwn`• ${one}`);
  const unknown = items.filter(({ org }) => org === undefined).length;
  const isOne = unknown === 1;
  const doubt = mrkdwn`⚠ The org of ${plural(unknown, 'line')} cannot be read: ${isOne ? 'it may be a surcharge' : 'they may be surcharges'}`;
  if (texts.length > 0) return [lines(texts, MAX_EXTRAS), ...(unknown > 0 ? [section(doubt)] : [])];
  return [section(unknown > 0 ? doubt : mrkdwn`No surcharges and no credits so far.`)];
}
