import { resolveRange } from '../../figures/range.ts';
import type { Range } from '../../figures/range.ts';
import type { Clock } from '../../lib/clock.ts';
import { truncate } from '../../lib/text.ts';
import type { BillingClient } from '../../platform/billing/client.ts';
import type { Invoice, PaymentLink } from '../../platform/billing/invoices.ts';
import type { Listing } from '../../platform/billing/listing.ts';
import { PlatformError } from '../../platform/errors.ts';
import type { Reading } from '../../platform/read-cache.ts';
import type { Keep } from '../../slack/keep.ts';
import { linkButton, mrkdwn, section, topText } from '../../slack/kit/index.ts';
import type { Mrkdwn } from '../../slack/kit/index.ts';
import type { Answer } from '../../slack/routes.ts';
import type { SendFile } from '../../slack/upload.ts';
import { invoiceCsv } from './csv.ts';
import { deliveriesAnswer } from './deliveries-view.ts';
import { rangeOf } from './find.ts';
import { countRows, invoiceAnswer } from './invoice-view.ts';
import { listAnswer } from './list-view.ts';
import { monthStart } from './months.ts';
import { nearestPage } from './paging.ts';
import { payAnswer } from './pay-view.ts';
import { pdfChunks } from './pdf.ts';
import { pendingAnswer } from './pending-view.ts';
import { reconcile } from './reconcile.ts';
import { unitsOf } from './units.ts';
import type { State, StateOf } from './state.ts';
import { createMoney, nameOf } from './words.ts';

export interface AnswersDeps {
  /** @throws Refusal when billing is off */
  billing: () => BillingClient;
  /** What the amounts of invoices are in, because they carry none. */
  currency: string;
  keep: Keep;
  sendFile: SendFile;
  clock: Clock;
}

/** Months of a list without a range, the current one among them: it can be billed already. */
const LISTED_MONTHS = 12;
/** Months whose invoices are known by number: deliveries are of older ones, too. */
const NUMBERED_MONTHS = 24;

/** The invoices of a span (spec 4.2). @throws Refusal, PlatformError */
export async function list(
  deps: AnswersDeps,
  userId: string,
  state: StateOf<'list'>,
): Promise<Answer> {
  const range = listedRange(state.range, state.askedAt);
  const { value, readAt } = await deps.billing().listInvoices(rangeOf(range.startMs, range.endMs));
  const page = nearestPage(value.items.length, state.page);
  const kept = await deps.keep.put(userId, { ...state, page });
  return listAnswer({
    invoices: value.items,
    skipped: value.skipped,
    range,
    readAt,
    page,
    kept,
    ...common(deps),
  });
}

/** What has accrued and is not billed (spec 4.2). @throws Refusal, PlatformError */
export async function pending(deps: AnswersDeps, includeSurcharges: boolean): Promise<Answer> {
  const { value, readAt } = await deps.billing().listPendingInvoices({ includeSurcharges });
  return pendingAnswer({
    pending: value.items,
    skipped: value.skipped,
    surcharges: includeSurcharges,
    readAt,
    ...common(deps),
  });
}

/** One invoice beside the charges of its months; `asked`: the page of its table, from 0 on. @throws Refusal, PlatformError */
export async function show(
  deps: AnswersDeps,
  userId: string,
  { value: invoice, readAt }: Reading<Invoice>,
  asked = 0,
): Promise<Answer> {
  const { charges } = deps.billing();
  const [reconciliation, unitOf] = await Promise.all([
    reconcile(charges, invoice, deps.currency),
    unitsOf(charges, invoice),
  ]);
  const page = nearestPage(countRows(invoice, unitOf), asked);
  const state: State = { kind: 'show', id: invoice.id, page };
  const kept = await deps.keep.put(userId, state);
  return invoiceAnswer({ invoice, reconciliation, unitOf, page, readAt, kept, ...common(deps) });
}

/** Streams the PDF to the person. @throws Refusal, PlatformError */
export async function pdf(deps: AnswersDeps, userId: string, invoice: Invoice): Promise<Answer> {
  const name = nameOf(invoice);
  const filename = fileNameOf(invoice, 'pdf');
  const source = await deps.billing().downloadInvoicePdf(invoice.id);
  try {
    const content = await pdfChunks(source);
    const address = await deps.sendFile({
      userId,
      filename,
      title: name,
      comment: `${name} as a PDF`,
      content,
    });
    return sentAnswer(mrkdwn`*${name}* is`, filename, address);
  } finally {
    // Whoever did not want all of it leaves a connection behind.
    source.destroy();
  }
}

