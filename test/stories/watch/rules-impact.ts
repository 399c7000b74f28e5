import { workload } from './records.ts';
import { at, known, until, type Story } from './story.ts';

const cart = workload('cart');
const FULL = known(cart.in('lima').v(11).ready(2));
const BOTH = known(cart.in('lima', 'oslo').v(11).ready(2));
const up = cart.in('lima').v(11).ready(2);
const down = cart.in('lima').v(11).down(0, 2);
const CRASH = 'Back-off restarting failed container';

/** Rules of impact: rise, young locations, fall, flapping. */
export const IMPACT_RULES: readonly Story[] = [
  {
    of: 'rise',
    title: 'Three minutes of outage in ten, in pieces, are a call',
    polls: [FULL, at(0, down), at(1, up), at(3, down), at(4, up), at(6, down), until(20)],
    messages: [
      '7 post cart/11/unhealthy "🔴 Outage · shop/cart v11 unhealthy in lima · 0 of 2 serve"',
    ],
  },
  {
    of: 'rise',
    title: 'Two minutes of outage every twelve minutes are no call',
    polls: [
      FULL,
      at(0, down),
      at(2, up),
      at(12, down),
      at(14, up),
      at(24, down),
      at(26, up),
      until(40),
    ],
    messages: [],
  },
  {
    of: 'rise',
    title: 'One replica of four is missing; one full poll, and the ten minutes begin anew',
    polls: [
      known(cart.in('lima').v(11).ready(4)),
      at(0, cart.in('lima').v(11).down(3, 4)),
      at(8, cart.in('lima').v(11).ready(4)),
      at(9, cart.in('lima').v(11).down(3, 4)),
      until(40),
    ],
    messages: [
      '19 post cart/11/unhealthy "🟠 Reduced capacity (3 of 4) · shop/cart v11 unhealthy in lima"',
    ],
  },
  {
    of: 'young',
    title: 'The only replica is replaced within nine minutes: card and ready, and no call',
    polls: [
      known(cart.in('lima').v(11).ready(1)),
      at(0, cart.in('lima').v(12).deploying(0, 1)),
      at(9, cart.in('lima').v(12).ready(1)),
      until(40),
    ],
    messages: ['0 post cart/12/card "deploying"', '9 broadcast cart/12/ready "✅ Ready"'],
  },
  {
    of: 'young',
    title: 'The only replica is replaced for ten minutes, and nothing serves: one call',
    polls: [
      known(cart.in('lima').v(11).ready(1)),
      at(0, cart.in('lima').v(12).deploying(0, 1)),
      at(15, cart.in('lima').v(12).ready(1)),
      until(40),
    ],
    messages: [
      '0 post cart/12/card',
      '10 broadcast cart/12/stuck "🔴 Outage · shop/cart v12 rollout stuck in lima"',
      '15 broadcast cart/12/ready "✅ Ready"',
    ],
  },
  {
    of: 'young',
    title: 'A new workload fails: it has never served',
    polls: [
      FULL,
      at(0, workload('pay').in('lima').v(1).deploying(0, 2)),
      at(2, workload('pay').in('lima').v(1).down(0, 2).crash(CRASH)),
      until(40),
    ],
    messages: [
      '0 post pay/1/card "deploying · Never served yet · shop/pay v1"',
      '3 broadcast pay/1/failed "🟠 Never served yet · shop/pay v1 rollout failed in lima"',
    ],
  },
  {
    of: 'young',
    title: 'A new workload stops without a word: after its first ten minutes it has failed',
    polls: [
      FULL,
      at(0, workload('pay').in('lima').v(1).deploying(0, 2)),
      at(2, workload('pay').in('lima').v(1).down(0, 2)),
      until(40),
    ],
    messages: [
      '0 post pay/1/card',
      '10..11 broadcast pay/1/failed|pay/1/stuck "🟠 Never served yet"',
    ],
  },
  {
    of: 'fall',
    title: 'An outage is over: recovered after three minutes, and the call is put into the past',
    polls: [FULL, at(0, down), at(5, up), until(40)],
    messages: [
      '3 post cart/11/unhealthy "🔴 Outage"',
      '5..8 edit cart/11/unhealthy "…was Outage"',
      '8 broadcast cart/11/recovered "✅ No impact · shop/cart v11 recovered in lima"',
    ],
  },
  {
    of: 'fall',
    title: 'One replica of four is missing for a quarter of an hour, and back',
    polls: [
      known(cart.in('lima').v(11).ready(4)),
      at(0, cart.in('lima').v(11).down(3, 4)),
      at(15, cart.in('lima').v(11).ready(4)),
      until(40),
    ],
    messages: [
      '10 post cart/11/unhealthy "🟠 Reduced capacity (3 of 4) · shop/cart v11 unhealthy in lima"',
      '18 broadcast cart/11/recovered "✅ No impact · shop/cart v11 recovered in lima"',
    ],
  },
  {
    of: 'fall',
    title: 'Two minutes of health end nothing',
    polls: [FULL, at(0, down), at(5, up), at(7, down), until(40)],
    messages: ['3 post cart/11/unhealthy "🔴 Outage"'],
  },
  {
    of: 'fall',
    title: 'One location comes back, which is an edit; when it falls again, it is a call',
    polls: [
      BOTH,
      at(0, cart.in('lima', 'oslo').v(11).down(0, 2)),
      at(10, up),
      at(20, down),
      until(40),
    ],
    messages: [
      '3 post cart/11/unhealthy "🔴 Outage · shop/cart v11 unhealthy in lima, oslo"',
      '10..13 edit cart/11/unhealthy',
      '23 broadcast cart/11/unhealthy/2 "🔴 Outage"',
    ],
  },
  {
    of: 'fall',
    title: 'The next version is ready, and ends the outage of the last one',
    polls: [
      FULL,
      at(0, down),
      at(10, cart.in('lima').v(12).deploying(0, 2)),
      at(12, cart.in('lima').v(12).ready(2)),
      until(40),
    ],
    messages: [
      '3 post cart/11/unhealthy "🔴 Outage"',
      '10 post cart/12/card "deploying · Outage"',
      '12 broadcast cart/12/ready "✅ Ready…recovered"',
    ],
  },
  {
    of: 'fall',
    title: 'The sick location does not report: that is no recovery, and its return ill is no news',
    polls: [
      BOTH,
      at(0, cart.in('oslo').v(11).down(0, 2)),
      at(8, cart.in('oslo').v(11).down(0, 2).stale()),
      at(30, cart.in('oslo').v(11).down(0, 2)),
      until(60),
    ],
    messages: [
      '3 post cart/11/unhealthy "🔴 Partial outage (oslo)"',
      '11 broadcast cart/11/stale "…no report (stale) in oslo"',
      '33 reply cart/11/*',
    ],
    never: /recovered in/,
  },
  {
    of: 'flapping',
    title: 'Three outages within an hour flap: recovered only after twenty minutes of health',
    polls: [
      FULL,
      at(0, down),
      at(5, up),
      at(10, down),
      at(15, up),
      at(20, down),
      at(25, up),
      until(70),
    ],
    messages: [
      '3 post cart/11/unhealthy "🔴 Outage"',
      '8 broadcast cart/11/recovered "✅"',
      '13 broadcast cart/11/unhealthy/2 "🔴 Outage"',
      '18 broadcast cart/11/recovered/2 "✅"',
      '23 broadcast cart/11/unhealthy/3 "🔴 Outage…flapping: 3 times in an hour"',
      '45 broadcast cart/11/recovered/3 "✅"',
    ],
  },
  {
    of: 'flapping',
    title: 'While it flaps, a call about less does not count as the call of the hour',
    polls: [
      known(cart.in('lima').v(11).ready(4)),
      ...[0, 10, 20].flatMap((minute) => [
        at(minute, cart.in('lima').v(11).down(0, 4)),
        at(minute + 5, cart.in('lima').v(11).ready(4)),
      ]),
      at(40, cart.in('lima').v(12).deploying(0, 4).old(11, 3)),
      at(90, cart.in('lima').v(12).deploying(0, 4)),
      until(95),
    ],
    messages: [
      '3 post cart/11/unhealthy',
      '8 broadcast cart/11/recovered',
      '13 broadcast cart/11/unhealthy/2',
      '18 broadcast cart/11/recovered/2',
      '23 broadcast cart/11/unhealthy/3 "🔴 Outage…flapping"',
      '40 post cart/12/card',
      '50 broadcast cart/12/stuck "🟠 Reduced capacity (3 of 4)"',
      '90 broadcast cart/12/stuck/2 "🔴 Outage…flapping"',
    ],
  },
  {
    of: 'flapping',
    title: 'While oslo flaps, the loss of lima is a call',
    polls: [
      BOTH,
      ...[0, 10, 20].flatMap((minute) => [
        at(minute, cart.in('oslo').v(11).down(0, 2)),
        at(minute + 5, cart.in('oslo').v(11).ready(2)),
      ]),
      at(33, cart.in('lima', 'oslo').v(11).down(0, 2)),
      until(60),
    ],
    messages: [
      '3 post cart/11/unhealthy "🔴 Partial outage (oslo)"',
      '8 broadcast cart/11/recovered "✅"',
      '13 broadcast cart/11/unhealthy/2 "🔴 Partial outage (oslo)"',
      '18 broadcast cart/11/recovered/2 "✅"',
      '23 broadcast cart/11/unhealthy/3 "🔴 Partial outage (oslo)…flapping"',
      '36 broadcast cart/11/unhealthy/4 "🔴 Outage"',
    ],
  },
  {
    of: 'wanted',
    title: 'An autoscaler asks for ten instead of two, and only three come',
    polls: [
      FULL,
      at(0, cart.in('lima').v(11).deploying(2, 10)),
      at(5, cart.in('lima').v(11).deploying(3, 10)),
      until(40),
    ],
    messages: [
      '13 post cart/11/unhealthy "🔴 Partial outage (lima) · shop/cart v11 unhealthy in lima · 3 of 10 serve"',
    ],
  },
  {
    of: 'wanted',
    title: 'Scaled to zero by load, and up again with the next request within a minute',
    polls: [
      known(cart.in('lima').v(11).zeroByLoad()),
      at(0, cart.in('lima').v(11).deploying(0, 1)),
      at(1, cart.in('lima').v(11).ready(1)),
      until(40),
    ],
    messages: [],
  },
  {
    of: 'wanted',
    title: 'Scaled to zero by load, and not up again with the next request',
    polls: [
      known(cart.in('lima').v(11).zeroByLoad()),
      at(0, cart.in('lima').v(11).deploying(0, 1)),
      until(40),
    ],
    messages: ['10..13 post cart/11/unhealthy "🔴 Outage"'],
  },
];
