import { DAY_MS, HOUR_MS } from '../lib/time.ts';
import { isOfPastUnits, resolveRange, stepStart, type Range } from './range.ts';

export const CADENCES = ['daily', 'weekly', 'monthly'] as const;

export type Cadence = (typeof CADENCES)[number];

/** Hours from 0 to 23 and minutes from 0 to 59. */
export interface TimeOfDay {
  readonly hour: number;
  readonly minute: number;
}

/**
 * A recurring time of day in a zone; weekly on Monday, monthly on the 1st. A time skipped by
 * daylight saving moves to the first moment after the gap; a time that occurs twice counts once,
 * the first time. So every local day has one slot, except days that the zone skipped, as Samoa did
 * 2011-12-30.
 */
export interface Schedule {
  readonly every: Cadence;
  readonly time: TimeOfDay;
  /** IANA name, such as Europe/Berlin. */
  readonly zone: string;
}

export interface Slot {
  /**
   * The local day of the slot, "2026-10-14". The slot itself is on the next day where the clock
   * skips the end of this one, as in Nuuk, which goes from 23:00 to 00:00 in spring.
   */
  readonly day: string;
  /** ms since the epoch */
  readonly at: number;
}

/**
 * Local times and days are in ms, too: since the epoch, as if the local clock were in UTC. So they
 * can be compared, and steps of UTC apply to them.
 */

/** One slot in each `step`, which has at most `days` days. */
const periods = {
  daily: { step: 'day', days: 1 },
  weekly: { step: 'week', days: 7 },
  monthly: { step: 'month', days: 31 },
} as const;

/** By zone in lower case, because they are slow to make. */
const offsets = new Map<string, Intl.DateTimeFormat>();

export function isZone(name: string): boolean {
  // Newer versions of Node also accept offsets such as +02:00, which have no daylight saving.
  if (!/^[A-Za-z][A-Za-z0-9_+/-]*$/.test(name)) return false;
  try {
    return offsetsOf(name) !== undefined;
  } catch {
    return false;
  }
}

/**
 * The latest slot at or before a moment since 1970; always exists.
 * @param nowMs ms since the epoch
 * @throws RangeError for an unknown zone
 */
export function lastSlot(schedule: Schedule, nowMs: number): Slot {
  const { step } = periods[schedule.every];
  // Where the clock was set back over midnight, tomorrow has begun before, and its slot may have
  // passed.
  let dayMs = dayAfter(schedule.every, stepStart(localTime(schedule.zone, nowMs), step));
  let slot = slotOf(schedule, dayMs);
  while (slot === undefined || slot.at > nowMs) {
    dayMs = stepStart(dayMs - 1, step);
    slot = slotOf(schedule, dayMs);
  }
  return slot;
}

/**
 * The first slot after a moment since 1970.
 * @param nowMs ms since the epoch
 * @throws RangeError for an unknown zone
 */
export function nextSlot(schedule: Schedule, nowMs: number): Slot {
  let dayMs = Date.parse(lastSlot(schedule, nowMs).day);
  let slot: Slot | undefined;
  while (slot === undefined) {
    dayMs = dayAfter(schedule.every, dayMs);
    slot = slotOf(schedule, dayMs);
  }
  return slot;
}

/** The subject of the answer of a slot; times are ms since the epoch. */
export interface SlotReport {
  /** The range is relative to it. */
  readonly askedAt: number;
  readonly range: Range;
  /** When it can be posted: at the slot, or later, when the range is over in UTC. */
  readonly dueAt: number;
}

/**
 * Past units are those before the local day of the slot: 09:00 on 1 November in Sydney reports October, which is over in
 * UTC two hours later. Other ranges are relative to the moment of the slot.
 * @param words a range, as in `resolveRange`
 */
export function reportOfSlot(words: string, { day, at }: Slot): SlotReport {
  const isPast = isOfPastUnits(words);
  const askedAt = isPast ? Date.parse(day) : at;
  const range = resolveRange(words, askedAt);
  return { askedAt, range, dueAt: isPast ? Math.max(at, range.endMs) : at };
}

