import type { SandboxClock } from '../clock.ts';
import { SandboxError } from '../errors.ts';
import type { Gvc, LocationRecord, Outcome, Workload } from '../deployments/model.ts';
import { seedFleet } from './seed.ts';

/** How large the org `fleet` is; deployments = gvcs × workloads × locations. */
export interface FleetOptions {
  readonly gvcs: number;
  /** In each GVC. */
  readonly workloads: number;
  /** Of each workload. */
  readonly locations: number;
}

/** The state of a workload of the fleet, the same in all its locations. */
export const FLEET_STATES = ['ready', 'deploying', 'failed'] as const;
type FleetState = (typeof FLEET_STATES)[number];

/** A state is a rollout that began so long ago that it has reached this state. */
const PLAYED: Readonly<Record<FleetState, { outcome: Outcome; ageMs: number; spanMs: number }>> = {
  ready: { outcome: 'ready', ageMs: 60_000, spanMs: 30_000 },
  deploying: { outcome: 'hang', ageMs: 10_000, spanMs: 30_000 },
  failed: { outcome: 'oom', ageMs: 60_000, spanMs: 30_000 },
};

interface Change {
  /** Of all workloads, above 0 to 1; absent: those of the change before, at the version they have. */
  readonly share?: number;
  readonly state: FleetState;
}

interface Member {
  readonly gvc: Gvc;
  readonly workload: Workload;
}

export type Fleet = ReturnType<typeof createFleet>;

/**
 * The org `fleet` of load tests: it changes only when it is reported to, so that an answer is built
 * once and then served from memory.
 */
export function createFleet(options: FleetOptions, clock: SandboxClock) {
  const gvcs = seedFleet(options, clock.now());
  const members = [...gvcs.values()].flatMap((gvc) =>
    [...gvc.workloads.values()].map((workload): Member => ({ gvc, workload })),
  );
  const listeners: ((member: Member) => void)[] = [];
  let place = 0;
  let changed: Member[] = [];

  const play = ({ gvc, workload }: Member, state: FleetState, isNew: boolean) => {
    const { outcome, ageMs, spanMs } = PLAYED[state];
    if (isNew) workload.version += 1;
    for (const record of workload.records.values()) {
      const appliedAt = clock.now() - ageMs;
      const served = record.rollout.outcome === 'ready' ? record.rollout.revision : record.serving;
      // At the version it has, what served was this very version: it is ill now.
      record.serving = served?.workload === workload.version ? undefined : served;
      record.rollout = {
        revision: { workload: workload.version, gvc: gvc.version, createdAt: appliedAt },
        outcome,
        processedBefore: workload.version,
        appliedAt,
        spanMs,
      };
    }
  };

  return {
    gvc(name: string): Gvc {
      const gvc = gvcs.get(name);
      if (gvc === undefined) throw new SandboxError(404, `the fleet has no GVC ${name}`);
      return gvc;
    },

    /** Calls back for every workload that changes. */
    onChange(listener: (member: Member) => void) {
      listeners.push(listener);
    },

    /**
     * With a share: that many workloads, those that were left alone the longest, get a new version
     * that is in `state` at once. Without: those of the last change go to `state` at their version.
     */
    change({ share, state }: Change) {
      if (share !== undefined) {
        const count = Math.min(members.length, Math.max(1, Math.round(share * members.length)));
        changed = [...members.slice(place), ...members].slice(0, count);
        place = (place + count) % members.length;
      }
      for (const member of changed) {
        play(member, state, share !== undefined);
        for (const listener of listeners) listener(member);
      }
      return {
        changed: changed.map(({ gvc, workload }) => ({
          gvc: gvc.name,
          workload: workload.name,
          version: workload.version,
        })),
      };
    },

    recordsOf: (gvc: Gvc): { workload: Workload; record: LocationRecord }[] =>
      [...gvc.workloads.values()].flatMap((workload) =>
        [...workload.records.values()].map((record) => ({ workload, record })),
      ),
  };
}
