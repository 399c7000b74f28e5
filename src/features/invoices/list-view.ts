import { BigNumber } from 'bignumber.js';
import { plural } from '../../lib/text.ts';
import type { Invoice } from '../../platform/billing/invoices.ts';
import { describeRange, type Range } from '../../reporting/range.ts';
import { section } from '../../slack/kit/blocks.ts';
import { type Cell, Numeric } from '../../slack/kit/tables.ts';
import { code, joinMrkdwn, mrkdwn, type Mrkdwn } from '../../slack/kit/text.ts';
import type { Answer } from '../../slack/routing/routes.ts';
import { footnotes, NOTHING, SHARING, smallPrint, type ReadPage } from '../answer-parts.ts';
import { type ListColumn, listed } from '../list.ts';
import { invoiceButton } from './lines.ts';
import {
  amountCell,
  dueInWords,
  invoiceStatus,
  isPartial,
  orgsInShort,
  sheetOf,
  PAID_UNKNOWN,
  type Due,
  type Money,
  type Sheet,
} from './sheet.ts';

export interface ListView extends ReadPage {
  /** Newest first. */
  invoices: readonly Invoice[];
  range: Range;
  money: Money;
}

interface Row {
  readonly invoice: Invoice;
  readonly sheet: Sheet;
}

export function listAnswer(view: ListView): Answer {
  const { invoices, money, asked } = view;
  const span = describeRange(view.range);
  if (invoices.length === 0) return noneAnswer(view, span);
  const rows = invoices.map((invoice): Row => ({ invoice, sheet: sheetOf(invoice, money) }));
  const count = mrkdwn`${plural(invoices.length, 'invoice')}, ${span}`;
  const [state = count, ...doubts] = dueLines(rows, view);
  const { blocks, page, pages } = listed({
    caption: `Invoices, ${span}`,
    columns: columnsOf(money),
    rows,
    step: ({ invoice }) => invoiceButton('Details', 'show', invoice)[0],
    page: asked.page,
  });
  return {
    blocks: [
      section(joinMrkdwn([mrkdwn`${state} · ${count}`, ...doubts], '\n')),
      ...blocks,
      ...smallPrint(footnotes({ ...view, thing: 'invoice' })),
    ],
    asked: { ...asked, page },
    pages,
    buttons: payButton(rows),
    notes: invoices.some(({ credits }) => credits.length > 0)
      ? ['Total: before credits. Amount due: after them.']
      : [],
    ...SHARING,
  };
}

/** A narrow window shows the first three. */
function columnsOf(money: Money): ListColumn<Row>[] {
  return [
    {
      title: 'No.',
      of: ({ invoice: { number } }) => (number ? new Numeric(number) : NOTHING),
    },
    { title: 'Status', of: ({ invoice }) => invoiceStatus(invoice.status) },
    { title: 'Amount due', of: ({ sheet }) => dueCell(sheet, money) },
    { title: 'Months', of: ({ sheet }) => sheet.span },
    { title: 'Total', of: ({ invoice }) => amountCell(money, invoice.totalCharge) },
    { title: 'Orgs', of: ({ invoice }) => orgsInShort(invoice.orgNames) },
  ];
}

function dueCell({ due, open, cell }: Sheet, money: Money): Cell {
  return due.kind === 'open' ? amountCell(money, open?.amount ?? due.amount, cell) : cell;
}

function noneAnswer(view: ListView, span: string): Answer {
  const { skipped } = view;
  const head =
    skipped > 0
      ? mrkdwn`There ${skipped === 1 ? 'is' : 'are'} ${plural(skipped, 'invoice')} from ${span}, and ${skipped === 1 ? 'it cannot' : 'none can'} be read: please try again, and contact your Purser administrator if it lasts.`
      : mrkdwn`No invoices from ${span}: try a wider range such as ${code('/invoices list last 36 months')}, or ${code('/invoices pending')} for what is not billed yet.`;
  const notes = footnotes({ ...view, skipped: 0, thing: 'invoice' });
  return { blocks: [section(head), ...smallPrint(notes)] };
}

/** The open amount first; each uncertainty on its own line. */
function dueLines(rows: readonly Row[], { skipped, money }: ListView): Mrkdwn[] {
  const count = (kind: Due['kind']) => rows.filter(({ sheet }) => sheet.due.kind === kind).length;
  const [unread, unknown] = [count('unreadable'), count('unknown-status')];
  const isAllPaid = count('paid') === rows.length + skipped;
  const doubt = skipped > 0 ? ', as far as it can be read' : '';
  const nothing = unread + unknown > 0 ? 'What is due is not known' : `Nothing is due${doubt}`;
  const none = isAllPaid ? 'All paid' : nothing;
  return [
    count('open') > 0 ? openLine(rows, money) : mrkdwn`*${none}*`,
    ...notCounted(unread, 'open', 'an amount that cannot be read'),
    ...notCounted(unknown, '', 'a status that Purser does not know'),
  ];
}

function notCounted(count: number, which: string, what: string): Mrkdwn[] {
  if (count === 0) return [];
  const [has, is] = count === 1 ? ['has', 'is'] : ['have', 'are'];
  const those = `${count} ${[which, count === 1 ? 'invoice' : 'invoices'].filter(Boolean).join(' ')}`;
  return [mrkdwn`⚠ ${those} ${has} ${what} and ${is} not counted`];
}

const TROUBLE = {
  'payment-failed': 'failed',
  'partially-paid': 'partly paid',
  'partially-failed': 'partly failed',
};

/** "*At most $5,098.00 open* in 4 invoices · 1 failed · 1 partly paid (the paid part of 1 is not known)". */
function openLine(rows: readonly Row[], money: Money): Mrkdwn {
  let [open, full, isExact] = [new BigNumber(0), new BigNumber(0), true];
  const statuses: string[] = [];
  let whole = 0;
  for (const { invoice, sheet } of rows) {
    if (sheet.due.kind !== 'open') continue;
    open = open.plus(sheet.open?.amount ?? sheet.due.amount);
    full = full.plus(sheet.due.amount);
    isExact &&= sheet.due.isExact;
    statuses.push(invoice.status);
    if (isPartial(invoice.status) && sheet.open === undefined) whole += 1;
  }
  const trouble = Object.entries(TROUBLE).flatMap(([status, words]) => {
    const count = statuses.filter((one) => one === status).length;
    return count === 0 ? [] : [`${count} ${words}`];
  });
  const parts = [plural(statuses.length, 'invoice'), ...trouble].join(' · ');
  const sum = dueInWords({ amount: open, isExact: isExact && whole === 0 }, money);
  const unknown =
    statuses.length === 1 ? PAID_UNKNOWN : `what is paid of ${whole} of them is not known`;
  const of = open.eq(full) ? '' : ` of ${dueInWords({ amount: full, isExact }, money)}`;
  return mrkdwn`*${sum.replace(/^a/, 'A')} open*${of} in ${parts}${whole === 0 ? '' : ` (${unknown})`}`;
}

/** For the invoice to pay first: one that failed, else the oldest. */
function payButton(rows: readonly Row[]) {
  const open = rows.filter(({ sheet }) => sheet.due.kind === 'open');
  const failed = open.filter(({ invoice }) => invoice.status.endsWith('failed'));
  const { invoice, sheet } = failed.at(-1) ?? open.at(-1) ?? {};
  if (invoice === undefined || sheet?.pay === undefined) return [];
  const text = open.length === 1 ? sheet.pay : `Pay ${sheet.name}`;
  return invoiceButton(text, 'pay', invoice);
}
