import type { Row } from './track.ts';

type State = Row['state'];

/** Worst first: one word for a whole rollout, and what stands on top of a table. */
export const URGENCY: readonly State[] = [
  'failed',
  'unhealthy',
  'stale',
  'diverged',
  'deploying',
  'pending',
  'waiting',
  'unknown',
  'suspended',
  'idle',
  'gone',
  'cron',
  'ready',
];

/** Compares rows of any table, worst first. */
export function byUrgency(a: { state: State }, b: { state: State }): number {
  return URGENCY.indexOf(a.state) - URGENCY.indexOf(b.state);
}
