import type { Button } from '@slack/types';
import { plural } from '../../lib/text.ts';
import { amountDue } from '../../platform/billing/invoices.ts';
import type { Invoice, PaymentLink } from '../../platform/billing/invoices.ts';
import type { Listing } from '../../platform/billing/listing.ts';
import { code, lines, linkButton, mrkdwn, section, topText } from '../../slack/kit/index.ts';
import type { Mrkdwn } from '../../slack/kit/index.ts';
import type { Answer } from '../../slack/routes.ts';
import { monthsInWords } from './months.ts';
import { invoiceStatus, nameOf, NOTHING, smallPrint } from './words.ts';
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
  const pages = items.map((link, index) => pageOf(link, invoice, [index + 1, items.length], money));
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
  return mrkdwn`${name}: *${money(due)}* due, ${invoiceStatus(invoice.status)}.`;
}

function pagesLine(count: number, skipped: number): string {
  if (count > 0) return '';
  return skipped > 0
    ? ' The platform’s payment pages cannot be read: please try again, and tell whoever runs Purser if it stays so.'
    : ' This account is not billed by card, so there is no payment page.';
}

/** A payment page in words, and the button that opens it. */
function pageOf(
  { externalUrl }: PaymentLink,
  { periods }: Invoice,
  [place, count]: readonly [number, number],
  money: Money,
): { line: Mrkdwn; press: Button | undefined } {
  // A link names no period that an invoice names too, so they are told apart by their order.
  const period = count === periods.length ? periods[place - 1] : undefined;
  const months = monthsInWords(period?.startTime, period?.endTime);
  const name = months === NOTHING ? `Part ${place} of ${count}` : months;
  const amount = period?.totalCharge ? `, ${money(period.totalCharge)}` : '';
  const status = period ? `, ${invoiceStatus(period.status)}` : '';
  const url = URL.canParse(externalUrl) ? new URL(externalUrl) : undefined;
  const press =
    url?.protocol === 'https:' ? linkButton(`Payment page: ${name}`, url.href) : undefined;
  const address = press
    ? mrkdwn`page at ${code(url?.host ?? '')}`
    : mrkdwn`${code(externalUrl, 500)} (no button, because it is not an https address that Slack takes)`;
  return { line: mrkdwn`• ${name}${amount}${status}: ${address}`, press };
}
