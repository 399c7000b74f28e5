import type { BigNumber } from 'bignumber.js';
import { formatMoney, wholeUnits } from '../../figures/money.ts';
import { formatAge, plural, truncate } from '../../lib/text.ts';
import type { LineItem } from '../../platform/billing/invoices.ts';
import { code, context, mrkdwn } from '../../slack/kit/index.ts';
import type { Mrkdwn } from '../../slack/kit/index.ts';
import type { Answer } from '../../slack/routes.ts';

/** An amount in the smallest unit of the currency (spec 2.1) as people read it. */
export type Money = (amount: BigNumber) => string;

/** Invoices carry no currency; `currency` is the one of the account. */
export function createMoney(currency: string): Money {
  return (amount) => formatMoney(wholeUnits(amount, currency), currency);
}

/** Where there is nothing to say. */
export const NOTHING = '–';

/** In the place of an amount that the platform says in no way that can be counted. */
export const UNREADABLE = 'not readable';

/** In the place of an org that the platform says in no way that can be read. */
export const NOT_SAID = '(not said)';

/** An amount in the smallest unit, or that it cannot be read. */
export function amountIn(money: Money, amount: BigNumber | undefined): string {
  return amount === undefined ? UNREADABLE : money(amount);
}

/** "+$1.00" or "-$1.00". */
export function signed(money: Money, amount: BigNumber): string {
  return amount.gt(0) ? `+${money(amount)}` : money(amount);
}

/** The rows of a table on one page of an answer. */
export const PAGE_ROWS = 15;

/** What is asked before an answer is shown to a channel, and whose right that is. */
export const SHARING = {
  shareable: { question: 'It shows billing data to everyone in this channel.' },
  needs: 'billing',
} satisfies Partial<Answer>;

/** Statuses of spec 2.8 in words, with a symbol that needs no colour. */
const INVOICE_STATUSES: Readonly<Record<string, string>> = {
  paid: '✓ paid',
  'pending-payment': '… payment pending',
  'payment-failed': '✗ payment failed',
  'partially-paid': '◐ partly paid',
  'partially-failed': '⊗ partly failed',
};

/** Statuses of spec 2.10 likewise. */
const DELIVERY_STATUSES: Readonly<Record<string, string>> = {
  pending: '… waiting',
  in_progress: '→ being sent',
  delivered: '✓ delivered',
  failed: '✗ failed',
  permanently_failed: '⊗ failed for good',
};

/** A status of spec 2.8 as people read it. */
export function invoiceStatus(status: string): string {
  return wordsFor(INVOICE_STATUSES, status);
}

/** A status of spec 2.10 as people read it. */
export function deliveryStatus(status: string): string {
  return wordsFor(DELIVERY_STATUSES, status);
}

/** A status that came later than the specification is shown as it is. */
function wordsFor(words: Readonly<Record<string, string>>, status: string): string {
  return Object.hasOwn(words, status) ? words[status]! : truncate(status.trim(), 40) || NOTHING;
}

/** "Invoice 12", or by its id where the platform says no number; 0 is none. */
export function nameOf({ number, id }: { number: number | undefined; id?: string }): string {
  return number ? `Invoice ${number}` : `Invoice ${truncate(id ?? NOTHING, 60)}`;
}

/** "Credit `Goodwill`: -$5.00". */
export function namedCharge(
  kind: 'Credit' | 'Surcharge',
  { description, charge }: Pick<LineItem, 'description' | 'charge'>,
  money: Money,
): Mrkdwn {
  const name = description.trim() === '' ? 'without a description' : code(description, 120);
  return mrkdwn`${kind} ${name}: ${amountIn(money, charge)}`;
}

/** "acme, globex + 3". */
export function orgsInShort(names: readonly string[]): string {
  const shown = names.slice(0, names.length > 3 ? 2 : 3).map((name) => truncate(name, 40));
  const rest = names.length - shown.length;
  return shown.length === 0 ? NOTHING : shown.join(', ') + (rest > 0 ? ` + ${rest}` : '');
}

/** When something was read, where that is not just now; what could not be read of it. */
export function footnotes(read: {
  /** Ms since the epoch, as is `now`. */
  readAt: number;
  now: number;
  skipped: number;
  /** "invoice"; with its plural where an s is not enough. */
  thing: string;
  things?: string;
}): Mrkdwn[] {
  const { skipped } = read;
  const age = formatAge(read.now - read.readAt);
  return [
    ...(age === 'just now' ? [] : [mrkdwn`Read ${age}`]),
    ...(skipped === 0
      ? []
      : [
          mrkdwn`⚠ ${plural(skipped, read.thing, read.things)} could not be read and ${skipped === 1 ? 'is' : 'are'} left out`,
        ]),
  ];
}

/** Small print at the end of an answer; nothing where there is none. */
export function smallPrint(texts: readonly Mrkdwn[]): ReturnType<typeof context>[] {
  return texts.length === 0 ? [] : [context(...texts)];
}
