import { BigNumber } from 'bignumber.js';
import { plural, truncate, compareNames } from '../../lib/text.ts';
import {
  amountDue,
  type AmountDue,
  type Invoice,
  type InvoicePeriod,
  type LineItem,
} from '../../platform/billing/invoices.ts';
import { formatMoney, wholeUnits } from '../../reporting/amounts.ts';
import { describeRange } from '../../reporting/range.ts';
import { CHARACTERS, SIGN, sign, button } from '../../slack/kit/blocks.ts';
import { firstOf } from '../../slack/kit/fit.ts';
import { type Cell, Numeric } from '../../slack/kit/tables.ts';
import { code, joinMrkdwn, mrkdwn, type Mrkdwn, LIMITS } from '../../slack/kit/text.ts';
import { NOTHING } from '../answer-parts.ts';
import type { Button } from '@slack/types';
import { factOf, known } from '../../monitors/monitor.ts';
import type { ChargesClient } from '../../platform/billing/charges.ts';
import { unitInDescription } from '../../reporting/quantity.ts';

/** Formats an amount in the smallest unit of the currency (spec 2.1). Invoices carry none: it is that of the account. */
export interface Money {
  (amount: BigNumber): string;
  readonly currency: string;
}

export function createMoney(currency: string): Money {
  const money = (amount: BigNumber): string => formatMoney(wholeUnits(amount, currency), currency);
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
  /** "$1,337.00 before credits, credits −$62.50"; empty without credits. */
  readonly credits: string;
  /** Total and credits, whatever the status: "$5.00", "at most $5.00". */
  readonly amount: string;
  readonly due: Due;
  /** Of what is due. */
  readonly open: Open | undefined;
  /** For the cell of a table: the amount due, or why nothing is. */
  readonly cell: string;
  /** The label of the button that leads to its payment pages; absent: nothing is known to be due. */
  readonly pay: string | undefined;
  /** Its state in one line, with the sign in front. */
  readonly state: Mrkdwn;
  /** "→ Pay the open part", for a payment that failed, is incomplete, or is of an unknown status or amount. */
  readonly next: readonly Mrkdwn[];
}

/**
 * By status and amounts (spec 2.8). `nothing`: not marked as paid, but covered by credits, or it costs nothing.
 * `unreadable`: not paid, and its total or its open part cannot be read. `unknown-status`: not in the specification.
 */
type Due = 'open' | 'nothing' | 'unreadable' | 'unknown-status' | 'paid';

interface Open {
  readonly all: AmountDue;
  /** The amount still to pay, as far as it is known; smallest currency unit. */
  readonly amount: BigNumber;
  /** A part is paid, and how much is not known. */
  readonly isPaidUnknown: boolean;
}

type State = Pick<Sheet, 'due' | 'open' | 'cell' | 'pay' | 'state' | 'next'>;

export function sheetOf(invoice: Invoice, money: Money): Sheet {
  const { number, id } = invoice;
  return {
    name: nameOf(invoice),
    ref: number ? String(number) : truncate(id, 60),
    span: spanOf(invoice),
    credits: creditsInWords(invoice, money),
    amount: amountInAll(invoice, money),
    ...stateOf(invoice, money),
  };
}

/** "*Invoice 12* · October 2026", and its state below. */
export function headOf({ name, span, state, credits }: Sheet): Mrkdwn {
  const title = mrkdwn`*${name}* · ${span}`;
  return joinMrkdwn([title, state, ...(credits === '' ? [] : [mrkdwn`${credits}`])], '\n');
}

function amountInAll(invoice: Invoice, money: Money): string {
  const due = amountDue(invoice);
  return due === undefined ? 'an amount that cannot be read' : dueInWords(due, money);
}

