import { describe, expect, it } from 'vitest';
import { RECONCILE_WATCHES, createWatchJobs } from '../../../src/features/deployments/jobs.ts';
import type { WatchJobsDeps } from '../../../src/features/deployments/jobs.ts';
import type { Watch } from '../../../src/rollouts/watches.ts';

const SHOP: Watch = { org: 'acme', gvc: 'shop', channel: 'C0OPS', quiet: false, configured: false };

/** The regular look at the schedules: what it wanted, and what it forgot. */
async function reconcile(watches: readonly Watch[], gone: readonly string[]) {
  const wanted: string[] = [];
  const forgotten: string[] = [];
  const forget = (what: string) => (place: { org: string; gvc: string }) => {
    forgotten.push(`${what} ${place.org}/${place.gvc}`);
    return Promise.resolve();
  };
  const deps: Partial<WatchJobsDeps> = {
    watches: { all: () => Promise.resolve([...watches]) } as WatchJobsDeps['watches'],
    alone: (work) => work(),
    async reconcile(_, schedules, leave) {
      wanted.push(...schedules.map(({ id }) => id));
      for (const id of gone) {
        await leave(id);
        forgotten.push(`schedule ${id}`);
      }
    },
    forget: forget('state of'),
    forgetOutage: forget('outage of'),
    tickMs: 1_000,
  };
  const jobs = createWatchJobs(deps as WatchJobsDeps);
  await jobs.find(({ name }) => name === RECONCILE_WATCHES)?.run({});
  return { wanted, forgotten };
}

describe('the schedules of the watches', () => {
  it('are one for each GVC, however many watch it', async () => {
    const watches = [SHOP, { ...SHOP, workload: 'cart' }, { ...SHOP, channel: 'C0TEAM' }];

    const { wanted, forgotten } = await reconcile([...watches, { ...SHOP, gvc: 'data' }], []);

    expect(wanted).toEqual(['poll:acme/shop', 'poll:acme/data']);
    expect(forgotten).toEqual([]);
  });

  it('go last, after what was seen of the GVC, and its outage', async () => {
    const { forgotten } = await reconcile([SHOP], ['poll:acme/data', 'poll:beta/web']);

    expect(forgotten).toEqual([
      'state of acme/data',
      'outage of acme/data',
      'schedule poll:acme/data',
      'state of beta/web',
      'outage of beta/web',
      'schedule poll:beta/web',
    ]);
  });
});
