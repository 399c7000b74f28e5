import type { Readable } from 'node:stream';

import { BigNumber } from 'bignumber.js';

import { checkHour, refusal } from '../checks.ts';
import { numberOf } from '../members.ts';
import { idOf, textOf, timeOf } from '../tolerant.ts';
import type { ReadOptions, Reading } from '../read-cache.ts';
import { createCalls } from './calls.ts';
import type { BillingContext } from './context.ts';
import { malformed } from './listing.ts';
import type { Listing } from './listing.ts';
import { InvoiceRecord, PaymentLinkRecord, PendingInvoiceRecord } from './schema.ts';
import type { InvoicePeriodRecord, LineItemRecord } from './schema.ts';

/** One line per org, chargeable item and pricing tier; a credit or surcharge may name none of them. */
export interface LineItem {
  readonly description: string;
  /** In the item's raw unit; undefined when the platform does not say it. */
  readonly quantity: BigNumber | undefined;
  /** Smallest currency unit; negative in a credit. */
  readonly charge: BigNumber;
  readonly org: string;
}

export interface InvoicePeriod {
  /** Ms since the epoch. */
  readonly startTime: number | undefined;
  readonly endTime: number | undefined;
  /** Smallest currency unit; undefined when the platform does not say it. */
  readonly totalCharge: BigNumber | undefined;
  readonly status: string;
  readonly items: readonly LineItem[];
}

/** What has accrued and is not yet billed (spec 2.8, 4.2). Times in ms since the epoch. */
export interface PendingInvoice {
  readonly id?: string;
  /** The payment processor's or the account's own id, as it comes. */
  readonly accountId: string;
  readonly number: number | undefined;
  readonly startTime: number | undefined;
  readonly endTime: number | undefined;
  /** Smallest currency unit, before credits. */
  readonly totalCharge: BigNumber;
  /** One of spec 2.8, or whatever the platform says; empty when it says nothing. */
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

export interface Invoices {
  /**
   * Invoices that overlap the range, newest first (spec 4.2). `start` and `end` are RFC 3339 in UTC
   * on an hour boundary, `start` before `end`. @throws PlatformError
   */
  listInvoices(
    range: { start: string; end: string },
    options?: ReadOptions,
  ): Promise<Reading<Listing<Invoice>>>;
  /**
   * Accrued, not yet billed charges; with `includeSurcharges` only the current month's, with
   * surcharges and credits (spec 4.2). @throws PlatformError
   */
  listPendingInvoices(
    options?: ReadOptions & { includeSurcharges?: boolean },
  ): Promise<Reading<Listing<PendingInvoice>>>;
  /** One invoice (spec 4.2). @throws PlatformError `not-found`; `malformed` when its money cannot be read */
  getInvoice(id: string, options?: ReadOptions): Promise<Reading<Invoice>>;
  /** The PDF of an invoice as it comes (spec 4.2). @throws PlatformError `not-found`; the stream ends with one too */
  downloadInvoicePdf(id: string): Promise<Readable>;
  /** Payment pages by invoice period, none for an account not billed by card (spec 2.8); never remembered. @throws PlatformError */
  listPaymentLinks(invoiceId: string): Promise<Listing<PaymentLink>>;
}

/** What is to be paid: the total and the credits, never below 0 (spec 2.8). Smallest currency unit. */
export function amountDue(invoice: Pick<PendingInvoice, 'totalCharge' | 'credits'>): BigNumber {
  const due = invoice.credits.reduce((sum, { charge }) => sum.plus(charge), invoice.totalCharge);
  return BigNumber.max(0, due);
}

/** The calls about invoices; amounts in them are exact (spec 2.1, 2.8, 4.2). */
export function createInvoices(context: BillingContext): Invoices {
  const http = context.accountFor('billing_admin', 'billing_viewer');
  const calls = createCalls(context, http);
  const pathTo = (...names: string[]) => context.accountPath('charges', 'invoices', ...names);
  const pathToInvoice = (id: string, ...names: string[]) => {
    // It would be the list of the pending ones.
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
    totalCharge: new BigNumber(record.totalCharge),
    status: textOf(record.status),
    orgNames: Array.isArray(orgNames) ? orgNames.filter((name) => typeof name === 'string') : [],
    periods: (record.periods ?? []).map(periodOf),
    credits: (record.credits ?? []).map(lineItemOf),
  };
}

function periodOf(record: InvoicePeriodRecord): InvoicePeriod {
  return {
    startTime: timeOf(record.startTime),
    endTime: timeOf(record.endTime),
    totalCharge: numberOf(record.totalCharge),
    status: textOf(record.status),
    items: (record.items ?? []).map(lineItemOf),
  };
}

function lineItemOf({ description, quantity, charge, org }: LineItemRecord): LineItem {
  return {
    description: textOf(description),
    quantity: numberOf(quantity),
    charge: new BigNumber(charge),
    org: textOf(org),
  };
}
