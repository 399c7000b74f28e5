import { describe, expect, it } from 'vitest';
import { workload } from '../../../stories/watch/records.ts';
import { at, known, until, type Story } from '../../../stories/watch/story.ts';
import { messagesFor, mute, watch } from './audience.ts';

const ONCALL = '<!subteam^S0ONCALL>';
const cart = workload('cart').in('lima');
const FIVE = ['a', 'b', 'c', 'd', 'e'];
type Polls = Pick<Story, 'polls'>;

const OUTAGE: Polls = {
  polls: [known(cart.v(11).ready(2)), at(0, cart.v(11).down(0, 2)), until(10)],
};
const REDUCED: Polls = {
  polls: [known(cart.v(11).ready(4)), at(0, cart.v(11).down(3, 4)), until(20)],
};
const LOCATION: Polls = {
  polls: [
    known(...FIVE.map((name) => workload(name).in('lima').v(11).ready(2))),
    at(0, ...FIVE.map((name) => workload(name).in('lima').v(11).down(0, 2))),
    until(5),
  ],
};

/** Keys of the messages that mention the group, in text and blocks. */
function mentioning(story: Polls, mutes: Parameters<typeof mute>[0][] = []): string[] {
  const watches = [watch('C1', { notify: ONCALL }), watch('C2')];
  return messagesFor(story, { watches, mutes: mutes.map(mute) })
    .filter(({ text, blocks }) => text.includes(ONCALL) && JSON.stringify(blocks).includes(ONCALL))
    .map(({ channel, key }) => `${channel} ${key}`);
}

describe('a watch with notify', () => {
  it('mentions the group on an outage, once, in its own channel', () => {
    expect(mentioning(OUTAGE)).toEqual(['C1 acme/shop/cart/11/unhealthy']);
  });

  it('has no mention for reduced capacity', () => {
    expect(mentioning(REDUCED)).toEqual([]);
  });

  it('has no mention in a muted channel', () => {
    expect(mentioning(OUTAGE, [{}])).toEqual([]);
  });

  it('mentions the group once for a location', () => {
    expect(mentioning(LOCATION)).toEqual(['C1 acme/@location/lima/unhealthy/1']);
  });
});
