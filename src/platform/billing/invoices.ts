import type { Readable } from 'node:stream';
import { BigNumber } from 'bignumber.js';
import { z } from 'zod';
import { checkHour, refusal } from '../errors.ts';
import { idOf, isNothing, numberOf, objectOf, own, textOf, timeOf } from '../json.ts';
import type { Reading, ReadOptions } from '../concurrency.ts';
import { createCalls, identity, label, malformed, type Listing } from './calls.ts';
import type { BillingContext } from './context.ts';

/**
 * One line per org, chargeable item and pricing tier; a credit or surcharge may name none of them. Unreadable
 * members affect only their line.
 */
export interface LineItem {
  readonly description: string;
  /** In the item's raw unit; undefined when absent in the answer. */
  readonly quantity: BigNumber | undefined;
  /** Smallest currency unit; at most 0 in a credit; undefined unless it is a whole number. */
  readonly charge: BigNumber | undefined;
  /** Empty: the whole account; undefined when unreadable. */
  readonly org: string | undefined;
}

export interface InvoicePeriod {
  /** Ms since the epoch. */
  readonly startTime: number | undefined;
  readonly endTime: number | undefined;
  /** Smallest currency unit; undefined unless it is a whole number. */
  readonly totalCharge: BigNumber | undefined;
  readonly status: string;
  readonly items: readonly LineItem[];
}

/** Accrued, not yet billed charges (spec 2.8, 4.2). Times in ms since the epoch. */
export interface PendingInvoice {
  readonly id?: string;
  /** The payment processor's or the account's own id, as sent. */
  readonly accountId: string;
  readonly number: number | undefined;
  readonly startTime: number | undefined;
  readonly endTime: number | undefined;
  /** Smallest currency unit, before credits; undefined unless it is a whole number. */
  readonly totalCharge: BigNumber | undefined;
  /** A status of spec 2.8, or any other text of the platform, trimmed; empty when absent. */
  readonly status: string;
  readonly orgNames: readonly string[];
  readonly periods: readonly InvoicePeriod[];
  readonly credits: readonly LineItem[];
}

export interface Invoice extends PendingInvoice {
  readonly id: string;
}

/** A hosted payment page for one invoice period; `id` is the period's UUID. */
export interface PaymentLink {
  readonly id: string;
  readonly externalUrl: string;
}

interface Invoices {
  /**
   * Invoices that overlap the range, newest first (spec 4.2). `start` and `end` are RFC 3339 in UTC on an
   * hour boundary, `start` before `end`. @throws PlatformError
   */
  listInvoices(
    range: { start: string; end: string },
    options?: ReadOptions,
  ): Promise<Reading<Listing<Invoice>>>;
  /**
   * Accrued, not yet billed charges; with `includeSurcharges` only the current month's, with surcharges and
   * credits (spec 4.2). @throws PlatformError
   */
  listPendingInvoices(
    options?: ReadOptions & { includeSurcharges?: boolean },
  ): Promise<Reading<Listing<PendingInvoice>>>;
  /** Spec 4.2. @throws PlatformError `not-found`; `malformed` when the answer is another invoice */
  getInvoice(id: string, options?: ReadOptions): Promise<Reading<Invoice>>;
  /**
   * Streams the PDF of an invoice (spec 4.2). @throws PlatformError `not-found`; the stream fails with one,
   * too
   */
  downloadInvoicePdf(id: string): Promise<Readable>;
  /**
   * Payment pages by invoice period, empty for an account not billed by card (spec 2.8); never cached.
   * @throws PlatformError
   */
  listPaymentLinks(invoiceId: string): Promise<Listing<PaymentLink>>;
}

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
export function createInvoices(context: BillingContext): Invoices {
  const http = context.accountFor('billing_admin', 'billing_viewer');
  const calls = createCalls(context, http);
  const pathTo = (...names: string[]) => context.accountPath('charges', 'invoices', ...names);
  const pathToInvoice = (id: string, ...names: string[]) => {
    // That path is the list of pending invoices.
    if (id === 'pending') throw refusal('"pending" is not the id of an invoice');
    return pathTo(id, ...names);
  };

  return {
    async listInvoices({ start, end }, options) {
      if (checkHour('start', start) >= checkHour('end', end)) {
        throw refusal('start must be before end');
      }
      const question = { path: pathTo(), query: { start, end }, wrappers: ['invoices'] };
      return calls.readList(question, toInvoice, options);
    },
    async listPendingInvoices({ includeSurcharges = false, ...options } = {}) {
      const query: Record<string, string> = includeSurcharges
        ? { 'include-surcharges': 'true' }
        : {};
      const question = { path: pathTo('pending'), query, wrappers: ['invoices'] };
      return calls.readList(question, toPendingInvoice, options);
    },
    async getInvoice(id, options) {
      const toSame = (body: unknown) => {
        const invoice = toInvoice(body);
        if (invoice?.id.toLowerCase() === id.toLowerCase()) return invoice;
        throw malformed('the invoice that was asked for');
      };
      return calls.read({ path: pathToInvoice(id) }, toSame, options);
    },
    downloadInvoicePdf: async (id) => http.download(pathToInvoice(id), 'application/pdf'),
    async listPaymentLinks(invoiceId) {
      const path = pathToInvoice(invoiceId, 'external-url');
      const question = { path, wrappers: ['invoicePeriods'], mayBeEmpty: true };
      return calls.fetchList(question, (row) => PaymentLinkRecord.safeParse(row).data);
    },
  };
}

