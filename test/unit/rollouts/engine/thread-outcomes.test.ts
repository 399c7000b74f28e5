import { describe, expect, it } from 'vitest';
import {
  broken,
  container,
  DAY,
  idle,
  MINUTE,
  pending,
  ready,
  rolling,
  stale,
  suspended,
  version,
  type Json,
} from '../platform-json.ts';
import { gvcScenario, outcomes } from './gvc-scenario.ts';
import { rolloutScenario, type RolloutScenario } from './rollout-scenario.ts';

const no = 'no such image';

/** A rollout of version 12 that has come to its end, so that it has a card. */
function inPlace(...locations: string[]): RolloutScenario {
  const all = (status: Json): Record<string, Json> =>
    Object.fromEntries(locations.map((location) => [location, status]));
  const story = rolloutScenario(all(ready(11)));
  story.poll(all(rolling(12)));
  story.poll(all(ready(12)));
  return story;
}

describe('suspended and resumed', () => {
  it('are said once each, and a later suspension is news again', () => {
    const cart = inPlace('lima');

    expect(cart.poll({ lima: suspended(12) })).toEqual(['suspended in lima']);
    expect(cart.polls(3)).toEqual([]);
    expect(cart.poll({ lima: rolling(12) })).toEqual([]);
    expect(cart.poll({ lima: ready(12) })).toEqual(['resumed in lima']);
    expect(cart.poll({ lima: suspended(12) })).toEqual(['suspended/2 in lima']);
    expect(cart.poll({ lima: ready(12) })).toEqual(['resumed/2 in lima']);
  });

  it('of a location that sleeps again while others sleep on begin a new pair of messages', () => {
    const cart = inPlace('lima', 'oslo');
    cart.poll({ lima: suspended(12), oslo: suspended(12) });

    expect(cart.poll({ lima: ready(12) })).toContain('resumed in lima');
    expect(cart.poll({ lima: suspended(12) })).toEqual(['suspended/2 in lima']);
    expect(cart.poll({ oslo: ready(12) })).toContain('resumed/2 in oslo');
    expect(cart.poll({ lima: ready(12) })).toContain('resumed/2 in lima, oslo');
    expect(cart.poll({ oslo: suspended(12) })).toEqual(['suspended/3 in oslo']);
    expect(cart.poll({ oslo: ready(12) })).toContain('resumed/3 in oslo');
  });

  it('of another location are new messages when all had been awake', () => {
    const cart = inPlace('lima', 'oslo');
    cart.poll({ lima: suspended(12) });
    expect(cart.poll({ lima: ready(12) })).toContain('resumed in lima');

    expect(cart.poll({ oslo: suspended(12) })).toEqual(['suspended/2 in oslo']);
    expect(cart.poll({ oslo: ready(12) })).toContain('resumed/2 in oslo');
  });

  it('a later location edits what was said', () => {
    const cart = inPlace('lima', 'oslo');

    expect(cart.poll({ lima: suspended(12) })).toEqual(['suspended in lima']);
    expect(cart.poll({ oslo: suspended(12) })).toEqual(['suspended in lima, oslo']);
    expect(cart.poll({ oslo: ready(12) })).toEqual(['resumed in oslo']);
    expect(cart.poll({ lima: ready(12) })).toEqual(['resumed in lima, oslo']);
    expect(cart.poll({ oslo: suspended(12) })).toEqual(['suspended/2 in oslo']);
  });

  it('one location again while others sleep on is news, and so is whoever resumes then', () => {
    const cart = inPlace('lima', 'oslo', 'rome');
    cart.poll({ lima: suspended(12), oslo: suspended(12), rome: suspended(12) });
    cart.poll({ lima: ready(12) });

    expect(cart.poll({ lima: suspended(12) })).toEqual(['suspended/2 in lima']);
    expect(cart.poll({ oslo: ready(12) })).toEqual(['resumed/2 in oslo']);
    expect(cart.poll({ lima: ready(12) })).toEqual(['resumed/2 in lima, oslo']);
  });

  it('what was never ready in between is still the same suspension', () => {
    const cart = inPlace('lima');
    cart.poll({ lima: suspended(12) });

    expect(cart.poll({ lima: idle(12) })).toEqual([]);
    expect(cart.poll({ lima: suspended(12) })).toEqual([]);
  });

  it('what was found suspended is resumed, and over a rollout it stays suspended', () => {
    const cart = rolloutScenario({ lima: suspended(11), oslo: ready(11) });

    expect(cart.poll({ oslo: rolling(12) })).toEqual([]);
    expect(cart.poll({ lima: suspended(12) })).toEqual([]);
    expect(cart.poll({ lima: ready(12) })).toEqual(['resumed in lima']);
  });

  it('who sleeps until the next version comes up resumes with it', () => {
    const cart = rolloutScenario({ lima: suspended(11), oslo: ready(11) });
    cart.poll({ lima: rolling(12), oslo: rolling(12) });

    expect(cart.poll({ lima: ready(12) })).toEqual(['resumed in lima']);
  });

  it('what is told to be ready or recovered is not told to have resumed, too', () => {
    const cart = rolloutScenario({ lima: ready(11), oslo: ready(11) });
    cart.poll({ lima: suspended(12), oslo: rolling(12) });
    expect(cart.poll({ lima: ready(12), oslo: ready(12) })).toEqual(['ready in lima, oslo']);

    cart.poll({ lima: suspended(12), oslo: broken(12, no) });
    expect(cart.poll({ lima: ready(12), oslo: ready(12) })).toEqual(['recovered in oslo']);
    expect(cart.poll({ lima: suspended(12) })).toEqual(['suspended/3 in lima']);
    expect(cart.poll({ lima: ready(12) })).toEqual(['resumed in lima']);
  });

  it('a location that is new and suspended is no news', () => {
    expect(inPlace('lima').poll({ oslo: suspended(12) })).toEqual([]);
  });

  it('without a card nobody is told, and the first that is told has the first number', () => {
    const cart = rolloutScenario({ lima: ready(12), oslo: ready(12) });

    expect(cart.poll({ lima: suspended(12) })).toEqual([]);
    expect(cart.poll({ lima: ready(12) })).toEqual([]);
    expect(cart.poll({ oslo: broken(12, no) })).toEqual(['unhealthy in oslo']);
    expect(cart.poll({ lima: suspended(12) })).toEqual(['suspended in lima']);
  });

  it('one that comes with the outcome that opens the card is said in its thread', () => {
    const cart = rolloutScenario({ lima: ready(12), oslo: ready(12) });

    expect(cart.poll({ lima: suspended(12), oslo: broken(12, no) })).toEqual([
      'unhealthy in oslo',
      'suspended in lima',
    ]);
  });
});

