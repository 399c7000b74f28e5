import { plural } from '../../lib/text.ts';
import type { Invoice } from '../../platform/billing/invoices.ts';
import { describeRange, type Range } from '../../reporting/range.ts';
import { section, table, topText, type Column } from '../../slack/kit/blocks.ts';
import { selectMenu } from '../../slack/kit/inputs.ts';
import { code, joinMrkdwn, mrkdwn, type Mrkdwn } from '../../slack/kit/text.ts';
import type { Answer } from '../../slack/routing/routes.ts';
import {
  footnotes,
  screenReaderText,
  NOTHING,
  pageNotes,
  pageOf,
  SHARING,
  smallPrint,
} from '../answer-parts.ts';
import {
  amountIn,
  dueInWords,
  dueOf,
  invoiceStatus,
  monthsInWords,
  nameOf,
  orgsInShort,
  turnButtons,
  UNREADABLE,
  statusInWords,
  WHOLE_COUNTED,
  type Due,
  type Money,
  sumOf,
} from './lines.ts';

export const SHOW_ACTION = 'invoices.show';

export interface ListView {
  /** Newest first. */
  invoices: readonly Invoice[];
  range: Range;
  /** From 0 on. */
  page: number;
  skipped: number;
  /** Ms since the epoch, as is `now`. */
  readAt: number;
  now: number;
  money: Money;
  /** Id of the stored state; undefined: it could not be stored. */
  kept: string | undefined;
}

/** The answer to `/invoices list`. Pure. */
export function listAnswer(view: ListView): Answer {
  const { invoices, money, kept } = view;
  const span = describeRange(view.range);
  if (invoices.length === 0) return noneAnswer(view, span);
  const [state = mrkdwn``, ...doubts] = dueLines(view);
  const count = mrkdwn`${plural(invoices.length, 'invoice')}, ${span}`;
  const head = joinMrkdwn([mrkdwn`${state} · ${count}`, ...doubts], '\n');
  const page = pageOf(invoices, view.page);
  const turns = turnButtons(page, kept);
  return {
    text: topText(
      screenReaderText(
        head,
        page.rows.map((invoice) => screenReaderRow(invoice, money)),
      ),
    ),
    blocks: [
      section(head),
      table(
        COLUMNS,
        page.rows.map((invoice) => cells(invoice, money)),
      ),
      ...smallPrint([...pageNotes(page, kept), ...footnotes({ ...view, thing: 'invoice' })]),
    ],
    controls: [[showMenu(page.rows)], ...(turns.length > 0 ? [turns] : [])],
    notes: invoices.some(({ credits }) => credits.length > 0)
      ? ['Total: before credits. Amount due: after them.']
      : [],
    ...SHARING,
  };
}

const COLUMNS: readonly Column[] = [
  { title: 'Number', align: 'right' },
  { title: 'Months' },
  { title: 'Amount due', align: 'right' },
  { title: 'Status' },
  { title: 'Total', align: 'right' },
  { title: 'Orgs' },
];

function screenReaderRow(invoice: Invoice, money: Money): Mrkdwn {
  const due = dueOf(invoice);
  const amount = due.kind === 'open' ? `, ${dueInWords(due, money)} due` : '';
  const months = monthsInWords(invoice.startTime, invoice.endTime);
  return mrkdwn`${nameOf(invoice)}, ${months}: ${statusInWords(invoice.status)}${amount}`;
}

function noneAnswer(view: ListView, span: string): Answer {
  const { skipped } = view;
  const head =
    skipped > 0
      ? mrkdwn`There ${skipped === 1 ? 'is' : 'are'} ${plural(skipped, 'invoice')} from ${span}, and ${skipped === 1 ? 'it cannot' : 'none can'} be read: please try again, and tell your Purser administrator if it lasts.`
      : mrkdwn`No invoices from ${span}: try a wider range such as ${code('/invoices list last 36 months')}, or ${code('/invoices pending')} for what is not billed yet.`;
  const notes = footnotes({ ...view, skipped: 0, thing: 'invoice' });
  return { text: topText(head), blocks: [section(head), ...smallPrint(notes)] };
}

