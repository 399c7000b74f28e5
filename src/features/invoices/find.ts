import type { Readable } from 'node:stream';
import { Refusal } from '../../lib/errors.ts';
import { truncate } from '../../lib/text.ts';
import type { BillingClient } from '../../platform/billing/client.ts';
import type { Invoice } from '../../platform/billing/invoices.ts';
import type { Reading, ReadOptions } from '../../platform/concurrency.ts';
import { isAbsence } from '../../platform/errors.ts';
import { wholeUnits } from '../../reporting/amounts.ts';
import { toCsv, type Cell } from '../../reporting/csv.ts';
import { rfc3339, type Range } from '../../reporting/range.ts';
import type { InvoiceRef } from './parse.ts';
import { isSurcharge, linesOf, type UnitOf, nameOf } from './sheet.ts';

type Reader = Pick<BillingClient, 'listInvoices' | 'getInvoice'>;

/** Months of the first step back in search of a number; each further step is twice as long. */
const FIRST_SEARCH_MONTHS = 12;
/** The search ends here: no invoice is older. Ms since the epoch. */
const BEGINNING = Date.UTC(2010, 0, 1);

/**
 * An invoice by its id, or by its number, searched from the current month back to the first invoice, because the
 * platform cannot look up a number (spec 4.2).
 * @param now ms since the epoch
 * @throws Refusal if it does not exist, PlatformError
 */
export async function findInvoice(
  billing: Reader,
  ref: InvoiceRef,
  now: number,
  options?: ReadOptions,
): Promise<Reading<Invoice>> {
  return 'number' in ref
    ? findByNumber(billing, ref.number, now, options)
    : findById(billing, ref.id, options);
}

async function findById(
  billing: Reader,
  id: string,
  options?: ReadOptions,
): Promise<Reading<Invoice>> {
  try {
    return await billing.getInvoice(id, options);
  } catch (error) {
    if (!isAbsence(error)) throw error;
    throw new Refusal(
      `There is no invoice with the id "${truncate(id, 60)}": "/invoices" lists those of the last 12 months.`,
    );
  }
}

async function findByNumber(
  billing: Reader,
  number: number,
  now: number,
  options?: ReadOptions,
): Promise<Reading<Invoice>> {
  const seen: number[] = [];
  let isComplete = true;
  let months = FIRST_SEARCH_MONTHS;
  let end = monthStart(now, 1);
  while (end > BEGINNING) {
    const start = Math.max(BEGINNING, monthStart(end, -months));
    const range = rangeOf({ startMs: start, endMs: end });
    const { value } = await billing.listInvoices(range, options);
    const found = value.items.find((invoice) => invoice.number === number);
    // A list entry can be incomplete: without credits, its amount due would be wrong.
    if (found) return findById(billing, found.id, options);
    seen.push(...value.items.flatMap((invoice) => invoice.number ?? []));
    isComplete &&= value.skipped === 0 && value.items.every((one) => one.number !== undefined);
    // Invoices are numbered consecutively from 1 on, so nothing precedes 1.
    if (seen.includes(1)) break;
    end = start;
    months *= 2;
  }
  throw new Refusal(notFound(number, seen, isComplete));
}

function notFound(number: number, seen: readonly number[], isComplete: boolean): string {
  if (!isComplete) {
    return `There is no invoice ${number} among those that can be read, and some cannot: please try again, and contact your Purser administrator if it lasts.`;
  }
  if (seen.length === 0) {
    return `There is no invoice ${number}, and no other one yet: "/invoices pending" shows what has accrued.`;
  }
  const newest = seen.reduce((one, other) => Math.max(one, other));
  const oldest = seen.reduce((one, other) => Math.min(one, other));
  const known =
    newest === oldest ? `the only one is ${newest}` : `they go from ${oldest} to ${newest}`;
  return `There is no invoice ${number}: ${known}.`;
}

/** A range in the platform's format: both ends on an hour (spec 4.2). */
export function rangeOf({ startMs, endMs }: Range): { start: string; end: string } {
  return { start: rfc3339(startMs), end: rfc3339(endMs) };
}

