import type { KnownBlock } from '@slack/types';
import { BigNumber } from 'bignumber.js';
import {
  barsOfLines,
  byMeasure,
  mainMeasure,
  type Line,
  type Measure,
  type MeasureLines,
} from '../../reporting/amounts.ts';
import { chartPoints, valuesAt } from '../../reporting/chart.ts';
import { formatInUnit, unitSize } from '../../reporting/quantity.ts';
import { describeRange } from '../../reporting/range.ts';
import { section } from '../../slack/kit/blocks.ts';
import { chart } from '../../slack/kit/charts.ts';
import { mrkdwn } from '../../slack/kit/text.ts';
import type { Found, Question } from './source.ts';
import { formatValue, lineName, measureName } from './words.ts';

/** Fewer points are no line. */
const FEWEST_POINTS = 3;

/**
 * The course of an answer with steps: a chart of the measure with the most lines, and the highest step. A long range has
 * longer points than its steps; the file has every step. Pure.
 */
export function courseBlocks(question: Question, found: Found): KnownBlock[] {
  const { query, range, nowMs, by } = question;
  const groups = byMeasure(found.lines);
  const group = mainMeasure(groups);
  if (query.step === undefined || group === undefined) return [];
  const { points, per } = chartPoints(range, query.step, nowMs);
  const drawn = group.lines
    .map((line) => ({ line, values: valuesAt(points, line.steps) }))
    .filter(({ values }) => values.some((value) => value !== undefined && !value.isZero()));
  if (drawn.length === 0) return [];
  const { size, unit } = unitOf(
    group.measure,
    drawn.flatMap(({ values }) => values),
  );
  const measures = groups.map(({ measure }) => measure);
  const isPlain = measures.length === 1 && group.measure.kind === 'money';
  const what = isPlain ? 'Charges' : measureName(group.measure, measures);
  const isLine = drawn.length > 1 && points.length >= FEWEST_POINTS;
  return [
    chart({
      title: `${what} per ${per} by ${by.join(', ')}`,
      type: isLine ? 'line' : 'bar',
      points: points.map(({ name }) => name),
      series: drawn.map(({ line, values }) => ({
        name: seriesName(line, found.columns),
        values: values.map((value) => value?.div(size).dp(DIGITS).toNumber() ?? 0),
      })),
      unit,
    }),
    ...highestLine(question, group, measures),
  ];
}

const DIGITS = 4;

/** Omits what the title already names. */
function seriesName({ labels, measure }: Line, columns: readonly string[]): string {
  const isOfTitle = (tag: string) =>
    measure.kind === 'quantity' && ['metric', 'feature'].includes(tag);
  const kept = columns.flatMap((tag, at) => (isOfTitle(tag) ? [] : [{ tag, at }]));
  if (kept.length === 0) return lineName({ labels }, columns);
  return lineName(
    { labels: kept.map(({ at }) => labels[at] ?? '') },
    kept.map(({ tag }) => tag),
  );
}

/** Of a chart: the unit of its largest value, and how many raw ones that is. */
function unitOf(measure: Measure, values: readonly (BigNumber | undefined)[]) {
  if (measure.kind === 'money') return { size: 1, unit: measure.currency };
  const largest = BigNumber.max(0, ...values.map((value) => value ?? 0));
  const size = unitSize(largest, measure.unit);
  const [, unit] = /^2 (.+)$/.exec(formatInUnit(size.times(2), measure.unit, largest)) ?? [];
  return { size, unit };
}

/** "Highest day: *$40.00*, 2 October 2026", for the steps that were asked for. */
function highestLine(
  { query, range }: Question,
  { lines, measure }: MeasureLines,
  measures: readonly Measure[],
): KnownBlock[] {
  const bars = query.step === undefined ? [] : barsOfLines(lines, range, query.step);
  const [highest] = bars
    .flatMap(({ value, ...span }) => (value === undefined ? [] : [{ value, span }]))
    .toSorted((a, b) => b.value.comparedTo(a.value) ?? 0);
  if (highest === undefined) return [];
  const of = measures.length === 1 ? '' : ` of ${measureName(measure, measures)}`;
  const { value, span } = highest;
  return [
    section(
      mrkdwn`Highest ${query.step ?? ''}${of}: *${formatValue(value, measure)}*, ${describeRange(span)}`,
    ),
  ];
}
