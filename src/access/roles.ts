/** The roles on a billing account (spec section 5). */
export type Role = 'billing_admin' | 'billing_viewer' | 'org_creator';

/** Who may read what costs money (design section 6). */
export const READERS: readonly Role[] = ['billing_admin', 'billing_viewer'];
/** Who may see and change what belongs to the account itself. */
export const ADMINS: readonly Role[] = ['billing_admin'];
/** Who may have orgs created. */
export const ORG_CREATORS: readonly Role[] = ['billing_admin', 'org_creator'];
/** Who may see the account and its orgs. */
export const ANY_ROLE: readonly Role[] = ['billing_admin', 'billing_viewer', 'org_creator'];

/** What is known of a person's roles. */
export interface RoleFacts {
  /** As Slack has it; undefined when it has none that is confirmed. */
  email: string | undefined;
  /** An address that Slack says is not confirmed: it has no role, whoever the platform knows by it. */
  unconfirmed?: string | undefined;
  /** Undefined when the account has no such user. */
  roles: readonly string[] | undefined;
}

/**
 * Whether a person's roles suffice, any of `needed` (design section 6). Pure.
 * @returns the sentence of the refusal, undefined when there is none
 */
export function roleRefusal(needed: readonly Role[], facts: RoleFacts): string | undefined {
  const wanted =
    needed.length > 2
      ? `one of the roles ${needed.slice(0, -1).join(', ')} or ${needed.at(-1)}`
      : `the role ${needed.join(' or ')}`;
  if (!facts.email && facts.unconfirmed) {
    return `This takes ${wanted}, and roles belong to e-mail addresses: Slack says that ${facts.unconfirmed} is not confirmed, so confirm it in the settings of your Slack account.`;
  }
  if (!facts.email) {
    return `This takes ${wanted}, and roles belong to e-mail addresses: Slack shows none of yours, so add one to your Slack profile.`;
  }
  if (facts.roles === undefined) {
    return `This takes ${wanted}, and the billing account has no user ${facts.email}: ask a billing_admin to add you.`;
  }
  if (needed.some((role) => facts.roles?.includes(role))) return undefined;
  const held = facts.roles.length === 0 ? 'no role' : facts.roles.join(' and ');
  return `This takes ${wanted}, and ${facts.email} has ${held}: ask a billing_admin for it.`;
}
