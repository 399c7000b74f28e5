import type { MessageContent } from '../../notify/message.ts';
import { amountDue } from '../../platform/billing/invoices.ts';
import type { Invoice } from '../../platform/billing/invoices.ts';
import { plural, shorten, truncate } from '../../lib/text.ts';
import { BigNumber } from 'bignumber.js';
import { formatChange } from '../../reporting/amounts.ts';
import { lines, section, SIGN, topText } from '../../slack/kit/blocks.ts';
import { code, joinMrkdwn, mrkdwn, Mrkdwn } from '../../slack/kit/text.ts';
import { noticeEnd, runButton } from '../notices.ts';
import { itemsOf, linesOf } from './lines.ts';
import type { UnitOf } from './lines.ts';
import { comparisonLine } from './reconcile.ts';
import type { Reconciliation } from './reconcile.ts';
import {
  dueInWords,
  dueOf,
  isPartial,
  monthsInWords,
  nameOf,
  signed,
  statusInWords,
  WHOLE_COUNTED,
} from './words.ts';
import type { Money } from './words.ts';

/** Changes that a card names. */
const MOVERS = 5;
/** Labels of a change. */
const NAME_LENGTH = 40;

export interface InvoiceCardView {
  readonly invoice: Invoice;
  /** The one before it; undefined where there is none to compare with. */
  readonly before: Invoice | undefined;
  /** For lines that do not say their unit. */
  readonly unitOf: UnitOf;
  readonly money: Money;
}

/** The card of an invoice: its name, its state, what changed, and what to do (spec 2.8). Pure. */
export function invoiceCard(view: InvoiceCardView): MessageContent {
  const { invoice } = view;
  const title = mrkdwn`*${nameOf(invoice)}* · ${monthsInWords(invoice.startTime, invoice.endTime)}`;
  const said = [title, stateLine(view), ...totalLine(view), ...moverLines(view)];
  const id = invoice.number ? String(invoice.number) : invoice.id;
  return {
    text: topText(joinMrkdwn(said, '\n')),
    blocks: [
      lines(said),
      ...noticeEnd('invoices', WHY, [
        runButton('PDF', `/invoices pdf ${id}`),
        ...(dueOf(invoice).kind === 'paid' ? [] : [runButton('Pay', `/invoices pay ${id}`)]),
        runButton('All lines', `/invoices show ${id}`),
      ]),
    ],
  };
}

const WHY = mrkdwn`Sent for each new invoice and kept up to date; its thread has the close-out.`;

/** The state with its sign, and the amount that it is about. */
function stateLine({ invoice, money }: InvoiceCardView): Mrkdwn {
  const { status } = invoice;
  const due = dueOf(invoice);
  const made = amountDue(invoice);
  const amount = made === undefined ? 'an amount that cannot be read' : dueInWords(made, money);
  const words = statusInWords(status);
  switch (due.kind) {
    case 'paid':
      return mrkdwn`${sign('good')} *Paid*: ${amount}`;
    case 'nothing':
      return mrkdwn`${sign('good')} *Nothing to pay*: credits cover it, or it costs nothing`;
    case 'unreadable':
      return mrkdwn`${sign('unknown')} *Amount due not known*: an amount cannot be read; ${words}`;
    case 'unknown-status':
      return mrkdwn`${sign('unknown')} *Status not known* (${code(status, 40)}): ${amount} in all`;
    case 'open': {
      const whole = isPartial(status) ? ` (${WHOLE_COUNTED})` : '';
      return mrkdwn`${sign(signOf(status))} *Amount due ${amount}*${whole}: ${words}`;
    }
  }
}

