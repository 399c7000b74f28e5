import { attentionBlocks, watchesBlocks } from '../../../src/features/deployments/home.ts';
import type { WatchedState } from '../../../src/features/watched.ts';
import { homeView } from '../../../src/slack/routing/home.ts';
import { MINUTE, NOW, home, type Area, type Entry } from '../entry.ts';
import {
  AWAY,
  IN_STATE,
  LOCATIONS,
  NEVER,
  OPS,
  poll,
  watch,
  workloadsOf,
  type Seen,
} from './deployments-data.ts';

function part(id: string, when: string, gvcs: readonly WatchedState[]): Entry {
  return home(`home-watches-${id}`, when, () =>
    homeView({
      parts: [
        { title: 'Needs attention', blocks: attentionBlocks(gvcs, NOW) },
        { title: 'Watches', blocks: watchesBlocks(gvcs, NOW) },
      ],
      troubles: [],
      asOf: NOW,
      isReading: false,
    }),
  );
}

/** A GVC of which all is watched, or one workload: `acme/shop`, `acme/shop/cart`. */
function place(
  name: string,
  all: readonly Seen[] = inStates(name.split('/')[2] ?? 'web', ['ready', 'ready']),
  { channels = [OPS], ...over }: Partial<WatchedState> & { channels?: readonly string[] } = {},
): WatchedState {
  const [org = '', gvc = '', workload] = name.split('/');
  const only = workload === undefined ? {} : { workload };
  return {
    org,
    gvc,
    poll: poll(),
    isEmpty: false,
    stuck: [],
    watches: channels.map((channel) => watch({ org, gvc, ...only, channel })),
    workloads: workloadsOf(all),
    ...over,
  };
}

type InState = keyof typeof IN_STATE;

/** A workload in a location for each of these states. */
function inStates(workload: string, states: readonly InState[]): Seen[] {
  return states.map((state, index) =>
    IN_STATE[state]({ workload, location: LOCATIONS[index] ?? `place-${index + 1}` }),
  );
}

/** For what only people can do. */
function waiting({ listed, ...one }: Seen): Seen {
  return { ...one, listed: { ...listed, cause: 'The secret payments no longer exists.' } };
}

function wells(prefix: string, count: number): Seen[] {
  return Array.from({ length: count }, (_, index) =>
    inStates(`${prefix}-${index + 1}`, ['ready']),
  ).flat();
}

const STATES = Object.keys(IN_STATE) as InState[];

export const deploymentsHome: Area = {
  id: 'deployments-home',
  title: 'Home tab: needs attention, and watches',
  entries: [
    part('none', 'Nothing is watched.', []),
    part('one', 'One GVC is watched, and all is well.', [place('acme/shop')]),
    part('unread', 'The watched GVC has not been read yet.', [
      place('acme/shop', [], { poll: NEVER }),
    ]),
    part('late', 'It was read a while ago, and nothing has failed since.', [
      place('acme/shop', undefined, { poll: poll({ at: NOW - 20 * MINUTE }) }),
    ]),
    part('unreadable', 'The platform’s reports of two deployments make no sense.', [
      place('acme/shop', undefined, { poll: poll({ skipped: 2 }) }),
    ]),
    part('empty', 'The list of a GVC is suddenly empty, which may be a mistake.', [
      place('acme/shop', undefined, { isEmpty: true }),
    ]),
    part('usual', 'A usual day: one workload of 26 has failed, and one is rolled out.', [
      place('acme/shop', [
        ...wells('api', 22),
        ...['night', 'batch', 'beta'].flatMap((name) => inStates(name, ['idle'])),
        ...inStates('cart', ['failed', 'ready', 'ready']),
        ...inStates('search', ['deploying', 'ready']),
      ]),
    ]),
    part(
      'held-up',
      'Three rollouts are under way: one waits for a secret, one is stuck, one goes on.',
      [
        place(
          'acme/shop',
          [
            ...inStates('checkout', ['pending']).map(waiting),
            ...inStates('cart', ['deploying', 'ready']),
            ...inStates('search', ['deploying', 'ready']),
          ],
          { stuck: ['cart'] },
        ),
      ],
    ),
    part('outage', 'A workload serves nothing, and a location does not report.', [
      place('acme/shop', [
        ...inStates('web', ['unhealthy', 'unhealthy', 'unhealthy']),
        ...['cart', 'mail', 'search', 'stock', 'pay', 'users', 'feed'].flatMap((name) =>
          inStates(name, ['stale', 'ready']),
        ),
      ]),
    ]),
    part('mixed', 'Several places of two orgs are watched: trouble comes first.', [
      place('acme/shop', inStates('cart', ['failed', 'ready', 'idle', 'suspended', 'cron']), {
        channels: [OPS, 'C0DEPLOYS', 'C0APPROVE', 'C0BILLING', 'C0GENERAL'],
      }),
      place('acme/lab', []),
      place('acme/data', undefined, { poll: { ...AWAY, failures: 1 } }),
      place('beta/edge', [], { poll: { ...AWAY, at: 0 } }),
      place('beta/lab', [], { poll: { ...AWAY, at: 0, failures: 1 } }),
      place('beta/new', [], { poll: NEVER }),
      place('beta/old', inStates('web', ['stale', 'unknown']), { poll: AWAY }),
    ]),
    ...STATES.map((state) =>
      part(`state-${state}`, `One place is watched, which is ${state}.`, [
        place('acme/shop/cart', inStates('cart', [state])),
      ]),
    ),
    part(
      'many',
      'More is watched, and more has failed, than the home tab has room for.',
      Array.from({ length: 13 }, (_, index) => {
        const workload = `web-${index + 1}`;
        const failed = IN_STATE.failed({ workload, location: `place-${index + 1}` });
        return place(`acme/shop-${index + 1}/${workload}`, [failed]);
      }),
    ),
  ],
};
