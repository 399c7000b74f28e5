import { HOUR_MS } from '../lib/time.ts';
import type { Range } from './range.ts';

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