function stateOf(invoice: Invoice, money: Money): State {
  const { status, totalCharge } = invoice;
  const due = amountDue(invoice);
  const amount = amountInAll(invoice, money);
  const nothing = due?.amount.isZero() === true ? whyNothing(invoice, money) : undefined;
  const none = { open: undefined, pay: undefined, next: [] };
  if (status === 'paid') {
    const state = mrkdwn`${sign('good')} *Paid*: ${nothing ?? amount}`;
    return { ...none, due: 'paid', cell: NOTHING, state };
  }
  if (nothing !== undefined) {
    const state = mrkdwn`${sign('good')} *Nothing to pay*: ${nothing}`;
    return { ...none, due: 'nothing', cell: 'nothing', state };
  }
  if (!isUnpaid(invoice)) {
    const which = status === '' ? mrkdwn`the platform gives none` : code(status, 40);
    const state = mrkdwn`${sign('unknown')} *Status not known* (${which}): ${amount} in all, perhaps due`;
    const next = [mrkdwn`→ Ask the platform’s support before you pay`];
    return { ...none, due: 'unknown-status', cell: 'not known', state, next };
  }
  const unread = openUnread(invoice);
  if (due !== undefined && unread.length === 0) return openState(invoice, due, money);
  const parts = unread.map((one) => `the amount of ${spanOf(one)} (${statusInWords(one.status)})`);
  const what = totalCharge === undefined ? 'the total' : firstOf(parts, 3);
  const isFailed = status.endsWith('failed');
  return {
    due: 'unreadable',
    open: undefined,
    cell: UNREADABLE,
    pay: 'Pay',
    state: mrkdwn`${sign('unknown')} *Amount due not known*: ${what} cannot be read; ${statusInWords(status)}`,
    next: [
      isFailed
        ? cardStep('see the amount on the payment page')
        : mrkdwn`→ See the amount on the payment page`,
    ],
  };
}

function whyNothing({ totalCharge }: Invoice, money: Money): string {
  if (totalCharge?.gt(0)) return 'credits cover it';
  return totalCharge?.lt(0) ? `the total is ${money(totalCharge)}` : 'it costs nothing';
}

/** Explains why the amount due of a partly paid invoice is an upper limit (spec 2.8). */
export const PAID_UNKNOWN = 'what is paid is not known';

function openState(invoice: Invoice, all: AmountDue, money: Money): State {
  const { status } = invoice;
  const part = openPartOf(invoice, all, money);
  const isPaidUnknown = part === undefined && isPartial(status);
  const whole = dueInWords({ ...all, isExact: all.isExact && !isPaidUnknown }, money);
  const frame = {
    due: 'open' as const,
    open: { all, amount: part?.amount ?? all.amount, isPaidUnknown },
    cell: part?.text ?? whole,
    pay: isPaidUnknown ? 'Pay' : `Pay ${part?.sum ?? whole}`,
  };
  const what = part?.text ?? `amount due ${whole}`;
  // An invoice can be pending as a whole while its open part has failed.
  if (status === 'pending-payment' && part?.isFailed !== true) {
    const state = mrkdwn`${sign('underWay')} *${what.replace(/^a/, 'A')}*: ${statusInWords(status)}`;
    return { ...frame, state, next: [] };
  }
  const isPaidInPart = status === 'partially-paid';
  const failed = status === 'partially-failed' ? 'Payment failed in part' : 'Payment failed';
  const payPart = part
    ? mrkdwn`→ Pay the open part`
    : mrkdwn`→ See which part is open, then pay it`;
  return {
    ...frame,
    state: mrkdwn`${sign('wrong')} *${isPaidInPart ? 'Paid in part' : failed}: ${what}*${isPaidUnknown ? ` (${PAID_UNKNOWN})` : ''}`,
    next: [isPaidInPart ? payPart : cardStep('pay')],
  };
}

function cardStep(then: string): Mrkdwn {
  return mrkdwn`→ See which card was charged: ${code('/billing account')}; change it on the platform, then ${then}`;
}

/**
 * Open periods with an unreadable amount. They matter only if another period is paid, because the total then includes
 * paid amounts.
 */
function openUnread({ periods }: Invoice): InvoicePeriod[] {
  if (!periods.some(({ status }) => status === 'paid')) return [];
  return periods.filter((period) => isUnpaid(period) && period.totalCharge === undefined);
}

/**
 * The periods that are not paid: "$500.00 open (October) of $1,500.00". Undefined if a period has another status than
 * paid, pending or failed; if no period is paid, all is open, unless the invoice itself is paid in part.
 */
