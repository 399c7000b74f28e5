import type { SandboxClock } from '../clock.ts';
import { SandboxError } from '../errors.ts';
import { addExecution } from './cron.ts';
import { createFinder, type GvcPath, type LocationsPath, type WorkloadPath } from './finder.ts';
import type { ExecutionStatus, Gvc, LocationRecord, Observation, Org, Workload } from './model.ts';
import { observe } from './observe.ts';
import { createRollouts } from './rollouts.ts';
import { createTroubles } from './troubles.ts';

const STALE_MS = 45 * 60_000;
const DROPPED_MS = 24 * 3_600_000;
const STALE = 'Status details are stale';

/** A workload in one location, and what the platform answers for it now. */
export interface Listed {
  readonly org: string;
  readonly gvc: Gvc;
  readonly workload: Workload;
  readonly record: LocationRecord;
  /** Undefined while nothing was reported yet, and after the record was dropped. */
  readonly observation: Observation | undefined;
}

export type Simulator = ReturnType<typeof createSimulator>;

/**
 * The deployments of all orgs and everything that can be done to them. Every method throws a
 * SandboxError with status 404 for an org, GVC, workload or location that does not exist.
 *
 * @param deps.speed how much faster than real time rollouts run
 */
export function createSimulator(deps: {
  orgs: ReadonlyMap<string, Org>;
  clock: SandboxClock;
  speed: number;
}) {
  const { orgs, clock, speed } = deps;
  const find = createFinder(orgs);

  const look = (path: GvcPath, workload: Workload, record: LocationRecord): Listed => ({
    org: path.org,
    gvc: find.gvc(path),
    workload,
    record,
    observation: report(workload, record, clock.now(), speed),
  });

  return {
    ...createRollouts({ find, clock, speed }),
    ...createTroubles({ find, clock, speed }),
    orgs,

    list: (path: GvcPath): Listed[] =>
      [...find.gvc(path).workloads.values()].flatMap((workload) =>
        [...workload.records.values()].map((record) => look(path, workload, record)),
      ),

    /** The locations of one workload; one of them when the path names it. */
    select(path: LocationsPath): Listed[] {
      const workload = find.workload(path);
      return find.records(path).map((record) => look(path, workload, record));
    },

    /** Changes the replica count; the workload version stays (spec section 9). */
    scale(path: WorkloadPath & { replicas: number }) {
      const workload = find.workload(path);
      const warmUp = { from: workload.replicas, at: clock.now() };
      for (const record of workload.records.values()) record.warmUp = warmUp;
      workload.replicas = path.replicas;
      return { version: workload.version };
    },

    /** Switches the debug option for later deployments (spec 4.4). */
    debug(path: WorkloadPath & { on: boolean }) {
      find.workload(path).debug.push({ on: path.on, at: clock.now() });
    },

    addExecution(path: LocationsPath & { status: ExecutionStatus }) {
      const workload = find.workload(path);
      if (workload.type !== 'cron') {
        throw new SandboxError(400, `the workload ${path.workload} is not of type cron`);
      }
      const executions = find.records(path).map((record) => ({
        location: record.location,
        name: addExecution(workload, record, path.status, clock.now()),
      }));
      return { executions };
    },

    /** Merges raw fields over the rendered `status`; null removes a field, or the whole status. */
    patch(path: LocationsPath & { status: Readonly<Record<string, unknown>> | null }) {
      for (const record of find.records(path)) record.patches.push(path.status);
    },

    clearPatches(path: Partial<LocationsPath>) {
      for (const { record } of find.everywhere(path)) record.patches.length = 0;
    },
  };
}

/** The last report, its staleness, or nothing (spec section 3). */
function report(
  workload: Workload,
  record: LocationRecord,
  now: number,
  speed: number,
): Observation | undefined {
  if (now < record.reportsFrom || isAbsent(record, now)) return undefined;
  const { silence, suspended } = record;
  if (silence === undefined) return observe(workload, record, now, speed);

  const silentFor = now - silence.since;
  if (silentFor >= DROPPED_MS) return undefined;
  const stale = !suspended && (silence.overdue || silentFor > STALE_MS);
  return stale
    ? { ...silence.lastReport, message: STALE, scenario: 'stale' }
    : { ...silence.lastReport, scenario: suspended ? 'suspended' : 'silent' };
}

function isAbsent({ absence }: LocationRecord, now: number): boolean {
  return absence !== undefined && now >= absence.from && now < absence.until;
}
