import { describe, expect, it } from 'vitest';
import { impactOf, impactWords } from '../../../../src/rollouts/watch/impact.ts';
import type { Location } from '../../../../src/rollouts/watch/location.ts';
import * as fc from '../../../support/fast-check.ts';
import { minute } from './polls.ts';

/** A location of which so many of the wanted replicas serve. */
function serves(have: number, wanted: number, over: Partial<Location> = {}): Location {
  return {
    state: 'ready',
    since: 0,
    version: 12,
    gvc: 4,
    have,
    fresh: have,
    wanted,
    wasReady: true,
    served: true,
    ...over,
  };
}

const aside = (state: Location['state']): Location => serves(0, 0, { state });
const stopped = serves(2, 2, { state: 'unhealthy', stopped: 2 });
const wordsOf = (all: Readonly<Record<string, Location>>): string =>
  impactWords(impactOf(all, minute(0)), (names) => names.join(', '));

/** Design section 4.3, row by row. */
it.each<[string, Readonly<Record<string, Location>>]>([
  ['Nothing to serve', {}],
  ['Nothing to serve', { lima: aside('suspended'), oslo: aside('idle'), kyiv: aside('gone') }],
  ['Never served yet', { lima: serves(0, 2, { served: false }) }],
  ['Unknown', { lima: serves(2, 2, { state: 'stale' }) }],
  ['Unknown', { lima: serves(2, 2, { state: 'unknown' }), oslo: aside('suspended') }],
  ['Outage', { lima: serves(0, 2) }],
  ['Outage', { lima: serves(0, 2), oslo: serves(0, 3) }],
  ['Outage', { lima: serves(0, 2), oslo: serves(2, 2, { state: 'stale' }) }],
  ['Outage', { lima: serves(0, 2), oslo: serves(0, 2, { served: false }) }],
  ['Partial outage (oslo)', { lima: serves(2, 2), oslo: serves(0, 2) }],
  ['Partial outage (oslo)', { lima: serves(2, 2), oslo: serves(1, 3) }],
  ['Partial outage (lima)', { lima: serves(1, 3) }],
  ['Reduced capacity (7 of 9)', { lima: serves(5, 5), oslo: serves(2, 4) }],
  ['Unknown (oslo)', { lima: serves(2, 2), oslo: stopped }],
  ['Reduced capacity (3 of 4)', { lima: serves(1, 2), oslo: stopped }],
  ['No impact', { lima: serves(2, 2), oslo: serves(0, 2, { served: false }) }],
  ['No impact', { lima: serves(9, 2), oslo: serves(0, 0) }],
  ['No impact', { lima: serves(2, 2), oslo: serves(2, 2, { state: 'stale' }) }],
  ['No impact', { lima: serves(2, 10, { wants: [[0, 2]] }) }],
])('%s: %j', (words, locations) => {
  expect(wordsOf(locations)).toBe(words);
});

describe('an impact', () => {
  it('counts young locations as full where it is settled', () => {
    const young = serves(0, 2, { enteredAt: minute(0).now });
    expect(impactOf({ lima: young }, minute(5))).toMatchObject({ level: 3, settled: 0 });
    expect(impactOf({ lima: young }, minute(10))).toMatchObject({ level: 3, settled: 3 });
  });

  it('names the locations that cause it, those that are sick, and those that do not report', () => {
    const all = { lima: serves(0, 2), oslo: serves(1, 2), kyiv: serves(2, 2, { state: 'stale' }) };
    expect(impactOf(all, minute(0))).toMatchObject({
      have: 1,
      wanted: 4,
      worst: ['lima'],
      sick: ['lima', 'oslo'],
      silent: ['kyiv'],
    });
  });

  const anyLocation = fc
    .tuple(fc.nat(4), fc.nat(4), fc.boolean())
    .map(([have, wanted, served]) => serves(have, wanted, { served }));

  it('is never worse for one more replica', () => {
    fc.assert(
      fc.property(fc.array(anyLocation, { minLength: 1, maxLength: 4 }), fc.nat(3), (all, at) => {
        const more = all.map((one, index) =>
          index === at % all.length && one.served ? { ...one, have: one.have + 1 } : one,
        );
        const levels = [all, more].map(
          (some) => impactOf(Object.fromEntries(some.entries()), minute(0)).level,
        );
        expect(levels[1]).toBeLessThanOrEqual(levels[0] ?? 0);
      }),
    );
  });
});
