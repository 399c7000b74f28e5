import { rowsOf } from '../../figures/fold.ts';
import { rfc3339 } from '../../figures/consumption-query.ts';
import type { Cell } from '../../figures/csv.ts';
import { rawUnitOf } from '../../figures/quantity.ts';
import type { Charges, ChargeRow, DetailedCharges } from '../../platform/billing/charge-rows.ts';
import type { Found } from '../consumption/source.ts';

type Tags = Readonly<Record<string, string>>;

/** Every row of an answer (spec 2.7), with its exact figures. `tags`: those that rows are told apart by. */
export function chargeTable(charges: Charges, tags: readonly string[]): Found['table'] {
  const rows = [...rowsOf([charges])].map(({ startMs, endMs, key, row }): Cell[] => [
    ...spanCells(startMs, endMs),
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

/** A row for each pricing tier. `nameOf`: an item's name by its id. */
export function tierTable(
  { billingPeriods }: DetailedCharges,
  tags: readonly string[],
  nameOf: (itemId: string) => string | undefined,
): Found['table'] {
  const rows = billingPeriods.flatMap(({ ratePlan, results }, index) =>
    [...rowsOf(results)].flatMap(({ startMs, endMs, key, row }) =>
      row.details.map((tier): Cell[] => [
        String(index + 1),
        ratePlan,
        ...spanCells(startMs, endMs),
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

function spanCells(startMs: number, endMs: number): Cell[] {
  return [rfc3339(startMs), rfc3339(endMs)];
}

function tagCells(tags: readonly string[], key: Tags, row: ChargeRow): Cell[] {
  return tags.map((tag) => row.tags[tag] ?? key[tag] ?? '');
}
