import type { Ending, OutcomeKind, Row } from '../engine/track.ts';
import { byUrgency } from '../engine/urgency.ts';

type State = Row['state'];

/** A sign beside the word; it never stands alone, and no two that matter differ by colour only. */
export const SIGNS: Record<State | OutcomeKind | 'superseded', string> = {
  ready: ':white_check_mark:',
  recovered: ':white_check_mark:',
  resumed: ':arrow_forward:',
  flapping: ':arrows_counterclockwise:',
  lagging: ':turtle:',
  crashloop: ':repeat:',
  blocked: ':no_entry:',
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

/** States of which nothing is known that could be counted: reports that are old, missing, gone or of another version. */
export const NOT_COUNTED: ReadonlySet<State> = new Set<State>([
  'stale',
  'unknown',
  'diverged',
  'gone',
]);

/** What a state means, for someone who has never seen the word. */
export const MEANINGS: Record<State, string> = {
  ready: 'serving the expected version',
  deploying: 'the expected version is coming up',
  pending: 'the change has not been applied yet',
  waiting: 'the change has not reached this location yet',
  failed: 'the rollout stopped without success',
  unhealthy: 'was ready and is not any more',
  stale: 'no report for more than 45 minutes; what runs there is not known',
  unknown: 'nothing was reported yet',
  diverged: 'the location is not converging on the expected version',
  suspended: 'switched off by suspend',
  idle: 'scaled to zero',
  cron: 'runs on a schedule',
  gone: 'no longer listed',
};

/** The state word of a card: how it ended, else its worst row. */
export function wordOf(
  ending: Ending | null,
  rows: readonly { state: State }[],
): State | 'superseded' {
  if (ending !== null) return ending;
  const worst = [...rows].sort(byUrgency)[0]?.state ?? 'unknown';
  return worst === 'waiting' ? 'deploying' : worst;
}

/** How an ended card says why it moves no more. `took`: " after 5 min", or ''. */
export function endingSentence(ending: Exclude<Ending, 'superseded'>, took: string): string {
  switch (ending) {
    case 'ready':
      return `ready · in place${took}`;
    case 'idle':
      return 'idle · in place, scaled to zero';
    case 'suspended':
      return 'in place, suspended';
    case 'gone':
      return 'gone · no longer listed';
  }
}
