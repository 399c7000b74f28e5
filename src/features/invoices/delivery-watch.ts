import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { ADMINS, needRefusal } from '../../access/policy.ts';
import { askButton, type RequestForms } from '../../changes/forms/form.ts';
import type { JobKind } from '../../jobs/jobs.ts';
import { plural } from '../../lib/text.ts';
import type { Message, MessageContent } from '../../notify/message.ts';
import type { BillingClient } from '../../platform/billing/client.ts';
import type { Delivery } from '../../platform/billing/recipients.ts';
import type { Services } from '../../services.ts';
import { findByEmail, openDirect } from '../../slack/directory.ts';
import { lines, SIGN, topText } from '../../slack/kit/blocks.ts';
import { code, joinMrkdwn, mrkdwn, Mrkdwn } from '../../slack/kit/text.ts';
import { runTopicMonitor, noticeEnd, runButton } from '../notices.ts';
import { nameOf } from './lines.ts';

export type DeliveryWatchServices = Pick<
  Services,
  | 'access'
  | 'billing'
  | 'clock'
  | 'config'
  | 'identity'
  | 'keys'
  | 'outbox'
  | 'redis'
  | 'slack'
  | 'wake'
>;

/**
 * Checks for permanently failed invoice e-mails every BILLING_POLL_SECONDS and writes to each billing admin, because
 * recipients are visible to admins only (design section 6). Off without BILLING_CHANNEL.
 */
export function createDeliveryWatch(
  services: DeliveryWatchServices,
  forms: RequestForms,
): JobKind[] {
  const { billing, channels, billingPollMs } = services.config;
  if (billing === undefined || channels.billing === undefined) return [];
  return [
    {
      queue: 'billing',
      name: 'deliveries',
      every: billingPollMs,
      run: () => check(services, forms),
    },
  ];
}

/** Ids (`idOf`) of deliveries that were posted, or existed at the first run; oldest first. */
const Memory = z.array(z.string());
/** More than the platform lists (spec section 8). */
const REMEMBERED = 2_000;

async function check(services: DeliveryWatchServices, forms: RequestForms): Promise<void> {
  await runTopicMonitor(services, 'deliveries', Memory, async (before) => {
    const client = services.billing();
    const { value } = await client.listDeliveries({ fresh: true });
    const failed = value.items.filter(({ status }) => status === 'permanently_failed');
    const idOf = idsWith(services);
    const unknown = failed.filter((one) => before?.includes(idOf(one)) !== true);
    // A delivery that is temporarily not listed stays in the memory, so that it is not posted twice.
    const memory = [...(before ?? []), ...unknown.map(idOf).toReversed()].slice(-REMEMBERED);
    const fresh = before === undefined ? [] : unknown;
    if (fresh.length === 0) return { memory, messages: [] };
    const admins = await adminChannels(services, client);
    const messages: Message[] = [];
    for (const delivery of fresh) {
      const content = deliveryContent(delivery, await nameOfInvoice(client, delivery), forms);
      for (const { userId, channel } of admins) {
        messages.push({
          channel,
          key: `@billing/delivery/${idOf(delivery)}/${userId}`,
          ...content,
        });
      }
      if (admins.length === 0) messages.push(fallbackNotice(services, idOf(delivery)));
    }
    return { memory, messages };
  });
}

/**
 * A delivery without an id is identified by its invoice and address. Keys are public, so the address is hashed with a
 * secret.
 */
function idsWith({ config }: Pick<Services, 'config'>): (delivery: Delivery) => string {
  const secret = config.slack.botToken.reveal();
  return ({ id, invoiceId, recipientEmail }) => {
    if (id !== '') return id;
    const address = createHmac('sha256', secret).update(recipientEmail.toLowerCase()).digest('hex');
    return `${invoiceId}-${address.slice(0, 12)}`;
  };
}

/** Direct messages with each billing admin who is a Slack member here and has the role now. */
async function adminChannels(
  { access, identity, slack }: DeliveryWatchServices,
  client: BillingClient,
): Promise<{ userId: string; channel: string }[]> {
  const { teamId } = await identity.get();
  const { value: users } = await client.listUsers({ fresh: true });
  const admins = users.items.filter(({ roles }) => roles.some((role) => role === 'billing_admin'));
  const ends = await Promise.allSettled(
    admins.map(async ({ email }) => {
      const userId = await findByEmail(slack, email);
      if (userId === undefined) return [];
      const who = await access.principal({ userId, teamId });
      const isAdmin =
        who.refusal === undefined && needRefusal({ roles: ADMINS }, who) === undefined;
      return isAdmin ? [{ userId, channel: await openDirect(slack, userId) }] : [];
    }),
  );
  // A failed lookup of one admin must not stop the others.
  const found = ends.flatMap((end) => (end.status === 'fulfilled' ? end.value : []));
  const failed = ends.find((end) => end.status === 'rejected');
  // If every lookup failed, throw: the next run retries.
  if (found.length === 0 && failed !== undefined) throw failed.reason;
  return found;
}

async function nameOfInvoice(client: BillingClient, { invoiceId }: Delivery): Promise<string> {
  if (invoiceId === '') return 'an invoice';
  try {
    return nameOf((await client.getInvoice(invoiceId)).value);
  } catch {
    return nameOf({ number: undefined, id: invoiceId });
  }
}

export function deliveryContent(
  { recipientEmail, attemptCount, errorMessages }: Delivery,
  invoice: string,
  forms: RequestForms,
): MessageContent {
  const attempts = attemptCount === undefined ? '' : ` after ${plural(attemptCount, 'attempt')}`;
  const why = errorMessages.at(-1);
  const texts = [
    mrkdwn`${new Mrkdwn(SIGN.wrong)} *Invoice e-mail failed* for good${attempts}: ${invoice} did not reach ${code(recipientEmail, 120)}`,
    ...(why === undefined ? [] : [mrkdwn`Because: ${code(why, 120)}`]),
    mrkdwn`→ Correct the address, or disable it so that nothing more is sent there`,
  ];
  return {
    text: topText(joinMrkdwn(texts, '\n')),
    blocks: [
      lines(texts),
      ...noticeEnd('deliveries', WHY, [
        askButton(forms, 'recipient.disable', 'Disable', { email: recipientEmail }),
        runButton('Recipients', '/billing recipients'),
      ]),
    ],
  };
}

const WHY = mrkdwn`Sent to each billing_admin in private: only they may see recipients.`;

const WHY_HERE = mrkdwn`Sent here when no billing_admin can be written to. Without the address, which only they may see.`;

/** Fallback if no admin can be reached: says that an e-mail failed, without the address. */
export function fallbackNotice(
  { config }: Pick<DeliveryWatchServices, 'config'>,
  deliveryId: string,
): Message {
  const text = mrkdwn`${new Mrkdwn(SIGN.wrong)} *Invoice e-mail failed* for good, and no billing_admin can be reached in Slack\n→ Tell a billing_admin, who sees which with ${code('/invoices deliveries')}`;
  return {
    channel: config.channels.approvals,
    key: `@billing/delivery/${deliveryId}`,
    text: topText(text),
    blocks: [lines([text]), ...noticeEnd('deliveries', WHY_HERE)],
  };
}
