import type { JobKind } from '../../jobs/jobs.ts';
import type { Schedule } from '../../jobs/schedules.ts';
import { offsetOf, watchedGvcs } from '../../rollouts/schedule.ts';
import type { WatchedGvc } from '../../rollouts/schedule.ts';
import type { Watches } from '../../rollouts/watches.ts';

export interface WatchJobsDeps {
  watches: Watches;
  /** One tick of a GVC. */
  poll: (org: string, gvc: string) => Promise<void>;
  /** Makes the schedules exactly these. One goes when `leave` has done its work, or stays for the next call. */
  reconcile: (
    idPrefix: string,
    wanted: readonly Schedule[],
    leave: (id: string) => Promise<void>,
  ) => Promise<void>;
  /** Runs work that must not run twice at a time, when nobody else does. */
  alone: (work: () => Promise<void>) => Promise<void>;
  /** Drops what is remembered of a GVC that nobody watches any more. @throws while it is polled */
  forget: (gvc: WatchedGvc) => Promise<void>;
  /** Ends what is told of the platform not answering for such a GVC. */
  forgetOutage: (gvc: WatchedGvc) => Promise<void>;
  /** Milliseconds between two ticks of a GVC. */
  tickMs: number;
}

export const RECONCILE_WATCHES = 'reconcile-watches';
const RECONCILE_MS = 60_000;
const ID_PREFIX = 'poll:';

/**
 * The jobs behind the watches: one schedule per GVC, however many watch it, and a regular look that
 * the schedules are those of the watches.
 */
export function createWatchJobs(deps: WatchJobsDeps): JobKind[] {
  return [
    {
      queue: 'rollouts',
      name: 'poll',
      run: async ({ org, gvc }) => {
        if (org !== undefined && gvc !== undefined) await deps.poll(org, gvc);
      },
    },
    {
      queue: 'rollouts',
      name: RECONCILE_WATCHES,
      every: RECONCILE_MS,
      run: async () => {
        await deps.alone(async () => {
          const wanted = watchedGvcs(await deps.watches.all());
          const schedules = wanted.map((gvc) => scheduleOf(gvc, deps.tickMs));
          // The schedule alone says that something is to be forgotten, so it goes last.
          await deps.reconcile(ID_PREFIX, schedules, async (id) => {
            await deps.forget(gvcOf(id));
            await deps.forgetOutage(gvcOf(id));
          });
        });
      },
    },
  ];
}

function scheduleOf({ org, gvc }: WatchedGvc, tickMs: number): Schedule {
  return {
    id: `${ID_PREFIX}${org}/${gvc}`,
    name: 'poll',
    data: { org, gvc },
    everyMs: tickMs,
    offsetMs: offsetOf({ org, gvc }, tickMs),
  };
}

function gvcOf(id: string): WatchedGvc {
  const [org = '', gvc = ''] = id.slice(ID_PREFIX.length).split('/');
  return { org, gvc };
}
