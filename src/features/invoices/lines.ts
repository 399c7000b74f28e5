import type { Button } from '@slack/types';
import { BigNumber } from 'bignumber.js';
import { compareNames, truncate } from '../../lib/text.ts';
import type { ChargesClient } from '../../platform/billing/charges.ts';
import {
  amountDue,
  type AmountDue,
  type Invoice,
  type InvoicePeriod,
  type LineItem,
  type PendingInvoice,
} from '../../platform/billing/invoices.ts';
import { PlatformError } from '../../platform/errors.ts';
import { formatMoney, wholeUnits } from '../../reporting/amounts.ts';
import { unitInDescription } from '../../reporting/quantity.ts';
import { describeRange } from '../../reporting/range.ts';
import { button } from '../../slack/kit/blocks.ts';
import { code, mrkdwn, type Mrkdwn } from '../../slack/kit/text.ts';
import { NOTHING, type Page } from '../answer-parts.ts';

/** Formats an amount in the smallest unit of the currency (spec 2.1). */
export type Money = (amount: BigNumber) => string;

/** Invoices carry no currency; `currency` is that of the account. */
export function createMoney(currency: string): Money {
  return (amount) => formatMoney(wholeUnits(amount, currency), currency);
}

export const UNREADABLE = 'not readable';

/** Replaces an org that is absent or cannot be read. */
export const NOT_SAID = '(not said)';

export function amountIn(money: Money, amount: BigNumber | undefined): string {
  return amount === undefined ? UNREADABLE : money(amount);
}

/** "+$1.00" or "-$1.00". */
export function signed(money: Money, amount: BigNumber): string {
  return amount.gt(0) ? `+${money(amount)}` : money(amount);
}

/** Statuses of spec 2.8, each with a symbol that needs no colour. */
const INVOICE_STATUSES: Readonly<Record<string, string>> = {
  paid: '✓ paid',
  'pending-payment': '… payment pending',
  'payment-failed': '✗ payment failed',
  'partially-paid': '◐ partly paid',
  'partially-failed': '⊗ partly failed',
};

/** Statuses of spec 2.10, likewise. */
const DELIVERY_STATUSES: Readonly<Record<string, string>> = {
  pending: '… waiting',
  in_progress: '→ being sent',
  delivered: '✓ delivered',
  failed: '✗ failed',
  permanently_failed: '⊗ failed for good',
};

export function invoiceStatus(status: string): string {
  return wordsFor(INVOICE_STATUSES, status);
}

/** Without its symbol, for use in a sentence. */
export function statusInWords(status: string): string {
  return invoiceStatus(status).replace(/^[✓…✗◐⊗] /, '');
}

export function deliveryStatus(status: string): string {
  return wordsFor(DELIVERY_STATUSES, status);
}

/** A status added after the specification is shown unchanged. */
function wordsFor(words: Readonly<Record<string, string>>, status: string): string {
  return Object.hasOwn(words, status) ? words[status]! : truncate(status.trim(), 40) || NOTHING;
}

/** "Invoice 12", or its id if the number is absent or 0. */
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
 * A span in UTC: "October 2026", "October to November 2026", "5-31 October 2026", with hours if it does not consist of
 * whole days; a dash if it is absent.
 * @param startMs ms since the epoch
 * @param endMs likewise, exclusive
 */
export function monthsInWords(startMs: number | undefined, endMs: number | undefined): string {
  if (startMs === undefined || endMs === undefined || endMs <= startMs) return NOTHING;
  return describeRange({ startMs, endMs });
}

/** The amount still due, by status and amounts (spec 2.8). */
export type Due =
  | ({ readonly kind: 'open' } & AmountDue)
  /** Not marked as paid, but covered by credits, or it costs nothing. */
  | { readonly kind: 'nothing' }
  /** Not paid; its total, or its open part, cannot be read. */
  | { readonly kind: 'unreadable' }
  /** The status is not in the specification, so it is unknown whether the rest is due. */
  | { readonly kind: 'unknown-status' }
  | { readonly kind: 'paid' };

