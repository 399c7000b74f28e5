import { DAY_MS, HOUR_MS } from '../lib/time.ts';
import { UsageError } from '../lib/errors.ts';
import { truncate } from '../lib/text.ts';
import type { ConsumptionQuery, TagFilter, TimeStep } from '../platform/consumption/query.ts';
import type { ReportQuery } from './query.ts';
import { BY_ITEM } from './query-words.ts';
import { readRange, type CalendarUnit } from './range-words.ts';

/** UTC: ms since the epoch on whole hours, the end exclusive. */
export interface Range {
  readonly startMs: number;
  readonly endMs: number;
}

const lengths = { hour: HOUR_MS, day: DAY_MS, week: 7 * DAY_MS } as const;
/** 1970-01-05: the epoch was a Thursday. */
const firstMonday = 4 * lengths.day;

/** Largest first: months do not consist of weeks. */
const fromTheLargest = ['month', 'week', 'day', 'hour'] as const;

/**
 * Resolves the words of a range at a moment (design section 3), in any case. `this …` and `today`
 * run to the end of their unit; `last …` is complete.
 * @param nowMs ms since the epoch
 * @throws UsageError with a suggestion
 */
export function resolveRange(words: string, nowMs: number): Range {
  const typed = words.trim().split(/\s+/);
  const reading = readRange(typed);
  if (reading === undefined || reading.used < typed.length) {
    throw new UsageError(
      `"${truncate(words, 60)}" is not a range: write for example last month, last 7 days or 2026-10.`,
    );
  }
  if ('problem' in reading) throw new UsageError(reading.problem, reading.fix);

  const { span } = reading;
  if (span.kind === 'fixed') return { startMs: span.startMs, endMs: span.endMs };
  const current = stepStart(nowMs, span.unit);
  return span.kind === 'this'
    ? { startMs: current, endMs: move(current, span.unit, 1) }
    : { startMs: move(current, span.unit, -span.count), endMs: current };
}

/** Whether it consists of days, weeks, months or years that are over: "yesterday", "last 3 months". */
export function isOfPastUnits(words: string): boolean {
  const span = spanIn(words);
  return span?.kind === 'last' && span.unit !== 'hour';
}

/** Ms by which a rolling range moves on: a day for "last 7 days", 31 for "last 3 months"; undefined for any other. */
export function rollingStep(words: string): number | undefined {
  const span = spanIn(words);
  if (span?.kind !== 'last' || span.unit === 'year' || !/^last \d/i.test(words)) return undefined;
  return span.unit === 'month' ? 31 * DAY_MS : lengths[span.unit];
}

/**
 * The span that a span is compared with (design section 3): whole months with as many months before
 * them, any other span with an equally long one; of a running span only the elapsed whole hours
 * count, of months up to the same day and hour. Shorter months are clipped: the 31st of March is
 * compared with all of February. Undefined when nothing has elapsed.
 * @param words as in `resolveRange`: a span counted in hours, days or weeks is compared as such,
 * even if it fills a month
 * @param nowMs ms since the epoch
 */
export function spanBefore(range: Range, words: string, nowMs: number): Range | undefined {
  const months = monthsIn(range, words);
  const length = range.endMs - range.startMs;
  const before = (ms: number) => (months > 0 ? monthsBefore(ms, months) : ms - length);
  const startMs = before(range.startMs);
  if (nowMs >= range.endMs) return { startMs, endMs: range.startMs };

  const elapsedMs = stepStart(nowMs, 'hour');
  return elapsedMs > range.startMs ? { startMs, endMs: before(elapsedMs) } : undefined;
}

/**
 * Splits a span into its whole months, which are cached permanently, and the rest (spec section 8).
 * Tiers restart every month, so charges add up (spec 4.1 rule 3).
 */
export function monthsAndRest(range: Range): readonly Range[] {
  const lastMs = stepStart(range.endMs, 'month');
  const isParted =
    stepStart(range.startMs, 'month') === range.startMs &&
    range.startMs < lastMs &&
    lastMs < range.endMs;
  if (!isParted) return [range];
  return [
    { startMs: range.startMs, endMs: lastMs },
    { startMs: lastMs, endMs: range.endMs },
  ];
}

