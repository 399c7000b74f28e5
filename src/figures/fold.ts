import type { BigNumber } from 'bignumber.js';
import type { ConsumptionResult } from '../platform/consumption/result.ts';
import type { Line, Measure } from './line.ts';

/** What a row of the platform means in lines. */
export interface FoldRules<Row> {
  labels(key: Readonly<Record<string, string>>, row: Row): readonly string[];
  measure(row: Row): Measure;
  value(row: Row): BigNumber;
  projected(row: Row): BigNumber | undefined;
}

/**
 * Adds up rows that have the same labels and the same measure, largest first within a measure.
 * @param before the answers for the span before; undefined when nothing is known of it
 * @param stepOf the start of the step that a period belongs to; undefined: no steps are asked for
 */
export function foldLines<Row>(
  _now: readonly ConsumptionResult<Row>[],
  _before: readonly ConsumptionResult<Row>[] | undefined,
  _rules: FoldRules<Row>,
  _stepOf?: (periodStartMs: number) => number,
): Line[] {
  throw new Error('not there yet');
}
