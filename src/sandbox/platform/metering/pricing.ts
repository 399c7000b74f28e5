import type { ChargeableItem, Tier } from './books.ts';
import type { Reading } from './history.ts';
import type { PlanItem, Plans } from './plans.ts';
import type { Member, Row } from './rows.ts';
import { findCuts, splitByTiers, type Cut } from './tiers.ts';
import { addMonths, hourFrom, monthOf } from './time.ts';

/** The usage of a row within one tier. */
export interface TierUse {
  readonly priced: PlanItem;
  readonly tier: Tier;
  /** Thousandths of the metric's unit. */
  readonly units: bigint;
  /** 10^-18 of the currency's whole unit. */
  readonly amount: bigint;
}

/** The price of rows, tiered over all of them from the first of each UTC month (spec 4.1, rule 3). */
export interface Pricing {
  /** Empty for a row that nothing prices. Times are ms since the epoch. */
  priceRow(row: Row, start: number, end: number): TierUse[];
}

export function createPricing(deps: {
  rows: readonly Row[];
  reading: Reading;
  plans: Plans;
}): Pricing {
  const { rows, reading, plans } = deps;
  const members = new Map<ChargeableItem, Member[]>();
  for (const { item, members: own } of rows) {
    if (item !== undefined) members.set(item, [...(members.get(item) ?? []), ...own]);
  }
  for (const list of members.values()) list.sort((left, right) => left.rank - right.rank);

  const known = new Map<PlanItem, Map<number, (Cut | undefined)[]>>();
  const cutsOf = (priced: PlanItem, month: number) => {
    const months = known.get(priced) ?? new Map<number, (Cut | undefined)[]>();
    known.set(priced, months);
    const cuts =
      months.get(month) ??
      findCuts(members.get(priced.item) ?? [], priced.bounds, { ...hoursOf(month), reading });
    months.set(month, cuts);
    return cuts;
  };

  return {
    priceRow(row, start, end) {
      const { item } = row;
      if (item === undefined) return [];
      const uses: TierUse[] = [];
      for (let month = monthOf(start); month < end; month = addMonths(month, 1)) {
        const priced = plans.priceOf(item, month);
        const span = { ...hoursOf(month, { start, end }), reading };
        const counts = splitByTiers(row.members, cutsOf(priced, month), span);
        priced.tiers.forEach((tier, index) => {
          const units = BigInt(counts[index] ?? 0) * priced.factor;
          if (units > 0n) uses.push({ priced, tier, units, amount: units * tier.rate });
        });
      }
      return uses;
    },
  };
}

/** The hours of a month, or those of them that begin between two times. */
function hoursOf(month: number, { start = -Infinity, end = Infinity } = {}) {
  return {
    from: hourFrom(Math.max(month, start)),
    to: hourFrom(Math.min(addMonths(month, 1), end)),
  };
}
