import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { askButton, type RequestForms } from '../../changes/forms/form.ts';
import type { JobKind } from '../../jobs/jobs.ts';
import { derivedKeys } from '../../lib/derived-key.ts';
import { plural } from '../../lib/text.ts';
import { DAY_MS } from '../../lib/time.ts';
import { factOf, known, type Fact, type Found, type Monitor } from '../../monitors/monitor.ts';
import {
  adminChannels,
  type AdminServices,
  createWaitingLine,
  messageTo,
} from '../../monitors/admins.ts';
import { monitorJob, type MonitorServices } from '../../monitors/run.ts';
import { channelOf } from '../../monitors/topics.ts';
import type { MessageContent } from '../../notify/message.ts';
import type { Invoice } from '../../platform/billing/invoices.ts';
import type { Delivery } from '../../platform/billing/recipients.ts';
import type { Services } from '../../services.ts';
import { lines, sign } from '../../slack/kit/blocks.ts';
import { contentOf } from '../../slack/kit/message-text.ts';
import { code, mrkdwn, type Mrkdwn } from '../../slack/kit/text.ts';
import { noticeEnd, runButton } from '../notices.ts';
import { withoutRecipient } from './deliveries-view.ts';
import { nameOf } from './sheet.ts';

export type DeliveryWatchServices = MonitorServices & AdminServices;

/**
 * Checks for permanently failed invoice e-mails every BILLING_POLL_SECONDS and writes to each billing admin, because
 * recipients are visible to admins only (design section 6). BILLING_CHANNEL is notified if no admin can be reached, unless
 * APPROVALS_CHANNEL is not set: then it waits for an admin.
 */
export function createDeliveryWatch(
  services: DeliveryWatchServices,
  forms: RequestForms,
): JobKind[] {
  const { billing, billingPollMs } = services.config;
  const channel = channelOf('deliveries', services.config);
  if (billing === undefined) return [];
  const waits = createWaitingLine(services, 'failed invoice e-mails');
  const monitor: Monitor<Facts, Memory> = {
    memory: Memory,
    async read(before) {
      const facts = await readFacts(services, before);
      // News without any reader is not remembered: it is posted once an admin can be reached.
      return facts.isNews && facts.admins.length === 0 && channel === undefined ? waits() : facts;
    },
    compare: (before, facts) => compareDeliveries(before, facts, { channel, forms }),
  };
  return [monitorJob(services, 'deliveries', billingPollMs, monitor)];
}

/** Ids (`idsOf`) of deliveries that were posted, or are too old to be; oldest first. */
const Memory = z.array(z.string());
type Memory = z.infer<typeof Memory>;
/** More than the platform lists (spec section 8). */
const REMEMBERED = 2_000;
/**
 * At the first run only e-mails of the last 7 days are news. Deliveries have no time: it is the end of their invoice,
 * which is issued up to three days later.
 */
const RECENT_MS = 10 * DAY_MS;

export interface Failure {
  readonly id: string;
  readonly delivery: Delivery;
  readonly invoice: Fact<Invoice> | undefined;
}

interface Facts {
  /** Ms since the epoch. */
  readonly now: number;
  /** Not in the memory; the latest first. */
  readonly failures: readonly Failure[];
  readonly isNews: boolean;
  /** Ids in the memory that an older key made -> the same by the present key. */
  readonly renamed: ReadonlyMap<string, string>;
  /** Where each admin is written to; empty without news. */
  readonly admins: Awaited<ReturnType<typeof adminChannels>>;
}

/** @throws PlatformError if deliveries or users cannot be listed, and if no lookup in Slack succeeds */
async function readFacts(
  services: DeliveryWatchServices,
  before: Memory | undefined,
): Promise<Facts> {
  const client = services.billing();
  const { value } = await client.listDeliveries({ fresh: true });
  const keys = idKeys(services.config);
  const invoices = new Map<string, Promise<Fact<Invoice>>>();
  const failures: Failure[] = [];
  const renamed = new Map<string, string>();
  for (const delivery of value.items) {
    const { invoiceId, status } = delivery;
    const [id = '', ...olderIds] = idsOf(delivery, keys);
    const older = olderIds.filter((one) => before?.includes(one));
    for (const one of older) renamed.set(one, id);
    const isKnown = older.length > 0 || before?.includes(id) === true;
    if (status !== 'permanently_failed' || isKnown) continue;
    if (invoiceId !== '' && !invoices.has(invoiceId)) {
      const reading = client.getInvoice(invoiceId).then((invoice) => invoice.value);
      invoices.set(invoiceId, factOf(reading));
    }
    failures.push({ id, delivery, invoice: await invoices.get(invoiceId) });
  }
  const now = services.clock.now();
  const isNews = failures.some((one) => before !== undefined || isRecent(one, now));
  const admins = isNews ? await adminChannels(services, client) : [];
  return { now, failures, isNews, renamed, admins };
}

