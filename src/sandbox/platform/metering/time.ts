export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;

export const TIME_STEPS = ['hour', 'day', 'week', 'month'] as const;
export type TimeStep = (typeof TIME_STEPS)[number];

const RFC_3339 =
  /^(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d:\d\d)(\.\d+)?(?:[Zz]|([+-])([01]\d|2[0-3]):([0-5]\d))$/;

/** A moment that someone wrote down, ms since the epoch. */
export interface Instant {
  readonly ms: number;
}

/** Reads an RFC 3339 time; undefined for anything else, a 30th of February included. */
export function parseInstant(text: string): Instant | undefined {
  const [, date, time, fraction = '', sign, hours, minutes] = RFC_3339.exec(text) ?? [];
  const clock = Date.parse(`${date}T${time}Z`);
  if (Number.isNaN(clock) || iso(clock) !== `${date}T${time}.000Z`) return undefined;
  const offset = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000;
  return { ms: clock + Number(`0${fraction}`) * 1000 - (sign === '-' ? -offset : offset) };
}

export function iso(ms: number): string {
  return new Date(ms).toISOString();
}

/**
 * The boundary of a step at or before `ms`. Boundaries are those of UTC: a midnight that was written
 * with another offset does not count (spec 4.5, rule 1).
 */
export function floorTo(ms: number, step: TimeStep): number {
  switch (step) {
    case 'hour':
      return floorBy(ms, HOUR_MS);
    case 'day':
      return floorBy(ms, DAY_MS);
    case 'week':
      // The epoch was a Thursday; weeks start on Monday.
      return floorBy(ms + 3 * DAY_MS, WEEK_MS) - 3 * DAY_MS;
    case 'month':
      return monthOf(ms);
  }
}

/** The boundary at or after `ms`. */
export function ceilTo(ms: number, step: TimeStep): number {
  const floor = floorTo(ms, step);
  return floor === ms ? ms : nextBoundary(floor, step);
}

/** The boundary that follows `boundary`. */
export function nextBoundary(boundary: number, step: TimeStep): number {
  switch (step) {
    case 'hour':
      return boundary + HOUR_MS;
    case 'day':
      return boundary + DAY_MS;
    case 'week':
      return boundary + WEEK_MS;
    case 'month':
      return addMonths(boundary, 1);
  }
}

/** Start of the UTC month that `ms` is in. */
export function monthOf(ms: number): number {
  return addMonths(ms, 0);
}

/** Start of the UTC month `months` after the one that `ms` is in. */
export function addMonths(ms: number, months: number): number {
  const date = new Date(ms);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months);
}

/** Number, since the epoch, of the first hour that begins at or after `ms`. */
export function hourFrom(ms: number): number {
  return Math.ceil(ms / HOUR_MS);
}

function floorBy(ms: number, unit: number): number {
  return Math.floor(ms / unit) * unit;
}
