import { BigNumber } from 'bignumber.js';
import { z } from 'zod';
import type { JobKind } from '../../jobs/jobs.ts';
import { DAY_MS } from '../../lib/time.ts';
import type { Message, MessageContent } from '../../notify/message.ts';
import type { BillingClient } from '../../platform/billing/client.ts';
import { amountDue, type Invoice } from '../../platform/billing/invoices.ts';
import type { Delivery } from '../../platform/billing/recipients.ts';
import { undefinedIfUnavailable } from '../../platform/errors.ts';
import type { Services } from '../../services.ts';
import { runTopicMonitor } from '../notices.ts';
import {
  deliveriesReply,
  invoiceCard,
  reconciliationReply,
  revisedReply,
  statusReply,
} from './card-view.ts';
import { rangeOf } from './find.ts';
import { unitsOf, createMoney, monthStart, type Money } from './lines.ts';
import { reconcile } from './reconcile.ts';

export type InvoiceWatchServices = Pick<
  Services,
  'billing' | 'clock' | 'config' | 'keys' | 'outbox' | 'redis' | 'wake'
>;

/** Monitors invoices every BILLING_POLL_SECONDS; off without BILLING_CHANNEL. */
export function createInvoiceJobs(services: InvoiceWatchServices): JobKind[] {
  const { billing, channels, billingPollMs } = services.config;
  const channel = channels.billing;
  if (billing === undefined || channel === undefined) return [];
  return [
    {
      queue: 'billing',
      name: 'invoices',
      every: billingPollMs,
      run: () => check(services, channel),
    },
  ];
}

const Known = z.object({
  status: z.string(),
  /** Whole number of the smallest unit; absent: it could not be read. */
  total: z.string().optional(),
  /** Likewise. */
  due: z.string().optional(),
  /** When it first appeared, ms since the epoch; absent: before the first run. */
  seenAt: z.number().optional(),
  /** A card was posted. */
  card: z.boolean(),
  /** Replies posted in the thread, counted by the last part of their key. */
  told: z.record(z.string(), z.number()),
  /** `final`: the charges can no longer be revised. */
  reconciled: z.enum(['provisional', 'final']).optional(),
});
type Known = z.infer<typeof Known>;

/** By the id of the invoice. */
const InvoiceMemory = z.record(z.string(), Known);
type InvoiceMemory = z.infer<typeof InvoiceMemory>;

/** Older invoices have long been paid, or are not news. */
const MONTHS = 12;
/** Spec section 8. */
const REVISION_MS = 2 * DAY_MS;
/** How long after its end or its arrival e-mails are tracked, and a comparison that the platform refuses is retried. */
const PATIENCE_MS = 7 * DAY_MS;

async function check(services: InvoiceWatchServices, channel: string): Promise<void> {
  const { clock, config } = services;
  await runTopicMonitor(services, 'invoices', InvoiceMemory, async (before) => {
    const client = services.billing();
    const now = clock.now();
    const range = rangeOf(monthStart(now, 1 - MONTHS), monthStart(now, 1));
    const { value } = await client.listInvoices(range, { fresh: true });
    const context = { client, channel, now, money: createMoney(config.currency), config };
    // Oldest first, so that cards are posted in the order of their months.
    const all = value.items.toSorted((a, b) => (a.endTime ?? 0) - (b.endTime ?? 0));
    // An invoice that is temporarily not listed stays in the memory, so that it is not posted twice.
    const memory: InvoiceMemory = { ...before };
    const messages: Message[] = [];
    for (const invoice of all) {
      const known = before?.[invoice.id];
      const update = await updateOf(context, invoice, {
        all,
        known,
        isFirst: before === undefined,
      });
      memory[invoice.id] = update.known;
      messages.push(...update.messages);
    }
    return { memory, messages };
  });
}

interface CheckContext {
  readonly client: BillingClient;
  readonly channel: string;
  /** Ms since the epoch. */
  readonly now: number;
  readonly money: Money;
  readonly config: Pick<Services['config'], 'currency'>;
}

