import type { Consumption } from '../platform/consumption/result.ts';
import type { PlacedRow } from './fold.ts';
import type { Range } from './range.ts';

/** How rows of one kind are added up. */
export interface RowSum<Row> {
  /** What, beside its place and its tags, has to be equal of rows that are added, such as the currency. */
  readonly keyOf: (row: Row) => string;
  readonly plus: (one: Row, other: Row) => Row;
  /** A row as a part of a larger step: what is projected of the part says nothing of the step. */
  readonly partOf: (row: Row) => Row;
}

/**
 * The same rows by larger steps: where a range cuts a step, the platform is asked for a finer one
 * (`toConsumptionQuery`), and this adds up what it says. Sums are exact.
 * @param steps in their order; a row of a period that is in none of them stays as it is
 */
export function inSteps<Row extends Consumption>(
  rows: Iterable<PlacedRow<Row>>,
  steps: readonly Range[],
  { keyOf, plus, partOf }: RowSum<Row>,
): PlacedRow<Row>[] {
  const sums = new Map<string, PlacedRow<Row>>();
  for (const placed of rows) {
    const { key, row } = placed;
    const { startMs, endMs } = stepOf(placed, steps);
    const name = JSON.stringify([startMs, textOf(key), textOf(row.tags), keyOf(row)]);
    const known = sums.get(name);
    const part = partOf(row);
    sums.set(name, { startMs, endMs, key, row: known ? plus(known.row, part) : part });
  }
  return [...sums.values()];
}

function stepOf(period: Range, steps: readonly Range[]): Range {
  const { startMs, endMs } = period;
  return steps.find((step) => step.startMs <= startMs && endMs <= step.endMs) ?? period;
}

/** A text that is equal for equal tags, in whatever order they come. */
function textOf(tags: Readonly<Record<string, string>>): string {
  const names = Object.keys(tags).toSorted();
  return JSON.stringify(names.map((name) => [name, tags[name]]));
}
