import { workload } from './records.ts';
import { at, known, until, type Story } from './story.ts';

const TWENTY = Array.from({ length: 20 }, (_, index) => `w${index + 1}`);
const FORTY = Array.from({ length: 40 }, (_, index) => `w${index + 1}`);
const FOUR = ['a', 'b', 'c', 'd'];

/** Findings 24 and 29: changes of a GVC, and trouble that many share. */
export const GROUPS_OF_FINDINGS: readonly Story[] = [
  {
    of: 'finding 24',
    title: 'A change of the GVC reaches one workload, and the others twelve minutes later',
    polls: [
      known(...FOUR.map((name) => workload(name).in('lima').v(11).under(4).ready(2))),
      at(0, workload('a').in('lima').v(11).under(5).deploying(0, 2).oldGvc(2)),
      at(2, workload('a').in('lima').v(11).under(5).ready(2)),
      at(
        12,
        ...['b', 'c', 'd'].map((name) => workload(name).in('lima').v(11).under(5).deploying(0, 2)),
      ),
      at(14, ...['b', 'c'].map((name) => workload(name).in('lima').v(11).under(5).ready(2))),
      until(40),
    ],
    messages: [
      '0 post @gvc/5/card "deploying"',
      '0..12 edit @gvc/5/card "…3 not reached"',
      '22 broadcast d/11/stuck "🔴 Outage · shop/d v11 rollout stuck in lima"',
    ],
  },
  {
    of: 'finding 29',
    title: 'A change of the GVC breaks twenty workloads whose rollouts were watched',
    polls: [
      at(-60, ...TWENTY.map((name) => workload(name).in('lima').v(11).under(4).ready(2))),
      at(-30, ...TWENTY.map((name) => workload(name).in('lima').v(12).under(4).ready(2))),
      at(0, ...TWENTY.map((name) => workload(name).in('lima').v(12).under(5).deploying(0, 2))),
      until(60),
    ],
    messages: [
      ...TWENTY.map((name) => `-30 post ${name}/12/ready covers ${name}/12/card "✅ Ready"`),
      '0 post @gvc/5/card "deploying"',
      '10 broadcast w*/12/stuck "🔴 Outage"',
    ],
  },
  {
    of: 'finding 29',
    title: 'Forty workloads of one location fail, two a minute',
    polls: [
      known(...FORTY.map((name) => workload(name).in('lima').v(11).ready(2))),
      ...Array.from({ length: 20 }, (_, minute) =>
        at(
          minute,
          ...FORTY.slice(minute * 2, minute * 2 + 2).map((name) =>
            workload(name).in('lima').v(11).down(0, 2),
          ),
        ),
      ),
      until(60),
    ],
    messages: [
      '3 post @location/lima/unhealthy/1 covers w1/11/unhealthy w8/11/unhealthy',
      '8 broadcast w*/11/unhealthy "🔴 Outage"',
      '13 broadcast w*/11/unhealthy "🔴 Outage"',
      '18 broadcast w*/11/unhealthy "🔴 Outage"',
      '23 broadcast w*/11/unhealthy "🔴 Outage"',
    ],
  },
  {
    of: 'finding 29',
    title: 'A location of three GVCs does not report: one message for the org',
    polls: [
      known(...inThreeGvcs().map((one) => one.in('lima', 'oslo').v(11).ready(2))),
      at(0, ...inThreeGvcs().map((one) => one.in('oslo').v(11).ready(2).stale())),
      until(60),
    ],
    messages: [
      '3 post @location/oslo/stale/1 covers acme/one/a/11/stale acme/one/d/11/stale acme/three/d/11/stale',
    ],
  },
];

function inThreeGvcs(): ReturnType<typeof workload>[] {
  return ['one', 'two', 'three'].flatMap((gvc) => FOUR.map((name) => workload(name, gvc)));
}