describe('diverged', () => {
  const diverged = ready(12, { lastProcessedVersion: 13 });

  it('is said when it has lasted ten minutes', () => {
    const cart = inPlace('lima', 'oslo');

    expect(cart.poll({ lima: diverged })).toEqual([]);
    expect(cart.poll({}, { after: 10 * MINUTE - 1 })).toEqual([]);
    expect(cart.poll({}, { after: 1 })).toEqual(['diverged in lima']);
    expect(cart.poll({ oslo: diverged }, { after: MINUTE })).toEqual([]);
    expect(cart.poll({}, { after: 10 * MINUTE })).toEqual(['diverged in lima, oslo']);
    expect(cart.poll({ lima: ready(12), oslo: ready(12) })).toEqual([]);
    cart.poll({ lima: diverged });
    expect(cart.poll({}, { after: 10 * MINUTE })).toEqual(['diverged/2 in lima']);
  });

  it('counts from the time at which it began to diverge, not from the loss', () => {
    const cart = inPlace('lima');
    cart.poll({ lima: rolling(12) });
    cart.poll({ lima: diverged }, { after: 9 * MINUTE });

    expect(cart.poll({}, { after: 10 * MINUTE - 1 })).toEqual([]);
    expect(cart.poll({}, { after: 1 })).toEqual(['diverged in lima']);
  });

  it('that was found so is known', () => {
    const cart = rolloutScenario({ lima: diverged, oslo: ready(12) });
    cart.poll({ oslo: broken(12, no) });

    expect(cart.poll({}, { after: 20 * MINUTE })).toEqual([]);
  });
});

describe('lagging', () => {
  it('is said of a location that the change has not reached for ten minutes', () => {
    const cart = rolloutScenario({ lima: ready(11), oslo: ready(11), rome: ready(11) });
    cart.poll({ lima: rolling(12) });
    cart.poll({ lima: ready(12) });

    expect(cart.poll({ oslo: pending(12) }, { after: 9 * MINUTE })).toEqual([]);
    expect(cart.poll({}, { after: MINUTE })).toEqual(['lagging in oslo, rome']);
    expect(cart.polls(3)).toEqual([]);
    expect(cart.poll({ oslo: ready(12), rome: ready(12) })).toEqual(['ready in lima, oslo, rome']);
  });

  it('is not said of a location that the last list lacked, nor while nothing is listed', () => {
    const gvc = gvcScenario({ lima: ready(11), oslo: ready(11) });
    gvc.poll({ lima: ready(12), oslo: rolling(12) });
    expect(gvc.poll({ oslo: 'absent' }, { after: 10 * MINUTE })).toEqual([]);
    expect(outcomes(gvc.poll({ oslo: rolling(12) }))).toEqual(['cart/12/lagging in oslo']);

    const bare = gvcScenario({ lima: ready(11) });
    bare.poll({ lima: rolling(12) });
    bare.poll({ lima: 'absent' }, { after: 9 * MINUTE });
    expect(bare.poll({}, { after: 10 * MINUTE })).toEqual([]);
    expect(outcomes(bare.poll())).toEqual([]);
  });

  it('counts from the loss where it was ready before, and each episode is news', () => {
    const cart = inPlace('lima', 'oslo');
    cart.poll({ lima: rolling(12) }, { after: DAY });

    expect(cart.poll({ oslo: rolling(12) }, { after: 9 * MINUTE })).toEqual([]);
    expect(cart.poll({}, { after: MINUTE })).toEqual(['lagging in lima']);
    expect(cart.poll({}, { after: 9 * MINUTE })).toEqual(['lagging/2 in lima, oslo']);
    cart.poll({ lima: ready(12), oslo: ready(12) });
    cart.poll({ lima: rolling(12) });
    expect(cart.poll({}, { after: 10 * MINUTE })).toEqual(['lagging/3 in lima']);
  });

  it.each([
    ['failed', broken(12, no)],
    ['stale', stale(12)],
    ['diverged', ready(12, { lastProcessedVersion: 13 })],
  ])('is not said while a location is %s, but as soon as it is not', (state, oslo) => {
    const cart = rolloutScenario({ lima: ready(11), oslo: ready(11) });
    cart.poll({ lima: rolling(12), oslo });

    expect(cart.poll({}, { after: 11 * MINUTE })).toEqual(
      state === 'diverged' ? ['diverged in oslo'] : [],
    );
    expect(cart.poll({ oslo: ready(12) })).toEqual(['lagging in lima']);
  });
});

