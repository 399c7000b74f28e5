import { READERS } from '../../access/roles.ts';
import type { Role } from '../../access/roles.ts';
import { filterOf, rfc3339, toConsumptionQuery } from '../../figures/consumption-query.ts';
import { foldLines, rowsOf } from '../../figures/fold.ts';
import type { FoldRules, PlacedRow } from '../../figures/fold.ts';
import type { Line } from '../../figures/line.ts';
import { spanBefore } from '../../figures/range.ts';
import type { Range } from '../../figures/range.ts';
import { filterFor } from '../../figures/tag-filter.ts';
import { compareNames } from '../../lib/text.ts';
import type { ChargeRow, Charges } from '../../platform/billing/charge-rows.ts';
import type { AccountChargeQuery } from '../../platform/billing/charges.ts';
import type { BillingClient } from '../../platform/billing/client.ts';
import type { Catalogue } from '../../platform/billing/items.ts';
import { PlatformError } from '../../platform/errors.ts';
import { mrkdwn } from '../../slack/kit/index.ts';
import type { Mrkdwn } from '../../slack/kit/index.ts';
import type { Person } from '../../slack/routes.ts';
import { meteringCaveats, note } from '../consumption/caveats.ts';
import { lineKey } from '../consumption/line-id.ts';
import type { Detail, Found, Question, Source } from '../consumption/source.ts';
import { fileRows, inWhole, stepOfPeriod } from '../consumption/steps.ts';
import { CHARGES_HELP } from './help.ts';
import { CHARGE_SUM } from './sums.ts';
import { chargeTable, tierTable } from './table.ts';
import { tiersByLine } from './tiers.ts';
import { unpricedCaveats } from './unpriced.ts';

export interface ChargesSourceDeps {
  /** @throws Refusal when billing is off */
  readonly billing: () => Pick<BillingClient, 'charges' | 'listOrgs'>;
  /** @throws Refusal when the person has none of these billing roles */
  readonly requireBillingRole: (person: Person, roles: readonly Role[]) => Promise<void>;
}

/** What `/charges` asks: the account's priced usage (spec 4.1). */
export function createChargesSource({ billing, requireBillingRole }: ChargesSourceDeps): Source {
  /** An answer is worth having without the names of the items. */
  const catalogue = async (): Promise<Catalogue | undefined> => {
    const reading = await billing().charges.chargeableItems().catch(orNothing);
    return reading?.value;
  };

  return {
    help: CHARGES_HELP,
    name: 'charges',
    needs: 'billing',
    by: ['org'],
    authorize: (person) => requireBillingRole(person, READERS),
    async orgs() {
      const { value } = await billing().listOrgs();
      return value.items.map(({ name }) => name).toSorted(compareNames);
    },
    find: (question) => find(question, billing(), catalogue),
    detail: (question) => detail(question, billing(), catalogue),
    async tagValues(tag, range, { of, where, orgs }) {
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

type Billing = ReturnType<ChargesSourceDeps['billing']>;
type ReadCatalogue = () => Promise<Catalogue | undefined>;

async function find(
  question: Question,
  billing: Billing,
  catalogue: ReadCatalogue,
): Promise<Found> {
  const { range, nowMs } = question;
  const span = spanBefore(range, nowMs);
  const [now, before] = await Promise.all([
    billing.charges.account(queryOf(question, range)),
    span ? readBefore(billing, question, span) : { kind: 'none' as const },
  ]);
  const known = before.kind === 'read' ? [before.charges] : undefined;
  const rules = rulesFor(question, [now.value, ...(known ?? [])]);
  return {
    lines: foldLines([now.value], known, rules, stepOfPeriod(question)),
    columns: question.by,
    readAt: now.readAt,
    skipped: now.value.skipped,
    isBeforeUnread: before.kind === 'failed',
    caveats: await caveatsOf(question, [now.value], { billing, catalogue }),
    table: chargeTable(fileRows(question, [now.value], CHARGE_SUM), tagsOf(question)),
  };
}

async function detail(
  question: Question,
  billing: Billing,
  catalogue: ReadCatalogue,
): Promise<Detail> {
  const [{ value, readAt }, items] = await Promise.all([
    billing.charges.accountDetailed(queryOf(question, question.range)),
    catalogue(),
  ]);
  const results = value.billingPeriods.flatMap((period) => period.results);
  const rules = rulesFor(question, results);
  const names = new Map(items?.items.map(({ id, name }) => [id, name]));
  const nameOf = (id: string) => names.get(id);
  const read = { billing, catalogue: () => Promise.resolve(items) };
  return {
    lines: foldLines(results, undefined, rules, stepOfPeriod(question)),
    columns: question.by,
    readAt,
    skipped: value.skipped,
    caveats: await caveatsOf(question, results, read),
    caveatsOf: (line) => caveatsOf(question, resultsOf(line, results, rules), read),
    table: tierTable(question, value, tagsOf(question), nameOf),
    tiersOf: tiersByLine(value, rules, nameOf),
  };
}

function queryOf({ query, by }: Question, range: Range): AccountChargeQuery {
  const { orgs } = query;
  return { ...toConsumptionQuery(query, by, range), ...(orgs.length > 0 ? { orgs } : {}) };
}

/** The tags that the platform's rows are told apart by. */
function tagsOf(question: Question): readonly string[] {
  const { consumptionQueries } = queryOf(question, question.range);
  const tags = consumptionQueries.flatMap(({ aggregateBy }) => aggregateBy);
  return [...new Set([...question.by, ...tags])];
}

type Before = { kind: 'read'; charges: Charges } | { kind: 'not-kept' } | { kind: 'failed' };

/** An answer is worth having without what it is compared with. */
async function readBefore({ charges }: Billing, question: Question, span: Range): Promise<Before> {
  try {
    const { value } = await charges.account(queryOf(inWhole(question), span));
    return value.skipped > 0 ? { kind: 'failed' } : { kind: 'read', charges: value };
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    return { kind: error.earliestStart === undefined ? 'failed' : 'not-kept' };
  }
}

/** A row without a currency, because nothing is charged for it, belongs to the only one that there is. */
function rulesFor({ by }: Question, results: readonly Charges[]): FoldRules<ChargeRow> {
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
  results: readonly Charges[],
  { billing, catalogue }: { readonly billing: Billing; readonly catalogue: ReadCatalogue },
): Promise<Mrkdwn[]> {
  const { by, nowMs, query } = question;
  if (rowsOf(results).next().done === true) return [];
  // Where metrics are not told apart, one without a charge is in no figure.
  const isApart = by.includes('metric') || query.of.length > 0 || 'metric' in query.where;
  return [
    ...((await isNarrowed(question, billing)) ? [NARROWED] : []),
    ...(await unpricedCaveats(results, catalogue, tagsOf(question))),
    ...meteringCaveats(results, { nowMs, counts: ({ total }) => isApart || !total.isZero() }),
  ];
}

/** Whether less than the account is asked for; all of its orgs by name are the account. */
async function isNarrowed({ query }: Question, billing: Billing): Promise<boolean> {
  const { of, orgs, where } = query;
  if (of.length + Object.keys(where).length > 0) return true;
  if (orgs.length === 0) return false;
  const known = await billing.listOrgs().catch(orNothing);
  return known === undefined || known.value.items.some(({ name }) => !orgs.includes(name));
}

/** The rows that one line is the sum of. */
function resultsOf(
  line: Line,
  results: readonly Charges[],
  rules: FoldRules<ChargeRow>,
): readonly Charges[] {
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

function orNothing(error: unknown): undefined {
  if (!(error instanceof PlatformError)) throw error;
}
