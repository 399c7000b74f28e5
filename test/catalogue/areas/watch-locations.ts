import type { Listing } from '../../unit/rollouts/engine/gvc-scenario.ts';
import { broken, idle, suspended, type Json } from '../../unit/rollouts/platform-json.ts';
import { MINUTE, type Area, type Entry } from '../entry.ts';
import {
  AWS,
  AZURE,
  IN_PLACE,
  READY,
  READINESS,
  SICK,
  STALE,
  all,
  failing,
  messages,
  replicas,
  said,
  story,
  watching,
  type Listen,
  type Poll,
  type Told,
} from './watch-data.ts';

const SEVEN = ['auth', 'cart', 'checkout', 'coupons', 'orders-db', 'search', 'storefront'];
const FIVE = SEVEN.slice(0, 5);
const MANY = Array.from(
  { length: 320 },
  (_, index) => `tenant-${String(index + 1).padStart(3, '0')}`,
);

const at = (location: string, names: readonly string[], status: Json | 'absent'): Listing =>
  all(
    names.map((name) => `${name}/${location}`),
    status,
  );

const PULL = 'Failed to pull image: registry.example.com does not answer';
/** Nothing of it is left. */
const DOWN = failing(PULL, { before: 0 });
const SLOW = broken(12, '', {
  desiredScale: 3,
  versions: [replicas(12, 0, { message: READINESS })],
});
const BOTH = { ...at(AWS, SEVEN, READY), ...at(AZURE, SEVEN, READY) };
const ALONE = at(AWS, SEVEN, READY);

interface Scenario {
  first?: Listing;
  listen?: Listen;
}

function told(
  kind: 'post' | 'reply' | 'broadcast',
  [id, when]: Told,
  key: string,
  polls: readonly Poll[],
  { first = BOTH, listen }: Scenario = {},
): Entry {
  return said(kind, [`location-${id}`, when], `@location/${AWS}/${key}`, () =>
    messages(story(first, ...polls), listen),
  );
}

const BROKE: Poll = [10_000, at(AWS, SEVEN, DOWN)];
const BACK: Poll = [12 * MINUTE, at(AWS, SEVEN, READY)];

const opened = [
  told(
    'post',
    ['unhealthy', 'Seven workloads of a location fail at once, others still serve.'],
    'unhealthy/1',
    [BROKE],
  ),
  told(
    'post',
    ['nothing-serves', 'They run in that location only, so nothing serves.'],
    'unhealthy/1',
    [BROKE],
    {
      first: ALONE,
    },
  ),
  told(
    'post',
    ['partly-served', 'Some of them are served by other locations, some by none.'],
    'unhealthy/1',
    [BROKE],
    {
      first: { ...ALONE, ...at(AZURE, FIVE, READY) },
    },
  ),
  told(
    'post',
    ['not-known', 'They still serve in part, so nothing is said of that.'],
    'unhealthy/1',
    [[10_000, at(AWS, SEVEN, SICK)]],
    { first: ALONE },
  ),
  told(
    'post',
    ['failed', 'Seven new versions fail in a location at once.'],
    'failed/1',
    [[10_000, { ...at(AWS, SEVEN, failing(PULL)), ...at(AZURE, SEVEN, READY) }]],
    { first: { ...at(AWS, SEVEN, IN_PLACE), ...at(AZURE, SEVEN, READY) } },
  ),
  told('post', ['stale', 'A location does not report any more.'], 'stale/1', [
    [10_000, at(AWS, SEVEN, STALE)],
  ]),
  told(
    'post',
    ['stale-alone', 'The same, and no other location has them.'],
    'stale/1',
    [[10_000, at(AWS, SEVEN, STALE)]],
    { first: ALONE },
  ),
  told('post', ['mixed', 'They are in different states, for different reasons.'], 'unhealthy/1', [
    [
      10_000,
      {
        ...at(AWS, SEVEN, DOWN),
        ...at(AWS, ['orders-db'], SLOW),
        ...at(AWS, ['storefront'], STALE),
      },
    ],
  ]),
  told(
    'post',
    ['many', 'Hundreds of workloads: most say the same.'],
    'unhealthy/1',
    [[10_000, at(AWS, MANY, DOWN)]],
    { first: at(AWS, MANY, READY) },
  ),
  told(
    'reply',
    ['many-continued', 'What finds no room behind that message goes on in its thread.'],
    'unhealthy/1000001',
    [[10_000, at(AWS, MANY, DOWN)]],
    { first: at(AWS, MANY, READY) },
  ),
  told(
    'post',
    ['many-reasons', 'More reasons than a message has lines for.'],
    'unhealthy/1',
    [
      [
        10_000,
        Object.fromEntries(
          MANY.slice(0, 14).map((name, index) => [
            `${name}/${AWS}`,
            failing(`Readiness probe failed: code ${500 + index}`, { before: 0 }),
          ]),
        ),
      ],
    ],
    { first: at(AWS, MANY.slice(0, 14), READY) },
  ),
];

