import type { Listing } from '../../unit/rollouts/engine/gvc-scenario.ts';
import {
  broken,
  container,
  ready,
  suspended,
  type Json,
} from '../../unit/rollouts/platform-json.ts';
import { HOUR, MINUTE, type Area, type Entry } from '../entry.ts';
import {
  AHEAD,
  AWS,
  AZURE,
  BEGUN,
  GCP,
  IN_PLACE,
  LATER,
  OVER,
  PENDING,
  PULL,
  READY,
  SECRET,
  SEVEN,
  SICK,
  STALE,
  THREE,
  all,
  coming,
  failing,
  held,
  messages,
  outcome,
  replicas,
  restarted,
  said,
  story,
  watching,
  type Poll,
  type Told,
} from './watch-data.ts';

function ready12(
  id: string,
  when: string,
  locations: readonly string[],
  asleep: Listing = {},
): Entry {
  return outcome('broadcast', [`rollout-ready-${id}`, when], 'ready', {
    first: { ...all(locations, IN_PLACE), ...asleep },
    polls: [
      [10_000, all(locations, coming(0))],
      [4 * MINUTE, all(locations, READY)],
    ],
  });
}

export const rolloutOutcomes: Area = {
  id: 'rollout-outcomes',
  title: 'What is told in the thread of a rollout’s card',
  entries: [
    ready12('one', 'A new version is ready in the only location.', [AWS]),
    ready12('both', 'A new version is ready in both locations.', [AWS, AZURE]),
    ready12('all', 'A new version is ready everywhere.', THREE),
    ready12(
      'some',
      'A new version is ready in many locations, and another is switched off.',
      SEVEN,
      {
        'onprem-berlin': suspended(11),
      },
    ),
    outcome(
      'broadcast',
      [
        'rollout-ready-again',
        'The version was ready, a location was added and failed, and is ready.',
      ],
      'ready/2',
      {
        first: all([AWS, AZURE], IN_PLACE),
        polls: [
          [10_000, all([AWS, AZURE], coming(0))],
          [4 * MINUTE, all([AWS, AZURE], READY)],
          [HOUR, { [GCP]: failing(PULL) }],
          [9 * MINUTE, { [GCP]: READY }],
        ],
      },
    ),
    outcome(
      'reply',
      ['rollout-ready-quiet', 'The watch is quiet, so it stays in the thread.'],
      'ready',
      { polls: OVER, listen: { watches: [watching({ quiet: true })] } },
    ),
    outcome(
      'broadcast',
      ['rollout-ready-same-image', 'The version changes nothing that its containers show.'],
      'ready',
      {
        first: all(THREE, same(11)),
        polls: [
          [10_000, all(THREE, coming(0))],
          [4 * MINUTE, all(THREE, same(12))],
        ],
      },
    ),
    outcome(
      'broadcast',
      ['rollout-ready-many-changes', 'The version brings more containers than there are lines.'],
      'ready',
      {
        polls: [
          [10_000, all(THREE, coming(0))],
          [4 * MINUTE, all(THREE, withSidecars(12))],
        ],
      },
    ),
    ...failures(),
    ...blocks(),
    ...states(),
    ...inThread(),
  ],
};

/** A version of which only the number is new. */
function same(workload: number): Json {
  const main = container({ image: 'registry.example.com/acme/cart:v11' });
  return running(workload, { main });
}

function withSidecars(workload: number): Json {
  const names = ['proxy', 'log', 'metrics', 'trace', 'cache'];
  const image = 'registry.example.com/acme/sidecar:v1';
  return running(workload, Object.fromEntries(names.map((name) => [name, container({ image })])));
}

function running(workload: number, containers: Json): Json {
  return ready(workload, { desiredScale: 3, versions: [replicas(workload, 3, { containers })] });
}

function failures(): Entry[] {
  const of = (id: string, when: string, then: Listing, more: readonly Poll[] = []): Entry =>
    outcome('broadcast', [`rollout-failed-${id}`, when], 'failed', {
      polls: [BEGUN, [2 * MINUTE, then], ...more],
    });
  const quiet: Poll = [10_000, {}];
  return [
    of('one', 'A new version fails in one location, where the old one still serves.', {
      [AWS]: failing(PULL),
    }),
    of('all', 'A new version fails everywhere, and nothing serves any more.', {
      ...all(THREE, failing(PULL, { before: 0 })),
    }),
    of('differently', 'It fails in two locations for different reasons.', {
      [AWS]: failing(PULL, { before: 1 }),
      [AZURE]: failing('container cart: exceeded its memory limit'),
    }),
    of(
      'more',
      'A second location fails later: the message that is there is edited.',
      { [AWS]: failing(PULL) },
      [[MINUTE, { [GCP]: failing(PULL) }]],
    ),
    said(
      'broadcast',
      ['rollout-failed-new', 'The first version of a workload fails.'],
      'checkout/1/failed',
      () => messages(story({ [AWS]: READY }, [10_000, { [`checkout/${AWS}`]: broken(1, PULL) }])),
    ),
    of('no-reason', 'The platform does not say why.', { [AWS]: failing('') }, [quiet]),
    of('uncounted', 'The platform does not say how many replicas there should be.', {
      [AWS]: uncounted(),
    }),
  ];
}

