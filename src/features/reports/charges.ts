import { BILLING_OFF } from '../../access/authorizer.ts';
import { denied, orgRight, READERS } from '../../access/policy.ts';
import { Refusal } from '../../lib/errors.ts';
import { compareNames } from '../../lib/text.ts';
import type { OrgCharges } from '../../platform/billing/charges.ts';
import { undefinedIfUnavailable } from '../../platform/errors.ts';
import type { BillingClient } from '../../platform/billing/client.ts';
import { resolveOrg, type Orgs } from '../../platform/deployments/target.ts';
import type { ReportQuery } from '../../reporting/query.ts';
import { BY_ITEM } from '../../reporting/query-words.ts';
import { CHARGES_HELP } from './grammar.ts';
import { filterFor, filterOf, rfc3339 } from '../../reporting/range.ts';
import type { Services } from '../../services.ts';
import type { Person } from '../../slack/routing/routes.ts';
import { askBodies } from './orgs.ts';
import type { AskedFor, Bodies, Question, Source, Viewer } from './source.ts';

type ChargesServices = Pick<Services, 'access' | 'billing' | 'config' | 'orgCharges' | 'orgs'>;

/** Priced usage of the account, or of single orgs (spec 4.1). */
export function createChargesSource(services: ChargesServices): Source {
  const { billing, orgCharges } = services;
  const orgs = { ...services.orgs, known: services.orgs.known.toSorted() };
  /** @throws Refusal for a member without access to either form */
  const singleOrgs = ({ orgsOnly = '', missing }: Viewer): OrgCharges => {
    if (orgCharges === undefined) throw denied('role', orgsOnly, missing);
    return orgCharges;
  };
  const catalogueFor = (viewer: Viewer): OrgCharges =>
    viewer.orgsOnly === undefined ? billing().charges : singleOrgs(viewer);

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
    items: (viewer) => catalogueFor(viewer).chargeableItems(),
    knownItems: (viewer) => catalogueFor(viewer).knownItems(),
    canSave: services.config.billing !== undefined,
    hasTiers: true,
    ask: (question, wanted) =>
      question.viewer.orgsOnly === undefined
        ? askAccount(billing(), question, wanted)
        : askOrgs(singleOrgs(question.viewer), question, wanted),
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

/** The item of a charge is in its tiers. */
function needsTiers({ by }: Question, { tiers }: AskedFor): boolean {
  return tiers || by.includes(BY_ITEM);
}

/** The account form (spec 4.1), narrowed to the named orgs: one answer, without an org. */
async function askAccount(
  billing: BillingClient,
  question: Question,
  wanted: AskedFor,
): Promise<Bodies> {
  const { query } = question;
  const detailed = needsTiers(question, wanted);
  const narrowed = query.orgs.length > 0 ? { orgs: query.orgs } : {};
  const [bodies, isNarrowed] = await Promise.all([
    askBodies(question, wanted, {
      orgs: [''],
      askOrg: (_, body, allowance) =>
        billing.charges.accountBody({ ...body, ...narrowed }, { detailed, allowance }),
    }),
    hasFilters(query) || lacksOrgs(query, billing),
  ]);
  return { source: 'charges', ...bodies, isNarrowed };
}

/** Each org separately, with its own key. */
async function askOrgs(charges: OrgCharges, question: Question, wanted: AskedFor): Promise<Bodies> {
  const detailed = needsTiers(question, wanted);
  const bodies = await askBodies(question, wanted, {
    orgs: question.query.orgs,
    askOrg: (org, body, allowance) => charges.orgBody(org, body, { detailed, allowance }),
  });
  return { source: 'charges', ...bodies, isNarrowed: hasFilters(question.query) };
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

function hasFilters({ of, items, where }: ReportQuery): boolean {
  return of.length + items.length + Object.keys(where).length > 0;
}

/** Naming all orgs of the account does not narrow the question. */
async function lacksOrgs({ orgs }: ReportQuery, billing: BillingClient): Promise<boolean> {
  if (orgs.length === 0) return false;
  const known = await billing.listOrgs().catch(undefinedIfUnavailable);
  return known === undefined || known.value.items.some(({ name }) => !orgs.includes(name));
}
