import {
  hurtBlocks,
  watchesBlocks,
  type WatchedPlace,
} from '../../../src/features/deployments/home.ts';
import { URGENCY, type RecordState } from '../../../src/rollouts/engine/states.ts';
import { homeView } from '../../../src/slack/routing/home.ts';
import { watchedWorkload } from '../../unit/features/deployments/harness.ts';
import { HOUR, MINUTE, NOW, home, type Area, type Entry } from '../entry.ts';
import { AWAY, NEVER, OPS, poll } from './deployments-data.ts';

function part(id: string, when: string, places: readonly WatchedPlace[]): Entry {
  return home(`home-watches-${id}`, when, () =>
    homeView({
      parts: [
        { title: 'What hurts now', blocks: hurtBlocks(places, NOW, 'acme') },
        { title: 'Watches', blocks: watchesBlocks(places, NOW) },
      ],
      troubles: [],
      asOf: NOW,
      isReading: false,
    }),
  );
}

const SINCE = NOW - HOUR;
const served = { since: SINCE, served: true } as const;

/** All of one GVC, or one workload: `shop`, `shop/cart`. */
function place(name: string, over: Partial<WatchedPlace> = {}): WatchedPlace {
  const [org = '', gvc = '', workload] = name.split('/');
  const workloads = [well(workload ?? 'web', 2)];
  return { org, gvc, workload, channels: [OPS], poll: poll(), workloads, ...over };
}

function well(name: string, locations = 1) {
  return watchedWorkload(name, Array<RecordState>(locations).fill('ready'), served);
}

function wells(prefix: string, count: number) {
  return Array.from({ length: count }, (_, index) => well(`${prefix}-${index + 1}`));
}

/** A row of a card may wait, a record does not; what is gone is left out. */
const STATES = URGENCY.filter((state) => state !== 'waiting' && state !== 'gone');

export const deploymentsHome: Area = {
  id: 'deployments-home',
  title: 'Home tab: what hurts, and what is watched',
  entries: [
    part('none', 'Nothing is watched.', []),
    part('one', 'One GVC is watched, and all is well.', [place('acme/shop')]),
    part('unread', 'What is watched was not read so far.', [
      place('acme/shop', { poll: NEVER, workloads: [] }),
    ]),
    part('late', 'It was read a while ago, and nothing has failed since.', [
      place('acme/shop', { poll: poll({ at: NOW - 20 * MINUTE }) }),
    ]),
    part('usual', 'A usual day: one workload of 26 has failed, and one is rolled out.', [
      place('acme/shop', {
        workloads: [
          ...wells('api', 22),
          ...['night', 'batch', 'beta'].map((name) => watchedWorkload(name, ['idle'])),
          watchedWorkload('cart', ['failed', 'ready', 'ready'], {
            ...served,
            cause: 'cart: OOMKilled, exit code 137, limit of 512 MiB, 8 restarts',
            outgoing: { version: 2, ready: 1, wanted: 1 },
          }),
          watchedWorkload('search', ['deploying', 'ready'], served),
        ],
      }),
    ]),
    part('outage', 'A workload serves nothing, and a location does not report.', [
      place('acme/shop', {
        workloads: [
          watchedWorkload('web', ['unhealthy', 'unhealthy', 'unhealthy'], served),
          ...['cart', 'mail', 'search', 'stock', 'pay', 'users', 'feed'].map((name) =>
            watchedWorkload(name, ['stale', 'ready'], served),
          ),
        ],
      }),
    ]),
    part('mixed', 'Several places of two orgs are watched: trouble comes first.', [
      place('acme/shop', { channels: [OPS, 'C0DEPLOYS', 'C0APPROVE', 'C0BILLING', 'C0GENERAL'] }),
      place('acme/shop/cart', {
        workloads: [watchedWorkload('cart', ['failed', 'ready', 'idle', 'suspended', 'cron'])],
      }),
      place('acme/lab', { workloads: [] }),
      place('acme/data', { poll: { ...AWAY, failures: 1 } }),
      place('beta/edge', { poll: { ...AWAY, at: 0 } }),
      place('beta/lab', { poll: { ...AWAY, at: 0, failures: 1 } }),
      place('beta/new', { poll: NEVER, workloads: [] }),
      place('beta/old', {
        poll: AWAY,
        workloads: [watchedWorkload('web', ['stale', 'unknown'])],
      }),
    ]),
    ...STATES.map((state) =>
      part(`state-${state}`, `One place is watched, which is ${state}.`, [
        place('acme/shop/cart', { workloads: [watchedWorkload('cart', [state], served)] }),
      ]),
    ),
    part(
      'many',
      'More is watched, and more has failed, than the home tab has room for.',
      Array.from({ length: 11 }, (_, index) =>
        place(`acme/shop/web-${index + 1}`, {
          workloads: [
            watchedWorkload(`web-${index + 1}`, ['failed'], {
              ...served,
              location: `place-${index + 1}`,
            }),
          ],
        }),
      ),
    ),
  ],
};
