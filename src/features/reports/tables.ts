import type {
  BillingPeriodCharges,
  Catalogue,
  ChargeRow,
  ChargeTier,
  DetailedChargeRow,
} from '../../platform/billing/charge-rows.ts';
import type {
  Consumption,
  ConsumptionResult,
  UsageRow,
} from '../../platform/consumption/result.ts';
import type { Usage } from '../../platform/usage.ts';
import { rowsOf, sumBySteps, tagIn, type PlacedRow, type RowSum } from '../../reporting/amounts.ts';
import { ALWAYS_APART, isAligned, rfc3339, stepsOf, type Range } from '../../reporting/range.ts';
import type { Cell } from '../../reporting/csv.ts';
import { unitsOfMetrics, type UnitOfMetric } from '../../reporting/quantity.ts';
import type { Question, Table } from './source.ts';

/** A row's own tag takes precedence over its group's. */
function tagCell({ key, row }: PlacedRow<Consumption>, tag: string): string | undefined {
  return tagIn(row.tags, tag) ?? tagIn(key, tag);
}

/**
 * Columns of a file: tags that are grouped by or always distinguish rows, and other tags with a value in some row. A
 * catalogue may price by thousands of tags, most of which are never used.
 */
function tagColumns(
  tags: Iterable<string>,
  rows: Iterable<PlacedRow<Consumption>>,
): readonly string[] {
  const used = new Set(ALWAYS_APART);
  for (const { key, row } of rows) {
    for (const tag of Object.keys(key)) used.add(tag);
    for (const [tag, value] of Object.entries(row.tags)) if (value !== '') used.add(tag);
  }
  return [...new Set(tags)].filter((tag) => used.has(tag));
}

/** Adds up charges of the same usage (spec 2.7), but never across currencies. */
const CHARGE_SUM: RowSum<ChargeRow> = {
  keyOf: ({ currency }) => currency ?? '',
  plus: plusRow,
  partOf: (row) => ({ ...row, projectedTotal: undefined }),
};

/** Includes the pricing tiers; tiers of equal bounds and rates are merged. */
const TIER_SUM: RowSum<DetailedChargeRow> = {
  keyOf: CHARGE_SUM.keyOf,
  plus: (one, other) => ({
    ...plusRow(one, other),
    details: plusTiers([...one.details, ...other.details]),
  }),
  partOf: (row) => row,
};

/** Equal for tiers of the same item, bounds and rate. */
export function tierKey({ chargeableItemId, ratePlanItem, from, to, rate }: ChargeTier): string {
  const bounds = [from, to, rate].map((bound) => bound?.toFixed());
  return JSON.stringify([chargeableItemId, ratePlanItem, ...bounds]);
}

function plusRow(one: ChargeRow, other: ChargeRow): ChargeRow {
  return {
    ...one,
    value: one.value.plus(other.value),
    total: one.total.plus(other.total),
    ratePlans: [...new Set([...one.ratePlans, ...other.ratePlans])],
  };
}

function plusTiers(tiers: readonly ChargeTier[]): ChargeTier[] {
  const sums = new Map<string, ChargeTier>();
  for (const tier of tiers) {
    const key = tierKey(tier);
    const known = sums.get(key);
    const [units, amount] = [known?.units.plus(tier.units), known?.amount.plus(tier.amount)];
    sums.set(key, { ...tier, units: units ?? tier.units, amount: amount ?? tier.amount });
  }
  return [...sums.values()];
}

/** The columns of a file, each with its cell. */
type Columns<Row> = readonly (readonly [title: string, of: (row: Row) => Cell])[];

function tableOf<Row>(rows: Iterable<Row>, columns: Columns<Row>): Table {
  function* cells(): Generator<Cell[]> {
    for (const row of rows) yield columns.map(([, of]) => of(row));
  }
  return { columns: columns.map(([title]) => title), rows: cells() };
}

/** The columns that place a row: its span, and its tags. */
function placeColumns(tags: readonly string[]): Columns<PlacedRow<Consumption>> {
  return [
    ['period start', ({ startMs }) => rfc3339(startMs)],
    ['period end', ({ endMs }) => rfc3339(endMs)],
    ...tags.map((tag) => [tag, (one: PlacedRow<Consumption>) => tagCell(one, tag)] as const),
  ];
}

/** Rows of an answer (spec 2.7), with exact figures. `tags`: those that distinguish rows. */
export function chargeTable(
  question: Question,
  results: readonly ConsumptionResult<ChargeRow>[],
  tags: readonly string[],
  { unitOf }: ItemWords,
): Table {
  const placed = fileRows(question, results, CHARGE_SUM);
  return tableOf<PlacedRow<ChargeRow>>(placed, [
    ...placeColumns(tagColumns(tags, placed)),
    ['value', ({ row }) => row.value],
    ['unit', ({ row }) => unitOf(row.tags['metric'] ?? '')],
    ['total', ({ row }) => row.total],
    ['projected total', ({ row }) => row.projectedTotal],
    ['currency', ({ row }) => row.currency],
    ['rate plans', ({ row }) => row.ratePlans.join(' ')],
  ]);
}

