import { BILLING_OFF } from '../../access/authorizer.ts';
import { denied, orgRight, READERS } from '../../access/policy.ts';
import { Refusal } from '../../lib/errors.ts';
import { compareNames } from '../../lib/text.ts';
import type {
  ChargeBody,
  ChargeBodyOptions,
  ChargesClient,
  OrgCharges,
} from '../../platform/billing/charges.ts';
import { undefinedIfUnavailable } from '../../platform/errors.ts';
import type { BillingClient } from '../../platform/billing/client.ts';
import type { ConsumptionQuery } from '../../platform/consumption/query.ts';
import { resolveOrg, type Orgs } from '../../platform/deployments/target.ts';
import type { ReportQuery } from '../../reporting/query.ts';
import { BY_ITEM } from '../../reporting/query-words.ts';
import { CHARGES_HELP } from './grammar.ts';
import {
  filterFor,
  filterOf,
  rfc3339,
  spanBefore,
  toConsumptionQuery,
  type Range,
} from '../../reporting/range.ts';
import type { Services } from '../../services.ts';
import type { Person } from '../../slack/routing/routes.ts';
import {
  askBefore,
  askEach,
  askWhole,
  createOrgLimit,
  eachBody,
  errorOfOrgs,
  type EachOrg,
  type OrgLimit,
} from './orgs.ts';
import { inWhole } from './question.ts';
import type { AskedFor, Bodies, Question, Source, Viewer } from './source.ts';

/** Either form of a charge query (spec 4.1); without `orgs`, everything that the form covers. */
type ChargeForm = (
  query: ConsumptionQuery,
  orgs: readonly string[],
  options: ChargeBodyOptions,
) => Promise<EachOrg<ChargeBody>>;

/** The account, narrowed to the named orgs: one answer, without an org. */
function accountForm(charges: Pick<ChargesClient, 'accountBody'>): ChargeForm {
  return async (query, orgs, options) => {
    const narrowed = { ...query, ...(orgs.length > 0 ? { orgs } : {}) };
    const reading = await charges.accountBody(narrowed, options);
    return { answers: [{ org: '', ...reading }], failures: [] };
  };
}

