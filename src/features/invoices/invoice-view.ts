import type { KnownBlock, Button } from '@slack/types';
import { BigNumber } from 'bignumber.js';
import { compareNames, plural, truncate } from '../../lib/text.ts';
import { dayAndMonth, finalFrom, isProvisional } from '../../reporting/range.ts';
import { wholeUnits } from '../../reporting/amounts.ts';
import { formatPriced } from '../../reporting/quantity.ts';
import { lines, linkButton, type MenuItem, section } from '../../slack/kit/blocks.ts';
import { firstOf } from '../../slack/kit/fit.ts';
import { code, joinMrkdwn, mrkdwn, type Mrkdwn } from '../../slack/kit/text.ts';
import type {
  Invoice,
  InvoicePeriod,
  LineItem,
  PaymentLink,
} from '../../platform/billing/invoices.ts';
import type { Answer } from '../../slack/routing/routes.ts';
import { lineSections, NOTHING, pagedAnswer, type ReadPage, smallPrint } from '../answer-parts.ts';
import type { ListColumn } from '../list.ts';
import {
  invoiceButton,
  isSurcharge,
  itemsOf,
  linesOf,
  NOT_SAID,
  type InvoiceAction,
  type InvoiceLine,
  type ItemLines,
  type UnitOf,
  amountCell,
  amountIn,
  countUnread,
  headOf,
  invoiceStatus,
  namedCharge,
  sheetOf,
  spanOf,
  sumOf,
  type Money,
  type Sheet,
  isUnpaid,
} from './sheet.ts';
import {
  disagreementsBlock,
  endOf,
  isOff,
  reconciliationText,
  type Reconciliation,
} from './reconcile.ts';
import type { Listing } from '../../platform/billing/calls.ts';

export interface InvoiceView extends Omit<ReadPage, 'skipped'> {
  invoice: Invoice;
  reconciliation: Reconciliation;
  unitOf: UnitOf;
  money: Money;
}

export function invoiceAnswer(view: InvoiceView): Answer {
  const { invoice, money } = view;
  const sheet = sheetOf(invoice, money);
  const all = linesOf(invoice, view.unitOf);
  const rows = lineRows(itemsOf(all));
  const answer = pagedAnswer(
    { ...view, skipped: 0 },
    {
      head: joinMrkdwn([headOf(sheet), ...sheet.next], '\n'),
      above: [
        ...parts(invoice, money),
        ...disagreementsBlock([{ invoice, name: 'the invoice' }], money),
        section(reconciliationText(view.reconciliation, money, finality(view))),
        ...sumsBlock(all, money),
      ],
      caption: `Lines of ${sheet.name}`,
      columns: lineColumns(all, money),
      rows,
      thing: 'invoice',
    },
  );
  const { page } = answer.asked;
  // With Details, Share and the menu they are five controls.
  const buttons = 2 - Number(page > 1) - Number(page < answer.pages);
  const steps = stepsOf(sheet, invoice);
  return {
    ...answer,
    buttons: steps
      .slice(0, buttons)
      .flatMap(({ text, kind }) => invoiceButton(text, kind, invoice)),
    menu: steps
      .slice(buttons)
      .map(({ text, kind }): MenuItem => ({ text, action: `invoices.${kind}` })),
    notes: lineNotes(all, rows),
    rest: {
      button: 'Details',
      title: truncate(sheet.name, 24),
      blocks: detailBlocks(view, all),
    },
  };
}

function finality({ invoice, reconciliation, now }: InvoiceView) {
  const endMs = endOf(invoice);
  if (!isProvisional({ endMs }, now)) return { isFinal: true };
  const step = isOff(reconciliation) ? ': look again then' : '';
  const of = mrkdwn` (provisional until ${dayAndMonth(finalFrom({ endMs }))}${step})`;
  return { isFinal: false, of };
}

/** The most likely first: the first ones are buttons, the others are in the menu. */
function stepsOf({ pay }: Sheet, { id, periods, credits }: Invoice): Step[] {
  if (id === '') return [];
  const hasLines = credits.length > 0 || periods.some(({ items }) => items.length > 0);
  return [
    ...(pay === undefined ? [] : [{ text: pay, kind: 'pay' as const }]),
    { text: 'PDF', kind: 'pdf' },
    ...(hasLines ? [{ text: 'CSV', kind: 'csv' as const }] : []),
    ...(pay === undefined ? [{ text: 'Payment links', kind: 'pay' as const }] : []),
    { text: 'Deliveries', kind: 'deliveries' },
  ];
}

