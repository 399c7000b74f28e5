import { mutedContent, REFUSED_TITLE } from '../../../src/rollouts/render/muted.ts';
import { apiMessage } from '../../../src/rollouts/render/operators.ts';
import type { Impact } from '../../../src/rollouts/watch/impact.ts';
import type { ApiNotice } from '../../../src/rollouts/watch/operators.ts';
import { mrkdwn } from '../../../src/slack/kit/text.ts';
import { workload } from '../../stories/watch/records.ts';
import { known, until, type Story } from '../../stories/watch/story.ts';
import { MINUTE, NOW, post, type Area, type Entry } from '../entry.ts';
import { LINKS, scene, storyFrom } from './watch-scenes.ts';

const ONE_AFTER_ANOTHER =
  'v12 fails in one location after another while v11 serves; then v11 is gone, too';
const SMALL_THEN_ALL = 'One of four replicas is lost for ten minutes, and then the other three';
const BOTH_ILL = 'oslo falls ill, and twenty minutes later lima dies, too';
const STUCK = 'v12 is stuck for ten minutes while v11 serves; then v11 goes';
const OVER = 'An outage is over: recovered after three minutes, and the call is put into the past';
const FLAPS = 'Three outages within an hour flap: recovered only after twenty minutes of health';

const cart = workload('cart');
const OUT: Impact = { level: 3, settled: 3, have: 0, wanted: 2, worst: [], sick: [], silent: [] };
const PARTLY_BACK = storyFrom(
  'Two locations are ill; one recovers, and the other is suspended',
  [cart.in('lima', 'oslo').v(11).ready(2)],
  [0, cart.in('lima', 'oslo').v(11).down(0, 2)],
  [8, cart.in('lima').v(11).ready(2), cart.in('oslo').v(11).suspended()],
);

export const rolloutEnds: Area = {
  id: 'rollout-ends',
  title: 'How a rollout ends: ready, failed or stuck',
  entries: [
    scene(
      'rollout-ready',
      'A rollout that goes well is a card and one ready',
      'broadcast cart/12/ready',
    ),
    scene(
      'rollout-ready-links',
      'A rollout that goes well is a card and one ready',
      'broadcast cart/12/ready',
      { links: LINKS },
    ),
    scene(
      'rollout-ready-at-once',
      'A version that is ready when it is first seen is one post',
      'post cart/12/ready',
    ),
    scene(
      'rollout-ready-quiet',
      'A quiet channel gets the card, and the end of the rollout in its thread',
      'reply cart/12/ready',
    ),
    scene(
      'rollout-ready-in-part',
      'paris does not report; v12 is ready everywhere else',
      'broadcast cart/12/ready',
    ),
    scene(
      'rollout-ready-recovered',
      'The next version is ready, and ends the outage of the last one',
      'broadcast cart/12/ready',
    ),
    scene(
      'rollout-ready-not-recovered',
      'v12 fails in oslo, which is suspended then: ready elsewhere, and no recovery',
      'broadcast cart/12/ready',
    ),
    scene(
      'rollout-ready-again',
      'A location that is added and comes up is silent; one that hangs is posted, and its ready, too',
      'broadcast cart/12/ready/2',
    ),
    scene('rollout-failed', ONE_AFTER_ANOTHER, 'broadcast cart/12/failed'),
    scene('rollout-failed-more', ONE_AFTER_ANOTHER, 'broadcast cart/12/failed', { at: 7 }),
    scene('rollout-failed-outage', ONE_AFTER_ANOTHER, 'broadcast cart/12/failed/2', {
      links: LINKS,
    }),
    scene(
      'rollout-failed-first',
      'A new workload fails: it has never served',
      'broadcast pay/1/failed',
    ),
    scene(
      'rollout-failed-no-card',
      'A channel that hears of failures alone gets the failure, and no ready',
      'post cart/12/failed',
    ),
    scene('rollout-stuck', STUCK, 'broadcast cart/12/stuck'),
    scene('rollout-stuck-outage', STUCK, 'broadcast cart/12/stuck/2'),
    scene(
      'rollout-stuck-cause',
      'A quota holds v12 while v11 serves; then v11 goes',
      'broadcast cart/12/stuck',
    ),
    scene(
      'rollout-stuck-no-card',
      'A location is added, and nothing comes up there',
      'post cart/11/stuck',
    ),
  ],
};

export const calls: Area = {
  id: 'calls',
  title: 'Users are hurt, and recover',
  entries: [
    scene('call-reduced', SMALL_THEN_ALL, 'post cart/11/unhealthy'),
    scene('call-outage', SMALL_THEN_ALL, 'broadcast cart/11/unhealthy/2', { links: LINKS }),
    scene('call-was-reduced', SMALL_THEN_ALL, 'post cart/11/unhealthy', { at: 23 }),
    scene('call-partial', BOTH_ILL, 'post cart/11/unhealthy'),
    scene('call-notify', BOTH_ILL, 'post cart/11/unhealthy', { notify: '<!subteam^S0ONCALL>' }),
    scene('call-was-partial', BOTH_ILL, 'post cart/11/unhealthy', { at: 23 }),
    scene(
      'call-unknown',
      'DNS fails: a restart of three weeks ago is not the cause',
      'post cart/11/unhealthy',
    ),
    scene(
      'call-no-room',
      'A workload deployed before its watch starts anew, and no replica finds room',
      'post cart/11/unhealthy',
    ),
    scene(
      'call-fell',
      'One location comes back, which is an edit; when it falls again, it is a call',
      'post cart/11/unhealthy',
      { at: 13 },
    ),
    scene('call-recovered', OVER, 'broadcast cart/11/recovered'),
    scene('call-was', OVER, 'post cart/11/unhealthy', { at: 8 }),
    scene('call-recovered-in-part', PARTLY_BACK, 'broadcast cart/11/recovered'),
    scene(
      'call-over',
      'The sick location of two is suspended: oslo, which was never ill, has not recovered',
      'reply cart/11/suspended',
    ),
    scene(
      'call-over-gone',
      'The sick location is taken out, the trouble is over, and it is put back as ill as before',
      'reply cart/11/gone',
    ),
    scene('call-flapping', FLAPS, 'broadcast cart/11/unhealthy/3'),
    scene('call-flapping-over', FLAPS, 'broadcast cart/11/recovered/3'),
    scene(
      'crash-loop',
      'Three restarts within an hour, all replicas up: a reply in the thread, once',
      'reply cart/12/crashloop',
    ),
    scene(
      'crash-loop-no-card',
      'Out of memory every six minutes, and ready in between',
      'post cart/11/crashloop',
    ),
  ],
};

