import { refusal } from '../checks.ts';

/** The billing roles (spec 2.1). */
const BILLING_ROLES = ['billing_admin', 'billing_viewer', 'org_creator'] as const;
export type BillingRole = (typeof BILLING_ROLES)[number];

/** The roles among `names`, each once; what is no role of the specification grants nothing. */
export function knownRoles(names: readonly unknown[]): BillingRole[] {
  return BILLING_ROLES.filter((role) => names.includes(role));
}

/** @throws PlatformError `bad-request` unless it is one or more of the three roles, each once (spec 2.5, 2.9) */
export function checkRoles(roles: readonly string[]): void {
  // As many known ones as there are in all: none is unknown, and none there twice.
  if (roles.length === 0 || knownRoles(roles).length !== roles.length) {
    throw refusal(`roles must be one or more of ${BILLING_ROLES.join(', ')}, each once`);
  }
}
