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
import type { OfOrg, Question, Table } from './source.ts';

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
export const CHARGE_SUM: RowSum<ChargeRow> = {
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

/** Rows of an answer (spec 2.7), with exact figures. `tags`: those that distinguish rows. */
export function chargeTable(
  placed: readonly PlacedRow<ChargeRow>[],
  tags: readonly string[],
  unitOf: UnitOfMetric,
): Table {
  const named = tagColumns(tags, placed);
  const cellsOf = (one: PlacedRow<ChargeRow>): Cell[] => {
    const { row } = one;
    return [
      ...spanCells(one),
      ...named.map((tag) => tagCell(one, tag)),
      row.value,
      unitOf(row.tags['metric'] ?? ''),
      row.total,
      row.projectedTotal,
      row.currency,
      row.ratePlans.join(' '),
    ];
  };
  return {
    columns: [
      ...SPAN,
      ...named,
      'value',
      'unit',
      'total',
      'projected total',
      'currency',
      'rate plans',
    ],
    rows: each(placed, (one) => [cellsOf(one)]),
  };
}

/** A row for each pricing tier of a billing period and step. */
export function tierTable(
  question: Question,
  billingPeriods: readonly BillingPeriodCharges[],
  tags: readonly string[],
  { nameOf, unitOf }: ItemWords,
): Table {
  const spans = billingPeriods.map(spanOf);
  const placed = billingPeriods.map(({ results }) => fileRows(question, results, TIER_SUM));
  const named = tagColumns(tags, placed.flat());
  const starts = [...new Set(spans.map(({ startMs }) => startMs))].toSorted((a, b) => a - b);
  const cellsOf = (one: PlacedRow<DetailedChargeRow>, index: number): Cell[][] => {
    const span = spans[index] ?? one;
    const before = [
      String(starts.indexOf(span.startMs) + 1),
      billingPeriods[index]?.ratePlan,
      ...spanCells(common(one, span)),
      ...named.map((tag) => tagCell(one, tag)),
    ];
    return one.row.details.map((tier) => [
      ...before,
      tier.chargeableItemId,
      nameOf(tier.chargeableItemId),
      tier.ratePlanItem,
      tier.from,
      tier.to,
      tier.units,
      unitOf(one.row.tags['metric'] ?? ''),
      tier.rate,
      tier.amount,
      one.row.currency,
    ]);
  };
  return {
    columns: [
      'billing period',
      'rate plan',
      ...SPAN,
      ...named,
      'item id',
      'item',
      'rate plan item',
      'from',
      'to',
      'units',
      'unit',
      'rate',
      'amount',
      'currency',
    ],
    rows: each(
      placed.flatMap((rows, index) => rows.map((one) => ({ one, index }))),
      ({ one, index }) => cellsOf(one, index),
    ),
  };
}

function* each<T>(things: Iterable<T>, rowsOf: (thing: T) => Cell[][]): Generator<Cell[]> {
  for (const thing of things) yield* rowsOf(thing);
}

const SPAN = ['period start', 'period end'];

function common(step: Range, period: Range): Range {
  return {
    startMs: Math.max(step.startMs, period.startMs),
    endMs: Math.min(step.endMs, period.endMs),
  };
}

function spanCells({ startMs, endMs }: Range): Cell[] {
  return [rfc3339(startMs), rfc3339(endMs)];
}

/** The unit depends on the metric, which is one of the tags. */
const USAGE_SUM: RowSum<UsageRow> = {
  keyOf: () => '',
  plus: (one, other) => ({
    ...one,
    value: one.value.plus(other.value),
  }),
  partOf: (row) => ({ ...row, projectedValue: undefined }),
};

/** Tags that distinguish rows under any grouping. */
const ALWAYS = ['metric', 'feature', 'locationType', 'performanceClass'];

/** Every row of all orgs, with its exact value in the raw unit. */
export function tableOf(
  question: Question,
  answers: readonly OfOrg<Usage>[],
  unitOf: UnitOfMetric,
): Table {
  const placed = answers.map(({ value }) => fileRows(question, [value], USAGE_SUM));
  // A query for chargeable items adds the tags that they are priced by.
  const added = new Set<string>();
  for (const { row } of placed.flat()) for (const tag of Object.keys(row.tags)) added.add(tag);
  const tags = tagColumns([...question.by, ...ALWAYS, ...added], placed.flat());
  const named = tags.filter((tag) => tag !== 'org');
  function* rows(): Generator<Cell[]> {
    for (const [index, { org }] of answers.entries()) {
      for (const one of placed[index] ?? []) {
        yield [
          rfc3339(one.startMs),
          rfc3339(one.endMs),
          org,
          ...named.map((tag) => tagCell(one, tag)),
          one.row.value,
          unitOf(one.row.tags['metric'] ?? ''),
          one.row.projectedValue,
        ];
      }
    }
  }
  return {
    columns: ['period start', 'period end', 'org', ...named, 'value', 'unit', 'projected value'],
    rows: rows(),
  };
}

/**
 * The steps to add up the rows of a file by; undefined if rows are by steps already. A step that the range cuts is
 * queried in parts (`toConsumptionQuery`), but the answer, the chart and the file have to show the same periods.
 */
function stepsOfFile({ query, range }: Question): readonly Range[] | undefined {
  const { step } = query;
  return step === undefined || isAligned(range, step) ? undefined : stepsOf(range, step);
}

export function fileRows<Row extends Consumption>(
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
