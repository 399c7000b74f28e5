import * as fc from 'fast-check';

/** Two times, ms since the epoch; `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export const STEPS = ['hour', 'day', 'week', 'month'] as const;
export type Step = (typeof STEPS)[number];
type Unit = Step | 'year';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The start of the unit of the calendar that is `count` after the one of a moment, in UTC. */
export function startOf(unit: Unit, ms: number, count = 0): number {
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
 * What a span is compared with: months with as many months before them, any other span with an equally
 * long one; of a running one the elapsed part, in whole hours. The change of nothing elapsed is none.
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
  const days = (next - first) / DAY_MS;
  const day = new Date(ms).getUTCDate();
  return day > days ? next : first + (day - 1) * DAY_MS + (ms - startOf('day', ms));
}

/** The whole months that a span begins with, and the rest of it, as far as there are both. */
export function monthsFirst(span: Span): Span[] {
  const cut = startOf('month', span.end);
  const isCut = span.start === startOf('month', span.start) && span.start < cut && cut < span.end;
  return isCut
    ? [
        { start: span.start, end: cut },
        { start: cut, end: span.end },
      ]
    : [span];
}

/** "2026-10-05" for a whole day, "2026-10" for a whole month, else as `inWords` has it. */
export function inBrief(span: Span): string {
  const { start, end } = span;
  if (start === startOf('day', start) && end === startOf('day', start, 1)) {
    return minutes(start).slice(0, 10);
  }
  const isMonth = start === startOf('month', start) && end === startOf('month', start, 1);
  return isMonth ? minutes(start).slice(0, 7) : inWords(span);
}

/** "2026-10-01 00:00 to 2026-11-01 00:00 UTC". */
export function inWords({ start, end }: Span): string {
  return `${minutes(start)} to ${minutes(end)} UTC`;
}

/** A span of the calendar, as it was asked for. */
export interface Asked {
  readonly span: Span;
  /** In hours, days or weeks: these are not taken for the months that they may happen to fill. */
  readonly isCounted: boolean;
}

/** A range as it can be typed, and what it means. */
export interface Typed extends Asked {
  readonly words: string;
}

/** Ranges of every kind that a query can have (design section 3), at a moment. */
export function ranges(now: number): fc.Arbitrary<Typed> {
  return fc.oneof(
    fc.constantFrom(...namedRanges(now)),
    { weight: 2, arbitrary: countedRanges(now) },
    { weight: 3, arbitrary: datedRanges(now) },
  );
}

/** The ranges of the calendar that have a name, at a moment. */
export function namedRanges(now: number): Typed[] {
  const unit = (name: 'day' | 'week' | 'month' | 'year', running: string, last: string) => {
    const isCounted = name === 'day' || name === 'week';
    const [start, middle, end] = [-1, 0, 1].map((count) => startOf(name, now, count));
    return [
      { words: running, span: { start: middle!, end: end! }, isCounted },
      { words: last, span: { start: start!, end: middle! }, isCounted },
    ];
  };
  return [
    ...unit('day', 'today', 'yesterday'),
    ...unit('week', 'this week', 'last week'),
    ...unit('month', 'this month', 'last month'),
    ...unit('year', 'this year', 'last year'),
  ];
}

function countedRanges(now: number): fc.Arbitrary<Typed> {
  const most = { hour: 100, day: 45, week: 12, month: 14 };
  return fc
    .constantFrom(...STEPS)
    .chain((unit) =>
      fc.record({ unit: fc.constant(unit), count: fc.integer({ min: 1, max: most[unit] }) }),
    )
    .map(({ unit, count }) => lastUnits(unit, count, now));
}

export function lastUnits(unit: Step, count: number, now: number): Typed {
  return {
    words: `last ${count} ${unit}${count === 1 ? '' : 's'}`,
    span: { start: startOf(unit, now, -count), end: startOf(unit, now) },
    isCounted: unit !== 'month',
  };
}

/** Days, months and hours of the calendar; the last ones may lie ahead. */
function datedRanges(now: number): fc.Arbitrary<Typed> {
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  const from = fc.integer({ min: -390, max: 0 });
  const days = fc.tuple(from, fc.integer({ min: 0, max: 40 })).map(([first, length]) => {
    const [start, last] = [startOf('day', now, first), startOf('day', now, first + length)];
    const words = length === 0 ? day(start) : `${day(start)}..${day(last)}`;
    return { words, span: { start, end: startOf('day', last, 1) }, isCounted: false };
  });
  const months = fc
    .tuple(fc.integer({ min: -13, max: 0 }), fc.integer({ min: 0, max: 3 }))
    .map(([first, length]) => datedMonths(first, length + 1, now));
  const hours = fc
    .record({
      first: fc.integer({ min: -9_000, max: -1 }),
      length: fc.integer({ min: 1, max: 80 }),
      zones: fc.tuple(fc.constantFrom(0, 0, -7, 2, 5.5), fc.constantFrom(0, 0, 1, -3.5)),
    })
    .map(({ first, length, zones: [one, other] }) => {
      const [start, end] = [startOf('hour', now, first), startOf('hour', now, first + length)];
      const words = `${zoned(start, one)}..${zoned(end, other)}`;
      return { words, span: { start, end }, isCounted: false };
    });
  return fc.oneof(days, months, hours);
}

/** Some months by their dates, of which the first is so many after that of the moment. */
export function datedMonths(first: number, count: number, now: number): Typed {
  const span = { start: startOf('month', now, first), end: startOf('month', now, first + count) };
  const [one, last] = [span.start, startOf('month', span.end, -1)].map((ms) =>
    new Date(ms).toISOString().slice(0, 7),
  );
  return { words: count === 1 ? one! : `${one}..${last}`, span, isCounted: false };
}

/** RFC 3339 as a clock in another zone has it; `offset` in hours. */
function zoned(ms: number, offset: number): string {
  const local = new Date(ms + offset * HOUR_MS).toISOString().slice(0, 19);
  if (offset === 0) return `${local}Z`;
  const [whole, part] = [Math.floor(Math.abs(offset)), (Math.abs(offset) % 1) * 60];
  const zone = `${String(whole).padStart(2, '0')}:${String(part).padStart(2, '0')}`;
  return `${local}${offset < 0 ? '-' : '+'}${zone}`;
}

function minutes(ms: number): string {
  return new Date(ms).toISOString().slice(0, 16).replace('T', ' ');
}

/** Steps that are so many are no question that a person asks. */
export function isReadable(step: Step, { start, end }: Span): boolean {
  const most = { hour: 30, day: 32, week: 30, month: 36 };
  return (
    (end - start) / { hour: HOUR_MS, day: DAY_MS, week: 7 * DAY_MS, month: 30 * DAY_MS }[step] <=
    most[step]
  );
}
