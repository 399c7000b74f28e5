import { timeAt, type Dialect } from './status.ts';
import { type Job, type Workload } from './world.ts';

const LISTED_RUNS = 5;

/** Changes when a run begins or ends. */
export function cronPrintOf({ offset, every, lasts }: Job, now: number): string {
  const last = Math.floor((now - offset) / every);
  return `${last} ${now - offset - last * every >= lasts}`;
}

/** The item of a cron workload in one location, with its latest runs. */
export function cronItemOf(
  { name, version }: Workload,
  { job, path, dialect, now }: { job: Job; path: string; dialect: Dialect; now: number },
): Record<string, unknown> {
  const last = Math.floor((now - job.offset) / job.every);
  const runs = Array.from({ length: LISTED_RUNS }, (_, back) => last - back);
  return {
    kind: 'deployment',
    name: job.location,
    status: {
      ...(dialect.cronReady ? { ready: true } : {}),
      expectedDeploymentVersion: version,
      lastProcessedVersion: version,
      versions: [],
      jobExecutions: runs.map((run) => runOf(name, version, job, run, now)),
    },
    links: [{ rel: 'workload', href: path }],
  };
}

function runOf(name: string, version: number, job: Job, run: number, now: number): object {
  const start = run * job.every + job.offset;
  const end = start + job.lasts;
  const fails = end >= job.failsFrom && end < job.failsUntil;
  const isOver = now >= end;
  return {
    name: `${name}-${29_000_000 + run}`,
    replica: `${name}-${29_000_000 + run}-x`,
    status: isOver ? (fails ? 'failed' : 'successful') : 'active',
    workloadVersion: version,
    startTime: timeAt(start),
    ...(isOver ? { completionTime: timeAt(end) } : {}),
    message: isOver && fails ? 'Error: exit code 1' : '',
  };
}