/** The largest step with boundaries at both ends (design section 3). */
export function naturalStep(range: Range, steps: readonly TimeStep[] = fromTheLargest): TimeStep {
  return steps.find((step) => isAligned(range, step)) ?? 'hour';
}

/** Both ends are on boundaries of the step, so that the platform does not widen the range (spec 4.5 rule 1). */
export function isAligned(range: Range, step: TimeStep): boolean {
  return [range.startMs, range.endMs].every((ms) => stepStart(ms, step) === ms);
}

/** The start of the step that contains a moment, both in ms since the epoch; weeks start on Monday. */
export function stepStart(ms: number, step: CalendarUnit): number {
  switch (step) {
    case 'year':
      return Date.UTC(new Date(ms).getUTCFullYear(), 0);
    case 'month':
      return Date.UTC(1970, monthNumber(ms));
    case 'week':
      return Math.floor((ms - firstMonday) / lengths.week) * lengths.week + firstMonday;
    case 'day':
    case 'hour':
      return Math.floor(ms / lengths[step]) * lengths[step];
  }
}

export function countSteps(range: Range, step: TimeStep): number {
  const first = stepStart(range.startMs, step);
  const last = stepStart(range.endMs - 1, step);
  if (step !== 'month') return (last - first) / lengths[step] + 1;
  return monthNumber(last) - monthNumber(first) + 1;
}

/** The first and last are clipped to the range. */
export function stepsOf(range: Range, step: TimeStep): Range[] {
  const first = stepStart(range.startMs, step);
  return Array.from({ length: countSteps(range, step) }, (_, index) => ({
    startMs: Math.max(range.startMs, move(first, step, index)),
    endMs: Math.min(range.endMs, move(first, step, index + 1)),
  }));
}

function move(startMs: number, unit: CalendarUnit, count: number): number {
  if (unit === 'year') return move(startMs, 'month', 12 * count);
  if (unit === 'month') return Date.UTC(1970, monthNumber(startMs) + count);
  return startMs + count * lengths[unit];
}

/** 0: no span of whole months. */
function monthsIn(range: Range, words: string): number {
  const span = spanIn(words);
  const isOfDays = span && span.kind !== 'fixed' && ['hour', 'day', 'week'].includes(span.unit);
  if (isOfDays === true || !isAligned(range, 'month')) return 0;
  return monthNumber(range.endMs) - monthNumber(range.startMs);
}

function spanIn(words: string) {
  const reading = readRange(words.trim().split(/\s+/));
  return reading && 'span' in reading ? reading.span : undefined;
}

/** The same day and hour `count` months earlier, clipped to the end of that month. */
function monthsBefore(ms: number, count: number): number {
  const start = stepStart(ms, 'month');
  return Math.min(move(start, 'month', -count) + (ms - start), move(start, 'month', 1 - count));
}

/** Months since the epoch. */
function monthNumber(ms: number): number {
  const date = new Date(ms);
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
}

/** A span as words of a query: whole days where possible, else two hours (design section 3). */
export function rangeWords(range: Range): string {
  return isAligned(range, 'day')
    ? `${dayOf(range.startMs)}..${dayOf(range.endMs - DAY_MS)}`
    : `${dateTimeOf(range.startMs)}..${dateTimeOf(range.endMs)}`;
}

/** "2026-11", "2026-11-05", "2026-11-01-to-2026-11-30", "2026-11-05T10-to-2026-11-05T14". */
export function rangeInFileName(range: Range): string {
  const [first, last] = [dayOf(range.startMs), dayOf(range.endMs - 1)];
  if (!isAligned(range, 'day')) {
    return `${dateTimeOf(range.startMs).slice(0, 13)}-to-${dateTimeOf(range.endMs).slice(0, 13)}`;
  }
  if (first === last) return first;
  const isMonth = isAligned(range, 'month') && first.slice(0, 7) === last.slice(0, 7);
  return isMonth ? first.slice(0, 7) : `${first}-to-${last}`;
}

