import { describe, expect, it } from 'vitest';
import { EMPTY_STATE, advance } from '../../../src/rollouts/engine/advance.ts';
import type { Settled, Sightings } from '../../../src/rollouts/engine/sighting.ts';
import { gvcStory, outcomes, sightings } from './gvc-story.ts';
import {
  MINUTE,
  NOON,
  SECOND,
  broken,
  idle,
  ready,
  rolling,
  suspended,
  version,
} from './platform-json.ts';

const no = 'no such image';

describe('the pace', () => {
  it('is fast while something moves, starts or fails, and slow at rest', () => {
    const gvc = gvcStory({ lima: ready(11) });

    expect(gvc.moving()).toBe(false);
    gvc.poll({ lima: rolling(12) });
    expect(gvc.moving()).toBe(true);
    gvc.poll({ lima: ready(12) });
    expect(gvc.moving()).toBe(false);
    gvc.poll({ lima: broken(12, 'probe failed') });
    expect(gvc.moving()).toBe(true);
    gvc.poll({ lima: suspended(12) });
    expect(gvc.moving()).toBe(false);
    gvc.poll({ lima: ready(12, { desiredScale: 9 }) });
    expect(gvc.moving()).toBe(false);
    gvc.poll({ lima: ready(12, { desiredScale: 12 }) });
    expect(gvc.moving()).toBe(true);
  });

  it('is fast while a record is missing for the first time, and slow once it is gone', () => {
    const gvc = gvcStory({ lima: ready(11), oslo: idle(11) });
    gvc.poll({ oslo: broken(11) });
    expect(gvc.state().records['cart/oslo']?.state).toBe('deploying');

    gvc.poll({ oslo: 'absent' });
    expect(gvc.moving()).toBe(true);
    gvc.poll();
    expect(gvc.moving()).toBe(false);
  });

  it('is fast for a ready record that a list lacks', () => {
    const gvc = gvcStory({ lima: ready(11), oslo: ready(11) });
    gvc.poll({ oslo: 'absent' });

    expect(gvc.moving()).toBe(true);
  });

  it('is slow for what was found out to be suspended or scaled to zero', () => {
    for (const status of [suspended(11), idle(11)]) {
      const gvc = gvcStory({ lima: undefined });
      gvc.poll({ lima: status });

      expect(gvc.moving()).toBe(false);
    }
  });

  it('is slow for what has not moved for an hour', () => {
    const gvc = gvcStory({ lima: ready(11) });
    gvc.poll({ lima: broken(12, no) });
    gvc.poll({}, { after: 61 * MINUTE });

    expect(gvc.moving()).toBe(false);
  });

  it('is fast until what was not ready once is confirmed or not', () => {
    const gvc = gvcStory({ lima: ready(11) });
    gvc.poll({ lima: broken(11) });
    expect(outcomes(gvc.poll({ lima: ready(11) }))).toEqual([]);
    expect(gvc.moving()).toBe(false);

    gvc.poll({ lima: broken(11) });
    expect(gvc.moving()).toBe(true);
  });

  it('is fast while a version has not reached a location that has been ready for long', () => {
    const gvc = gvcStory({ lima: ready(11), oslo: ready(11) });
    gvc.poll({ lima: ready(12) }, { after: 5 * 60 * MINUTE });
    expect(gvc.moving()).toBe(true);

    gvc.poll({}, { after: 61 * MINUTE });
    expect(gvc.moving()).toBe(false);
  });

  it('is fast for an hour while the GVC itself is rolled out', () => {
    const gvc = gvcStory({ 'a/lima': ready(1), 'b/lima': ready(1) });
    gvc.poll({ 'a/lima': ready(1, { versions: [version(1, { gvc: 5 })] }) });
    expect(gvc.moving()).toBe(true);
    gvc.poll({}, { after: 10 * MINUTE });
    expect(gvc.moving()).toBe(false);
  });

  it('is fast in the minute before time alone has something to tell', () => {
    const gvc = gvcStory({ lima: ready(11) });
    for (const status of [broken(11, no), ready(11), broken(11, no), ready(11)]) {
      gvc.poll({ lima: status });
    }
    expect(gvc.moving()).toBe(false);

    gvc.poll({}, { after: 9 * MINUTE });
    expect(gvc.moving()).toBe(true);
    expect(outcomes(gvc.poll({}, { after: MINUTE }))[0]).toMatch(/^cart\/11\/flapping /);
    expect(gvc.moving()).toBe(false);
  });
});

describe('a poll that changes nothing', () => {
  const listing = { lima: ready(11), oslo: idle(11), 'web/lima': broken(3, no) };

  /** What may not be read again. */
  function sealed(list: Sightings): Sightings {
    const facts = (): never => {
      throw new Error('these facts were read before');
    };
    return { ...list, seen: list.seen.map((one) => ({ ...one, facts })) };
  }

  it('keeps every object of the state', () => {
    const list = sightings(listing);
    const { state } = advance(EMPTY_STATE, list, NOON);
    const again = advance(state, list, NOON + SECOND).state;

    expect(again.meta).toBe(state.meta);
    expect(again.records).toBe(state.records);
    expect(again.tracks).toBe(state.tracks);
    expect(again.wide).toBe(state.wide);
  });

  it('reads nothing again once the same prints came twice', () => {
    const settled: Settled = new Map();
    const list = sightings(listing, 0, { prints: true });
    const first = advance(EMPTY_STATE, list, NOON, settled);
    const second = advance(first.state, list, NOON + SECOND, settled);
    const third = advance(second.state, sealed(list), NOON + 2 * SECOND, settled);

    expect(third).toEqual({ ...second, tellings: [], news: [] });
    expect(settled.size).toBe(3);
  });

  it('reads what has another print, no print, or another memory than the one that is known', () => {
    const settled: Settled = new Map();
    const list = sightings(listing, 0, { prints: true });
    const first = advance(EMPTY_STATE, list, NOON, settled);
    const { state } = advance(first.state, list, NOON + SECOND, settled);
    const other = sightings({ ...listing, lima: ready(12) }, 0, { prints: true });
    const foreign = { ...state, records: structuredClone(state.records) };

    for (const [before, next] of [
      [state, other],
      [state, sightings(listing)],
      [foreign, list],
    ] as const) {
      expect(() => advance(before, sealed(next), NOON + MINUTE, settled)).toThrow('read before');
    }
  });

  it('forgets what it need not read when the record is lacking', () => {
    const settled: Settled = new Map();
    const list = sightings(listing, 0, { prints: true });
    const first = advance(EMPTY_STATE, list, NOON, settled);
    const { state } = advance(first.state, list, NOON + SECOND, settled);
    advance(state, { ...list, seen: list.seen.slice(1) }, NOON + MINUTE, settled);

    expect([...settled.keys()].sort()).toEqual(['cart/oslo', 'web/lima']);
  });

  it('changes one workload and leaves the others what they are', () => {
    const { state } = advance(EMPTY_STATE, sightings(listing), NOON);
    const next = advance(state, sightings({ ...listing, lima: rolling(12) }), NOON + SECOND).state;

    expect(next.tracks['web']).toBe(state.tracks['web']);
    expect(next.records['cart/oslo']).toBe(state.records['cart/oslo']);
    expect(next.tracks['cart']).not.toBe(state.tracks['cart']);
  });
});
