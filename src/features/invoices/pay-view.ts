import type { Button } from '@slack/types';
import { plural } from '../../lib/text.ts';
import type { Listing } from '../../platform/billing/calls.ts';
import type { Invoice, InvoicePeriod, PaymentLink } from '../../platform/billing/invoices.ts';
import { lines, linkButton, section, topText } from '../../slack/kit/blocks.ts';
import { code, mrkdwn, type Mrkdwn } from '../../slack/kit/text.ts';
import type { Answer } from '../../slack/routing/routes.ts';
import { NOTHING, smallPrint } from '../answer-parts.ts';
import {
  amountIn,
  dueInWords,
  dueOf,
  invoiceStatus,
  isPartial,
  monthsInWords,
  nameOf,
  statusDoubt,
  WHOLE_COUNTED,
  type Due,
  type Money,
} from './words.ts';

/** More are counted; an invoice has one or two. */
const MAX_LINKS = 15;

export interface PayView {
  invoice: Invoice;
  /** Undefined where the platform refuses them, as for an account that is not billed by card. */
  links: Listing<PaymentLink> | undefined;
  money: Money;
}

/** What `/invoices pay` answers; it is nothing for a channel. Pure. */
export function payAnswer({ invoice, links, money }: PayView): Answer {
  const { items, skipped } = links ?? { items: [], skipped: 0 };
  const due = dueOf(invoice);
  const head = mrkdwn`${dueLine(invoice, due, money)}${items.length > 0 ? '' : noPagesLine(due, skipped)}`;
  const parts = partsOf(items, invoice);
  const pages = parts.map((part) => pageOf(part, parts.length === 1 ? due : undefined, money));
  return {
    text: topText(head),
    blocks: [
      section(head),
      ...(pages.length === 0
        ? []
        : [
            lines(
              pages.map(({ line }) => line),
              MAX_LINKS,
            ),
          ]),
      ...smallPrint(
        skipped > 0 && items.length > 0
          ? [mrkdwn`⚠ ${plural(skipped, 'payment page')} could not be read`]
          : [],
      ),
    ],
    buttons: pages.slice(0, MAX_LINKS).flatMap(({ press }) => press ?? []),
  };
}

function dueLine(invoice: Invoice, due: Due, money: Money): Mrkdwn {
  const { status, startTime, endTime } = invoice;
  const name = mrkdwn`*${nameOf(invoice)}* · ${monthsInWords(startTime, endTime)}`;
  switch (due.kind) {
    case 'paid':
      return mrkdwn`${name} is paid: there is nothing to pay.`;
    case 'nothing':
      return mrkdwn`${name}: there is nothing to pay, because ${whyNothing(invoice, money)}.`;
    case 'unreadable':
      return mrkdwn`${name}: what is due is not known, because an amount cannot be read; ${invoiceStatus(status)}.`;
    case 'unknown-status':
      return mrkdwn`${name}: ${statusDoubt(invoice)}.`;
    case 'open':
      return mrkdwn`${name}: *${dueInWords(due, money)}* due, ${invoiceStatus(status)}${isPartial(status) ? ` (${WHOLE_COUNTED})` : ''}.`;
  }
}

function whyNothing({ totalCharge }: Invoice, money: Money): string {
  if (totalCharge?.gt(0)) return 'credits cover it';
  return totalCharge?.lt(0) ? `the total is ${money(totalCharge)}` : 'it costs nothing';
}

/** Why there are none; nothing where none is needed. */
function noPagesLine({ kind }: Due, skipped: number): string {
  if (kind === 'paid' || kind === 'nothing') return '';
  return skipped > 0
    ? ' The platform’s payment pages cannot be read: please try again, and tell whoever runs Purser if it stays so.'
    : ' Only accounts that are billed by card have a payment page: pay as agreed with the platform.';
}

/** A payment page, and what it is of. */
interface Part {
  readonly link: PaymentLink;
  /** "October 2026". */
  readonly name: string;
  /** Its place, where that alone tells it from another one of the same name. */
  readonly place: number | undefined;
  readonly period: InvoicePeriod | undefined;
}

/** Links and periods of an invoice have no name in common, so links differ by their order. */
function partsOf(links: readonly PaymentLink[], { periods }: Invoice): Part[] {
  const named = links.map((link, at) => {
    const period = links.length === periods.length ? periods[at] : undefined;
    const months = monthsInWords(period?.startTime, period?.endTime);
    const part = links.length === 1 ? 'All of it' : `Part ${at + 1} of ${links.length}`;
    const name = months === NOTHING ? part : months;
    return { link, name, period };
  });
  return named.map((part, at) => {
    const isShared = named.some((other) => other !== part && other.name === part.name);
    return { ...part, place: isShared ? at + 1 : undefined };
  });
}

/**
 * A payment page in words, and the button that opens it.
 * @param due what the invoice still costs, where this is its only page
 */
function pageOf(
  { link: { externalUrl }, name, place, period }: Part,
  due: Due | undefined,
  money: Money,
): { line: Mrkdwn; press: Button | undefined } {
  const amount = period ? `, ${amountIn(money, period.totalCharge)}` : '';
  const status = period ? `, ${invoiceStatus(period.status)}` : '';
  const url = URL.canParse(externalUrl) ? new URL(externalUrl) : undefined;
  const whole = due?.kind === 'open' ? ` (${dueInWords(due, money)})` : '';
  const which = due === undefined ? `${place === undefined ? '' : ` ${place}`}: ${name}` : whole;
  const label = `Open payment page${which}`;
  const press = url?.protocol === 'https:' ? linkButton(label, url.href) : undefined;
  const address = press
    ? mrkdwn`page at ${code(url?.host ?? '')}`
    : mrkdwn`${code(externalUrl, 500)} (no button, because it is not an https address that Slack takes)`;
  const said = place === undefined ? name : `Page ${place}: ${name}`;
  return { line: mrkdwn`• ${said}${amount}${status}: ${address}`, press };
}
