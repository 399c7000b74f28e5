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
    hasFigures: true,
  },
  alert: {
    whom: 'everybody in this channel',
    about: 'the spend alert',
    what: 'messages about the spend alert',
    roles: ADMINS,
    hasFigures: true,
  },
  invoices: {
    whom: 'everybody in this channel',
    about: 'invoices',
    what: 'messages about invoices',
    roles: READERS,
    hasFigures: true,
  },
  deliveries: {
    whom: 'all billing admins',
    about: 'invoice e-mails',
    what: 'messages about failed invoice e-mails',
    roles: ADMINS,
    hasFigures: false,
  },
  tokens: {
    whom: 'everybody who gets them',
    about: 'billing tokens',
    what: 'messages about billing tokens',
    roles: ADMINS,
    hasFigures: false,
  },
} as const satisfies Record<
  string,
  {
    about: string;
    whom: string;
    what: string;
    roles: readonly BillingRole[];
    /** Charges, spend, invoices or the alert: only the company reads them. */
    hasFigures: boolean;
  }
>;

export type Topic = keyof typeof TOPICS;

export function isTopic(name: string): name is Topic {
  return Object.hasOwn(TOPICS, name);
}

/**
 * The channel of a topic; undefined: none. It is about money, so NOTIFY_CHANNEL, which replaces the channels that are
 * not set, does not get it. Without APPROVALS_CHANNEL, tokens and failed e-mails are posted to billing admins alone.
 */
export function channelOf(
  topic: Topic,
  { channels, digest }: Pick<Config, 'channels' | 'digest'>,
): string | undefined {
  const { approvals, billing, notify } = channels;
  // A fallback of approvals for all, so the admins alone are notified.
  if (isForAdmins(topic) && approvals === notify) return undefined;
  if (topic === 'tokens') return approvals;
  return topic === 'digest' && digest.every === 'off' ? undefined : billing;
}

function isForAdmins(topic: Topic): boolean {
  return topic === 'tokens' || topic === 'deliveries';
}

/** Whether it has readers, so that it runs. */
export function isMonitored(topic: Topic, config: Pick<Config, 'channels' | 'digest'>): boolean {
  return isForAdmins(topic) || channelOf(topic, config) !== undefined;
}
