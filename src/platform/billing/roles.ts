import { refusal } from '../errors.ts';
import { isNothing } from '../json.ts';

/** Spec 2.1. */
export const BILLING_ROLES = ['billing_admin', 'billing_viewer', 'org_creator'] as const;
export type BillingRole = (typeof BILLING_ROLES)[number];

/** The known roles among `names`, each once; unknown ones grant nothing. */
export function knownRoles(names: readonly unknown[]): BillingRole[] {
  return BILLING_ROLES.filter((role) => names.includes(role));
}

export interface HeldRoles {
  /** The roles of the specification; others grant nothing here. */
  readonly roles: readonly BillingRole[];
  /** Unknown roles, for display only; absent when empty. */
  readonly otherRoles?: readonly string[];
}

export function heldRolesOf(said: readonly unknown[]): HeldRoles {
  const roles = knownRoles(said);
  const others = said.filter((role) => !isNothing(role) && role !== '').map(wordOf);
  const otherRoles = [...new Set(others)].filter((role) => !roles.some((known) => known === role));
  return { roles, ...(otherRoles.length > 0 && { otherRoles }) };
}

/** All roles, for display only; never for a decision. */
export function allRolesOf({ roles, otherRoles = [] }: HeldRoles): readonly string[] {
  return [...roles, ...otherRoles];
}

function wordOf(role: unknown): string {
  return typeof role === 'string' ? role : JSON.stringify(role);
}

/**
 * @throws PlatformError `bad-request` unless it is one or more of the three roles, each once (spec 2.5,
 *   2.9)
 */
export function checkRoles(roles: readonly string[]): void {
  // Equal counts mean no unknown and no repeated role.
  if (roles.length === 0 || knownRoles(roles).length !== roles.length) {
    throw refusal(`roles must be one or more of ${BILLING_ROLES.join(', ')}, each once`);
  }
}

/** Ignores case; a missing address equals none. */
export function isSameEmail(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && one.toLowerCase() === other?.toLowerCase();
}
