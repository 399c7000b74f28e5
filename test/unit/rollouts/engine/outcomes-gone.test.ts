import { describe, expect, it } from 'vitest';
import { broken, DAY, idle, ready, rolling, stale, suspended, version } from '../platform-json.ts';
import { rolloutScenario } from './rollout-scenario.ts';

const no = 'no such image';

describe('gone', () => {
  it('is said once for each time; a later location edits it', () => {
    const cart = rolloutScenario({ lima: ready(11), oslo: ready(11), rome: ready(11) });
    cart.poll({ lima: rolling(12), oslo: rolling(12), rome: rolling(12) });

    expect(cart.poll({ lima: 'gone' })).toEqual(['gone in lima']);
    expect(cart.polls(3)).toEqual([]);
    expect(cart.poll({ oslo: 'gone' })).toEqual(['gone in lima, oslo']);
    expect(cart.poll({ lima: rolling(12) })).toEqual([]);
    expect(cart.poll({ lima: 'gone' })).toEqual(['gone/2 in lima']);
  });

  it('is an outcome without a card, too, because a message about the GVC may stand for it', () => {
    expect(rolloutScenario({ lima: ready(12) }).poll({ lima: 'gone' })).toEqual(['gone in lima']);
  });

  it('is no recovery: a sick workload that is deleted is only gone', () => {
    const cart = rolloutScenario({ lima: ready(12) });
    cart.poll({ lima: broken(12, no) });

    expect(cart.poll({ lima: 'gone' })).toEqual(['gone in lima']);
    expect(cart.rollout().ending).toBe('gone');
    expect(cart.poll({ lima: ready(12) })).toEqual(['recovered in lima']);
  });

  it('is no place that is ready: what is ready, or comes back, is named without it', () => {
    const cart = rolloutScenario({ lima: ready(11), oslo: ready(11), rome: ready(11) });
    cart.poll({ lima: ready(12), oslo: rolling(12), rome: ready(12) });
    cart.poll({ rome: 'gone' });
    cart.poll({ lima: idle(12) });

    expect(cart.poll({ oslo: idle(12) })).toEqual(['ready in lima']);
  });

  it('of all that was ready leaves the places that are there', () => {
    const cart = rolloutScenario({ lima: ready(11), oslo: ready(11) });
    cart.poll({ lima: ready(12), oslo: rolling(12) });
    cart.poll({ lima: 'gone' });

    expect(cart.poll({ oslo: idle(12) })).toEqual(['ready in oslo']);
  });

  it('of a location that the new version has not reached is told in the new card', () => {
    const cart = rolloutScenario({ lima: ready(11), oslo: ready(11) });
    cart.poll({ lima: rolling(12) });

    expect(cart.poll({ oslo: 'gone' })).toEqual(['gone in oslo']);
    expect(cart.poll({ lima: ready(12) })).toEqual(['ready in lima']);
  });
});

describe('a record that comes back within seven days', () => {
  it.each([
    ['ready', ready(12)],
    ['idle', idle(12)],
    ['suspended', suspended(12)],
    ['deploying', rolling(12)],
    ['failed', broken(12, no)],
    ['stale', stale(12)],
  ])('%s as it left is silent', (_state, lima) => {
    const cart = rolloutScenario({ lima: ready(12), oslo: ready(12) });
    cart.poll({ lima });
    cart.poll({ lima: 'gone' });
    cart.poll({}, { after: DAY });

    expect(cart.poll({ lima }, { after: 5 * DAY })).toEqual([]);
    expect(cart.polls(3)).toEqual([]);
  });

  it('of a workload that has no other location is silent, too', () => {
    for (const lima of [ready(12), stale(12), broken(12, no), suspended(12)]) {
      const cart = rolloutScenario({ lima: ready(12) });
      cart.poll({ lima });
      cart.poll({ lima: 'gone' });

      expect(cart.poll({ lima }, { after: DAY })).toEqual([]);
    }
  });

  it('in other trouble is told', () => {
    const cart = rolloutScenario({ lima: ready(12), oslo: ready(12) });
    cart.poll({ lima: stale(12) });
    cart.poll({ lima: 'gone' });

    expect(cart.poll({ lima: broken(12, no) })).toEqual(['unhealthy in lima']);
  });

  it('that was said to be stale and comes back so is recovered from when it is ready', () => {
    const cart = rolloutScenario({ lima: ready(12), oslo: ready(12) });
    cart.poll({ lima: stale(12) });
    expect(cart.poll({ lima: 'gone' })).toEqual(['recovered in oslo', 'gone in lima']);
    cart.poll({ lima: stale(12) });

    expect(cart.poll({ lima: ready(12) })).toEqual(['recovered/2 in lima']);
  });

  it('is silent also when the others have gone on to the next version meanwhile', () => {
    const cart = rolloutScenario({ lima: ready(12), oslo: ready(12) });
    cart.poll({ lima: stale(12) });
    cart.poll({ lima: 'gone' });
    cart.poll({ oslo: rolling(13) });

    expect(cart.poll({ lima: stale(12) })).toEqual([]);
  });

  it('is over when it is back: the next that leaves is told anew', () => {
    const cart = rolloutScenario({ lima: ready(12), oslo: ready(12) });
    expect(cart.poll({ lima: 'gone' })).toEqual(['gone in lima']);
    cart.poll({ lima: ready(12) });

    expect(cart.poll({ oslo: 'gone' })).toEqual(['gone/2 in oslo']);
  });

  it('later than that its trouble is news', () => {
    const cart = rolloutScenario({ lima: ready(12), oslo: ready(12) });
    cart.poll({ lima: stale(12) });
    cart.poll({ lima: 'gone' });

    expect(cart.poll({ lima: stale(12) }, { after: 7 * DAY })).toEqual(['stale/2 in lima']);
  });

  it('under another version is a rollout like any other', () => {
    const cart = rolloutScenario({ lima: ready(12) });
    cart.poll({ lima: 'gone' });

    expect(cart.poll({ lima: broken(13, no) })).toEqual(['failed in lima']);
  });
});

describe('the same version under another GVC version', () => {
  const reroll = (over: object): Record<string, unknown> =>
    ready(12, { versions: [version(12, { gvc: 5, ...over })] });

  it('is told by the card of the GVC when it is ready, not by the workload', () => {
    const cart = rolloutScenario({ lima: ready(12) });

    expect(cart.poll({ lima: reroll({ ready: false }) })).toEqual([]);
    expect(cart.poll({ lima: reroll({}) })).toEqual([]);
  });

  it('fails as a rollout, and its return is told', () => {
    const cart = rolloutScenario({ lima: ready(12) });
    const versions = [version(12, { gvc: 5, ready: false, message: no })];

    expect(cart.poll({ lima: broken(12, '', { versions }) })).toEqual(['failed in lima']);
    expect(cart.poll({ lima: reroll({}) })).toEqual(['ready in lima']);
  });
});
