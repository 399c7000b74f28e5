import { BigNumber } from 'bignumber.js';

import { holds } from './conditions.ts';
import type { Condition } from './conditions.ts';
import { monthsOf } from './steps.ts';
import type { Span } from './steps.ts';
import { add, addTo, HOUR_MS, spell, ZERO } from './support.ts';
import type { Piece, Tags } from './support.ts';

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

/** A piece as a part of the row that it is in. */
interface Share {
  readonly row: string;
  readonly used: Piece['used'];
}

/** What was used of a tier. */
interface Use {
  readonly tier: Tier;
  readonly units: BigNumber;
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
export function priceHours(book: PriceBook, selection: Selection, spans: readonly Span[]): Bill[] {
  const shares = sharesOf(book, selection);
  const bills: Bill[] = spans.map((span) => {
    return { span, rows: new Map(), totals: new Map(), units: new Map() };
  });
  const range = { start: spans[0]?.start ?? 0, end: spans.at(-1)?.end ?? 0 };
  for (const month of monthsOf(range)) {
    const tiers = book.prices.get(month.start);
    const before = new Map<string, BigNumber>();
    for (let hour = month.start; hour < Math.min(month.end, range.end); hour += HOUR_MS) {
      const bill = bills.find(({ span }) => hour >= span.start && hour < span.end);
      for (const [item, sharers] of shares) {
        const used = add(sharers.map((share) => share.used.get(hour) ?? ZERO));
        if (used.isZero()) continue;
        const uses =
          item === undefined ? [] : fill(tiers?.get(item) ?? [], before.get(item) ?? ZERO, used);
        if (item !== undefined) addTo(before, item, used);
        if (bill) enter(bill, { item, sharers, uses, hour });
      }
    }
  }
  return bills;
}

/** Item, or none -> what it prices. */
function sharesOf({ pieces, items }: PriceBook, selection: Selection) {
  const { conditions, aggregateBy, chargeableItems } = selection;
  const names = [...new Set([...aggregateBy, 'feature'])];
  const shares = new Map<string | undefined, Share[]>();
  for (const { tags, used } of pieces.filter(({ tags }) => holds(conditions, tags))) {
    const item = itemOf(items, tags, names);
    if (chargeableItems && !chargeableItems.includes(item?.name ?? '')) continue;
    const sharers = shares.get(item?.id) ?? [];
    shares.set(item?.id, sharers);
    sharers.push({ row: spell(tags, names), used });
  }
  return shares;
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
function fill(tiers: readonly Tier[], before: BigNumber, used: BigNumber): Use[] {
  const after = before.plus(used);
  return tiers
    .map((tier) => {
      const end = tier.to.eq(-1) ? after : BigNumber.min(tier.to, after);
      return { tier, units: end.minus(BigNumber.max(tier.from, before)) };
    })
    .filter(({ units }) => units.gt(0));
}

/** Adds to a bill what was used of an item in an hour. */
function enter(
  { rows, totals, units }: Bill,
  entry: {
    item: string | undefined;
    sharers: readonly Share[];
    uses: readonly Use[];
    hour: number;
  },
): void {
  const { item, sharers, uses, hour } = entry;
  for (const use of uses) {
    addTo(totals, item!, use.units.times(use.tier.rate));
    addTo(units, `${item} from ${use.tier.from.toFixed()}`, use.units);
  }
  const rates = uses.length > 0 ? uses.map(({ tier }) => tier.rate) : [ZERO];
  for (const { row, used } of sharers) {
    const value = used.get(hour);
    if (value === undefined) continue;
    const { value: known = ZERO, lowest = ZERO, highest = ZERO } = rows.get(row) ?? {};
    rows.set(row, {
      item,
      value: known.plus(value),
      lowest: lowest.plus(value.times(BigNumber.min(...rates))),
      highest: highest.plus(value.times(BigNumber.max(...rates))),
    });
  }
}
