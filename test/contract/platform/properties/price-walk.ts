import { BigNumber } from 'bignumber.js';

import { holds, type Condition } from './conditions.ts';
import { monthsOf, type Span } from './steps.ts';
import { add, addTo, HOUR_MS, spell, ZERO, type Piece, type Tags } from './support.ts';

/** An item of the catalogue: it prices what carries all of its tags (spec 2.6). */
export interface PricedItem {
  readonly id: string;
  readonly name: string;
  readonly consumptionTags: Tags;
}

/** A price per unit between two numbers of units, counted from the first of a month. */
export interface Tier {
  readonly from: BigNumber;
  /** -1 = no end */
  readonly to: BigNumber;
  readonly rate: BigNumber;
}

/** What is charged for, and how it is told apart. */
export interface Selection {
  readonly conditions: readonly Condition[];
  readonly aggregateBy: readonly string[];
  /** Names of items; all that is used, priced or not, when it is left out. */
  readonly chargeableItems?: readonly string[];
}

/** A row as it must be: where an hour is in two tiers, nobody says which of its rows is in which. */
interface Charge {
  readonly item: string | undefined;
  value: BigNumber;
  lowest: BigNumber;
  highest: BigNumber;
}

/** What the hours of a span cost. */
export interface Bill {
  readonly span: Span;
  /** Tags of a row -> the row. */
  readonly rows: Map<string, Charge>;
  /** Item -> exact sum over all of its rows. */
  readonly totals: Map<string, BigNumber>;
  /** `<item> from <units>`, a tier -> the units that were used of it, exactly. */
  readonly units: Map<string, BigNumber>;
}

export interface PriceBook {
  readonly pieces: readonly Piece[];
  readonly items: readonly PricedItem[];
  /** Start of a month -> item -> its tiers, the first one first. */
  readonly prices: ReadonlyMap<number, ReadonlyMap<string, readonly Tier[]>>;
}

/**
 * Prices hour after hour: whatever is selected fills the tiers from the first of each month,
 * whether it is in one of the spans or before them (spec 4.1 rule 3).
 * @param spans in order
 */
export function priceHours(
  { pieces, items, prices }: PriceBook,
  { conditions, aggregateBy, chargeableItems }: Selection,
  spans: readonly Span[],
): Bill[] {
  const names = [...new Set([...aggregateBy, 'feature'])];
  const selected = pieces
    .filter(({ tags }) => holds(conditions, tags))
    .map(({ tags, used }) => ({ used, row: spell(tags, names), item: itemOf(items, tags, names) }))
    .filter(({ item }) => chargeableItems?.includes(item?.name ?? '') ?? true);
  const bills: Bill[] = spans.map((span) => {
    return { span, rows: new Map(), totals: new Map(), units: new Map() };
  });
  const range = { start: spans[0]?.start ?? 0, end: spans.at(-1)?.end ?? 0 };
  for (const month of monthsOf(range)) {
    for (const item of new Set(selected.map((one) => one.item))) {
      const sharers = selected.filter((one) => one.item === item);
      const tiers = (item && prices.get(month.start)?.get(item.id)) ?? [];
      let before = ZERO;
      for (let hour = month.start; hour < Math.min(month.end, range.end); hour += HOUR_MS) {
        const shares = sharers.map(({ row, used }) => ({ row, value: used.get(hour) ?? ZERO }));
        const used = add(shares.map(({ value }) => value));
        const uses = fill(tiers, before, used);
        before = before.plus(used);
        const bill = bills.find(({ span }) => hour >= span.start && hour < span.end);
        if (bill && !used.isZero()) enter(bill, { item: item?.id, shares, uses });
      }
    }
  }
  return bills;
}

/** A row is priced only if it tells apart all of the tags that its item prices on (spec 4.1 rule 1). */
function itemOf(items: readonly PricedItem[], tags: Tags, names: readonly string[]) {
  return items.find(({ consumptionTags }) =>
    Object.entries(consumptionTags).every(
      ([tag, value]) => names.includes(tag) && tags[tag] === value,
    ),
  );
}

/** What comes after `before` units, tier by tier. */
function fill(tiers: readonly Tier[], before: BigNumber, used: BigNumber) {
  const after = before.plus(used);
  return tiers
    .map((tier) => {
      const end = tier.to.eq(-1) ? after : BigNumber.min(tier.to, after);
      return { tier, units: end.minus(BigNumber.max(tier.from, before)) };
    })
    .filter(({ units }) => units.gt(0));
}

/** Adds to a bill what was used of an item in an hour, by the rows that share in it. */
function enter(
  { rows, totals, units }: Bill,
  entry: {
    item: string | undefined;
    shares: readonly { row: string; value: BigNumber }[];
    uses: ReturnType<typeof fill>;
  },
): void {
  const { item, shares, uses } = entry;
  for (const use of uses) {
    addTo(totals, item!, use.units.times(use.tier.rate));
    addTo(units, `${item} from ${use.tier.from.toFixed()}`, use.units);
  }
  const rates = uses.length > 0 ? uses.map(({ tier }) => tier.rate) : [ZERO];
  for (const { row, value } of shares.filter((share) => !share.value.isZero())) {
    const { value: known = ZERO, lowest = ZERO, highest = ZERO } = rows.get(row) ?? {};
    rows.set(row, {
      item,
      value: known.plus(value),
      lowest: lowest.plus(value.times(BigNumber.min(...rates))),
      highest: highest.plus(value.times(BigNumber.max(...rates))),
    });
  }
}