async function updateOf(
  context: CheckContext,
  invoice: Invoice,
  { all, known, isFirst }: { all: readonly Invoice[]; known: Known | undefined; isFirst: boolean },
): Promise<{ known: Known; messages: Message[] }> {
  const isNew = known === undefined && !isFirst;
  const next: Known = {
    status: invoice.status,
    total: invoice.totalCharge?.toFixed(0) ?? known?.total,
    due: amountDue(invoice)?.amount.toFixed(0) ?? known?.due,
    seenAt: known?.seenAt ?? (isNew ? context.now : undefined),
    card: (known?.card ?? false) || isNew,
    told: { ...known?.told },
    reconciled: known?.reconciled,
  };
  const replies: Message[] = [];
  const reply = (what: string, content: MessageContent, broadcast = false) => {
    const count = (next.told[what] ?? 0) + 1;
    next.told[what] = count;
    const key = keyOf(invoice, count === 1 ? what : `${what}/${count}`);
    replies.push(inThread(context, invoice, { key, content, broadcast }));
  };
  const isBad = /failed|partial/.test(invoice.status);
  const hasMoved = known !== undefined && known.status !== invoice.status;
  // An invoice from before the first run gets a card only once something goes wrong with it.
  next.card ||= hasMoved && isBad;
  if (next.card && (hasMoved || (isNew && isBad))) {
    const content = statusReply(invoice, known?.status ?? '', context.money);
    reply(wordOf(invoice.status), content, isBad);
  }
  const was = known?.total;
  if (next.card && was !== undefined && next.total !== was) {
    reply('revised', revisedReply(invoice, new BigNumber(was), context.money));
    // A comparison with the old total is outdated.
    next.reconciled = undefined;
  }
  if (next.card) {
    replies.push(...(await closeOut(context, invoice, next)));
  }
  // A late credit changes only the amount due.
  const isOther = known?.due !== undefined && known.due !== next.due;
  const isCardDue = next.card && (!known?.card || replies.length > 0 || isOther);
  const card = isCardDue ? [await cardOf(context, invoice, all)] : [];
  return { known: next, messages: [...card, ...replies] };
}

function wordOf(status: string): string {
  return status.toLowerCase().replace(/[^a-z0-9-]+/g, '-') || 'none';
}

function keyOf({ number, id }: Invoice, what: string): string {
  return `@billing/invoice/${number || id}/${what}`;
}

function inThread(
  { channel }: Pick<CheckContext, 'channel'>,
  invoice: Invoice,
  { key, content, broadcast }: { key: string; content: MessageContent; broadcast: boolean },
): Message {
  return { channel, key, threadKey: keyOf(invoice, 'card'), broadcast, ...content };
}

async function cardOf(
  { client, channel, money }: CheckContext,
  invoice: Invoice,
  all: readonly Invoice[],
): Promise<Message> {
  const { startTime } = invoice;
  const before = all.findLast(
    ({ endTime, id }) => id !== invoice.id && endTime !== undefined && endTime <= (startTime ?? 0),
  );
  const unitOf = await unitsOf(client.charges, invoice);
  const content = invoiceCard({ invoice, before, unitOf, money });
  return { channel, key: keyOf(invoice, 'card'), ...content };
}

async function closeOut(context: CheckContext, invoice: Invoice, next: Known): Promise<Message[]> {
  return [
    ...(await reconciliationOf(context, invoice, next)),
    ...(await deliveriesOf(context, invoice, next)),
  ];
}

async function reconciliationOf(
  context: CheckContext,
  invoice: Invoice,
  next: Known,
): Promise<Message[]> {
  const { client, config, money, now } = context;
  const revisedBy = (invoice.endTime ?? 0) + REVISION_MS;
  const isFinal = now >= revisedBy;
  if (next.reconciled === 'final' || (next.reconciled === 'provisional' && !isFinal)) return [];
  const compared = await reconcile(client.charges, invoice, config.currency);
  const isLost =
    'impossible' in compared && now < startOf(invoice, next) + REVISION_MS + PATIENCE_MS;
  if (isLost && next.reconciled !== undefined) return [];
  next.reconciled = isFinal && !isLost ? 'final' : 'provisional';
  const content = reconciliationReply(compared, money, next.reconciled === 'final');
  return [
    inThread(context, invoice, {
      key: keyOf(invoice, 'reconciliation'),
      content,
      broadcast: false,
    }),
  ];
}

/** Ms since the epoch. An invoice can be issued days after its end. */
function startOf({ endTime = 0 }: Invoice, { seenAt = 0 }: Known): number {
  return Math.max(endTime, seenAt);
}

/** Once all e-mails of an invoice have ended. If they cannot be read, the next run retries. */
async function deliveriesOf(
  context: CheckContext,
  invoice: Invoice,
  next: Known,
): Promise<Message[]> {
  const isOver = context.now > startOf(invoice, next) + PATIENCE_MS;
  if (isOver || next.told['deliveries'] !== undefined) return [];
  const own = await readableDeliveries(context.client, invoice.id);
  const delivered = own.filter(({ status }) => status === 'delivered').length;
  const failed = own.filter(({ status }) => status === 'permanently_failed').length;
  if (own.length === 0 || delivered + failed < own.length) return [];
  next.told['deliveries'] = 1;
  const content = deliveriesReply(invoice, { delivered, failed });
  return [
    inThread(context, invoice, { key: keyOf(invoice, 'deliveries'), content, broadcast: false }),
  ];
}

async function readableDeliveries(
  client: BillingClient,
  invoiceId: string,
): Promise<readonly Delivery[]> {
  const read = await client
    .listDeliveries({ invoiceId, fresh: true })
    .catch(undefinedIfUnavailable);
  // A platform without this parameter returns the deliveries of all invoices.
  const asked = ['', invoiceId.toLowerCase()];
  return read?.value.items.filter((one) => asked.includes(one.invoiceId.toLowerCase())) ?? [];
}
