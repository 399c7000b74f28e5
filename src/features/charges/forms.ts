import { Refusal } from '../../lib/refusal.ts';
import type {
  ChargeBody,
  ChargeBodyOptions,
  ChargesClient,
  OrgCharges,
} from '../../platform/billing/charges.ts';
import type { ConsumptionQuery } from '../../platform/consumption/query.ts';
import { askEach } from '../consumption/orgs.ts';
import type { EachOrg, Failure, OrgLimit } from '../consumption/orgs.ts';

/** One of the two forms of a charge query (spec 4.1); `orgs`: empty means all that the form covers. */
export type ChargeForm = (
  query: ConsumptionQuery,
  orgs: readonly string[],
  options: ChargeBodyOptions,
) => Promise<EachOrg<ChargeBody>>;

/** The account, narrowed to the named orgs: one answer, which is of no org. */
export function accountForm(charges: Pick<ChargesClient, 'accountBody'>): ChargeForm {
  return async (query, orgs, options) => {
    const narrowed = { ...query, ...(orgs.length > 0 ? { orgs } : {}) };
    const reading = await charges.accountBody(narrowed, options);
    return { answers: [{ org: '', ...reading }], failures: [] };
  };
}

/** Each org for itself, with its own key. @param noAccount why the account is not asked */
export function orgForm(
  charges: Pick<OrgCharges, 'orgBody'>,
  noAccount: string,
  limit: OrgLimit,
): ChargeForm {
  return (query, orgs, options) =>
    askEach(
      orgs,
      (org) => charges.orgBody(org, query, options),
      (failures) => errorOfOrgs(failures, noAccount),
      limit,
    );
}

/** What is said when no org answers for itself. @param noAccount why the account is not asked */
export function errorOfOrgs(failures: readonly Failure[], noAccount: string): Error {
  const others = failures.find(({ error }) => error.reason !== 'unauthorized');
  return others?.error ?? needsReadMetrics(failures, noAccount);
}

/** The role opens the account, and readMetrics the org (spec section 5): either will do. */
function needsReadMetrics(failures: readonly Failure[], noAccount: string): Refusal {
  const orgs = failures.map(({ org }) => org);
  const [whose, keys] =
    orgs.length === 1 ? [`org ${orgs[0]} alone`, 'its key'] : [orgs.join(', '), 'their keys'];
  return new Refusal(
    `${noAccount.replace(/\.$/, '')}; the charges of ${whose} take readMetrics on ${keys}, which whoever runs Purser can have granted.`,
    failures[0]?.error,
  );
}
