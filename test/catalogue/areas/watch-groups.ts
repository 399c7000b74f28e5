import { workload, type Records } from '../../stories/watch/records.ts';
import type { Area } from '../entry.ts';
import { LINKS, scene, storyFrom } from './watch-scenes.ts';

const SIXTH =
  'The sixth falls ill soon after: it is named at once, and posted five minutes after the first';
const FORTY = 'Forty workloads of one location fail, two a minute';
const WORSE = 'The sixth is hurt more than all others: it is posted at once';
const BACK = 'All recover within two minutes: one message';
const ONE_BACK = 'One recovers, four stay ill: posted five minutes later';
const REPORTS = 'Five workloads of oslo do not report, and report again';
const DELETED =
  'Five workloads hurt in oslo are deleted; five others fall ill there later: a new message';
const FLAPS =
  'Five workloads of one location flap together: the third message says so, and ends after twenty minutes';
const OSLO = 'post acme/@location/oslo';

const FIVE = ['a', 'b', 'c', 'd', 'e'];
const five = (of: (name: string, index: number) => Records): Records[] => FIVE.map(of);
const DIFFERENT = storyFrom(
  'Five workloads of oslo are ill, for different reasons',
  five((name) => workload(name).in('lima', 'oslo').v(11).ready(2)),
  [
    0,
    ...five((name, index) => {
      const one = workload(name).in('oslo').v(11);
      return index < 3
        ? one.down(0, 2).crash('Readiness probe failed')
        : one.down(1, 2).restarts(4, 0);
    }),
  ],
);

export const locationGroups: Area = {
  id: 'location-groups',
  title: 'Five or more workloads of one location are in trouble',
  entries: [
    scene('location-unhealthy', SIXTH, `${OSLO}/unhealthy/1`),
    scene('location-causes', DIFFERENT, `${OSLO}/unhealthy/1`),
    scene('location-joined-named', SIXTH, `${OSLO}/unhealthy/1`, { at: 7 }),
    scene('location-joined', SIXTH, 'broadcast f/11/unhealthy'),
    scene('location-joined-worse', WORSE, 'broadcast f/11/unhealthy'),
    scene('location-many', FORTY, 'post acme/@location/lima/unhealthy/1', { at: 22 }),
    scene('location-many-joined', FORTY, 'broadcast w10/11/unhealthy'),
    scene(
      'location-rises',
      'Five workloads are hurt in oslo; three minutes later four of them die in lima, too',
      'broadcast a/11/unhealthy/2',
    ),
    scene('location-some-left', ONE_BACK, `${OSLO}/unhealthy/1`, { at: 23 }),
    scene('location-some-back', ONE_BACK, 'broadcast acme/@location/oslo/recovered/1'),
    scene('location-recovered', BACK, 'broadcast acme/@location/oslo/recovered/1'),
    scene('location-over', BACK, `${OSLO}/unhealthy/1`, { at: 25 }),
    scene('location-gone', DELETED, 'reply acme/@location/oslo/gone/1'),
    scene('location-flapping', FLAPS, `${OSLO}/unhealthy/3`),
    scene(
      'location-failed',
      'Five rollouts fail in one location in the same minute: one message',
      `${OSLO}/failed/1`,
    ),
    scene('location-stale', REPORTS, `${OSLO}/stale/1`),
    scene('location-stale-back', REPORTS, 'broadcast acme/@location/oslo/recovered/1'),
    scene('location-stale-over', REPORTS, `${OSLO}/stale/1`, { at: 13 }),
    scene(
      'location-stale-org',
      'A location of three GVCs does not report: one message for the org',
      `${OSLO}/stale/1`,
    ),
  ],
};

const ROLLED = 'A change of the GVC rolls three workloads anew, and all are ready';
const WAVE = 'A change of the GVC reaches one workload, and the others twelve minutes later';
const HANGS = 'One of two hangs for twenty minutes, and both are ready then';
const ILL = 'One of them was ready and is ill when the last one is ready';
const FAILS =
  'One of two fails while the old rendering serves: a reply of the card, five minutes after it';
const TWENTY = 'A change of the GVC breaks twenty workloads whose rollouts were watched';
const GVC_CARD = 'post @gvc/5/card';

const two = (gvc: number): Records[] =>
  ['a', 'b'].map((name) => workload(name).in('lima').v(11).under(gvc).deploying(0, 2).oldGvc(2));
const AGAIN = storyFrom(
  'The GVC is changed once more on the way',
  ['a', 'b'].map((name) => workload(name).in('lima').v(11).under(4).ready(2)),
  [0, ...two(5)],
  [3, ...two(6)],
);

export const gvcGroups: Area = {
  id: 'gvc-groups',
  title: 'A change of the GVC itself rolls its workloads anew',
  entries: [
    scene('gvc-card', ROLLED, GVC_CARD),
    scene('gvc-card-links', ROLLED, GVC_CARD, { links: LINKS }),
    scene('gvc-card-not-reached', WAVE, GVC_CARD),
    scene('gvc-card-hurt', WAVE, GVC_CARD, { at: 14 }),
    scene('gvc-card-failed', FAILS, GVC_CARD, { at: 3 }),
    scene('gvc-card-many', TWENTY, GVC_CARD),
    scene('gvc-card-ready', ROLLED, GVC_CARD, { at: 3 }),
    scene('gvc-card-superseded', AGAIN, GVC_CARD, { at: 3 }),
    scene('gvc-failed', FAILS, 'broadcast a/11/failed'),
    scene('gvc-stuck', HANGS, 'broadcast b/11/stuck'),
    scene('gvc-stuck-many', TWENTY, 'broadcast w1/12/stuck'),
    scene('gvc-stuck-was', HANGS, 'broadcast b/11/stuck', { at: 20 }),
    scene('gvc-ready', ROLLED, 'broadcast @gvc/5/ready'),
    scene('gvc-ready-recovered', HANGS, 'broadcast @gvc/5/ready'),
    scene('gvc-ready-ill', ILL, 'broadcast @gvc/5/ready'),
  ],
};

const ROW = 'A job fails every minute in two locations: one message, and one when it works again';

export const jobs: Area = {
  id: 'jobs',
  title: 'Runs of a cron workload fail',
  entries: [
    scene(
      'job-failed',
      'The third row of failures within an hour ends after twenty minutes without one',
      'post nightly/@job/lima/n-0/failed',
      { links: LINKS },
    ),
    scene(
      'job-pending',
      'An execution waits for an image that cannot be pulled',
      'post nightly/@job/lima/nightly-2/pending',
    ),
    scene(
      'job-removed',
      'The third execution in a row is removed before it finished',
      'post nightly/@job/lima/nightly-4/removed',
    ),
    scene(
      'job-invalid',
      'A failure in the first list is not posted, and the next one is',
      'post nightly/@job/lima/n-5/invalid',
    ),
    scene('job-row', ROW, 'post nightly/@job/lima/lima-0/failed', { at: 5 }),
    scene('job-recovered', ROW, 'broadcast nightly/@job/oslo/oslo-12/successful'),
  ],
};
