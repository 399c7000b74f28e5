import { compareNames, formatDuration, plural } from '../../lib/text.ts';
import { isAdHoc, type JobExecution } from '../../platform/deployments/deployment.ts';
import { shorten } from '../../slack/kit/pages.ts';

/** One run of a cron workload in one location, as spec 2.12 reports it. */
export interface Run extends JobExecution {
  location: string;
}

/** The runs of a workload in one location. */
export interface LocationRuns {
  location: string;
  /** Those of ad-hoc commands, which any workload can have, with them. */
  executions: readonly JobExecution[];
  /** A schedule runs it, as far as the platform shows. */
  isCron: boolean;
  /** False: there is a deployment, and nothing of it was reported yet. */
  isReported: boolean;
}

/**
 * The runs, newest first; what has not started comes before them.
 * @param options.all with those of ad-hoc commands
 */
export function runsOf(locations: readonly LocationRuns[], { all }: { all: boolean }): Run[] {
  return locations
    .flatMap(({ location, executions }) => executions.map((run) => ({ ...run, location })))
    .filter((run) => all || !isAdHoc(run))
    .sort(newestFirst);
}

/** How many of the runs are those of ad-hoc commands. */
export function adHocOf(locations: readonly LocationRuns[]): number {
  return locations.flatMap(({ executions }) => executions).filter(isAdHoc).length;
}

/** The same schedule runs everywhere at once, so places stay in order. */
function newestFirst(a: Run, b: Run): number {
  const started = (run: Run): number => run.startTime ?? Number.MAX_SAFE_INTEGER;
  return started(b) - started(a) || compareNames(a.location, b.location);
}

/** The platform's word. A run that is active and has an end has a word of its own, because an end is no success. */
export function statusOf({ status, completionTime }: JobExecution): string {
  return status === ACTIVE && completionTime !== undefined ? ENDED : status;
}

/** It runs. */
export const ACTIVE = 'active';

/** What the platform calls active although it reports an end. */
const ENDED = 'active but ended';

/** "1 run failed, 2 active, 17 successful" of all that are reported, what needs attention first. */
export function summary(runs: readonly Run[]): string {
  const counts = new Map<string, number>();
  for (const run of runs) counts.set(statusOf(run), (counts.get(statusOf(run)) ?? 0) + 1);
  return [...counts]
    .toSorted(([a], [b]) => rank(a) - rank(b))
    .map(([status, count], index) => {
      const runsOrNot = index === 0 ? plural(count, 'run') : count;
      return `${runsOrNot} ${shorten(status, 30)}`;
    })
    .join(', ');
}

const RANKS = ['failed', 'invalid', ACTIVE, ENDED, 'pending', 'removed', 'successful'];

export function rank(status: string): number {
  const at = RANKS.indexOf(status);
  return at === -1 ? RANKS.length : at;
}

/** How long a run took, or has taken up to `now` (milliseconds since the epoch); undefined when it is not known. */
export function took(run: Run, now: number): string | undefined {
  const { startTime, completionTime } = run;
  if (startTime === undefined) return undefined;
  if (completionTime !== undefined) {
    return completionTime < startTime ? undefined : formatDuration(completionTime - startTime);
  }
  return statusOf(run) === ACTIVE ? `${formatDuration(now - startTime)} so far` : undefined;
}

/** Whether it has come to an end, however it ended. */
export function isOver(run: Run): boolean {
  const status = statusOf(run);
  return run.completionTime !== undefined || (status !== ACTIVE && status !== 'pending');
}

/** Words that do not explain themselves. Of `invalid` the specification gives the name alone. */
const MEANINGS: ReadonlyMap<string, string> = new Map([
  [ENDED, 'the platform reports an end and no result; an end time is no sign of success'],
  [
    'removed',
    'ended before it was done, because the next run was due or its deadline had passed; that is no failure',
  ],
  [
    'invalid',
    'the platform does not publish what it means by this; messages and conditions say more',
  ],
]);

/** What is to be said of the statuses of these runs, one text for each that needs one. */
export function meaningsOf(runs: readonly Run[]): string[] {
  return [...new Set(runs.map(statusOf))].flatMap((status) => {
    const meaning = RANKS.includes(status)
      ? MEANINGS.get(status)
      : 'the platform’s own word, none of the six that its interface describes';
    return meaning === undefined ? [] : [`${shorten(status, 30)}: ${meaning}`];
  });
}
