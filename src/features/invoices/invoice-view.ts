import type { KnownBlock } from '@slack/types';
import type { BigNumber } from 'bignumber.js';
import { describeRange } from '../../figures/range.ts';
import { plural } from '../../lib/text.ts';
import { amountDue } from '../../platform/billing/invoices.ts';
import type { Invoice } from '../../platform/billing/invoices.ts';
import {
  button,
  code,
  joinMrkdwn,
  lines,
  mrkdwn,
  section,
  topText,
} from '../../slack/kit/index.ts';
import type { Mrkdwn } from '../../slack/kit/index.ts';
import type { Answer } from '../../slack/routes.ts';
import { NO_BUTTONS } from '../no-buttons.ts';
import { dueOf, isPartial, statusDoubt, wholeCounted } from './due.ts';
import type { Due } from './due.ts';
import { countUnread, itemsOf, linesOf, sumOf } from './lines.ts';
import type { UnitOf } from './lines.ts';
import { lineNotes, lineRows, lineTable, sumsBlock } from './lines-view.ts';
import { monthsInWords } from './months.ts';
import { pageNumber, pageOf, turnButtons } from './paging.ts';
import type { Comparison, Reconciliation } from './reconcile.ts';
import { disagreementsBlock } from './totals-view.ts';
import {
  amountIn,
  footnotes,
  invoiceStatus,
  namedCharge,
  nameOf,
  orgsInShort,
  SHARING,
  signed,
  smallPrint,
} from './words.ts';
import type { Money } from './words.ts';

export const CSV_ACTION = 'invoices.csv';
export const PDF_ACTION = 'invoices.pdf';
export const PAY_ACTION = 'invoices.pay';
export const DELIVERIES_ACTION = 'invoices.deliveries';

const MAX_PERIODS = 15;
const MAX_CREDITS = 5;

export interface InvoiceView {
  invoice: Invoice;
  reconciliation: Reconciliation;
  /** For lines that do not say their unit. */
  unitOf: UnitOf;
  /** Of the table, from 0 on. */
  page: number;
  /** Ms since the epoch, as is `now`. */
  readAt: number;
  now: number;
  money: Money;
  /** What `money` is in. */
  currency: string;
  /** What the answer stands for in the store. */
  kept: string | undefined;
}

/** What `/invoices show` answers. Pure. */
export function invoiceAnswer(view: InvoiceView): Answer {
  const { invoice, money, kept } = view;
  const title = headline(invoice);
  const all = linesOf(invoice, view.unitOf);
  const rows = lineRows(itemsOf(all));
  const page = pageOf(rows, view.page);
  const turns = turnButtons(page, kept);
  return {
    text: topText(title),
    blocks: [
      section(joinMrkdwn([title, dueLine(invoice, money), orgLine(invoice)], '\n')),
      ...parts(invoice, money),
      ...disagreementsBlock([{ invoice, name: 'the invoice' }], money),
      section(comparisonLine(view.reconciliation, money)),
      ...sumsBlock(all, money),
      ...lineTable(page.rows, all, view),
      ...smallPrint([
        ...pageNumber(page),
        ...(kept === undefined ? [mrkdwn`${NO_BUTTONS}`] : []),
        ...lineNotes(all, rows),
        ...footnotes({ ...view, skipped: 0, thing: 'invoice' }),
      ]),
    ],
    controls: turns.length > 0 ? [turns] : [],
    buttons: kept === undefined ? [] : moreButtons(kept, all.length + invoice.credits.length > 0),
    ...SHARING,
  };
}

/** How many rows the table of an invoice has, on all its pages. */
export function countRows(invoice: Invoice, unitOf: UnitOf): number {
  return lineRows(itemsOf(linesOf(invoice, unitOf))).length;
}

/** Number, months, exact range and status. */
function headline(invoice: Invoice): Mrkdwn {
  const { startTime: startMs, endTime: endMs, status } = invoice;
  const name = mrkdwn`*${nameOf(invoice)}* · ${monthsInWords(startMs, endMs)}`;
  const isKnown = startMs !== undefined && endMs !== undefined;
  const span = isKnown ? mrkdwn` (${describeRange({ startMs, endMs })})` : '';
  return mrkdwn`${name}${span} · ${invoiceStatus(status)}`;
}

