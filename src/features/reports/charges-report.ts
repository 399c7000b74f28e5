import { compareNames } from '../../lib/text.ts';
import {
  readCharges,
  readDetailedCharges,
  type Aggregation,
  type BillingPeriodCharges,
  type Catalogue,
  type ChargeResult,
  type ChargeRow,
  type Charges,
  type DetailedCharges,
  type DetailedResult,
  type ChargeTier,
  type DetailedChargeRow,
} from '../../platform/billing/charge-rows.ts';
import { readAnswerIn } from '../../platform/consumption/result.ts';
import {
  aggregateLines,
  lineKey,
  rowsOf,
  type Line,
  type LineRules,
  type PlacedRow,
} from '../../reporting/amounts.ts';
import { BY_ITEM } from '../../reporting/query-words.ts';
import { chargeRules } from '../../reporting/spend.ts';
import { mrkdwn } from '../../slack/kit/text.ts';
import { labelWithOrg, readBodies } from './orgs.ts';
import { stepOfPeriod } from './question.ts';
import type { Caveat, Bodies, Body, Detail, Found, Question, Tier } from './source.ts';
import { chargeTable, itemWords, spanOf, tierKey, tierTable, type ItemWords } from './tables.ts';
import { flaw, meteringCaveats, missingOrgs, note, unpricedCaveats } from './words.ts';
import { BigNumber } from 'bignumber.js';

/**
 * The pricing tiers by `lineKey`; tiers of equal bounds and rates are added up within a billing period.
 * @param words.withOrg tiers are separate for each org, so they are labelled with it
 */
function tiersByLine(
  billingPeriods: readonly BillingPeriodCharges[],
  rules: LineRules<ChargeRow>,
  { nameOf, unitOf, withOrg }: ItemWords & { readonly withOrg: boolean },
): (line: Line) => readonly Tier[] {
  const byLine = new Map<string, Map<string, Tier>>();
  for (const [index, billingPeriod] of billingPeriods.entries()) {
    const period = spanOf(billingPeriod);
    for (const { key, row } of rowsOf(billingPeriod.results)) {
      const line = lineKey({ labels: rules.labels(key, row), measure: rules.measure(row) });
      const tiers = byLine.get(line) ?? new Map<string, Tier>();
      byLine.set(line, tiers);
      for (const detail of row.details) {
        const same = JSON.stringify([index, usageOf(row), tierKey(detail)]);
        const known = tiers.get(same);
        const item = nameOf(detail.chargeableItemId) ?? detail.chargeableItemId;
        tiers.set(same, {
          period,
          ratePlan: billingPeriod.ratePlan,
          ratePlanItem: detail.ratePlanItem,
          item: withOrg ? `${item} (${row.tags['org'] ?? key['org'] ?? ''})` : item,
          unit: unitOf(row.tags['metric'] ?? ''),
          from: detail.from,
          to: detail.to,
          units: known?.units.plus(detail.units) ?? detail.units,
          rate: detail.rate,
          amount: known?.amount.plus(detail.amount) ?? detail.amount,
          currency: row.currency,
        });
      }
    }
  }
  return (line) => [...(byLine.get(lineKey(line))?.values() ?? [])].sort(compareTiers);
}

/** The fields that identify a row's tiers. */
function usageOf({ tags, currency }: ChargeRow): readonly (string | undefined)[] {
  const { feature, metric, locationType, performanceClass } = tags;
  return [feature, metric, locationType, performanceClass, currency];
}

function compareTiers(a: Tier, b: Tier): number {
  return (
    a.period.startMs - b.period.startMs ||
    compareNames(a.item, b.item) ||
    (a.from?.comparedTo(b.from ?? 0) ?? (b.from ? -1 : 0)) ||
    0
  );
}

function isByItem({ by }: Question): boolean {
  return by.includes(BY_ITEM);
}

function readTiers(question: Question, body: Uint8Array, catalogue: Catalogue | undefined) {
  const tags = question.by.filter((one) => one !== BY_ITEM);
  const detailed = readAnswerIn(body, (answer) => readDetailedCharges(answer, tags));
  return isByItem(question) ? byItem(detailed, itemWords(catalogue).labelOf) : detailed;
}

function inOne({ billingPeriods, skipped }: DetailedResult): ChargeResult {
  const results = billingPeriods.flatMap((period) => period.results);
  return {
    consumptionCount: undefined,
    periods: results.flatMap(({ periods }) => periods),
    skipped,
  };
}

