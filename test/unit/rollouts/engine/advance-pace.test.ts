import { describe, expect, it } from 'vitest';
import { advance, EMPTY_STATE } from '../../../../src/rollouts/engine/advance.ts';
import type { RecordList } from '../../../../src/rollouts/engine/facts.ts';
import type { Settled } from '../../../../src/rollouts/engine/list-memory.ts';
import {
  broken,
  cron,
  idle,
  MINUTE,
  NOON,
  ready,
  rolling,
  SECOND,
  suspended,
  version,
} from '../platform-json.ts';
import { gvcScenario, outcomes, sightings } from './gvc-scenario.ts';

const no = 'no such image';

describe('the pace', () => {
  it('is fast while something moves, starts or fails, and slow at rest', () => {
    const gvc = gvcScenario({ lima: ready(11) });

    expect(gvc.active()).toBe(false);
    gvc.poll({ lima: rolling(12) });
    expect(gvc.active()).toBe(true);
    gvc.poll({ lima: ready(12) });
    expect(gvc.active()).toBe(false);
    gvc.poll({ lima: broken(12, 'probe failed') });
    expect(gvc.active()).toBe(true);
    gvc.poll({ lima: suspended(12) });
    expect(gvc.active()).toBe(false);
    gvc.poll({ lima: ready(12, { desiredScale: 9 }) });
    expect(gvc.active()).toBe(false);
    gvc.poll({ lima: ready(12, { desiredScale: 12 }) });
    expect(gvc.active()).toBe(true);
  });

  it('is fast while a record is missing for the first time, and slow once it is gone', () => {
    const gvc = gvcScenario({ lima: ready(11), oslo: idle(11) });
    gvc.poll({ oslo: broken(11) });
    expect(gvc.state().records['cart/oslo']?.state).toBe('deploying');

    gvc.poll({ oslo: 'absent' });
    expect(gvc.active()).toBe(true);
    gvc.poll();
    expect(gvc.active()).toBe(false);
  });

  it('is fast for a ready record that a list lacks', () => {
    const gvc = gvcScenario({ lima: ready(11), oslo: ready(11) });
    gvc.poll({ oslo: 'absent' });

    expect(gvc.active()).toBe(true);
  });

  it('is slow for what was found out to be suspended or scaled to zero', () => {
    for (const status of [suspended(11), idle(11)]) {
      const gvc = gvcScenario({ lima: undefined });
      gvc.poll({ lima: status });

      expect(gvc.active()).toBe(false);
    }
  });

  it('is slow for what has become a cron workload while it was rolling out', () => {
    const gvc = gvcScenario({ lima: ready(11) });
    gvc.poll({ lima: rolling(12) });
    expect(gvc.active()).toBe(true);

    gvc.poll({ lima: cron(12) });
    gvc.poll({}, { after: 24 * 60 * MINUTE });

    expect(gvc.active()).toBe(false);
  });

  it('is slow for what has not moved for an hour', () => {
    const gvc = gvcScenario({ lima: ready(11) });
    gvc.poll({ lima: broken(12, no) });
    gvc.poll({}, { after: 61 * MINUTE });

    expect(gvc.active()).toBe(false);
  });

  it('is fast until what was not ready once is confirmed or not', () => {
    const gvc = gvcScenario({ lima: ready(11) });
    gvc.poll({ lima: broken(11) });
    expect(outcomes(gvc.poll({ lima: ready(11) }))).toEqual([]);
    expect(gvc.active()).toBe(false);

    gvc.poll({ lima: broken(11) });
    expect(gvc.active()).toBe(true);
  });

  it('is fast while a version has not reached a location that has been ready for long', () => {
    const gvc = gvcScenario({ lima: ready(11), oslo: ready(11) });
    gvc.poll({ lima: ready(12) }, { after: 5 * 60 * MINUTE });
    expect(gvc.active()).toBe(true);

    gvc.poll({}, { after: 61 * MINUTE });
    expect(gvc.active()).toBe(false);
  });

  it('is fast for an hour while the GVC itself is rolled out', () => {
    const gvc = gvcScenario({ 'a/lima': ready(1), 'b/lima': ready(1) });
    gvc.poll({ 'a/lima': ready(1, { versions: [version(1, { gvc: 5 })] }) });
    expect(gvc.active()).toBe(true);
    gvc.poll({}, { after: 10 * MINUTE });
    expect(gvc.active()).toBe(false);
  });

  it('is fast in the minute before time alone has something to tell', () => {
    const gvc = gvcScenario({ lima: ready(11) });
    for (const status of [broken(11, no), ready(11), broken(11, no), ready(11)]) {
      gvc.poll({ lima: status });
    }
    expect(gvc.active()).toBe(false);

    gvc.poll({}, { after: 9 * MINUTE });
    expect(gvc.active()).toBe(true);
    expect(outcomes(gvc.poll({}, { after: MINUTE }))[0]).toMatch(/^cart\/11\/flapping /);
    expect(gvc.active()).toBe(false);
  });
});

describe('a poll that changes nothing', () => {
  const listing = { lima: ready(11), oslo: idle(11), 'web/lima': broken(3, no) };

  /** What may not be read again. */
  function sealed(list: RecordList): RecordList {
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
    expect(again.rollouts).toBe(state.rollouts);
    expect(again.gvcLevel).toBe(state.gvcLevel);
  });

  it('reads nothing again once the same prints came twice', () => {
    const settled: Settled = new Map();
    const list = sightings(listing, 0, { prints: true });
    const first = advance(EMPTY_STATE, list, NOON, settled);
    const second = advance(first.state, list, NOON + SECOND, settled);
    const third = advance(second.state, sealed(list), NOON + 2 * SECOND, settled);

    expect(third).toEqual({ ...second, rolloutNotices: [], notices: [] });
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

    expect(next.rollouts['web']).toBe(state.rollouts['web']);
    expect(next.records['cart/oslo']).toBe(state.records['cart/oslo']);
    expect(next.rollouts['cart']).not.toBe(state.rollouts['cart']);
  });
});
