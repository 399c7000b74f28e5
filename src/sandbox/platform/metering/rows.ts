import type { ChargeableItem } from './books.ts';
import type { Query } from './query.ts';
import { tagOf, type Series, type Tags } from './series.ts';

/** The source of one row of each period: the series that share its tags. */
export interface Row {
  readonly group: Tags;
  readonly tags: Tags;
  readonly members: readonly Member[];
  /** The item that prices it: only if its tags include all that the item prices on (spec 4.1, rule 1). */
  readonly item: ChargeableItem | undefined;
}

/** A series as a part of a row; the same series can be selected by several queries. */
export interface Member {
  readonly series: Series;
  /** Its place in the order in which tiers fill. */
  readonly rank: number;
}

/** The rules for grouping usage into rows. */
export type Arrangement = Pick<Query, 'groupBy' | 'selections'>;

/** The rows of a query, those of a group next to each other. */
export function arrangeRows(query: Arrangement, census: readonly Series[]): Row[] {
  const count = query.selections.length;
  const rows = query.selections.flatMap(({ keys, selects }, index) => {
    const members = new Map<string, Member[]>();
    for (const series of census) {
      if (!selects(series)) continue;
      const key = JSON.stringify(keys.map((tag) => tagOf(series.tags, tag)));
      const row = members.get(key) ?? [];
      members.set(key, row);
      row.push({ series, rank: series.place * count + index });
    }
    return [...members].map(([key, row]) => toRow(query.groupBy, keys, { key, row }));
  });
  return rows.sort((left, right) => (left.sortKey < right.sortKey ? -1 : 1)).map(({ row }) => row);
}

function toRow(
  groupBy: readonly string[],
  keys: readonly string[],
  { key, row }: { key: string; row: readonly Member[] },
): { sortKey: string; row: Row } {
  const tags = pick(row[0]?.series.tags ?? {}, keys);
  const group = pick(tags, groupBy);
  const item = row[0]?.series.item;
  const needed = Object.keys(item?.consumptionTags ?? {});
  const isPriced = needed.every((tag) => keys.includes(tag));
  return {
    sortKey: `${JSON.stringify(group)}${key}`,
    row: { group, tags, members: row, item: isPriced ? item : undefined },
  };
}

function pick(tags: Tags, keys: readonly string[]): Tags {
  return Object.fromEntries(keys.map((key) => [key, tagOf(tags, key)]));
}