export const reportsAndLeaving: Area = {
  id: 'reports-and-leaving',
  title: 'A location does not report; a workload leaves',
  entries: [
    scene('stale', 'oslo does not report for ten minutes, and reports again', 'post cart/11/stale'),
    scene(
      'stale-alone',
      'The only location of a workload does not report: there is something to do',
      'post cart/11/stale',
      { links: LINKS },
    ),
    scene(
      'stale-back',
      'oslo does not report for ten minutes, and reports again',
      'broadcast cart/11/recovered',
    ),
    scene(
      'stale-back-hurt',
      'oslo reports again, and serves nothing: a call, and no good news',
      'reply cart/11/stale/2',
    ),
    scene(
      'stale-dropped',
      'oslo does not report for a day, and the platform drops it',
      'reply cart/11/gone',
    ),
    scene(
      'stale-dropped-alone',
      'All reports are lost, and the platform drops the workload: that is not deleted',
      'reply cart/11/gone',
    ),
    scene('leaving-deleted', 'A production workload is deleted', 'post cart/11/gone'),
    scene(
      'leaving-suspended',
      'The last location that served is suspended',
      'post cart/11/suspended',
    ),
    scene('leaving-zero', 'Scaled to zero twice a day is posted once', 'post cart/11/suspended'),
    scene('resumed', 'Scaled to zero twice a day is posted once', 'reply cart/11/resumed'),
  ],
};

const TWO_PROBLEMS: Story = {
  of: 'catalogue',
  title: 'The first poll finds trouble',
  polls: [
    known(cart.in('lima').v(11).down(1, 4), workload('pay').in('lima').v(3).stale()),
    until(0),
  ],
  messages: [],
};

export const firstPolls: Area = {
  id: 'first-polls',
  title: 'The first poll of a GVC, mutes, and notices for operators',
  entries: [
    scene(
      'adopted',
      'The first poll finds an outage and a lost report: one line, and neither is called again',
      'post @gvc/adopted',
    ),
    scene('adopted-partial', TWO_PROBLEMS, 'post @gvc/adopted'),
    scene(
      'muted-hurt',
      'An outage while the channel is muted: one message when the mute ends',
      'post @mute/1',
    ),
    scene(
      'muted-well',
      'A rollout begins while the channel is muted, and is ready after it',
      'post @mute/1',
    ),
    scene(
      'muted-silent',
      'All reports are lost while the channel is muted: whether anything is hurt is unknown',
      'post @mute/1',
    ),
    scene(
      'muted-unread',
      'The API fails when the mute ends: its message is the last that is known',
      'post @mute/1',
    ),
    post('refused-posts', 'A channel takes posts again, after it has refused two.', () =>
      mutedContent(
        REFUSED_TITLE,
        [
          {
            key: 'acme/shop/cart/12/card',
            at: NOW - 9 * MINUTE,
            text: mrkdwn`deploying · No impact · ${'shop/cart'} v12`.text,
          },
          {
            key: 'acme/shop/cart/12/failed',
            at: NOW - 4 * MINUTE,
            text: mrkdwn`🔴 Outage · ${'shop/cart'} v12 rollout failed in lima · 0 of 2 serve`.text,
          },
        ],
        [
          {
            org: 'acme',
            gvc: 'shop',
            workload: 'cart',
            impact: OUT,
            isUnread: false,
            call: undefined,
            notify: [],
          },
        ],
      ),
    ),
    scene(
      'api-unreadable',
      'The platform changes a type, and nothing can be read',
      'post @api/unreadable/1',
    ),
    scene(
      'api-unreadable-one',
      'One record cannot be read for half an hour: its facts stay as they were',
      'post @api/unreadable/1',
    ),
    scene(
      'api-unreadable-over',
      'One record cannot be read for half an hour: its facts stay as they were',
      'post @api/unreadable/1',
      { at: 30 },
    ),
    scene('api-empty', 'A list is suddenly empty, and later as before', 'post @api/unreadable/1'),
    slow('api-slow', 'For a quarter of an hour the polls of a GVC were too far apart'),
    slow('api-slow-over', 'The polls are in time again: the message is edited', { over: true }),
  ],
};

function slow(id: string, when: string, over: Partial<ApiNotice> = {}): Entry {
  const since = NOW - 15 * MINUTE;
  const notice: ApiNotice = { kind: 'api', what: 'slow', n: 1, since, records: 0, ...over };
  return post(id, when, () => apiMessage({ org: 'acme', gvc: 'shop' }, notice, NOW));
}
