import type { Listing } from '../../unit/rollouts/engine/gvc-scenario.ts';
import { idle, suspended } from '../../unit/rollouts/platform-json.ts';
import { MINUTE, type Area, type Entry } from '../entry.ts';
import {
  AHEAD,
  AWS,
  AZURE,
  BEGUN,
  GCP,
  IN_PLACE,
  LATER,
  PENDING,
  PULL,
  READY,
  SICK,
  SILENT,
  STALE,
  THREE,
  all,
  coming,
  failing,
  outcome,
  type Poll,
} from './watch-data.ts';

/** For more than ten minutes nothing changes. */
const LONG: Poll = [12 * MINUTE + 30_000, {}];

function lagging(
  id: string,
  when: string,
  then: Listing,
  { kind = 'reply', before = [] }: { kind?: 'reply' | 'broadcast'; before?: readonly Poll[] } = {},
): Entry {
  return outcome(kind, [`rollout-lagging-${id}`, when], 'lagging', {
    polls: [...before, [10_000, then], LONG],
  });
}

/** Where no location comes up the rollout is stuck, and the channel is told. */
const STUCK = { kind: 'broadcast' } as const;

export const rolloutsThatLag: Area = {
  id: 'rollouts-lagging',
  title: 'A rollout takes more than ten minutes',
  entries: [
    lagging('one', 'The change has not reached one location.', {
      [AWS]: READY,
      [AZURE]: READY,
    }),
    lagging('all', 'The change has not reached any location.', all(THREE, PENDING), STUCK),
    lagging('not-ready', 'It has come to a location, and is not ready there.', {
      [AWS]: READY,
      [AZURE]: READY,
      [GCP]: coming(1),
    }),
    lagging(
      'not-ready-all',
      'It has come to all locations, and is ready in none.',
      all(THREE, coming(1)),
      STUCK,
    ),
    lagging(
      'silent',
      'One location reports nothing any more.',
      { [AWS]: READY, [AZURE]: READY, [GCP]: SILENT },
      { before: [BEGUN] },
    ),
    lagging('silent-all', 'No location reports anything any more.', all(THREE, SILENT), {
      ...STUCK,
      before: [BEGUN],
    }),
    lagging(
      'mixed',
      'Each location lags in another way.',
      { [AWS]: PENDING, [AZURE]: coming(2), [GCP]: SILENT },
      { ...STUCK, before: [BEGUN] },
    ),
    lagging('says-why', 'A location says of itself why the change does not come.', {
      [AWS]: READY,
      [AZURE]: READY,
      [GCP]: { ...IN_PLACE, message: 'Updates are paused until the location is back in service.' },
    }),
  ],
};

/** Sick, well and sick again: with the next change it flaps. */
const UNSTEADY: readonly Poll[] = [SICK, READY, SICK].map((azure) => [MINUTE, { [AZURE]: azure }]);
const FLAPS: readonly Poll[] = [...UNSTEADY, [MINUTE, { [AZURE]: READY }]];

function flapping(
  id: string,
  when: string,
  polls: readonly Poll[],
  first: { first?: Listing } = LATER,
): Entry {
  return outcome('broadcast', [`rollout-flapping-${id}`, when], 'flapping', { ...first, polls });
}

/** How it may stand when nothing has changed for ten minutes. */
const SETTLED: readonly [state: string, last: Listing][] = [
  ['ready', { [AZURE]: READY }],
  ['unhealthy', { [AZURE]: SICK }],
  ['stale', { [AZURE]: STALE }],
  ['failed', { [AZURE]: READY, 'onprem-berlin': failing(PULL) }],
  ['deploying', { [AZURE]: coming(1) }],
  ['pending', { [AZURE]: PENDING }],
  ['diverged', { [AZURE]: AHEAD }],
  ['unknown', { [AZURE]: SILENT }],
  ['idle', all(THREE, idle(12))],
  ['suspended', all(THREE, suspended(12))],
];

export const rolloutsThatFlap: Area = {
  id: 'rollouts-flapping',
  title: 'A workload goes to and fro: one message stands for all the others',
  entries: [
    flapping('begins', 'The fourth change within ten minutes.', FLAPS),
    flapping('goes-on', 'More changes: the same message is edited.', [
      ...FLAPS,
      ...[SICK, READY, SICK].map((azure): Poll => [MINUTE, { [AZURE]: azure }]),
    ]),
    flapping('no-report', 'The fourth change, and it does not report anywhere.', [
      ...[STALE, READY, SICK, READY].map((one): Poll => [MINUTE, all(THREE, one)]),
      [MINUTE, all(THREE, STALE)],
    ]),
    flapping('several-troubles', 'It was in more than one kind of trouble.', [
      [MINUTE, { [AZURE]: SICK }],
      [MINUTE, { [AZURE]: READY }],
      [MINUTE, { [GCP]: STALE, [AWS]: SICK }],
      [MINUTE, all(THREE, READY)],
    ]),
    ...SETTLED.map(([state, last]) =>
      flapping(`settled-${state}`, `Ten minutes without a change, and it is ${state}.`, [
        ...FLAPS,
        [MINUTE, last],
        [10 * MINUTE, {}],
      ]),
    ),
    flapping(
      'settled-gone',
      'Ten minutes without a change, and it is not listed any more.',
      [...FLAPS, [MINUTE, all(THREE, 'absent')], [10_000, {}], [10 * MINUTE, {}]],
      { first: { ...LATER.first, 'checkout/gcp-us-east1': READY } },
    ),
  ],
};
