import { refusal } from '../checks.ts';

/** The billing roles (spec 2.1). */
const BILLING_ROLES = ['billing_admin', 'billing_viewer', 'org_creator'] as const;
export type BillingRole = (typeof BILLING_ROLES)[number];

/** The roles among `names`, each once; what is no role of the specification grants nothing. */
export function knownRoles(names: readonly unknown[]): BillingRole[] {
  return BILLING_ROLES.filter((role) => names.includes(role));
}

/** @throws PlatformError `bad-request` unless it is one or more of the three roles (spec 2.5, 2.9) */
export function checkRoles(roles: readonly string[]): void {
  if (roles.length === 0 || !roles.every((role) => knownRoles([role]).length === 1)) {
    throw refusal(`roles must be one or more of ${BILLING_ROLES.join(', ')}`);
  }
}