describe('a crash loop', () => {
  const restarts = (count: number): Json =>
    ready(12, {
      versions: [version(12, { containers: { main: container({ restarts: { count } }) } })],
    });
  const cart = (): RolloutScenario => {
    const story = inPlace('lima', 'oslo');
    story.poll({ lima: restarts(0), oslo: restarts(0) });
    return story;
  };

  it('is three polls within ten minutes in which the count rose, also while it is ready', () => {
    const story = cart();

    expect(story.poll({ lima: restarts(1) })).toEqual([]);
    expect(story.poll({ lima: restarts(2) }, { after: 5 * MINUTE })).toEqual([]);
    expect(story.poll({ lima: restarts(3) }, { after: 5 * MINUTE })).toEqual(['crashloop in lima']);
    expect(story.poll({ lima: restarts(9) }, { after: 5 * MINUTE })).toEqual([]);
    expect(story.polls(3)).toEqual([]);
  });

  it('needs three polls, not three restarts, and none is counted that is older', () => {
    const story = cart();

    expect(story.poll({ lima: restarts(7) })).toEqual([]);
    expect(story.poll({ lima: restarts(8) }, { after: 6 * MINUTE })).toEqual([]);
    expect(story.poll({ lima: restarts(9) }, { after: 6 * MINUTE })).toEqual([]);
    expect(story.poll({ lima: restarts(10) }, { after: 3 * MINUTE })).toEqual([
      'crashloop in lima',
    ]);
  });

  it('in a later location edits what was said while it goes on at one of the others', () => {
    const story = inPlace('lima', 'oslo', 'rome');
    story.poll({ lima: restarts(0), oslo: restarts(0), rome: restarts(0) });
    for (const count of [1, 2, 3]) story.poll({ lima: restarts(count), oslo: restarts(count) });
    story.poll({ oslo: restarts(4) }, { after: 59 * MINUTE });
    story.poll({ rome: restarts(1) }, { after: 2 * MINUTE });
    story.poll({ rome: restarts(2) });

    expect(story.poll({ rome: restarts(3) })).toEqual(['crashloop in lima, oslo, rome']);
  });

  it('in a later location edits what was said, unless that is over', () => {
    const story = cart();
    for (const count of [1, 2]) story.poll({ lima: restarts(count), oslo: restarts(count) });

    expect(story.poll({ lima: restarts(3) })).toEqual(['crashloop in lima']);
    expect(story.poll({ oslo: restarts(3) })).toEqual(['crashloop in lima, oslo']);
    const late = cart();
    for (const count of [1, 2, 3]) late.poll({ lima: restarts(count) });
    late.poll({}, { after: 60 * MINUTE });
    for (const count of [1, 2]) late.poll({ oslo: restarts(count) });
    expect(late.poll({ oslo: restarts(3) })).toEqual(['crashloop/2 in oslo']);
    expect(late.polls(3)).toEqual([]);
  });

  it('is news again after an hour without a restart', () => {
    const story = cart();
    for (const count of [1, 2, 3]) story.poll({ lima: restarts(count) });

    story.poll({ lima: restarts(4) }, { after: 59 * MINUTE });
    for (const count of [5, 6]) expect(story.poll({ lima: restarts(count) })).toEqual([]);
    story.poll({ lima: restarts(7) }, { after: 60 * MINUTE });
    expect(story.poll({ lima: restarts(8) })).toEqual([]);
    expect(story.poll({ lima: restarts(9) })).toEqual(['crashloop/2 in lima']);
  });

  it('does not count replicas that start anew, nor polls that say nothing of restarts', () => {
    const story = cart();

    for (const status of [restarts(5), rolling(11), restarts(5), ready(12, { versions: [] })]) {
      expect(story.poll({ oslo: status })).toEqual([]);
    }
    expect(story.poll({ oslo: restarts(5) })).toEqual([]);
    expect(story.poll({ oslo: restarts(0) })).toEqual([]);
  });
});
