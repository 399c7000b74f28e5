import { describe, expect, it } from 'vitest';
import { advance, EMPTY_STATE, type Advance } from '../../../../src/rollouts/engine/advance.ts';
import { broken, DAY, NOON, ready, rolling, SECOND, version } from '../platform-json.ts';
import { line, newsLines, outcomes, sightings, type Listing } from './gvc-scenario.ts';

const no = 'no such image';

interface Life {
  poll(changes: Listing, options?: { after?: number }): string[];
  news(): string[];
  /** Nobody watches the GVC any more, and then somebody does: what has numbers has been kept. */
  rewatch(listing: Listing): string[];
  rollouts(): string[];
}

/** A GVC that is watched, left alone, and watched again. */
function lifeOf(first: Listing): Life {
  let now = NOON;
  let listing = first;
  let step: Advance = advance(EMPTY_STATE, sightings(first), now);
  const next = (state: Advance['state'], after: number): string[] => {
    now += after;
    step = advance(state, sightings(listing), now);
    return step.rolloutNotices.map(line);
  };
  return {
    poll(changes, { after = 10 * SECOND } = {}) {
      listing = { ...listing, ...changes };
      return next(step.state, after);
    },
    news: () => step.notices.flatMap(newsLines),
    rewatch(found) {
      listing = found;
      return next({ ...step.state, meta: undefined, records: {} }, DAY);
    },
    rollouts: () => Object.keys(step.state.rollouts),
  };
}

describe('a GVC that is watched again', () => {
  it('uses no key again of a workload that the first list could not read', () => {
    const life = lifeOf({ 'cart/lima': ready(1), 'web/lima': ready(1) });
    expect(outcomes(life.poll({ 'cart/lima': broken(1, no) }))).toEqual([
      'cart/1/unhealthy in lima',
    ]);

    expect(life.rewatch({ 'web/lima': ready(1), 'cart/lima': 'unreadable' })).toEqual([]);
    expect(life.poll({ 'cart/lima': ready(1) })).toEqual([]);
    expect(outcomes(life.poll({ 'cart/lima': broken(1, no) }))).toEqual([
      'cart/1/unhealthy/2 in lima',
    ]);
  });

  it('nor of one that it lacks, which is new when it comes', () => {
    const life = lifeOf({ 'web/lima': ready(1) });
    expect(life.poll({ 'cart/lima': ready(1) })).toContain('open cart/1/card: ready');

    expect(life.rewatch({ 'web/lima': ready(1) })).toEqual([]);
    expect(life.poll({ 'cart/lima': ready(1) })).toEqual([
      'open cart/1/card/2: ready',
      'cart/1/ready/2 in lima',
    ]);
  });

  it('keeps what has numbers for as long as messages can be edited, and not longer', () => {
    const life = lifeOf({ 'cart/lima': ready(1), 'web/lima': ready(1) });
    life.rewatch({ 'web/lima': ready(1) });

    life.poll({}, { after: 44 * DAY });
    expect(life.rollouts()).toEqual(['cart', 'web']);
    life.poll({}, { after: DAY });
    expect(life.rollouts()).toEqual(['web']);
  });

  it('follows the rollout of the GVC no more, and tells nothing twice about a location', () => {
    const all = (status: Listing[string]): Listing =>
      Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [`${name}/lima`, status]));
    const life = lifeOf(all(ready(1)));
    life.poll(all(broken(1, no)));
    life.poll(all(ready(1)));
    life.poll({ 'a/lima': rolling(1, { versions: [version(1, { gvc: 5, ready: false })] }) });
    expect(life.news()).toContain(
      'open @gvc/5/card, a deploying 2/2, b waiting 0/2, c waiting 0/2, d waiting 0/2, e waiting 0/2',
    );

    const under = ready(1, { versions: [version(1, { gvc: 5 })] });
    life.rewatch(all(under));
    life.poll(all(under));
    expect(life.news()).toEqual([]);
    life.poll(
      all(broken(1, no, { versions: [version(1, { gvc: 5, ready: false, message: no })] })),
    );
    expect(life.news()).toEqual([expect.stringMatching(/^open @location\/lima\/unhealthy\/2:/)]);
  });
});

describe('versions that begin anew', () => {
  it('use no key again, however many there were', () => {
    const life = lifeOf({ 'web/lima': ready(1) });
    const first = [1, 2, 3].flatMap((one) => life.poll({ 'cart/lima': ready(one) }));
    for (let one = 4; one <= 60; one += 1) life.poll({ 'cart/lima': ready(one) });
    const again = [1, 2, 3].flatMap((one) => {
      life.poll({ 'cart/lima': 'absent' });
      life.poll({});
      return life.poll({ 'cart/lima': ready(one) });
    });

    expect(outcomes(first)).toEqual([1, 2, 3].map((one) => `cart/${one}/ready in lima`));
    expect(outcomes(again)).toEqual([1, 2, 3].map((one) => `cart/${one}/ready/2 in lima`));
    expect(again.filter((text) => text.startsWith('open'))).toEqual(
      [1, 2, 3].map((one) => `open cart/${one}/card/2: ready`),
    );
    expect(outcomes(life.poll({ 'cart/lima': ready(61) }))).toEqual(['cart/61/ready in lima']);
  });
});
