import type { KnownBlock } from '@slack/types';
import { plural } from '../../lib/text.ts';
import { amountDue } from '../../platform/billing/invoices.ts';
import type { PendingInvoice } from '../../platform/billing/invoices.ts';
import { code, lines, mrkdwn, section, table, topText } from '../../slack/kit/index.ts';
import type { Mrkdwn } from '../../slack/kit/index.ts';
import type { Answer } from '../../slack/routes.ts';
import { isSurcharge, sumOf } from './lines.ts';
import { monthsInWords } from './months.ts';
import { footnotes, NOTHING, orgsInShort, SHARING, smallPrint } from './words.ts';
import type { Money } from './words.ts';

/** Rows of the table; what has accrued is a month or two. */
const MAX_ROWS = 30;
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
  return {
    text: topText(head),
    blocks: [
      section(head),
      ...(rows.length === 0 ? [] : [table(COLUMNS, rows.slice(0, MAX_ROWS))]),
      ...(surcharges ? extras(pending, money) : []),
      ...smallPrint([
        surcharges
          ? mrkdwn`The current month only, with surcharges and credits as far as they are known`
          : mrkdwn`Without surcharges and credits: ${code('/invoices pending surcharges')} shows the current month with them`,
        ...(rows.length > MAX_ROWS ? [mrkdwn`${plural(rows.length - MAX_ROWS, 'more row')}`] : []),
        ...footnotes({ ...view, thing: 'pending invoice' }),
      ]),
    ],
    ...SHARING,
  };
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
  const total = sumOf(pending.map(({ totalCharge: charge }) => ({ charge })));
  const due = sumOf(pending.map((invoice) => ({ charge: amountDue(invoice) })));
  const line = mrkdwn`*${money(total)}* accrued and not billed yet`;
  return surcharges ? mrkdwn`${line}; *${money(due)}* would be due after credits` : line;
}

/** By period where there are several; else the invoice as it is. */
function rowsOf(invoice: PendingInvoice, money: Money): string[][] {
  const number = invoice.number ? String(invoice.number) : NOTHING;
  const orgs = orgsInShort(invoice.orgNames);
  const parts = invoice.periods.length > 1 ? invoice.periods : [invoice];
  return parts.map(({ startTime, endTime, totalCharge }) => [
    number,
    monthsInWords(startTime, endTime),
    totalCharge ? money(totalCharge) : NOTHING,
    orgs,
  ]);
}

/** Surcharges and credits by name. */
function extras(pending: readonly PendingInvoice[], money: Money): KnownBlock[] {
  const said = pending.flatMap(({ periods, credits }) => [
    ...periods
      .flatMap(({ items }) => items.filter(isSurcharge))
      .map((line) => mrkdwn`• Surcharge ${code(line.description, 120)}: ${money(line.charge)}`),
    ...credits.map(
      (line) => mrkdwn`• Credit ${code(line.description, 120)}: ${money(line.charge)}`,
    ),
  ]);
  return said.length === 0
    ? [section(mrkdwn`No surcharges and no credits so far.`)]
    : [lines(said, MAX_EXTRAS)];
}
