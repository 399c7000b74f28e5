import { broken, idle, ready, suspended } from '../../unit/rollouts/platform-json.ts';
import { HOUR, MINUTE, type Area, type Entry } from '../entry.ts';
import type { Listing } from '../../unit/rollouts/engine/gvc-scenario.ts';
import {
  AHEAD,
  AT_REST,
  AWS,
  AZURE,
  BEFORE,
  BEGUN,
  EDGE,
  GCP,
  IN_PLACE,
  PENDING,
  PULL,
  READY,
  SECRET,
  SICK,
  SILENT,
  STALE,
  THREE,
  all,
  coming,
  failing,
  held,
  messages,
  replicas,
  said,
  story,
  type Poll,
} from './watch-data.ts';

const FIRST = broken(1, '', { deploying: true, desiredScale: 3, versions: [replicas(1, 0)] });

function card(
  id: string,
  when: string,
  polls: readonly Poll[],
  { first = BEFORE, key = 'cart/12/card' }: { first?: Listing; key?: string } = {},
): Entry {
  return said('post', [`rollout-card-${id}`, when], key, () => messages(story(first, ...polls)));
}

/** 34 locations in the order in which a table shows them. */
const MANY = Array.from(
  { length: 34 },
  (_, index) => `aws-edge-${String(index + 1).padStart(2, '0')}`,
);
const LONG = `aws-${'very-'.repeat(14)}far-1`;

export const rolloutCards: Area = {
  id: 'rollout-cards',
  title: 'The card of a rollout: one message, edited as it goes on',
  entries: [
    card('deploying', 'A new version comes up at the first of three locations.', [
      [10_000, { [AWS]: coming(0) }],
    ]),
    card('deploying-part', 'One location is ready, one has some replicas, one follows.', [
      [10_000, all([AWS, AZURE], coming(0))],
      [3 * MINUTE, { [AWS]: READY, [AZURE]: coming(2, 1) }],
    ]),
    card(
      'deploying-aside',
      'Locations where nothing runs, and one that has left, are not waited for.',
      [
        [10_000, { [AWS]: coming(0), [AZURE]: suspended(12), [GCP]: idle(12), [EDGE]: coming(0) }],
        [MINUTE, { [EDGE]: 'absent' }],
        [10_000, { [AWS]: coming(1) }],
      ],
      { first: { ...BEFORE, [EDGE]: IN_PLACE } },
    ),
    card(
      'deploying-first',
      'The first version of a workload that was not there before.',
      [[10_000, { 'checkout/aws-eu-central-1': FIRST }]],
      { key: 'checkout/1/card' },
    ),
    card('pending', 'The platform has taken the new version, and no location has begun.', [
      [10_000, all(THREE, PENDING)],
    ]),
    card('unknown', 'The locations had begun, and report nothing any more.', [
      BEGUN,
      [10_000, all(THREE, SILENT)],
    ]),
    card('held-up', 'The new version comes up, and says why it cannot go on.', [
      [10_000, { [AWS]: held(SECRET), [AZURE]: held(PULL), [GCP]: coming(1) }],
    ]),
    card('failed', 'The new version fails: one location still serves the old one, one nothing.', [
      [10_000, all(THREE, coming(0))],
      [2 * MINUTE, { [AWS]: failing(PULL), [AZURE]: failing(PULL, { before: 0 }), [GCP]: READY }],
    ]),
    card('failed-no-reason', 'The rollout stopped, and the platform does not say why.', [
      [10_000, all(THREE, coming(0))],
      [2 * MINUTE, { [AWS]: failing(''), [AZURE]: READY, [GCP]: READY }],
      [10_000, {}],
    ]),
    card(
      'unhealthy',
      'A workload that was ready is not any more, long after its rollout.',
      [[HOUR, { [AZURE]: SICK }]],
      { first: all(THREE, READY) },
    ),
    card('stale', 'A location does not report any more.', [[HOUR, { [GCP]: STALE }]], {
      first: all(THREE, READY),
    }),
    card('diverged', 'Two locations run a newer version than the one that is expected.', [
      [10_000, { [AWS]: AHEAD, [AZURE]: { ...AHEAD, versions: [replicas(12, 3)] }, [GCP]: READY }],
    ]),
    card(
      'many-locations',
      'More locations than a table has room for: the worst are shown.',
      [
        [10_000, all(MANY.slice(0, 2), failing(PULL))],
        [MINUTE, all(MANY.slice(2, 20), READY)],
      ],
      { first: all(MANY, IN_PLACE) },
    ),
    card(
      'long-name',
      'The name of a location is longer than a sentence has room for.',
      [[10_000, { [LONG]: failing(PULL) }]],
      { first: { ...BEFORE, [LONG]: IN_PLACE } },
    ),
    ...endings(),
  ],
};

function endings(): Entry[] {
  const ends: readonly [id: string, when: string, then: Listing][] = [
    ['ready', 'The rollout has come to its end: every location serves it.', all(THREE, READY)],
    ['idle', 'In place, and scaled to zero everywhere.', all(THREE, idle(12))],
    ['suspended', 'In place, and suspended.', { ...all(THREE, idle(12)), [AWS]: suspended(12) }],
    ['superseded', 'A newer version has come before this one was ready.', all(THREE, ready(13))],
    ['rolled-back', 'Somebody has gone back to the version before.', all(THREE, IN_PLACE)],
  ];
  return [
    ...ends.map(([id, when, then]) => card(id, when, [BEGUN, [4 * MINUTE + 20_000, then]])),
    card(
      'gone',
      'The workload is not listed any more.',
      [BEGUN, [MINUTE, all(THREE, 'absent')], [10_000, { 'checkout/aws-eu-central-1': ready(1) }]],
      { first: { ...BEFORE, 'checkout/aws-eu-central-1': ready(1) } },
    ),
    card(
      'ready-at-once',
      'The version is ready when it is first seen: one message, which serves as the card.',
      [[10_000, all(THREE, READY)]],
      { key: 'cart/12/ready' },
    ),
    card(
      'at-rest',
      'A location states no replicas and has nothing to say: it counts as scaled to zero.',
      [
        [10_000, { [AWS]: coming(0), [AZURE]: coming(0), [GCP]: AT_REST }],
        [10_000, {}],
      ],
    ),
    card(
      'ready-again',
      'Trouble long after the rollout has opened this card, and it has passed.',
      [
        [HOUR, { [AZURE]: SICK }],
        [5 * MINUTE, { [AZURE]: READY }],
      ],
      { first: all(THREE, READY) },
    ),
  ];
}
