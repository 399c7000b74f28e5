import { BigNumber } from 'bignumber.js';
import { DAY_MS, HOUR_MS } from '../lib/time.ts';
import { plural, stripControl, truncate } from '../lib/text.ts';
import type { TimeStep } from '../platform/consumption/query.ts';
import type { Range } from './range.ts';

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** The outer steps may be cut off, so the longest one decides. */
export function stepKind(steps: readonly Range[]): TimeStep {
  const longest = Math.max(0, ...steps.map(({ startMs, endMs }) => endMs - startMs));
  if (longest <= HOUR_MS) return 'hour';
  if (longest <= DAY_MS) return 'day';
  return longest <= 7 * DAY_MS ? 'week' : 'month';
}

/** "14:00", "1 Nov", "Nov 2026". A day's first hour shows the day. */
function shortStepName(startMs: number, kind: TimeStep): string {
  const { hour, day, month, year } = partsOf(startMs);
  if (kind === 'month') return `${month} ${year}`;
  return kind === 'hour' && hour !== '00:00' ? hour : `${day} ${month}`;
}

/** UTC: "1 Nov 2026, 14:00", "1 Nov 2026", "week of 2 Nov 2026", "Nov 2026". */
export function longStepName(startMs: number, kind: TimeStep): string {
  const { hour, day, month, year } = partsOf(startMs);
  if (kind === 'month') return `${month} ${year}`;
  const date = `${day} ${month} ${year}`;
  if (kind === 'hour') return `${date}, ${hour}`;
  return kind === 'week' ? `week of ${date}` : date;
}

function partsOf(ms: number) {
  const date = new Date(ms);
  return {
    hour: date.toISOString().slice(11, 16),
    day: date.getUTCDate(),
    month: MONTHS[date.getUTCMonth()] ?? '',
    year: date.getUTCFullYear(),
  };
}

const STRIDES: Record<TimeStep, readonly number[]> = {
  hour: [1, 2, 3, 6, 12, 24, 48, 96, 168, 336],
  day: [1, 2, 5, 10, 15, 30, 60, 90, 180, 365],
  week: [1, 2, 4, 8, 13, 26, 52],
  month: [1, 2, 3, 4, 6, 12, 24, 60, 120],
};

/**
 * Labels of the bars, at most `most`; undefined for a bar without one. Hour labels are at hours
 * that divide the day, so that the first hour, which shows the day, has one.
 */
export function stepLabels(steps: readonly Range[], most: number): (string | undefined)[] {
  const kind = stepKind(steps);
  const fits = (stride: number) => Math.ceil(steps.length / stride) <= most;
  const stride = STRIDES[kind].find(fits) ?? Math.ceil(steps.length / most);
  const hours = (steps[0]?.startMs ?? 0) / HOUR_MS;
  const shift = kind === 'hour' ? Math.floor(hours % Math.min(stride, 24)) : 0;
  const first = shift === 0 ? 0 : Math.min(stride, 24) - shift;
  return steps.map(({ startMs }, index) =>
    index >= first && (index - first) % stride === 0 ? shortStepName(startMs, kind) : undefined,
  );
}

export interface Chart {
  readonly title: string;
  /** Every step of the range in order, including those without usage. */
  readonly steps: readonly ChartStep[];
  /** Largest first; the last may be "n others". */
  readonly series: readonly ChartSeries[];
  /** A value of the axis or of a bar; `like` is a value whose unit is used. */
  readonly format: (value: BigNumber, like?: BigNumber) => string;
  /** Raw units per displayed unit of the largest bar, such as 3,600 core-seconds; undefined: 1. */
  readonly unit?: BigNumber | undefined;
}

interface ChartStep extends Range {
  readonly running: boolean;
}

export interface ChartSeries {
  readonly name: string;
  /** By step; undefined is "no data", not zero. */
  readonly values: readonly (BigNumber | undefined)[];
}

type Values = ChartSeries['values'];

/**
 * The largest `max` lines; the rest is summed as "n others". A single further line is shown itself:
 * "1 other" would take the same room.
 * @param lines largest first
 */
export function stackOf(lines: readonly ChartSeries[], max = 7): ChartSeries[] {
  if (lines.length <= max + 1) return [...lines];

  const others = lines.slice(max);
  const name = plural(others.length, 'other');
  return [...lines.slice(0, max), { name, values: sumByStep(others) }];
}

