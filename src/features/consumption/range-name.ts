import { describeRange, isAligned } from '../../figures/range.ts';
import type { Range } from '../../figures/range.ts';

const DAY_MS = 86_400_000;

/** A span as words of a query: whole days where they say it, else its two hours (design section 3). */
export function rangeWords(range: Range): string {
  return isAligned(range, 'day')
    ? `${dayOf(range.startMs)}..${dayOf(range.endMs - DAY_MS)}`
    : `${timeOf(range.startMs)}..${timeOf(range.endMs)}`;
}

/** A span in the name of a file: "2026-11", "2026-11-05", "2026-11-01-to-2026-11-30", "2026-11-05T10-to-2026-11-05T14". */
export function rangeInFileName(range: Range): string {
  const [first, last] = [dayOf(range.startMs), dayOf(range.endMs - 1)];
  if (!isAligned(range, 'day')) {
    return `${timeOf(range.startMs).slice(0, 13)}-to-${timeOf(range.endMs).slice(0, 13)}`;
  }
  if (first === last) return first;
  const isMonth = isAligned(range, 'month') && first.slice(0, 7) === last.slice(0, 7);
  return isMonth ? first.slice(0, 7) : `${first}-to-${last}`;
}

/** A step of a course: "2026-11-05" and "2026-11" for a whole day and month, else with both of its ends. */
export function describeStep(step: Range): string {
  const name = rangeInFileName(step);
  return name.includes('-to-') ? describeRange(step) : name;
}

/** "2026-11-05", of a moment in ms since the epoch. */
export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString().replace(':00.000Z', ':00Z');
}
