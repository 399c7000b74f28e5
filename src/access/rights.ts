import { needRefusal } from './changes.ts';
import type { Need, Standing } from './changes.ts';
import { ADMINS, ANY_ROLE, ORG_CREATORS, READERS } from './roles.ts';

/** One line of what a person may do. */
export interface Right {
  /** In plain words: "see charges, tag values and invoices". */
  readonly what: string;
  /** Why not, with what to do; undefined: the person may. */
  readonly refusal: string | undefined;
}

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
  return RIGHTS.map(({ what, need }) => ({
    what,
    refusal: who.refusal ?? needRefusal(need, who),
  }));
}
