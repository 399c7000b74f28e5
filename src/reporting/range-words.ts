import { DAY_MS, HOUR_MS } from '../lib/time.ts';
import { truncate } from '../lib/text.ts';
import { nearest } from '../lib/words.ts';
import type { TimeStep } from '../platform/consumption/query.ts';

export type CalendarUnit = TimeStep | 'year';

type Span =
  | { readonly kind: 'this'; readonly unit: CalendarUnit }
  /** That many complete units before the current one. */
  | { readonly kind: 'last'; readonly count: number; readonly unit: CalendarUnit }
  /** Ms since the epoch, the end exclusive. */
  | { readonly kind: 'fixed'; readonly startMs: number; readonly endMs: number };

/** In canonical spelling, or an error. */
export type RangeReading =
  | { readonly span: Span; readonly words: string; readonly used: number }
  | {
      readonly problem: string;
      readonly fix: string | undefined;
      readonly used: number;
    };

export const MAX_RANGE_WORDS = 3;

/** Menus offer these; all can be typed. */
export const RANGE_WORDS = [
  'today',
  'yesterday',
  'this week',
  'last week',
  'this month',
  'last month',
  'last 7 days',
  'last 30 days',
  'last 3 months',
  'last 12 months',
  'this year',
  'last year',
] as const;

/** Ten years in each countable unit. */
const maxUnits = { hour: 87_600, day: 3_650, week: 520, month: 120 } as const;
const countedUnits = ['hour', 'day', 'week', 'month'] as const;
const currentUnits = ['week', 'month', 'year'] as const;

const firstMs = Date.UTC(2000, 0);
const endMs = Date.UTC(2100, 0);

/** The range that begins with the first word (design section 3); undefined without one. */
export function readRange(words: readonly string[]): RangeReading | undefined {
  const [first = '', second = '', third = ''] = words.map((word) => word.toLowerCase());
  switch (first) {
    case 'today':
      return { span: { kind: 'this', unit: 'day' }, words: first, used: 1 };
    case 'yesterday':
      return { span: { kind: 'last', count: 1, unit: 'day' }, words: first, used: 1 };
    case 'this':
      return readThis(second);
    case 'last':
      return /^\d/.test(second) ? readCounted(second, third) : readLast(second, third);
    default:
      return /^\d{4}-\d/.test(first) ? readDates(words) : undefined;
  }
}

function readThis(word: string): RangeReading {
  const unit = currentUnits.find((known) => known === word);
  if (unit) return { span: { kind: 'this', unit }, words: `this ${unit}`, used: 2 };

  const meant = nearest(word, currentUnits);
  return problem(
    'After "this" comes week, month or year.',
    word === '' ? 1 : 2,
    meant && `this ${meant}`,
  );
}

const AFTER_LAST =
  'After "last" comes week, month, year or a number of hours, days, weeks or months.';
const NUMBERS = 'one two three four five six seven eight nine ten eleven twelve'.split(' ');

function readLast(word: string, next: string): RangeReading {
  const unit = currentUnits.find((known) => known === word);
  if (unit) return { span: { kind: 'last', count: 1, unit }, words: `last ${unit}`, used: 2 };
  if (word === 'day' || word === 'hour') return lastUnits(1, word, 2);

  const count = NUMBERS.indexOf(word) + 1;
  const counted = count === 0 ? undefined : readCounted(String(count), next);
  if (counted) {
    const fix = 'words' in counted ? counted.words : counted.fix;
    return problem(AFTER_LAST, counted.used, fix);
  }
  const meant = word === 'quarter' ? '3 months' : nearest(word, currentUnits);
  return problem(AFTER_LAST, word === '' ? 1 : 2, meant && `last ${meant}`);
}

/** "last 3 days"; other spellings such as "last 30d" are only corrected. */
function readCounted(number: string, word: string): RangeReading {
  const { count = '', glued = '' } = /^(?<count>\d+)(?<glued>\D*)/.exec(number)?.groups ?? {};
  const unit = countedUnits.find((known) => word === known || word === `${known}s`);
  if (glued === '' && unit) return lastUnits(Number(count), unit, 3);

  const used = glued !== '' || word === '' ? 2 : 3;
  const right = lastMeant(Number(count), glued === '' ? word : glued, used);
  return problem(
    `After "last ${truncate(number, 20)}" comes hours, days, weeks or months.`,
    used,
    right && 'words' in right ? right.words : undefined,
  );
}

/** Years and quarters are counted in months. */
function lastMeant(count: number, word: string, used: number): RangeReading | undefined {
  const months = /^(?:y|years?)$/.test(word) ? 12 : /^(?:q|quarters?)$/.test(word) ? 3 : 0;
  if (months > 0) return lastUnits(count * months, 'month', used);
  const unit = nearestUnit(word);
  return unit && lastUnits(count, unit, used);
}

function nearestUnit(word: string) {
  if (word === '') return undefined;
  return (
    countedUnits.find((unit) => unit.startsWith(word)) ??
    countedUnits.find((unit) => nearest(word, [unit, `${unit}s`]) !== undefined)
  );
}

function lastUnits(count: number, unit: (typeof countedUnits)[number], used: number): RangeReading {
  if (count === 0) {
    return problem(`"last 0 ${unit}s" is no time at all: ask for 1 or more.`, used);
  }
  if (count > maxUnits[unit]) {
    return problem(
      `That is too far back: ask for at most the last ${maxUnits[unit]} ${unit}s.`,
      used,
    );
  }
  const words = `last ${count} ${unit}${count === 1 ? '' : 's'}`;
  return { span: { kind: 'last', count, unit }, words, used };
}

