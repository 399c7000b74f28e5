import type { TimeStep } from '../platform/consumption/query.ts';
import type { Range } from './range.ts';

const HOUR = 3_600_000;
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** What the steps of a chart are. The outer ones may be cut off, so the longest one tells. */
export function stepKind(steps: readonly Range[]): TimeStep {
  const longest = Math.max(0, ...steps.map(({ startMs, endMs }) => endMs - startMs));
  if (longest <= HOUR) return 'hour';
  if (longest <= 24 * HOUR) return 'day';
  return longest <= 7 * 24 * HOUR ? 'week' : 'month';
}

/** The start of a step in a few letters: "14:00", "1 Nov", "Nov 2026". A day's first hour is its day. */
function shortStepName(startMs: number, kind: TimeStep): string {
  const { hour, day, month, year } = partsOf(startMs);
  if (kind === 'month') return `${month} ${year}`;
  return kind === 'hour' && hour !== '00:00' ? hour : `${day} ${month}`;
}

/** A step in full, in UTC: "1 Nov 2026, 14:00", "1 Nov 2026", "week of 2 Nov 2026", "Nov 2026". */
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

/** How many steps one label stands for, on numbers that people count by. */
const STRIDES: Record<TimeStep, readonly number[]> = {
  hour: [1, 2, 3, 6, 12, 24, 48, 96, 168, 336],
  day: [1, 2, 5, 10, 15, 30, 60, 90, 180, 365],
  week: [1, 2, 4, 8, 13, 26, 52],
  month: [1, 2, 3, 4, 6, 12, 24, 60, 120],
};

/**
 * The labels under the bars: at most `most` of them, undefined where a bar has none. Those of hours
 * are on hours that divide the day, so that a day's first hour, which names the day, is among them.
 */
export function stepLabels(steps: readonly Range[], most: number): (string | undefined)[] {
  const kind = stepKind(steps);
  const fits = (stride: number) => Math.ceil(steps.length / stride) <= most;
  const stride = STRIDES[kind].find(fits) ?? Math.ceil(steps.length / most);
  const hours = (steps[0]?.startMs ?? 0) / HOUR;
  const shift = kind === 'hour' ? Math.floor(hours % Math.min(stride, 24)) : 0;
  const first = shift === 0 ? 0 : Math.min(stride, 24) - shift;
  return steps.map(({ startMs }, index) =>
    index >= first && (index - first) % stride === 0 ? shortStepName(startMs, kind) : undefined,
  );
}
