import { expect, it } from 'vitest';
import { workload } from '../../../stories/watch/records.ts';
import { at, known, until } from '../../../stories/watch/story.ts';
import { messagesFor } from '../watch/audience.ts';

const cart = workload('cart');

it('a location that reports again counts like all others', () => {
  const polls = [
    known(cart.in('lima', 'oslo').v(11).ready(2)),
    at(0, cart.in('oslo').v(11).ready(2).stale()),
    at(10, cart.in('oslo').v(11).down(0, 2)),
    until(15),
  ];
  const last = messagesFor({ polls }).findLast(({ key }) => key.endsWith('cart/11/stale/2'));
  expect(last?.text).toMatch(/ · 2 of 4 serve(\n|$)/);
});
