import { run, workload } from './records.ts';
import { answers, at, awayUntil, emptyList, known, mute, until, type Story } from './story.ts';

const cart = workload('cart');
const pay = workload('pay');
const nightly = workload('nightly');
const FULL = known(cart.in('lima').v(11).ready(2));
const BOTH = known(cart.in('lima', 'oslo').v(11).ready(2));
const down = cart.in('lima').v(11).down(0, 2);
const up = cart.in('lima').v(11).ready(2);
const DONE = run('nightly-1', 'successful');
const job = (...runs: readonly ReturnType<typeof run>[]): ReturnType<(typeof nightly)['in']> =>
  nightly
    .in('lima')
    .v(3)
    .cron(DONE, ...runs);

/** Rules of reports, leaving, jobs, adoption, lists, operators, crash loops, mutes and restarts. */
export const NOISE_RULES: readonly Story[] = [
  {
    of: 'no report',
    title: 'oslo does not report for ten minutes, and reports again',
    polls: [
      BOTH,
      at(0, cart.in('oslo').v(11).ready(2).stale()),
      at(10, cart.in('oslo').v(11).ready(2)),
      until(40),
    ],
    messages: [
      '3 post cart/11/stale "⚪ No impact · shop/cart v11 no report (stale) in oslo"',
      '13 broadcast cart/11/recovered "✅…reports again in oslo"',
    ],
  },
  {
    of: 'no report',
    title: 'oslo reports again, and serves nothing: a call, and no good news',
    polls: [
      BOTH,
      at(0, cart.in('oslo').v(11).ready(2).stale()),
      at(10, cart.in('oslo').v(11).down(0, 2)),
      until(40),
    ],
    messages: [
      '3 post cart/11/stale',
      '13 broadcast cart/11/unhealthy "🔴 Partial outage (oslo)"',
      '13 reply cart/11/*',
    ],
    never: /recovered in|Status details are stale/,
  },
  {
    of: 'no report',
    title: 'It did not report at the first poll: only its end is news',
    polls: [
      at(0, cart.in('lima').v(11).ready(2), cart.in('oslo').v(11).ready(2).stale()),
      at(10, cart.in('oslo').v(11).ready(2)),
      until(40),
    ],
    messages: [
      '0 post @gvc/adopted "I start from here: cart…no report"',
      '13 loud cart/11/recovered "✅…reports again in oslo"',
    ],
  },
  {
    of: 'no report',
    title:
      'Nothing is known of a location at the first poll, and nothing ever served: its first report is no return',
    polls: [
      at(0, pay.in('lima').v(3).ready(1), cart.in('lima').status({ expectedDeploymentVersion: 3 })),
      at(20, cart.in('lima').v(3).ready(2)),
      until(40),
    ],
    messages: ['(20 loud cart/3/ready)'],
    never: /reports again/,
  },
  {
    of: 'leaving',
    title: 'Scaled to zero by load is never news',
    polls: [FULL, at(0, cart.in('lima').v(11).zeroByLoad()), at(30, up), until(60)],
    messages: [],
  },
  {
    of: 'leaving',
    title: 'Scaled to zero twice a day is posted once',
    polls: [
      FULL,
      at(0, cart.in('lima').v(11).zero()),
      at(10, up),
      at(60, cart.in('lima').v(11).zero()),
      at(70, up),
      until(90),
    ],
    messages: [
      '3 post cart/11/suspended "…No longer serving: scaled to zero"',
      '10..13 reply cart/11/resumed',
      '(70..73 reply cart/11/resumed*)',
    ],
  },
  {
    of: 'leaving',
    title: 'All reports are lost, and the platform drops the workload: that is not deleted',
    polls: [
      known(cart.in('lima').v(11).ready(2), pay.in('lima').v(3).ready(1)),
      at(0, cart.in('lima').v(11).ready(2).stale()),
      at(1380, cart.in('lima').gone()),
      until(1420),
    ],
    messages: [
      '3 post cart/11/stale "⚪ Unknown · shop/cart v11 no report (stale) in lima"',
      '23h..23h06 reply cart/11/gone "…no report for"',
    ],
    never: /deleted|recovered/,
  },
  {
    of: 'cron',
    title: 'The third row of failures within an hour ends after twenty minutes without one',
    polls: [
      known(job()),
      at(0, job(run('n-0', 'failed'))),
      at(5, job(run('n-0', 'failed'), run('n-5', 'successful'))),
      at(10, job(run('n-5', 'successful'), run('n-10', 'failed'))),
      at(15, job(run('n-10', 'failed'), run('n-15', 'successful'))),
      at(20, job(run('n-15', 'successful'), run('n-20', 'failed'))),
      at(25, job(run('n-20', 'failed'), run('n-25', 'successful'))),
      until(70),
    ],
    messages: [
      '0 post nightly/@job/lima/n-0/failed "…nightly"',
      '5 broadcast nightly/@job/lima/n-5/successful "✅"',
      '10 post nightly/@job/lima/n-10/failed',
      '15 broadcast nightly/@job/lima/n-15/successful "✅"',
      '20 post nightly/@job/lima/n-20/failed',
      '40..45 broadcast nightly/@job/lima/n-25/successful "✅"',
    ],
  },
  {
    of: 'cron',
    title: 'A failure in the first list is not posted, and the next one is',
    polls: [
      at(0, job(run('n-0', 'failed'))),
      at(5, job(run('n-0', 'failed'), run('n-5', 'invalid'))),
      until(20),
    ],
    messages: ['5 post nightly/@job/lima/n-5/invalid "…nightly"'],
  },
  {
    of: 'cron',
    title:
      'One of two locations that failed is taken out: the success of the other one ends the row',
    polls: [
      known(job(), nightly.in('oslo').v(3).cron(DONE)),
      at(0, job(run('n-0', 'failed')), nightly.in('oslo').v(3).cron(DONE, run('o-0', 'failed'))),
      at(5, nightly.in('oslo').gone()),
      at(10, job(run('n-0', 'failed'), run('n-10', 'successful'))),
      at(60, job(run('n-10', 'successful'), run('n-60', 'failed'))),
      until(80),
    ],
    messages: [
      '0 post nightly/@job/lima/n-0/failed',
      '10 broadcast nightly/@job/lima/n-10/successful "✅"',
      '60 post nightly/@job/lima/n-60/failed',
    ],
  },
  {
    of: 'adoption',
    title:
      'The first poll finds an outage and a lost report: one line, and neither is called again',
    polls: [
      at(0, down, pay.in('lima').v(3).ready(1).stale(), nightly.in('lima').v(2).ready(1)),
      until(60),
    ],
    messages: ['0 post @gvc/adopted "I start from here: cart Outage (failed), pay no report"'],
  },
  {
    of: 'adoption',
    title: 'The first poll finds an outage in one of two locations',
    polls: [at(0, up, cart.in('oslo').v(11).down(0, 2)), until(10)],
    messages: ['0 post @gvc/adopted "I start from here: cart Partial outage (oslo) (failed)"'],
  },
  {
    of: 'adoption',
    title: 'A workload that was down at the first poll recovers',
    polls: [at(0, down), at(10, up), until(40)],
    messages: [
      '0 post @gvc/adopted "I start from here: cart Outage"',
      '10..13 loud cart/11/recovered|cart/11/ready "✅"',
    ],
  },
  {
    of: 'lists',
    title: 'A list with an item that names no workload lacks nothing',
    polls: [
      known(cart.in('lima').v(11).ready(2), pay.in('lima').v(3).ready(1)),
      at(0, cart.in('lima').gone(), workload('x').in('lima').v(1).unnamed()),
      at(20, up, workload('x').in('lima').gone()),
      until(40),
    ],
    messages: ['(2 post @api/unreadable/1)'],
  },
  {
    of: 'lists',
    title: 'A list is suddenly empty, and later as before',
    polls: [BOTH, emptyList(0), until(20), until(40)],
    messages: ['2 post @api/unreadable/1 "…empty"'],
  },
  {
    of: 'operators',
    title: 'The API fails three times in a row, and is back',
    polls: [FULL, answers(0, 503), until(10), until(20)],
    messages: ['2 post @api/down/1', '10 loud @api/up/1'],
  },
  {
    of: 'operators',
    title: 'The API fails twice: no news',
    polls: [FULL, answers(0, 503), until(2), until(20)],
    messages: [],
  },
  {
    of: 'operators',
    title:
      'An outage begins, the API fails for twenty minutes, and the outage goes on: its time begins anew',
    polls: [FULL, at(-2, down), answers(0, 503), until(20), until(40)],
    messages: ['2 post @api/down/1', '20 loud @api/up/1', '23 post cart/11/unhealthy "🔴 Outage"'],
  },
  {
    of: 'crash loop',
    title: 'Three restarts within an hour, all replicas up: a reply in the thread, once',
    polls: [
      FULL,
      at(0, cart.in('lima').v(12).deploying(0, 2).old(11, 2)),
      at(4, cart.in('lima').v(12).ready(2)),
      ...[10, 20, 30, 40, 50].map((minute, turn) =>
        at(
          minute,
          cart
            .in('lima')
            .v(12)
            .ready(2)
            .restarts(turn + 1, minute),
        ),
      ),
      until(90),
    ],
    messages: [
      '0 post cart/12/card',
      '4 broadcast cart/12/ready',
      '30 reply cart/12/crashloop "…keeps crashing in lima · 2 of 2 serve · Out of memory"',
    ],
  },
  {
    of: 'mute',
    title: 'An outage while the channel is muted: one message when the mute ends',
    polls: [FULL, mute(0, '30m'), at(5, down), until(60)],
    messages: ['30..31 post @mute/1 covers cart/11/unhealthy "…shop/cart"'],
  },
  {
    of: 'mute',
    title: 'All reports are lost while the channel is muted: whether anything is hurt is unknown',
    polls: [FULL, mute(0, '10m'), at(1, cart.in('lima').v(11).ready(2).stale()), until(20)],
    messages: ['10..11 post @mute/1 "⚪ While muted: 1 message · No report: shop/cart (lima)"'],
    never: /Nothing is hurt/,
  },
  {
    of: 'mute',
    title: 'The API fails when the mute ends: its message is the last that is known',
    polls: [FULL, mute(0, '30m'), at(1, down), answers(10, 503), until(40)],
    messages: [
      '12 post @api/down/1',
      '30..31 post @mute/1 "🔴 While muted: 1 message · Hurt now: shop/cart Outage · Last known, cannot be read: shop"',
      '40 loud @api/up/1',
    ],
  },
  {
    of: 'mute',
    title: 'A mute in which nothing happens ends without a word',
    polls: [FULL, mute(0, '30m'), until(60)],
    messages: [],
  },
  {
    of: 'restart',
    title:
      'The bot is away for half an hour in the middle of an outage: the three minutes begin anew',
    polls: [FULL, at(0, down), until(2), awayUntil(32), until(60)],
    messages: ['35 post cart/11/unhealthy "🔴 Outage"'],
  },
  {
    of: 'restart',
    title: 'The bot is away for two minutes: the three minutes go on',
    polls: [FULL, at(0, down), until(1), awayUntil(3), until(60)],
    messages: ['3 post cart/11/unhealthy "🔴 Outage"'],
  },
  {
    of: 'only',
    title: 'A channel that hears of failures alone gets the failure, and no ready',
    options: { only: ['failed'] },
    polls: [
      FULL,
      at(0, cart.in('lima').v(12).deploying(0, 2).old(11, 2)),
      at(2, cart.in('lima').v(12).down(0, 2).crash('CrashLoopBackOff').old(11, 2)),
      at(20, cart.in('lima').v(13).deploying(0, 2).old(11, 2)),
      at(22, cart.in('lima').v(13).ready(2)),
      until(40),
    ],
    messages: ['3 post cart/12/failed "🟠 No impact · shop/cart v12 rollout failed in lima"'],
  },
  {
    of: 'quiet',
    title: 'A quiet channel gets the card, and the end of the rollout in its thread',
    options: { quiet: true },
    polls: [
      FULL,
      at(0, cart.in('lima').v(12).deploying(0, 2).old(11, 2)),
      at(4, cart.in('lima').v(12).ready(2)),
      until(40),
    ],
    messages: ['0 post cart/12/card', '4 reply cart/12/ready "✅ Ready"'],
  },
  {
    of: 'lists',
    title: 'One record cannot be read for half an hour: its facts stay as they were',
    polls: [
      known(cart.in('lima').v(11).ready(2), pay.in('lima').v(3).ready(1)),
      at(0, cart.in('lima').unreadable()),
      at(30, up),
      until(60),
    ],
    messages: ['2 post @api/unreadable/1'],
  },
  {
    of: 'lists',
    title:
      'Two records cannot be read after a blip and in a rollout: nothing is seen, and no one is called',
    polls: [
      known(cart.in('lima').v(11).ready(2), pay.in('lima').v(3).ready(1)),
      at(0, down, pay.in('lima').v(4).deploying(0, 1)),
      at(1, cart.in('lima').unreadable(), pay.in('lima').unreadable()),
      at(30, up, pay.in('lima').v(4).ready(1)),
      until(60),
    ],
    messages: ['0 post pay/4/card', '3 post @api/unreadable/1', '30 broadcast pay/4/ready'],
    never: /rollout stuck/,
  },
  {
    of: 'patience',
    title: 'With half the patience an outage is called after a minute and a half',
    options: { patience: 0.5 },
    polls: [FULL, at(0, down), until(20)],
    messages: ['2 post cart/11/unhealthy "🔴 Outage"'],
  },
  {
    of: 'operators',
    title:
      'The API fails from the first poll on; the first list that comes is the one to start from',
    polls: [answers(0, 503), at(5, down), until(30)],
    messages: [
      '2 post @api/down/1',
      '5 loud @api/up/1',
      '5 post @gvc/adopted "I start from here: cart Outage (failed)"',
    ],
  },
  {
    of: 'mute',
    title: 'A rollout begins while the channel is muted, and is ready after it',
    polls: [
      FULL,
      mute(0, '30m'),
      at(25, cart.in('lima').v(12).deploying(0, 2).old(11, 2)),
      at(33, cart.in('lima').v(12).ready(2)),
      until(60),
    ],
    messages: ['30..31 post @mute/1 covers cart/12/card', '33 loud cart/12/ready "✅ Ready"'],
  },
];
