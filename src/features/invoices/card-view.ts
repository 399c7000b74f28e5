import { BigNumber } from 'bignumber.js';
import { plural, shorten } from '../../lib/text.ts';
import { DAY_MS } from '../../lib/time.ts';
import type { MessageContent } from '../../notify/message.ts';
import { amountDue, type Invoice } from '../../platform/billing/invoices.ts';
import { formatChange } from '../../reporting/amounts.ts';
import { lines, section, sign } from '../../slack/kit/blocks.ts';
import { contentOf } from '../../slack/kit/message-text.ts';
import { joinMrkdwn, mrkdwn, type Mrkdwn } from '../../slack/kit/text.ts';
import { inRoom, noticeEnd, replyEnd, runButton } from '../notices.ts';
import {
  itemsOf,
  linesOf,
  NOT_SAID,
  type UnitOf,
  amountIn,
  countUnread,
  nameOf,
  sheetOf,
  signed,
  spanOf,
  statusInWords,
  type Money,
  type Sheet,
} from './sheet.ts';
import { isOff, reconciliationHead, reconciliationText, type Reconciliation } from './reconcile.ts';

/** Number of changes on a card, and maximum characters of each org and item. */
const SIZES = [
  { movers: 5, name: 40 },
  { movers: 5, name: 24 },
  { movers: 5, name: 12 },
  { movers: 3, name: 8 },
];

export interface InvoiceCardView {
  readonly invoice: Invoice;
  readonly before: Invoice | undefined;
  readonly unitOf: UnitOf;
  readonly money: Money;
}

const WHY = mrkdwn`Sent for each new invoice, and kept up to date; payment, e-mails and reconciliation follow in its thread.`;
const WHY_REPLY = mrkdwn`Sent when something happens to an invoice.`;

/** The card of an invoice: name, state, changes and next step (spec 2.8). Pure. */
export function invoiceCard(view: InvoiceCardView): MessageContent {
  const sheet = sheetOf(view.invoice, view.money);
  const days = daysOf(view);
  const moves = movesOf(view, days);
  const texts = inRoom(SIZES, WHY, (size) => [
    mrkdwn`*${sheet.name}* · ${sheet.span}`,
    sheet.state,
    ...totalLine(view, days),
    ...moverLines(moves, view.money, size, days === undefined ? '' : ' a day'),
    ...sheet.next,
  ]);
  const details = runButton('Details', `/invoices show ${sheet.ref}`);
  return contentOf([lines(texts), ...noticeEnd('invoices', WHY, [...payButtons(sheet), details])]);
}

function payButtons({ pay, ref }: Sheet) {
  const pdf = runButton('PDF', `/invoices pdf ${ref}`);
  return pay === undefined ? [pdf] : [runButton(pay, `/invoices pay ${ref}`), pdf];
}

/**
 * Lengths of the invoice and of the one before, in days. Undefined if both are as many whole months, or equally long, or
 * if a length is unknown.
 */
function daysOf({ invoice, before }: InvoiceCardView) {
  const [now, was] = [invoice, before].map((one) => lengthOf(one));
  if (now === undefined || was === undefined || now.days === was.days) return undefined;
  const isSame = now.months !== undefined && now.months === was.months;
  return isSame ? undefined : { now: now.days, before: was.days };
}

type Days = ReturnType<typeof daysOf>;

/** `months`: absent unless it is of whole months. */
function lengthOf({ startTime, endTime }: Partial<Invoice> = {}) {
  if (startTime === undefined || endTime === undefined || endTime <= startTime) return undefined;
  const [start, end] = [new Date(startTime), new Date(endTime)];
  const monthOf = (at: Date) => at.getUTCFullYear() * 12 + at.getUTCMonth();
  const isWhole = [start, end].every(
    (at) => Number(at) === Date.UTC(at.getUTCFullYear(), at.getUTCMonth()),
  );
  const months = isWhole ? monthOf(end) - monthOf(start) : undefined;
  return { days: (endTime - startTime) / DAY_MS, months };
}

