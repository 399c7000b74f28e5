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

it('a card marks replicas of its version that an older GVC version runs', () => {
  const polls = [
    known(cart.in('lima').v(11).under(4).ready(2)),
    at(0, cart.in('lima').v(12).under(4).ready(2)),
    at(1, cart.in('lima').v(12).under(4).deploying(0, 2).old(12, 2, 2, 3)),
    until(15),
  ];
  const last = messagesFor({ polls }).findLast(({ key }) => key.endsWith('cart/12/card'));
  expect(last?.text).toContain('deploying 0 of 2, older GVC 2 of 2');
});
