import { ADMINS, needRefusal } from '../access/policy.ts';
import type { BillingClient } from '../platform/billing/client.ts';
import type { Services } from '../services.ts';
import { HOUR_MS } from '../lib/time.ts';
import type { Message, MessageContent } from '../notify/message.ts';
import { findByEmail, openDirect } from '../slack/directory.ts';

export type AdminServices = Pick<Services, 'access' | 'identity' | 'logger' | 'slack'>;

/**
 * Logs, at most once an hour, that notices wait for a reader.
 * @param waits what they are about
 */
export function createWaitingLine(
  { clock, logger }: Pick<Services, 'clock' | 'logger'>,
  waits: string,
): () => undefined {
  let loggedAt = -Infinity;
  return () => {
    const now = clock.now();
    if (now - loggedAt < HOUR_MS) return undefined;
    loggedAt = now;
    logger.warn(
      { waits },
      'Notices wait, because no billing_admin can be reached in Slack: set APPROVALS_CHANNEL',
    );
    return undefined;
  };
}

/** Direct messages with each billing admin who is a Slack member here and has the role now. */
export async function adminChannels(
  { access, identity, slack }: AdminServices,
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

/** One message about all that the keys stand for; to one of several people they end in the person's id. */
export function messageTo(
  { channel, userId }: { readonly channel: string; readonly userId?: string },
  keys: readonly string[],
  content: MessageContent,
): Message[] {
  const [key, ...covers] = keys.map((one) => (userId === undefined ? one : `${one}/${userId}`));
  if (key === undefined) return [];
  return [{ channel, key, ...(covers.length > 0 && { covers }), ...content }];
}
