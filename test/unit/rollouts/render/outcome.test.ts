import { describe, expect, it } from 'vitest';
import { workload } from '../../../stories/watch/records.ts';
import { at, known, until } from '../../../stories/watch/story.ts';
import { textOf } from './texts.ts';

const cart = workload('cart');

describe('the drop of a location that did not report', () => {
  it('has a next step', () => {
    const polls = [
      known(cart.in('lima').v(11).ready(2)),
      at(0, cart.in('lima').v(11).ready(2).stale()),
      at(24 * 60, cart.in('lima').gone(), workload('pay').in('lima').v(1).ready(1)),
      until(24 * 60 + 5),
    ];
    const [line = '', next] = textOf({ polls }, 'cart/11/gone');
    expect(line).toMatch(
      /shop\/cart v11 · no report for 24 h from lima, dropped; what runs there is unknown/,
    );
    expect(next).toBe('Next: Check it from outside');
  });
});

describe('a location that does not report', () => {
  it('counts like all others once it reports again', () => {
    const polls = [
      known(cart.in('lima', 'oslo').v(11).ready(2)),
      at(0, cart.in('oslo').v(11).ready(2).stale()),
      at(10, cart.in('oslo').v(11).down(0, 2)),
      until(15),
    ];
    expect(textOf({ polls }, 'cart/11/stale/2')[0]).toMatch(/ · 2 of 4 serve$/);
  });
});
