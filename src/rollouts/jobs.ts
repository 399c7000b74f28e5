import type { JobKind, Schedule } from '../jobs/jobs.ts';
import type { Services } from '../services.ts';
import { withLock } from '../store/redis.ts';
import { forgetGvc, readGvc } from './gvc-store.ts';
import { createOutages } from './outages/outages.ts';
import { createPoller, createPollQueue, withPollLock, type PollServices } from './poll.ts';
import { unwatchedMessages } from './render/operators.ts';
import { createWatches, offsetOf, watchedGvcs, type WatchedGvc } from './watches.ts';

export const RECONCILE_WATCHES = 'reconcile-watches';
const RECONCILE_MS = 60_000;
const RECONCILE_LOCK = { ttlMs: 10_000, patienceMs: 20_000 };
const ID_PREFIX = 'poll:';
/** How long to wait for a running poll, in milliseconds: the job is repeated. */
const FORGET_PATIENCE_MS = 1_000;

/**
 * One schedule per GVC, however many watches it has, and a job that aligns the schedules with the watches.
 */
export function createRolloutJobs(
  services: PollServices &
    Parameters<typeof createOutages>[0] & { jobs: Pick<Services['jobs'], 'add' | 'reconcile'> },
): JobKind[] {
  const { redis, keys, jobs } = services;
  const { activeMs, idleMs } = services.config.polling;
  const watches = createWatches(services);
  const outages = createOutages(services);
  const poll = createPollQueue(createPoller(services, outages), (org, gvc) =>
    jobs.add('rollouts', 'poll', { org, gvc }),
  );

  /** Forgets a GVC that is no longer watched. @throws while it is polled */
  async function forget(place: WatchedGvc): Promise<void> {
    await withPollLock(services, place, FORGET_PATIENCE_MS, async () => {
      const { state } = await readGvc(redis, keys, place.org, place.gvc);
      const channel = services.config.channels.ops;
      const messages = unwatchedMessages(place, state.api).map((one) => ({ ...one, channel }));
      await services.wake(await forgetGvc(services, place, messages));
    });
    await outages.forget(place);
  }

  async function reconcile(): Promise<void> {
    const tickMs = Math.min(activeMs, idleMs);
    const schedules = watchedGvcs(await watches.all()).map((gvc) => scheduleOf(gvc, tickMs));
    // Only the schedule shows that something has to be forgotten, so it is removed last.
    await jobs.reconcile('rollouts', ID_PREFIX, schedules, (id) => forget(gvcOf(id)));
  }

  return [
    {
      queue: 'rollouts',
      name: 'poll',
      run: async ({ org, gvc }) => {
        if (org !== undefined && gvc !== undefined) await poll(org, gvc);
      },
    },
    {
      queue: 'rollouts',
      name: RECONCILE_WATCHES,
      every: RECONCILE_MS,
      run: () => withLock(redis, keys.lock('watches'), RECONCILE_LOCK, reconcile),
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