/** Each org separately, with its own key. @param noAccount why the account cannot be queried */
function orgForm(
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

type ChargesServices = Pick<Services, 'access' | 'billing' | 'config' | 'orgCharges' | 'orgs'>;

/** Priced usage of the account, or of single orgs (spec 4.1). */
export function createChargesSource(services: ChargesServices): Source {
  const { billing, orgCharges } = services;
  const orgs = { ...services.orgs, known: services.orgs.known.toSorted() };
  /** @throws Refusal for a member without access to either form */
  const readingFor = ({ orgsOnly, missing }: Viewer): ChargeReading => {
    if (orgsOnly === undefined) {
      const { charges } = billing();
      return { form: accountForm(charges), catalogue: charges, billing: billing() };
    }
    if (orgCharges === undefined) throw denied('role', orgsOnly, missing);
    return { form: orgForm(orgCharges, orgsOnly, createOrgLimit()), catalogue: orgCharges };
  };

  return {
    help: CHARGES_HELP,
    name: 'charges',
    needs: ({ orgsOnly, orgs = [] }) =>
      orgsOnly ? orgRight(...orgs).replace('orgs', 'org_charges') : 'billing',
    by: ['org'],
    authorize: (person) => authorize(services, person),
    async orgs({ orgsOnly, orgs: readable = orgs.known }) {
      if (orgsOnly) return orgCharges === undefined ? [] : readable;
      const { value } = await billing().listOrgs();
      return value.items.map(({ name }) => name).toSorted(compareNames);
    },
    usualOrgs: ({ orgsOnly, orgs: readable = orgs.known }) =>
      orgsOnly && orgCharges ? [usualOrg(orgs, readable)] : [],
    items: (viewer) => readingFor(viewer).catalogue.chargeableItems(),
    knownItems: (viewer) => readingFor(viewer).catalogue.knownItems(),
    canSave: services.config.billing !== undefined,
    hasTiers: true,
    ask: (question, wanted) => ask(question, wanted, readingFor(question.viewer)),
    async tagValues({ orgsOnly, missing }, tag, range, { of, where, orgs }) {
      if (orgsOnly !== undefined) throw denied('role', orgsOnly, missing);
      const filterBy = filterOf({ where, of });
      const { value, readAt } = await billing().charges.tagValues({
        startTime: rfc3339(range.startMs),
        endTime: rfc3339(range.endMs),
        tag,
        filterBy: orgs.length === 0 ? filterBy : { org: filterFor('org', orgs), ...filterBy },
      });
      const values = [...new Set(value.values)].toSorted(compareNames);
      return { values, readAt, skipped: value.skipped };
    },
  };
}

/** The account for members with the role; otherwise single orgs, if open to everyone (design section 6). */
async function authorize(
  { access, orgCharges, orgs: { known } }: ChargesServices,
  person: Person,
): Promise<Viewer> {
  const { userId } = person;
  const refusal = await access.roleRefusal(person, READERS);
  if (refusal === undefined) return { userId };
  if (orgCharges === undefined) throw refusal;
  const missing = refusal.roles === undefined ? undefined : READERS;
  const orgsOnly = refusal.message === BILLING_OFF ? NO_ACCOUNT : refusal.message;
  await access.requireOrgAccess(person).catch((error: unknown) => {
    throw error instanceof Refusal ? denied('role', orgsOnly, missing) : error;
  });
  const orgs = (await access.readableOrgs(person, known)).toSorted();
  const isPart = orgs.length < known.length;
  return { userId, orgsOnly, ...(missing && { missing }), ...(isPart && { orgs }) };
}

/** The default org, if the person may read it; else the only one. @throws UsageError if one has to be named */
function usualOrg({ fallback }: Orgs, readable: readonly string[]): string {
  const [first, ...others] = readable;
  const isUsual = fallback !== undefined && readable.includes(fallback);
  const only = others.length === 0 ? first : undefined;
  return resolveOrg(undefined, { known: readable, fallback: isUsual ? fallback : only });
}

/** The account cannot be queried if only ORG_CHARGES is configured. */
const NO_ACCOUNT =
  'This takes the role billing_admin or billing_viewer, and roles cannot be looked up here: your Purser administrator has to set BILLING_ACCOUNT_ID and BILLING_TOKEN.';

interface ChargeReading {
  readonly form: ChargeForm;
  readonly catalogue: Pick<OrgCharges, 'chargeableItems' | 'knownItems'>;
  /** Undefined for single orgs. */
  readonly billing?: Pick<BillingClient, 'listOrgs'> | undefined;
}

/** Queries the span and, if it is compared, the one before it. */
async function ask(
  question: Question,
  { tiers, now, aside }: AskedFor,
  { form, billing }: ChargeReading,
): Promise<Bodies> {
  const { range, nowMs, query } = question;
  const whole = inWhole(question);
  // The item of a charge is in its tiers.
  const byItem = question.by.includes(BY_ITEM);
  const askAll = (part: Range) =>
    form(queryOf(whole, part), query.orgs, { detailed: byItem, allowance: aside ?? now });
  const [current, before, ofWhole, isNarrowed] = await Promise.all([
    form(queryOf(question, range), query.orgs, { detailed: tiers || byItem, allowance: now }),
    askBefore(aside && spanBefore(range, query.range, nowMs), askAll),
    aside && askWhole(question, askAll),
    isOnlyPart(query, billing),
  ]);
  return {
    source: 'charges',
    question,
    now: eachBody(current),
    before,
    ...(ofWhole && { whole: ofWhole }),
    isNarrowed,
  };
}

function queryOf({ query, by }: Question, range: Range): ConsumptionQuery {
  return toConsumptionQuery(query, by, range);
}

/** Naming all orgs of the account does not narrow the question. */
async function isOnlyPart(
  { of, items, orgs, where }: ReportQuery,
  billing: ChargeReading['billing'],
): Promise<boolean> {
  if (of.length + items.length + Object.keys(where).length > 0) return true;
  if (orgs.length === 0 || billing === undefined) return false;
  const known = await billing.listOrgs().catch(undefinedIfUnavailable);
  return known === undefined || known.value.items.some(({ name }) => !orgs.includes(name));
}