/** "2026-11-05". `ms` since the epoch. */
export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

function dateTimeOf(ms: number): string {
  return new Date(ms).toISOString().replace(':00.000Z', ':00Z');
}

/** A number, which the platform only matches with regular expressions. */
const NUMBER_TAG = 'volumeIndex';

/**
 * The filter for exactly these values, at least one (spec 4.5 rule 2): one value is exact, several
 * are an anchored alternation.
 */
export function filterFor(tag: string, values: readonly string[]): string {
  const [first = ''] = values;
  if (values.length === 1 && tag !== NUMBER_TAG && !isWrapped(first)) return first;
  const named = values.filter((value) => value !== '').map(literal);
  // POSIX does not define an empty alternative, but an optional group.
  const optional = named.length < values.length ? '?' : '';
  return named.length === 0 ? '/^$/' : `/^(${named.join('|')})${optional}$/`;
}

function filterAsTyped(tag: string, typed: string): string {
  return tag === NUMBER_TAG && !isWrapped(typed) ? filterFor(tag, [typed]) : typed;
}

/** The values of a filter made by `filterFor`; undefined for any other filter. */
export function valuesIn(tag: string, filter: string): readonly string[] | undefined {
  const values = isWrapped(filter) ? alternatives(filter) : [filter];
  const isPlain = new Set(values).size === values.length && values.length > 0;
  return isPlain && filterFor(tag, values) === filter ? values : undefined;
}

function alternatives(filter: string): string[] {
  if (filter === '/^$/') return [''];
  const { body = '', optional = '' } =
    /^\/\^\((?<body>.*)\)(?<optional>\??)\$\/$/s.exec(filter)?.groups ?? {};
  const named = body.match(/(?:\\.|[^\\|])+/gs) ?? [];
  const values = named.map((one) => one.replace(/\\(.)/gs, '$1'));
  return optional === '' ? values : [...values, ''];
}

/**
 * The filters that exact values were probably meant as: "a,b" as either, "shop*" as a beginning, "shop/api" as a GVC and
 * its workload. Undefined: none of them.
 */
export function meantFilters(where: TagFilter): TagFilter | undefined {
  const meant = Object.entries(where).flatMap(([tag, value]): [string, string][] => {
    const [gvc = '', workload = '', ...others] = value.split('/');
    const isPath = tag === 'gvc' && gvc !== '' && workload !== '' && others.length === 0;
    if (isWrapped(value)) return [[tag, value]];
    if (isPath) return Object.entries({ gvc, workload });
    if (value.includes('*')) return [[tag, `/^${value.split('*').map(literal).join('.*')}$/`]];
    const names = value.split(',').filter((name) => name !== '');
    return [[tag, names.length > 1 ? filterFor(tag, names) : value]];
  });
  const filters = Object.fromEntries(meant);
  return JSON.stringify(filters) === JSON.stringify(where) ? undefined : filters;
}

function isWrapped(text: string): boolean {
  return text.startsWith('/') && text.endsWith('/');
}

function literal(value: string): string {
  return value.replace(/[\\^$.|?*+()[\]{}]/g, String.raw`\$&`);
}

/** Without these tags a row would have no price, or would mix usage that is metered alike (spec 2.6, 4.1 rule 1). */
export const ALWAYS_APART: readonly string[] = [
  'feature',
  'metric',
  'locationType',
  'performanceClass',
];

/** Steps whose boundaries include all boundaries of the requested one, largest first. */
const PARTS: Readonly<Record<TimeStep, readonly TimeStep[]>> = {
  month: ['month', 'day', 'hour'],
  week: ['week', 'day', 'hour'],
  day: ['day', 'hour'],
  hour: ['hour'],
};

/**
 * The query for the platform (spec 4.1, 4.5; design section 3). A step without boundaries at the
 * ends of the range would widen it, so a finer one is requested and added up here.
 */
