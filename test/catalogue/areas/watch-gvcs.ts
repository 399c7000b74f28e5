import type { Listing } from '../../unit/rollouts/engine/gvc-scenario.ts';
import {
  broken,
  idle,
  ready,
  rolling,
  suspended,
  type Json,
} from '../../unit/rollouts/platform-json.ts';
import { MINUTE, type Area, type Entry } from '../entry.ts';
import {
  AWS,
  AZURE,
  PULL,
  all,
  messages,
  replicas,
  said,
  story,
  watching,
  type Listen,
  type Poll,
  type Told,
} from './watch-data.ts';

/** Ready at a version, under a version of the GVC. */
function under(gvc: number, of: number): Json {
  return ready(of, { desiredScale: 3, versions: [replicas(of, 3, { gvc })] });
}

/** Coming up anew under the next version of the GVC. */
function coming(gvc: number, of: number, readyNow = 1): Json {
  const versions = [replicas(of, readyNow, { gvc }), replicas(of, 2, { gvc: gvc - 1 })];
  return rolling(of, { desiredScale: 3, versions });
}

function failing(gvc: number, of: number): Json {
  const versions = [replicas(of, 0, { gvc, message: PULL })];
  return broken(of, '', { desiredScale: 3, versions });
}

const CART = [`cart/${AWS}`, `cart/${AZURE}`];
const CHECKOUT = `checkout/${AWS}`;
const DATABASE = `orders-db/${AWS}`;
const NAMES = [...CART, CHECKOUT, DATABASE];

/** Three workloads at versions of their own, under a version of the GVC. */
function shop(gvc: number): Listing {
  return { ...all(CART, under(gvc, 12)), [CHECKOUT]: under(gvc, 7), [DATABASE]: under(gvc, 3) };
}

interface Scenario {
  key?: string;
  first?: Listing;
  listen?: Listen;
}

function gvc(
  kind: 'post' | 'reply' | 'broadcast',
  told: Told,
  polls: readonly Poll[],
  { key = '@gvc/5/card', first = shop(4), listen }: Scenario = {},
): Entry {
  return said(kind, told, key, () => messages(story(first, ...polls), listen));
}

const card = (id: string, when: string, polls: readonly Poll[], story?: Scenario): Entry =>
  gvc('post', [`gvc-card-${id}`, when], polls, story);

const BEGUN: Poll = [10_000, { [`cart/${AWS}`]: coming(5, 12), [CHECKOUT]: coming(5, 7, 0) }];
const READY: Poll = [6 * MINUTE, shop(5)];
const ABSENT: readonly Poll[] = [
  [MINUTE, all(NAMES, 'absent')],
  [10_000, {}, 'gone'],
];
const MANY = Array.from(
  { length: 36 },
  (_, index) => `worker-${String(index + 1).padStart(2, '0')}/${AWS}`,
);
const onlyOf = (...workloads: string[]): Scenario => ({
  listen: { watches: workloads.map((workload) => watching({ workload })) },
});

export const gvcCards: Area = {
  id: 'gvc-cards',
  title: 'A change of the GVC itself rolls its workloads anew',
  entries: [
    card('deploying', 'The first workloads come up under the new version of the GVC.', [BEGUN]),
    card('one-workload', 'The channel watches one of its workloads.', [BEGUN], onlyOf('cart')),
    card(
      'two-workloads',
      'The channel watches two of its three workloads, so there is nothing to unwatch as a whole.',
      [BEGUN],
      onlyOf('cart', 'checkout'),
    ),
    card('aside', 'One workload is switched off and one scaled to zero; they are not waited for.', [
      [MINUTE, { [CHECKOUT]: suspended(7), [DATABASE]: idle(3) }],
      [10_000, { [`cart/${AWS}`]: coming(5, 12) }],
    ]),
    card('failed', 'A workload fails under the new version of the GVC.', [
      BEGUN,
      [MINUTE, { [CHECKOUT]: failing(5, 7), [DATABASE]: under(5, 3) }],
    ]),
    card(
      'many-workloads',
      'More workloads than a table has room for: the worst are shown.',
      [
        [10_000, all(MANY.slice(0, 2), coming(5, 4))],
        [
          MINUTE,
          { ...all(MANY.slice(0, 20), under(5, 4)), ...all(MANY.slice(20, 22), failing(5, 4)) },
        ],
      ],
      { first: all(MANY, under(4, 4)) },
    ),
    card('ready', 'All its workloads are ready again.', [BEGUN, READY]),
    card('superseded', 'The GVC was changed once more meanwhile.', [
      BEGUN,
      [MINUTE, { [CHECKOUT]: coming(6, 7) }],
    ]),
    card('gone', 'The GVC has no workloads any more.', [BEGUN, ...ABSENT]),
    gvc(
      'broadcast',
      ['gvc-ready', 'All its workloads are ready again: told below the card.'],
      [BEGUN, READY],
      {
        key: '@gvc/5/ready',
      },
    ),
    gvc(
      'reply',
      ['gvc-ready-quiet', 'The watch is quiet, so it stays in the thread.'],
      [BEGUN, READY],
      {
        key: '@gvc/5/ready',
        listen: { watches: [watching({ quiet: true })] },
      },
    ),
    gvc('post', ['gvc-gone', 'Every workload of the GVC has left the list.'], ABSENT, {
      key: '@gvc/4/gone',
    }),
    gvc('post', ['gvc-gone-one', 'The same, where the channel watches one of them.'], ABSENT, {
      key: '@gvc/4/gone',
      ...onlyOf('cart'),
    }),
    gvc(
      'post',
      ['gvc-gone-many', 'The same of a GVC with many workloads.'],
      [
        [MINUTE, all(MANY, 'absent')],
        [10_000, {}, 'gone'],
      ],
      { key: '@gvc/4/gone', first: all(MANY, under(4, 4)) },
    ),
  ],
};