/** What is due, or was paid, and how it comes about. */
function dueLine(invoice: Invoice, money: Money): Mrkdwn {
  const { totalCharge, credits } = invoice;
  const due = dueOf(invoice);
  const made = amountDue(invoice);
  const doubt = due.kind === 'unknown-status' ? mrkdwn`; ${statusDoubt(invoice)}` : '';
  const { unread, label } = startsOf(due);
  if (made === undefined || totalCharge === undefined) {
    return mrkdwn`${unread} total cannot be read${creditsPart(invoice, money)}${doubt}`;
  }
  const before = mrkdwn`${money(totalCharge)} before credits${creditsPart(invoice, money)}`;
  if (made.amount.isZero()) {
    return totalCharge.gt(0)
      ? mrkdwn`Nothing to pay: credits cover it (${before})`
      : mrkdwn`Nothing to pay: the total is ${money(totalCharge)}`;
  }
  const amount = mrkdwn`${made.isExact ? '' : 'at most '}*${money(made.amount)}*`;
  const whole = due.kind === 'open' && isPartial(invoice.status) ? wholeCounted() : '';
  const parts = credits.length === 0 ? mrkdwn`, no credits` : mrkdwn` = ${before}`;
  return mrkdwn`${label} ${amount}${whole}${parts}${doubt}`;
}

/** How the line of what is due begins: before an amount, and where the total cannot be read. */
function startsOf({ kind }: Due): { label: string; unread: string } {
  switch (kind) {
    case 'paid':
      return { label: 'Paid', unread: 'Paid, but the' };
    case 'unknown-status':
      return { label: 'In all', unread: 'The' };
    case 'open':
    case 'nothing':
    case 'unreadable':
      return { label: 'Amount due', unread: 'What is due is not known: the' };
  }
}

/** ", credits -$5.00", and which of them are missing in it. */
function creditsPart({ credits }: Invoice, money: Money): Mrkdwn {
  const unread = countUnread(credits);
  const sum = unread === credits.length ? '' : `, credits ${money(sumOf(credits))}`;
  const missing = unread === 0 ? '' : `, ${plural(unread, 'credit')} not readable and not counted`;
  return mrkdwn`${sum}${missing}`;
}

function orgLine({ orgNames, id }: Invoice): Mrkdwn {
  return mrkdwn`Orgs: ${orgsInShort(orgNames)} · id ${code(id, 80)}`;
}

function parts({ periods, credits }: Invoice, money: Money): KnownBlock[] {
  const ofPeriods = periods.map(
    ({ startTime, endTime, totalCharge, status }) =>
      mrkdwn`• Period ${monthsInWords(startTime, endTime)}: ${amountIn(money, totalCharge)}, ${invoiceStatus(status)}`,
  );
  const ofCredits = credits.map((credit) => mrkdwn`• ${namedCharge('Credit', credit, money)}`);
  return [
    ...(ofPeriods.length > 0 ? [lines(ofPeriods, MAX_PERIODS)] : []),
    ...(ofCredits.length > 0 ? [lines(ofCredits, MAX_CREDITS)] : []),
  ];
}

/** The charge query of the same months beside the invoice, and what the difference is made of. */
function comparisonLine(reconciliation: Reconciliation, money: Money): Mrkdwn {
  if ('impossible' in reconciliation) {
    return mrkdwn`No comparison with the charges of the same months: ${reconciliation.impossible}`;
  }
  const { charged, invoiced, isBeforeCredits, mayBeTooLow } = reconciliation;
  const difference = invoiced.minus(charged);
  const reasons = reasonsFor(reconciliation, money);
  const low = mayBeTooLow
    ? [
        mrkdwn`⚠ These charges may be too low, because the chargeable items could not be read: some usage may count as 0`,
      ]
    : [];
  const both = mrkdwn`Charges of the same months: ${money(charged)}`;
  const before = isBeforeCredits ? ' before credits' : '';
  const compared =
    reasons.length === 0
      ? mrkdwn`${both}, exactly what is on the invoice${before}`
      : mrkdwn`${both}; invoice${before}: ${money(invoiced)}; difference ${signed(money, difference)}: ${joinMrkdwn(reasons, ', ')}`;
  return joinMrkdwn([compared, ...low], '\n');
}

const SMALL_REST = ' (rounding or later revisions)';
const UNREAD_REST = ' (surcharges that are not readable may be in it)';

function reasonsFor(
  { credits, surcharges, rest, isRestSmall, hasUnreadSurcharges }: Comparison,
  money: Money,
): Mrkdwn[] {
  const amount = (words: string, value: BigNumber, why = '') =>
    value.isZero() ? [] : [mrkdwn`${words} ${signed(money, value)}${why}`];
  return [
    ...amount('credits', credits),
    ...amount('surcharges (lines without an org)', surcharges),
    ...(hasUnreadSurcharges || isRestSmall
      ? amount('rest', rest, hasUnreadSurcharges ? UNREAD_REST : SMALL_REST)
      : amount('unexplained', rest)),
  ];
}

function moreButtons(kept: string, hasLines: boolean) {
  return [
    ...(hasLines ? [button({ action: CSV_ACTION, text: 'CSV', value: kept })] : []),
    button({ action: PDF_ACTION, text: 'PDF', value: kept }),
    button({ action: PAY_ACTION, text: 'Payment links', value: kept }),
    button({ action: DELIVERIES_ACTION, text: 'Deliveries', value: kept }),
  ];
}
