import { BigNumber } from 'bignumber.js';
import { plural, truncate } from '../../lib/text.ts';
import {
  amountDue,
  type AmountDue,
  type Invoice,
  type InvoicePeriod,
  type LineItem,
  type PendingInvoice,
} from '../../platform/billing/invoices.ts';
import { formatMoney, wholeUnits } from '../../reporting/amounts.ts';
import { describeRange } from '../../reporting/range.ts';
import { CHARACTERS, SIGN, sign } from '../../slack/kit/blocks.ts';
import { firstOf } from '../../slack/kit/fit.ts';
import { type Cell, Numeric } from '../../slack/kit/tables.ts';
import { code, joinMrkdwn, mrkdwn, type Mrkdwn } from '../../slack/kit/text.ts';
import { NOTHING } from '../answer-parts.ts';

/** Formats an amount in the smallest unit of the currency (spec 2.1). Invoices carry none: it is that of the account. */
export interface Money {
  (amount: BigNumber): string;
  readonly currency: string;
}

export function createMoney(currency: string): Money {
  const money = (amount: BigNumber): string =>
    formatMoney(wholeUnits(amount, currency), currency).replace(/^-/, '−');
  return Object.assign(money, { currency });
}

const UNREADABLE = 'not readable';

export function amountIn(money: Money, amount: BigNumber | undefined): string {
  return amount === undefined ? UNREADABLE : money(amount);
}

/** As `amountIn`, in a cell that sorts by the amount. @param text of the cell, if it says more than the amount */
export function amountCell(
  money: Money,
  amount: BigNumber | undefined,
  text = amountIn(money, amount),
): Cell {
  return amount === undefined
    ? text
    : new Numeric(Number(wholeUnits(amount, money.currency)), text);
}

/** "+$1.00" or "−$1.00". */
export function signed(money: Money, amount: BigNumber): string {
  return amount.gt(0) ? `+${money(amount)}` : money(amount);
}

/** The same words and signs for an invoice wherever it is shown: card, list, answers and replies. */
export interface Sheet {
  /** "Invoice 12", or its id if the number is absent or 0. */
  readonly name: string;
  /** For commands: its number or id. */
  readonly ref: string;
  /** "October 2026". */
  readonly span: string;
  readonly due: Due;
  /** Total and credits, whatever the status: "$5.00", "at most $5.00". */
  readonly amount: string;
  readonly open: OpenPart | undefined;
  /** For the cell of a table: the amount due, or why nothing is. */
  readonly cell: string;
  /** The label of the button that leads to its payment pages; absent: nothing is known to be due. */
  readonly pay: string | undefined;
  /** Its state in one line, with the sign in front. */
  readonly state: Mrkdwn;
  /** "→ Pay the open part", for a payment that failed, is incomplete, or is of an unknown status or amount. */
  readonly next: readonly Mrkdwn[];
  /** "$1,337.00 before credits, credits −$62.50"; empty without credits. */
  readonly credits: string;
}

