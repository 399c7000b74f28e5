import { Refusal } from '../../lib/refusal.ts';
import type { Charges, DetailedCharges } from '../../platform/billing/charge-rows.ts';
import type { ChargesClient, OrgCharges } from '../../platform/billing/charges.ts';
import type { ConsumptionQuery } from '../../platform/consumption/query.ts';
import type { Reading } from '../../platform/read-cache.ts';
import { askEach, named } from '../consumption/orgs.ts';
import type { EachOrg, Failure } from '../consumption/orgs.ts';

/** One of the two forms of a charge query (spec 4.1); `orgs`: empty means all that the form covers. */
export interface ChargeForm {
  plain(query: ConsumptionQuery, orgs: readonly string[]): Promise<EachOrg<Charges>>;
  detailed(query: ConsumptionQuery, orgs: readonly string[]): Promise<EachOrg<DetailedCharges>>;
}

/** The account, narrowed to the named orgs: one answer, which is of no org. */
export function accountForm(
  charges: Pick<ChargesClient, 'account' | 'accountDetailed'>,
): ChargeForm {
  const narrowed = (query: ConsumptionQuery, orgs: readonly string[]) => {
    return { ...query, ...(orgs.length > 0 ? { orgs } : {}) };
  };
  const whole = <T>(reading: Reading<T>): EachOrg<T> => {
    return { answers: [{ org: '', ...reading }], failures: [] };
  };
  return {
    plain: async (query, orgs) => whole(await charges.account(narrowed(query, orgs))),
    detailed: async (query, orgs) => whole(await charges.accountDetailed(narrowed(query, orgs))),
  };
}

/** Each org for itself, with its own key; its rows say whose they are. @param noAccount why the account is not asked */
export function orgForm(charges: OrgCharges, noAccount: Refusal): ChargeForm {
  const toError = (failures: readonly Failure[]) => {
    const others = failures.find(({ error }) => error.reason !== 'unauthorized');
    return others?.error ?? needsReadMetrics(failures, noAccount);
  };
  return {
    plain: (query, orgs) =>
      askEach(
        orgs,
        async (org) => {
          const { value, readAt } = await charges.org(org, query);
          return { value: { ...value, ...named(org, value) }, readAt };
        },
        toError,
      ),
    detailed: (query, orgs) =>
      askEach(
        orgs,
        async (org) => {
          const { value, readAt } = await charges.orgDetailed(org, query);
          const billingPeriods = value.billingPeriods.map((period) => {
            return { ...period, results: period.results.map((result) => named(org, result)) };
          });
          return { value: { ...value, billingPeriods }, readAt };
        },
        toError,
      ),
  };
}

/** The role opens the account, and readMetrics the org (spec section 5): either will do. */
function needsReadMetrics(failures: readonly Failure[], { message }: Refusal): Refusal {
  const orgs = failures.map(({ org }) => org);
  const [whose, keys] =
    orgs.length === 1 ? [`org ${orgs[0]} alone`, 'its key'] : [orgs.join(', '), 'their keys'];
  return new Refusal(
    `${message.replace(/\.$/, '')}; the charges of ${whose} take readMetrics on ${keys}, which whoever runs Purser can have granted.`,
    failures[0]?.error,
  );
}
