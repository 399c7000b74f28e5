import type { KnownBlock } from '@slack/types';
import type { BigNumber } from 'bignumber.js';
import { formatInUnit } from '../../figures/quantity.ts';
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
  table,
  topText,
} from '../../slack/kit/index.ts';
import type { Mrkdwn } from '../../slack/kit/index.ts';
import type { Answer } from '../../slack/routes.ts';
import { isSurcharge, linesOf, sumOf } from './lines.ts';
import type { InvoiceLine, UnitOf } from './lines.ts';
import { monthsInWords } from './months.ts';
import { pageNotes, pageOf, turnButtons } from './paging.ts';
import type { Comparison, Reconciliation } from './reconcile.ts';
import {
  footnotes,
  invoiceStatus,
  nameOf,
  NOTHING,
  orgsInShort,
  SHARING,
  smallPrint,
} from './words.ts';
import type { Money } from './words.ts';

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
  /** Of the lines, from 0 on. */
  page: number;
  /** Ms since the epoch, as is `now`. */
  readAt: number;
  now: number;
  money: Money;
  /** What the answer stands for in the store. */
  kept: string | undefined;
}

/** What `/invoices show` answers. Pure. */
export function invoiceAnswer(view: InvoiceView): Answer {
  const { invoice, money, kept } = view;
  const title = headline(invoice);
  const page = pageOf(linesOf(invoice, view.unitOf), view.page);
  const turns = turnButtons(page, kept);
  return {
    text: topText(title),
    blocks: [
      section(joinMrkdwn([title, dueLine(invoice, money), orgLine(invoice)], '\n')),
      ...parts(invoice, money),
      section(comparisonLine(view.reconciliation, money)),
      ...lineTable(page.rows, money),
      ...smallPrint([
        ...pageNotes(page, kept),
        ...(page.total > 0
          ? [
              mrkdwn`${plural(page.total, 'line')}, largest first, each the sum of the pricing tiers of one org and item`,
            ]
          : []),
        ...footnotes({ ...view, skipped: 0, thing: 'invoice' }),
      ]),
    ],
    controls: turns.length > 0 ? [turns] : [],
    buttons: kept === undefined ? [] : moreButtons(kept),
    ...SHARING,
  };
}

/** Number, months, exact range and status. */
function headline(invoice: Invoice): Mrkdwn {
  const { startTime: startMs, endTime: endMs, status } = invoice;
  const name = mrkdwn`*${nameOf(invoice)}* · ${monthsInWords(startMs, endMs)}`;
  const isKnown = startMs !== undefined && endMs !== undefined;
  const span = isKnown ? mrkdwn` (${describeRange({ startMs, endMs })})` : '';
  return mrkdwn`${name}${span} · ${invoiceStatus(status)}`;
}

function dueLine(invoice: Invoice, money: Money): Mrkdwn {
  const { totalCharge, credits } = invoice;
  const due = mrkdwn`Amount due *${money(amountDue(invoice))}*`;
  return credits.length === 0
    ? mrkdwn`${due}, no credits`
    : mrkdwn`${due} = ${money(totalCharge)} before credits, credits ${money(sumOf(credits))}`;
}

function orgLine({ orgNames, id }: Invoice): Mrkdwn {
  return mrkdwn`Orgs: ${orgsInShort(orgNames)} · id ${code(id, 80)}`;
}

function parts({ periods, credits }: Invoice, money: Money): KnownBlock[] {
  const ofPeriods = periods.map(
    ({ startTime, endTime, totalCharge, status }) =>
      mrkdwn`• Period ${monthsInWords(startTime, endTime)}: ${totalCharge ? money(totalCharge) : NOTHING}, ${invoiceStatus(status)}`,
  );
  const ofCredits = credits.map(
    ({ description, charge }) => mrkdwn`• Credit ${code(description, 120)}: ${money(charge)}`,
  );
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
  const { charged, due } = reconciliation;
  const difference = due.minus(charged);
  const reasons = reasonsFor(reconciliation, money);
  const both = mrkdwn`Charges of the same months: ${money(charged)}`;
  if (reasons.length === 0) return mrkdwn`${both}, exactly what is on the invoice`;
  return mrkdwn`${both}; invoice: ${money(due)}; difference ${signed(difference, money)}: ${joinMrkdwn(reasons, ', ')}`;
}

function reasonsFor({ credits, surcharges, rest }: Comparison, money: Money): Mrkdwn[] {
  const amount = (words: string, value: BigNumber, why = '') =>
    value.isZero() ? [] : [mrkdwn`${words} ${signed(value, money)}${why}`];
  return [
    ...amount('credits', credits),
    ...amount('surcharges (lines without an org)', surcharges),
    ...amount('rest', rest, ' (tiers over the whole account, rounding or later revisions)'),
  ];
}

function signed(amount: BigNumber, money: Money): string {
  return amount.gt(0) ? `+${money(amount)}` : money(amount);
}

function lineTable(rows: readonly InvoiceLine[], money: Money): KnownBlock[] {
  if (rows.length === 0) return [];
  const columns = [
    { title: 'Org' },
    { title: 'Item' },
    { title: 'Quantity', align: 'right' as const },
    { title: 'Charge', align: 'right' as const },
  ];
  return [
    table(
      columns,
      rows.map((line) => cells(line, money)),
    ),
  ];
}

function cells(line: InvoiceLine, money: Money): string[] {
  if (isSurcharge(line)) return ['(surcharge)', line.item, NOTHING, money(line.charge)];
  const quantity = line.quantity ? formatInUnit(line.quantity, line.unit) : NOTHING;
  return [line.org, line.item, quantity, money(line.charge)];
}

function moreButtons(kept: string) {
  return [
    button({ action: PDF_ACTION, text: 'PDF', value: kept }),
    button({ action: PAY_ACTION, text: 'Payment links', value: kept }),
    button({ action: DELIVERIES_ACTION, text: 'Deliveries', value: kept }),
  ];
}