function compareDeliveries(
  before: Memory | undefined,
  { now, failures, renamed, admins }: Facts,
  { channel, forms }: { readonly channel: string | undefined; readonly forms: RequestForms },
): Found<Memory> {
  // A delivery that is temporarily not listed stays in the memory, so that it is not posted twice.
  const ids = failures.map(({ id }) => id).toReversed();
  const kept = (before ?? []).map((id) => renamed.get(id) ?? id);
  const memory = [...kept, ...ids].slice(-REMEMBERED);
  const groups =
    before === undefined ? [failures.filter((one) => isRecent(one, now))] : byInvoice(failures);
  const messages = groups.flatMap((group) => {
    const keys = group.map(({ id }) => `@billing/delivery/${id}`);
    if (admins.length === 0 && channel !== undefined) {
      return messageTo({ channel }, keys, fallbackNotice(group.length));
    }
    const content = deliveryContent(group, forms);
    return admins.flatMap((admin) => messageTo(admin, keys, content));
  });
  return { memory, messages };
}

/** An invoice that cannot be read may be a recent one. */
function isRecent({ invoice }: Failure, now: number): boolean {
  const { endTime } = (invoice && known(invoice)) ?? {};
  return endTime === undefined || endTime >= now - RECENT_MS;
}

function byInvoice(failures: readonly Failure[]): Failure[][] {
  const groups = new Map<string, Failure[]>();
  for (const failure of failures) {
    const { invoiceId } = failure.delivery;
    groups.set(invoiceId, [...(groups.get(invoiceId) ?? []), failure]);
  }
  return [...groups.values()];
}

/**
 * A delivery without an id is identified by its invoice and address. Keys of messages are public, so the address is
 * hashed, with each key: the first id is the one to use, the others are those before `SECRET_KEY` was rotated or set.
 */
function idsOf({ id, invoiceId, recipientEmail }: Delivery, keys: readonly Buffer[]): string[] {
  if (id !== '') return [id];
  return keys.map((key) => {
    const address = createHmac('sha256', key).update(recipientEmail.toLowerCase()).digest('hex');
    return `${invoiceId}-${address.slice(0, 12)}`;
  });
}

/** Not from the bot token: a new one would make all e-mails that failed new. */
function idKeys(config: Services['config']): Buffer[] {
  const account = Buffer.from(config.billing?.accountId ?? '');
  return [...(config.secretKey ? derivedKeys(config, 'delivery')() : []), account];
}

const WHY = mrkdwn`Sent to each billing_admin in private: only they may see recipients.`;
const WHY_HERE = mrkdwn`Sent here when no billing_admin can be written to. Without the address, which only they may see.`;
/** Addresses that are named; the others are counted. */
const MAX_NAMED = 5;

/** E-mails that failed together, as one message. */
export function deliveryContent(failures: readonly Failure[], forms: RequestForms): MessageContent {
  const [one, ...others] = failures;
  const recipients = runButton('Recipients', '/billing recipients');
  if (one !== undefined && others.length === 0) {
    const { recipientEmail, errorMessages } = one.delivery;
    const why = errorMessages.at(-1);
    return withEnd(
      [
        mrkdwn`${sign('wrong')} *Invoice e-mail failed* for good${attempts(one)}: ${invoiceOf(one)} did not reach ${code(recipientEmail, 120)}`,
        ...(why === undefined ? [] : [mrkdwn`Because: ${code(why, 120)}`]),
        mrkdwn`→ Add the right address and disable this one`,
      ],
      WHY,
      [askButton(forms, 'recipient.disable', 'Disable', { email: recipientEmail }), recipients],
    );
  }
  const invoices = [...new Set(failures.map(invoiceOf))];
  const rest = failures.length - MAX_NAMED;
  return withEnd(
    [
      mrkdwn`${sign('wrong')} *${failures.length} invoice e-mails failed* for good: ${invoices.length === 1 ? (invoices[0] ?? '') : plural(invoices.length, 'invoice')}`,
      ...failures.slice(0, MAX_NAMED).map((failure) => {
        const { recipientEmail, errorMessages } = failure.delivery;
        const which = invoices.length === 1 ? '' : `${invoiceOf(failure)}, `;
        const why = errorMessages.at(-1);
        const because =
          why === undefined ? '' : mrkdwn`: ${code(withoutRecipient(why, recipientEmail), 60)}`;
        return mrkdwn`• ${which}${code(recipientEmail, 60)}${attempts(failure)}${because}`;
      }),
      ...(rest > 0 ? [mrkdwn`• and ${rest} more: ${code('/invoices deliveries')}`] : []),
      mrkdwn`→ Add the right addresses and disable these`,
    ],
    WHY,
    [recipients],
  );
}

function attempts({ delivery: { attemptCount } }: Failure): string {
  return attemptCount === undefined ? '' : ` after ${plural(attemptCount, 'attempt')}`;
}

function invoiceOf({ delivery: { invoiceId }, invoice }: Failure): string {
  if (invoiceId === '') return 'an invoice';
  return nameOf((invoice && known(invoice)) ?? { number: undefined, id: invoiceId });
}

/** Fallback if no admin can be reached: says that e-mails failed, without the addresses. */
export function fallbackNotice(count: number): MessageContent {
  const what = count === 1 ? 'Invoice e-mail failed' : `${count} invoice e-mails failed`;
  const text = mrkdwn`${sign('wrong')} *${what}* for good, and no billing_admin can be reached in Slack\n→ Ask a billing_admin to look at ${code('/invoices deliveries')}`;
  return withEnd([text], WHY_HERE, []);
}

function withEnd(
  texts: readonly Mrkdwn[],
  why: Mrkdwn,
  buttons: NonNullable<Parameters<typeof noticeEnd>[2]>,
): MessageContent {
  return contentOf([lines(texts), ...noticeEnd('deliveries', why, buttons)]);
}