/** Sends every line and credit to the person as a file. @throws Refusal, PlatformError */
export async function csv(deps: AnswersDeps, userId: string, invoice: Invoice): Promise<Answer> {
  const { currency } = deps;
  const name = nameOf(invoice);
  const filename = fileNameOf(invoice, 'csv');
  const content = invoiceCsv(invoice, await unitsOf(deps.billing().charges, invoice), currency);
  const comment = `All lines and credits of ${name}`;
  const title = `${name} (CSV)`;
  const address = await deps.sendFile({ userId, filename, title, comment, content });
  return sentAnswer(mrkdwn`All lines and credits of *${name}* are`, filename, address);
}

function fileNameOf({ number, id }: Invoice, ending: 'pdf' | 'csv'): string {
  return `invoice-${number || truncate(id, 60)}.${ending}`;
}

/** Where a file is, and the button that opens it where Slack says its address. */
function sentAnswer(what: Mrkdwn, filename: string, address: string | undefined): Answer {
  const open = address === undefined ? undefined : linkButton('Open', address);
  const line = mrkdwn`${what} in your messages with Purser, as ${filename}.`;
  return { text: topText(line), blocks: [section(line)], ...(open ? { buttons: [open] } : {}) };
}

/** The payment pages of an invoice (spec 2.8). @throws Refusal, PlatformError */
export async function pay(deps: AnswersDeps, invoice: Invoice): Promise<Answer> {
  return payAnswer({ invoice, links: await linksOf(deps, invoice.id), ...common(deps) });
}

/** The e-mails with invoices, or with one (spec 2.10). @throws Refusal, PlatformError */
export async function deliveries(
  deps: AnswersDeps,
  userId: string,
  state: StateOf<'deliveries'>,
): Promise<Answer> {
  const { invoice } = state;
  const only = invoice && { invoiceId: invoice.id };
  const [{ value, readAt }, numbers] = await Promise.all([
    deps.billing().listDeliveries(only),
    numbersOf(deps),
  ]);
  // A platform that does not know the parameter would tell of all of them.
  const deliveries = value.items.filter(({ invoiceId }) => !invoice || isOf(invoiceId, invoice.id));
  const page = nearestPage(deliveries.length, state.page);
  const kept = await deps.keep.put(userId, { ...state, page });
  return deliveriesAnswer({
    deliveries,
    skipped: value.skipped,
    of: invoice?.name,
    numbers,
    page,
    readAt,
    kept,
    ...common(deps),
  });
}

function common({ currency, clock }: AnswersDeps) {
  return { money: createMoney(currency), currency, now: clock.now() };
}

function listedRange(range: string | undefined, askedAt: number): Range {
  if (range !== undefined) return resolveRange(range, askedAt);
  return monthsUntil(askedAt, LISTED_MONTHS);
}

/** So many months, of which the current one is the last. */
function monthsUntil(now: number, months: number): Range {
  return { startMs: monthStart(now, 1 - months), endMs: monthStart(now, 1) };
}

/** Undefined where the platform has no payment pages; that the invoice exists is known. */
async function linksOf(deps: AnswersDeps, id: string): Promise<Listing<PaymentLink> | undefined> {
  try {
    return await deps.billing().listPaymentLinks(id);
  } catch (error) {
    if (error instanceof PlatformError && [400, 404, 409].includes(error.status ?? 0)) return;
    throw error;
  }
}

/** Numbers by id; deliveries say ids alone, and do without. */
async function numbersOf({ billing, clock }: AnswersDeps): Promise<ReadonlyMap<string, number>> {
  const { startMs, endMs } = monthsUntil(clock.now(), NUMBERED_MONTHS);
  try {
    const { value } = await billing().listInvoices(rangeOf(startMs, endMs));
    return new Map(value.items.map(({ id, number }) => [id, number] as const).filter(hasNumber));
  } catch (error) {
    if (error instanceof PlatformError) return new Map();
    throw error;
  }
}

function isOf(said: string, id: string): boolean {
  return said === '' || said.toLowerCase() === id.toLowerCase();
}

function hasNumber(entry: readonly [string, number | undefined]): entry is [string, number] {
  return entry[1] !== undefined;
}
