import { workload } from './records.ts';
import { at, known, until, type Story } from './story.ts';

const named = (...names: readonly string[]): ReturnType<typeof workload>[] =>
  names.map((name) => workload(name));
const FOUR = named('a', 'b', 'c', 'd');
const FIVE = named('a', 'b', 'c', 'd', 'e');
const NAMES = ['a', 'b', 'c', 'd', 'e'];
const OTHERS = named('f', 'g', 'h', 'i', 'j');
const SIX = named('a', 'b', 'c', 'd', 'e', 'f');
const both = (all: readonly ReturnType<typeof workload>[]): ReturnType<typeof known> =>
  known(...all.map((one) => one.in('lima', 'oslo').v(11).ready(2)));
const ill = (minute: number, all: readonly ReturnType<typeof workload>[]): ReturnType<typeof at> =>
  at(minute, ...all.map((one) => one.in('oslo').v(11).down(0, 2)));
const well = (minute: number, all: readonly ReturnType<typeof workload>[]): ReturnType<typeof at> =>
  at(minute, ...all.map((one) => one.in('oslo').v(11).ready(2)));
const OPENS =
  '3 post @location/oslo/unhealthy/1 covers a/11/unhealthy b/11/unhealthy c/11/unhealthy d/11/unhealthy e/11/unhealthy';

