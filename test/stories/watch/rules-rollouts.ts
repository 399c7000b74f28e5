import { workload } from './records.ts';
import { at, known, until, type Story } from './story.ts';

const cart = workload('cart');
const FULL = known(cart.in('lima').v(11).ready(2));
const BOTH = known(cart.in('lima', 'oslo').v(11).ready(2));
const rolling = cart.in('lima').v(12).deploying(0, 2).old(11, 2);
const CRASH = 'Back-off restarting failed container';

/** Rules of rollouts: their ends, reopening, superseding, the card. */
export const ROLLOUT_RULES: readonly Story[] = [
  {
    of: 'ready',
    title: 'A rollout that goes well is a card and one ready',
    polls: [FULL, at(0, rolling), at(4, cart.in('lima').v(12).ready(2)), until(60)],
    messages: [
      '0 post cart/12/card "deploying · No impact · shop/cart v12"',
      '4 edit cart/12/card "ready…No impact · shop/cart v12"',
      '4 broadcast cart/12/ready "✅ Ready"',
    ],
  },
  {
    of: 'ready',
    title: 'A version that is ready when it is first seen is one post',
    polls: [FULL, at(0, cart.in('lima').v(12).ready(2)), until(40)],
    messages: ['0 post cart/12/ready covers cart/12/card "✅ Ready"'],
  },
  {
    of: 'ready',
    title: 'Ready is posted once, also when the version is not ready for two minutes later',
    polls: [
      FULL,
      at(0, rolling),
      at(4, cart.in('lima').v(12).ready(2)),
      at(20, cart.in('lima').v(12).down(1, 2)),
      at(22, cart.in('lima').v(12).ready(2)),
      until(60),
    ],
    messages: ['0 post cart/12/card', '4 broadcast cart/12/ready "✅ Ready"'],
  },
  {
    of: 'ready',
    title: 'A suspended location holds no rollout back',
    polls: [
      known(cart.in('lima').v(11).ready(2), cart.in('oslo').v(11).suspended()),
      at(0, rolling),
      at(4, cart.in('lima').v(12).ready(2)),
      until(40),
    ],
    messages: ['0 post cart/12/card', '4 broadcast cart/12/ready "✅ Ready"'],
  },
  {
    of: 'ready',
    title: 'A location that left the list unready holds the rollout back for ten minutes',
    polls: [
      BOTH,
      at(0, cart.in('lima', 'oslo').v(12).deploying(0, 2).old(11, 2)),
      at(2, cart.in('lima').v(12).ready(2)),
      at(4, cart.in('oslo').gone()),
      until(40),
    ],
    messages: ['0 post cart/12/card', '14..16 broadcast cart/12/ready "✅ Ready"'],
  },
  {
    of: 'failed',
    title: 'Stopped in one poll and on its way in the next is no failure',
    polls: [
      FULL,
      at(0, rolling),
      at(2, cart.in('lima').v(12).down(0, 2).crash(CRASH).old(11, 2)),
      at(3, rolling),
      at(6, cart.in('lima').v(12).ready(2)),
      until(40),
    ],
    messages: ['0 post cart/12/card', '6 broadcast cart/12/ready "✅ Ready"'],
  },
  {
    of: 'failed',
    title: 'Ready follows failed',
    polls: [
      FULL,
      at(0, rolling),
      at(2, cart.in('lima').v(12).down(0, 2).crash(CRASH).old(11, 2)),
      at(20, cart.in('lima').v(12).ready(2)),
      until(40),
    ],
    messages: [
      '0 post cart/12/card',
      '3 broadcast cart/12/failed "🟠 No impact · shop/cart v12 rollout failed in lima"',
      '20 broadcast cart/12/ready "✅ Ready"',
    ],
  },
  {
    of: 'stuck',
    title: 'Each new replica gives a rollout ten more minutes',
    polls: [
      known(cart.in('lima').v(11).ready(3)),
      at(0, cart.in('lima').v(12).deploying(0, 3).old(11, 3)),
      at(5, cart.in('lima').v(12).deploying(1, 3).old(11, 3)),
      at(12, cart.in('lima').v(12).deploying(2, 3).old(11, 3)),
      at(30, cart.in('lima').v(12).ready(3)),
      until(60),
    ],
    messages: [
      '0 post cart/12/card',
      '22 broadcast cart/12/stuck "🟠 No impact · shop/cart v12 rollout stuck in lima"',
      '30 broadcast cart/12/ready "✅ Ready"',
    ],
  },
  {
    of: 'stuck',
    title: 'A missing secret is posted after three minutes',
    polls: [FULL, at(0, rolling.says('secret "db" not found')), until(40)],
    messages: [
      '0 post cart/12/card',
      '3 broadcast cart/12/stuck "🟠 No impact · shop/cart v12 rollout stuck in lima…secret"',
    ],
  },
  {
    of: 'stuck',
    title: 'An image that cannot be pulled for two minutes is no news',
    polls: [
      FULL,
      at(0, rolling.crash('Back-off pulling image "cart:v12": ImagePullBackOff')),
      at(2, cart.in('lima').v(12).deploying(1, 2).old(11, 2)),
      at(4, cart.in('lima').v(12).ready(2)),
      until(40),
    ],
    messages: ['0 post cart/12/card', '4 broadcast cart/12/ready "✅ Ready"'],
  },
  {
    of: 'stuck',
    title: 'A change that does not reach one location within ten minutes is stuck there',
    polls: [
      BOTH,
      at(0, cart.in('lima').v(12).ready(2), cart.in('oslo').v(12).pending(2).old(11, 2)),
      until(40),
    ],
    messages: [
      '0 post cart/12/card',
      '10 broadcast cart/12/stuck "🟠 No impact · shop/cart v12 rollout stuck in oslo"',
    ],
  },
  {
    of: 'reopen',
    title:
      'A location that is added and comes up is silent; one that hangs is posted, and its ready, too',
    polls: [
      FULL,
      at(0, rolling),
      at(3, cart.in('lima').v(12).ready(2)),
      at(20, cart.in('paris').v(12).deploying(0, 2)),
      at(24, cart.in('paris').v(12).ready(2)),
      at(40, cart.in('quito').v(12).deploying(0, 2)),
      at(60, cart.in('quito').v(12).ready(2)),
      until(90),
    ],
    messages: [
      '0 post cart/12/card',
      '3 broadcast cart/12/ready "✅ Ready"',
      '50 broadcast cart/12/stuck "🟠 No impact · shop/cart v12 rollout stuck in quito"',
      '60 broadcast cart/12/ready/2 "✅ Ready"',
    ],
  },
  {
    of: 'superseded',
    title: 'v13 replaces v12 on its way',
    polls: [
      FULL,
      at(0, rolling),
      at(4, cart.in('lima').v(13).deploying(0, 2).old(11, 2)),
      at(8, cart.in('lima').v(13).ready(2)),
      until(40),
    ],
    messages: [
      '0 post cart/12/card',
      '4 edit cart/12/card "…superseded by v13"',
      '4 post cart/13/card "deploying"',
      '8 broadcast cart/13/ready "✅ Ready"',
    ],
  },
  {
    of: 'superseded',
    title: 'Back to v11: a rollout like any other',
    polls: [
      known(cart.in('lima').v(12).ready(2)),
      at(0, cart.in('lima').v(11).deploying(0, 2).old(12, 2)),
      at(3, cart.in('lima').v(11).ready(2)),
      until(40),
    ],
    messages: ['0 post cart/11/card "deploying"', '3 broadcast cart/11/ready "✅ Ready"'],
  },
  {
    of: 'ready',
    title: 'The version reaches lima first and oslo five minutes later: one card, one ready',
    polls: [
      BOTH,
      at(0, rolling),
      at(2, cart.in('lima').v(12).ready(2)),
      at(5, cart.in('oslo').v(12).deploying(0, 2).old(11, 2)),
      at(8, cart.in('oslo').v(12).ready(2)),
      until(40),
    ],
    messages: ['0 post cart/12/card', '8 broadcast cart/12/ready "✅ Ready"'],
  },
  {
    of: 'ready',
    title: 'oslo stops reporting on its way; when it reports again it still hangs',
    polls: [
      BOTH,
      at(0, cart.in('lima', 'oslo').v(12).deploying(0, 2).old(11, 2)),
      at(2, cart.in('oslo').v(12).deploying(0, 2).old(11, 2).stale()),
      at(4, cart.in('lima').v(12).ready(2)),
      at(20, cart.in('oslo').v(12).deploying(0, 2).old(11, 2)),
      at(40, cart.in('oslo').v(12).ready(2)),
      until(60),
    ],
    messages: [
      '0 post cart/12/card',
      '4 broadcast cart/12/ready "✅ Ready…1 of 2 locations, oslo does not report"',
      '5 broadcast cart/12/stale "⚪ No impact · shop/cart v12 no report (stale) in oslo"',
      '23 broadcast cart/12/recovered "✅…reports again in oslo"',
      '20..30 broadcast cart/12/stuck "🟠 No impact · shop/cart v12 rollout stuck in oslo"',
      '40 broadcast cart/12/ready/2 "✅ Ready"',
    ],
  },
  {
    of: 'reopen',
    title: 'A suspended location resumes at the version that is live elsewhere: silence',
    polls: [
      known(cart.in('lima').v(11).ready(2), cart.in('oslo').v(11).suspended()),
      at(0, rolling),
      at(4, cart.in('lima').v(12).ready(2)),
      at(20, cart.in('oslo').v(12).deploying(0, 2)),
      at(23, cart.in('oslo').v(12).ready(2)),
      until(60),
    ],
    messages: ['0 post cart/12/card', '4 broadcast cart/12/ready "✅ Ready"'],
  },
  {
    of: 'superseded',
    title:
      'A rollback reaches lima three minutes before oslo: it begins when no location expects v12',
    polls: [
      known(cart.in('lima', 'oslo').v(12).ready(2)),
      at(0, cart.in('lima').v(11).deploying(0, 2).old(12, 2)),
      at(3, cart.in('oslo').v(11).deploying(0, 2).old(12, 2)),
      at(6, cart.in('lima', 'oslo').v(11).ready(2)),
      until(40),
    ],
    messages: ['3 post cart/11/card "deploying"', '6 broadcast cart/11/ready "✅ Ready"'],
  },
  {
    of: 'failed',
    title: 'v12 fails in oslo, which is suspended then: ready elsewhere, and no recovery',
    polls: [
      BOTH,
      at(0, cart.in('lima', 'oslo').v(12).deploying(0, 2).old(11, 2)),
      at(3, cart.in('lima').v(12).ready(2), cart.in('oslo').v(12).down(0, 2).crash(CRASH)),
      at(20, cart.in('oslo').v(12).suspended()),
      until(40),
    ],
    messages: [
      '0 post cart/12/card',
      '4 broadcast cart/12/failed "🔴 Partial outage (oslo) · shop/cart v12 rollout failed in oslo"',
      '20 broadcast cart/12/ready "✅ Ready"',
      '(20..23 reply cart/12/suspended "…over without recovery: oslo suspended")',
    ],
    never: /recovered in/,
  },
];