interface Step {
  readonly text: string;
  readonly kind: InvoiceAction;
}

/** Ids, and every line with its rate, which a narrow table cuts. */
function detailBlocks({ invoice, money }: InvoiceView, all: readonly InvoiceLine[]): KnownBlock[] {
  const { orgNames, id, periods, credits } = invoice;
  const rated = all.map((line) => {
    const { org, item, charge, period } = line;
    const { quantity, rate } = pricedIn(line, money);
    const cells = [
      isSurcharge(line) ? '(surcharge)' : (org ?? NOT_SAID),
      item || NOTHING,
      ...(quantity === undefined ? [] : [quantity]),
      ...(rate === undefined ? [] : [rate]),
      spanOf(period),
      amountIn(money, charge),
    ];
    return mrkdwn`• ${cells.map((one) => truncate(one, 60)).join(' · ')}`;
  });
  const orgs =
    firstOf(
      orgNames.map((name) => truncate(name, 40)),
      MAX_NAMES,
    ) || NOTHING;
  return [
    lines([mrkdwn`Id: ${code(id, 80)}`, mrkdwn`Orgs: ${orgs}`]),
    ...lineSections([
      ...periods.map((period) => periodLine(period, money)),
      ...credits.map((credit) => creditLine(credit, money)),
    ]),
    ...lineSections(rated),
  ];
}

const MAX_NAMES = 50;

/** Periods, if they add anything to the invoice as a whole, and credits. */
function parts(invoice: Invoice, money: Money): KnownBlock[] {
  const { periods, credits } = invoice;
  const texts = [
    ...(repeatsInvoice(invoice) ? [] : periods.map((period) => periodLine(period, money))),
    ...credits.map((credit) => creditLine(credit, money)),
  ];
  return texts.length === 0 ? [] : [lines(texts)];
}

function periodLine(period: InvoicePeriod, money: Money) {
  return mrkdwn`• Period ${spanOf(period)}: ${amountIn(money, period.totalCharge)}, ${invoiceStatus(period.status)}`;
}

function creditLine(credit: LineItem, money: Money) {
  return mrkdwn`• ${namedCharge('Credit', credit, money)}`;
}

function repeatsInvoice({ periods: [first, ...others], ...invoice }: Invoice): boolean {
  return (
    first !== undefined &&
    others.length === 0 &&
    first.startTime === invoice.startTime &&
    first.endTime === invoice.endTime &&
    first.status === invoice.status &&
    first.totalCharge !== undefined &&
    invoice.totalCharge !== undefined &&
    first.totalCharge.eq(invoice.totalCharge)
  );
}

/** The other orgs are added up. */
const MAX_ORGS = 5;

/** A line, or the sum of an item's lines, which has neither rate nor period. */
type LineRow = Pick<InvoiceLine, 'org' | 'item' | 'charge' | 'quantity' | 'unit'> &
  Partial<Pick<InvoiceLine, 'rate' | 'period'>>;

function lineRows(items: readonly ItemLines[]): LineRow[] {
  return items.flatMap(({ lines: own, ...item }): LineRow[] => {
    if (own.length === 1) return [...own];
    const charge = countUnread(own) === 0 ? item.charge : undefined;
    const name = `${item.item || NOTHING}, ${plural(own.length, 'line')} together`;
    return [{ ...item, item: name, charge }, ...own];
  });
}

function sumsBlock(lines: readonly InvoiceLine[], money: Money): KnownBlock[] {
  const unread = countUnread(lines);
  if (lines.length < 2 && unread === 0) return [];
  const orgs = orgsOf(lines);
  const others = orgs.slice(MAX_ORGS);
  const sums = [
    ...orgs
      .slice(0, MAX_ORGS)
      .map(
        ({ org, charge }) =>
          mrkdwn`${org === '' ? '(surcharges)' : truncate(org ?? NOT_SAID, 24)} ${money(charge)}`,
      ),
    ...(others.length > 0
      ? [mrkdwn`${plural(others.length, 'other')} ${money(sumOf(others))}`]
      : []),
  ];
  const all = mrkdwn`All lines: *${money(sumOf(lines))}*`;
  const head = orgs.length > 1 ? mrkdwn`${all} = ${joinMrkdwn(sums, ' + ')}` : all;
  const missing = mrkdwn`⚠ The charge of ${plural(unread, 'line')} is not readable: sums are without ${unread === 1 ? 'it' : 'them'}`;
  const texts = [...(unread < lines.length ? [head] : []), ...(unread > 0 ? [missing] : [])];
  return [section(joinMrkdwn(texts, '\n'))];
}

