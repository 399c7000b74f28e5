import { BigNumber } from 'bignumber.js';
import { stackOf } from '../../figures/chart.ts';
import type { Chart } from '../../figures/chart.ts';
import { rowsOf } from '../../figures/fold.ts';
import type { PlacedRow } from '../../figures/fold.ts';
import { inSteps } from '../../figures/in-steps.ts';
import type { RowSum } from '../../figures/in-steps.ts';
import type { Line, Measure } from '../../figures/line.ts';
import { unitSize } from '../../figures/quantity.ts';
import { describeRange, isAligned, stepStart, stepsOf } from '../../figures/range.ts';
import type { Range } from '../../figures/range.ts';
import type { TimeStep } from '../../platform/consumption/query.ts';
import type { Consumption, ConsumptionResult } from '../../platform/consumption/result.ts';
import { byMeasure, mainMeasure } from './pages.ts';
import type { Found, Question, Source } from './source.ts';
import { formatValue, lineName, measureName, titleOf } from './words.ts';

/** One step, and what all lines have in it; undefined without usage. */
export interface Bar extends Range {
  readonly value: BigNumber | undefined;
}

/** The start of the step that a period of the answer belongs to; what lies before the range is cut off. */
export function stepOfPeriod({ query, range }: Question): ((ms: number) => number) | undefined {
  const { step } = query;
  if (step === undefined) return undefined;
  return (ms) => Math.max(range.startMs, stepStart(ms, step));
}

/**
 * The steps that the rows of a file are added up to; undefined where they come so already. A step that
 * the range cuts is asked for in parts (`toConsumptionQuery`), and what is shown, drawn and sent as a
 * file has to be of the same periods.
 */
function stepsOfFile({ query, range }: Question): readonly Range[] | undefined {
  const { step } = query;
  return step === undefined || isAligned(range, step) ? undefined : stepsOf(range, step);
}

/** The rows of some answers by the steps that were asked for, for a file. */
export function fileRows<Row extends Consumption>(
  question: Question,
  results: readonly ConsumptionResult<Row>[],
  sum: RowSum<Row>,
): readonly PlacedRow<Row>[] {
  const steps = stepsOfFile(question);
  return steps ? inSteps(rowsOf(results), steps, sum) : [...rowsOf(results)];
}

/** The same question without steps, for what is compared as a whole: fewer rows to read. */
export function inWhole(question: Question): Question {
  return { ...question, query: { ...question.query, step: undefined } };
}

export function barsOfLines(lines: readonly Line[], range: Range, step: TimeStep): Bar[] {
  const sums = new Map<number, BigNumber>();
  for (const line of lines) {
    for (const [start, value] of line.steps) {
      sums.set(start, sums.get(start)?.plus(value) ?? value);
    }
  }
  return stepsOf(range, step).map((span) => ({ ...span, value: sums.get(span.startMs) }));
}

/** The picture of an answer with steps, of its main measure alone; undefined where there is nothing to show. */
export function chartOf(
  name: Source['name'],
  { query, by, range, nowMs }: Question,
  found: Found,
): { chart: Chart; leftOut: readonly string[] } | undefined {
  const groups = byMeasure(found.lines);
  const group = mainMeasure(groups);
  if (query.step === undefined || group === undefined) return undefined;
  const { measure } = group;
  const isCredited = group.lines.some(({ steps }) => [...steps.values()].some((one) => one.lt(0)));
  const drawn = group.lines.map(withoutCredits).filter(({ steps }) => steps.size > 0);
  if (drawn.length === 0) return undefined;
  const bars = barsOfLines(drawn, range, query.step);
  const measures = groups.map(({ measure }) => measure);
  const isNamed = measures.length > 1 || measure.kind === 'quantity';
  const of = isNamed ? `, ${measureName(measure, measures)}` : '';
  const chart: Chart = {
    title: `${titleOf(name, by)}${of}, ${describeRange(range)}`,
    steps: bars.map(({ startMs, endMs }) => {
      return { startMs, endMs, running: startMs <= nowMs && nowMs < endMs };
    }),
    series: stackOf(
      drawn.map((line) => ({
        name: seriesName(line, found.columns),
        values: bars.map(({ startMs }) => line.steps.get(startMs)),
      })),
    ),
    format: (value, like) => formatValue(value, measure, like),
    unit: unitOf(measure, bars),
  };
  const leftOut = groups
    .filter((one) => one !== group)
    .map((one) => measureName(one.measure, measures));
  return { chart, leftOut: isCredited ? [...leftOut, 'what is below 0'] : leftOut };
}

/** Bars stand on one another, which those below 0 cannot. */
function withoutCredits(line: Line): Line {
  return { ...line, steps: new Map([...line.steps].filter(([, value]) => value.gte(0))) };
}

/** A line of the one measure that is drawn: what is told of it in the title needs no repeating. */
function seriesName(line: Line, columns: readonly string[]): string {
  if (line.measure.kind === 'money') return lineName(line);
  const labels = line.labels.filter((_, at) => !['metric', 'feature'].includes(columns[at] ?? ''));
  return lineName({ labels: labels.length === 0 ? line.labels : labels });
}

/** What the axis is round in: what the largest bar is told in. */
function unitOf(measure: Measure, bars: readonly Bar[]): BigNumber | undefined {
  if (measure.kind === 'money') return undefined;
  return unitSize(BigNumber.max(0, ...bars.map(({ value }) => value ?? 0)), measure.unit);
}
