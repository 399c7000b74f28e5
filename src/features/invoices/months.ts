import { isAligned } from '../../figures/range.ts';

const month = { month: 'short', year: 'numeric' } as const;
const day = { ...month, day: 'numeric' } as const;
const minute = { ...day, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;

/** Start of the month that is `months` after the one of `ms`, in UTC, ms since the epoch. */
export function monthStart(ms: number, months: number): number {
  const at = new Date(ms);
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months, 1);
}

/**
 * A span in UTC in the fewest words: "Oct 2026", "Oct–Nov 2026", "Oct 5–31, 2026"; an hour is named
 * only where whole days are not kept. A dash where the platform does not say it.
 * @param startMs ms since the epoch
 * @param endMs likewise, exclusive
 */
export function monthsInWords(startMs: number | undefined, endMs: number | undefined): string {
  if (startMs === undefined || endMs === undefined || endMs <= startMs) return '–';
  if (isAligned({ startMs, endMs }, 'month')) return inWords(month, startMs, endMs - 1);
  if (isAligned({ startMs, endMs }, 'day')) return inWords(day, startMs, endMs - 1);
  return `${inWords(minute, startMs, endMs)} UTC`;
}

function inWords(format: Intl.DateTimeFormatOptions, startMs: number, lastMs: number): string {
  const words =
    formats.get(format) ?? new Intl.DateTimeFormat('en-US', { ...format, timeZone: 'UTC' });
  formats.set(format, words);
  // Which of Unicode's many spaces stand there is up to the version of the runtime.
  return words
    .formatRange(startMs, lastMs)
    .split('–')
    .map((end) => end.trim())
    .join('–')
    .replace(/\s/g, ' ');
}

/** One for each of the three formats: they take long to make. */
const formats = new Map<Intl.DateTimeFormatOptions, Intl.DateTimeFormat>();
