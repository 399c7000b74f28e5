import { z } from 'zod';
import { ADMINS, READERS } from '../../access/policy.ts';
import { Refusal } from '../../lib/errors.ts';
import { truncate } from '../../lib/text.ts';
import { factOf, known } from '../../monitors/monitor.ts';
import type { Listing } from '../../platform/billing/calls.ts';
import type { Invoice } from '../../platform/billing/invoices.ts';
import type { Reading } from '../../platform/concurrency.ts';
import { isAbsence, PlatformError } from '../../platform/errors.ts';
import { resolveRange } from '../../reporting/range.ts';
import type { Feature, Services } from '../../services.ts';
import { linkButton, section } from '../../slack/kit/blocks.ts';
import { mrkdwn, type Mrkdwn } from '../../slack/kit/text.ts';
import { questionIn, readQuestion } from '../../slack/replies/shelf.ts';
import { commandRoute, type Answer, type Person } from '../../slack/routing/routes.ts';
import { deliveriesAnswer } from './deliveries-view.ts';
import { payAnswer, invoiceAnswer } from './invoice-view.ts';
import { pendingAnswer, listAnswer } from './list-view.ts';
import {
  findInvoice,
  invoiceCsv,
  listDeliveries,
  monthsUntil,
  pdfChunks,
  rangeOf,
} from './find.ts';
import { INVOICE_ACTIONS, unitsOf, createMoney, nameOf } from './sheet.ts';
import { INVOICES_HELP, parseInvoices, type InvoicesCommand } from './parse.ts';
import { reconcile } from './reconcile.ts';

const ROUTE = 'invoices';

/** The invoice of an answer, for its menu. */
const ShowQuestion = z.object({ kind: z.literal('show'), id: z.string() });

