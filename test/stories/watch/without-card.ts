import { workload } from './records.ts';
import { at, known, until, type Story } from './story.ts';

const cart = workload('cart');
const THREE = ['lima', 'oslo', 'paris'] as const;
const NO_CPU = '0/3 nodes are available: 3 Insufficient cpu.';
const CRASH = 'Back-off restarting failed container';

/** Findings 3 to 6 and 8: no card, P above E, trouble elsewhere, a ready flag that hides a dead entry. */
export const WITHOUT_CARD: readonly Story[] = [
  {
    of: 'finding 3',
    title: 'A workload deployed before its watch starts anew, and no replica finds room',
    polls: [
      known(cart.in('lima').v(11).ready(2)),
      at(0, cart.in('lima').v(11).deploying(0, 2).says(NO_CPU)),
      until(60),
    ],
    messages: [
      '3 post cart/11/unhealthy "🔴 Outage · shop/cart v11 unhealthy in lima · 0 of 2 serve"',
    ],
  },
  {
    of: 'finding 3',
    title: 'The same in two of three locations',
    polls: [
      known(
        cart
          .in(...THREE)
          .v(11)
          .ready(2),
      ),
      at(0, cart.in('oslo', 'paris').v(11).deploying(0, 2).says(NO_CPU)),
      until(60),
    ],
    messages: [
      '3 post cart/11/unhealthy "🔴 Partial outage (oslo, paris) · shop/cart v11 unhealthy in oslo, paris · 2 of 6 serve"',
    ],
  },
  {
    of: 'finding 3',
    title: 'A change of the GVC rolls three workloads anew, and nothing serves for two hours',
    polls: [
      known(...['a', 'b', 'c'].map((name) => workload(name).in('lima').v(11).under(4).ready(2))),
      at(
        0,
        ...['a', 'b', 'c'].map((name) => workload(name).in('lima').v(11).under(5).deploying(0, 2)),
      ),
      until(120),
    ],
    messages: [
      '0 post @gvc/5/card "deploying"',
      '10 broadcast a/11/stuck|b/11/stuck|c/11/stuck "🔴 Outage"',
    ],
  },
  {
    of: 'finding 3',
    title: 'The watch begins while v12 rolls; then v11 goes and v12 hangs',
    polls: [
      at(0, cart.in('lima').v(12).deploying(0, 2).old(11, 2)),
      at(5, cart.in('lima').v(12).deploying(0, 2)),
      until(120),
    ],
    messages: ['10 post cart/12/stuck "🔴 Outage · shop/cart v12 rollout stuck in lima"'],
  },
  {
    of: 'finding 3',
    title: 'A location is added, and nothing comes up there',
    polls: [
      known(cart.in('lima').v(11).ready(2)),
      at(0, cart.in('oslo').v(11).deploying(0, 2)),
      until(40),
    ],
    messages: ['10 post cart/11/stuck "🟠 No impact · shop/cart v11 rollout stuck in oslo"'],
  },
  {
    of: 'finding 3',
    title: 'Resumed after a suspend, it hangs',
    polls: [
      at(-60, cart.in('lima').v(11).ready(2)),
      at(-30, cart.in('lima').v(11).suspended()),
      at(0, cart.in('lima').v(11).deploying(0, 2)),
      until(60),
    ],
    messages: [
      '-27 post cart/11/suspended "…No longer serving: suspended"',
      '10..13 loud cart/11/unhealthy "🔴 Outage · shop/cart v11 unhealthy in lima"',
    ],
  },
  {
    of: 'finding 3',
    title: 'Scaled up from zero, it hangs',
    polls: [
      at(-60, cart.in('lima').v(11).ready(2)),
      at(-30, cart.in('lima').v(11).zero()),
      at(0, cart.in('lima').v(11).deploying(0, 2)),
      until(60),
    ],
    messages: [
      '-27 post cart/11/suspended "…No longer serving: scaled to zero"',
      '10..13 loud cart/11/unhealthy "🔴 Outage · shop/cart v11 unhealthy in lima"',
    ],
  },
  {
    of: 'finding 4',
    title: 'It crashes while the location acted on a later version than the expected one',
    polls: [
      known(cart.in('lima').v(11).ready(2)),
      at(0, cart.in('lima').v(11).down(0, 2).crash(CRASH).processed(12)),
      until(60),
    ],
    messages: ['3 post cart/11/unhealthy "🔴 Outage · shop/cart v11 unhealthy in lima"'],
  },
  {
    of: 'finding 4',
    title: 'A failed rollout stays failed when the location acts on a later version',
    polls: [
      known(cart.in('lima').v(11).ready(2)),
      at(0, cart.in('lima').v(12).deploying(0, 2)),
      at(2, cart.in('lima').v(12).down(0, 2).crash(CRASH)),
      at(10, cart.in('lima').v(12).down(0, 2).crash(CRASH).processed(13)),
      until(40),
    ],
    messages: [
      '0 post cart/12/card',
      '3 broadcast cart/12/failed "🔴 Outage · shop/cart v12 rollout failed in lima"',
      '2..11 edit cart/12/card "failed · Outage"',
    ],
    never: /platform team/,
  },
  {
    of: 'finding 4',
    title: 'Scaled to zero is scaled to zero, also when a later version was acted on',
    polls: [
      known(cart.in('lima').v(11).ready(2)),
      at(0, cart.in('lima').v(11).zero().processed(12)),
      until(40),
    ],
    messages: ['3 post cart/11/suspended "…No longer serving: scaled to zero"'],
  },
  {
    of: 'finding 4',
    title: 'v12 is ready, also when a later version was acted on',
    polls: [
      known(cart.in('lima').v(11).ready(2)),
      at(0, cart.in('lima').v(12).deploying(0, 2).old(11, 2)),
      at(3, cart.in('lima').v(12).ready(2).processed(13)),
      until(40),
    ],
    messages: ['0 post cart/12/card', '3 broadcast cart/12/ready "✅ Ready"'],
  },
  {
    of: 'finding 5, case 4',
    title: 'paris acted on a later version; in oslo v12 hangs and nothing serves',
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
      at(
        2,
        cart.in('lima').v(12).ready(2),
        cart.in('oslo').v(12).deploying(0, 2),
        cart.in('paris').v(11).ready(2).processed(12),
      ),
      until(120),
    ],
    messages: [
      '0 post cart/12/card',
      '10 broadcast cart/12/stuck "🔴 Partial outage (oslo) · shop/cart v12 rollout stuck in oslo"',
    ],
  },
  {
    of: 'finding 5, case 4',
    title: 'paris does not report; in lima and oslo v12 hangs and nothing serves',
    polls: [
      known(
        cart
          .in(...THREE)
          .v(11)
          .ready(2),
      ),
      at(0, cart.in('paris').v(11).ready(2).stale()),
      at(5, cart.in('lima', 'oslo').v(12).deploying(0, 2)),
      until(120),
    ],
    messages: [
      '3 post cart/11/stale "⚪ No impact · shop/cart v11 no report (stale) in paris"',
      '5 post cart/12/card',
      '15 broadcast cart/12/stuck "🔴 Outage · shop/cart v12 rollout stuck in lima, oslo"',
    ],
  },
  {
    of: 'finding 6',
    title: 'paris does not report; v12 is ready everywhere else',
    polls: [
      known(
        cart
          .in(...THREE)
          .v(11)
          .ready(2),
      ),
      at(0, cart.in('paris').v(11).ready(2).stale()),
      at(10, cart.in('lima', 'oslo').v(12).deploying(0, 2).old(11, 2)),
      at(12, cart.in('lima', 'oslo').v(12).ready(2)),
      until(60),
    ],
    messages: [
      '3 post cart/11/stale "⚪ No impact · shop/cart v11 no report (stale) in paris"',
      '10 post cart/12/card',
      '12 broadcast cart/12/ready "✅ Ready…2 of 3 locations…paris"',
    ],
  },
  {
    of: 'finding 6',
    title: 'Five workloads of oslo do not report; each deploy elsewhere is only its own news',
    polls: [
      known(
        ...['a', 'b', 'c', 'd', 'e'].map((name) =>
          workload(name).in('lima', 'oslo').v(11).ready(2),
        ),
      ),
      at(
        0,
        ...['a', 'b', 'c', 'd', 'e'].map((name) =>
          workload(name).in('oslo').v(11).ready(2).stale(),
        ),
      ),
      at(10, workload('a').in('lima').v(12).deploying(0, 2).old(11, 2)),
      at(12, workload('a').in('lima').v(12).ready(2)),
      until(60),
    ],
    messages: [
      '3 post @location/oslo/stale/1 covers a/11/stale e/11/stale',
      '10 post a/12/card',
      '12 broadcast a/12/ready "✅ Ready"',
    ],
  },
  {
    of: 'finding 8',
    title: 'One of two zones dies, and the ready flag stays',
    polls: [
      known(cart.in('lima').v(11).zones({ a: 2, b: 2 }, 2)),
      at(0, cart.in('lima').v(11).zones({ b: 0, a: 2 }, 2).says('Readiness probe failed')),
      until(60),
    ],
    messages: [
      '10 post cart/11/unhealthy "🟠 Reduced capacity (2 of 4) · shop/cart v11 unhealthy in lima"',
    ],
  },
  {
    of: 'finding 8',
    title: 'Both zones die, and the ready flag stays',
    polls: [
      known(cart.in('lima').v(11).zones({ a: 2, b: 2 }, 2)),
      at(0, cart.in('lima').v(11).zones({ a: 0, b: 0 }, 2)),
      until(120),
    ],
    messages: [
      '3 post cart/11/unhealthy "🔴 Outage · shop/cart v11 unhealthy in lima · 0 of 4 serve"',
    ],
  },
  {
    of: 'finding 8',
    title: 'All flags are ready, and no replica is, in two of three locations',
    polls: [
      known(
        cart
          .in(...THREE)
          .v(11)
          .ready(2),
      ),
      at(0, cart.in('oslo', 'paris').v(11).ready(0, 2)),
      until(60),
    ],
    messages: [
      '3 post cart/11/unhealthy "🔴 Partial outage (oslo, paris) · shop/cart v11 unhealthy in oslo, paris"',
    ],
  },
  {
    of: 'finding 8',
    title: 'Ready by its flag, one of ten replicas up, and the others crash',
    polls: [
      known(cart.in('lima').v(11).ready(10)),
      at(0, cart.in('lima').v(11).ready(1, 10).crash('CrashLoopBackOff')),
      until(60),
    ],
    messages: [
      '3 post cart/11/unhealthy "🔴 Partial outage (lima) · shop/cart v11 unhealthy in lima · 1 of 10 serve"',
    ],
  },
];
