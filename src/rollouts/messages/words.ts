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

/** States of which nothing is known that could be counted: reports that are old, missing or of another version. */
export const NOT_COUNTED: ReadonlySet<State> = new Set<State>(['stale', 'unknown', 'diverged']);

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

/** What people call the usual causes; the platform's own words are quoted beside them. */
const CAUSES: readonly (readonly [RegExp, string])[] = [
  [/OOMKilled|out of memory|exceeded its memory limit/i, 'out of memory'],
  [/exec format error/i, 'the image is built for another kind of processor'],
  [
    /ErrImage|ImagePull|pull(ing)? (the )?image|invalid ?image|manifest unknown/i,
    'the image cannot be pulled',
  ],
  [/\bsecret\b.*\b(no longer exists|not found|missing|does not exist)/i, 'a secret is missing'],
  [/CreateContainerConfigError|CreateContainerError/, 'a setting of a container is wrong'],
  [
    /executable file not found|no such file or directory/i,
    'the command of a container is not in its image',
  ],
  [/liveness probe failed/i, 'the liveness check fails'],
  [/startup probe failed/i, 'the start-up check fails'],
  [/probe failed/i, 'the readiness check fails'],
  [/CrashLoop|back-off restarting|\brestart(s|ed)\b|\b1 restart\b/i, 'a container keeps stopping'],
  [
    /unschedulable|insufficient (cpu|memory)|nodes are available/i,
    'there is no room for its replicas',
  ],
  [/FailedMount|FailedAttachVolume|unable to (attach|mount)/i, 'a volume cannot be mounted'],
  [/not converging|did not converge/i, 'the location is not converging on the expected version'],
  [/deadline exceeded|ProgressDeadlineExceeded/i, 'it did not come up in the time allowed'],
];

/** A cause in plain words, '' for one that has none. */
export function plainCause(cause: string): string {
  return CAUSES.find(([pattern]) => pattern.test(cause))?.[1] ?? '';
}
