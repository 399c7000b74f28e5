import { rfc3339 } from '../../figures/consumption-query.ts';
import type { Cell } from '../../figures/csv.ts';
import type { PlacedRow } from '../../figures/fold.ts';
import type { UnitOfMetric } from '../../figures/quantity.ts';
import type { Range } from '../../figures/range.ts';
import type {
  BillingPeriodCharges,
  ChargeRow,
  DetailedChargeRow,
} from '../../platform/billing/charge-rows.ts';
import type { Question, Table } from '../consumption/source.ts';
import { fileRows } from '../consumption/steps.ts';
import { tagCell, tagColumns } from '../consumption/tag-columns.ts';
import { TIER_SUM } from './sums.ts';
import { spanOf } from './tiers.ts';
import type { ItemWords } from './tiers.ts';

/** Rows of an answer (spec 2.7), with their exact figures. `tags`: those that rows are told apart by. */
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

/** The rows of a file, each when it is written. */
function* each<T>(things: Iterable<T>, rowsOf: (thing: T) => Cell[][]): Generator<Cell[]> {
  for (const thing of things) yield* rowsOf(thing);
}

const SPAN = ['period start', 'period end'];

/** What of a step lies in its billing period. */
function common(step: Range, period: Range): Range {
  return {
    startMs: Math.max(step.startMs, period.startMs),
    endMs: Math.min(step.endMs, period.endMs),
  };
}

function spanCells({ startMs, endMs }: Range): Cell[] {
  return [rfc3339(startMs), rfc3339(endMs)];
}
