import { BigNumber } from 'bignumber.js';
import type {
  ChargeTier,
  DetailedChargeRow,
  DetailedResult,
} from '../../platform/billing/charge-rows.ts';
import { BY_ITEM } from '../../reporting/query-words.ts';

/**
 * The charges with each row divided among the chargeable items that priced it: the tiers name the item (spec 2.7). What
 * no tier prices belongs to no item. Pure.
 * @param labelOf the label of an item by its id
 */
export function byItem(
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
