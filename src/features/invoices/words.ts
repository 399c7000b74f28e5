import type { Button } from '@slack/types';
import { BigNumber } from 'bignumber.js';
import { truncate } from '../../lib/text.ts';
import {
  amountDue,
  type AmountDue,
  type InvoicePeriod,
  type LineItem,
  type PendingInvoice,
} from '../../platform/billing/invoices.ts';
import { formatMoney, wholeUnits } from '../../reporting/amounts.ts';
import { describeRange } from '../../reporting/range.ts';
import { button } from '../../slack/kit/blocks.ts';
import { code, mrkdwn, type Mrkdwn } from '../../slack/kit/text.ts';
import { NOTHING, type Page } from '../answer-parts.ts';

/** An amount in the smallest unit of the currency (spec 2.1) as people read it. */
export type Money = (amount: BigNumber) => string;

/** Invoices carry no currency; `currency` is the one of the account. */
export function createMoney(currency: string): Money {
  return (amount) => formatMoney(wholeUnits(amount, currency), currency);
}

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

/** The same without its sign, for a sentence. */
export function statusInWords(status: string): string {
  return invoiceStatus(status).replace(/^[✓…✗◐⊗] /, '');
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

/** Start of the month that is `months` after the one of `ms`, in UTC, ms since the epoch. */
export function monthStart(ms: number, months: number): number {
  const at = new Date(ms);
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months, 1);
}

/**
 * A span in UTC: "October 2026", "October to November 2026", "5-31 October 2026"; an hour is named only
 * where whole days are not kept. A dash where the platform does not say it.
 * @param startMs ms since the epoch
 * @param endMs likewise, exclusive
 */
export function monthsInWords(startMs: number | undefined, endMs: number | undefined): string {
  if (startMs === undefined || endMs === undefined || endMs <= startMs) return NOTHING;
  return describeRange({ startMs, endMs });
}

/** What there is to pay of an invoice, by its status and its amounts (spec 2.8). */
export type Due =
  | ({ readonly kind: 'open' } & AmountDue)
  /** It is not said to be paid, and credits cover it, or it costs nothing. */
  | { readonly kind: 'nothing' }
  /** It is not paid, and its total, or what is open of it, cannot be read. */
  | { readonly kind: 'unreadable' }
  /** Its status is none of the specification, so it is not known whether the rest is due. */
  | { readonly kind: 'unknown-status' }
  | { readonly kind: 'paid' };

/** Of what is paid in part, or failed in part, all is due: the platform does not say how much is paid. */
const UNPAID = ['pending-payment', 'payment-failed', 'partially-paid', 'partially-failed'];

type Billed = Pick<PendingInvoice, 'status' | 'totalCharge' | 'credits' | 'periods'>;

/** What is due of an invoice now. */
export function dueOf(invoice: Billed): Due {
  if (invoice.status === 'paid') return { kind: 'paid' };
  const due = amountDue(invoice);
  if (due?.amount.isZero() === true) return { kind: 'nothing' };
  if (!UNPAID.includes(invoice.status)) return { kind: 'unknown-status' };
  if (openUnread(invoice).length > 0) return { kind: 'unreadable' };
  return due === undefined ? { kind: 'unreadable' } : { kind: 'open', ...due };
}

/** The open periods whose amount cannot be read: where another one is paid, the total says nothing of them. */
export function openUnread({ periods }: Pick<Billed, 'periods'>): InvoicePeriod[] {
  if (!periods.some(({ status }) => status === 'paid')) return [];
  return periods.filter(
    ({ status, totalCharge }) => UNPAID.includes(status) && totalCharge === undefined,
  );
}

/** Why it is not known whether it is due. */
export function statusDoubt({ status }: Pick<Billed, 'status'>): Mrkdwn {
  const why =
    status === ''
      ? 'the platform gives no status'
      : mrkdwn`Purser does not know its status ${code(status, 60)}`;
  return mrkdwn`whether it is due is not known, because ${why}`;
}

/** Whether some of it is paid; the platform does not say how much (spec 2.8). */
export function isPartial(status: string): boolean {
  return status.startsWith('partially-');
}

/** Why the amount of what is paid in part is not smaller. */
export const WHOLE_COUNTED = 'full amount counted';

/** "$5.00", or "at most $5.00" where a credit cannot be read. */
export function dueInWords({ amount, isExact }: AmountDue, money: Money): string {
  return isExact ? money(amount) : `at most ${money(amount)}`;
}

/** What the buttons to other pages do. */
export const PAGE_ACTIONS = { previous: 'invoices.previous', next: 'invoices.next' } as const;

/**
 * Buttons to the pages beside this one.
 * @param kept what the answer stands for in the store; undefined when it could not be kept
 */
export function turnButtons(
  { page, pages }: Pick<Page<unknown>, 'page' | 'pages'>,
  kept: string | undefined,
): Button[] {
  if (kept === undefined) return [];
  return [
    ...(page > 0 ? [button({ action: PAGE_ACTIONS.previous, text: 'Previous', value: kept })] : []),
    ...(page < pages - 1 ? [button({ action: PAGE_ACTIONS.next, text: 'Next', value: kept })] : []),
  ];
}