/** "$4,603.96 before credits, +12% vs Invoice 13 (September 2026)"; per day if they are not equally long. */
function totalLine({ invoice, before, money }: InvoiceCardView, days: Days): Mrkdwn[] {
  const { totalCharge, credits } = invoice;
  if (totalCharge === undefined) return [];
  const kind = credits.length > 0 ? ' before credits' : ' charged';
  const sum = mrkdwn`${money(totalCharge)}${kind}`;
  const earlier = before?.totalCharge;
  if (before === undefined || earlier === undefined) {
    return [mrkdwn`${sum}; no earlier invoice can be compared`];
  }
  const [name, span] = [nameOf(before), spanOf(before)];
  if (totalCharge.isZero() !== earlier.isZero()) {
    return [mrkdwn`${sum}; ${name} (${span}) was ${money(earlier)}`];
  }
  if (days === undefined) {
    return [mrkdwn`${sum}, ${formatChange(totalCharge, earlier)} vs ${name} (${span})`];
  }
  const [now, was] = [totalCharge.div(days.now), earlier.div(days.before)];
  return [
    mrkdwn`${sum} for ${inDays(days.now)}: ${money(now)} a day, ${formatChange(now, was)} vs ${name} (${span}, ${inDays(days.before)}: ${money(was)} a day)`,
  ];
}

/** Invoices begin and end on the hour: less than a day is not 0 days. */
function inDays(days: number): string {
  return days < 1
    ? plural(Math.round(days * 24), 'hour')
    : plural(Math.round(days * 10) / 10, 'day');
}

/**
 * Changes by org and item, in the smallest unit or the smallest unit a day; the largest first in either direction.
 */
function movesOf({ invoice, before, unitOf }: InvoiceCardView, days: Days) {
  if (before === undefined || ![invoice, before].every(hasLines)) return [];
  const unread = new Set<string>();
  const sums = new Map<string, { org: string; item: string; value: BigNumber; was: BigNumber }>();
  const add = (of: Invoice, which: 'value' | 'was', length = 1) => {
    for (const { org = NOT_SAID, item, charge, lines: own } of itemsOf(linesOf(of, unitOf))) {
      const key = JSON.stringify([org, item]);
      if (countUnread(own) > 0) unread.add(key);
      const sum = sums.get(key) ?? { org: org || '(surcharge)', item, value: ZERO, was: ZERO };
      sums.set(key, { ...sum, [which]: sum[which].plus(charge.div(length)) });
    }
  };
  add(invoice, 'value', days?.now);
  add(before, 'was', days?.before);
  // An unreadable charge is neither new nor gone.
  return [...sums]
    .filter(([key]) => !unread.has(key))
    .map(([, sum]) => ({ ...sum, by: sum.value.minus(sum.was) }))
    .filter(({ by }) => !by.dp(0).isZero())
    .toSorted((a, b) => b.by.abs().comparedTo(a.by.abs()) ?? 0);
}

/** The changes of a charged invoice without lines are unknown. */
function hasLines({ totalCharge, periods }: Invoice): boolean {
  return totalCharge?.isZero() === true || periods.some(({ items }) => items.length > 0);
}

const ZERO = new BigNumber(0);

function moverLines(
  moves: ReturnType<typeof movesOf>,
  money: Money,
  { movers, name }: (typeof SIZES)[number],
  per: string,
): Mrkdwn[] {
  const rest = moves.length - movers;
  return [
    ...moves.slice(0, movers).map(({ org, item, value, was, by }) => {
      const of = [org, item].map((one) => shorten(one, name)).join(' · ');
      return mrkdwn`• ${of}: ${signed(money, by)}${per} (${formatChange(value, was)})`;
    }),
    ...(rest > 0 ? [mrkdwn`• and ${plural(rest, 'smaller change')}`] : []),
  ];
}

/** The state after its status moved. @param was the status before; empty: it is new */
export function statusReply(invoice: Invoice, was: string, money: Money): MessageContent {
  const sheet = sheetOf(invoice, money);
  const isPlain = invoice.status === 'paid' || isBad(invoice) || was === '';
  const before = isPlain ? '' : ` (it was: ${statusInWords(was)})`;
  const texts = [mrkdwn`${sheet.state} · ${sheet.name}${before}`, ...sheet.next];
  return replyOf(joinMrkdwn(texts, '\n'), isBad(invoice) ? payButtons(sheet) : []);
}

