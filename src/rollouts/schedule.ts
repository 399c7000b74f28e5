import { createHash } from 'node:crypto';
import type { Watch } from './watches.ts';

/** A GVC that has at least one watch. */
export interface WatchedGvc {
  org: string;
  gvc: string;
}

/** One entry per GVC, however many watches it has. */
export function watchedGvcs(watches: readonly Watch[]): WatchedGvc[] {
  const known = new Map(watches.map(({ org, gvc }) => [`${org}/${gvc}`, { org, gvc }]));
  return [...known.values()];
}

/** Where in the beat of `everyMs` milliseconds a GVC is polled: spread, and the same after each start. */
export function offsetOf({ org, gvc }: WatchedGvc, everyMs: number): number {
  const hash = createHash('sha1').update(`${org}/${gvc}`).digest().readUInt32BE(0);
  return hash % everyMs;
}
