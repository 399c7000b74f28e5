import type { SandboxClock } from '../clock.ts';
import type { Finder, LocationsPath } from './finder.ts';
import { observe } from './observe.ts';

/** One location of a workload, of a GVC, of an org or of everything; or all its locations. */
type Somewhere = Partial<LocationsPath>;

/** Troubles of locations without a rollout. */
export function createTroubles(deps: { find: Finder; clock: SandboxClock; speed: number }) {
  const { find, clock, speed } = deps;

  return {
    /** Stops or resumes reports; with `overdue` false the 45 minutes are left to the clock. */
    stale(path: Somewhere & { stale: boolean; overdue?: boolean }) {
      const now = clock.now();
      for (const { workload, record } of find.everywhere(path)) {
        const lastReport = record.silence?.lastReport ?? observe(workload, record, now, speed);
        const since = record.silence?.since ?? now;
        const silence = { since, lastReport, overdue: path.overdue ?? true };
        record.silence = path.stale ? silence : undefined;
      }
    },

    /** Lets the current version fail its probe `times` times for `seconds`, and be well in between. */
    sicken({ times = 1, seconds = 60, ...path }: Somewhere & { times?: number; seconds?: number }) {
      const sickness = { from: clock.now(), times, eachMs: seconds * 1000 };
      for (const { record } of find.everywhere(path)) record.sickness = sickness;
    },

    /** Takes records out of every list, for some seconds or until they are brought back. */
    vanish(path: Somewhere & { vanished: boolean; seconds?: number }) {
      const from = clock.now();
      const until = from + (path.seconds ?? Infinity) * 1000;
      const absence = path.vanished ? { from, until } : undefined;
      for (const { record } of find.everywhere(path)) record.absence = absence;
    },

    /** Reports a processed version above the expected one. */
    diverge(path: LocationsPath & { diverged: boolean }) {
      for (const record of find.records(path)) record.diverged = path.diverged;
    },
  };
}
