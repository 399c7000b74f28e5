import { needRefusal } from './changes.ts';
import type { Need, Standing } from './changes.ts';
import { ADMINS, ANY_ROLE, ORG_CREATORS, READERS, roleRefusal } from './roles.ts';
import type { Role } from './roles.ts';

/** One line of what a person may do. */
export interface Right {
  /** In plain words: "see charges, tag values and invoices". */
  readonly what: string;
  /** Why not, with what to do, in the same words for every role that is missing; undefined: the person may. */
  readonly refusal: string | undefined;
  /** Any of these roles would do; undefined where no role is missing. */
  readonly missing?: readonly Role[] | undefined;
}

/** Open where ORG_CHARGES says so. */
const ORG_CHARGES = { what: 'see the charges of single orgs', need: 'orgs' } as const;

/** The table of design section 6. */
const RIGHTS: readonly { readonly what: string; readonly need: Need }[] = [
  { what: 'see usage, deployments, workloads and quotas', need: 'orgs' },
  { what: 'request a higher quota', need: 'orgs' },
  { what: 'see the account and its orgs', need: { roles: ANY_ROLE } },
  { what: 'see charges, tag values, invoices and billing users', need: { roles: READERS } },
  { what: 'request and approve new orgs', need: { roles: ORG_CREATORS } },
  { what: 'see tokens, invoice recipients and deliveries', need: { roles: ADMINS } },
  {
    what: 'request and approve changes of the alert, users, tokens and recipients',
    need: { roles: ADMINS },
  },
  { what: 'approve higher quotas', need: { roles: ADMINS } },
];

/**
 * What a person may do, and why not the rest (design section 6). Nobody decides on their own request,
 * nor on a change of their own billing user. Pure.
 */
export function rightsOf(who: Standing): readonly Right[] {
  const rights = who.orgCharges === true ? [...RIGHTS, ORG_CHARGES] : RIGHTS;
  return rights.map(({ what, need }) => {
    const refusal = who.refusal ?? needRefusal(need, who);
    if (refusal === undefined) return { what, refusal };
    const missing = missingRoles(need, who);
    return missing === undefined ? { what, refusal } : { what, refusal: lackOf(who), missing };
  });
}

/** The roles that somebody lacks; undefined when a refusal has another reason. */
function missingRoles(need: Need, who: Standing): readonly Role[] | undefined {
  if (who.refusal !== undefined) return undefined;
  // The orgs may be open to everybody with a role (ORG_ACCESS=roles).
  if (need === 'orgs') return who.orgRefusal === roleRefusal(ANY_ROLE, who) ? ANY_ROLE : undefined;
  return who.rolesRefusal === undefined ? need.roles : undefined;
}

function lackOf({ email, unconfirmed, roles }: Standing): string {
  if (email === undefined && unconfirmed !== undefined) {
    return `This takes a role, and roles belong to e-mail addresses: Slack says that ${unconfirmed} is not confirmed, so confirm it in the settings of your Slack account.`;
  }
  if (email === undefined) {
    return 'This takes a role, and roles belong to e-mail addresses: add one to your Slack profile.';
  }
  return roles === undefined
    ? `This takes a role, and the billing account has no user ${email}: ask a billing_admin to add you.`
    : `This takes a role that ${email} does not have: ask a billing_admin for it.`;
}