const Question = z.discriminatedUnion('kind', [
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
type Question = z.infer<typeof Question>;

/** Amounts use the currency of the configuration, because invoices carry none. */
type InvoiceServices = Pick<
  Services,
  'billing' | 'config' | 'kept' | 'sendFile' | 'access' | 'clock'
>;

/** Months listed without a range, including the current one: it can be billed already. */
const LISTED_MONTHS = 12;
/** Months whose invoices are known by number; deliveries can belong to older ones. */
const NUMBERED_MONTHS = 24;

/** `/invoices`: billed and due amounts, lines, files and e-mails (spec 2.8, 2.10, 4.2). */
export function createInvoicesFeature(services: InvoiceServices): Feature {
  const { access, kept } = services;
  const allow = async (person: Person, kind: InvoicesCommand['kind']) =>
    access.requireRole(person, kind === 'deliveries' ? ADMINS : READERS);
  const run = async (person: Person, command: InvoicesCommand) => {
    await allow(person, command.kind);
    return answer(services, person.userId, command);
  };
  return {
    name: 'invoices',
    commands: [
      commandRoute({
        help: INVOICES_HELP,
        parse: (words) => ({ command: parseInvoices(words) }),
        run: (command, { person }) => run(person, command),
      }),
    ],
    actions: INVOICE_ACTIONS.map((kind) => ({
      actionId: `invoices.${kind}`,
      async run(context) {
        // The value of a button is the id of its invoice; in the menu of an answer it is that of the answer.
        const id = context.value ?? (await questionIn(kept, context, ShowQuestion)).id;
        return run(context.person, { kind, ref: { id } });
      },
    })),
    questions: [
      {
        name: ROUTE,
        async ask({ person }, asked, page) {
          const question = readQuestion(Question, asked);
          await allow(person, question.kind);
          return answerPage(services, question, page);
        },
      },
    ],
  };
}

/** @throws Refusal, PlatformError */
async function answer(
  services: InvoiceServices,
  userId: string,
  command: InvoicesCommand,
): Promise<Answer> {
  const billing = services.billing();
  const now = services.clock.now();
  if (command.kind === 'list') return answerPage(services, { ...command, askedAt: now });
  if (command.kind === 'pending') return answerPage(services, command);
  // The payment status should be current.
  const options = { fresh: command.kind === 'pay' };
  const found = command.ref && (await findInvoice(billing, command.ref, now, options));
  if (command.kind === 'deliveries' || found === undefined) {
    const invoice = found && { id: found.value.id, name: nameOf(found.value) };
    return answerPage(services, { kind: 'deliveries', invoice });
  }
  switch (command.kind) {
    case 'show':
      return show(services, found);
    case 'csv':
      return csv(services, userId, found.value);
    case 'pdf':
      return pdf(services, userId, found.value);
    case 'pay':
      return pay(services, found.value);
  }
}

/** @param page from 1 on @throws Refusal, PlatformError */
async function answerPage(
  services: InvoiceServices,
  question: Question,
  page = 1,
): Promise<Answer> {
  const billing = services.billing();
  const framed = <T>({ value, readAt }: Reading<Listing<T>>) => {
    const { items, skipped } = value;
    return { items, skipped, readAt, ...frameOf(services, question, page) };
  };
  switch (question.kind) {
    case 'list': {
      const range =
        question.range === undefined
          ? monthsUntil(question.askedAt, LISTED_MONTHS)
          : resolveRange(question.range, question.askedAt);
      return listAnswer({ range, ...framed(await billing.listInvoices(rangeOf(range))) });
    }
    case 'pending': {
      const { surcharges } = question;
      const read = await billing.listPendingInvoices({ includeSurcharges: surcharges });
      return pendingAnswer({ surcharges, ...framed(read) });
    }
    case 'show':
      return show(services, await billing.getInvoice(question.id), page);
    case 'deliveries': {
      const { invoice } = question;
      const [read, numbers] = await Promise.all([
        listDeliveries(billing, invoice?.id),
        numbersOf(services),
      ]);
      return deliveriesAnswer({ of: invoice?.name, numbers, ...framed(read) });
    }
  }
}

function frameOf({ config, clock }: InvoiceServices, question: Question, page: number) {
  const asked = { route: ROUTE, question, page };
  return { asked, money: createMoney(config.currency), now: clock.now() };
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
  const frame = frameOf(services, { kind: 'show', id: invoice.id }, page);
  return invoiceAnswer({ invoice, reconciliation, unitOf, readAt, ...frame });
}

/** @throws Refusal, PlatformError */
async function pdf(services: InvoiceServices, userId: string, invoice: Invoice): Promise<Answer> {
  const title = nameOf(invoice);
  const source = await services
    .billing()
    .downloadInvoicePdf(invoice.id)
    .catch((error: unknown) => {
      throw isAbsence(error)
        ? new Refusal(`The platform has no PDF of ${title}: please try later.`)
        : error;
    });
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
  return { blocks: [section(line)], buttons: open ? [open] : [] };
}

/** Spec 2.8. @throws Refusal, PlatformError */
async function pay({ billing, config }: InvoiceServices, invoice: Invoice): Promise<Answer> {
  const links = await billing()
    .listPaymentLinks(invoice.id)
    .catch((error: unknown) => {
      // The platform has no payment pages for an existing invoice.
      const isNone = error instanceof PlatformError && [400, 404, 409].includes(error.status ?? 0);
      if (!isNone) throw error;
      return undefined;
    });
  return payAnswer({ invoice, links, money: createMoney(config.currency) });
}

/** Numbers by id, because deliveries carry only the id; empty if they cannot be read. */
async function numbersOf({ billing, clock }: InvoiceServices): Promise<Map<string, number>> {
  const range = monthsUntil(clock.now(), NUMBERED_MONTHS);
  const listed = known(await factOf(billing().listInvoices(rangeOf(range))));
  const all = listed?.value.items ?? [];
  return new Map(all.flatMap(({ id, number }) => (number === undefined ? [] : [[id, number]])));
}