/** Whole days or months, one or two joined by `..`, or two full hours. */
function readDates(words: readonly string[]): RangeReading {
  let [text = ''] = words;
  let used = 1;
  for (const word of words.slice(1, MAX_RANGE_WORDS)) {
    if (!text.endsWith('..') && !word.startsWith('..')) break;
    text += word;
    used += 1;
  }

  const ends = text.split('..');
  const read = ends.map(readEnd);
  const [from, to] = [read[0], read.at(-1)];
  if (ends.length > 2 || from === undefined || to === undefined) return noDate(text, used);
  if ('problem' in from) return problem(from.problem, used);
  if ('problem' in to) return problem(to.problem, used);
  return join(from, to, { text, used });
}

/** A whole day or month, or the beginning of an hour. */
interface End {
  readonly text: string;
  readonly kind: 'days' | 'hour';
  readonly startMs: number;
  readonly endMs: number;
}

function readEnd(text: string): End | { problem: string } | undefined {
  return readDay(text) ?? readHour(text);
}

function readDay(text: string): End | { problem: string } | undefined {
  const { year, month, day } =
    /^(?<year>\d{4})-(?<month>\d{2})(?:-(?<day>\d{2}))?$/.exec(text)?.groups ?? {};
  if (year === undefined) return undefined;

  const startMs = dateMs(Number(year), Number(month), Number(day ?? 1));
  if (startMs === undefined) return notInCalendar(text);
  const endMs = day === undefined ? Date.UTC(Number(year), Number(month)) : startMs + DAY_MS;
  return { text, kind: 'days', startMs, endMs };
}

/** RFC 3339, seconds optional; offsets other than Z are converted. */
function readHour(text: string): End | { problem: string } | undefined {
  const { date, hour, minute, rest, sign, offsetHour, offsetMinute } =
    /^(?<date>\d{4}-\d{2}-\d{2})t(?<hour>\d{2}):(?<minute>\d{2})(?<rest>:\d{2}(?:\.\d+)?)?(?:z|(?<sign>[+-])(?<offsetHour>\d{2}):(?<offsetMinute>\d{2}))$/i.exec(
      text,
    )?.groups ?? {};
  if (date === undefined) return undefined;

  const day = readDay(date);
  if (day === undefined || 'problem' in day) return day;
  if (Number(hour) > 23 || Number(minute) > 59) return notInCalendar(text);
  if (Number(offsetHour ?? 0) > 23 || Number(offsetMinute ?? 0) > 59) return notInCalendar(text);

  const offset = Number(offsetHour ?? 0) * 60 + Number(offsetMinute ?? 0);
  const minutes = Number(hour) * 60 + Number(minute) + (sign === '-' ? offset : -offset);
  if (minutes % 60 !== 0 || /[1-9]/.test(rest ?? '')) {
    return {
      problem: `${truncate(text.toUpperCase(), 60)} is no full hour in UTC: write full hours.`,
    };
  }
  const ms = day.startMs + minutes * 60_000;
  return {
    text: `${new Date(ms).toISOString().slice(0, 19)}Z`,
    kind: 'hour',
    startMs: ms,
    endMs: ms,
  };
}

function join(from: End, to: End, typed: { text: string; used: number }): RangeReading {
  const { used } = typed;
  const text = truncate(typed.text, 60);
  if (from.kind !== to.kind) {
    return problem('Both ends of a range are days, or both are hours.', used);
  }
  if (from === to && from.kind === 'hour') {
    return problem(
      'One hour is not a range: join its start and its end by "..".',
      used,
      `${from.text}..${new Date(from.startMs + HOUR_MS).toISOString().slice(0, 19)}Z`,
    );
  }
  if (to.startMs < from.startMs) {
    return problem(`${text} ends before it begins.`, used, `${to.text}..${from.text}`);
  }
  const span = { kind: 'fixed', startMs: from.startMs, endMs: to.endMs } as const;
  if (span.startMs === span.endMs) return problem(`${text} ends where it begins.`, used);
  if (span.startMs < firstMs || span.endMs > endMs) {
    return problem(`${text} is not within the years 2000 to 2099.`, used);
  }
  return { span, words: from === to ? from.text : `${from.text}..${to.text}`, used };
}

/** Undefined for a day or month that does not exist. */
function dateMs(year: number, month: number, day: number): number | undefined {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 ? date.getTime() : undefined;
}

function notInCalendar(text: string) {
  return {
    problem: `There is no ${truncate(text.toUpperCase(), 60)} in the calendar.`,
  };
}

function noDate(text: string, used: number): RangeReading {
  return problem(
    `"${truncate(text, 60)}" is not a range: write 2026-10, 2026-10-05 or 2026-10-01..2026-10-15.`,
    used,
    everydayDates(text),
  );
}

/** Dates in another spelling: "2026-10-1", "2026/10", "10/2026", "05.10.2026", "2026-10-01–2026-10-15", "2026". */
export function everydayDates(text: string): string | undefined {
  const iso = text
    .replace(/(?<=\d)(?:…|\.{3,}|[–—])(?=\d{4})/g, '..')
    .replace(/[‐‑‒–—−/]/g, '-')
    .replace(/(?<!\d)(\d{1,2})\.(\d{1,2})\.(\d{4})(?!\d)/g, '$3-$2-$1')
    .replace(/^(\d{1,2})-(\d{4})$/, '$2-$1')
    .replace(/(?<=-)\d(?!\d)/g, '0$&')
    .replace(/^(20\d\d)$/, '$1-01..$1-12');
  const reading = iso === text ? undefined : readRange([iso]);
  return reading && 'words' in reading ? reading.words : undefined;
}

function problem(problem: string, used: number, fix?: string): RangeReading {
  return { problem, used, fix };
}