export function toConsumptionQuery(
  query: ReportQuery,
  by: readonly string[],
  range: Range,
): ConsumptionQuery {
  const { step, items } = query;
  const tags = by.filter((one) => one !== BY_ITEM);
  return {
    startTime: rfc3339(range.startMs),
    endTime: rfc3339(range.endMs),
    timeStep: naturalStep(range, step && PARTS[step]),
    aggregateByTimeStep: step !== undefined,
    groupBy: tags,
    consumptionQueries: [
      {
        filterBy: filterOf(query),
        aggregateBy: [...new Set([...ALWAYS_APART, ...tags])],
        ...(items.length > 0 ? { chargeableItems: items } : {}),
      },
    ],
  };
}

/**
 * The filter of a query, including its metrics; may be empty. A plain number becomes a regular
 * expression, as the platform requires (spec 4.5 rule 2).
 */
export function filterOf({ where, of }: Pick<ReportQuery, 'where' | 'of'>): TagFilter {
  const filters = Object.entries(where).map(([tag, value]) => [tag, filterAsTyped(tag, value)]);
  const metric = of.length === 0 ? {} : { metric: filterFor('metric', of) };
  return { ...(Object.fromEntries(filters) as TagFilter), ...metric };
}

/** RFC 3339 in UTC. `ms` since the epoch, on whole seconds. */
export function rfc3339(ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', 'Z');
}

/**
 * A span in UTC, as usage and invoices are cut (spec 4.5 rule 1): "October 2026", "2026", "January
 * to March 2026", "5 October 2026", "1-15 October 2026", "28 September to 4 October 2026", "5
 * October 2026, 10:00-14:00 UTC", "5 October 2026, 10:00 to 7 October 2026, 14:00 UTC". Only hours
 * need the zone.
 */
export function describeRange(range: Range): string {
  return spanOf(range, ` ${yearOf(range.endMs - 1)}`);
}

/**
 * The span of a question, and how far it has progressed: "October 2026 (UTC)", "November 2026
 * (1-22, UTC)", "16-22 November 2026 (to 20 November, UTC)", "22 November 2026 (to 10:00, UTC)".
 * @param nowMs ms since the epoch
 */
export function describeAsked(range: Range, nowMs: number): string {
  const zone = isAligned(range, 'day') ? ['UTC'] : [];
  const notes = [...soFar(range, nowMs), ...zone].join(', ');
  return notes === '' ? describeRange(range) : `${describeRange(range)} (${notes})`;
}

/**
 * The span that a question is compared with, without the year if it is the same: "1-22 October",
 * "September", "October 2025". A running day is named as a whole.
 */
export function describeBefore(before: Range, asked: Range): string {
  const endMs = isAligned(asked, 'day') ? Math.ceil(before.endMs / DAY_MS) * DAY_MS : before.endMs;
  const year = yearOf(endMs - 1);
  const years = [before.startMs, endMs - 1, asked.startMs, asked.endMs - 1].map(yearOf);
  const isSameYear = new Set(years).size === 1;
  const span = { startMs: before.startMs, endMs };
  // Twelve months are named by their year only.
  const name = spanOf(span, isSameYear ? '' : ` ${year}`);
  return name === '' ? String(year) : name;
}

/** Too little of the span has passed for an estimate: a day of a month, 48 minutes of a day. */
export function isEarly({ startMs, endMs }: Range, nowMs: number): boolean {
  return (nowMs - startMs) * 30 < endMs - startMs;
}

/** The end of a running span: "30 November", "31 January 2027", "24:00 UTC" for a day. `nowMs` since the epoch. */
export function describeEnd({ startMs, endMs }: Range, nowMs: number): string {
  if (!isAligned({ startMs, endMs }, 'day')) return `${dayAndMonth(endMs)}, ${timeOf(endMs)} UTC`;
  if (endMs - startMs <= DAY_MS) return '24:00 UTC';
  const isThisYear = yearOf(endMs - 1) === yearOf(nowMs);
  return `${dayAndMonth(endMs - 1)}${isThisYear ? '' : ` ${yearOf(endMs - 1)}`}`;
}

