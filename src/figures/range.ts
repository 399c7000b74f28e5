import type { TimeStep } from '../platform/consumption/query.ts';

/** A span of time in UTC: ms since the epoch on whole hours, the end exclusive. */
export interface Range {
  readonly startMs: number;
  readonly endMs: number;
}

/** The span that words of a query mean at a moment. @throws Unreadable */
export function resolveRange(_words: string, _nowMs: number): Range {
  throw new Error('not there yet');
}

/**
 * What a span is compared with (design section 3): an equally long one before it, of a running one
 * the same elapsed part in whole hours. Undefined when nothing has elapsed.
 */
export function spanBefore(_range: Range, _nowMs: number): Range | undefined {
  throw new Error('not there yet');
}

/** The largest step on whose boundaries both ends lie (design section 3). */
export function naturalStep(_range: Range): TimeStep {
  throw new Error('not there yet');
}

/** "2026-10-01 00:00 to 2026-11-01 00:00 UTC". */
export function describeRange(_range: Range): string {
  throw new Error('not there yet');
}