/** A row for each pricing tier of a billing period and step. */
export function tierTable(
  question: Question,
  billingPeriods: readonly BillingPeriodCharges[],
  tags: readonly string[],
  { nameOf, unitOf }: ItemWords,
): Table {
  const periods = billingPeriods.map((period) => ({
    ...period,
    span: spanOf(period),
    placed: fileRows(question, period.results, TIER_SUM),
  }));
  const starts = [...new Set(periods.map(({ span }) => span.startMs))].toSorted((a, b) => a - b);
  function* tiers() {
    for (const { span, placed, ratePlan } of periods) {
      for (const one of placed) {
        const place = {
          ...one,
          startMs: Math.max(one.startMs, span.startMs),
          endMs: Math.min(one.endMs, span.endMs),
        };
        for (const tier of one.row.details) yield { ...place, tier, ratePlan, span };
      }
    }
  }
  const all = periods.flatMap(({ placed }) => placed);
  return tableOf(tiers(), [
    ['billing period', ({ span }) => String(starts.indexOf(span.startMs) + 1)],
    ['rate plan', ({ ratePlan }) => ratePlan],
    ...placeColumns(tagColumns(tags, all)),
    ['item id', ({ tier }) => tier.chargeableItemId],
    ['item', ({ tier }) => nameOf(tier.chargeableItemId)],
    ['rate plan item', ({ tier }) => tier.ratePlanItem],
    ['from', ({ tier }) => tier.from],
    ['to', ({ tier }) => tier.to],
    ['units', ({ tier }) => tier.units],
    ['unit', ({ row }) => unitOf(row.tags['metric'] ?? '')],
    ['rate', ({ tier }) => tier.rate],
    ['amount', ({ tier }) => tier.amount],
    ['currency', ({ row }) => row.currency],
  ]);
}

/** The unit depends on the metric, which is one of the tags. */
const USAGE_SUM: RowSum<UsageRow> = {
  keyOf: () => '',
  plus: (one, other) => ({ ...one, value: one.value.plus(other.value) }),
  partOf: (row) => ({ ...row, projectedValue: undefined }),
};

/** Every row of all orgs, with its exact value in the raw unit. */
export function usageTable(
  question: Question,
  usages: readonly Usage[],
  unitOf: UnitOfMetric,
): Table {
  const placed = fileRows(question, usages, USAGE_SUM);
  // A query for chargeable items adds the tags that they are priced by.
  const added = new Set(placed.flatMap(({ row }) => Object.keys(row.tags)));
  const tags = ['org', ...question.by, 'metric', 'feature', 'locationType', 'performanceClass'];
  return tableOf<PlacedRow<UsageRow>>(placed, [
    ...placeColumns(tagColumns([...tags, ...added], placed)),
    ['value', ({ row }) => row.value],
    ['unit', ({ row }) => unitOf(row.tags['metric'] ?? '')],
    ['projected value', ({ row }) => row.projectedValue],
  ]);
}

/**
 * The steps to add up the rows of a file by; undefined if rows are by steps already. A step that the range cuts is
 * queried in parts (`toConsumptionQuery`), but the answer, the chart and the file have to show the same periods.
 */
function stepsOfFile({ query, range }: Question): readonly Range[] | undefined {
  const { step } = query;
  return step === undefined || isAligned(range, step) ? undefined : stepsOf(range, step);
}

function fileRows<Row extends Consumption>(
  question: Question,
  results: readonly ConsumptionResult<Row>[],
  sum: RowSum<Row>,
): readonly PlacedRow<Row>[] {
  const steps = stepsOfFile(question);
  return steps ? sumBySteps(rowsOf(results), steps, sum) : [...rowsOf(results)];
}

export type ItemWords = ReturnType<typeof itemWords>;

/** @param catalogue undefined if it could not be read: tiers then have only ids and documented units */
export function itemWords(catalogue: Catalogue | undefined) {
  const names = new Map(catalogue?.items.map(({ id, name }) => [id, name]));
  // Items can share a name (spec 2.6).
  const isShared = (name: string) => [...names.values()].filter((one) => one === name).length > 1;
  const labelOf = (id: string): string => {
    const name = names.get(id);
    return name === undefined ? id : isShared(name) ? `${name} (${id})` : name;
  };
  return {
    nameOf: (id: string) => names.get(id),
    /** Different for different items. */
    labelOf,
    unitOf: unitsOfMetrics(catalogue?.items),
  };
}

export function spanOf({ results }: BillingPeriodCharges): Range {
  const periods = results.flatMap((result) => result.periods);
  return {
    startMs: Math.min(...periods.map(({ startMs }) => startMs)),
    endMs: Math.max(...periods.map(({ endMs }) => endMs)),
  };
}
