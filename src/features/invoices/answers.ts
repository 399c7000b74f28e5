import { z } from 'zod';
import { truncate } from '../../lib/text.ts';
import type { Listing } from '../../platform/billing/calls.ts';
import type { Invoice, PaymentLink } from '../../platform/billing/invoices.ts';
import { factOf, known } from '../../monitors/monitor.ts';
import { PlatformError } from '../../platform/errors.ts';
import type { Reading } from '../../platform/concurrency.ts';
import { resolveRange } from '../../reporting/range.ts';
import type { Services } from '../../services.ts';
import { linkButton, section } from '../../slack/kit/blocks.ts';
import { mrkdwn, type Mrkdwn } from '../../slack/kit/text.ts';
import type { Answer, Asked } from '../../slack/routing/routes.ts';
import { deliveriesAnswer } from './deliveries-view.ts';
import {
  findInvoice,
  invoiceCsv,
  listDeliveries,
  monthsUntil,
  pdfChunks,
  rangeOf,
} from './find.ts';
import { invoiceAnswer } from './invoice-view.ts';
import { unitsOf } from './lines.ts';
import { listAnswer } from './list-view.ts';
import type { InvoiceRef, InvoicesCommand } from './parse.ts';
import { payAnswer, pendingAnswer } from './due-view.ts';
import { reconcile } from './reconcile.ts';
import { createMoney, nameOf } from './sheet.ts';

export const INVOICES_ROUTE = 'invoices';

/** The invoice of an answer, for its menu. */
export const ShowQuestion = z.object({ kind: z.literal('show'), id: z.string() });

export const InvoicesQuestion = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('list'),
    /** The words of the command; absent: 12 months. */
    range: z.string().optional(),
    /** Ms since the epoch; fixes the span, so that all pages show the same one. */
    askedAt: z.number(),
  }),
  z.object({ kind: z.literal('pending'), surcharges: z.boolean() }),
  ShowQuestion,
  z.object({
    kind: z.literal('deliveries'),
    /** Absent: all invoices. */
    invoice: z.object({ id: z.string(), name: z.string() }).optional(),
  }),
]);
type InvoicesQuestion = z.infer<typeof InvoicesQuestion>;
type QuestionOf<Kind extends InvoicesQuestion['kind']> = Extract<InvoicesQuestion, { kind: Kind }>;

function askedFor(question: InvoicesQuestion, page: number): Asked {
  return { route: INVOICES_ROUTE, question, page };
}

/** Amounts use the currency of the configuration, because invoices carry none. */
export type InvoiceServices = Pick<
  Services,
  'billing' | 'config' | 'kept' | 'sendFile' | 'access' | 'clock'
>;

/** Months listed without a range, including the current one: it can be billed already. */
const LISTED_MONTHS = 12;
/** Months whose invoices are known by number; deliveries can belong to older ones. */
const NUMBERED_MONTHS = 24;

/** @throws Refusal, PlatformError */
export async function answer(
  services: InvoiceServices,
  userId: string,
  command: InvoicesCommand,
): Promise<Answer> {
  const find = async (ref: InvoiceRef, fresh = false) =>
    findInvoice(services.billing(), ref, services.clock.now(), { fresh });
  switch (command.kind) {
    case 'list':
      return answerPage(services, { ...command, askedAt: services.clock.now() });
    case 'pending':
      return answerPage(services, command);
    case 'show':
      return show(services, await find(command.ref));
    case 'csv':
      return csv(services, userId, (await find(command.ref)).value);
    case 'pdf':
      return pdf(services, userId, (await find(command.ref)).value);
    case 'pay':
      // The payment status should be current.
      return pay(services, (await find(command.ref, true)).value);
    case 'deliveries': {
      const found = command.ref && (await find(command.ref)).value;
      const invoice = found && { id: found.id, name: nameOf(found) };
      return answerPage(services, { kind: 'deliveries', invoice });
    }
  }
}

/** @param page from 1 on @throws Refusal, PlatformError */
export async function answerPage(
  services: InvoiceServices,
  question: InvoicesQuestion,
  page = 1,
): Promise<Answer> {
  switch (question.kind) {
    case 'list':
      return list(services, question, page);
    case 'pending':
      return pending(services, question, page);
    case 'show':
      return show(services, await services.billing().getInvoice(question.id), page);
    case 'deliveries':
      return deliveries(services, question, page);
  }
}

/** Spec 4.2. @throws Refusal, PlatformError */
async function list(
  services: InvoiceServices,
  question: QuestionOf<'list'>,
  page: number,
): Promise<Answer> {
  const range =
    question.range === undefined
      ? monthsUntil(question.askedAt, LISTED_MONTHS)
      : resolveRange(question.range, question.askedAt);
  const { value, readAt } = await services.billing().listInvoices(rangeOf(range));
  return listAnswer({
    invoices: value.items,
    skipped: value.skipped,
    range,
    readAt,
    asked: askedFor(question, page),
    ...common(services),
  });
}

