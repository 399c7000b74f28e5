import type { MessageContent } from '../../notify/message.ts';
import { amountDue, type Invoice } from '../../platform/billing/invoices.ts';
import { plural, shorten, truncate } from '../../lib/text.ts';
import { BigNumber } from 'bignumber.js';
import { formatChange } from '../../reporting/amounts.ts';
import { lines, section, SIGN, topText } from '../../slack/kit/blocks.ts';
import { code, joinMrkdwn, mrkdwn, Mrkdwn } from '../../slack/kit/text.ts';
import { inRoom, noticeEnd, runButton } from '../notices.ts';
import {
  countUnread,
  itemsOf,
  linesOf,
  type UnitOf,
  dueInWords,
  dueOf,
  isPartial,
  monthsInWords,
  nameOf,
  NOT_SAID,
  signed,
  statusInWords,
  WHOLE_COUNTED,
  type Money,
} from './lines.ts';
import { comparisonLine, type Reconciliation } from './reconcile.ts';

/** Number of changes on a card, and maximum characters of each org and item. */
interface Size {
  readonly movers: number;
  readonly name: number;
}
const SIZES: readonly Size[] = [
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

/** The card of an invoice: name, state, changes and next step (spec 2.8). Pure. */
export function invoiceCard(view: InvoiceCardView): MessageContent {
  const { invoice } = view;
  const title = mrkdwn`*${nameOf(invoice)}* · ${monthsInWords(invoice.startTime, invoice.endTime)}`;
  const moves = movesOf(view);
  const texts = inRoom(SIZES, WHY, (size) => [
    title,
    stateLine(view),
    ...totalLine(view),
    ...moverLines(moves, view.money, size),
    ...nextLine(invoice),
  ]);
  const id = invoice.number ? String(invoice.number) : invoice.id;
  return {
    text: topText(joinMrkdwn(texts, '\n')),
    blocks: [
      lines(texts),
      ...noticeEnd('invoices', WHY, [
        runButton('PDF', `/invoices pdf ${id}`),
        ...(['paid', 'nothing'].includes(dueOf(invoice).kind)
          ? []
          : [runButton('Pay', `/invoices pay ${id}`)]),
        runButton('All lines', `/invoices show ${id}`),
      ]),
    ],
  };
}

const WHY_REPLY = mrkdwn`Sent when something happens to an invoice.`;
const WHY = mrkdwn`Sent for each new invoice, and kept up to date; payment, e-mails and reconciliation follow in its thread.`;

function stateLine({ invoice, money }: InvoiceCardView): Mrkdwn {
  const { status, totalCharge } = invoice;
  const due = dueOf(invoice);
  const made = amountDue(invoice);
  const amount = made === undefined ? 'an amount that cannot be read' : dueInWords(made, money);
  const words = statusInWords(status);
  switch (due.kind) {
    case 'paid':
      return mrkdwn`${sign('good')} *Paid*: ${amount}`;
    case 'nothing':
      return mrkdwn`${sign('good')} *Nothing to pay*: ${totalCharge?.gt(0) ? 'credits cover it' : 'it costs nothing'}`;
    case 'unreadable':
      return mrkdwn`${sign('unknown')} *Amount due not known*: an amount cannot be read; ${words}`;
    case 'unknown-status':
      return mrkdwn`${sign('unknown')} *Status not known* (${code(status, 40)}): ${amount} in all`;
    case 'open': {
      const whole = isPartial(status) ? ` (${WHOLE_COUNTED})` : '';
      return status === 'pending-payment'
        ? mrkdwn`${sign('underWay')} *Amount due ${amount}*: ${words}`
        : mrkdwn`${sign('wrong')} *${headOf(status)}: amount due ${amount}*${whole}`;
    }
  }
}

function headOf(status: string): string {
  switch (status) {
    case 'partially-paid':
      return 'Paid in part';
    case 'partially-failed':
      return 'Payment failed in part';
    default:
      return 'Payment failed';
  }
}

function nextLine(invoice: Invoice): Mrkdwn[] {
  if (dueOf(invoice).kind !== 'open' || invoice.status === 'pending-payment') return [];
  return [
    invoice.status === 'partially-paid'
      ? mrkdwn`→ See which part is open, then pay it`
      : mrkdwn`→ Check the card with ${code('/billing account')}, then pay`,
  ];
}

/** "$4,603.96 before credits, +12.3 % vs Invoice 13 (September 2026)". */
function totalLine({ invoice, before, money }: InvoiceCardView): Mrkdwn[] {
  const { totalCharge, credits } = invoice;
  if (totalCharge === undefined) return [];
  const kind = credits.length > 0 ? ' before credits' : ' charged';
  const sum = mrkdwn`${money(totalCharge)}${kind}`;
  const earlier = before?.totalCharge;
  if (before === undefined || earlier === undefined) {
    return [mrkdwn`${sum}; there is no invoice before it to compare with`];
  }
  const versus = `${nameOf(before)} (${monthsInWords(before.startTime, before.endTime)})`;
  return [mrkdwn`${sum}, ${formatChange(totalCharge, earlier)} vs ${versus}`];
}

/** The change of an org's charge for an item; in the smallest unit. */
interface Move {
  readonly org: string;
  readonly item: string;
  readonly value: BigNumber;
  readonly was: BigNumber;
  readonly by: BigNumber;
}

/** Changes by org and item, the largest first in either direction. */
function movesOf({ invoice, before, unitOf }: InvoiceCardView): Move[] {
  if (before === undefined || ![invoice, before].every(hasLines)) return [];
  const unread = new Set<string>();
  const sums = new Map<string, Pick<Move, 'org' | 'item' | 'value' | 'was'>>();
  const add = (of: Invoice, which: 'value' | 'was') => {
    for (const { org = NOT_SAID, item, charge, lines: own } of itemsOf(linesOf(of, unitOf))) {
      const key = JSON.stringify([org, item]);
      if (countUnread(own) > 0) unread.add(key);
      const sum = sums.get(key) ?? { org: org || '(surcharge)', item, value: ZERO, was: ZERO };
      sums.set(key, { ...sum, [which]: sum[which].plus(charge) });
    }
  };
  add(invoice, 'value');
  add(before, 'was');
  // An unreadable charge is neither new nor gone.
  return [...sums]
    .filter(([key]) => !unread.has(key))
    .map(([, sum]) => ({ ...sum, by: sum.value.minus(sum.was) }))
    .filter(({ by }) => !by.isZero())
    .toSorted((a, b) => b.by.abs().comparedTo(a.by.abs()) ?? 0);
}

/** A charged invoice without lines says nothing about what changed. */
function hasLines({ totalCharge, periods }: Invoice): boolean {
  return totalCharge?.isZero() === true || periods.some(({ items }) => items.length > 0);
}

const ZERO = new BigNumber(0);

function moverLines(moves: readonly Move[], money: Money, { movers, name }: Size): Mrkdwn[] {
  const rest = moves.length - movers;
  return [
    ...moves.slice(0, movers).map(({ org, item, value, was, by }) => {
      const of = [org, item].map((one) => shorten(one, name)).join(' · ');
      return mrkdwn`• ${of}: ${signed(money, by)} (${formatChange(value, was)})`;
    }),
    ...(rest > 0 ? [mrkdwn`• and ${plural(rest, 'smaller change')}`] : []),
  ];
}

export function statusReply(invoice: Invoice, was: string, money: Money): MessageContent {
  const made = amountDue(invoice);
  const amount = made === undefined ? 'an amount that cannot be read' : dueInWords(made, money);
  const name = nameOf(invoice);
  const id = invoice.number ? String(invoice.number) : truncate(invoice.id, 60);
  const text = ((): Mrkdwn => {
    switch (invoice.status) {
      case 'paid':
        return mrkdwn`${sign('good')} *Paid*: ${name}, ${amount}; nothing more to do`;
      case 'payment-failed':
        return mrkdwn`${sign('wrong')} *${headOf(invoice.status)}*: ${name}, ${amount} still due\n→ Check the card with ${code('/billing account')}, then pay: ${code(`/invoices pay ${id}`)}`;
      case 'partially-paid':
        return mrkdwn`${sign('wrong')} *${headOf(invoice.status)}*: ${name}, ${amount} in all; how much of it is open is not said\n→ See which part is open: ${code(`/invoices show ${id}`)}`;
      case 'partially-failed':
        return mrkdwn`${sign('wrong')} *${headOf(invoice.status)}*: ${name}, ${amount} in all; how much of it is open is not said\n→ See which part failed, then pay: ${code(`/invoices pay ${id}`)}`;
      default:
        return mrkdwn`${sign('underWay')} *Status changed*: ${name}, ${statusInWords(was)} → *${statusInWords(invoice.status)}*`;
    }
  })();
  return replyOf(text);
}

/**
 * The comparison with the charges of the same months, as a reply. Pure.
 * @param isFinal the charges can no longer be revised
 */
export function reconciliationReply(
  reconciliation: Reconciliation,
  money: Money,
  isFinal: boolean,
): MessageContent {
  const state = isFinal ? 'final' : 'provisional: usage can still be revised';
  const head = reconciliationHead(reconciliation, money, isFinal);
  const named = 'impossible' in reconciliation ? head : mrkdwn`${head} (${state})`;
  return replyOf(
    mrkdwn`${named}\n${comparisonLine(reconciliation, money, { canBeRevised: !isFinal })}`,
  );
}

/** A difference is an error only once the charges can no longer be revised. */
function reconciliationHead(one: Reconciliation, money: Money, isFinal: boolean): Mrkdwn {
  if ('impossible' in one) {
    return mrkdwn`${sign('unknown')} *Reconciliation not possible${isFinal ? '' : ' yet'}*`;
  }
  const { rest, isRestSmall, hasUnreadSurcharges, mayBeTooLow } = one;
  const isExplained = rest.isZero() || (isRestSmall && !hasUnreadSurcharges);
  if (isExplained && !mayBeTooLow) return mrkdwn`${sign('good')} *Reconciliation adds up*`;
  if (isExplained) return mrkdwn`${sign('unknown')} *Reconciliation not certain*`;
  return mrkdwn`${sign(isFinal ? 'wrong' : 'underWay')} *Reconciliation off by ${signed(money, rest)}*`;
}

export function revisedReply(invoice: Invoice, was: BigNumber, money: Money): MessageContent {
  const { totalCharge } = invoice;
  const now =
    totalCharge === undefined
      ? mrkdwn`a total that cannot be read`
      : mrkdwn`*${money(totalCharge)}* (${signed(money, totalCharge.minus(was))})`;
  return replyOf(
    mrkdwn`${sign('wrong')} *Invoice revised*: ${nameOf(invoice)}, from ${money(was)} to ${now}\n→ See its lines: ${code(`/invoices show ${invoice.number || truncate(invoice.id, 60)}`)}`,
  );
}

/** The outcome of an invoice's e-mails, as a reply: counts, because addresses are for admins. Pure. */
export function deliveriesReply(
  invoice: Invoice,
  { delivered, failed }: { readonly delivered: number; readonly failed: number },
): MessageContent {
  const name = nameOf(invoice);
  const all = delivered + failed;
  return replyOf(
    failed === 0
      ? mrkdwn`${sign('good')} *E-mailed* to ${plural(all, 'recipient')}: ${name}`
      : mrkdwn`${sign('wrong')} *E-mail failed* for ${failed} of ${plural(all, 'recipient')}: ${name}\n→ Admins see which with ${code(`/invoices deliveries ${invoice.number || truncate(invoice.id, 60)}`)}`,
  );
}

function replyOf(text: Mrkdwn): MessageContent {
  return { text: topText(text), blocks: [section(text), ...noticeEnd('invoices', WHY_REPLY)] };
}

function sign(name: keyof typeof SIGN): Mrkdwn {
  return new Mrkdwn(SIGN[name]);
}
