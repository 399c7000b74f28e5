import { describe, expect, it } from 'vitest';
import { workload } from '../../../stories/watch/records.ts';
import { at, known, until } from '../../../stories/watch/story.ts';
import { messagesFor } from '../watch/audience.ts';

const cart = workload('cart');

describe('the card of a rollout', () => {
  it('shows no replicas of a location that reports nothing, and has a next step', () => {
    const polls = [
      known(cart.in('lima', 'oslo').v(11).ready(2)),
      at(0, cart.in('lima', 'oslo').v(12).deploying(0, 2).old(11, 2)),
      at(2, cart.in('lima', 'oslo').v(12).status({ expectedDeploymentVersion: 12 })),
      until(3),
    ];
    const card = messagesFor({ polls }).findLast(({ key }) => key.endsWith('12/card'));
    expect(JSON.stringify(card?.blocks)).toContain('"unknown"');
    expect(JSON.stringify(card?.blocks)).not.toContain('v11 2/2');
    expect(card?.text).toContain('Next: Check it from outside');
  });

  it('that another rollout ends has Details', () => {
    const polls = [
      known(cart.in('lima').v(11).ready(2)),
      at(0, cart.in('lima').v(12).deploying(0, 2).old(11, 2)),
      at(4, cart.in('lima').v(13).deploying(0, 2)),
      until(5),
    ];
    const card = messagesFor({ polls }).findLast(({ key }) => key.endsWith('12/card'));
    expect(card?.text.split('\n')[0]).toBe('superseded by v13 · Outage · shop/cart v12');
    expect(JSON.stringify(card?.blocks)).toContain('deployments.details');
  });
});
