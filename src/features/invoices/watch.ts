import { createHash } from 'node:crypto';
import { BigNumber } from 'bignumber.js';
import { z } from 'zod';
import type { JobKind } from '../../jobs/jobs.ts';
import { DAY_MS } from '../../lib/time.ts';
import {
  factOf,
  type Fact,
  type Found,
  type Monitor,
  type Unread,
} from '../../monitors/monitor.ts';
import { monitorJob, type MonitorServices } from '../../monitors/run.ts';
import type { Message, MessageContent } from '../../notify/message.ts';
import type { BillingClient } from '../../platform/billing/client.ts';
import { amountDue, type Invoice } from '../../platform/billing/invoices.ts';
import type { Delivery } from '../../platform/billing/recipients.ts';
import { isProvisional, REVISION_MS } from '../../reporting/range.ts';
import {
  deliveriesReply,
  invoiceCard,
  isBad,
  reconciliationReply,
  revisedReply,
  riseOf,
  statusReply,
  type Mailed,
} from './card-view.ts';
import { listDeliveries, monthsUntil, rangeOf } from './find.ts';
import { unitsOf, type UnitOf, createMoney, type Money } from './sheet.ts';
import { compareCharges, endOf, isOff, readCharges, type ChargesFact } from './reconcile.ts';

/** Monitors invoices every BILLING_POLL_SECONDS; off without BILLING_CHANNEL. */
export function createInvoiceJobs(services: MonitorServices): JobKind[] {
  const { clock, config } = services;
  const { billing, billingPollMs, currency } = config;
  const channel = config.channels.billing;
  if (billing === undefined || channel === undefined) return [];
  const frame = { channel, currency, money: createMoney(currency) };
  const monitor: Monitor<Facts, InvoiceMemory> = {
    memory: InvoiceMemory,
    read: (before) => readFacts(services.billing(), before, clock.now()),
    compare: (before, facts) => compareInvoices(frame, before, facts),
  };
  return [monitorJob(services, 'invoices', billingPollMs, monitor)];
}

interface Frame {
  readonly channel: string;
  readonly currency: string;
  readonly money: Money;
}

/** A hash of the content of a message, and when it was posted, in ms since the epoch. */
const Posted = z.object({ face: z.string(), at: z.number() });

const Known = z.object({
  /** In the keys of its messages: its number, or its id if the number came later. */
  name: z.string(),
  status: z.string(),
  /** Whole number of the smallest unit; absent: it could not be read. */
  total: z.string().optional(),
  /** Likewise. */
  due: z.string().optional(),
  /** When it first appeared, ms since the epoch; absent: before the first run. */
  seenAt: z.number().optional(),
  /** Absent: it has no card. */
  card: Posted.optional(),
  mails: Posted.optional(),
  /** Replies posted in the thread, counted by the last part of their key. */
  reported: z.record(z.string(), z.number()),
  /** `final`: the charges can no longer be revised. */
  reconciled: z.enum(['provisional', 'final']).optional(),
});
type Known = z.infer<typeof Known>;

const InvoiceMemory = z.record(z.string(), Known);
type InvoiceMemory = z.infer<typeof InvoiceMemory>;

/** Older invoices have long been paid, or are not news. */
const MONTHS = 12;
/** Longer than an invoice is listed, so that its card can be edited until then. */
const KEPT_MS = 400 * DAY_MS;
/** After this long the card is written again, unchanged, so that it does not expire. */
const RENEW_MS = 30 * DAY_MS;
/** How long a comparison that fails is retried, and e-mails that do not move are tracked. */
const PATIENCE_MS = 7 * DAY_MS;

type Listed = Awaited<ReturnType<BillingClient['listDeliveries']>>;

interface InvoiceFacts {
  readonly invoice: Invoice;
  /** The last one that ended before it began. */
  readonly before: Invoice | undefined;
  readonly unitOf: UnitOf;
  /** Undefined: no comparison is due. */
  readonly charges: ChargesFact | undefined;
  /** Undefined: its e-mails are no longer tracked. */
  readonly deliveries: Fact<Listed> | undefined;
}

interface Facts {
  /** Ms since the epoch. */
  readonly now: number;
  /** Oldest first, so that cards are posted in the order of their months. */
  readonly invoices: readonly InvoiceFacts[];
}