/** @param all every line of the invoice, so that all pages have the same columns */
function lineColumns(all: readonly InvoiceLine[], money: Money): ListColumn<LineRow>[] {
  const [first] = all;
  const withPeriod = all.some(({ period }) => period !== first?.period);
  const withRate = all.some(({ rate }) => rate !== undefined);
  // The charge comes early, so that it stays visible in a narrow window.
  return [
    { title: 'Org', of: ({ org }) => (isSurcharge({ org }) ? '(surcharge)' : (org ?? NOT_SAID)) },
    { title: 'Item', of: ({ item }) => item },
    { title: 'Charge', of: ({ charge }) => amountCell(money, charge) },
    ...(withPeriod
      ? [{ title: 'Period', of: ({ period }: LineRow) => (period ? spanOf(period) : NOTHING) }]
      : []),
    { title: 'Quantity', of: (row) => pricedIn(row, money).quantity ?? NOTHING },
    ...(withRate
      ? [{ title: 'Rate', of: (row: LineRow) => pricedIn(row, money).rate ?? NOTHING }]
      : []),
  ];
}

/** A surcharge has no quantity that means anything. */
function pricedIn({ org, unit, quantity, rate, charge }: LineRow, { currency }: Money) {
  const counted = isSurcharge({ org }) ? undefined : quantity;
  const whole = charge && wholeUnits(charge, currency);
  return formatPriced({ quantity: counted, rate, charge: whole }, currency, unit);
}

function lineNotes(all: readonly InvoiceLine[], rows: readonly LineRow[]): string[] {
  if (all.length === 0) return [];
  const sums = rows.length > all.length ? '; “together” is the sum of an item’s lines' : '';
  return [
    `${plural(all.length, 'line')}, one for each org, item, pricing tier and period; the largest item first${sums}`,
  ];
}

/** Readable charges by org, the largest first; "": surcharges. */
function orgsOf(lines: readonly InvoiceLine[]): { org: string | undefined; charge: BigNumber }[] {
  const sums = new Map<string | undefined, BigNumber>();
  for (const { org, charge } of lines) {
    if (charge) sums.set(org, charge.plus(sums.get(org) ?? new BigNumber(0)));
  }
  return [...sums]
    .map(([org, charge]) => ({ org, charge }))
    .toSorted((a, b) => b.charge.comparedTo(a.charge)! || compareNames(a.org ?? '', b.org ?? ''));
}

/** The others are counted; an invoice has one or two. */
const MAX_PAGES = 15;

export interface PayView {
  invoice: Invoice;
  /** Undefined: refused by the platform, as for an account that is not billed by card. */
  links: Listing<PaymentLink> | undefined;
  money: Money;
}

/** The answer to `/invoices pay`; cannot be shared with a channel. Pure. */
export function payAnswer({ invoice, links, money }: PayView): Answer {
  const { items, skipped } = links ?? { items: [], skipped: 0 };
  const sheet = sheetOf(invoice, money);
  const isDoubtful = sheet.due === 'unknown-status';
  const lines = items.length > 0 ? [] : noPagesLine(sheet, skipped);
  const head = joinMrkdwn([headOf(sheet), ...(isDoubtful ? sheet.next : []), ...lines], '\n');
  const parts = partsOf(items, skipped, invoice).toSorted(
    (a, b) => Number(isPaid(a)) - Number(isPaid(b)),
  );
  const isOne = parts.length === 1;
  const pages = parts.map((part) => pageOf(part, sheet, isOne, money));
  const [these, them] = isOne ? ['this', 'it'] : ['these', 'them'];
  const missing =
    skipped > 0
      ? `${plural(skipped, 'payment page')} could not be read`
      : `The invoice has ${plural(invoice.periods.length, 'period')}`;
  const unsure = mrkdwn`⚠ ${missing}, so ${these} may be only a part: open ${them} and compare the amount`;
  const more = mrkdwn`… and ${plural(pages.length - MAX_PAGES, 'more payment page')}`;
  return {
    blocks: [
      section(head),
      ...pages
        .slice(0, MAX_PAGES)
        .map(({ line, press }) => section(line, isOne ? undefined : press)),
      ...smallPrint([
        ...(pages.length > MAX_PAGES ? [more] : []),
        ...(items.length > 0 && !isComplete(items, skipped, invoice) ? [unsure] : []),
      ]),
    ],
    buttons: isOne ? pages.flatMap(({ press }) => press ?? []) : [],
  };
}