/** Ends with the current month. @param now ms since the epoch */
export function monthsUntil(now: number, months: number): Range {
  return { startMs: monthStart(now, 1 - months), endMs: monthStart(now, 1) };
}

/** Start of the month that is `months` after the one of `ms`, in UTC, ms since the epoch. */
function monthStart(ms: number, months: number): number {
  const at = new Date(ms);
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months, 1);
}

/** The latest deliveries, all or of one invoice (spec 2.10). @throws PlatformError */
export async function listDeliveries(
  billing: Pick<BillingClient, 'listDeliveries'>,
  invoiceId: string | undefined,
  options?: ReadOptions,
): ReturnType<BillingClient['listDeliveries']> {
  const listed = await billing.listDeliveries({ ...options, ...(invoiceId && { invoiceId }) });
  // A platform without this parameter returns the deliveries of all invoices.
  const items = listed.value.items.filter(
    (one) =>
      invoiceId === undefined ||
      ['', invoiceId.toLowerCase()].includes(one.invoiceId.toLowerCase()),
  );
  return { ...listed, value: { ...listed.value, items } };
}

/**
 * Every line and credit of an invoice, unchanged (spec 2.8). A cell is empty if its value is absent or cannot be read.
 * @param unitOf for lines whose description omits the unit
 * @throws Refusal if there are no lines
 */
export function invoiceCsv(invoice: Invoice, unitOf: UnitOf, currency: string): string {
  const none = { item: '', unit: '', rate: undefined, period: undefined };
  const lines = linesOf(invoice, unitOf).map((line) => ({
    ...line,
    kind: isSurcharge(line) ? 'surcharge' : 'line',
  }));
  const rows = [
    ...lines,
    ...invoice.credits.map((credit) => ({ ...none, ...credit, kind: 'credit' })),
  ];
  if (rows.length === 0) {
    throw new Refusal(`${nameOf(invoice)} has no lines, so there is nothing to put into a file.`);
  }
  const timeOf = (ms: number | undefined) => (ms === undefined ? undefined : rfc3339(ms));
  const columns: Record<string, (row: (typeof rows)[number]) => Cell> = {
    kind: ({ kind }) => kind,
    'period start': ({ period }) => timeOf(period?.startTime),
    'period end': ({ period }) => timeOf(period?.endTime),
    'period status': ({ period }) => period?.status,
    org: ({ org }) => org,
    item: ({ item }) => item,
    description: ({ description }) => description,
    quantity: ({ quantity }) => quantity,
    unit: ({ unit }) => unit,
    rate: ({ rate }) => rate,
    'charge in smallest unit': ({ charge }) => charge,
    charge: ({ charge }) => charge && wholeUnits(charge, currency),
    currency: () => currency,
  };
  return toCsv(
    Object.keys(columns),
    rows.map((row) => Object.values(columns).map((of) => of(row))),
  );
}

/** The PDF signature is within the first bytes. */
const HEAD_BYTES = 1_024;

/**
 * The chunks of a PDF, after a check for its signature: anything else would arrive as a broken file. The stream is
 * closed at its end, or when the consumer stops early.
 * @throws Refusal if it is not a PDF; the stream's own errors
 */
export async function pdfChunks(source: Readable): Promise<AsyncIterable<Uint8Array>> {
  const chunks = source[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  const head: Uint8Array[] = [];
  let size = 0;
  while (size < HEAD_BYTES) {
    const { value, done } = await chunks.next();
    if (done) break;
    head.push(value);
    size += value.length;
  }
  if (Buffer.concat(head).subarray(0, HEAD_BYTES).includes('%PDF-')) return rejoin(head, chunks);
  source.destroy();
  throw new Refusal(
    'The platform sent something that is no PDF, so there is no file: please try again, and contact your Purser administrator if it lasts.',
  );
}

async function* rejoin(head: Uint8Array[], rest: AsyncIterator<Uint8Array>) {
  yield* head;
  yield* { [Symbol.asyncIterator]: () => rest };
}
