import { describe, expect, it } from 'vitest';
import { workload, type Records } from '../../../stories/watch/records.ts';
import { at, known, until, type Story } from '../../../stories/watch/story.ts';
import { textOf } from './texts.ts';

const FIVE = ['a', 'b', 'c', 'd', 'e'];
const five = (of: (one: Records) => Records): Records[] =>
  FIVE.map((name) => of(workload(name).in('lima')));
type Polls = Pick<Story, 'polls'>;

/** A change of the GVC rolls two workloads anew. @param b how the second one is from then on */
function rolled(b: (one: Records) => Records): Polls {
  const [first, second] = ['a', 'b'].map((name) => workload(name).in('lima').v(11));
  if (first === undefined || second === undefined) throw new Error('no workload');
  return {
    polls: [
      known(first.under(4).ready(2), second.under(4).ready(2)),
      at(0, first.under(5).deploying(0, 2).oldGvc(2), b(second.under(5))),
      at(3, first.under(5).ready(2)),
      until(15),
    ],
  };
}

describe('the next step of a message about a GVC version', () => {
  it('is to undo the change of the GVC where one workload is out', () => {
    const text = textOf(
      rolled((one) => one.deploying(0, 2)),
      'b/11/stuck',
    );
    expect(text).toContain('Next: Undo the change of the GVC (v5), or look in its logs');
  });

  it('has the step of the cause first while all is served', () => {
    const failed = rolled((one) => one.down(0, 2).crash('exec format error').oldGvc(2));
    const step =
      'Next: Build the image for this location’s processors, or undo the change of the GVC (v5)';
    expect(textOf(failed, 'b/11/failed')).toContain(step);
    expect(textOf(failed, '@gvc/5/card')).toContain(step);
  });
});

describe('the next step of a message about a location', () => {
  it('goes back to the version before of each workload whose rollout failed', () => {
    const polls = [
      known(...five((one) => one.v(11).ready(2))),
      at(0, ...five((one) => one.v(12).deploying(0, 2).old(11, 2))),
      at(2, ...five((one) => one.v(12).down(0, 2).crash('exec format error').old(11, 2))),
      until(5),
    ];
    expect(textOf({ polls }, '@location/lima/failed/1').join(' ')).toContain(
      'processors, or roll each back to its version before',
    );
  });

  it('goes nowhere back where no rollout is known, and is about the logs of all', () => {
    const polls = [
      known(...five((one) => one.v(11).ready(2))),
      at(0, ...five((one) => one.v(11).down(0, 2).crash('Readiness probe failed'))),
      until(5),
    ];
    expect(textOf({ polls }, '@location/lima/unhealthy/1')).toContain(
      'Next: Look in their logs for why each is not ready',
    );
  });
});

describe('the reply of a group', () => {
  it('that is ready shows the impact and the next step of a workload that is not well', () => {
    const [a, b] = ['a', 'b'].map((name) => workload(name).in('lima').v(11)) as [Records, Records];
    const polls = [
      known(a.under(4).ready(2), b.under(4).ready(2)),
      at(0, a.under(5).ready(2), b.under(5).deploying(0, 2).oldGvc(2)),
      at(4, a.under(5).down(0, 2)),
      at(5, b.under(5).ready(2)),
      until(6),
    ];
    const text = textOf({ polls }, '@gvc/5/ready');
    expect(text[0]).toMatch(/^🔴 Ready · .* · shop\/b · not well now: shop\/a$/);
    expect(text.slice(1)).toEqual([
      'shop/a v11 · Outage · 0 of 2 serve',
      'Next: Undo the change of the GVC (v5), or look in its logs',
    ]);
  });

  it('has no time of recovery while others are ill', () => {
    const polls = [
      known(...five((one) => one.v(11).ready(2))),
      at(0, ...five((one) => one.v(11).down(0, 2))),
      at(20, workload('a').in('lima').v(11).ready(2)),
      until(35),
    ];
    const [line] = textOf({ polls }, '@location/lima/recovered/1');
    expect(line).toBe('🔴 recovered in lima · shop/a · still: shop/b, shop/c, shop/d, shop/e');
  });
});

describe('the text of a group, for notifications and screen readers', () => {
  it('names those that are out apart from those that are ready', () => {
    const all = ['a', 'b', 'c'].map((name) => workload(name).in('lima').v(11));
    const polls = [
      known(...all.map((one) => one.under(4).ready(2))),
      at(0, ...all.map((one) => one.under(5).deploying(0, 2))),
      at(4, ...all.slice(0, 2).map((one) => one.under(5).ready(2))),
      until(5),
    ];
    expect(textOf({ polls }, '@gvc/5/card').slice(0, 3)).toEqual([
      'deploying · Outage · shop GVC v5 · 2 of 3 ready',
      'Outage, deploying: shop/c, 0 of 2 serve',
      'Ready: shop/a, shop/b',
    ]);
  });

  it('adds up the replicas of workloads in the same state', () => {
    const polls = [
      known(...five((one) => one.v(11).ready(2))),
      at(0, ...five((one) => one.v(11).down(0, 2))),
      until(5),
    ];
    expect(textOf({ polls }, '@location/lima/unhealthy/1').slice(0, 2)).toEqual([
      '🔴 Outage · lima unhealthy: 5 workloads · org acme',
      'Outage, unhealthy: shop/a, shop/b, shop/c, shop/d, shop/e, 0 of 10 serve',
    ]);
  });
});
