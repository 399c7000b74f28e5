import { describe, expect, it } from 'vitest';
import { impactOf, type Impact } from '../../../../src/rollouts/engine/impact.ts';
import * as fc from '../../../support/fast-check.ts';
import { broken, ready, type Json } from '../platform-json.ts';
import { gvcScenario, type Listing } from './gvc-scenario.ts';

type Row = Parameters<typeof impactOf>[0][number];

/** A location that served before and wants three replicas of v12. */
function at(over: Partial<Row> = {}, ready = 0): Row {
  return {
    state: 'failed',
    replicas: { version: 12, ready, wanted: 3 },
    outgoing: null,
    served: true,
    ...over,
  };
}

const READY = at({ state: 'ready' }, 3);
const OLD = { version: 11, ready: 3, wanted: 3 };

describe('users are hurt', () => {
  it.each<[when: string, rows: Row[], on: Impact['on']]>([
    ['nothing serves anywhere', [at(), at(), at()], 'hurt'],
    ['one of three locations still serves', [at(), at(), READY], 'hurt'],
    ['two of three locations still serve', [at(), READY, READY], 'served'],
    ['exactly half of the replicas are ready', [at(), READY], 'served'],
    ['the version before serves in its place', [at({ outgoing: OLD }), at(), READY], 'served'],
    ['more replicas than wanted serve at one location only', [at({}, 9), at(), at()], 'hurt'],
    ['versions before the one before serve, too', [at({ readyBeside: 2 })], 'served'],
  ])('when fewer than half of the wanted replicas are ready: %s', (_, rows, on) => {
    expect(impactOf(rows).on).toBe(on);
  });

  it('not by what was switched off or scaled to zero', () => {
    expect(impactOf([READY, at({ state: 'suspended' }), at({ state: 'idle' })]).on).toBe('served');
  });

  it('not by what never served: nobody misses it', () => {
    const { served: _, ...fresh } = at();
    expect(impactOf([fresh, fresh]).on).toBe('new');
    expect(impactOf([READY, fresh, fresh])).toMatchObject({ on: 'served', full: true });
  });

  it('not by locations that rest at the version before, or where none is wanted', () => {
    const held = at({ outgoing: OLD });
    const resting = at({
      state: 'waiting',
      own: 'idle',
      spec: { version: 11, containers: [['main', 'cart:v11', null, null]], replicas: 0 },
      replicas: { version: 11, ready: 0, wanted: 0 },
    });
    expect(impactOf([held, resting, resting])).toMatchObject({ on: 'served', by: 11, wanted: 3 });
    expect(impactOf([at({ wantsNone: true })]).on).toBe('none');
    expect(impactOf([at({ state: 'suspended' })]).on).toBe('none');
  });

  it('as far as locations report: stale ones are not known', () => {
    const stale = at({ state: 'stale' });
    expect(impactOf([stale, stale]).on).toBe('unknown');
    expect(impactOf([stale, stale, at()]).on).toBe('hurt');
    expect(impactOf([stale, stale, READY])).toMatchObject({ on: 'served', ready: 3, wanted: 3 });
  });

  it('where a location is ready and counts nothing, it serves as much as the others want', () => {
    const uncounted = at({ state: 'ready', replicas: { version: 12, ready: 0, wanted: 0 } });
    expect(impactOf([uncounted, uncounted, at()])).toMatchObject({ ready: 6, wanted: 9 });
  });

  it('what comes up and says nothing of what serves beside it is not known', () => {
    expect(impactOf([at({ state: 'deploying' }), READY])).toMatchObject({ ready: 3, wanted: 3 });
  });
});

describe('what serves', () => {
  it('is one version everywhere, or several', () => {
    const held = at({ outgoing: OLD });
    expect(impactOf([held, held])).toMatchObject({ by: 11, full: true, each: 3 });
    expect(impactOf([held, READY]).by).toBeUndefined();
    expect(impactOf([held])).not.toHaveProperty('each');
  });

  it('is never less hurt for one more replica', () => {
    const count = fc.integer({ min: 0, max: 4 });
    const rows = fc.array(
      count.map((n) => at({}, n)),
      { minLength: 1, maxLength: 6 },
    );
    fc.assert(
      fc.property(rows, fc.nat(), (some, nth) => {
        const more = some.map((row, index) =>
          index === nth % some.length
            ? { ...row, replicas: { ...row.replicas, ready: row.replicas.ready + 1 } }
            : row,
        );
        const [before, after] = [impactOf(some), impactOf(more)];
        expect(after.ready).toBeGreaterThanOrEqual(before.ready);
        expect([before.on, after.on]).not.toEqual(['served', 'hurt']);
      }),
    );
  });
});

describe('a location in trouble', () => {
  const five = (status: Json): Listing =>
    Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [`${name}/lima`, status]));

  it.each<[what: string, first: Listing, serves: string | undefined]>([
    ['what served there, and nothing serves', five(ready(11)), 'nothing'],
    ['what was never seen to serve, so that nobody misses it', { lima: ready(11) }, undefined],
  ])('tells of %s', (_, first, serves) => {
    const gvc = gvcScenario(first);
    gvc.poll(five(broken(12, 'no such image')));

    const [news] = gvc.newsItems();
    const rows = news?.kind === 'location' ? news.rows : [];
    expect(rows.map((row) => row.serves)).toEqual(Array.from({ length: 5 }, () => serves));
  });
});
