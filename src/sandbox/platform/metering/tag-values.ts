import { readRange, type TagValuesBody } from './body.ts';
import { hashText } from './curve.ts';
import { createFilter } from './filter.ts';
import type { Reading } from './history.ts';
import { tagOf, type Series } from './series.ts';
import { addMonths, ceilTo, hourFrom, monthOf } from './time.ts';

/**
 * The different values of a tag, sorted; '' among them when some matching usage lacks the tag. Read
 * from monthly usage: whole UTC months, through the one that begins at or after `endTime` (spec 4.6).
 * Throws a SandboxError for an invalid body.
 */
export function findTagValues(
  body: TagValuesBody,
  { census, reading }: { census: readonly Series[]; reading: Reading },
): string[] {
  const { start, end } = readRange(body);
  const passes = createFilter(body.filterBy ?? {});
  const from = hourFrom(monthOf(start));
  const to = hourFrom(addMonths(ceilTo(end, 'month'), 1));
  const used = census.filter(({ tags, curve }) => passes(tags) && reading.sum(curve, from, to) > 0);
  return [...new Set(used.map(({ tags }) => String(tagOf(tags, body.tag))))].sort();
}

/** The same values in an order that means nothing, for an API that promises none. */
export function shuffle(values: readonly string[]): string[] {
  return [...values].sort((left, right) => hashText(left) - hashText(right));
}
