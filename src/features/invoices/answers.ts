import { z } from 'zod';
import { Refusal } from '../../lib/errors.ts';
import { truncate } from '../../lib/text.ts';
import type { Listing } from '../../platform/billing/calls.ts';
import type { Invoice, PaymentLink } from '../../platform/billing/invoices.ts';
import { factOf, known } from '../../monitors/monitor.ts';
import { PlatformError } from '../../platform/errors.ts';
import type { Reading } from '../../platform/concurrency.ts';
import { resolveRange } from '../../reporting/range.ts';
import type { Services } from '../../services.ts';
import { linkButton, section, topText } from '../../slack/kit/blocks.ts';
import { mrkdwn, type Mrkdwn } from '../../slack/kit/text.ts';
import type { ActionContext, Answer } from '../../slack/routing/routes.ts';
import { nearestPage } from '../answer-parts.ts';
import { deliveriesAnswer } from './deliveries-view.ts';
import {
  findInvoice,
  invoiceCsv,
  listDeliveries,
  monthsUntil,
  pdfChunks,
  rangeOf,
} from './find.ts';
import { countRows, invoiceAnswer } from './invoice-view.ts';
import { unitsOf } from './lines.ts';
import { listAnswer } from './list-view.ts';
import type { InvoiceRef, InvoicesCommand } from './parse.ts';
import { payAnswer, pendingAnswer } from './due-view.ts';
import { reconcile } from './reconcile.ts';
import { createMoney, nameOf } from './sheet.ts';

/** State behind the buttons of an answer: a button carries only its id. */
const State = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('list'),
    /** The words of the command; absent: 12 months. */
    range: z.string().optional(),
    /** Ms since the epoch; fixes the span, so that all pages show the same one. */
    askedAt: z.number(),
    page: z.number().int(),
  }),
  z.object({ kind: z.literal('show'), id: z.string(), page: z.number().int() }),
  z.object({
    kind: z.literal('deliveries'),
    /** Absent: all invoices. */
    invoice: z.object({ id: z.string(), name: z.string() }).optional(),
    page: z.number().int(),
  }),
]);
type State = z.infer<typeof State>;
type StateOf<Kind extends State['kind']> = Extract<State, { kind: Kind }>;

/** @throws Refusal if the state has expired, or was stored by another version */
export async function readState(
  { interactions }: Pick<Services, 'interactions'>,
  { person, value: id }: Pick<ActionContext, 'person' | 'value'>,
): Promise<State> {
  const kept = id === undefined ? undefined : await interactions.get(person.userId, id);
  const { data } = State.safeParse(kept);
  if (data) return data;
  throw new Refusal('This answer is too old: run the command again.');
}

/** Amounts use the currency of the configuration, because invoices carry none. */
export type InvoiceServices = Pick<
  Services,
  'billing' | 'config' | 'interactions' | 'sendFile' | 'access' | 'clock'
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
    case 'list': {
      const range = command.range === undefined ? {} : { range: command.range };
      return list(services, userId, {
        kind: 'list',
        ...range,
        askedAt: services.clock.now(),
        page: 0,
      });
    }
    case 'pending':
      return pending(services, command.surcharges);
    case 'show':
      return show(services, userId, await find(command.ref));
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
      return deliveries(services, userId, {
        kind: 'deliveries',
        ...(invoice && { invoice }),
        page: 0,
      });
    }
  }
}

/** Another page, in place of the current one. @throws Refusal, PlatformError */
export async function answerPage(
  services: InvoiceServices,
  userId: string,
  state: State,
): Promise<Answer> {
  switch (state.kind) {
    case 'list':
      return list(services, userId, state);
    case 'show': {
      const found = await services.billing().getInvoice(state.id);
      return show(services, userId, found, state.page);
    }
    case 'deliveries':
      return deliveries(services, userId, state);
  }
}

/** Spec 4.2. @throws Refusal, PlatformError */
async function list(
  services: InvoiceServices,
  userId: string,
  state: StateOf<'list'>,
): Promise<Answer> {
  const range =
    state.range === undefined
      ? monthsUntil(state.askedAt, LISTED_MONTHS)
      : resolveRange(state.range, state.askedAt);
  const { value, readAt } = await services.billing().listInvoices(rangeOf(range));
  const page = nearestPage(value.items.length, state.page);
  const kept = await services.interactions.put(userId, { ...state, page });
  return listAnswer({
    invoices: value.items,
    skipped: value.skipped,
    range,
    readAt,
    page,
    kept,
    ...common(services),
  });
}

/** Accrued charges that are not billed yet (spec 4.2). @throws Refusal, PlatformError */
async function pending(services: InvoiceServices, includeSurcharges: boolean): Promise<Answer> {
  const { value, readAt } = await services.billing().listPendingInvoices({ includeSurcharges });
  return pendingAnswer({
    pending: value.items,
    skipped: value.skipped,
    surcharges: includeSurcharges,
    readAt,
    ...common(services),
  });
}

/**
 * One invoice and the charges of its months.
 * @param asked page of its table, from 0 on
 * @throws Refusal, PlatformError
 */
async function show(
  services: InvoiceServices,
  userId: string,
  { value: invoice, readAt }: Reading<Invoice>,
  asked = 0,
): Promise<Answer> {
  const { charges } = services.billing();
  const [reconciliation, unitOf] = await Promise.all([
    reconcile(charges, invoice, services.config.currency),
    unitsOf(charges, invoice),
  ]);
  const page = nearestPage(countRows(invoice, unitOf), asked);
  const state: State = { kind: 'show', id: invoice.id, page };
  const kept = await services.interactions.put(userId, state);
  return invoiceAnswer({
    invoice,
    reconciliation,
    unitOf,
    page,
    readAt,
    kept,
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
  return { text: topText(line), blocks: [section(line)], ...(open ? { buttons: [open] } : {}) };
}

/** Spec 2.8. @throws Refusal, PlatformError */
async function pay(services: InvoiceServices, invoice: Invoice): Promise<Answer> {
  return payAnswer({ invoice, links: await linksOf(services, invoice.id), ...common(services) });
}

/** Spec 2.10. @throws Refusal, PlatformError */
async function deliveries(
  services: InvoiceServices,
  userId: string,
  state: StateOf<'deliveries'>,
): Promise<Answer> {
  const { invoice } = state;
  const [{ value, readAt }, numbers] = await Promise.all([
    listDeliveries(services.billing(), invoice?.id),
    numbersOf(services),
  ]);
  const deliveries = value.items;
  const page = nearestPage(deliveries.length, state.page);
  const kept = await services.interactions.put(userId, { ...state, page });
  return deliveriesAnswer({
    deliveries,
    skipped: value.skipped,
    of: invoice?.name,
    numbers,
    page,
    readAt,
    kept,
    ...common(services),
  });
}

function common({ config: { currency }, clock }: InvoiceServices) {
  return { money: createMoney(currency), currency, now: clock.now() };
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
