import type { Config } from '../config/config.ts';
import { ADMINS, READERS } from '../access/policy.ts';
import type { BillingRole } from '../platform/billing/roles.ts';

/** The topics that can be stopped as a whole: their names in sentences, their audience, and the roles that may stop them. */
export const TOPICS = {
  digest: {
    whom: 'everybody in this channel',
    about: 'the digest',
    what: 'digests',
    roles: READERS,
  },
  alert: {
    whom: 'everybody in this channel',
    about: 'the spend alert',
    what: 'messages about the spend alert',
    roles: ADMINS,
  },
  invoices: {
    whom: 'everybody in this channel',
    about: 'invoices',
    what: 'messages about invoices',
    roles: READERS,
  },
  deliveries: {
    whom: 'all billing admins',
    about: 'invoice e-mails',
    what: 'messages about failed invoice e-mails',
    roles: ADMINS,
  },
  tokens: {
    whom: 'everybody in this channel',
    about: 'billing tokens',
    what: 'messages about billing tokens',
    roles: ADMINS,
  },
} as const satisfies Record<
  string,
  { about: string; whom: string; what: string; roles: readonly BillingRole[] }
>;

export type Topic = keyof typeof TOPICS;

export function isTopic(name: string): name is Topic {
  return Object.hasOwn(TOPICS, name);
}

/**
 * Where a topic is posted; undefined: nowhere. It is about money, so NOTIFY_CHANNEL, which stands in for the channels
 * that are not set, does not get it. What concerns single people goes to them.
 */
export function channelOf(
  topic: Topic,
  { channels, digest }: Pick<Config, 'channels' | 'digest'>,
): string | undefined {
  const { approvals, billing, notify } = channels;
  if (topic === 'tokens') return approvals === notify ? billing : approvals;
  return topic === 'digest' && digest.every === 'off' ? undefined : billing;
}
