import { DAY_MS, HOUR_MS } from '../lib/time.ts';
import { isAligned, stepStart } from './range.ts';
import type { Range } from './range.ts';

/**
 * Spans and moments as people write them, all in UTC, since that is how usage and invoices are cut (spec
 * 4.5 rule 1). A span of whole days needs no zone beside it; one of hours says it.
 */

/**
 * "October 2026", "2026", "January to March 2026", "5 October 2026", "1-15 October 2026", "28 September to
 * 4 October 2026", "5 October 2026, 10:00-14:00 UTC", "5 October 2026, 10:00 to 7 October 2026, 14:00 UTC".
 */
export function describeRange(range: Range): string {
  return spanOf(range, ` ${yearOf(range.endMs - 1)}`);
}

/**
 * The span of a question, as far as it has come: "October 2026 (UTC)", "November 2026 (1-22, UTC)",
 * "16-22 November 2026 (to 20 November, UTC)", "22 November 2026 (to 10:00, UTC)".
 * @param nowMs ms since the epoch
 */
export function describeAsked(range: Range, nowMs: number): string {
  const { startMs, endMs } = range;
  const isOfHours = !isAligned(range, 'day');
  const zone = isOfHours ? [] : ['UTC'];
  const notes = [...soFar({ startMs, endMs }, nowMs), ...zone].join(', ');
  return notes === '' ? describeRange(range) : `${describeRange(range)} (${notes})`;
}

/**
 * The span that a question is compared with, without the year where it is that of the question:
 * "1-22 October", "September", "October 2025". Of a running day it names the whole of it.
 */
export function describeBefore(before: Range, asked: Range): string {
  const endMs = isAligned(asked, 'day') ? Math.ceil(before.endMs / DAY_MS) * DAY_MS : before.endMs;
  const year = yearOf(endMs - 1);
  const years = [before.startMs, endMs - 1, asked.startMs, asked.endMs - 1].map(yearOf);
  const isSameYear = new Set(years).size === 1;
  const span = { startMs: before.startMs, endMs };
  // Twelve months have no other name than their year.
  const name = spanOf(span, isSameYear ? '' : ` ${year}`);
  return name === '' ? String(year) : name;
}

/** When a running span is over: "30 November", "31 January 2027", "24:00 UTC" of a day. `nowMs` since the epoch. */
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

/** "5 October 2026", in UTC, of a moment in ms since the epoch. */
export function describeDay(ms: number): string {
  return `${dayAndMonth(ms)} ${yearOf(ms)}`;
}

/** "22 November", in UTC, of a moment in ms since the epoch. */
export function dayAndMonth(ms: number): string {
  return `${dayNumber(ms)} ${monthName(ms)}`;
}

function soFar({ startMs, endMs }: Range, nowMs: number): string[] {
  if (nowMs >= endMs) return [];
  if (nowMs < startMs) return ['not begun'];
  if (endMs - startMs <= DAY_MS) return [`to ${timeOf(Math.floor(nowMs / HOUR_MS) * HOUR_MS)}`];
  const isOneMonth =
    stepStart(startMs, 'month') === startMs &&
    stepStart(endMs - 1, 'month') === startMs &&
    stepStart(endMs, 'month') === endMs;
  if (!isOneMonth) return [`to ${dayAndMonth(nowMs)}`];
  return [dayNumber(nowMs) === 1 ? '1' : `1-${dayNumber(nowMs)}`];
}

/** @param year " 2026", behind the name of the last month; empty where it is clear which */
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
  // The end of a day is said as such, and not as the beginning of the next one.
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
