import type { Button } from '@slack/types';
import { plural } from '../../lib/text.ts';
import { amountDue } from '../../platform/billing/invoices.ts';
import type { Invoice, InvoicePeriod, PaymentLink } from '../../platform/billing/invoices.ts';
import type { Listing } from '../../platform/billing/listing.ts';
import { code, lines, linkButton, mrkdwn, section, topText } from '../../slack/kit/index.ts';
import type { Mrkdwn } from '../../slack/kit/index.ts';
import type { Answer } from '../../slack/routes.ts';
import { monthsInWords } from './months.ts';
import { invoiceStatus, isPartial, nameOf, NOTHING, smallPrint } from './words.ts';
import type { Money } from './words.ts';

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
  const head = mrkdwn`${dueLine(invoice, money)}${pagesLine(items.length, skipped)}`;
  const parts = partsOf(items, invoice);
  const pages = parts.map((part) => pageOf(part, money));
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

function dueLine(invoice: Invoice, money: Money): Mrkdwn {
  const name = mrkdwn`*${nameOf(invoice)}* · ${monthsInWords(invoice.startTime, invoice.endTime)}`;
  const due = amountDue(invoice);
  if (invoice.status === 'paid') return mrkdwn`${name} is paid: nothing is due.`;
  if (due.isZero()) return mrkdwn`${name}: nothing is due after credits.`;
  const whole = isPartial(invoice.status) ? ' and counted whole' : '';
  return mrkdwn`${name}: *${money(due)}* due, ${invoiceStatus(invoice.status)}${whole}.`;
}

function pagesLine(count: number, skipped: number): string {
  if (count > 0) return '';
  return skipped > 0
    ? ' The platform’s payment pages cannot be read: please try again, and tell whoever runs Purser if it stays so.'
    : ' This account is not billed by card, so there is no payment page.';
}

/** A payment page, and what it is of. */
interface Part {
  readonly link: PaymentLink;
  /** "Oct 2026". */
  readonly name: string;
  /** Its place, where that alone tells it from another one of the same name. */
  readonly place: number | undefined;
  readonly period: InvoicePeriod | undefined;
}

/** A link names no period that an invoice names too, so they are told apart by their order. */
function partsOf(links: readonly PaymentLink[], { periods }: Invoice): Part[] {
  const named = links.map((link, at) => {
    const period = links.length === periods.length ? periods[at] : undefined;
    const months = monthsInWords(period?.startTime, period?.endTime);
    const name = months === NOTHING ? `Part ${at + 1} of ${links.length}` : months;
    return { link, name, period };
  });
  return named.map((part, at) => {
    const isShared = named.some((other) => other !== part && other.name === part.name);
    return { ...part, place: isShared ? at + 1 : undefined };
  });
}

/** A payment page in words, and the button that opens it. */
function pageOf(
  { link: { externalUrl }, name, place, period }: Part,
  money: Money,
): { line: Mrkdwn; press: Button | undefined } {
  const amount = period?.totalCharge ? `, ${money(period.totalCharge)}` : '';
  const status = period ? `, ${invoiceStatus(period.status)}` : '';
  const url = URL.canParse(externalUrl) ? new URL(externalUrl) : undefined;
  const label = `Payment page${place === undefined ? '' : ` ${place}`}: ${name}`;
  const press = url?.protocol === 'https:' ? linkButton(label, url.href) : undefined;
  const address = press
    ? mrkdwn`page at ${code(url?.host ?? '')}`
    : mrkdwn`${code(externalUrl, 500)} (no button, because it is not an https address that Slack takes)`;
  const said = place === undefined ? name : `Page ${place}: ${name}`;
  return { line: mrkdwn`• ${said}${amount}${status}: ${address}`, press };
}