/** A partly paid or partly failed invoice counts in full: the platform omits how much is paid. */
const UNPAID = ['pending-payment', 'payment-failed', 'partially-paid', 'partially-failed'];

type Billed = Pick<PendingInvoice, 'status' | 'totalCharge' | 'credits' | 'periods'>;

export function dueOf(invoice: Billed): Due {
  if (invoice.status === 'paid') return { kind: 'paid' };
  const due = amountDue(invoice);
  if (due?.amount.isZero() === true) return { kind: 'nothing' };
  if (!UNPAID.includes(invoice.status)) return { kind: 'unknown-status' };
  if (openUnread(invoice).length > 0) return { kind: 'unreadable' };
  return due === undefined ? { kind: 'unreadable' } : { kind: 'open', ...due };
}

/**
 * Open periods with an unreadable amount. They matter only if another period is paid, because the total then includes
 * paid amounts.
 */
export function openUnread({ periods }: Pick<Billed, 'periods'>): InvoicePeriod[] {
  if (!periods.some(({ status }) => status === 'paid')) return [];
  return periods.filter(
    ({ status, totalCharge }) => UNPAID.includes(status) && totalCharge === undefined,
  );
}

export function statusDoubt({ status }: Pick<Billed, 'status'>): Mrkdwn {
  const why =
    status === ''
      ? 'the platform gives no status'
      : mrkdwn`Purser does not know its status ${code(status, 60)}`;
  return mrkdwn`whether it is due is not known, because ${why}`;
}

/** The platform omits how much is paid (spec 2.8). */
export function isPartial(status: string): boolean {
  return status.startsWith('partially-');
}

/** Explains why the amount of a partly paid invoice is not smaller. */
export const WHOLE_COUNTED = 'full amount counted';

/** "$5.00", or "at most $5.00" if a credit cannot be read. */
export function dueInWords({ amount, isExact }: AmountDue, money: Money): string {
  return isExact ? money(amount) : `at most ${money(amount)}`;
}

export const PAGE_ACTIONS = { previous: 'invoices.previous', next: 'invoices.next' } as const;

/** @param kept id of the stored state; undefined if it could not be stored */
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

/** A line as the platform wrote it: one org, item, pricing tier and period (spec 2.8). */
export interface InvoiceLine {
  /** Empty: a surcharge, which has no org; undefined: absent or unreadable. */
  readonly org: string | undefined;
  readonly item: string;
  /** Unchanged. */
  readonly description: string;
  readonly unit: string | undefined;
  /** In the raw unit; undefined: not given. */
  readonly quantity: BigNumber | undefined;
  /** Price of one raw unit in whole units of the currency; undefined: not given. */
  readonly rate: BigNumber | undefined;
  /** Smallest currency unit; undefined: cannot be read. */
  readonly charge: BigNumber | undefined;
  readonly period: InvoicePeriod;
}

export interface ItemLines extends Pick<InvoiceLine, 'org' | 'item' | 'unit'> {
  /** At least one, in the order of the invoice. */
  readonly lines: readonly InvoiceLine[];
  /** In the raw unit; undefined if a line omits it. */
  readonly quantity: BigNumber | undefined;
  /** The sum of the readable charges; smallest currency unit. */
  readonly charge: BigNumber;
}

export type UnitOf = (item: string) => string | undefined;

/** Every line of an invoice, in its order (spec 2.8). @param unitOf for lines whose description omits the unit */
export function linesOf({ periods }: Pick<Invoice, 'periods'>, unitOf: UnitOf): InvoiceLine[] {
  return periods.flatMap((period) => period.items.map((line) => lineOf(line, period, unitOf)));
}

