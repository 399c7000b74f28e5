import { ALWAYS_APART } from '../../figures/consumption-query.ts';
import type { PlacedRow } from '../../figures/fold.ts';
import type { Consumption } from '../../platform/consumption/result.ts';

type Tags = Readonly<Record<string, string>>;

/** The value of a tag; `constructor` and `__proto__` are names like any other. */
export function tagIn(tags: Tags, tag: string): string | undefined {
  return Object.hasOwn(tags, tag) ? tags[tag] : undefined;
}

/** What a file says of a row: what the row itself says, else what its group says. */
export function tagCell({ key, row }: PlacedRow<Consumption>, tag: string): string | undefined {
  return tagIn(row.tags, tag) ?? tagIn(key, tag);
}

/**
 * The tags that are columns of a file: those that are grouped by or always told apart, and of the others
 * those that have a value in some row. A catalogue may price on thousands, and most usage has none of them.
 */
export function tagColumns(
  tags: Iterable<string>,
  rows: Iterable<PlacedRow<Consumption>>,
): readonly string[] {
  const told = new Set(ALWAYS_APART);
  for (const { key, row } of rows) {
    for (const tag of Object.keys(key)) told.add(tag);
    for (const [tag, value] of Object.entries(row.tags)) if (value !== '') told.add(tag);
  }
  return [...new Set(tags)].filter((tag) => told.has(tag));
}
