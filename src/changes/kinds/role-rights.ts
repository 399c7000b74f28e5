import { knownRoles, type BillingRole } from '../../platform/billing/roles.ts';
import type { Choice } from '../../slack/kit/inputs.ts';
import { listOf, short } from './kind.ts';

const EVERYTHING = 'change everything of the account';

interface Right {
  /** Follows "can". */
  readonly can: string;
  /** Follows "can no longer"; absent: as `can`. */
  readonly lost?: string;
  /** For a person who chooses a role. */
  readonly note?: string;
}

/** The rights of each role (spec 4.3), in the words of forms, cards and reviews. */
const RIGHTS: Readonly<Record<BillingRole, Right>> = {
  billing_admin: {
    can: `${EVERYTHING} and approve changes`,
    lost: 'change anything of the account or approve changes',
  },
  billing_viewer: {
    can: 'see the charges, invoices and users of the account',
    note: '; changes nothing',
  },
  org_creator: { can: 'create orgs', note: '; sees the account and its orgs' },
};

/** The roles to choose from; a description has at most 75 characters. */
export const ROLE_CHOICES: readonly Choice[] = Object.entries(RIGHTS).map(
  ([role, { can, note = '' }]) => ({ text: role, value: role, about: `Can ${can}${note}.` }),
);

/**
 * Consequences of other roles for a billing user: a line for each gained and each lost role. A billing_admin has the
 * rights of the other roles, too.
 */
export function rightsOfUser(
  email: string,
  held: readonly BillingRole[],
  roles: readonly BillingRole[],
): string[] {
  const gained = roles.filter((role) => !held.includes(role));
  if (roles.includes('billing_admin')) {
    const isGained = gained.includes('billing_admin');
    return isGained ? [`⚠ ${short(email)} can then ${RIGHTS.billing_admin.can}.`] : [];
  }
  const wasAdmin = held.includes('billing_admin');
  const had = wasAdmin ? knownRoles([...held, 'billing_viewer']) : held;
  const lost = had.filter((role) => !roles.includes(role));
  const word = wasAdmin ? 'still' : 'then';
  return [
    ...lost.map(
      (role) => `${short(email)} can no longer ${RIGHTS[role].lost ?? RIGHTS[role].can}.`,
    ),
    ...gained.map((role) => `${short(email)} can ${word} ${RIGHTS[role].can}.`),
  ];
}

/** The consequence of the roles of a token, which approves nothing. */
export function rightsOfToken(roles: readonly BillingRole[], isEndless: boolean): string {
  const isAdmin = roles.includes('billing_admin');
  const can = isAdmin ? EVERYTHING : listOf(roles.map((role) => RIGHTS[role].can));
  const end = isEndless ? ', and it never expires' : '';
  return `${isAdmin ? '⚠ ' : ''}Anyone with this token can ${can}${end}.`;
}