const later = [
  told(
    'post',
    ['some-back', 'Some of them are out of trouble: the message is edited.'],
    'unhealthy/1',
    [
      BROKE,
      [3 * MINUTE, { ...at(AWS, ['auth', 'cart'], READY), ...at(AWS, ['search'], idle(12)) }],
    ],
  ),
  told(
    'post',
    ['own-back', 'All that the channel watches are out of trouble, others are not.'],
    'unhealthy/1',
    [BROKE, [3 * MINUTE, at(AWS, FIVE, READY)]],
    { listen: { watches: FIVE.map((workload) => watching({ workload })) } },
  ),
  told('post', ['over', 'It is over: the message is edited.'], 'unhealthy/1', [BROKE, BACK]),
  told('post', ['stale-over', 'A location reports again: the message is edited.'], 'stale/1', [
    [10_000, at(AWS, SEVEN, STALE)],
    BACK,
  ]),
  told(
    'reply',
    ['more-workloads', 'More workloads of the location get into trouble.'],
    'unhealthy/2',
    [
      [10_000, at(AWS, FIVE, DOWN)],
      [2 * MINUTE, { ...at(AWS, ['search'], SLOW), ...at(AWS, ['storefront'], DOWN) }],
    ],
  ),
  told(
    'broadcast',
    ['more-workloads-late', 'The same after more than ten minutes, when nobody reads the thread.'],
    'unhealthy/2',
    [
      [10_000, at(AWS, FIVE, DOWN)],
      [15 * MINUTE, at(AWS, ['search'], DOWN)],
    ],
  ),
  told(
    'reply',
    ['elsewhere', 'Its workloads get into trouble in a second location.'],
    'unhealthy/2',
    [BROKE, [2 * MINUTE, at(AZURE, ['auth', 'cart'], DOWN)]],
  ),
  told('reply', ['back-some', 'Some of the workloads have recovered.'], 'recovered/1', [
    BROKE,
    [3 * MINUTE, at(AWS, ['auth', 'cart'], READY)],
  ]),
  told(
    'broadcast',
    ['back-all', 'All of them have recovered: told in the channel.'],
    'recovered/1',
    [BROKE, BACK],
  ),
  told(
    'reply',
    ['back-quiet', 'The watch is quiet, so it stays in the thread.'],
    'recovered/1',
    [BROKE, BACK],
    {
      listen: { watches: [watching({ quiet: true })] },
    },
  ),
  told(
    'broadcast',
    ['back-others-idle', 'It is over, and some are not ready but scaled to zero or switched off.'],
    'recovered/1',
    [
      BROKE,
      [
        12 * MINUTE,
        {
          ...at(AWS, FIVE, READY),
          ...at(AWS, ['search'], idle(12)),
          ...at(AWS, ['storefront'], suspended(12)),
        },
      ],
    ],
  ),
  told(
    'broadcast',
    ['back-one-ready', 'It is over, and all but one have been switched off.'],
    'recovered/1',
    [BROKE, [12 * MINUTE, { ...at(AWS, SEVEN, suspended(12)), ...at(AWS, ['auth'], READY) }]],
  ),
];

export const locations: Area = {
  id: 'locations-in-trouble',
  title: 'Many workloads of one location get into trouble at once',
  entries: [...opened, ...later],
};
