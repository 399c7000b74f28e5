import { rfc3339 } from '../../figures/consumption-query.ts';
import type { Cell } from '../../figures/csv.ts';
import type { PlacedRow } from '../../figures/fold.ts';
import type { UnitOfMetric } from '../../figures/quantity.ts';
import type { Range } from '../../figures/range.ts';
import type { BillingPeriodCharges, ChargeRow } from '../../platform/billing/charge-rows.ts';
import type { Found, Question } from '../consumption/source.ts';
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
): Found['table'] {
  const named = tagColumns(tags, placed);
  const rows = placed.map((one): Cell[] => {
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
  });
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
    rows,
  };
}

/** A row for each pricing tier of a billing period and step. */
export function tierTable(
  question: Question,
  billingPeriods: readonly BillingPeriodCharges[],
  tags: readonly string[],
  { nameOf, unitOf }: ItemWords,
): Found['table'] {
  const placed = billingPeriods.map(({ results }) => fileRows(question, results, TIER_SUM));
  const named = tagColumns(tags, placed.flat());
  const starts = [...new Set(billingPeriods.map((period) => spanOf(period).startMs))].toSorted(
    (a, b) => a - b,
  );
  const rows = billingPeriods.flatMap((period, index) =>
    (placed[index] ?? []).flatMap((one) =>
      one.row.details.map((tier): Cell[] => [
        String(starts.indexOf(spanOf(period).startMs) + 1),
        period.ratePlan,
        ...spanCells(common(one, spanOf(period))),
        ...named.map((tag) => tagCell(one, tag)),
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
      ]),
    ),
  );
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
    rows,
  };
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