function signOf(status: string): keyof typeof SIGN {
  return status === 'pending-payment' ? 'underWay' : 'wrong';
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

/** What changed most by org and item, whichever way. */
function moverLines({ invoice, before, unitOf, money }: InvoiceCardView): Mrkdwn[] {
  if (before === undefined) return [];
  const [now, earlier] = [chargesOf(invoice, unitOf), chargesOf(before, unitOf)];
  const moves = [...new Set([...now.keys(), ...earlier.keys()])].map((name) => {
    const [value, was] = [now.get(name) ?? ZERO, earlier.get(name) ?? ZERO];
    return { name, value, was, by: value.minus(was) };
  });
  const moved = moves
    .filter(({ by }) => !by.isZero())
    .toSorted((a, b) => b.by.abs().comparedTo(a.by.abs()) ?? 0);
  const rest = moved.length - MOVERS;
  return [
    ...moved
      .slice(0, MOVERS)
      .map(
        ({ name, value, was, by }) =>
          mrkdwn`• ${name}: ${signed(money, by)} (${formatChange(value, was)})`,
      ),
    ...(rest > 0 ? [mrkdwn`• and ${plural(rest, 'smaller change')}`] : []),
  ];
}

const ZERO = new BigNumber(0);

/** What each org is charged for each item, in the smallest unit; what cannot be read counts for nothing. */
function chargesOf(invoice: Invoice, unitOf: UnitOf): Map<string, BigNumber> {
  const sums = new Map<string, BigNumber>();
  for (const { org, item, charge } of itemsOf(linesOf(invoice, unitOf))) {
    const name = [org || '(surcharge)', item].map((one) => shorten(one, NAME_LENGTH)).join(' · ');
    sums.set(name, (sums.get(name) ?? ZERO).plus(charge));
  }
  return sums;
}

/** A move of the status as a reply: what it means, and what to do. Pure. */
export function statusReply(invoice: Invoice, was: string, money: Money): MessageContent {
  const made = amountDue(invoice);
  const amount = made === undefined ? 'the amount' : dueInWords(made, money);
  const name = nameOf(invoice);
  const id = invoice.number ? String(invoice.number) : truncate(invoice.id, 60);
  const said = ((): Mrkdwn => {
    switch (invoice.status) {
      case 'paid':
        return mrkdwn`${sign('good')} *Paid*: ${name}, ${amount}. There is nothing more to do`;
      case 'payment-failed':
        return mrkdwn`${sign('wrong')} *Payment failed*: ${name}, ${amount} is still due\n→ Check the card with ${code('/billing account')}, then pay: ${code(`/invoices pay ${id}`)}`;
      case 'partially-paid':
        return mrkdwn`${sign('wrong')} *Paid in part*: ${name}, of ${amount}; the platform does not say how much is open\n→ See which part is open: ${code(`/invoices show ${id}`)}`;
      case 'partially-failed':
        return mrkdwn`${sign('wrong')} *Payment failed in part*: ${name}, of ${amount}; the platform does not say how much is open\n→ See which part failed, then pay: ${code(`/invoices pay ${id}`)}`;
      default:
        return mrkdwn`${sign('underWay')} *Status changed*: ${name} was ${statusInWords(was)}, and is ${statusInWords(invoice.status)} now`;
    }
  })();
  return replyOf(said);
}

/** The charges of the same months beside the invoice, as a reply. Pure. @param isFinal the charges cannot be revised any more */
export function reconciliationReply(
  reconciliation: Reconciliation,
  money: Money,
  isFinal: boolean,
): MessageContent {
  const state = isFinal ? 'final' : 'provisional: usage can still be revised for 48 h';
  return replyOf(mrkdwn`*Reconciliation* (${state})\n${comparisonLine(reconciliation, money)}`);
}

/** That the total of an invoice was revised, as a reply. Pure. */
export function revisedReply(invoice: Invoice, was: BigNumber, money: Money): MessageContent {
  const { totalCharge } = invoice;
  const now = totalCharge === undefined ? 'a total that cannot be read' : money(totalCharge);
  const by =
    totalCharge === undefined ? mrkdwn`` : mrkdwn` (${signed(money, totalCharge.minus(was))})`;
  return replyOf(
    mrkdwn`${sign('wrong')} *Invoice revised*: ${nameOf(invoice)} was ${money(was)} in all, and is *${now}*${by} now\n→ What changed: ${code(`/invoices show ${invoice.number || truncate(invoice.id, 60)}`)}`,
  );
}

/** How the e-mails with an invoice ended, as a reply: counts, because addresses are for admins. Pure. */
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

function replyOf(said: Mrkdwn): MessageContent {
  return { text: topText(said), blocks: [section(said)] };
}

function sign(name: keyof typeof SIGN): Mrkdwn {
  return new Mrkdwn(SIGN[name]);
}