type Open = Extract<Due, { kind: 'open' }>;

/** The open amount first; each uncertainty on its own line. */
function dueLines({ invoices, skipped, money }: ListView): Mrkdwn[] {
  const dues = invoices.map(dueOf);
  const count = (kind: Due['kind']) => dues.filter((due) => due.kind === kind).length;
  const open = dues.filter((due) => due.kind === 'open');
  const [unread, unknown] = [count('unreadable'), count('unknown-status')];
  const isAllPaid = count('paid') === invoices.length + skipped;
  const doubt = unknown + skipped > 0 ? ', as far as it can be told' : '';
  const nothing = unread > 0 ? 'What is due is not known' : `Nothing is due${doubt}`;
  const none = isAllPaid ? 'All paid' : nothing;
  return [
    open.length > 0 ? openLine(invoices, open, unread, money) : mrkdwn`*${none}*`,
    ...notCounted(open.length > 0 ? 0 : unread, 'open', 'a total that cannot be read'),
    ...notCounted(unknown, '', 'a status that Purser does not know'),
  ];
}

function notCounted(count: number, which: string, what: string): Mrkdwn[] {
  if (count === 0) return [];
  const [has, is] = count === 1 ? ['has', 'is'] : ['have', 'are'];
  const those = `${count} ${[which, count === 1 ? 'invoice' : 'invoices'].filter(Boolean).join(' ')}`;
  return [mrkdwn`⚠ ${those} ${has} ${what} and ${is} not counted`];
}

/**
 * "*3 open invoices, $18,307.95* (one partly paid, full amount counted)".
 * @param unread open invoices with unreadable amounts
 */
function openLine(
  invoices: readonly Invoice[],
  open: readonly Open[],
  unread: number,
  money: Money,
): Mrkdwn {
  const amount = sumOf(open.map(({ amount: charge }) => ({ charge })));
  const isExact = open.every((one) => one.isExact);
  const partly = (status: string, words: string) => {
    const count = invoices.filter(
      (one) => one.status === status && dueOf(one).kind === 'open',
    ).length;
    if (count === 0) return [];
    const number = open.length === 1 ? '' : `${count === 1 ? 'one' : count} `;
    return [{ count, text: `${number}${words}` }];
  };
  const parts = [
    ...partly('partially-paid', 'partly paid'),
    ...partly('partially-failed', 'partly failed'),
  ];
  const partial = parts.reduce((sum, { count }) => sum + count, 0);
  const counted = partial === 1 ? WHOLE_COUNTED : 'full amounts counted';
  const whole = partial === 0 ? '' : ` (${[...parts.map(({ text }) => text), counted].join(', ')})`;
  const sum = dueInWords({ amount, isExact }, money);
  if (unread === 0) return mrkdwn`*${plural(open.length, 'open invoice')}, ${sum}*${whole}`;
  return mrkdwn`*${plural(open.length + unread, 'open invoice')}*: ${sum} for ${open.length}${whole}; what is due of ${unread} cannot be read`;
}

function cells(invoice: Invoice, money: Money): string[] {
  return [
    invoice.number ? String(invoice.number) : NOTHING,
    monthsInWords(invoice.startTime, invoice.endTime),
    dueCell(dueOf(invoice), money),
    invoiceStatus(invoice.status),
    amountIn(money, invoice.totalCharge),
    orgsInShort(invoice.orgNames),
  ];
}

function dueCell(due: Due, money: Money): string {
  switch (due.kind) {
    case 'open':
      return dueInWords(due, money);
    case 'nothing':
      return 'nothing';
    case 'unreadable':
      return UNREADABLE;
    case 'unknown-status':
      return 'not known';
    case 'paid':
      return NOTHING;
  }
}

function showMenu(invoices: readonly Invoice[]) {
  return selectMenu({
    action: SHOW_ACTION,
    placeholder: 'Show an invoice',
    options: invoices.map((invoice) => ({
      text: `${nameOf(invoice)}, ${monthsInWords(invoice.startTime, invoice.endTime)}`,
      value: invoice.id,
    })),
  });
}
