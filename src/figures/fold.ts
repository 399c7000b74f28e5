import { BigNumber } from 'bignumber.js';
import type { ConsumptionResult } from '../platform/consumption/result.ts';
import { measureKey } from './line.ts';
import type { Line, Measure } from './line.ts';
import type { Range } from './range.ts';

/** What a row of the platform means in lines. */
export interface FoldRules<Row> {
  labels(key: Readonly<Record<string, string>>, row: Row): readonly string[];
  measure(row: Row): Measure;
  value(row: Row): BigNumber;
  projected(row: Row): BigNumber | undefined;
}

/**
 * Adds up rows that have the same labels and the same measure, largest first within a measure. What
 * was only in the span before is a line of 0, because without it the change of the whole were wrong.
 * @param before the answers for the span before; undefined when nothing is known of it
 * @param stepOf the start of the step that a period belongs to; undefined: no steps are asked for
 */
export function foldLines<Row>(
  now: readonly ConsumptionResult<Row>[],
  before: readonly ConsumptionResult<Row>[] | undefined,
  rules: FoldRules<Row>,
  stepOf?: (periodStartMs: number) => number,
): Line[] {
  const drafts = new Map<string, Draft>();
  const draftOf = (key: Readonly<Record<string, string>>, row: Row): Draft => {
    const [labels, measure] = [rules.labels(key, row), rules.measure(row)];
    const name = JSON.stringify([measureKey(measure), ...labels]);
    const draft = drafts.get(name) ?? newDraft(labels, measure, before !== undefined);
    drafts.set(name, draft);
    return draft;
  };

  for (const { startMs, key, row } of rowsOf(now)) {
    const draft = draftOf(key, row);
    const value = rules.value(row);
    draft.value = draft.value.plus(value);
    draft.projected = draft.projected.plus(rules.projected(row) ?? value);
    if (stepOf === undefined) continue;
    const step = stepOf(startMs);
    draft.steps.set(step, (draft.steps.get(step) ?? ZERO).plus(value));
  }
  for (const { key, row } of rowsOf(before ?? [])) {
    const draft = draftOf(key, row);
    draft.before = (draft.before ?? ZERO).plus(rules.value(row));
  }
  return [...drafts.values()].sort(compareLines);
}

const ZERO = new BigNumber(0);

type Draft = { -readonly [Field in keyof Line]: Line[Field] } & { steps: Map<number, BigNumber> };

function newDraft(labels: readonly string[], measure: Measure, isBeforeKnown: boolean): Draft {
  const before = isBeforeKnown ? ZERO : undefined;
  return { labels, measure, value: ZERO, projected: ZERO, before, steps: new Map() };
}

/** A row, with the span and the group that it stands in. */
export interface PlacedRow<Row> extends Range {
  readonly key: Readonly<Record<string, string>>;
  readonly row: Row;
}

/** Every row of some answers. */
export function* rowsOf<Row>(
  results: readonly ConsumptionResult<Row>[],
): Generator<PlacedRow<Row>, void> {
  for (const { periods } of results) {
    for (const { startMs, endMs, groups } of periods) {
      for (const { key, rows } of groups) {
        for (const row of rows) yield { startMs, endMs, key, row };
      }
    }
  }
}

/** By measure, largest first, credits by their size, too, and in one order where they are equal. */
function compareLines(a: Line, b: Line): number {
  return (
    compareTexts(measureKey(a.measure), measureKey(b.measure)) ||
    (b.value.abs().comparedTo(a.value.abs()) ?? 0) ||
    compareTexts(a.labels.join('\n'), b.labels.join('\n'))
  );
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