/** What does not go on by itself. */
function blocks(): Entry[] {
  const of = (id: string, when: string, then: Listing): Entry =>
    outcome('broadcast', [`rollout-blocked-${id}`, when], 'blocked', {
      polls: [BEGUN, [10_000, then], [3 * MINUTE, {}]],
    });
  return [
    of('secret', 'A secret is missing everywhere for three minutes.', all(THREE, held(SECRET))),
    of('image', 'The image cannot be pulled in one location.', { [AWS]: held(PULL) }),
    of('quota', 'A quota holds the change before it is applied.', {
      [AZURE]: { ...PENDING, message: 'Updates are held: the quota "memory" is reached.' },
    }),
  ];
}

/** What still serves states no number that is wanted. */
function uncounted(): Listing[string] {
  const serving = replicas(11, 3);
  const main = { name: 'main', ready: true, resources: { replicasReady: 3 } };
  const status = failing(PULL);
  return {
    ...status,
    versions: [replicas(12, 0, { message: PULL }), { ...serving, containers: { main } }],
  };
}

function states(): Entry[] {
  return [
    outcome(
      'broadcast',
      ['rollout-unhealthy', 'A workload was ready, and is not any more in one location.'],
      'unhealthy',
      { ...LATER, polls: [[HOUR, { [AZURE]: SICK }]] },
    ),
    outcome(
      'broadcast',
      ['rollout-unhealthy-all', 'A workload was ready, and is not any more anywhere.'],
      'unhealthy',
      { ...LATER, polls: [[HOUR, all(THREE, failing(PULL, { before: 0 }))]] },
    ),
    outcome('broadcast', ['rollout-stale', 'A location has not reported for a while.'], 'stale', {
      ...LATER,
      polls: [[HOUR, { [GCP]: STALE }]],
    }),
    outcome(
      'broadcast',
      ['rollout-recovered', 'A workload that was unhealthy or stale is ready again.'],
      'recovered',
      {
        ...LATER,
        polls: [
          [HOUR, { [AZURE]: SICK }],
          [12 * MINUTE, { [AZURE]: READY }],
        ],
      },
    ),
  ];
}

function inThread(): Entry[] {
  const asleep: Poll = [MINUTE, { [GCP]: suspended(12) }];
  const reply = (told: Told, key: string, ...polls: readonly Poll[]): Entry =>
    outcome('reply', told, key, { polls: [...OVER, ...polls] });
  const looping = (count: number): Listing => ({
    [AZURE]: ready(12, { desiredScale: 3, versions: [restarted(3, count)] }),
  });
  const crashing = (count: number): Listing => ({
    [AZURE]: broken(12, '', { desiredScale: 3, versions: [restarted(1, count)] }),
  });
  return [
    reply(['rollout-suspended', 'Somebody has switched a location off.'], 'suspended', asleep),
    reply(
      ['rollout-suspended-all', 'Somebody has switched the workload off everywhere.'],
      'suspended',
      [MINUTE, all(THREE, suspended(12))],
    ),
    reply(
      ['rollout-resumed', 'It was switched off, and serves again.'],
      'resumed',
      asleep,
      [HOUR, { [GCP]: coming(0, 0) }],
      [MINUTE, { [GCP]: READY, [AWS]: coming(2, 1) }],
    ),
    reply(
      ['rollout-diverged', 'A location runs another version than the expected one for 10 minutes.'],
      'diverged',
      [MINUTE, { [AWS]: AHEAD }],
      [10 * MINUTE, {}],
    ),
    reply(
      ['rollout-crashloop', 'Containers restart again and again, and are ready in between.'],
      'crashloop',
      [MINUTE, looping(1)],
      [2 * MINUTE, looping(4)],
      [2 * MINUTE, looping(7)],
    ),
    outcome(
      'broadcast',
      [
        'rollout-crashloop-unhealthy',
        'Containers restart again and again, and less than half of the replicas serve.',
      ],
      'crashloop',
      {
        polls: [
          ...OVER,
          [MINUTE, crashing(1)],
          [2 * MINUTE, crashing(4)],
          [2 * MINUTE, crashing(7)],
        ],
      },
    ),
    outcome(
      'post',
      ['rollout-crashloop-alone', 'The same of a workload that was there before, without a card.'],
      'crashloop',
      {
        ...LATER,
        polls: [
          [MINUTE, looping(1)],
          [5 * MINUTE, looping(8)],
          [4 * MINUTE, looping(14)],
        ],
      },
    ),
    reply(
      ['rollout-gone', 'A location is not in the list of the workload any more.'],
      'gone',
      [MINUTE, { [GCP]: 'absent' }],
      [10_000, {}],
    ),
    reply(
      ['rollout-gone-all', 'The workload is not listed any more, others of its GVC are.'],
      'gone',
      [MINUTE, { ...all(THREE, 'absent'), 'checkout/gcp-us-east1': ready(3) }],
      [10_000, {}],
    ),
  ];
}