/** Spec 2.8. A pending invoice may lack an id. Each amount is read separately. */
const PendingInvoiceRecord = z.object({
  id: label,
  accountId: label,
  number: label,
  startTime: label,
  endTime: label,
  totalCharge: label,
  status: label,
  orgNames: label,
  periods: label,
  credits: label,
});

type PendingInvoiceRecord = z.infer<typeof PendingInvoiceRecord>;

const InvoiceRecord = PendingInvoiceRecord.extend({ id: identity });

/** Spec 2.8. Users click the link, so it must be HTTP(S). */
const PaymentLinkRecord = z.object({
  id: identity,
  externalUrl: z.url({ protocol: /^https?$/ }),
});

function toInvoice(body: unknown): Invoice | undefined {
  const record = InvoiceRecord.safeParse(body).data;
  return record && { ...invoiceOf(record), id: record.id };
}

function toPendingInvoice(body: unknown): PendingInvoice | undefined {
  const record = PendingInvoiceRecord.safeParse(body).data;
  const id = idOf(record?.id);
  return record && { ...invoiceOf(record), ...(id ? { id } : {}) };
}

function invoiceOf(record: PendingInvoiceRecord): PendingInvoice {
  const number = numberOf(record.number)?.toNumber();
  const { orgNames } = record;
  return {
    accountId: idOf(record.accountId),
    number: Number.isSafeInteger(number) ? number : undefined,
    startTime: timeOf(record.startTime),
    endTime: timeOf(record.endTime),
    totalCharge: amountOf(record.totalCharge),
    status: textOf(record.status).trim(),
    orgNames: Array.isArray(orgNames) ? orgNames.filter((name) => typeof name === 'string') : [],
    periods: rowsOf(record.periods).map(periodOf),
    credits: rowsOf(record.credits).map(creditOf),
  };
}

function periodOf(said: unknown): InvoicePeriod {
  const period = objectOf(said) ?? {};
  return {
    startTime: timeOf(own(period, 'startTime')),
    endTime: timeOf(own(period, 'endTime')),
    totalCharge: amountOf(own(period, 'totalCharge')),
    status: textOf(own(period, 'status')).trim(),
    items: rowsOf(own(period, 'items')).map(lineItemOf),
  };
}

const UNREAD_LINE: LineItem = {
  description: '',
  quantity: undefined,
  charge: undefined,
  org: undefined,
};

function lineItemOf(said: unknown): LineItem {
  const line = objectOf(said);
  // An empty line would pass for one of the whole account.
  if (line === undefined) return UNREAD_LINE;
  const org = own(line, 'org') ?? '';
  return {
    description: textOf(own(line, 'description')),
    quantity: numberOf(own(line, 'quantity')),
    charge: amountOf(own(line, 'charge')),
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
function rowsOf(said: unknown): readonly unknown[] {
  if (isNothing(said)) return [];
  return Array.isArray(said) ? said : [undefined];
}