/** The largest charge first. */
export function itemsOf(lines: readonly InvoiceLine[]): ItemLines[] {
  const items = new Map<string, InvoiceLine[]>();
  for (const line of lines) {
    const key = JSON.stringify([line.org, line.item, line.unit]);
    const known = items.get(key);
    if (known) known.push(line);
    else items.set(key, [line]);
  }
  return [...items.values()]
    .map(together)
    .toSorted(
      (a, b) =>
        b.charge.comparedTo(a.charge)! ||
        compareNames(a.org ?? '', b.org ?? '') ||
        compareNames(a.item, b.item),
    );
}

/** A surcharge is a line of the whole account (spec 2.8). */
export function isSurcharge({ org }: Pick<LineItem, 'org'>): boolean {
  return org === '';
}

/** The sum of the readable charges; smallest currency unit. */
export function sumOf(items: readonly Pick<LineItem, 'charge'>[]): BigNumber {
  return items.reduce((sum, { charge }) => sum.plus(charge ?? ZERO), ZERO);
}

export function countUnread(items: readonly Pick<LineItem, 'charge'>[]): number {
  return items.filter(({ charge }) => charge === undefined).length;
}

const MAX_EXPONENT = 30;
const ZERO = new BigNumber(0);

function lineOf(line: LineItem, period: InvoicePeriod, unitOf: UnitOf): InvoiceLine {
  const { description, quantity, charge, org } = line;
  // Brackets in a surcharge contain no unit.
  const named = isSurcharge(line) ? undefined : unitInDescription(description);
  const item = named?.item ?? description;
  const unit = isSurcharge(line) ? undefined : (named?.unit ?? unitOf(item));
  return { org, item, description, unit, quantity, rate: rateIn(description), charge, period };
}

/** The last rate in a description such as "…, Quantity: 7200, Rate: 0.0000000000068". */
function rateIn(description: string): BigNumber | undefined {
  const number = [...description.matchAll(RATE)].at(-1)?.groups?.['rate'];
  const rate = number === undefined ? undefined : new BigNumber(number);
  // A number with more digits is not a price.
  return rate && Math.abs(rate.e ?? 0) <= MAX_EXPONENT ? rate : undefined;
}

/** A complete number: not "1,000", whose comma is ambiguous. */
const RATE = /\brate\s*:\s*(?<rate>-?\d{1,40}(?:\.\d{1,40})?(?:e[+-]?\d{1,2})?)(?![\w.,+-]*\d)/gi;

function together(lines: readonly InvoiceLine[]): ItemLines {
  const { org, item, unit } = lines[0]!;
  return { org, item, unit, lines, quantity: quantityOf(lines), charge: sumOf(lines) };
}

function quantityOf(lines: readonly InvoiceLine[]): BigNumber | undefined {
  let sum = ZERO;
  for (const { quantity } of lines) {
    if (quantity === undefined) return undefined;
    sum = sum.plus(quantity);
  }
  return sum;
}

/**
 * Units of items whose lines omit them, from the catalogue (spec 2.6, 2.8). Reads it only if needed; without it a
 * quantity stays a raw number.
 */
export async function unitsOf(
  charges: Pick<ChargesClient, 'chargeableItems'>,
  { periods }: Pick<Invoice, 'periods'>,
): Promise<UnitOf> {
  const hasUnits = periods.every(({ items }) =>
    items.every((item) => item.quantity === undefined || isSurcharge(item) || namesUnit(item)),
  );
  if (hasUnits) return () => undefined;
  try {
    const { value } = await charges.chargeableItems();
    const units = new Map(value.items.map(({ name, unit }) => [name.toLowerCase(), unit]));
    return (item) => units.get(item.toLowerCase()) || undefined;
  } catch (error) {
    if (error instanceof PlatformError) return () => undefined;
    throw error;
  }
}

function namesUnit({ description }: LineItem): boolean {
  return unitInDescription(description).unit !== undefined;
}