/** Its payment failed, or a part is open. */
export function isBad({ status }: Pick<Invoice, 'status'>): boolean {
  return /failed|partial/.test(status);
}

/**
 * The comparison with the charges of the same months, as a reply. Pure.
 * @param how `isFinal`: the charges can no longer be revised; `isBelow`: a later reply has the comparison
 */
export function reconciliationReply(
  invoice: Invoice,
  one: Reconciliation,
  money: Money,
  { isFinal, isBelow = false }: { readonly isFinal: boolean; readonly isBelow?: boolean },
): MessageContent {
  const { name, ref } = sheetOf(invoice, money);
  const state = isFinal ? 'final' : 'provisional: usage can still be revised';
  const of = mrkdwn` · ${name}${'impossible' in one ? '' : ` (${state})`}`;
  if (isBelow) {
    const head = reconciliationHead(one, money, { isFinal });
    return replyOf(mrkdwn`${head}${of}\nThe comparison follows below`);
  }
  // A final comparison is not made again by itself: Details makes it.
  const again = [runButton('Details', `/invoices show ${ref}`)];
  const files = ['PDF', 'CSV'].map((what) =>
    runButton(what, `/invoices ${what.toLowerCase()} ${ref}`),
  );
  const steps = 'impossible' in one ? again : isOff(one) ? files : [];
  return replyOf(reconciliationText(one, money, { isFinal, of }), isFinal ? steps : []);
}

/** By how much the amount due rose, in the smallest unit; undefined: it did not, or it is paid. */
export function riseOf(invoice: Invoice, was: BigNumber | undefined): BigNumber | undefined {
  const due = amountDue(invoice);
  if (due?.isExact !== true || was === undefined || invoice.status === 'paid') return undefined;
  return due.amount.gt(was) ? due.amount.minus(was) : undefined;
}

/** Another total, or a larger amount due. @param was in the smallest unit */
export function revisedReply(
  invoice: Invoice,
  was: { readonly total: BigNumber | undefined; readonly due: BigNumber | undefined },
  money: Money,
): MessageContent {
  const sheet = sheetOf(invoice, money);
  const rise = riseOf(invoice, was.due);
  const { totalCharge } = invoice;
  const by = totalCharge && was.total ? ` (${signed(money, totalCharge.minus(was.total))})` : '';
  const what =
    was.total === undefined || totalCharge?.eq(was.total)
      ? 'Its credits changed'
      : `Its total went from ${money(was.total)} to ${amountIn(money, totalCharge)}${by}`;
  const head = rise
    ? mrkdwn`*Amount due rose by ${money(rise)} to ${sheet.amount}*`
    : mrkdwn`*Revised*`;
  const details = runButton('Details', `/invoices show ${sheet.ref}`);
  return replyOf(mrkdwn`${sign('wrong')} ${head} · ${sheet.name}\n${what}`, [
    ...(rise ? payButtons(sheet) : []),
    details,
  ]);
}

/** Recipients of an invoice, by the outcome of its e-mails. */
export interface Mailed {
  readonly delivered: number;
  readonly failed: number;
  readonly underWay: number;
}

/** The outcome of an invoice's e-mails, as a reply: counts, because addresses are for admins. Pure. */
export function deliveriesReply(
  invoice: Invoice,
  { delivered, failed, underWay }: Mailed,
): MessageContent {
  const name = nameOf(invoice);
  const all = plural(delivered + failed + underWay, 'recipient');
  const rest = underWay === 0 ? '' : `, ${underWay} under way`;
  if (failed > 0) {
    return replyOf(
      mrkdwn`${sign('wrong')} *E-mail failed* for ${failed} of ${all}${rest}: ${name}\n→ Check the recipient, or disable it (billing_admin)`,
      [runButton('Deliveries', `/invoices deliveries ${invoice.number || invoice.id}`)],
    );
  }
  return replyOf(
    underWay === 0
      ? mrkdwn`${sign('good')} *E-mailed* to ${all}: ${name}`
      : mrkdwn`${sign('underWay')} *E-mailed* to ${delivered} of ${all}${rest}: ${name}`,
  );
}

function replyOf(text: Mrkdwn, buttons: Parameters<typeof replyEnd>[1] = []): MessageContent {
  return contentOf([section(text), ...replyEnd(WHY_REPLY, buttons)]);
}