/** @throws PlatformError if the invoices cannot be listed */
async function readFacts(
  client: BillingClient,
  memory: InvoiceMemory | undefined,
  now: number,
): Promise<Facts> {
  const range = rangeOf(monthsUntil(now, MONTHS));
  const { value } = await client.listInvoices(range, { fresh: true });
  const all = value.items.toSorted((a, b) => (a.endTime ?? 0) - (b.endTime ?? 0));
  const invoices: InvoiceFacts[] = [];
  for (const invoice of all) {
    const { id, startTime = 0 } = invoice;
    const known = memory?.[id];
    const hasCard = isOnCard(invoice, known, memory === undefined);
    const isCompared = hasCard && isComparisonDue(invoice, known, now);
    const moved = Math.max(startOf(invoice, known?.seenAt), known?.mails?.at ?? 0);
    const isTracked = hasCard && now <= moved + PATIENCE_MS;
    invoices.push({
      invoice,
      before: all.findLast((one) => one.id !== id && (one.endTime ?? Infinity) <= startTime),
      unitOf: hasCard ? await unitsOf(client.charges, invoice) : () => undefined,
      charges: isCompared ? await readCharges(client.charges, invoice) : undefined,
      deliveries: isTracked ? await factOf(listDeliveries(client, id, { fresh: true })) : undefined,
    });
  }
  return { now, invoices };
}

/** An invoice from before the first run gets a card only if its payment failed, or once something goes wrong. */
function isOnCard(invoice: Invoice, known: Known | undefined, isFirst: boolean): boolean {
  if (known === undefined) return !isFirst || isFailed(invoice);
  return known.card !== undefined || (known.status !== invoice.status && isBad(invoice));
}

function isFailed({ status }: Invoice): boolean {
  return status === 'payment-failed' || status === 'partially-failed';
}

function isComparisonDue(invoice: Invoice, known: Known | undefined, now: number): boolean {
  if (known?.reconciled === undefined || isRevised(invoice, known)) return true;
  return known.reconciled === 'provisional' && isFinal(invoice, now);
}

function isRevised({ totalCharge }: Invoice, { total }: Known): boolean {
  return total !== undefined && totalCharge !== undefined && !totalCharge.eq(total);
}

/** The charges of its months can no longer be revised. */
function isFinal(invoice: Invoice, now: number): boolean {
  return !isProvisional({ endMs: endOf(invoice) }, now);
}

/** Ms since the epoch. An invoice can be issued days after its end. */
function startOf({ endTime = 0 }: Invoice, seenAt = 0): number {
  return Math.max(endTime, seenAt);
}

/** An invoice that is temporarily not listed stays in the memory, so that it is not posted twice. */
function compareInvoices(
  frame: Frame,
  before: InvoiceMemory | undefined,
  { now, invoices }: Facts,
): Found<InvoiceMemory> {
  const memory: InvoiceMemory = { ...before };
  const updates = invoices.map((facts) => {
    const { id } = facts.invoice;
    const known = before?.[id];
    const next = nextOf(facts.invoice, known, before === undefined, now);
    memory[id] = next;
    const isOn = isOnCard(facts.invoice, known, before === undefined);
    return isOn ? postUpdate(frame, facts, known, next, now) : undefined;
  });
  return {
    memory,
    messages: updates.flatMap((update) => update?.messages ?? []),
    unread: updates.find((update) => update?.unread !== undefined)?.unread,
  };
}

function nextOf(invoice: Invoice, known: Known | undefined, isFirst: boolean, now: number): Known {
  const due = amountDue(invoice);
  return {
    ...known,
    name: known?.name ?? String(invoice.number || invoice.id),
    // A status that is absent now is no change.
    status: invoice.status || (known?.status ?? ''),
    total: invoice.totalCharge?.toFixed(0) ?? known?.total,
    // An unreadable credit would look like a rise.
    due: due?.isExact === true ? due.amount.toFixed(0) : known?.due,
    seenAt: known === undefined && !isFirst ? now : known?.seenAt,
    reported: { ...known?.reported },
  };
}

/** The card of an invoice if it changed, and the replies in its thread. `next` is completed. */
function postUpdate(
  frame: Frame,
  facts: InvoiceFacts,
  known: Known | undefined,
  next: Known,
  now: number,
): { messages: Message[]; unread: Unread | undefined } {
  const { invoice } = facts;
  const thread = threadOf(frame.channel, next);
  if (known === undefined ? isBad(invoice) : known.status !== next.status) {
    const content = statusReply(invoice, known?.status ?? '', frame.money);
    thread.post(wordOf(invoice.status), content, isFailed(invoice));
  }
  if (known !== undefined) noteRevision(frame, invoice, known, next, thread);
  const unreadCharges = noteCharges(frame, facts, next, now, thread);
  const unreadMails = noteMails(facts, next, now, thread);
  const unread = unreadCharges ?? unreadMails;
  const content = invoiceCard({ ...facts, money: frame.money });
  const face = hashOf(content);
  const isSame = next.card?.face === face && now < next.card.at + RENEW_MS;
  if (isSame) return { messages: thread.replies, unread };
  next.card = { face, at: now };
  const card = { channel: frame.channel, key: thread.cardKey, keepMs: KEPT_MS, ...content };
  return { messages: [card, ...thread.replies], unread };
}