/** Undefined only where all values are. */
function sumByStep(lines: readonly ChartSeries[]): (BigNumber | undefined)[] {
  const length = Math.max(0, ...lines.map(({ values }) => values.length));
  return Array.from({ length }, (_, step) => sum(lines.map(({ values }) => values[step])));
}

function sum(values: Values): BigNumber | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : BigNumber.sum(...known);
}

/** Undefined: no usage. */
export function barsOf({ steps, series }: Chart): (BigNumber | undefined)[] {
  return steps.map((_, step) => sum(series.map(({ values }) => values[step])));
}

export function totalOf({ values }: ChartSeries): BigNumber {
  return sum(values) ?? new BigNumber(0);
}

/** Indexes of steps, both inclusive. */
interface Run {
  readonly from: number;
  readonly to: number;
}

/** Steps that have not begun are no gap. */
export function gapsOf(chart: Chart): Run[] {
  const begun = begunSteps(chart.steps);
  const runs: { from: number; to: number }[] = [];
  for (const [step, bar] of barsOf(chart).slice(0, begun).entries()) {
    const last = runs.at(-1);
    if (bar) continue;
    if (last?.to === step - 1) last.to = step;
    else runs.push({ from: step, to: step });
  }
  return runs;
}

function begunSteps(steps: readonly ChartStep[]): number {
  const running = steps.findLastIndex((step) => step.running);
  return running === -1 ? steps.length : running + 1;
}

export function withPlainText(chart: Chart): Chart {
  return {
    ...chart,
    title: inOneLine(chart.title, 200),
    series: chart.series.map((one) => ({ ...one, name: inOneLine(one.name, 80) || '(none)' })),
    format: (value, like) => inOneLine(chart.format(value, like), 80),
  };
}

function inOneLine(text: string, max: number): string {
  return truncate(stripControl(text).replace(/\s+/g, ' ').trim(), max);
}

/** The limit of a file's description. */
const ALT_MAX = 1_000;
const GAPS_NAMED = 8;

/** At most 1,000 characters. */
export function altTextOf(foreign: Chart): string {
  const chart = withPlainText(foreign);
  const { title, steps, series, format } = chart;
  const kind = stepKind(steps);
  const nameOf = (step: number) => longStepName(steps[step]?.startMs ?? 0, kind);
  const span = ({ from, to }: Run) =>
    from === to ? nameOf(from) : `${nameOf(from)} to ${nameOf(to)}`;
  const all = { from: 0, to: steps.length - 1 };
  const sentences = [
    `Stacked bar chart: ${title}`,
    `${plural(steps.length, 'bar')}, one per ${kind}, ${span(all)} (UTC)`,
    ...extremes(chart, nameOf),
    ...running(chart, nameOf),
    ...gapSentence(gapsOf(chart).map(span)),
    ...series.map((one, place) => {
      const role = place === 0 ? 'From the bottom up: ' : '';
      return `${role}${one.name} ${format(totalOf(one))}`;
    }),
  ];
  return fitting(sentences);
}

function extremes(chart: Chart, nameOf: (step: number) => string): string[] {
  const { steps, format } = chart;
  const known = barsOf(chart).flatMap((bar, step) => (bar ? [{ bar, step }] : []));
  const [first] = known;
  if (!first) return ['There is no usage in it'];

  const largest = known.reduce((a, b) => (b.bar.gt(a.bar) ? b : a), first);
  // A running step is small only because it is not over.
  const over = known.filter(({ step }) => !steps[step]?.running);
  const smallest = over.reduce((a, b) => (b.bar.lt(a.bar) ? b : a), over[0] ?? first);
  const say = ({ bar, step }: typeof first) => `${format(bar)} (${nameOf(step)})`;
  if (known.every(({ bar }) => bar.eq(first.bar))) return [`Every bar: ${format(first.bar)}`];
  return [`Largest bar: ${say(largest)}`, `Smallest bar: ${say(smallest)}`];
}

function running(chart: Chart, nameOf: (step: number) => string): string[] {
  const { steps } = chart;
  const now = steps.findLastIndex((step) => step.running);
  if (now === -1) return [];

  const left = steps.length - now - 1;
  return [
    `${nameOf(now)} is not over${barsOf(chart)[now] ? ': its bar is hatched and will grow' : ''}`,
    ...(left > 0 ? [`${plural(left, 'bar')} to come`] : []),
  ];
}