/** The platform's charges as lines. Pure. @throws PlatformError, Refusal if no answer can be read */
export function chargesIn(bodies: Bodies): Found {
  const { question } = bodies;
  const read = ({ body, ...aggregation }: Body, org: string): Charges => {
    const charges = isByItem(question)
      ? inOne(readTiers(question, body, aggregation.catalogue))
      : readAnswerIn(body, (answer) => readCharges(answer, question.by));
    return { ...(isOfOrg(question) ? labelWithOrg(org, charges) : charges), ...known(aggregation) };
  };
  const { answers, before, whole, failures, facts } = readBodies(bodies, read);
  const rules = rulesFor(question, [...answers, ...(before ?? []), ...(whole ?? [])]);
  return {
    ...facts,
    lines: aggregateLines(answers, before, rules, stepOfPeriod(question)),
    columns: question.by,
    whole: whole && aggregateLines(whole, undefined, rules),
    caveats: [...missingOrgs(failures), ...caveatsOf(bodies, answers, answers)],
    hasRows: hasRows(answers),
    table: () => chargeTable(question, answers, tagsOf(question, answers), wordsOf(answers)),
  };
}

/** The same with pricing tiers. @throws PlatformError, Refusal */
export function tiersIn(bodies: Bodies): Detail {
  const { question } = bodies;
  const read = ({ body, ...aggregation }: Body, org: string): DetailedCharges => {
    const { billingPeriods, skipped } = readTiers(question, body, aggregation.catalogue);
    const own = billingPeriods.map((period) => {
      return { ...period, results: period.results.map((result) => labelWithOrg(org, result)) };
    });
    return {
      billingPeriods: isOfOrg(question) ? own : billingPeriods,
      skipped,
      ...known(aggregation),
    };
  };
  const { answers, failures, facts } = readBodies(bodies, read);
  const billingPeriods = answers.flatMap((answer) => answer.billingPeriods);
  const results = billingPeriods.flatMap((period) => period.results);
  const rules = rulesFor(question, results);
  const words = wordsOf(answers);
  const caveats = (some: readonly ChargeResult[]) => [
    ...missingOrgs(failures),
    ...caveatsOf(bodies, some, answers),
  ];
  return {
    ...facts,
    lines: aggregateLines(results, undefined, rules, stepOfPeriod(question)),
    columns: question.by,
    caveats: caveats(results),
    caveatsOf: (line) => caveats(resultsOf(line, results, rules)),
    hasRows: [...rowsOf(results)].some(({ row }) => row.details.length > 0),
    table: () => tierTable(question, billingPeriods, tagsOf(question, answers), words),
    tiersOf: tiersByLine(billingPeriods, rules, { ...words, withOrg: isOfOrgs(question) }),
  };
}

/** Without an aggregation, charges may be too low. */
function known({ aggregateBy = [], catalogue, mayBeTooLow = true }: Partial<Aggregation>) {
  return { aggregateBy, catalogue, mayBeTooLow };
}

function catalogueOf(answers: readonly Aggregation[]): Catalogue | undefined {
  return answers.find(({ catalogue }) => catalogue !== undefined)?.catalogue;
}

function wordsOf(answers: readonly Aggregation[]): ItemWords {
  return itemWords(catalogueOf(answers));
}

function isOfOrg({ viewer }: Question): boolean {
  return viewer.orgsOnly !== undefined;
}

function isOfOrgs(question: Question): boolean {
  return isOfOrg(question) && question.query.orgs.length > 1;
}

/** The tags that distinguish the platform's rows, the grouped ones first. */
function tagsOf(question: Question, answers: readonly Aggregation[]): readonly string[] {
  const tags = answers.flatMap(({ aggregateBy }) => aggregateBy);
  return [...new Set([...(isOfOrgs(question) ? ['org'] : []), ...question.by, ...tags])];
}

/** A row without a charge has no currency; it belongs to the only currency, if there is just one. */
function rulesFor({ by }: Question, results: readonly ChargeResult[]): LineRules<ChargeRow> {
  const currencies = new Set<string>();
  for (const { row } of rowsOf(results)) {
    if (row.currency !== undefined) currencies.add(row.currency);
  }
  return chargeRules(by, currencies.size === 1 ? [...currencies][0] : undefined);
}

