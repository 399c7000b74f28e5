import type { SandboxClock } from '../clock.ts';
import { SandboxError } from '../errors.ts';
import type { Finder, GvcPath, LocationsPath, WorkloadPath } from './finder.ts';
import { newRecord, newWorkload, startRollout } from './lifecycle.ts';
import type { Outcome, WorkloadType } from './model.ts';

const ROLLOUT_SECONDS = 20;

interface RolloutOptions {
  readonly outcome?: Outcome;
  /** How long it takes over all locations, before `speed`. */
  readonly seconds?: number;
}
interface CreateOptions extends RolloutOptions {
  readonly type?: WorkloadType;
  readonly replicas?: number;
}

/** The causes of versions: new ones, a new GVC version under them, a first deployment, the end. */
export function createRollouts(deps: { find: Finder; clock: SandboxClock; speed: number }) {
  const { find, clock, speed } = deps;
  const timing = (seconds = ROLLOUT_SECONDS) => ({
    now: clock.now(),
    spanMs: (seconds * 1000) / speed,
  });

  return {
    /** Starts a new version. With a location the outcome holds there; the others become ready. */
    rollout(path: LocationsPath & RolloutOptions) {
      const gvc = find.gvc(path);
      const workload = find.workload(path);
      const meant = new Set(find.records(path));
      workload.version += 1;
      for (const record of workload.records.values()) {
        const outcome = meant.has(record) ? (path.outcome ?? 'ready') : 'ready';
        startRollout({ gvc, workload, record, outcome, ...timing(path.seconds) });
      }
      return { version: workload.version };
    },

    /** Raises the GVC version, which rolls every workload again at the version it has. */
    rerollGvc(path: GvcPath & RolloutOptions) {
      const gvc = find.gvc(path);
      gvc.version += 1;
      for (const workload of gvc.workloads.values()) {
        for (const record of workload.records.values()) {
          startRollout({ gvc, workload, record, outcome: 'ready', ...timing(path.seconds) });
        }
      }
      return { version: gvc.version };
    },

    /** Switches locations off and on; a version that was held back meanwhile rolls out then. */
    suspend(path: LocationsPath & { suspend: boolean }) {
      const gvc = find.gvc(path);
      const workload = find.workload(path);
      for (const record of find.records(path)) {
        const resumed = record.suspended && !path.suspend;
        record.suspended = path.suspend;
        if (!resumed) continue;
        record.warmUp = { from: 0, at: clock.now() };
        if (record.heldVersion === undefined) continue;
        startRollout({ gvc, workload, record, outcome: 'ready', ...timing() });
      }
    },

    /** Creates a workload; its locations report a little later, one after the other. */
    create(path: WorkloadPath & CreateOptions) {
      const gvc = find.gvc(path);
      if (gvc.workloads.has(path.workload)) {
        throw new SandboxError(409, `the workload ${path.workload} exists already`);
      }
      const workload = newWorkload(path.workload, path.type ?? 'standard', path.replicas ?? 2);
      const outcome = path.outcome ?? 'ready';
      gvc.locations.forEach((location, index) => {
        const record = newRecord({ gvc, location, index, outcome, ...timing(path.seconds) });
        workload.records.set(location, record);
      });
      gvc.workloads.set(workload.name, workload);
      return { version: workload.version };
    },

    remove(path: WorkloadPath) {
      find.gvc(path).workloads.delete(find.workload(path).name);
    },
  };
}