function gapSentence(spans: readonly string[]): string[] {
  if (spans.length === 0) return [];

  const more = spans.length - GAPS_NAMED;
  const rest = more > 0 ? ` and ${plural(more, 'more gap', 'more gaps')}` : '';
  return [`No data: ${spans.slice(0, GAPS_NAMED).join(', ')}${rest}`];
}

function fitting(sentences: readonly string[]): string {
  let text = '';
  for (const sentence of sentences) {
    const next = text === '' ? `${sentence}.` : `${text} ${sentence}.`;
    if (next.length > ALT_MAX) break;
    text = next;
  }
  return text;
}

const MARKS = Array.from('▁▂▃▄▅▆▇█');
/** About as wide as a mark, and not trimmed within a line. */
const GAP = '\u2002';
/** The days of a month; more would wrap on a phone. */
const MARKS_MAX = 31;

/**
 * At most 31 marks from ▁ to █, the largest value being █; a gap without a value. When there are
 * more values, neighbours share a mark, which shows the largest.
 */
export function sparkline(values: Values): string {
  const width = Math.ceil(values.length / MARKS_MAX);
  const folded = Array.from({ length: width && Math.ceil(values.length / width) }, (_, mark) =>
    largestOf(values.slice(mark * width, (mark + 1) * width)),
  );
  const top = largestOf(folded);
  return folded.map((value) => (value && top ? markOf(value, top) : GAP)).join('');
}

function largestOf(values: Values): BigNumber | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : BigNumber.max(...known);
}

function markOf(value: BigNumber, top: BigNumber): string {
  if (!top.gt(0)) return MARKS[0] ?? '';
  // In integers throughout: a decimal quotient would be rounded.
  const level = value.times(MARKS.length).idiv(top).toNumber();
  return MARKS[Math.min(MARKS.length - 1, Math.max(0, level))] ?? '';
}

const TICKS = 5;

/**
 * A step that reaches `top` in at most five ticks, exactly at any size.
 * @param unit raw units per displayed unit: steps are round in displayed units
 */
export function valueAxis(
  top: BigNumber,
  format: (value: BigNumber) => string,
  unit = new BigNumber(1),
) {
  const steps = roundSteps(top, unit);
  const words = steps.map((step) => multiples(step, TICKS).map(format));
  // Ticks that read the same are finer than the displayed digits, so a larger step is tried.
  const distinct = words.findIndex((ticks) => new Set(ticks).size === ticks.length);
  const step = steps[Math.max(0, distinct)] ?? unit;
  const ticks = BigNumber.max(1, top.div(step).integerValue(BigNumber.ROUND_CEIL)).toNumber();
  const { numbers, word } = splitUnit(multiples(step, ticks).map(format));
  const labels = withoutIdleDecimals(numbers);
  return {
    step,
    unit: word,
    // Empty where two ticks would read the same.
    labels: distinct === -1 ? labels.map((label, tick) => (tick === 0 ? label : '')) : labels,
  };
}

function multiples(step: BigNumber, most: number): BigNumber[] {
  return Array.from({ length: most + 1 }, (_, tick) => step.times(tick));
}

function roundSteps(top: BigNumber, unit: BigNumber): BigNumber[] {
  if (!top.gt(0)) return [unit];

  const exponent = (top.e ?? 0) - (unit.e ?? 0) - 2;
  return [2, 5, 10, 20, 50, 100, 200, 500]
    .map((digits) => unit.times(new BigNumber(digits).shiftedBy(exponent)))
    .filter((step) => step.times(TICKS).gte(top) && step.lte(top.times(TICKS)));
}

/** "2 GiB-hours" and "4 GiB-hours" become 2 and 4 GiB-hours. Zero fits any unit. */
function splitUnit(words: readonly string[]): { numbers: readonly string[]; word: string } {
  const parts = words.map((word) => /^(\d\S*) (\S+)$/.exec(word));
  const word = parts.at(-1)?.[2] ?? '';
  const agree = parts.slice(1).every((part) => singular(part?.[2]) === singular(word));
  if (!agree || !parts[0]) return { numbers: words, word: '' };
  return { numbers: parts.map((part) => part?.[1] ?? ''), word };
}

function singular(word = ''): string {
  return word.replace(/s$/, '');
}

function withoutIdleDecimals(numbers: readonly string[]): readonly string[] {
  const idle = /\.0+$/;
  return numbers.every((number) => idle.test(number))
    ? numbers.map((number) => number.replace(idle, ''))
    : numbers;
}