/** Accrued charges that are not billed yet (spec 4.2). @throws Refusal, PlatformError */
async function pending(
  services: InvoiceServices,
  question: QuestionOf<'pending'>,
  page: number,
): Promise<Answer> {
  const { surcharges } = question;
  const { value, readAt } = await services
    .billing()
    .listPendingInvoices({ includeSurcharges: surcharges });
  return pendingAnswer({
    pending: value.items,
    skipped: value.skipped,
    surcharges,
    readAt,
    asked: askedFor(question, page),
    ...common(services),
  });
}

/** One invoice and the charges of its months. @throws Refusal, PlatformError */
async function show(
  services: InvoiceServices,
  { value: invoice, readAt }: Reading<Invoice>,
  page = 1,
): Promise<Answer> {
  const { charges } = services.billing();
  const [reconciliation, unitOf] = await Promise.all([
    reconcile(charges, invoice, services.config.currency),
    unitsOf(charges, invoice),
  ]);
  return invoiceAnswer({
    invoice,
    reconciliation,
    unitOf,
    readAt,
    asked: askedFor({ kind: 'show', id: invoice.id }, page),
    ...common(services),
  });
}

/** @throws Refusal, PlatformError */
async function pdf(services: InvoiceServices, userId: string, invoice: Invoice): Promise<Answer> {
  const title = nameOf(invoice);
  const source = await services.billing().downloadInvoicePdf(invoice.id);
  try {
    const content = await pdfChunks(source);
    const file = { userId, title, comment: `${title} as a PDF`, content };
    return await send(services, mrkdwn`*${title}* is`, invoice, 'pdf', file);
  } finally {
    // A stream that is not read to its end keeps its connection.
    source.destroy();
  }
}

/** Every line and credit. @throws Refusal, PlatformError */
async function csv(services: InvoiceServices, userId: string, invoice: Invoice): Promise<Answer> {
  const unitOf = await unitsOf(services.billing().charges, invoice);
  const content = invoiceCsv(invoice, unitOf, services.config.currency);
  const name = nameOf(invoice);
  const comment = `All lines and credits of ${name}`;
  const file = { userId, title: `${name} (CSV)`, comment, content };
  return send(services, mrkdwn`All lines and credits of *${name}* are`, invoice, 'csv', file);
}

/** The button is omitted if Slack returns no address. */
async function send(
  { sendFile }: InvoiceServices,
  what: Mrkdwn,
  { number, id }: Invoice,
  ending: 'pdf' | 'csv',
  file: Omit<Parameters<InvoiceServices['sendFile']>[0], 'filename'>,
): Promise<Answer> {
  const filename = `invoice-${number || truncate(id, 60)}.${ending}`;
  const address = await sendFile({ ...file, filename });
  const open = address === undefined ? undefined : linkButton('Open', address);
  const line = mrkdwn`${what} in your messages with Purser, as ${filename}.`;
  return { blocks: [section(line)], ...(open ? { buttons: [open] } : {}) };
}

/** Spec 2.8. @throws Refusal, PlatformError */
async function pay(services: InvoiceServices, invoice: Invoice): Promise<Answer> {
  return payAnswer({ invoice, links: await linksOf(services, invoice.id), ...common(services) });
}

/** Spec 2.10. @throws Refusal, PlatformError */
async function deliveries(
  services: InvoiceServices,
  question: QuestionOf<'deliveries'>,
  page: number,
): Promise<Answer> {
  const { invoice } = question;
  const [{ value, readAt }, numbers] = await Promise.all([
    listDeliveries(services.billing(), invoice?.id),
    numbersOf(services),
  ]);
  return deliveriesAnswer({
    deliveries: value.items,
    skipped: value.skipped,
    of: invoice?.name,
    numbers,
    readAt,
    asked: askedFor(question, page),
    ...common(services),
  });
}

function common({ config: { currency }, clock }: InvoiceServices) {
  return { money: createMoney(currency), now: clock.now() };
}

/** Undefined if the platform has no payment pages for an existing invoice. */
async function linksOf(
  services: InvoiceServices,
  id: string,
): Promise<Listing<PaymentLink> | undefined> {
  try {
    return await services.billing().listPaymentLinks(id);
  } catch (error) {
    if (error instanceof PlatformError && [400, 404, 409].includes(error.status ?? 0)) return;
    throw error;
  }
}

/** Numbers by id, because deliveries carry only the id; empty if they cannot be read. */
async function numbersOf({ billing, clock }: InvoiceServices): Promise<Map<string, number>> {
  const range = monthsUntil(clock.now(), NUMBERED_MONTHS);
  const listed = known(await factOf(billing().listInvoices(rangeOf(range))));
  const all = listed?.value.items ?? [];
  return new Map(all.flatMap(({ id, number }) => (number === undefined ? [] : [[id, number]])));
}
