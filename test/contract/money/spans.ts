import * as fc from 'fast-check';

/** Two times, ms since the epoch; `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A span of the calendar, as it was asked for. */
export interface Asked {
  readonly span: Span;
  /** In hours, days or weeks: these are not taken for the months that they may happen to fill. */
  readonly isCounted: boolean;
}

/** A range as it can be typed, and its span. */
export interface Typed extends Asked {
  readonly words: string;
}

export const STEPS = ['hour', 'day', 'week', 'month'] as const;
export type Step = (typeof STEPS)[number];

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The start of the unit of the calendar that is `count` after the one of a moment, in UTC. */
export function startOf(unit: Step | 'year', ms: number, count = 0): number {
  const at = new Date(ms);
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()];
  switch (unit) {
    case 'year':
      return Date.UTC(year + count, 0);
    case 'month':
      return Date.UTC(year, month + count);
    case 'week':
      // Monday is 1, and Sunday is the last day of its week.
      return Date.UTC(year, month, day - ((at.getUTCDay() || 7) - 1) + 7 * count);
    case 'day':
      return Date.UTC(year, month, day + count);
    case 'hour':
      return Date.UTC(year, month, day, at.getUTCHours() + count);
  }
}

export function liesOn(step: Step, { start, end }: Span): boolean {
  return startOf(step, start) === start && startOf(step, end) === end;
}

/** The steps of a span, the first and the last cut off at its ends. */
export function stepsOf(step: Step, { start, end }: Span): Span[] {
  const steps: Span[] = [];
  for (let at = startOf(step, start); at < end; at = startOf(step, at, 1)) {
    steps.push({ start: Math.max(start, at), end: Math.min(end, startOf(step, at, 1)) });
  }
  return steps;
}

/**
 * The span to compare with: for months as many months before them, for any other span an equally long
 * one; for a running one the elapsed part, in whole hours. Undefined when nothing has elapsed.
 */
export function spanBefore({ span, isCounted }: Asked, now: number): Span | undefined {
  const { start, end } = span;
  const until = now >= end ? end : startOf('hour', now);
  if (until <= start) return undefined;
  if (isCounted || !liesOn('month', span)) {
    return { start: start - (end - start), end: until - (end - start) };
  }
  const months = stepsOf('month', span).length;
  return { start: startOf('month', start, -months), end: sameDay(until, -months) };
}

/** The same day and time of another month, or the end of that month where it has no such day. */
function sameDay(ms: number, months: number): number {
  const [first, next] = [startOf('month', ms, months), startOf('month', ms, months + 1)];
  return Math.min(next, first + (ms - startOf('month', ms)));
}

/** The whole months that a span begins with, and the rest, when there are both. */
export function monthsFirst({ start, end }: Span): Span[] {
  const cut = startOf('month', end);
  const isCut = start === startOf('month', start) && start < cut && cut < end;
  const ends = isCut ? [start, cut, end] : [start, end];
  return ends.slice(1).map((end, at) => ({ start: ends[at]!, end }));
}

/** The beginning of "2026-10-05 12:00:00.000Z". */
function dated(ms: number, length: number): string {
  return new Date(ms).toISOString().slice(0, length).replace('T', ' ');
}

/** Ranges of every kind that a query can have (design section 3), at a moment. */
export function ranges(now: number): fc.Arbitrary<Typed> {
  const most = { hour: 100, day: 45, week: 12, month: 14 };
  const counted = fc
    .constantFrom(...STEPS)
    .chain((unit) =>
      fc.integer({ min: 1, max: most[unit] }).map((count) => lastUnits(unit, count, now)),
    );
  return fc.oneof(
    fc.constantFrom(...namedRanges(now)),
    { weight: 2, arbitrary: counted },
    { weight: 3, arbitrary: fc.oneof(datedDays(now), someMonths(now), datedHours(now)) },
  );
}

/** The ranges of the calendar that have a name, at a moment. */
export function namedRanges(now: number): Typed[] {
  const names = {
    day: 'today',
    week: 'this week',
    month: 'this month',
    year: 'this year',
  } as const;
  return (['day', 'week', 'month', 'year'] as const).flatMap((unit) => {
    const isCounted = unit === 'day' || unit === 'week';
    const [start, middle, end] = [-1, 0, 1].map((count) => startOf(unit, now, count));
    const last = unit === 'day' ? 'yesterday' : `last ${unit}`;
    return [
      { words: names[unit], span: { start: middle!, end: end! }, isCounted },
      { words: last, span: { start: start!, end: middle! }, isCounted },
    ];
  });
}

export function lastUnits(unit: Step, count: number, now: number): Typed {
  return {
    words: `last ${count} ${unit}${count === 1 ? '' : 's'}`,
    span: { start: startOf(unit, now, -count), end: startOf(unit, now) },
    isCounted: unit !== 'month',
  };
}

/** Some units by their dates, of which the first is so many after that of the moment; they may lie ahead. */
function datedUnits(unit: 'day' | 'month', first: number, count: number, now: number): Typed {
  const span = { start: startOf(unit, now, first), end: startOf(unit, now, first + count) };
  const [one, last] = [span.start, startOf(unit, span.end, -1)].map((ms) =>
    dated(ms, unit === 'day' ? 10 : 7),
  );
  return { words: count === 1 ? one! : `${one}..${last}`, span, isCounted: false };
}

export function datedMonths(first: number, count: number, now: number): Typed {
  return datedUnits('month', first, count, now);
}

function datedDays(now: number): fc.Arbitrary<Typed> {
  return fc
    .tuple(fc.integer({ min: -390, max: 0 }), fc.integer({ min: 1, max: 41 }))
    .map(([first, count]) => datedUnits('day', first, count, now));
}

function someMonths(now: number): fc.Arbitrary<Typed> {
  return fc
    .tuple(fc.integer({ min: -13, max: 0 }), fc.integer({ min: 1, max: 4 }))
    .map(([first, count]) => datedMonths(first, count, now));
}

function datedHours(now: number): fc.Arbitrary<Typed> {
  const [from, length] = [fc.integer({ min: -9_000, max: -1 }), fc.integer({ min: 1, max: 80 })];
  const zones = fc.tuple(fc.constantFrom(0, 0, -7, 2, 5.5), fc.constantFrom(0, 0, 1, -3.5));
  return fc.tuple(from, length, zones).map(([first, length, [one, other]]) => {
    const [start, end] = [startOf('hour', now, first), startOf('hour', now, first + length)];
    const words = `${zoned(start, one)}..${zoned(end, other)}`;
    return { words, span: { start, end }, isCounted: false };
  });
}

/** RFC 3339 as a clock in another zone has it; `offset` in hours. */
function zoned(ms: number, offset: number): string {
  const local = new Date(ms + offset * HOUR_MS).toISOString().slice(0, 19);
  const zone = new Date(Math.abs(offset) * HOUR_MS).toISOString().slice(11, 16);
  return `${local}${offset === 0 ? 'Z' : `${offset < 0 ? '-' : '+'}${zone}`}`;
}

/** Steps that are so many are no question that a person asks. */
export function isReadable(step: Step, { start, end }: Span): boolean {
  const most = { hour: 30 * HOUR_MS, day: 32 * DAY_MS, week: 210 * DAY_MS, month: 1_080 * DAY_MS };
  return end - start <= most[step];
}
