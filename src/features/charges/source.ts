import { READERS } from '../../access/roles.ts';
import type { Role } from '../../access/roles.ts';
import { filterOf, rfc3339, toConsumptionQuery } from '../../figures/consumption-query.ts';
import { foldLines, rowsOf } from '../../figures/fold.ts';
import type { FoldRules, PlacedRow } from '../../figures/fold.ts';
import { unitsOfMetrics } from '../../figures/quantity.ts';
import type { Line } from '../../figures/line.ts';
import type { FigureQuery } from '../../figures/query.ts';
import { spanBefore } from '../../figures/range.ts';
import type { Range } from '../../figures/range.ts';
import { filterFor } from '../../figures/tag-filter.ts';
import { Refusal } from '../../lib/refusal.ts';
import { compareNames } from '../../lib/text.ts';
import type { Aggregation, ChargeResult, ChargeRow } from '../../platform/billing/charge-rows.ts';
import type { OrgCharges } from '../../platform/billing/charges.ts';
import type { BillingClient } from '../../platform/billing/client.ts';
import type { Catalogue } from '../../platform/billing/items.ts';
import type { ConsumptionQuery } from '../../platform/consumption/query.ts';
import { PlatformError } from '../../platform/errors.ts';
import { mrkdwn } from '../../slack/kit/index.ts';
import type { Mrkdwn } from '../../slack/kit/index.ts';
import type { Person } from '../../slack/routes.ts';
import { flaw, meteringCaveats, note } from '../consumption/caveats.ts';
import { lineKey } from '../consumption/line-id.ts';
import { missingOrgs } from '../consumption/missing.ts';
import { askBefore, oldest, sameOrgs, skippedIn } from '../consumption/orgs.ts';
import type { Asker, Detail, Found, Question, Source } from '../consumption/source.ts';
import { fileRows, inWhole, stepOfPeriod } from '../consumption/steps.ts';
import { settleOrg } from '../deployments/place.ts';
import type { Orgs } from '../deployments/place.ts';
import { accountForm, orgForm } from './forms.ts';
import type { ChargeForm } from './forms.ts';
import { CHARGES_HELP } from './help.ts';
import { CHARGE_SUM } from './sums.ts';
import { chargeTable, tierTable } from './table.ts';
import { itemWords, tiersByLine } from './tiers.ts';
import { unpricedCaveats } from './unpriced.ts';

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
    if (orgCharges === undefined) throw orgsOnly;
    const { charges } = orgCharges;
    return { form: orgForm(charges, orgsOnly), catalogue: charges };
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
    find: (question) => find(question, readingFor(question.asker)),
    detail: (question) => detail(question, readingFor(question.asker)),
    async tagValues({ orgsOnly }, tag, range, { of, where, orgs }) {
      if (orgsOnly) throw orgsOnly;
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
  const orgsOnly = new Refusal(orgCharges?.noAccount ?? sentence);
  if (orgCharges === undefined) throw orgsOnly;
  await orgCharges.requireOrgAccess(person).catch((error: unknown) => {
    throw error instanceof Refusal ? orgsOnly : error;
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

async function find(question: Question, { form, billing }: ChargeReading): Promise<Found> {
  const { range, nowMs, query } = question;
  const span = spanBefore(range, query.range, nowMs);
  const whole = inWhole(question);
  const [now, before] = await Promise.all([
    form.plain(queryOf(question, range), query.orgs),
    askBefore(span, (part) => form.plain(queryOf(whole, part), query.orgs)),
  ]);
  const compared = before.parts && sameOrgs(now.answers, before.parts);
  const results = now.answers.map(({ value }) => value);
  const earlier = compared?.map(({ value }) => value);
  const rules = rulesFor(question, [...results, ...(earlier ?? [])]);
  const catalogue = catalogueOf(results);
  return {
    lines: foldLines(results, earlier, rules, stepOfPeriod(question)),
    columns: question.by,
    readAt: oldest(now.answers),
    skipped: skippedIn(now.answers),
    isBeforeUnread: compared === undefined && before.isKept,
    caveats: [
      ...missingOrgs(now.failures),
      ...(await caveatsOf(question, results, { answers: results, billing })),
    ],
    table: chargeTable(
      fileRows(question, results, CHARGE_SUM),
      tagsOf(question, results),
      unitsOfMetrics(catalogue?.items),
    ),
  };
}

async function detail(question: Question, { form, billing }: ChargeReading): Promise<Detail> {
  const { query, range } = question;
  const now = await form.detailed(queryOf(question, range), query.orgs);
  const answers = now.answers.map(({ value }) => value);
  const billingPeriods = answers.flatMap((answer) => answer.billingPeriods);
  const results = billingPeriods.flatMap((period) => period.results);
  const rules = rulesFor(question, results);
  const words = itemWords(catalogueOf(answers));
  const missing = missingOrgs(now.failures);
  const caveats = async (some: readonly ChargeResult[]) => [
    ...missing,
    ...(await caveatsOf(question, some, { answers, billing })),
  ];
  return {
    lines: foldLines(results, undefined, rules, stepOfPeriod(question)),
    columns: question.by,
    readAt: oldest(now.answers),
    skipped: skippedIn(now.answers),
    caveats: await caveats(results),
    caveatsOf: (line) => caveats(resultsOf(line, results, rules)),
    table: tierTable(question, billingPeriods, tagsOf(question, answers), words),
    tiersOf: tiersByLine(billingPeriods, rules, { ...words, withOrg: isOfOrgs(question) }),
  };
}

/** The items that the queries were made by. */
function catalogueOf(answers: readonly Aggregation[]): Catalogue | undefined {
  return answers.find(({ catalogue }) => catalogue !== undefined)?.catalogue;
}

/** Whether several orgs are asked for one by one. */
function isOfOrgs({ asker, query }: Question): boolean {
  return asker.orgsOnly !== undefined && query.orgs.length > 1;
}

function queryOf({ query, by }: Question, range: Range): ConsumptionQuery {
  return toConsumptionQuery(query, by, range);
}

/** The tags that the platform's rows are told apart by, the grouped ones first. */
function tagsOf(question: Question, answers: readonly Aggregation[]): readonly string[] {
  const tags = answers.flatMap(({ aggregateBy }) => aggregateBy);
  return [...new Set([...(isOfOrgs(question) ? ['org'] : []), ...question.by, ...tags])];
}

/** A row without a currency, because nothing is charged for it, belongs to the only one that there is. */
function rulesFor({ by }: Question, results: readonly ChargeResult[]): FoldRules<ChargeRow> {
  const currencies = new Set([...rowsOf(results)].flatMap(({ row }) => row.currency ?? []));
  const only = currencies.size === 1 ? [...currencies][0] : undefined;
  return {
    labels: (key) => by.map((tag) => key[tag] ?? ''),
    measure: ({ currency }) => ({ kind: 'money', currency: currency ?? only }),
    value: ({ total }) => total,
    projected: ({ projectedTotal }) => projectedTotal,
  };
}

async function caveatsOf(
  question: Question,
  results: readonly ChargeResult[],
  {
    answers,
    billing,
  }: { readonly answers: readonly Aggregation[] } & Pick<ChargeReading, 'billing'>,
): Promise<Mrkdwn[]> {
  const { by, nowMs, query } = question;
  if (rowsOf(results).next().done === true) return [];
  // Where metrics are not told apart, one without a charge is in no figure.
  const isApart = by.includes('metric') || query.of.length > 0 || 'metric' in query.where;
  return [
    ...tooLow(answers),
    ...(billing === undefined ? [SINGLE_ORGS] : []),
    ...((await isNarrowed(query, billing)) ? [NARROWED] : []),
    ...unpricedCaveats(results, catalogueOf(answers)),
    ...meteringCaveats(results, { nowMs, counts: ({ total }) => isApart || !total.isZero() }),
  ];
}

/** What was not asked for is not priced (spec 4.1 rule 1). */
function tooLow(answers: readonly Aggregation[]): Mrkdwn[] {
  if (!answers.some(({ mayBeTooLow }) => mayBeTooLow)) return [];
  const which = catalogueOf(answers) === undefined ? 'The' : 'Not all';
  const could = catalogueOf(answers) === undefined ? 'could not' : 'could';
  return [
    flaw(
      mrkdwn`${which} chargeable items ${could} be read, so some usage may not be priced: the sums may be too low.`,
    ),
  ];
}

/** Whether less than the account is asked for; all of its orgs by name are the account. */
async function isNarrowed(
  { of, items, orgs, where }: FigureQuery,
  billing: ChargeReading['billing'],
): Promise<boolean> {
  if (of.length + items.length + Object.keys(where).length > 0) return true;
  if (orgs.length === 0 || billing === undefined) return false;
  const known = await billing.listOrgs().catch(orNothing);
  return known === undefined || known.value.items.some(({ name }) => !orgs.includes(name));
}

/** The rows that one line is the sum of. */
function resultsOf(
  line: Line,
  results: readonly ChargeResult[],
  rules: FoldRules<ChargeRow>,
): readonly ChargeResult[] {
  const isOfLine = (key: PlacedRow<ChargeRow>['key'], row: ChargeRow) =>
    lineKey({ labels: rules.labels(key, row), measure: rules.measure(row) }) === lineKey(line);
  return results.map((result) => ({
    ...result,
    periods: result.periods.map((period) => ({
      ...period,
      groups: period.groups.map(({ key, rows }) => ({
        key,
        rows: rows.filter((row) => isOfLine(key, row)),
      })),
    })),
  }));
}

/** Spec 4.1 rule 3. */
const NARROWED = note(
  mrkdwn`Only a part of the account is selected: pricing tiers are counted from its own first unit, so unit rates can differ from the invoice.`,
);

/** Spec 4.1: priced with the account's plan, but with tiers of its own. */
const SINGLE_ORGS = note(
  mrkdwn`Charges of single orgs, each with pricing tiers counted from its own first unit: a sum over orgs is not the account’s.`,
);

function orNothing(error: unknown): undefined {
  if (!(error instanceof PlatformError)) throw error;
}
