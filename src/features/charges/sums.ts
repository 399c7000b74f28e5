import type { RowSum } from '../../figures/in-steps.ts';
import type {
  ChargeRow,
  ChargeTier,
  DetailedChargeRow,
} from '../../platform/billing/charge-rows.ts';

/** How charges of the same usage are added up (spec 2.7); never those of two currencies. */
export const CHARGE_SUM: RowSum<ChargeRow> = {
  keyOf: ({ currency }) => currency ?? '',
  plus: plusRow,
  partOf: (row) => ({ ...row, projectedTotal: undefined }),
};

/** The same with the pricing tiers, those of equal bounds and rates together. */
export const TIER_SUM: RowSum<DetailedChargeRow> = {
  keyOf: CHARGE_SUM.keyOf,
  plus: (one, other) => ({
    ...plusRow(one, other),
    details: plusTiers([...one.details, ...other.details]),
  }),
  partOf: (row) => row,
};

/** A text that is equal for tiers of the same item, bounds and rate. */
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
