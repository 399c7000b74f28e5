import { BigNumber } from 'bignumber.js';
import { plural, stripControl, truncate } from '../lib/text.ts';
import { longStepName, stepKind } from './chart-steps.ts';
import type { Range } from './range.ts';

/** Stacked bars: one per step, one colour per series. */
export interface Chart {
  readonly title: string;
  /** Every step of the range in order, also those without usage. */
  readonly steps: readonly ChartStep[];
  /** Largest first; the last may be "n others". */
  readonly series: readonly ChartSeries[];
  /** A value of the axis or of a bar in words; `like` is one in whose unit it is told. */
  readonly format: (value: BigNumber, like?: BigNumber) => string;
  /** How much makes one of what `format` counts the largest bar in, such as 3,600 core-seconds; else 1. */
  readonly unit?: BigNumber | undefined;
}

export interface ChartStep extends Range {
  /** It contains the current time: more will come. */
  readonly running: boolean;
}

export interface ChartSeries {
  readonly name: string;
  /** By step; undefined where there is none, which is no zero. */
  readonly values: readonly (BigNumber | undefined)[];
}

type Values = ChartSeries['values'];

/**
 * The largest `max` lines, and the rest added up step by step as "n others". A single line more
 * than `max` is shown as itself: as "1 other" it would take the same room and say less.
 * @param lines largest first
 */
export function stackOf(lines: readonly ChartSeries[], max = 7): ChartSeries[] {
  if (lines.length <= max + 1) return [...lines];

  const others = lines.slice(max);
  const name = plural(others.length, 'other');
  return [...lines.slice(0, max), { name, values: sumByStep(others) }];
}

/** Added up step by step; undefined only where all are. */
function sumByStep(lines: readonly ChartSeries[]): (BigNumber | undefined)[] {
  const length = Math.max(0, ...lines.map(({ values }) => values.length));
  return Array.from({ length }, (_, step) => sum(lines.map(({ values }) => values[step])));
}

function sum(values: Values): BigNumber | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : BigNumber.sum(...known);
}

/** What the whole bar of each step is worth; undefined where there is no usage. */
export function barsOf({ steps, series }: Chart): (BigNumber | undefined)[] {
  return steps.map((_, step) => sum(series.map(({ values }) => values[step])));
}

/** What a series is worth over all steps. */
export function totalOf({ values }: ChartSeries): BigNumber {
  return sum(values) ?? new BigNumber(0);
}

/** Steps from one to another, both included, by their place in the chart. */
export interface Run {
  readonly from: number;
  readonly to: number;
}

/** Where there is no usage though there could be: what has not begun yet is no gap. */
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

/** How many steps have begun: all of them where none is running. */
function begunSteps(steps: readonly ChartStep[]): number {
  const running = steps.findLastIndex((step) => step.running);
  return running === -1 ? steps.length : running + 1;
}

/** The chart with every text on one line, of sensible length, and nothing in it that hides. */
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

/** As much as a file's description holds. */
const ALT_MAX = 1_000;
const GAPS_NAMED = 8;

/** What the picture shows, for those who cannot see it: plain text of at most 1,000 characters. */
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
  // What is not over is small for no reason that anyone wants to know.
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

/** As many sentences, in their order, as there is room for. */
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
/** Takes about the room of a mark, and is not trimmed away within a line. */
const GAP = '\u2002';
/** The days of a month; more would break the line on a telephone. */
const MARKS_MAX = 31;

/**
 * Values as a line of at most 31 marks from ▁ to █, the largest being █; a gap where there is no
 * value. Of more values neighbours share a mark, which shows the largest of them.
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
  // In whole numbers all along: a quotient with decimals would be rounded.
  const level = value.times(MARKS.length).idiv(top).toNumber();
  return MARKS[Math.min(MARKS.length - 1, Math.max(0, level))] ?? '';
}
