import { refusal } from '../errors.ts';
import { isNothing } from '../json.ts';

/** The billing roles (spec 2.1). */
export const BILLING_ROLES = ['billing_admin', 'billing_viewer', 'org_creator'] as const;
export type BillingRole = (typeof BILLING_ROLES)[number];

/** The roles among `names`, each once; what is no role of the specification grants nothing. */
export function knownRoles(names: readonly unknown[]): BillingRole[] {
  return BILLING_ROLES.filter((role) => names.includes(role));
}

/** The roles of a user or a token. */
export interface HeldRoles {
  /** Those of the specification; others grant nothing here. */
  readonly roles: readonly BillingRole[];
  /** What else the platform says, in its own words, for people to see; absent where that is nothing. */
  readonly otherRoles?: readonly string[];
}

/** Tells the roles that count from those that can only be shown. */
export function heldRolesOf(said: readonly unknown[]): HeldRoles {
  const roles = knownRoles(said);
  const others = said.filter((role) => !isNothing(role) && role !== '').map(wordOf);
  const otherRoles = [...new Set(others)].filter((role) => !roles.some((known) => known === role));
  return { roles, ...(otherRoles.length > 0 && { otherRoles }) };
}

/** All roles, for people to see and to say what is lost; never to decide what somebody may do. */
export function allRolesOf({ roles, otherRoles = [] }: HeldRoles): readonly string[] {
  return [...roles, ...otherRoles];
}

function wordOf(role: unknown): string {
  return typeof role === 'string' ? role : JSON.stringify(role);
}

/** @throws PlatformError `bad-request` unless it is one or more of the three roles, each once (spec 2.5, 2.9) */
export function checkRoles(roles: readonly string[]): void {
  // As many known ones as there are in all: none is unknown, and none there twice.
  if (roles.length === 0 || knownRoles(roles).length !== roles.length) {
    throw refusal(`roles must be one or more of ${BILLING_ROLES.join(', ')}, each once`);
  }
}

/** Whether two addresses are the same, ignoring case; a missing address equals none. */
export function isSameEmail(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && one.toLowerCase() === other?.toLowerCase();
}
