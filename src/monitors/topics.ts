import { ADMINS, READERS } from '../access/policy.ts';
import type { BillingRole } from '../platform/billing/roles.ts';

/** What is monitored and can be stopped as a whole: how a sentence calls it and its messages, and who may stop them. */
export const TOPICS = {
  digest: { about: 'the digest', what: 'digests', roles: READERS },
  alert: { about: 'the spend alert', what: 'messages about the spend alert', roles: ADMINS },
  invoices: { about: 'invoices', what: 'messages about invoices', roles: READERS },
  deliveries: {
    about: 'invoice e-mails',
    what: 'messages about failed invoice e-mails',
    roles: ADMINS,
  },
  tokens: { about: 'billing tokens', what: 'messages about billing tokens', roles: ADMINS },
} as const satisfies Record<string, { about: string; what: string; roles: readonly BillingRole[] }>;

export type Topic = keyof typeof TOPICS;

export function isTopic(name: string): name is Topic {
  return Object.hasOwn(TOPICS, name);
}