function noPagesLine({ due }: Sheet, skipped: number): Mrkdwn[] {
  if (due === 'paid' || due === 'nothing') return [];
  return [
    skipped > 0
      ? mrkdwn`The platform’s payment pages cannot be read: please try again, and contact your Purser administrator if it lasts.`
      : mrkdwn`Only accounts that are billed by card have a payment page: pay as agreed with the platform.`,
  ];
}

interface Part {
  readonly link: PaymentLink;
  /** "October 2026", or "October 2026 (2)" if several pages are of the same months. */
  readonly name: string;
  readonly period: InvoicePeriod | undefined;
}

function isPaid({ period }: Part): boolean {
  return period?.status === 'paid';
}

/** Each period may have a page of its own. */
function isComplete(links: readonly PaymentLink[], skipped: number, { periods }: Invoice): boolean {
  return skipped === 0 && links.length >= periods.length;
}

/** Links and periods share no id, so they are matched by their order, if no link is missing. */
function partsOf(links: readonly PaymentLink[], skipped: number, invoice: Invoice): Part[] {
  const { periods } = invoice;
  const isWhole = isComplete(links, skipped, invoice);
  const own = isWhole && links.length === periods.length ? periods : [];
  const of = isWhole ? ` of ${links.length}` : '';
  const names = links.map((_, at) => {
    const months = own[at] === undefined ? NOTHING : spanOf(own[at]);
    const part = isWhole && links.length === 1 ? 'The whole invoice' : `Part ${at + 1}${of}`;
    return months === NOTHING ? part : months;
  });
  return links.map((link, at) => {
    const name = names[at] ?? '';
    const isShared = names.filter((other) => other === name).length > 1;
    return { link, name: isShared ? `${name} (${at + 1})` : name, period: own[at] };
  });
}

/**
 * A payment page in words, and the button that opens it: below the answer if there is one page, else beside the line.
 * @param isOnly whether the invoice has no other page
 */
function pageOf(
  part: Part,
  sheet: Sheet,
  isOnly: boolean,
  money: Money,
): { line: Mrkdwn; press: Button | undefined } {
  const { name, period } = part;
  const { externalUrl } = part.link;
  const isDue = sheet.due !== 'nothing';
  const facts = period
    ? [amountIn(money, period.totalCharge), ...(isDue ? [invoiceStatus(period.status)] : [])]
    : [];
  const url = URL.canParse(externalUrl) ? new URL(externalUrl) : undefined;
  const press =
    url?.protocol === 'https:' ? linkButton(pageLabel(part, sheet, isOnly), url.href) : undefined;
  const address = press
    ? mrkdwn`page at ${code(url?.host ?? '')}`
    : mrkdwn`${code(externalUrl, 500)} (no button, because it is not an https address that Slack takes)`;
  return { line: mrkdwn`• ${[name, ...facts].join(', ')}: ${address}`, press };
}

/** Each part is named, so that the buttons differ; nothing invites to pay an amount that is not due. */
function pageLabel(part: Part, { due }: Sheet, isOnly: boolean): string {
  // Of the only page the status of the invoice decides.
  if (due === 'paid' || (!isOnly && isPaid(part))) return 'Receipt';
  if (isOnly) return due === 'nothing' ? 'See the page' : 'Open payment page';
  if (due === 'nothing') return `See ${part.name}`;
  return `${part.period && isUnpaid(part.period) ? 'Pay' : 'Open'} ${part.name}`;
}
