import type { Button, KnownBlock } from '@slack/types';
import { plural } from '../../lib/text.ts';
import type { Listing } from '../../platform/billing/calls.ts';
import {
  amountDue,
  type Invoice,
  type InvoicePeriod,
  type PaymentLink,
  type PendingInvoice,
} from '../../platform/billing/invoices.ts';
import { lines, linkButton, section } from '../../slack/kit/blocks.ts';
import { Numeric } from '../../slack/kit/tables.ts';
import { code, joinMrkdwn, mrkdwn, type Mrkdwn } from '../../slack/kit/text.ts';
import type { Answer } from '../../slack/routing/routes.ts';
import { NOTHING, pagedAnswer, smallPrint, type ReadPage } from '../answer-parts.ts';
import type { ListColumn } from '../list.ts';
import { isSurcharge } from './lines.ts';
import { disagreementsBlock } from './reconcile.ts';
import {
  amountCell,
  amountIn,
  countUnread,
  dueInWords,
  headOf,
  invoiceStatus,
  isUnpaid,
  namedCharge,
  orgsInShort,
  sheetOf,
  spanOf,
  sumOf,
  type Money,
  type Sheet,
} from './sheet.ts';

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
      columns: columnsOf(money),
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

function columnsOf(money: Money): ListColumn<ReturnType<typeof rowsOf>[number]>[] {
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
  const unread = mrkdwn`⚠ ${plural(skipped, 'payment page')} could not be read, so ${these} may be only a part: open ${them} and compare the amount`;
  const more = mrkdwn`… and ${plural(pages.length - MAX_PAGES, 'more payment page')}`;
  return {
    blocks: [
      section(head),
      ...pages
        .slice(0, MAX_PAGES)
        .map(({ line, press }) => section(line, isOne ? undefined : press)),
      ...smallPrint([
        ...(pages.length > MAX_PAGES ? [more] : []),
        ...(skipped > 0 && items.length > 0 ? [unread] : []),
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

/** Links and periods share no id, so they are matched by their order, if no link is missing. */
function partsOf(links: readonly PaymentLink[], skipped: number, { periods }: Invoice): Part[] {
  const isComplete = skipped === 0;
  const own = isComplete && links.length === periods.length ? periods : [];
  const of = isComplete ? ` of ${links.length}` : '';
  const names = links.map((_, at) => {
    const months = own[at] === undefined ? NOTHING : spanOf(own[at]);
    const part = links.length + skipped === 1 ? 'The whole invoice' : `Part ${at + 1}${of}`;
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
function pageLabel(part: Part, sheet: Sheet, isOnly: boolean): string {
  if (isPaid(part) || (isOnly && sheet.due === 'paid')) return 'Receipt';
  if (sheet.due === 'nothing') return `See ${part.name}`;
  if (!isOnly) return `${part.period && isUnpaid(part.period) ? 'Pay' : 'Open'} ${part.name}`;
  return 'Open payment page';
}
