import type { Area } from '../entry.ts';
import { asked, refused } from './workload-data.ts';

/** Id, why it is asked, and the words after `/workload plan`. */
const PLANS: readonly (readonly [id: string, when: string, words: string])[] = [
  ['assumed', 'Only the number of replicas is given', 'replicas=4'],
  ['one-replica', 'A workload of one replica', 'replicas=1'],
  ['surge', 'Two replicas may be added', 'replicas=4 maxSurge=2 minReady=30'],
  ['surge-last-smaller', 'The last batch is smaller', 'replicas=5 maxSurge=2 minReady=30'],
  ['surge-percent', 'A percentage that is rounded up', 'replicas=5 maxSurge=30% minReady=45s'],
  ['cutover', 'As many may be added as there are', 'replicas=3 maxSurge=100% minReady=10'],
  ['surge-too-much', 'More may be added than there are', 'replicas=3 maxSurge=10 minReady=10'],
  ['unavailable', 'One replica may be away', 'replicas=4 maxUnavailable=1 minReady=30'],
  ['unavailable-percent', 'A percentage rounded down', 'replicas=5 maxUnavailable=50%'],
  ['unavailable-all', 'All may be away', 'replicas=4 maxUnavailable=100% minReady=5'],
  ['unavailable-too-much', 'More may be away than there are', 'replicas=3 maxUnavailable=200%'],
  [
    'both',
    'Some may be added, and some away',
    'replicas=6 maxSurge=2 maxUnavailable=1 minReady=20',
  ],
  ['one-left', 'One replica has to serve', 'replicas=2 maxUnavailable=1 minReady=0'],
  [
    'ordered',
    'The default policy is named',
    'replicas=4 maxSurge=1 minReady=30 policy=OrderedReady',
  ],
  ['parallel', 'A policy without effect on updates', 'replicas=4 maxSurge=1 policy=parallel'],
  ['minutes', 'A duration of minutes', 'replicas=4 maxSurge=1 minReady=2m'],
  ['fraction', 'A fraction of a second', 'replicas=2 maxSurge=1 minReady=1.5'],
  ['many-batches', 'More batches than the table shows', 'replicas=40 maxSurge=1 minReady=30'],
  ['thousand', 'The most replicas there may be', 'replicas=1000 maxSurge=1% minReady=86400'],
];

/** The same for a plan that cannot be rolled out. */
const STUCK: readonly (readonly [id: string, when: string, words: string])[] = [
  ['stuck', 'Nothing may be added, and nothing away', 'replicas=4 maxSurge=0'],
  ['stuck-rounded', 'A percentage of less than one', 'replicas=4 maxSurge=0 maxUnavailable=10%'],
];

export const workloadPlan: Area = {
  id: 'workload-plan',
  title: '/workload plan',
  entries: [
    ...PLANS.map(([id, when, words]) => asked(`workload-plan-${id}`, when, `plan ${words}`)),
    ...STUCK.map(([id, when, words]) => refused(`workload-plan-${id}`, when, `plan ${words}`)),
  ],
};