/** Rules of groups: a location, and a version of the GVC. */
export const GROUP_RULES: readonly Story[] = [
  {
    of: 'location group',
    title: 'Four workloads hurt in one location are four messages',
    polls: [both(FOUR), ill(0, FOUR), until(20)],
    messages: ['a', 'b', 'c', 'd'].map(
      (name) => `3 post ${name}/11/unhealthy "🔴 Partial outage (oslo) · shop/${name} v11"`,
    ),
  },
  {
    of: 'location group',
    title:
      'The sixth falls ill soon after: it is named at once, and posted five minutes after the first',
    polls: [both(SIX), ill(0, FIVE), ill(4, named('f')), until(40)],
    messages: [
      OPENS,
      '7 edit @location/oslo/unhealthy/1',
      '8 broadcast f/11/unhealthy "🔴 Partial outage (oslo)"',
    ],
  },
  {
    of: 'location group',
    title: 'The sixth is hurt more than all others: it is posted at once',
    polls: [
      known(
        ...FIVE.map((one) => one.in('lima', 'oslo').v(11).ready(2)),
        workload('f').in('oslo').v(11).ready(2),
      ),
      ill(0, FIVE),
      ill(4, named('f')),
      until(40),
    ],
    messages: [OPENS, '7 broadcast f/11/unhealthy "🔴 Outage · shop/f v11"'],
  },
  {
    of: 'location group',
    title: 'All recover within two minutes: one message',
    polls: [
      both(FIVE),
      ill(0, FIVE),
      well(20, FIVE.slice(0, 3)),
      well(22, FIVE.slice(3)),
      until(60),
    ],
    messages: [OPENS, '25 broadcast @location/oslo/recovered/1 "✅…recovered in oslo"'],
  },
  {
    of: 'location group',
    title: 'One recovers, four stay ill: posted five minutes later',
    polls: [both(FIVE), ill(0, FIVE), well(20, FIVE.slice(0, 1)), until(60)],
    messages: [OPENS, '28 broadcast @location/oslo/recovered/1 "…recovered in oslo…shop/a…still:"'],
  },
  {
    of: 'location group',
    title: 'One recovers and is ill again before that is posted: no news',
    polls: [
      both(FIVE),
      ill(0, FIVE),
      well(20, FIVE.slice(0, 1)),
      ill(24, FIVE.slice(0, 1)),
      until(60),
    ],
    messages: [OPENS],
  },
  {
    of: 'location group',
    title: 'Five rollouts fail in one location in the same minute: one message',
    polls: [
      both(FIVE),
      at(0, ...FIVE.map((one) => one.in('lima', 'oslo').v(12).deploying(0, 2).old(11, 2))),
      at(
        2,
        ...FIVE.map((one) => one.in('lima').v(12).ready(2)),
        ...FIVE.map((one) => one.in('oslo').v(12).down(0, 2).crash('exec format error').old(11, 2)),
      ),
      until(40),
    ],
    messages: [
      ...NAMES.map((name) => `0 post ${name}/12/card "deploying"`),
      '3 post @location/oslo/failed/1 covers a/12/failed b/12/failed c/12/failed d/12/failed e/12/failed',
    ],
  },
  {
    of: 'location group',
    title: 'Five workloads of oslo do not report, and report again',
    polls: [
      both(FIVE),
      at(0, ...FIVE.map((one) => one.in('oslo').v(11).ready(2).stale())),
      well(10, FIVE),
      until(40),
    ],
    messages: [
      '3 post @location/oslo/stale/1 covers a/11/stale b/11/stale c/11/stale d/11/stale e/11/stale',
      '13 broadcast @location/oslo/recovered/1',
    ],
  },
  {
    of: 'words 5',
    title: 'One of those that do not report runs nowhere else: it is named as unknown',
    polls: [
      known(
        ...FOUR.map((one) => one.in('lima', 'oslo').v(11).ready(2)),
        workload('e').in('oslo').v(11).ready(2),
      ),
      at(0, ...FIVE.map((one) => one.in('oslo').v(11).ready(2).stale())),
      until(20),
    ],
    messages: [
      '3 post @location/oslo/stale/1 covers a/11/stale b/11/stale c/11/stale d/11/stale e/11/stale "⚪ No impact · oslo stopped reporting: 5 workloads · unknown: shop/e"',
    ],
  },
  {
    of: 'words 5',
    title: 'None of those that do not report is known elsewhere: nothing is known of any',
    polls: [
      known(...FIVE.map((one) => one.in('oslo').v(11).ready(2))),
      at(0, ...FIVE.map((one) => one.in('oslo').v(11).ready(2).stale())),
      until(20),
    ],
    messages: [
      '3 post @location/oslo/stale/1 "⚪ Unknown · oslo stopped reporting: 5 workloads · org acme"',
    ],
    never: /No impact/,
  },
  {
    of: 'joining',
    title: 'A workload that joins, and serves again before that is posted: its level of then',
    polls: [both(SIX), ill(0, FIVE), ill(4, SIX.slice(5)), well(8, SIX.slice(5)), until(20)],
    messages: [
      OPENS,
      '8 broadcast f/11/unhealthy "🟠 No impact · shop/f v11 unhealthy in oslo · 4 of 4 serve"',
      '16 broadcast @location/oslo/recovered/1 covers f/11/recovered',
    ],
  },
  {
    of: 'location group',
    title:
      'Four are hurt and one rollout fails in the same location: each is counted as what it is',
    polls: [
      both(FIVE),
      at(0, workload('e').in('lima', 'oslo').v(12).deploying(0, 2).old(11, 2)),
      ill(2, FOUR),
      at(
        4,
        workload('e').in('lima').v(12).ready(2),
        workload('e').in('oslo').v(12).down(0, 2).crash('exec format error').old(11, 2),
      ),
      until(20),
    ],
    messages: [
      '0 post e/12/card "deploying"',
      '5 post @location/oslo/unhealthy/1 "🔴 Partial outage · oslo unhealthy: 4 workloads, rollouts failed: 1"',
    ],
  },
  {
    of: 'GVC group',
    title: 'A change of the GVC rolls three workloads anew, and all are ready',
    polls: [
      known(...FOUR.slice(0, 3).map((one) => one.in('lima').v(11).under(4).ready(2))),
      at(
        0,
        ...FOUR.slice(0, 3).map((one) => one.in('lima').v(11).under(5).deploying(0, 2).oldGvc(2)),
      ),
      at(3, ...FOUR.slice(0, 3).map((one) => one.in('lima').v(11).under(5).ready(2))),
      until(40),
    ],
    messages: [
      '0 post @gvc/5/card "deploying"',
      '3 broadcast @gvc/5/ready "✅ Ready"',
      '3 edit @gvc/5/card "ready · No impact · shop GVC v5 · 3 of 3 ready · live in 3 min"',
    ],
  },
  {
    of: 'GVC group',
    title: 'One of them was ready and is ill when the last one is ready',
    polls: [
      known(...FOUR.slice(0, 2).map((one) => one.in('lima').v(11).under(4).ready(2))),
      at(
        0,
        ...FOUR.slice(0, 2).map((one) => one.in('lima').v(11).under(5).deploying(0, 2).oldGvc(2)),
      ),
      at(2, workload('a').in('lima').v(11).under(5).ready(2)),
      at(4, workload('a').in('lima').v(11).under(5).down(0, 2)),
      at(5, workload('b').in('lima').v(11).under(5).ready(2)),
      until(40),
    ],
    messages: [
      '0 post @gvc/5/card',
      '5 broadcast @gvc/5/ready "…Ready…not well now: shop/a"',
      '7..8 loud a/11/unhealthy "🔴 Outage · shop/a v11 unhealthy in lima"',
    ],
  },
  {
    of: 'GVC group',
    title: 'One of two hangs for twenty minutes, and both are ready then',
    polls: [
      known(...FOUR.slice(0, 2).map((one) => one.in('lima').v(11).under(4).ready(2))),
      at(0, ...FOUR.slice(0, 2).map((one) => one.in('lima').v(11).under(5).deploying(0, 2))),
      at(2, workload('a').in('lima').v(11).under(5).ready(2)),
      at(20, workload('b').in('lima').v(11).under(5).ready(2)),
      until(60),
    ],
    messages: [
      '0 post @gvc/5/card "deploying"',
      '10 broadcast b/11/stuck "🔴 Outage · shop/b v11 rollout stuck in lima"',
      '20 broadcast @gvc/5/ready "✅ Ready"',
      '(20..25 broadcast b/11/recovered)',
    ],
    never: /not well now/,
  },
  {
    of: 'location group',
    title: 'Six workloads of three GVCs are hurt in one location: one message for the org',
    polls: [
      known(...inThreeGvcs().map((one) => one.in('lima', 'oslo').v(11).ready(2))),
      at(0, ...inThreeGvcs().map((one) => one.in('oslo').v(11).down(0, 2))),
      until(40),
    ],
    messages: [
      '3 post @location/oslo/unhealthy/1 covers acme/one/a/11/unhealthy acme/one/b/11/unhealthy acme/two/a/11/unhealthy acme/three/b/11/unhealthy',
    ],
  },
  {
    of: 'GVC group',
    title:
      'One of two fails while the old rendering serves: a reply of the card, five minutes after it',
    polls: [
      known(...FOUR.slice(0, 2).map((one) => one.in('lima').v(11).under(4).ready(2))),
      at(
        0,
        ...FOUR.slice(0, 2).map((one) => one.in('lima').v(11).under(5).deploying(0, 2).oldGvc(2)),
      ),
      at(
        2,
        workload('a').in('lima').v(11).under(5).down(0, 2).crash('exec format error').oldGvc(2),
      ),
      at(4, workload('b').in('lima').v(11).under(5).ready(2)),
      at(20, workload('a').in('lima').v(11).under(5).ready(2)),
      until(60),
    ],
    messages: [
      '0 post @gvc/5/card "deploying"',
      '5 broadcast a/11/failed "🟠 No impact · shop/a v11 rollout failed in lima"',
      '20 broadcast @gvc/5/ready "✅ Ready"',
      '(20..25 broadcast a/11/recovered)',
    ],
    never: /not well now/,
  },
  {
    of: 'location group',
    title:
      'Five rollouts fail in oslo and are replaced by better ones; new trouble is a new message',
    polls: [
      both(FIVE),
      at(0, ...FIVE.map((one) => one.in('lima', 'oslo').v(12).deploying(0, 2).old(11, 2))),
      at(
        2,
        ...FIVE.map((one) => one.in('lima').v(12).ready(2)),
        ...FIVE.map((one) => one.in('oslo').v(12).down(0, 2).crash('exec format error').old(11, 2)),
      ),
      at(20, ...FIVE.map((one) => one.in('lima', 'oslo').v(13).ready(2))),
      at(80, ...FIVE.map((one) => one.in('oslo').v(13).down(0, 2))),
      until(100),
    ],
    messages: [
      ...NAMES.map((name) => `0 post ${name}/12/card`),
      '3 post @location/oslo/failed/1 "🟠 No impact"',
      ...NAMES.map((name) => `20 post ${name}/13/ready`),
      '83 post @location/oslo/unhealthy/1 covers a/13/unhealthy e/13/unhealthy',
    ],
  },
  {
    of: 'location group',
    title:
      'Five workloads hurt in oslo are deleted; five others fall ill there later: a new message',
    polls: [
      both([...FIVE, ...OTHERS]),
      at(0, ...FIVE.map((one) => one.in('oslo').v(11).down(0, 2))),
      at(10, ...FIVE.map((one) => one.in('lima', 'oslo').gone())),
      at(60, ...OTHERS.map((one) => one.in('oslo').v(11).down(0, 2))),
      until(80),
    ],
    messages: [
      OPENS,
      ...NAMES.map((name) => `13..14 loud ${name}/11/gone "…No longer serving: deleted"`),
      '(10..20 reply @location/oslo/gone/*)',
      '63 post @location/oslo/unhealthy/2 covers f/11/unhealthy j/11/unhealthy',
    ],
  },
  {
    of: 'GVC group',
    title: 'One of two gets a version of its own meanwhile: the GVC is ready in the other one',
    polls: [
      known(...FOUR.slice(0, 2).map((one) => one.in('lima').v(11).under(4).ready(2))),
      at(
        0,
        ...FOUR.slice(0, 2).map((one) => one.in('lima').v(11).under(5).deploying(0, 2).oldGvc(2)),
      ),
      at(3, workload('a').in('lima').v(12).under(5).deploying(0, 2).old(11, 2)),
      at(6, workload('b').in('lima').v(11).under(5).ready(2)),
      at(9, workload('a').in('lima').v(12).under(5).ready(2)),
      until(40),
    ],
    messages: [
      '0 post @gvc/5/card "deploying"',
      '3 post a/12/card "deploying"',
      '6 broadcast @gvc/5/ready "✅ Ready"',
      '9 broadcast a/12/ready "✅ Ready"',
    ],
    never: /in 2 workloads/,
  },
  {
    of: 'flapping',
    title:
      'Five workloads of one location flap together: the third message says so, and ends after twenty minutes',
    polls: [
      both(FIVE),
      ...[0, 10, 20].flatMap((minute) => [ill(minute, FIVE), well(minute + 5, FIVE)]),
      until(70),
    ],
    messages: [
      OPENS,
      '8 broadcast @location/oslo/recovered/1 "✅"',
      '13 post @location/oslo/unhealthy/2 "🔴"',
      '18 broadcast @location/oslo/recovered/2 "✅"',
      '23 post @location/oslo/unhealthy/3 "🔴…flapping"',
      '45 broadcast @location/oslo/recovered/3 "✅"',
    ],
  },
  {
    of: 'GVC group',
    title: 'A change of the GVC ends an outage that was there before it',
    polls: [
      known(...FOUR.slice(0, 2).map((one) => one.in('lima').v(11).under(4).ready(2))),
      at(-10, workload('a').in('lima').v(11).under(4).down(0, 2)),
      at(0, ...FOUR.slice(0, 2).map((one) => one.in('lima').v(11).under(5).deploying(0, 2))),
      at(3, ...FOUR.slice(0, 2).map((one) => one.in('lima').v(11).under(5).ready(2))),
      until(40),
    ],
    messages: [
      '-7 post a/11/unhealthy "🔴 Outage"',
      '0 post @gvc/5/card "deploying"',
      '3 broadcast @gvc/5/ready "✅ Ready…recovered"',
    ],
  },
  {
    of: 'location group',
    title: 'Five workloads of oslo report again, and serve nothing there: no good news, and a call',
    polls: [
      both(FIVE),
      at(0, ...FIVE.map((one) => one.in('oslo').v(11).ready(2).stale())),
      ill(20, FIVE),
      until(40),
    ],
    messages: [
      '3 post @location/oslo/stale/1 covers a/11/stale b/11/stale c/11/stale d/11/stale e/11/stale',
      '23 post @location/oslo/unhealthy/1 covers a/11/unhealthy e/11/unhealthy "🔴 Partial outage"',
      '(23..28 reply @location/oslo/*)',
    ],
    never: /✅/,
  },
];

function inThreeGvcs(): ReturnType<typeof workload>[] {
  return ['one', 'two', 'three'].flatMap((gvc) => ['a', 'b'].map((name) => workload(name, gvc)));
}
