import type { BigNumber } from 'bignumber.js';
import { plural } from '../lib/text.ts';
import { DAY_MS } from '../lib/time.ts';
import { TIME_STEPS, type TimeStep } from '../platform/consumption/query.ts';
import { type Range, stepsOf } from './range.ts';

/** Slack's limit. */
const MOST_POINTS = 20;

/** Of a point that adds weeks up. */
const WEEKS = 4;

/** Lengths of a point, shortest first. */
const LENGTHS: readonly (readonly [step: TimeStep, count: number])[] = [
  ...[1, 2, 3, 6, 12].map((count) => ['hour', count] as const),
  ['day', 1],
  ['week', 1],
  ...[1, 3, 12].map((count) => ['month', count] as const),
];

export interface Point extends Range {
  /** "5 Oct 14:00", "5 Oct", "Oct 2026", "1 Oct (4 days)" for a part of a week or month, in UTC. */
  readonly name: string;
}

export interface Points {
  readonly points: readonly Point[];
  /** "day", "2 hours". */
  readonly per: string;
}

/**
 * The points of a chart: the steps that have begun, or the next longer ones that are at most 20.
 * @param nowMs ms since the epoch
 */
export function chartPoints(range: Range, step: TimeStep, nowMs: number): Points {
  const begun = {
    startMs: range.startMs,
    endMs: Math.min(range.endMs, Math.max(nowMs, range.startMs + 1)),
  };
  for (const [unit, count] of [...LENGTHS, ...longest(begun)]) {
    if (!isMadeOf(unit, step)) continue;
    const spans = inPortions(stepsOf(begun, unit), count);
    if (spans.length > MOST_POINTS) continue;
    const points = spans.map((span) => ({
      ...span,
      name: `${pointName(span.startMs, unit)}${partOf(span, unit, count)}`,
    }));
    return { points, per: count === 1 ? unit : `${count} ${unit}s` };
  }
  return { points: [], per: step };
}

/** The lengths of a range that is too long for the others. */
function longest(begun: Range): (typeof LENGTHS)[number][] {
  const portions = (unit: TimeStep) => stepsOf(begun, unit).length / MOST_POINTS;
  return [
    ['week', Math.ceil(portions('week') / WEEKS) * WEEKS],
    ['month', Math.ceil(portions('month'))],
  ];
}

/** Whether each step is in one unit; a week can be in two months. */
function isMadeOf(unit: TimeStep, step: TimeStep): boolean {
  if (step === 'week') return unit === 'week';
  return TIME_STEPS.indexOf(unit) >= TIME_STEPS.indexOf(step);
}

function inPortions(steps: readonly Range[], count: number): Range[] {
  return steps.flatMap(({ startMs }, at) => {
    if (at % count !== 0) return [];
    return [{ startMs, endMs: steps[Math.min(at + count, steps.length) - 1]?.endMs ?? startMs }];
  });
}

/** Sums of steps by their starts, added up by point; undefined: no usage. */
export function valuesAt(
  points: readonly Range[],
  steps: ReadonlyMap<number, BigNumber>,
): readonly (BigNumber | undefined)[] {
  const sums: (BigNumber | undefined)[] = points.map(() => undefined);
  for (const [start, value] of steps) {
    const at = points.findLastIndex(({ startMs }) => startMs <= start);
    if (at !== -1) sums[at] = sums[at]?.plus(value) ?? value;
  }
  return sums;
}

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

function pointName(ms: number, step: TimeStep): string {
  const date = new Date(ms);
  if (step === 'month') return `${monthOf(date)} ${date.getUTCFullYear()}`;
  return step === 'hour' ? `${dayName(ms)} ${date.toISOString().slice(11, 16)}` : dayName(ms);
}

/** " (4 days)" where the ends of the range leave a part of a week or month: it is lower than the others. */
function partOf({ startMs, endMs }: Range, step: TimeStep, count: number): string {
  const days = Math.max(1, Math.round((endMs - startMs) / DAY_MS));
  const isWhole =
    step === 'month'
      ? [startMs, endMs].every((ms) => new Date(ms).getUTCDate() === 1 && ms % DAY_MS === 0)
      : step !== 'week' || days === 7 * count;
  return isWhole ? '' : ` (${plural(days, 'day')})`;
}

/** "5 Oct", in UTC, of ms since the epoch. */
export function dayName(ms: number): string {
  const date = new Date(ms);
  return `${date.getUTCDate()} ${monthOf(date)}`;
}

function monthOf(date: Date): string {
  return MONTHS[date.getUTCMonth()] ?? '';
}
