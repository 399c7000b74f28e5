import { denied } from '../../access/denial.ts';
import { BILLING_OFF } from '../../access/gate.ts';
import { READERS } from '../../access/roles.ts';
import type { Role } from '../../access/roles.ts';
import { filterOf, rfc3339, toConsumptionQuery } from '../../figures/consumption-query.ts';
import type { FigureQuery } from '../../figures/query.ts';
import { spanBefore } from '../../figures/range.ts';
import type { Range } from '../../figures/range.ts';
import { filterFor } from '../../figures/tag-filter.ts';
import { Refusal } from '../../lib/refusal.ts';
import { compareNames } from '../../lib/text.ts';
import type { OrgCharges } from '../../platform/billing/charges.ts';
import type { BillingClient } from '../../platform/billing/client.ts';
import type { ConsumptionQuery } from '../../platform/consumption/query.ts';
import { PlatformError } from '../../platform/errors.ts';
import type { Person } from '../../slack/routes.ts';
import { askBefore, eachBody } from '../consumption/bodies.ts';
import type { Bodies } from '../consumption/bodies.ts';
import { createOrgLimit } from '../consumption/orgs.ts';
import type { AskedFor, Asker, Question, Source } from '../consumption/source.ts';
import { inWhole } from '../consumption/steps.ts';
import { settleOrg } from '../deployments/place.ts';
import type { Orgs } from '../deployments/place.ts';
import { accountForm, orgForm } from './forms.ts';
import type { ChargeForm } from './forms.ts';
import { CHARGES_HELP } from './help.ts';

export interface ChargesSourceDeps {
  /** @throws Refusal when billing is off */
  readonly billing: () => Pick<BillingClient, 'charges' | 'listOrgs'>;
  /** Why a person has none of these billing roles. @throws Refusal when nobody knows */
  readonly roleRefusal: (person: Person, roles: readonly Role[]) => Promise<string | undefined>;
  /** For people who may not query the account; absent: they are refused (ORG_CHARGES). */
  readonly orgCharges?: OrgChargesDeps | undefined;
}

export interface OrgChargesDeps {
  readonly charges: OrgCharges;
  readonly orgs: Orgs;
  /** Why nobody may query the account, where there is none. */
  readonly noAccount?: string | undefined;
  /** Whether a person may read what needs org permissions. @throws Refusal */
  readonly requireOrgAccess: (person: Person) => Promise<void>;
}

/** What `/charges` asks: the account's priced usage, or that of single orgs (spec 4.1). */
export function createChargesSource(deps: ChargesSourceDeps): Source {
  const { billing, orgCharges } = deps;
  /** @throws Refusal for who may ask for nothing */
  const readingFor = ({ orgsOnly }: Asker): ChargeReading => {
    if (orgsOnly === undefined) {
      const { charges } = billing();
      return { form: accountForm(charges), catalogue: charges, billing: billing() };
    }
    if (orgCharges === undefined) throw denied('role', orgsOnly);
    const { charges } = orgCharges;
    return { form: orgForm(charges, orgsOnly, createOrgLimit()), catalogue: charges };
  };

  return {
    help: CHARGES_HELP,
    name: 'charges',
    needs: ({ orgsOnly }) => (orgsOnly ? 'org_charges' : 'billing'),
    by: ['org'],
    authorize: (person) => authorize(deps, person),
    async orgs({ orgsOnly }) {
      if (orgsOnly) return orgCharges?.orgs.known ?? [];
      const { value } = await billing().listOrgs();
      return value.items.map(({ name }) => name).toSorted(compareNames);
    },
    usualOrgs: ({ orgsOnly }) =>
      orgsOnly && orgCharges ? [settleOrg(undefined, orgCharges.orgs)] : [],
    items: (asker) => readingFor(asker).catalogue.chargeableItems(),
    knownItems: (asker) => readingFor(asker).catalogue.knownItems(),
    hasTiers: true,
    ask: (question, wanted) => ask(question, wanted, readingFor(question.asker)),
    async tagValues({ orgsOnly }, tag, range, { of, where, orgs }) {
      if (orgsOnly !== undefined) throw denied('role', orgsOnly);
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

/** The account for who has the role, else single orgs where these are open to people (design section 6). */
async function authorize(
  { roleRefusal, orgCharges }: ChargesSourceDeps,
  person: Person,
): Promise<Asker> {
  const { userId } = person;
  const sentence = await roleRefusal(person, READERS);
  if (sentence === undefined) return { userId };
  const orgsOnly = orgCharges?.noAccount ?? sentence;
  if (orgCharges === undefined) {
    throw sentence === BILLING_OFF ? new Refusal(sentence) : denied('role', sentence);
  }
  await orgCharges.requireOrgAccess(person).catch((error: unknown) => {
    throw error instanceof Refusal ? denied('role', orgsOnly) : error;
  });
  return { userId, orgsOnly };
}

/** How one question is answered. */
interface ChargeReading {
  readonly form: ChargeForm;
  readonly catalogue: Pick<OrgCharges, 'chargeableItems' | 'knownItems'>;
  /** Absent for single orgs. */
  readonly billing?: Pick<BillingClient, 'listOrgs'> | undefined;
}

/** Asks the span and, where it is compared, the one before it. */
async function ask(
  question: Question,
  { tiers, now, before }: AskedFor,
  { form, billing }: ChargeReading,
): Promise<Bodies> {
  const { range, nowMs, query } = question;
  const whole = inWhole(question);
  const [current, earlier, isNarrowed] = await Promise.all([
    form(queryOf(question, range), query.orgs, { detailed: tiers, allowance: now }),
    before === undefined
      ? { isKept: false }
      : askBefore(spanBefore(range, query.range, nowMs), (part) =>
          form(queryOf(whole, part), query.orgs, { allowance: before }),
        ),
    isOnlyPart(query, billing),
  ]);
  return { source: 'charges', question, now: eachBody(current), before: earlier, isNarrowed };
}

function queryOf({ query, by }: Question, range: Range): ConsumptionQuery {
  return toConsumptionQuery(query, by, range);
}

/** Whether less than the account is asked for; all of its orgs by name are the account. */
async function isOnlyPart(
  { of, items, orgs, where }: FigureQuery,
  billing: ChargeReading['billing'],
): Promise<boolean> {
  if (of.length + items.length + Object.keys(where).length > 0) return true;
  if (orgs.length === 0 || billing === undefined) return false;
  const known = await billing.listOrgs().catch(orNothing);
  return known === undefined || known.value.items.some(({ name }) => !orgs.includes(name));
}

function orNothing(error: unknown): undefined {
  if (!(error instanceof PlatformError)) throw error;
}