function hashOf(content: MessageContent): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 16);
}

function wordOf(status: string): string {
  return status.toLowerCase().replace(/[^a-z0-9-]+/g, '-') || 'none';
}

type Thread = ReturnType<typeof threadOf>;

/** The replies below a card. `reported` counts them. */
function threadOf(channel: string, { name, reported }: Known) {
  const replies: Message[] = [];
  const keyOf = (what: string) => `@billing/invoice/${name}/${what}`;
  const cardKey = keyOf('card');
  const put = (what: string, count: number, content: MessageContent, broadcast: boolean) => {
    reported[what] = count;
    const key = keyOf(count === 1 ? what : `${what}/${count}`);
    replies.push({ channel, key, threadKey: cardKey, broadcast, ...content });
  };
  return {
    cardKey,
    replies,
    post: (what: string, content: MessageContent, broadcast: boolean) =>
      put(what, (reported[what] ?? 0) + 1, content, broadcast),
    /** Edits the last reply of this kind; without one it is posted. */
    edit: (what: string, content: MessageContent) => put(what, reported[what] ?? 1, content, false),
  };
}

/** Another total, or a larger amount due: the comparison with the old total is outdated. */
function noteRevision(
  { money }: Frame,
  invoice: Invoice,
  known: Known,
  next: Known,
  thread: Thread,
): void {
  const [total, due] = [known.total, known.due].map((text) =>
    text === undefined ? undefined : new BigNumber(text),
  );
  const rise = riseOf(invoice, due);
  if (isRevised(invoice, known)) next.reconciled = undefined;
  else if (rise === undefined) return;
  thread.post('revised', revisedReply(invoice, { total, due }, money), rise !== undefined);
}

/** @returns why the charges could not be read, if they are asked for again */
function noteCharges(
  { money, currency }: Frame,
  { invoice, charges }: InvoiceFacts,
  next: Known,
  now: number,
  thread: Thread,
): Unread | undefined {
  if (charges === undefined) return undefined;
  const compared = compareCharges(invoice, charges, currency);
  const isUncertain = 'impossible' in compared ? isTrouble(charges) : compared.mayBeTooLow;
  if (isUncertain && now < startOf(invoice, next.seenAt) + REVISION_MS + PATIENCE_MS) {
    return 'unread' in charges ? charges.unread : undefined;
  }
  const isLast = isFinal(invoice, now);
  next.reconciled = isLast ? 'final' : 'provisional';
  const reply = (isBelow = false) =>
    reconciliationReply(invoice, compared, money, { isFinal: isLast, isBelow });
  const [first, last] = ['reconciliation', 'reconciliation/final'] as const;
  if (isLast && isOff(compared)) {
    if (next.reported[first] !== undefined) thread.edit(first, reply(true));
    thread.post(last, reply(), true);
  } else {
    thread.edit(next.reported[last] === undefined ? first : last, reply());
  }
  return undefined;
}

/** First once all e-mails have ended, then whenever they move. @returns why they could not be read */
function noteMails(
  { invoice, deliveries }: InvoiceFacts,
  next: Known,
  now: number,
  thread: Thread,
): Unread | undefined {
  if (deliveries === undefined) return undefined;
  if ('unread' in deliveries) return isTrouble(deliveries) ? deliveries.unread : undefined;
  const { items } = deliveries.value.value;
  const mailed = countRecipients(items);
  const isUnderWay = mailed.underWay > 0 && next.mails === undefined;
  const face = JSON.stringify(mailed);
  if (items.length === 0 || isUnderWay || face === next.mails?.face) return undefined;
  next.mails = { face, at: now };
  thread.edit('deliveries', deliveriesReply(invoice, mailed));
  return undefined;
}

/** By address: an e-mail that is sent again counts once, and has arrived if one of them has. */
function countRecipients(deliveries: readonly Delivery[]): Mailed {
  const statuses = new Map<string, string[]>();
  for (const { id, recipientEmail, status } of deliveries) {
    const who = recipientEmail.toLowerCase() || id;
    statuses.set(who, [...(statuses.get(who) ?? []), status]);
  }
  const all = [...statuses.values()];
  const delivered = all.filter((own) => own.includes('delivered')).length;
  const failed = all.filter((own) => own.every((one) => one === 'permanently_failed')).length;
  return { delivered, failed, underWay: all.length - delivered - failed };
}

/** A failure of the platform; a refusal is an answer, such as to a token that may not see e-mails. */
function isTrouble(fact: Fact<unknown>): boolean {
  const refusals = ['bad-request', 'unauthorized', 'forbidden', 'not-found'];
  return 'unread' in fact && !refusals.includes(fact.unread.reason);
}
