import { describeRange } from '../../figures/range.ts';
import type { Range } from '../../figures/range.ts';
import { plural } from '../../lib/text.ts';
import { amountDue } from '../../platform/billing/invoices.ts';
import type { Invoice } from '../../platform/billing/invoices.ts';
import { code, mrkdwn, section, selectMenu, table, topText } from '../../slack/kit/index.ts';
import type { Answer } from '../../slack/routes.ts';
import { monthsInWords } from './months.ts';
import { pageNotes, pageOf, turnButtons } from './paging.ts';
import {
  footnotes,
  invoiceStatus,
  isPartial,
  nameOf,
  NOTHING,
  orgsInShort,
  SHARING,
  smallPrint,
} from './words.ts';
import type { Money } from './words.ts';
import { sumOf } from './lines.ts';

export const SHOW_ACTION = 'invoices.show';

export interface ListView {
  /** Newest first. */
  invoices: readonly Invoice[];
  range: Range;
  /** From 0 on. */
  page: number;
  /** Invoices that could not be read. */
  skipped: number;
  /** Ms since the epoch, as is `now`. */
  readAt: number;
  now: number;
  money: Money;
  /** What the answer stands for in the store. */
  kept: string | undefined;
}

/** What `/invoices list` answers. Pure. */
export function listAnswer(view: ListView): Answer {
  const { invoices, money, kept } = view;
  const span = describeRange(view.range);
  const notes = footnotes({ ...view, thing: 'invoice' });
  if (invoices.length === 0) {
    const head = mrkdwn`No invoices from ${span}: try a wider range such as ${code('/invoices list last 36 months')}, or ${code('/invoices pending')} for what is not billed yet.`;
    return { text: topText(head), blocks: [section(head), ...smallPrint(notes)] };
  }
  const head = mrkdwn`*${plural(invoices.length, 'invoice')}* from ${span}\n${dueLine(invoices, money)}`;
  const page = pageOf(invoices, view.page);
  const turns = turnButtons(page, kept);
  return {
    text: topText(head),
    blocks: [
      section(head),
      table(
        [
          { title: 'Number', align: 'right' },
          { title: 'Months' },
          { title: 'Amount due', align: 'right' },
          { title: 'Status' },
          { title: 'Orgs' },
        ],
        page.rows.map((invoice) => cells(invoice, money)),
      ),
      ...smallPrint([...pageNotes(page, kept), ...notes]),
    ],
    controls: [[showMenu(page.rows)], ...(turns.length > 0 ? [turns] : [])],
    ...SHARING,
  };
}

function dueLine(invoices: readonly Invoice[], money: Money) {
  const open = invoices.filter(({ status }) => status !== 'paid');
  if (open.length === 0) return mrkdwn`All of them are paid.`;
  const due = sumOf(open.map((invoice) => ({ charge: amountDue(invoice) })));
  const inPart = open.filter(({ status }) => isPartial(status)).length;
  const which = inPart < open.length ? ` ${inPart} of them` : '';
  const whole = inPart > 0 ? mrkdwn`,${which} paid in part and counted whole` : '';
  return mrkdwn`*${money(due)}* due on ${plural(open.length, 'invoice')} not paid${whole}`;
}

function cells(invoice: Invoice, money: Money): string[] {
  return [
    invoice.number ? String(invoice.number) : NOTHING,
    monthsInWords(invoice.startTime, invoice.endTime),
    money(amountDue(invoice)),
    invoiceStatus(invoice.status),
    orgsInShort(invoice.orgNames),
  ];
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