function caveatsOf(
  { question, isNarrowed = false }: Bodies,
  results: readonly ChargeResult[],
  answers: readonly Aggregation[],
): Caveat[] {
  const { by, nowMs, query } = question;
  if (!hasRows(results)) return [];
  // Unless metrics are separate, a metric without a charge affects no figure.
  const isApart = by.includes('metric') || query.of.length > 0 || 'metric' in query.where;
  return [
    ...tooLow(answers),
    ...(isOfOrg(question) ? [SINGLE_ORGS] : []),
    ...(isNarrowed ? [NARROWED] : []),
    ...unpricedCaveats(results, catalogueOf(answers)),
    ...meteringCaveats(results, { nowMs, counts: ({ total }) => isApart || !total.isZero() }),
  ];
}

function hasRows(results: readonly ChargeResult[]): boolean {
  return rowsOf(results).next().done !== true;
}

/** Usage of items that were not queried is not priced (spec 4.1 rule 1). */
function tooLow(answers: readonly Aggregation[]): Caveat[] {
  if (!answers.some(({ mayBeTooLow }) => mayBeTooLow)) return [];
  const which = catalogueOf(answers) === undefined ? 'The' : 'Not all';
  const could = catalogueOf(answers) === undefined ? 'could not' : 'could';
  return [
    flaw(
      mrkdwn`${which} chargeable items ${could} be read, so some usage may not be priced: the sums may be too low.`,
    ),
  ];
}

function resultsOf(
  line: Line,
  results: readonly ChargeResult[],
  rules: LineRules<ChargeRow>,
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
  mrkdwn`Estimate: volume discounts depend on the whole account, so the invoice may differ.`,
);

/** Spec 4.1: priced with the account's plan, but with each org's own tiers. */
const SINGLE_ORGS = note(
  mrkdwn`Estimate: each org is priced alone, and volume discounts depend on the whole account, so the invoice may differ.`,
);

/**
 * The charges with each row divided among the chargeable items that priced it: the tiers name the item (spec 2.7). What
 * no tier prices belongs to no item. Pure.
 * @param labelOf the label of an item by its id
 */
function byItem(
  { billingPeriods, skipped }: DetailedResult,
  labelOf: (id: string) => string,
): DetailedResult {
  const labels = new Map<string, string>();
  const label = (id: string): string => {
    const known = labels.get(id) ?? (id === '' ? '' : labelOf(id));
    labels.set(id, known);
    return known;
  };
  return {
    skipped,
    billingPeriods: billingPeriods.map((billing) => ({
      ...billing,
      results: billing.results.map((result) => ({
        ...result,
        periods: result.periods.map((period) => ({
          ...period,
          groups: period.groups.flatMap(({ key, rows }) =>
            [...partsOf(rows, label)].map(([item, parts]) => ({
              key: { ...key, [BY_ITEM]: item },
              rows: parts,
            })),
          ),
        })),
      })),
    })),
  };
}

type Parts = Map<string, DetailedChargeRow[]>;

function partsOf(rows: readonly DetailedChargeRow[], label: (id: string) => string): Parts {
  const parts: Parts = new Map();
  for (const row of rows) {
    for (const [id, part] of divided(row)) {
      const name = label(id);
      const own = parts.get(name) ?? [];
      parts.set(name, own);
      own.push(part);
    }
  }
  return parts;
}

/** Nearly every row is priced by one item. */
function divided(row: DetailedChargeRow): [id: string, part: DetailedChargeRow][] {
  const tiers = new Map<string, ChargeTier[]>();
  for (const tier of row.details) {
    tiers.set(tier.chargeableItemId, [...(tiers.get(tier.chargeableItemId) ?? []), tier]);
  }
  const [only, ...others] = [...tiers];
  const priced = sumOf(row.details, 'amount');
  if (only === undefined) return [['', row]];
  if (others.length === 0 && priced.eq(row.total)) return [[only[0], row]];
  const parts = [...tiers].map(([id, details]): [string, DetailedChargeRow] => [
    id,
    partOf(row, sumOf(details, 'amount'), sumOf(details, 'units'), details),
  ]);
  const rest = row.total.minus(priced);
  return rest.isZero() ? parts : [...parts, ['', partOf(row, rest, ZERO, [])]];
}

const ZERO = new BigNumber(0);

function sumOf(tiers: readonly ChargeTier[], field: 'amount' | 'units'): BigNumber {
  return tiers.reduce((sum, tier) => sum.plus(tier[field]), ZERO);
}

/** The projection is divided like the charge. */
function partOf(
  row: DetailedChargeRow,
  total: BigNumber,
  value: BigNumber,
  details: readonly ChargeTier[],
): DetailedChargeRow {
  const { projectedTotal } = row;
  const share = row.total.isZero() ? undefined : projectedTotal?.times(total).div(row.total);
  return { ...row, total, value, details, projectedTotal: projectedTotal && (share ?? total) };
}
