import type { ChargeableItem, Tier } from './books.ts';
import { factorOf, type PlanId, type Price } from './catalogue.ts';

/** An item as a rate plan prices it. */
export interface PlanItem {
  readonly id: string;
  readonly plan: PlanId;
  readonly item: ChargeableItem;
  readonly factor: bigint;
  /** From the first unit of a month on. */
  readonly tiers: readonly Tier[];
  /** Where the tiers end, in counts of the metric. */
  readonly bounds: readonly number[];
}

/** Which prices hold in which month. */
export interface Plans {
  /** @param monthStart ms since the epoch */
  planOf(monthStart: number): PlanId;
  priceOf(item: ChargeableItem, monthStart: number): PlanItem;
}

/** @param changedAt start of the first month under the newer plan, ms since the epoch */
export function createPlans(prices: readonly Price[], changedAt: number): Plans {
  const itemsOf = (plan: PlanId) =>
    new Map(prices.map((price) => [price.item, planItem(plan, price)]));
  const plans = {
    'standard-2025': itemsOf('standard-2025'),
    'standard-2026': itemsOf('standard-2026'),
  };
  const planOf = (monthStart: number): PlanId =>
    monthStart < changedAt ? 'standard-2025' : 'standard-2026';

  return {
    planOf,
    priceOf(item, monthStart) {
      const priced = plans[planOf(monthStart)].get(item);
      if (priced === undefined) throw new Error(`${item.name} is not in the catalogue`);
      return priced;
    },
  };
}

function planItem(plan: PlanId, price: Price): PlanItem {
  const { item, bounds, rates } = price;
  const factor = factorOf(price);
  const ends = bounds.map((bound) => BigInt(bound) * factor);
  const tiers = rates[plan].map((rate, index) => ({
    from: ends[index - 1] ?? 0n,
    to: ends[index],
    rate,
  }));
  return { id: `${plan}/${item.name}`, plan, item, factor, tiers, bounds };
}
