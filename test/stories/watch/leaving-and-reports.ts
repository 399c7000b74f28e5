import { workload } from './records.ts';
import { at, known, until, type Story } from './story.ts';

const cart = workload('cart');
const pay = workload('pay');
const FIVE = ['a', 'b', 'c', 'd', 'e'].map((name) => workload(name));
const CRASH = 'Back-off restarting failed container';

/** Findings 7, 9, 15, 17 to 19, 25 and 28: workloads that leave, and locations that do not report. */
export const LEAVING_AND_REPORTS: readonly Story[] = [
  {
    of: 'finding 7',
    title: 'Five workloads are hurt in oslo; three minutes later four of them die in lima, too',
    polls: [
      known(...FIVE.map((one) => one.in('lima', 'oslo').v(11).ready(2))),
      at(0, ...FIVE.map((one) => one.in('oslo').v(11).down(0, 2))),
      at(6, ...FIVE.slice(0, 4).map((one) => one.in('lima').v(11).down(0, 2))),
      until(40),
    ],
    messages: [
      '3 post @location/oslo/unhealthy/1 covers a/11/unhealthy b/11/unhealthy c/11/unhealthy d/11/unhealthy e/11/unhealthy',
      '9 broadcast a/11/unhealthy/2 "🔴 Outage · shop/a v11 unhealthy in lima, oslo"',
      '9 broadcast b/11/unhealthy/2 "🔴 Outage"',
      '9 broadcast c/11/unhealthy/2 "🔴 Outage"',
      '9 broadcast d/11/unhealthy/2 "🔴 Outage"',
    ],
  },
  {
    of: 'finding 9',
    title: 'A production workload is deleted',
    polls: [
      known(cart.in('lima', 'oslo').v(11).ready(2), pay.in('lima').v(3).ready(1)),
      at(0, cart.in('lima', 'oslo').gone()),
      until(40),
    ],
    messages: [
      '3..4 post cart/11/gone "⚪ Nothing to serve · shop/cart v11 No longer serving: deleted"',
    ],
  },
  {
    of: 'finding 9',
    title: 'The last location that served is suspended',
    polls: [
      known(cart.in('lima', 'oslo').v(11).ready(2)),
      at(0, cart.in('oslo').v(11).suspended()),
      at(10, cart.in('lima').v(11).suspended()),
      until(40),
    ],
    messages: ['13 post cart/11/suspended "…No longer serving: suspended"'],
  },
  {
    of: 'finding 15, case 5',
    title: 'A ready workload reports nothing but an empty status',
    polls: [known(cart.in('lima').v(11).ready(2)), at(0, cart.in('lima').status({})), until(120)],
    messages: ['10 post cart/11/stale "⚪ Unknown · shop/cart v11 no report"'],
  },
  {
    of: 'finding 15',
    title: 'The report omits the expected version, and its entry crashes',
    polls: [
      known(cart.in('lima').v(11).ready(2)),
      at(
        0,
        cart.in('lima').status({
          ready: false,
          deploying: false,
          desiredScale: 2,
          versions: [
            {
              workload: 11,
              gvc: 1,
              ready: false,
              message: 'CrashLoopBackOff',
              containers: { main: { name: 'main', resources: { replicas: 2, replicasReady: 0 } } },
            },
          ],
        }),
      ),
      until(60),
    ],
    messages: ['3 post cart/11/unhealthy "🔴 Outage · shop/cart v11 unhealthy in lima"'],
  },
  {
    of: 'finding 15, case 5',
    title: 'The report states its versions and nothing else',
    polls: [known(cart.in('lima').v(11).ready(2)), at(0, bare(11)), until(60)],
    messages: ['10 post cart/11/stale "⚪ Unknown · shop/cart v11 no report"'],
    never: /scaled to zero/,
  },
  {
    of: 'finding 17',
    title: 'oslo does not report for a day, and the platform drops it',
    polls: [
      known(cart.in('lima', 'oslo').v(11).ready(2)),
      at(0, cart.in('oslo').v(11).ready(2).stale()),
      at(1380, cart.in('oslo').gone()),
      until(1420),
    ],
    messages: [
      '3 post cart/11/stale "⚪ No impact · shop/cart v11 no report (stale) in oslo"',
      '23h..23h06 reply cart/11/gone "…no report for"',
    ],
    never: /recovered|✅/,
  },
  {
    of: 'finding 17',
    title: 'The same with five workloads: the message of the location ends without a recovery',
    polls: [
      known(...FIVE.map((one) => one.in('lima', 'oslo').v(11).ready(2))),
      at(0, ...FIVE.map((one) => one.in('oslo').v(11).ready(2).stale())),
      at(1380, ...FIVE.map((one) => one.in('oslo').gone())),
      until(1420),
    ],
    messages: [
      '3 post @location/oslo/stale/1 covers a/11/stale b/11/stale c/11/stale d/11/stale e/11/stale',
      '23h..23h06 reply @location/oslo/*gone*|*/11/gone',
    ],
    never: /recovered in|✅/,
  },
  {
    of: 'finding 18',
    title: 'An outage ends because the workload is suspended: that is no recovery',
    polls: [
      known(cart.in('lima').v(11).ready(2)),
      at(0, cart.in('lima').v(11).down(0, 2)),
      at(8, cart.in('lima').v(11).suspended()),
      until(40),
    ],
    messages: [
      '3 post cart/11/unhealthy "🔴 Outage"',
      '11 broadcast cart/11/suspended "…No longer serving: suspended"',
    ],
    never: /recovered|✅/,
  },
  {
    of: 'finding 18',
    title: 'An outage ends because the workload is scaled to zero: that is no recovery',
    polls: [
      known(cart.in('lima').v(11).ready(2)),
      at(0, cart.in('lima').v(11).down(0, 2)),
      at(8, cart.in('lima').v(11).zero()),
      until(40),
    ],
    messages: [
      '3 post cart/11/unhealthy "🔴 Outage"',
      '11 broadcast cart/11/suspended "…No longer serving: scaled to zero"',
    ],
    never: /recovered|✅/,
  },
  {
    of: 'finding 18, case 5',
    title: 'The sick location reports nothing but versions: that is no recovery, and no zero',
    polls: [
      known(cart.in('lima').v(11).ready(2)),
      at(0, cart.in('lima').v(11).down(0, 2)),
      at(8, bare(11)),
      until(40),
    ],
    messages: [
      '3 post cart/11/unhealthy "🔴 Outage"',
      '18 loud cart/11/stale "⚪ Unknown · shop/cart v11 no report"',
    ],
    never: /recovered|✅|scaled to zero/,
  },
  {
    of: 'finding 18',
    title: 'The sick location of two is suspended: oslo, which was never ill, has not recovered',
    polls: [
      known(cart.in('lima', 'oslo').v(11).ready(2)),
      at(0, cart.in('lima').v(11).down(0, 2)),
      at(8, cart.in('lima').v(11).suspended()),
      until(40),
    ],
    messages: [
      '3 post cart/11/unhealthy "🔴 Partial outage (lima)"',
      '11 reply cart/11/suspended "…over without recovery: lima suspended"',
    ],
    never: /recovered in|✅/,
  },
  {
    of: 'finding 19',
    title: 'Two lists lack the sick location, and it is back as ill as before',
    polls: [
      known(cart.in('lima', 'oslo').v(11).ready(2)),
      at(0, cart.in('oslo').v(11).down(0, 2).crash(CRASH)),
      at(8, cart.in('oslo').gone()),
      at(10, cart.in('oslo').v(11).down(0, 2).crash(CRASH)),
      until(40),
    ],
    messages: [
      '3 post cart/11/unhealthy "🔴 Partial outage (oslo)"',
      '(9..14 reply cart/11/gone)',
      '(10..25 loud cart/11/*)',
    ],
    never: /recovered in/,
  },
  {
    of: 'finding 19',
    title:
      'The sick location is taken out, the trouble is over, and it is put back as ill as before',
    polls: [
      known(cart.in('lima', 'oslo').v(11).ready(2)),
      at(0, cart.in('oslo').v(11).down(0, 2).crash(CRASH)),
      at(8, cart.in('oslo').gone()),
      at(20, cart.in('oslo').v(11).down(0, 2).crash(CRASH)),
      until(60),
    ],
    messages: [
      '3 post cart/11/unhealthy "🔴 Partial outage (oslo)"',
      '11..12 reply cart/11/gone "…over without recovery: oslo gone"',
      '21..33 broadcast cart/11/failed|cart/11/unhealthy/2 "…in oslo"',
    ],
    never: /recovered in/,
  },
  {
    of: 'finding 19',
    title: 'The same with five workloads',
    polls: [
      known(...FIVE.map((one) => one.in('lima', 'oslo').v(11).ready(2))),
      at(0, ...FIVE.map((one) => one.in('oslo').v(11).down(0, 2).crash(CRASH))),
      at(8, ...FIVE.map((one) => one.in('oslo').gone())),
      at(20, ...FIVE.map((one) => one.in('oslo').v(11).down(0, 2).crash(CRASH))),
      until(60),
    ],
    messages: [
      '3 post @location/oslo/*/1 covers a/11/unhealthy b/11/unhealthy c/11/unhealthy d/11/unhealthy e/11/unhealthy',
      '11..17 reply @location/oslo/*gone*|*/11/gone',
      '21..33 post @location/oslo/*',
    ],
    never: /recovered in/,
  },
  {
    of: 'finding 25',
    title: 'The only location of a workload does not report: there is something to do',
    polls: [
      known(cart.in('lima').v(11).ready(2)),
      at(0, cart.in('lima').v(11).ready(2).stale()),
      until(40),
    ],
    messages: ['3 post cart/11/stale "⚪ Unknown · shop/cart v11 no report (stale) in lima"'],
    never: /nothing to do|no report from/,
  },
  {
    of: 'finding 25',
    title: 'A report is late for a minute: that is no news',
    polls: [
      known(cart.in('lima', 'oslo').v(11).ready(2)),
      at(0, cart.in('oslo').v(11).ready(2).stale()),
      at(1, cart.in('oslo').v(11).ready(2)),
      until(40),
    ],
    messages: [],
  },
  {
    of: 'finding 28',
    title: 'oslo does not report every other six minutes',
    polls: [
      known(cart.in('lima', 'oslo').v(11).ready(2)),
      ...Array.from({ length: 20 }, (_, turn) => {
        const record = cart.in('oslo').v(11).ready(2);
        return at(turn * 6, turn % 2 === 0 ? record.stale() : record);
      }),
    ],
    messages: [
      '3 post cart/11/stale "⚪ No impact · shop/cart v11 no report (stale) in oslo"',
      '9 broadcast cart/11/recovered "✅…reports again in oslo"',
      '15 loud cart/11/stale/2 "⚪"',
      '21 broadcast cart/11/recovered/2 "✅…reports again in oslo"',
      '27 loud cart/11/stale/3 "⚪"',
    ],
  },
];

/** E and P alone. */
function bare(version: number): ReturnType<ReturnType<typeof workload>['in']> {
  return cart.in('lima').status({
    ready: false,
    expectedDeploymentVersion: version,
    lastProcessedVersion: version,
  });
}
