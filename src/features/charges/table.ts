import { rfc3339 } from '../../figures/consumption-query.ts';
import type { Cell } from '../../figures/csv.ts';
import type { PlacedRow } from '../../figures/fold.ts';
import { rawUnitOf } from '../../figures/quantity.ts';
import type { Range } from '../../figures/range.ts';
import type { ChargeRow, DetailedCharges } from '../../platform/billing/charge-rows.ts';
import type { Found, Question } from '../consumption/source.ts';
import { fileRows } from '../consumption/steps.ts';
import { TIER_SUM } from './sums.ts';
import { spanOf } from './tiers.ts';

type Tags = Readonly<Record<string, string>>;

/** Rows of an answer (spec 2.7), with their exact figures. `tags`: those that rows are told apart by. */
export function chargeTable(
  placed: readonly PlacedRow<ChargeRow>[],
  tags: readonly string[],
): Found['table'] {
  const rows = placed.map(({ startMs, endMs, key, row }): Cell[] => [
    ...spanCells({ startMs, endMs }),
    ...tagCells(tags, key, row),
    row.value,
    rawUnitOf(row.tags['metric'] ?? ''),
    row.total,
    row.projectedTotal,
    row.currency,
    row.ratePlans.join(' '),
  ]);
  return {
    columns: [
      ...SPAN,
      ...tags,
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

/** A row for each pricing tier of a billing period and step. `nameOf`: an item's name by its id. */
export function tierTable(
  question: Question,
  { billingPeriods }: DetailedCharges,
  tags: readonly string[],
  nameOf: (itemId: string) => string | undefined,
): Found['table'] {
  const rows = billingPeriods.flatMap((period, index) =>
    fileRows(question, period.results, TIER_SUM).flatMap(({ startMs, endMs, key, row }) =>
      row.details.map((tier): Cell[] => [
        String(index + 1),
        period.ratePlan,
        ...spanCells(common({ startMs, endMs }, spanOf(period))),
        ...tagCells(tags, key, row),
        tier.chargeableItemId,
        nameOf(tier.chargeableItemId),
        tier.ratePlanItem,
        tier.from,
        tier.to,
        tier.units,
        rawUnitOf(row.tags['metric'] ?? ''),
        tier.rate,
        tier.amount,
        row.currency,
      ]),
    ),
  );
  return {
    columns: [
      'billing period',
      'rate plan',
      ...SPAN,
      ...tags,
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

function tagCells(tags: readonly string[], key: Tags, row: ChargeRow): Cell[] {
  return tags.map((tag) => row.tags[tag] ?? key[tag] ?? '');
}