/** "20 November 2026, 14:00 UTC". `ms` since the epoch. */
export function describeMoment(ms: number): string {
  return `${describeDay(ms)}, ${timeOf(ms)} UTC`;
}

/** "5 October 2026", in UTC. `ms` since the epoch. */
export function describeDay(ms: number): string {
  return `${dayAndMonth(ms)} ${yearOf(ms)}`;
}

/** "22 November", in UTC. `ms` since the epoch. */
export function dayAndMonth(ms: number): string {
  return `${dayNumber(ms)} ${monthName(ms)}`;
}

function soFar(range: Range, nowMs: number): string[] {
  const { startMs, endMs } = range;
  if (nowMs >= endMs) return [];
  if (nowMs < startMs) return ['not begun'];
  const toHour = `to ${timeOf(Math.floor(nowMs / HOUR_MS) * HOUR_MS)}`;
  if (endMs - startMs <= DAY_MS) return [toHour];
  const isOneMonth = isAligned(range, 'month') && countSteps(range, 'month') === 1;
  if (!isOneMonth) return [endMs - nowMs < DAY_MS ? toHour : `to ${dayAndMonth(nowMs)}`];
  return [dayNumber(nowMs) === 1 ? '1' : `1-${dayNumber(nowMs)}`];
}

/** @param year " 2026", after the last month; empty when it is clear */
function spanOf(range: Range, year: string): string {
  const { startMs, endMs } = range;
  const lastMs = endMs - 1;
  const isOneYear = yearOf(startMs) === yearOf(lastMs);
  const firstYear = isOneYear ? '' : ` ${yearOf(startMs)}`;
  if (isAligned(range, 'month')) {
    const [first, last] = [monthName(startMs), monthName(lastMs)];
    if (isOneYear && first === 'January' && last === 'December') return year.trim();
    return isOneYear && first === last
      ? `${last}${year}`
      : `${first}${firstYear} to ${last}${year}`;
  }
  if (isAligned(range, 'day')) {
    const last = `${dayAndMonth(lastMs)}${year}`;
    if (stepStart(startMs, 'day') === stepStart(lastMs, 'day')) return last;
    const isOneMonth = stepStart(startMs, 'month') === stepStart(lastMs, 'month');
    return isOneMonth
      ? `${dayNumber(startMs)}-${last}`
      : `${dayAndMonth(startMs)}${firstYear} to ${last}`;
  }
  const start = `${dayAndMonth(startMs)}${isOneYear ? year : firstYear}, ${timeOf(startMs)}`;
  const isOneDay = stepStart(startMs, 'day') === stepStart(lastMs, 'day');
  // The end of a day is 24:00, not 00:00 of the next one.
  const end = isOneDay && stepStart(endMs, 'day') === endMs ? '24:00' : timeOf(endMs);
  const endYear = year === '' ? '' : ` ${yearOf(endMs)}`;
  return isOneDay
    ? `${start}-${end} UTC`
    : `${start} to ${dayAndMonth(endMs)}${endYear}, ${end} UTC`;
}

function yearOf(ms: number): number {
  return new Date(ms).getUTCFullYear();
}

function dayNumber(ms: number): number {
  return new Date(ms).getUTCDate();
}

const months = new Intl.DateTimeFormat('en-GB', { month: 'long', timeZone: 'UTC' });

function monthName(ms: number): string {
  return months.format(ms);
}

/** "14:00", in UTC. */
function timeOf(ms: number): string {
  return new Date(ms).toISOString().slice(11, 16);
}

/**
 * How long after its end a span can still be revised, in ms: "up to about 48 hours" (spec 2.11), and 6 hours of margin.
 */
export const REVISION_MS = 54 * HOUR_MS;

/** When the figures of a span are final, ms since the epoch. */
export function finalFrom({ endMs }: Pick<Range, 'endMs'>): number {
  return endMs + REVISION_MS;
}

/** Whether the figures of a span can still be revised. @param nowMs ms since the epoch */
export function isProvisional(range: Pick<Range, 'endMs'>, nowMs: number): boolean {
  return nowMs < finalFrom(range);
}