/** The periods of a partly paid invoice that are not paid. */
export interface OpenPart {
  /** Smallest currency unit. */
  readonly amount: BigNumber;
  /** "$500.00", or "at most $500.00" if credits may lower it. */
  readonly sum: string;
  /** "$500.00 open (October) of $1,500.00". */
  readonly text: string;
  /** The payment of each of them failed. */
  readonly isFailed: boolean;
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

type Billed = Pick<PendingInvoice, 'status' | 'totalCharge' | 'credits' | 'periods'>;

export function sheetOf(invoice: Invoice, money: Money): Sheet {
  const { startTime, endTime } = invoice;
  const due = dueOf(invoice);
  const made = amountDue(invoice);
  const span = monthsInWords(startTime, endTime);
  const amount = made === undefined ? 'an amount that cannot be read' : dueInWords(made, money);
  const open = due.kind === 'open' ? openPartOf(invoice, due, money) : undefined;
  const facts = { name: nameOf(invoice), span, due, amount, open };
  return {
    ...facts,
    ref: invoice.number ? String(invoice.number) : truncate(invoice.id, 60),
    cell: open?.text ?? cellOf(invoice.status, due, money),
    pay: payLabel(invoice, due, open, money),
    state: stateOf(invoice, facts, money),
    next: nextStep(invoice, facts),
    credits: creditsInWords(invoice, money),
  };
}

/** "*Invoice 12* · October 2026", and its state below. */
export function headOf({ name, span, state, credits }: Sheet): Mrkdwn {
  const title = mrkdwn`*${name}* · ${span}`;
  return joinMrkdwn([title, state, ...(credits === '' ? [] : [mrkdwn`${credits}`])], '\n');
}

function dueOf(invoice: Billed): Due {
  if (invoice.status === 'paid') return { kind: 'paid' };
  const due = amountDue(invoice);
  if (due?.amount.isZero() === true) return { kind: 'nothing' };
  if (!isUnpaid(invoice)) return { kind: 'unknown-status' };
  if (openUnread(invoice).length > 0) return { kind: 'unreadable' };
  return due === undefined ? { kind: 'unreadable' } : { kind: 'open', ...due };
}

/**
 * Open periods with an unreadable amount. They matter only if another period is paid, because the total then includes
 * paid amounts.
 */
function openUnread({ periods }: Pick<Billed, 'periods'>): InvoicePeriod[] {
  if (!periods.some(({ status }) => status === 'paid')) return [];
  return periods.filter((period) => isUnpaid(period) && period.totalCharge === undefined);
}

/** Undefined if a period has another status than paid, pending or failed, or if no period is paid. */
function openPartOf(invoice: Invoice, due: AmountDue, money: Money): OpenPart | undefined {
  const { periods, credits, startTime, endTime } = invoice;
  const open = periods.filter(({ status }) => isOpen(status));
  const paid = periods.filter(({ status }) => status === 'paid');
  if (open.length === 0 || paid.length === 0) return undefined;
  if (open.length + paid.length < periods.length) return undefined;
  const all = sumOf(open.map(({ totalCharge: charge }) => ({ charge })));
  const amount = BigNumber.min(all, due.amount);
  // The platform omits which period a credit belongs to.
  const sum = `${credits.length > 0 ? 'at most ' : ''}${money(amount)}`;
  const year = / \d{4}$/.exec(monthsInWords(startTime, endTime))?.[0];
  const months = new Set(
    open.map((period) => {
      const words = monthsInWords(period.startTime, period.endTime);
      return year !== undefined && words.endsWith(year) ? words.slice(0, -year.length) : words;
    }),
  );
  const text = `${sum} open (${firstOf([...months], 3)}) of ${dueInWords(due, money)}`;
  const isFailed = open.every(({ status }) => status === 'payment-failed');
  return { amount, sum, text, isFailed };
}

/** Explains why the amount due of a partly paid invoice is an upper limit (spec 2.8). */
export const PAID_UNKNOWN = 'what is paid is not known';

/** The amount due if no open part is known: "$5.00", or "at most $5.00" if a part may be paid. */
function mostDue(status: string, due: AmountDue, money: Money): string {
  return dueInWords({ ...due, isExact: due.isExact && !isPartial(status) }, money);
}

function stateOf(
  invoice: Invoice,
  { due, amount, open }: Pick<Sheet, 'due' | 'amount' | 'open'>,
  money: Money,
): Mrkdwn {
  const { status, totalCharge } = invoice;
  switch (due.kind) {
    case 'paid': {
      const isNothing = amountDue(invoice)?.amount.isZero() === true;
      return mrkdwn`${sign('good')} *Paid*: ${isNothing ? whyNothing(invoice, money) : amount}`;
    }
    case 'nothing':
      return mrkdwn`${sign('good')} *Nothing to pay*: ${whyNothing(invoice, money)}`;
    case 'unreadable': {
      const parts = openUnread(invoice).map(
        (period) => `the amount of ${spanOf(period)} (${statusInWords(period.status)})`,
      );
      const what = totalCharge === undefined ? 'the total' : firstOf(parts, 3);
      return mrkdwn`${sign('unknown')} *Amount due not known*: ${what} cannot be read; ${statusInWords(status)}`;
    }
    case 'unknown-status': {
      const which = status === '' ? mrkdwn`the platform gives none` : code(status, 40);
      return mrkdwn`${sign('unknown')} *Status not known* (${which}): ${amount} in all, perhaps due`;
    }
    case 'open':
      return openState(invoice, open?.text ?? `amount due ${mostDue(status, due, money)}`, open);
  }
}

function openState(invoice: Invoice, what: string, open: OpenPart | undefined): Mrkdwn {
  const { status } = invoice;
  if (isOnlyPending(invoice, open)) {
    return mrkdwn`${sign('underWay')} *${what.replace(/^a/, 'A')}*: ${statusInWords(status)}`;
  }
  const head = {
    'partially-paid': 'Paid in part',
    'partially-failed': 'Payment failed in part',
  }[status];
  const isWhole = head !== undefined && open === undefined;
  return mrkdwn`${sign('wrong')} *${head ?? 'Payment failed'}: ${what}*${isWhole ? ` (${PAID_UNKNOWN})` : ''}`;
}

/** An invoice can be pending as a whole while its open part has failed. */
function isOnlyPending({ status }: Invoice, open: OpenPart | undefined): boolean {
  return status === 'pending-payment' && open?.isFailed !== true;
}

function nextStep(invoice: Invoice, { due, open }: Pick<Sheet, 'due' | 'open'>): Mrkdwn[] {
  if (due.kind === 'unknown-status') return [mrkdwn`→ Ask the platform’s support before you pay`];
  if (due.kind !== 'open' && due.kind !== 'unreadable') return [];
  const isPending = isOnlyPending(invoice, open);
  const pay = due.kind === 'open' ? 'pay' : 'see the amount on the payment page';
  if (!isPending && invoice.status !== 'partially-paid') {
    return [
      mrkdwn`→ See which card was charged: ${code('/billing account')}; change it on the platform, then ${pay}`,
    ];
  }
  if (due.kind === 'unreadable') return [mrkdwn`→ See the amount on the payment page`];
  if (isPending) return [];
  return [open ? mrkdwn`→ Pay the open part` : mrkdwn`→ See which part is open, then pay it`];
}

function whyNothing({ totalCharge }: Invoice, money: Money): string {
  if (totalCharge?.gt(0)) return 'credits cover it';
  return totalCharge?.lt(0) ? `the total is ${money(totalCharge)}` : 'it costs nothing';
}

function cellOf(status: string, due: Due, money: Money): string {
  switch (due.kind) {
    case 'open':
      return mostDue(status, due, money);
    case 'nothing':
      return 'nothing';
    case 'unreadable':
      return UNREADABLE;
    case 'unknown-status':
      return 'not known';
    case 'paid':
      return NOTHING;
  }
}

function payLabel(
  { status }: Invoice,
  due: Due,
  open: OpenPart | undefined,
  money: Money,
): string | undefined {
  if (due.kind !== 'open' && due.kind !== 'unreadable') return undefined;
  if (open !== undefined) return `Pay ${open.sum}`;
  const isWhole = due.kind === 'open' && !isPartial(status);
  return isWhole ? `Pay ${dueInWords(due, money)}` : 'Pay';
}

function creditsInWords({ credits, totalCharge }: Invoice, money: Money): string {
  const unread = countUnread(credits);
  const given = sumOf(credits);
  // Credits cannot exceed the total, and a total below 0 needs none.
  const most = totalCharge && BigNumber.min(totalCharge.negated(), 0);
  const used = most ? BigNumber.max(given, most) : given;
  const of = used.eq(given) ? '' : ` (of ${money(given)})`;
  return [
    ...(credits.length === 0 || totalCharge === undefined
      ? []
      : [`${money(totalCharge)} before credits`]),
    ...(unread === credits.length ? [] : [`credits ${money(used)}${of}`]),
    ...(unread === 0 ? [] : [`${plural(unread, 'credit')} not readable and not counted`]),
  ].join(', ');
}

/** "$5.00", or "at most $5.00" if a credit cannot be read. */
export function dueInWords({ amount, isExact }: AmountDue, money: Money): string {
  return isExact ? money(amount) : `at most ${money(amount)}`;
}

/** Words and sign of each status of spec 2.8. */
const STATUSES: Readonly<Record<string, readonly [sign: keyof typeof SIGN, words: string]>> = {
  paid: ['good', 'paid'],
  'pending-payment': ['underWay', 'not paid yet'],
  'payment-failed': ['wrong', 'payment failed'],
  'partially-paid': ['wrong', 'partly paid'],
  'partially-failed': ['wrong', 'partly failed'],
};

/** "🟠 payment failed". A status added after the specification is shown unchanged. */
export function invoiceStatus(status: string): string {
  return withSign(STATUSES, status);
}

export function withSign(statuses: typeof STATUSES, status: string): string {
  const known = Object.hasOwn(statuses, status) ? statuses[status] : undefined;
  const [name, words] = known ?? ['unknown' as const];
  const text = words ?? truncate(status.trim(), 40);
  return text === '' ? NOTHING : `${CHARACTERS[SIGN[name]]} ${text}`;
}

/** Without its sign, for use in a sentence. */
export function statusInWords(status: string): string {
  return invoiceStatus(status).replace(/^[^–] /u, '');
}

export function isUnpaid({ status }: Pick<Billed, 'status'>): boolean {
  return isOpen(status) || isPartial(status);
}

function isOpen(status: string): boolean {
  return status === 'pending-payment' || status === 'payment-failed';
}

export function isPartial(status: string): boolean {
  return status === 'partially-paid' || status === 'partially-failed';
}

/** "Invoice 12", or its id if the number is absent or 0. */
export function nameOf({ number, id }: { number: number | undefined; id?: string }): string {
  return number ? `Invoice ${number}` : `Invoice ${truncate(id ?? NOTHING, 60)}`;
}

/** "Credit `Goodwill`: −$5.00". */
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

export function spanOf({ startTime, endTime }: Pick<Invoice, 'startTime' | 'endTime'>): string {
  return monthsInWords(startTime, endTime);
}

/** The sum of the readable charges; smallest currency unit. */
export function sumOf(items: readonly Pick<LineItem, 'charge'>[]): BigNumber {
  return items.reduce((sum, { charge }) => sum.plus(charge ?? 0), new BigNumber(0));
}

export function countUnread(items: readonly Pick<LineItem, 'charge'>[]): number {
  return items.filter(({ charge }) => charge === undefined).length;
}
