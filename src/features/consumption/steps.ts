import type { BigNumber } from 'bignumber.js';
import { stackOf } from '../../figures/chart.ts';
import type { Chart } from '../../figures/chart.ts';
import type { Line } from '../../figures/line.ts';
import { describeRange, stepStart, stepsOf } from '../../figures/range.ts';
import type { Range } from '../../figures/range.ts';
import type { TimeStep } from '../../platform/consumption/query.ts';
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
  { query, by, range }: Question,
  found: Found,
  now: number,
): { chart: Chart; leftOut: readonly string[] } | undefined {
  const groups = byMeasure(found.lines);
  const group = mainMeasure(groups);
  if (query.step === undefined || group === undefined) return undefined;
  const spans = stepsOf(range, query.step);
  const drawn = group.lines.filter(({ steps }) => steps.size > 0);
  const measures = groups.map(({ measure }) => measure);
  const of = measures.length > 1 ? `, ${measureName(group.measure, measures)}` : '';
  const chart: Chart = {
    title: `${titleOf(name, by)}${of}, ${describeRange(range)}`,
    steps: spans.map((span) => ({ ...span, running: span.startMs <= now && now < span.endMs })),
    series: stackOf(
      drawn.map((line) => ({
        name: lineName(line),
        values: spans.map(({ startMs }) => line.steps.get(startMs)),
      })),
    ),
    format: (value) => formatValue(value, group.measure),
  };
  const leftOut = groups
    .filter((one) => one !== group)
    .map((one) => measureName(one.measure, measures));
  return { chart, leftOut };
}
