import { BigNumber } from 'bignumber.js';
import { checkHour, refusal } from '../errors.ts';
import {
  idOf,
  isNothing,
  membersOf,
  numberOf,
  objectOf,
  textOf,
  timeOf,
  type Members,
} from '../json.ts';
import type { ReadOptions } from '../concurrency.ts';
import { createCalls, malformed } from './calls.ts';
import type { BillingContext } from './context.ts';

/** The amount to pay, in the smallest currency unit; if not exact, the upper limit. */
export interface AmountDue {
  readonly amount: BigNumber;
  readonly isExact: boolean;
}

/**
 * Total plus credits, never below 0 (spec 2.8), whatever the status. An unreadable credit could only lower
 * it. Undefined without a readable total.
 */
export function amountDue({
  totalCharge,
  credits,
}: Pick<PendingInvoice, 'totalCharge' | 'credits'>): AmountDue | undefined {
  if (totalCharge === undefined) return undefined;
  const due = credits.reduce((sum, { charge }) => sum.plus(charge ?? 0), totalCharge);
  const amount = BigNumber.max(0, due);
  const isRead = credits.every(({ charge }) => charge !== undefined);
  return { amount, isExact: isRead || amount.isZero() };
}

/** Amounts are exact (spec 2.1, 2.8, 4.2). */
export function createInvoices(context: BillingContext) {
  const http = context.accountFor('billing_admin', 'billing_viewer');
  const calls = createCalls(context, http);
  const pathTo = (...names: string[]) => context.accountPath('charges', 'invoices', ...names);
  const pathToInvoice = (id: string, ...names: string[]) => {
    // That path is the list of pending invoices.
    if (id === 'pending') throw refusal('"pending" is not the id of an invoice');
    return pathTo(id, ...names);
  };

  return {
    /**
     * Invoices that overlap the range, newest first. `start` and `end` are RFC 3339 in UTC on an hour
     * boundary, `start` before `end`.
     */
    async listInvoices({ start, end }: { start: string; end: string }, options?: ReadOptions) {
      if (checkHour('start', start) >= checkHour('end', end)) {
        throw refusal('start must be before end');
      }
      const question = { path: pathTo(), query: { start, end }, wrappers: ['invoices'] };
      return calls.readList(question, toInvoice, options);
    },
    /**
     * Accrued, not yet billed charges; with `includeSurcharges` only the current month's, with surcharges and
     * credits.
     */
    async listPendingInvoices({
      includeSurcharges = false,
      ...options
    }: ReadOptions & { includeSurcharges?: boolean } = {}) {
      const query: Record<string, string> = includeSurcharges
        ? { 'include-surcharges': 'true' }
        : {};
      const question = { path: pathTo('pending'), query, wrappers: ['invoices'] };
      return calls.readList(question, toPendingInvoice, options);
    },
    /** @throws PlatformError `not-found`; `malformed` when the answer is another invoice */
    async getInvoice(id: string, options?: ReadOptions) {
      const toSame = (body: unknown) => {
        const invoice = toInvoice(body);
        if (invoice?.id.toLowerCase() === id.toLowerCase()) return invoice;
        throw malformed('the invoice that was asked for');
      };
      return calls.read({ path: pathToInvoice(id) }, toSame, options);
    },
    /** A stream. @throws PlatformError `not-found`; the stream fails with one, too */
    downloadInvoicePdf: async (id: string) => http.download(pathToInvoice(id), 'application/pdf'),
    /** By invoice period, empty for an account not billed by card; never cached. */
    async listPaymentLinks(invoiceId: string) {
      const path = pathToInvoice(invoiceId, 'external-url');
      const question = { path, wrappers: ['invoicePeriods'], mayBeEmpty: true };
      return calls.fetchList(question, toPaymentLink);
    },
  };
}

function toInvoice(body: unknown) {
  const invoice = toPendingInvoice(body);
  return invoice?.id === undefined ? undefined : { ...invoice, id: invoice.id };
}

/**
 * Accrued, not yet billed charges (spec 2.8, 4.2). Amounts are in the smallest currency unit, times in ms
 * since the epoch; each amount is read separately, and undefined unless it is a whole number.
 */
export type PendingInvoice = NonNullable<ReturnType<typeof toPendingInvoice>>;

export type Invoice = NonNullable<ReturnType<typeof toInvoice>>;

function toPendingInvoice(body: unknown) {
  const invoice = objectOf(body);
  if (invoice === undefined) return undefined;
  const number = numberOf(invoice['number'])?.toNumber();
  const names = invoice['orgNames'];
  return {
    id: idOf(invoice['id']) || undefined,
    /** The payment processor's or the account's own id, as sent. */
    accountId: idOf(invoice['accountId']),
    number: Number.isSafeInteger(number) ? number : undefined,
    ...spanOf(invoice),
    orgNames: (Array.isArray(names) ? names : []).filter((name) => typeof name === 'string'),
    periods: rowsOf(invoice['periods'], periodOf),
    credits: rowsOf(invoice['credits'], creditOf),
  };
}

/** Of an invoice or a period of one. */
function spanOf(said: Members) {
  return {
    startTime: timeOf(said['startTime']),
    endTime: timeOf(said['endTime']),
    /** Before credits. */
    totalCharge: amountOf(said['totalCharge']),
    /** A status of spec 2.8, or any other text of the platform; empty when absent. */
    status: textOf(said['status']).trim(),
  };
}

export type InvoicePeriod = ReturnType<typeof periodOf>;

function periodOf(said: unknown) {
  const period = membersOf(said);
  return { ...spanOf(period), items: rowsOf(period['items'], lineItemOf) };
}

/**
 * One line per org, chargeable item and pricing tier; a credit or surcharge may name none of them. Unreadable
 * members affect only their line.
 */
export type LineItem = ReturnType<typeof lineItemOf>;

function lineItemOf(said: unknown) {
  const line = objectOf(said);
  const { description, quantity, charge } = line ?? {};
  const org = line && (line['org'] ?? '');
  return {
    description: textOf(description),
    /** In the item's raw unit. */
    quantity: numberOf(quantity),
    /** At most 0 in a credit. */
    charge: amountOf(charge),
    /** Empty: the whole account; undefined when unreadable. */
    org: typeof org === 'string' ? org : undefined,
  };
}

/** Credits have a negative charge (spec 2.8); one that raised the amount due is invalid. */
function creditOf(said: unknown): LineItem {
  const credit = lineItemOf(said);
  return { ...credit, charge: credit.charge?.lte(0) ? credit.charge : undefined };
}

/** Amounts are in the smallest unit of the currency (spec 2.1), so a fraction is invalid. */
function amountOf(said: unknown): BigNumber | undefined {
  const amount = numberOf(said);
  return amount?.isInteger() ? amount : undefined;
}

/** Anything but a list counts as one unreadable row, so that it does not pass for an empty list. */
function rowsOf<T>(said: unknown, read: (row: unknown) => T): readonly T[] {
  if (isNothing(said)) return [];
  return Array.isArray(said) ? said.map(read) : [read(undefined)];
}

/** A hosted payment page for one invoice period; `id` is the period's UUID (spec 2.8). */
export type PaymentLink = NonNullable<ReturnType<typeof toPaymentLink>>;

/** Users click the link, so it must be HTTP(S). */
function toPaymentLink(row: unknown) {
  const said = membersOf(row);
  const id = idOf(said['id']);
  const externalUrl = textOf(said['externalUrl']).trim();
  const isLink = URL.canParse(externalUrl) && /^https?:$/.test(new URL(externalUrl).protocol);
  return id !== '' && isLink ? { id, externalUrl } : undefined;
}
