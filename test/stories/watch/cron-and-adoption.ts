import { run, workload } from './records.ts';
import { at, awayUntil, known, until, type Story } from './story.ts';

const cart = workload('cart');
const nightly = workload('nightly');
const DONE = run('nightly-1', 'successful');
const CRASH = 'Back-off restarting failed container';

/** Findings 10 to 14, 20, 22, 27, 28, 30 and 32. */
export const CRON_AND_ADOPTION: readonly Story[] = [
  {
    of: 'finding 10',
    title: 'An execution waits for an image that cannot be pulled',
    polls: [
      known(nightly.in('lima').v(3).cron(DONE)),
      at(
        0,
        nightly
          .in('lima')
          .v(3)
          .cron(
            DONE,
            run('nightly-2', 'pending', 'Back-off pulling image "nightly:v3": ImagePullBackOff'),
          ),
      ),
      until(180),
    ],
    messages: ['3 post nightly/@job/lima/nightly-2/pending "…nightly"'],
  },
  {
    of: 'finding 10',
    title: 'The location of a cron workload does not report',
    polls: [
      known(nightly.in('lima').v(3).cron(DONE)),
      at(0, nightly.in('lima').v(3).cron(DONE).stale()),
      until(120),
    ],
    messages: ['3 post nightly/3/stale "…no report (stale) in lima"'],
  },
  {
    of: 'finding 10',
    title: 'The third execution in a row is removed before it finished',
    polls: [
      known(nightly.in('lima').v(3).cron(DONE)),
      ...[2, 3, 4].map((last) =>
        at(
          (last - 2) * 10,
          nightly
            .in('lima')
            .v(3)
            .cron(DONE, ...removedTo(last)),
        ),
      ),
      until(60),
    ],
    messages: ['20 post nightly/@job/lima/nightly-4/removed "…nightly"'],
  },
  {
    of: 'finding 10',
    title: 'A new cron workload that has not run yet is no failed rollout',
    polls: [
      known(cart.in('lima').v(11).ready(2)),
      at(0, nightly.in('lima').v(1).cron()),
      until(60),
    ],
    messages: [],
  },
  {
    of: 'finding 10',
    title: 'A job fails every minute in two locations: one message, and one when it works again',
    polls: [
      known(nightly.in('lima', 'oslo').v(3).cron(DONE)),
      ...Array.from({ length: 11 }, (_, minute) =>
        at(minute, ...['lima', 'oslo'].map((location) => failing(location, minute))),
      ),
      at(11, nightly.in('lima').v(3).cron(DONE, run('lima-11', 'successful'))),
      at(12, nightly.in('oslo').v(3).cron(DONE, run('oslo-12', 'successful'))),
      until(60),
    ],
    messages: [
      '0 post nightly/@job/lima/lima-0/failed|nightly/@job/oslo/oslo-0/failed "…nightly"',
      '1..10 edit nightly/@job/* "…2 locations"',
      '12 broadcast nightly/@job/oslo/oslo-12/successful "✅"',
    ],
  },
  {
    of: 'finding 11, case 6',
    title: 'A cron workload is deleted and comes back as a service, which falls ill',
    polls: [
      known(nightly.in('lima').v(3).cron(DONE), cart.in('lima').v(11).ready(2)),
      at(0, nightly.in('lima').gone()),
      at(10, nightly.in('lima').v(1).deploying(0, 2)),
      at(12, nightly.in('lima').v(1).ready(2)),
      at(40, nightly.in('lima').v(1).down(0, 2).crash(CRASH)),
      until(60),
    ],
    messages: [
      '10 post nightly/1/card "deploying"',
      '12 broadcast nightly/1/ready "✅ Ready"',
      '43 broadcast nightly/1/unhealthy "🔴 Outage · shop/nightly v1 unhealthy in lima"',
    ],
  },
  {
    of: 'finding 11, case 6',
    title: 'A cron workload becomes a service under the same name, and falls ill the next day',
    polls: [
      known(nightly.in('lima').v(3).cron(DONE)),
      at(0, nightly.in('lima').v(4).ready(2)),
      at(1500, nightly.in('lima').v(4).down(0, 2).crash(CRASH)),
      until(1520),
    ],
    messages: ['(0 post nightly/4/ready)', '25h03 loud nightly/4/unhealthy "🔴 Outage"'],
  },
  {
    of: 'finding 12',
    title: 'The watch begins during an outage, and the next version fails, too',
    polls: [
      at(0, cart.in('lima').v(11).down(0, 2).crash(CRASH)),
      at(30, cart.in('lima').v(12).deploying(0, 2)),
      at(32, cart.in('lima').v(12).down(0, 2).crash(CRASH)),
      until(60),
    ],
    messages: [
      '0 post @gvc/adopted "I start from here: cart Outage (failed)"',
      '30 post cart/12/card "deploying · Outage"',
      '33 broadcast cart/12/failed "🔴 Outage · shop/cart v12 rollout failed in lima"',
    ],
    never: /never (?:seen to serve|served)/i,
  },
  {
    of: 'finding 13',
    title: 'Out of memory every six minutes, and ready in between',
    polls: [
      known(cart.in('lima').v(11).ready(1)),
      ...Array.from({ length: 24 }, (_, turn) => [
        at(
          turn * 6,
          cart
            .in('lima')
            .v(11)
            .down(0, 1)
            .restarts(turn + 1, turn * 6),
        ),
        at(
          turn * 6 + 1,
          cart
            .in('lima')
            .v(11)
            .ready(1)
            .restarts(turn + 1, turn * 6),
        ),
      ]).flat(),
    ],
    messages: ['12 post cart/11/crashloop "…keeps crashing"'],
  },
  {
    of: 'finding 13',
    title: 'Down for eight minutes of every nine: one call an hour that says flapping',
    polls: [
      known(cart.in('lima').v(11).ready(2)),
      ...Array.from({ length: 21 }, (_, turn) => [
        at(turn * 9, cart.in('lima').v(11).down(0, 2)),
        at(turn * 9 + 8, cart.in('lima').v(11).ready(2)),
      ]).flat(),
    ],
    messages: [
      '3 post cart/11/unhealthy "🔴 Outage"',
      '18..64 broadcast cart/11/unhealthy/2 "🔴 Outage…flapping"',
      '78..126 broadcast cart/11/unhealthy/3 "🔴 Outage…flapping"',
      '138..188 broadcast cart/11/unhealthy/4 "🔴 Outage…flapping"',
    ],
  },
  {
    of: 'finding 13',
    title: 'An autoscaler wavers while nothing is ready',
    polls: [
      known(cart.in('lima').v(11).ready(3)),
      ...Array.from({ length: 27 }, (_, turn) =>
        at(
          turn * 3,
          cart
            .in('lima')
            .v(11)
            .deploying(0, 3 + (turn % 2)),
        ),
      ),
    ],
    messages: ['3 post cart/11/unhealthy "🔴 Outage · shop/cart v11 unhealthy in lima"'],
  },
  {
    of: 'finding 14',
    title: 'The platform changes a type, and nothing can be read',
    polls: [
      known(cart.in('lima', 'oslo').v(11).ready(2), nightly.in('lima').v(2).ready(1)),
      at(0, cart.in('lima', 'oslo').unreadable(), nightly.in('lima').unreadable()),
      until(60),
    ],
    messages: ['2 post @api/unreadable/1'],
  },
  {
    of: 'finding 20',
    title: 'Not ready in one poll, with a restart of three weeks ago',
    polls: [
      known(cart.in('lima').v(11).since(-43_200).ready(2).restarts(1, -28_800)),
      at(0, cart.in('lima').v(11).since(-43_200).down(0, 2).restarts(1, -28_800)),
      at(1, cart.in('lima').v(11).since(-43_200).ready(2).restarts(1, -28_800)),
      until(20),
    ],
    messages: [],
  },
  {
    of: 'finding 20',
    title: 'DNS fails: a restart of three weeks ago is not the cause',
    polls: [
      known(cart.in('lima').v(11).since(-43_200).ready(2).restarts(1, -28_800)),
      at(
        0,
        cart
          .in('lima')
          .v(11)
          .since(-43_200)
          .upWithout('DNS records could not be created', 2)
          .restarts(1, -28_800),
      ),
      until(60),
    ],
    messages: [
      '10..11 post cart/11/unhealthy "🟠 Unknown (lima) · shop/cart v11 unhealthy in lima…DNS records could not be created"',
    ],
    never: /out of memory|OOMKilled/i,
  },
  {
    of: 'finding 22',
    title: 'v13 brings back the image of v11, which v12 had replaced',
    polls: [
      known(cart.in('lima').v(11).ready(2)),
      at(0, cart.in('lima').v(12).deploying(0, 2).old(11, 2)),
      at(2, cart.in('lima').v(12).down(0, 2).says('ErrImagePull').old(11, 2)),
      at(6, cart.in('lima').v(13).deploying(0, 2).imageOf(11).old(11, 2)),
      at(8, cart.in('lima').v(13).ready(2).imageOf(11)),
      until(30),
    ],
    messages: [
      '0 post cart/12/card',
      '3 broadcast cart/12/failed "🟠 No impact"',
      '6 edit cart/12/* "…superseded by v13"',
      '6 post cart/13/card',
      '8 broadcast cart/13/ready "✅ Ready"',
    ],
    never: /same image:/i,
  },
  {
    of: 'finding 22',
    title: 'Made anew under the same name, at version 1: that is no rollback',
    polls: [
      known(cart.in('lima').v(11).ready(2)),
      at(0, cart.in('lima').v(12).deploying(0, 2).old(11, 2)),
      at(4, cart.in('lima').v(1).deploying(0, 2)),
      at(6, cart.in('lima').v(1).ready(2)),
      until(40),
    ],
    messages: [
      '0 post cart/12/card',
      '4 edit cart/12/card "…superseded by v1"',
      '4 post cart/1/card',
      '6 broadcast cart/1/ready "✅ Ready"',
    ],
    never: /rolled back/i,
  },
  {
    of: 'finding 23',
    title: 'A service on which a command was run is no cron workload',
    polls: [
      known(cart.in('lima').v(11).ready(2).runs(run('command-x1', 'successful'))),
      at(0, cart.in('lima').v(11).down(0, 2).runs(run('command-x1', 'successful'))),
      until(20),
    ],
    messages: ['3 post cart/11/unhealthy "🔴 Outage"'],
  },
  {
    of: 'finding 27',
    title: 'One of fifty replicas fails its probe in one poll',
    polls: [
      known(cart.in('lima').v(11).ready(50)),
      at(0, cart.in('lima').v(11).down(49, 50).crash('Readiness probe failed')),
      at(1, cart.in('lima').v(11).ready(50)),
      until(30),
    ],
    messages: [],
  },
  {
    of: 'finding 27',
    title: 'An autoscaler adds a replica, whose probe fails while it starts',
    polls: [
      known(cart.in('lima').v(11).ready(3)),
      at(0, cart.in('lima').v(11).down(3, 4).crash('Readiness probe failed')),
      at(2, cart.in('lima').v(11).ready(4)),
      until(30),
    ],
    messages: [],
  },
  {
    of: 'finding 28',
    title: 'Five minutes down, five minutes up, for hours',
    polls: [
      known(cart.in('lima').v(11).ready(2)),
      ...Array.from({ length: 16 }, (_, turn) => [
        at(turn * 10, cart.in('lima').v(11).down(0, 2)),
        at(turn * 10 + 5, cart.in('lima').v(11).ready(2)),
      ]).flat(),
    ],
    messages: [
      '3 post cart/11/unhealthy "🔴 Outage"',
      '8 broadcast cart/11/recovered "✅ No impact · shop/cart v11 recovered in lima"',
      '13 broadcast cart/11/unhealthy/2 "🔴 Outage"',
      '18 broadcast cart/11/recovered/2 "✅"',
      '23 broadcast cart/11/unhealthy/3 "🔴 Outage…flapping"',
      '83..92 broadcast cart/11/unhealthy/4 "🔴 Outage…flapping"',
      '143..152 broadcast cart/11/unhealthy/5 "🔴 Outage…flapping"',
    ],
  },
  {
    of: 'finding 30, case 2',
    title: 'Not ready before the bot was away for an hour, and not ready after it: two blips',
    polls: [
      known(cart.in('lima').v(11).ready(2)),
      at(0, cart.in('lima').v(11).down(0, 2)),
      awayUntil(60),
      at(61, cart.in('lima').v(11).ready(2)),
      until(90),
    ],
    messages: [],
  },
  {
    of: 'finding 32',
    title: 'A secret is missing while all replicas still run: no call, for users are served',
    polls: [
      known(cart.in('lima').v(11).ready(2)),
      at(0, cart.in('lima').v(11).ready(2).says('secret "db" not found')),
      until(60),
    ],
    messages: [],
  },
];

function removedTo(last: number): ReturnType<typeof run>[] {
  return [2, 3, 4].filter((n) => n <= last).map((n) => run(`nightly-${n}`, 'removed'));
}

/** The last five executions of a job that fails every minute. */
function failing(location: string, minute: number): ReturnType<(typeof nightly)['in']> {
  const from = Math.max(0, minute - 4);
  const runs = Array.from({ length: minute - from + 1 }, (_, index) =>
    run(`${location}-${from + index}`, 'failed'),
  );
  return nightly
    .in(location)
    .v(3)
    .cron(DONE, ...runs);
}
