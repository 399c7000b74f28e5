import { expect, it } from 'vitest';
import { workload } from '../../../stories/watch/records.ts';
import { at, known, until } from '../../../stories/watch/story.ts';
import { messagesFor } from './audience.ts';

const cart = workload('cart').in('lima');
const STUCK = {
  polls: [
    known(cart.v(11).ready(2)),
    at(0, cart.v(12).down(0, 2).says('The deployment is not converging on the expected version')),
    until(10),
  ],
};

it.each([
  ['<!subteam^S0HELP>', '<!subteam^S0HELP>'],
  ['#platform-help', '#platform-help'],
  [undefined, 'your Purser administrator'],
])('a cause that only others can fix says to ask %s', (contact, who) => {
  const texts = messagesFor(STUCK, contact === undefined ? {} : { contact }).map(
    ({ text }) => text,
  );

  expect(texts.join('\n')).toContain(`wait some minutes, then ask ${who}`);
});