/** "daily at 09:00 Europe/Berlin", "every Monday at 09:00 UTC", "on the 1st of each month at 09:00 UTC" */
export function describeSchedule({ every, time, zone }: Schedule): string {
  const days = { daily: 'daily', weekly: 'every Monday', monthly: 'on the 1st of each month' };
  // Slack calls it Etc/UTC.
  const where = /^(etc\/)?utc$/i.test(zone) ? 'UTC' : zone;
  return `${days[every]} at ${formatTime(time)} ${where}`;
}

/** "09:00" or "9:00", from 00:00 to 23:59; undefined for anything else. */
export function readTime(text: string): TimeOfDay | undefined {
  const [, hour, minute] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  return hour === undefined ? undefined : { hour: Number(hour), minute: Number(minute) };
}

/** "9", "9am", "9:30pm", "0930" and "noon" as "09:00"; undefined for anything else. */
export function everydayTime(text: string): string | undefined {
  const [, hour = '', minute = '00', half] =
    /^(\d{1,2}?)(?:[:.h]?(\d{2}))?h?(am|pm)?$/i.exec(text.replace(/^noon$/i, '12')) ?? [];
  const isAfternoon = half?.toLowerCase() === 'pm';
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (isAfternoon ? 12 : 0);
  const time = hour === '' ? undefined : readTime(`${hours}:${minute}`);
  return time && formatTime(time);
}

export function formatTime({ hour, minute }: TimeOfDay): string {
  return [hour, minute].map((part) => String(part).padStart(2, '0')).join(':');
}

/** @param dayMs a first day of a period */
function dayAfter(every: Cadence, dayMs: number): number {
  const { step, days } = periods[every];
  return stepStart(dayMs + days * DAY_MS, step);
}

/** Undefined when the zone skipped the day. */
function slotOf({ zone, time }: Schedule, dayMs: number): Slot | undefined {
  if (localTime(zone, firstMoment(zone, dayMs)) >= dayMs + DAY_MS) return undefined;
  const timeMs = time.hour * HOUR_MS + time.minute * 60_000;
  const day = new Date(dayMs).toISOString().slice(0, 10);
  return { day, at: firstMoment(zone, dayMs + timeMs) };
}

/**
 * The first moment when the clock of a zone shows this local time or a later one, in ms since the
 * epoch. Assumes that no zone sets its clock twice within a day.
 */
function firstMoment(zone: string, timeMs: number): number {
  const lag = (ms: number) => timeMs - localTime(zone, ms);
  // No zone is a day off UTC, so the time is still to come.
  let before = timeMs - DAY_MS;
  let moment = before + lag(before);
  // Not reached yet if the clock was set back on the way.
  while (lag(moment) > 0) {
    before = moment;
    moment += lag(moment);
  }
  return lag(moment) === 0 ? moment : firstWhere((ms) => lag(ms) <= 0, before, moment);
}

/** Binary search. */
function firstWhere(passes: (ms: number) => boolean, failing: number, passing: number): number {
  if (passing - failing <= 1) return passing;
  const middle = Math.floor((failing + passing) / 2);
  return passes(middle) ? firstWhere(passes, failing, middle) : firstWhere(passes, middle, passing);
}

/** The local time of a moment, as if the local clock were in UTC; ms since the epoch. */
function localTime(zone: string, ms: number): number {
  // "10/14/2026, GMT+05:45", or "GMT" without an offset.
  const [, sign, hours, minutes, seconds] =
    /([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(offsetsOf(zone).format(ms)) ?? [];
  if (sign === undefined) return ms;
  const size = Number(hours) * HOUR_MS + Number(minutes) * 60_000 + Number(seconds ?? 0) * 1_000;
  return sign === '-' ? ms - size : ms + size;
}

function offsetsOf(zone: string): Intl.DateTimeFormat {
  const key = zone.toLowerCase();
  const made =
    offsets.get(key) ??
    new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  offsets.set(key, made);
  return made;
}
