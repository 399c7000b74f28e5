import type { Ending, OutcomeKind, Row, Track } from './track.ts';

type State = Row['state'];

/** A sign beside the word; it never stands alone, and no two that matter differ by colour only. */
export const SIGNS: Record<State | OutcomeKind | 'superseded', string> = {
  ready: ':white_check_mark:',
  recovered: ':white_check_mark:',
  deploying: ':hourglass_flowing_sand:',
  pending: ':hourglass:',
  waiting: ':hourglass:',
  failed: ':x:',
  unhealthy: ':warning:',
  stale: ':grey_question:',
  unknown: ':grey_question:',
  diverged: ':twisted_rightwards_arrows:',
  suspended: ':double_vertical_bar:',
  idle: ':zzz:',
  cron: ':calendar:',
  gone: ':heavy_minus_sign:',
  superseded: ':fast_forward:',
};

/** What a state means, for someone who has never seen the word. */
export const MEANINGS: Record<State, string> = {
  ready: 'serving the expected version',
  deploying: 'the expected version is coming up',
  pending: 'the change has not been applied yet',
  waiting: 'the change has not reached this location yet',
  failed: 'the rollout stopped without success',
  unhealthy: 'was ready and is not any more',
  stale: 'the location does not report; nothing is known',
  unknown: 'nothing was reported yet',
  diverged: 'the location is not converging on the expected version',
  suspended: 'switched off by suspend',
  idle: 'scaled to zero',
  cron: 'runs on a schedule',
  gone: 'no longer listed',
};

/** Worst first: one word for a whole rollout. */
const ORDER: readonly State[] = [
  'failed',
  'unhealthy',
  'stale',
  'diverged',
  'deploying',
  'pending',
  'waiting',
  'unknown',
];

/** The state word of a card. */
export function wordOf(track: Track, rows: readonly Row[]): State | 'superseded' {
  if (track.ending === 'superseded') return 'superseded';
  const worst = ORDER.find((state) => rows.some((row) => row.state === state));
  if (worst === 'waiting') return 'deploying';
  if (worst !== undefined) return worst;
  if (rows.some((row) => row.state === 'ready')) return 'ready';
  return rows[0]?.state ?? 'unknown';
}

/** How an ended card says why it moves no more. */
export function endingSentence(ending: Ending, took: string, supersededBy?: number): string {
  switch (ending) {
    case 'ready':
      return `in place after ${took}`;
    case 'idle':
      return 'in place, scaled to zero';
    case 'suspended':
      return 'in place, suspended';
    case 'superseded':
      return `superseded by v${supersededBy ?? '?'}`;
  }
}