function openPartOf(invoice: Invoice, due: AmountDue, money: Money) {
  const { status, periods, credits, startTime, endTime } = invoice;
  const open = periods.filter((period) => isOpen(period.status));
  const paid = periods.filter((period) => period.status === 'paid');
  const isWhole = paid.length === 0;
  if (open.length === 0 || open.length + paid.length < periods.length) return undefined;
  if (isWhole && status !== 'partially-failed') return undefined;
  const all = sumOf(open.map(({ totalCharge: charge }) => ({ charge })));
  const amount = isWhole ? due.amount : BigNumber.min(all, due.amount);
  // The platform omits which period a credit belongs to.
  const isExact = isWhole ? due.isExact : credits.length === 0;
  const year = / \d{4}$/.exec(spanOf({ startTime, endTime }))?.[0];
  const months = open.map((period) => {
    const words = spanOf(period);
    return year !== undefined && words.endsWith(year) ? words.slice(0, -year.length) : words;
  });
  const sum = dueInWords({ amount, isExact }, money);
  const of = isWhole ? '' : ` of ${dueInWords(due, money)}`;
  const text = `${sum} open (${firstOf([...new Set(months)], 3)})${of}`;
  const isFailed = open.every((period) => period.status === 'payment-failed');
  return { amount, sum, text, isFailed };
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

export function isUnpaid({ status }: { readonly status: string }): boolean {
  return isOpen(status) || isPartial(status);
}

function isOpen(status: string): boolean {
  return status === 'pending-payment' || status === 'payment-failed';
}

function isPartial(status: string): boolean {
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

/** "October 2026", "October to November 2026", "5-31 October 2026", in UTC; a dash if it is absent. */
export function spanOf({ startTime, endTime }: Pick<Invoice, 'startTime' | 'endTime'>): string {
  if (startTime === undefined || endTime === undefined || endTime <= startTime) return NOTHING;
  return describeRange({ startMs: startTime, endMs: endTime });
}

/** The sum of the readable charges; smallest currency unit. */
export function sumOf(items: readonly Pick<LineItem, 'charge'>[]): BigNumber {
  return items.reduce((sum, { charge }) => sum.plus(charge ?? 0), new BigNumber(0));
}

export function countUnread(items: readonly Pick<LineItem, 'charge'>[]): number {
  return items.filter(({ charge }) => charge === undefined).length;
}

/** Replaces an org that is absent or cannot be read. */
export const NOT_SAID = '(not reported)';

/** Of buttons and menus about an invoice: "invoices.show". */
export const INVOICE_ACTIONS = ['show', 'csv', 'pdf', 'pay', 'deliveries'] as const;
export type InvoiceAction = (typeof INVOICE_ACTIONS)[number];

/** None for an invoice without an id, or with one that no button can hold. */
export function invoiceButton(
  text: string,
  kind: InvoiceAction,
  { id }: Pick<Invoice, 'id'>,
): Button[] {
  return id === '' || id.length > LIMITS.buttonValue
    ? []
    : [button({ action: `invoices.${kind}`, text, value: id })];
}

/** A line as the platform wrote it: one org, item, pricing tier and period (spec 2.8). */
export type InvoiceLine = ReturnType<typeof lineOf>;
export type ItemLines = ReturnType<typeof together>;

export type UnitOf = (item: string) => string | undefined;

/** Every line of an invoice, in its order (spec 2.8). @param unitOf for lines whose description omits the unit */
export function linesOf({ periods }: Pick<Invoice, 'periods'>, unitOf: UnitOf) {
  return periods.flatMap((period) => period.items.map((line) => lineOf(line, period, unitOf)));
}

/** The largest charge first. */
export function itemsOf(lines: readonly InvoiceLine[]) {
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

const MAX_EXPONENT = 30;

function lineOf(line: LineItem, period: InvoicePeriod, unitOf: UnitOf) {
  const { description } = line;
  // Brackets in a surcharge contain no unit.
  const named = isSurcharge(line) ? undefined : unitInDescription(description);
  const item = named?.item ?? description;
  const unit = isSurcharge(line) ? undefined : (named?.unit ?? unitOf(item));
  /** Price of one raw unit in whole units of the currency; undefined: not given. */
  const rate = rateIn(description);
  return { ...line, item, unit, rate, period };
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

function together(lines: readonly InvoiceLine[]) {
  const { org, item, unit } = lines[0]!;
  const quantities = lines.flatMap(({ quantity }) => quantity ?? []);
  return {
    org,
    item,
    unit,
    /** At least one, in the order of the invoice. */
    lines,
    /** In the raw unit; undefined if a line omits it. */
    quantity: quantities.length < lines.length ? undefined : BigNumber.sum(...quantities),
    /** The sum of the readable charges; smallest currency unit. */
    charge: sumOf(lines),
  };
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
    items.every(
      (item) =>
        item.quantity === undefined ||
        isSurcharge(item) ||
        unitInDescription(item.description).unit !== undefined,
    ),
  );
  if (hasUnits) return () => undefined;
  const read = known(await factOf(charges.chargeableItems()));
  const units = new Map(read?.value.items.map(({ name, unit }) => [name.toLowerCase(), unit]));
  return (item) => units.get(item.toLowerCase()) || undefined;
}
