import type { Execution, ExecutionStatus, LocationRecord, Workload } from './model.ts';

const DAY_MS = 86_400_000;
const DUE_MS = 2 * 3_600_000;
const START_MS = 5_000;
const RUN_MS = 95_000;
const MINUTE_MS = 60_000;

/** `job.historyLimit` of every seeded cron workload. */
const HISTORY_LIMIT = 5;
/** `job.activeDeadlineSeconds` of every seeded cron workload. */
const DEADLINE_MS = 10 * MINUTE_MS;

/**
 * The executions that a location lists at `now`, newest first: every night at 02:00 UTC, and what
 * was added by hand. Under `concurrencyPolicy: Replace` a later run removes an unfinished one
 * (spec section 3).
 */
export function executionsAt(workload: Workload, record: LocationRecord, now: number): Execution[] {
  const lastDue = Math.floor((now - DUE_MS) / DAY_MS) * DAY_MS + DUE_MS;
  const nightly = Array.from({ length: HISTORY_LIMIT }, (_, night) =>
    nightlyRun(workload, lastDue - night * DAY_MS, now),
  );
  return [...record.executions, ...nightly.filter((run) => run.dueAt >= record.reportsFrom)]
    .sort((left, right) => right.dueAt - left.dueAt)
    .slice(0, HISTORY_LIMIT)
    .map((run, place) => {
      const isReplaced = place > 0 && isOpen(run);
      return isReplaced || isOverdue(run, now) ? { ...run, status: 'removed' } : run;
    });
}

/** Adds an execution that is in the given status now, and answers its name. */
export function addExecution(
  workload: Workload,
  record: LocationRecord,
  status: ExecutionStatus,
  now: number,
): string {
  const latest = executionsAt(workload, record, now)[0];
  const dueAt = Math.max(now, (latest?.dueAt ?? 0) + MINUTE_MS);
  const finished = status === 'successful' || status === 'failed';
  const name = runName(workload, dueAt);
  record.executions.unshift({
    name,
    version: workload.version,
    dueAt,
    status,
    startedAt: finished ? now - RUN_MS : ['active', 'removed'].includes(status) ? now : undefined,
    completedAt: finished || status === 'invalid' ? now : undefined,
  });
  record.executions.splice(HISTORY_LIMIT);
  return name;
}

function isOpen(run: Execution): boolean {
  return ['', 'pending', 'active'].includes(run.status);
}

function isOverdue({ status, startedAt }: Execution, now: number): boolean {
  return status === 'active' && startedAt !== undefined && now - startedAt >= DEADLINE_MS;
}

function nightlyRun(workload: Workload, dueAt: number, now: number): Execution {
  const age = now - dueAt;
  const started = age >= START_MS;
  const finished = age >= START_MS + RUN_MS;
  return {
    name: runName(workload, dueAt),
    version: workload.version,
    dueAt,
    // Just created, real data has no status yet (platform notes): read as pending.
    status: finished ? 'successful' : started ? 'active' : '',
    startedAt: started ? dueAt + START_MS : undefined,
    completedAt: finished ? dueAt + START_MS + RUN_MS : undefined,
  };
}

function runName(workload: Workload, dueAt: number): string {
  return `${workload.name}-${Math.floor(dueAt / MINUTE_MS)}`;
}
