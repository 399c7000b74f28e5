import { workload } from './records.ts';
import { at, known, until, type Story } from './story.ts';

const cart = workload('cart');
const THREE = ['lima', 'oslo', 'paris'] as const;
const QUOTA = 'exceeded quota: pods, used 20, limited to 20';
const CRASH = 'Back-off restarting failed container';

/** Findings 1 and 2: while a rollout goes on or has failed, users are hurt later, or more. */
export const IMPACT_OF_ROLLOUTS: readonly Story[] = [
  {
    of: 'finding 1, case 1',
    title: 'v12 fails in one location after another while v11 serves; then v11 is gone, too',
    polls: [
      known(
        cart
          .in(...THREE)
          .v(11)
          .ready(2),
      ),
      at(
        0,
        cart
          .in(...THREE)
          .v(12)
          .deploying(0, 2)
          .old(11, 2),
      ),
      at(2, cart.in('lima').v(12).down(0, 2).crash(CRASH).old(11, 2)),
      at(4, cart.in('oslo').v(12).down(0, 2).crash(CRASH).old(11, 2)),
      at(6, cart.in('paris').v(12).down(0, 2).crash(CRASH).old(11, 2)),
      at(
        8,
        cart
          .in(...THREE)
          .v(12)
          .down(0, 2)
          .crash(CRASH),
      ),
      until(60),
    ],
    messages: [
      '0 post cart/12/card "deploying · No impact · shop/cart v12"',
      '3 broadcast cart/12/failed "🟠 No impact · shop/cart v12 rollout failed in lima"',
      '5 edit cart/12/failed "…lima, oslo"',
      '11 broadcast cart/12/failed/2 "🔴 Outage · shop/cart v12 rollout failed in lima, oslo, paris · 0 of 6 serve"',
    ],
  },
  {
    of: 'finding 1, case 1',
    title: 'v12 failed while v11 served everyone; ten minutes later v11 dies',
    polls: [
      known(cart.in('lima').v(11).ready(2)),
      at(0, cart.in('lima').v(12).deploying(0, 2).old(11, 2)),
      at(2, cart.in('lima').v(12).down(0, 2).crash(CRASH).old(11, 2)),
      at(12, cart.in('lima').v(12).down(0, 2).crash(CRASH)),
      until(120),
    ],
    messages: [
      '0 post cart/12/card',
      '3 broadcast cart/12/failed "🟠 No impact · shop/cart v12 rollout failed in lima · 2 of 2 serve"',
      '12..15 edit cart/12/failed "…was No impact…now Outage"',
      '15 broadcast cart/12/failed/2 "🔴 Outage · shop/cart v12 rollout failed in lima · 0 of 2 serve"',
    ],
  },
  {
    of: 'finding 1, case 1',
    title: 'oslo falls ill, and twenty minutes later lima dies, too',
    polls: [
      known(cart.in('lima', 'oslo').v(11).ready(3)),
      at(0, cart.in('oslo').v(11).down(0, 3)),
      at(20, cart.in('lima').v(11).down(0, 3)),
      until(60),
    ],
    messages: [
      '3 post cart/11/unhealthy "🔴 Partial outage (oslo) · shop/cart v11 unhealthy in oslo · 3 of 6 serve"',
      '23 broadcast cart/11/unhealthy/2 "🔴 Outage · shop/cart v11 unhealthy in lima, oslo · 0 of 6 serve"',
    ],
  },
  {
    of: 'finding 1',
    title: 'One of four replicas is lost for ten minutes, and then the other three',
    polls: [
      known(cart.in('lima').v(11).ready(4)),
      at(0, cart.in('lima').v(11).down(3, 4)),
      at(20, cart.in('lima').v(11).down(0, 4)),
      until(60),
    ],
    messages: [
      '10 post cart/11/unhealthy "🟠 Reduced capacity (3 of 4) · shop/cart v11 unhealthy in lima"',
      '23 broadcast cart/11/unhealthy/2 "🔴 Outage · shop/cart v11 unhealthy in lima"',
    ],
  },
  {
    of: 'finding 1',
    title: 'A quota holds v12 while v11 serves; then v11 goes',
    polls: [
      known(cart.in('lima').v(11).ready(2)),
      at(0, cart.in('lima').v(12).deploying(0, 2).says(QUOTA).old(11, 2)),
      at(20, cart.in('lima').v(12).deploying(0, 2).says(QUOTA)),
      until(60),
    ],
    messages: [
      '0 post cart/12/card',
      '3 broadcast cart/12/stuck "🟠 No impact · shop/cart v12 rollout stuck in lima"',
      '23 broadcast cart/12/stuck/2 "🔴 Outage · shop/cart v12 rollout stuck in lima"',
    ],
  },
  {
    of: 'finding 1',
    title: 'v12 is stuck for ten minutes while v11 serves; then v11 goes',
    polls: [
      known(cart.in('lima', 'oslo').v(11).ready(2)),
      at(0, cart.in('lima', 'oslo').v(12).deploying(0, 2).old(11, 2)),
      at(20, cart.in('lima', 'oslo').v(12).deploying(0, 2)),
      until(120),
    ],
    messages: [
      '0 post cart/12/card',
      '10 broadcast cart/12/stuck "🟠 No impact · shop/cart v12 rollout stuck in lima, oslo"',
      '23 broadcast cart/12/stuck/2 "🔴 Outage · shop/cart v12 rollout stuck in lima, oslo"',
    ],
  },
  {
    of: 'finding 2',
    title: 'v12 is ready in lima; in oslo and paris nothing is left of v11 and v12 never comes',
    polls: [
      known(
        cart
          .in(...THREE)
          .v(11)
          .ready(2),
      ),
      at(
        0,
        cart
          .in(...THREE)
          .v(12)
          .deploying(0, 2)
          .old(11, 2),
      ),
      at(2, cart.in('lima').v(12).ready(2), cart.in('oslo', 'paris').v(12).deploying(0, 2)),
      until(60),
    ],
    messages: [
      '0 post cart/12/card',
      '10 broadcast cart/12/stuck "🔴 Partial outage (oslo, paris) · shop/cart v12 rollout stuck in oslo, paris · 2 of 6 serve"',
    ],
  },
  {
    of: 'finding 2',
    title: 'v12 failed in lima while v11 served; then oslo and paris serve nothing',
    polls: [
      known(
        cart
          .in(...THREE)
          .v(11)
          .ready(2),
      ),
      at(
        0,
        cart
          .in(...THREE)
          .v(12)
          .deploying(0, 2)
          .old(11, 2),
      ),
      at(2, cart.in('lima').v(12).down(0, 2).crash(CRASH).old(11, 2)),
      at(5, cart.in('oslo', 'paris').v(12).deploying(0, 2)),
      until(120),
    ],
    messages: [
      '0 post cart/12/card',
      '3 broadcast cart/12/failed "🟠 No impact · shop/cart v12 rollout failed in lima"',
      '13 broadcast cart/12/stuck "🔴 Partial outage (oslo, paris) · shop/cart v12 rollout stuck in oslo, paris"',
    ],
  },
  {
    of: 'finding 2',
    title: 'One of nine replicas comes and goes for half an hour of a rollout',
    polls: [
      known(cart.in('lima').v(11).ready(9)),
      ...Array.from({ length: 16 }, (_, turn) =>
        at(
          turn * 2,
          cart
            .in('lima')
            .v(12)
            .deploying(turn % 2, 9),
        ),
      ),
    ],
    messages: [
      '0 post cart/12/card',
      '10..12 broadcast cart/12/stuck "🔴"',
      '(13..20 broadcast cart/12/stuck/2 "🔴 Outage")',
    ],
  },
  {
    of: 'finding 2',
    title: 'lima has v12; oslo is still to get it, and v11 crashes there',
    polls: [
      known(cart.in('lima', 'oslo').v(11).ready(2)),
      at(0, cart.in('lima').v(12).ready(2)),
      at(1, cart.in('oslo').v(11).down(0, 2).crash(CRASH)),
      until(9),
    ],
    messages: [
      '0 post cart/12/card',
      '4 broadcast cart/12/* "🔴 Partial outage (oslo) · shop/cart v12"',
    ],
  },
  {
    of: 'finding 21',
    title: 'v11 is dead in oslo and paris, and v12 has not reached them',
    polls: [
      known(
        cart
          .in(...THREE)
          .v(11)
          .ready(2),
      ),
      at(
        0,
        cart.in('lima').v(12).ready(2),
        cart.in('oslo', 'paris').v(12).pending(2).old(11, 0, 2).crash(CRASH),
      ),
      until(20),
    ],
    messages: [
      '0 post cart/12/card',
      '3..4 broadcast cart/12/stuck "🔴 Partial outage (oslo, paris) · shop/cart v12 rollout stuck in oslo, paris · 2 of 6 serve"',
    ],
  },
  {
    of: 'finding 31, case 3',
    title: 'v12 was stuck; lima comes up, and later serves nothing again',
    polls: [
      known(cart.in('lima', 'oslo').v(11).ready(2)),
      at(0, cart.in('lima', 'oslo').v(12).deploying(0, 2).old(11, 2)),
      at(15, cart.in('lima').v(12).ready(2)),
      at(40, cart.in('lima').v(12).deploying(0, 2)),
      until(120),
    ],
    messages: [
      '0 post cart/12/card',
      '10 broadcast cart/12/stuck "🟠 No impact · shop/cart v12 rollout stuck in lima, oslo"',
      '43 broadcast cart/12/unhealthy "🔴 Partial outage (lima) · shop/cart v12 unhealthy in lima"',
    ],
  },
];
