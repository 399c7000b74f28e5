import { SandboxError } from '../errors.ts';
import { HOUR_MS, parseInstant } from '../metering/time.ts';

/** A span of time, ms since the epoch, `end` exclusive. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * The range of an invoice list (spec 4.2 and 7): throws a SandboxError that is plain text (400)
 * without a valid start and end, and one of 500 if they are not on an hour.
 */
export function rangeOf(query: Readonly<Record<string, unknown>>): Range {
  const [start, end] = [timeOf(query, 'start'), timeOf(query, 'end')];
  if (start % HOUR_MS !== 0 || end % HOUR_MS !== 0)
    throw new SandboxError(500, 'start and end must be aligned with an hour boundary');
  return { start, end };
}

/** Whether the two have any time in common; a range that ends before it starts has no time at all. */
export function overlaps(
  { startTime, endTime }: { startTime: number; endTime: number },
  { start, end }: Range,
): boolean {
  return start < end && startTime < end && endTime > start;
}

function timeOf(query: Readonly<Record<string, unknown>>, name: string): number {
  const value = query[name];
  if (value === undefined) throw new SandboxError(400, `${name} is required`, { plain: true });
  const time = typeof value === 'string' ? parseInstant(value) : undefined;
  if (time === undefined)
    throw new SandboxError(400, `${name} must be an RFC 3339 time`, { plain: true });
  return time.ms;
}
