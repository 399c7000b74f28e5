import { describe, expect, it } from 'vitest';
import { advance, EMPTY_STATE } from '../../../../src/rollouts/engine/advance.ts';
import {
  broken,
  cron,
  DAY,
  idle,
  MINUTE,
  NOON,
  pending,
  ready,
  rolling,
  stale,
  suspended,
} from '../platform-json.ts';
import { gvcScenario, outcomes, sightings } from './gvc-scenario.ts';

const no = 'no such image';

describe('the first poll of a GVC', () => {
  it('takes every state in silence and goes on in silence while nothing changes', () => {
    const gvc = gvcScenario({
      'a/lima': ready(3),
      'b/lima': broken(3, no),
      'c/lima': rolling(3),
      'd/lima': pending(3),
      'e/lima': stale(3),
      'f/lima': suspended(3),
      'g/lima': idle(3),
      'h/lima': cron(3),
      'i/lima': undefined,
      'j/lima': ready(3, { lastProcessedVersion: 4 }),
    });

    expect(gvc.poll()).toEqual([]);
    expect(gvc.poll({}, { after: 20 * MINUTE })).toEqual([]);
  });

  it('may find nothing: the first workload is new then', () => {
    const gvc = gvcScenario({});

    expect(gvc.poll({}, { after: 30 * MINUTE })).toEqual([]);
    expect(gvc.poll({ lima: rolling(1) })).toEqual(['open cart/1/card']);
  });

  it('is remembered by its time', () => {
    expect(advance(EMPTY_STATE, sightings({}), NOON).state.meta).toEqual({
      adoptedAt: NOON,
      emptySince: null,
    });
  });
});

describe('records that a list lacks', () => {
  it('are gone after two complete lists, not after one', () => {
    const gvc = gvcScenario({ lima: ready(11), oslo: ready(11) });
    gvc.poll({ oslo: rolling(12), lima: rolling(12) });
    gvc.poll({ lima: ready(12) });

    expect(gvc.poll({ oslo: 'absent' })).toEqual([]);
    expect(gvc.state().records['cart/oslo']).toMatchObject({ state: 'deploying', missing: 1 });
    expect(gvc.active()).toBe(true);
    expect(gvc.poll()).toEqual([
      'open cart/12/card: ready',
      'cart/12/ready in lima',
      'cart/12/gone in oslo',
    ]);
    expect(gvc.state().records['cart/oslo']?.state).toBe('gone');
  });

  it('are lacking, too, when as many have come', () => {
    const gvc = gvcScenario({ lima: ready(11), oslo: ready(11) });
    gvc.poll({ oslo: 'absent', rome: ready(11) });
    gvc.poll();

    expect(gvc.state().records['cart/oslo']?.state).toBe('gone');
  });

  it('have to be lacking twice in a row', () => {
    const gvc = gvcScenario({ lima: ready(11), oslo: ready(11) });

    for (const back of [ready(11), 'unreadable'] as const) {
      gvc.poll({ oslo: 'absent' });
      gvc.poll({ oslo: back });
      gvc.poll({ oslo: 'absent' });

      expect(gvc.state().records['cart/oslo']?.state).toBe('ready');
      gvc.poll({ oslo: ready(11) });
    }
  });

  it('are there while they cannot be read, for as long as that lasts', () => {
    const gvc = gvcScenario({ lima: ready(11), oslo: ready(11) });

    for (let poll = 0; poll < 5; poll += 1) expect(gvc.poll({ oslo: 'unreadable' })).toEqual([]);
    expect(gvc.state().records['cart/oslo']?.state).toBe('ready');
  });

  it('may be the items that could not be told apart: such a list proves nothing', () => {
    const gvc = gvcScenario({ lima: ready(11), oslo: ready(11) });

    for (let poll = 0; poll < 5; poll += 1) gvc.poll({ oslo: 'absent' }, { unidentified: 1 });
    expect(gvc.state().records['cart/oslo']).toMatchObject({ state: 'ready', missing: 0 });
  });

  it('come back in silence within seven days', () => {
    const gvc = gvcScenario({ lima: ready(11), oslo: ready(11) });
    gvc.poll({ oslo: 'absent' });
    gvc.poll();

    expect(gvc.poll({ oslo: ready(11) }, { after: 6 * DAY })).toEqual([]);
    expect(gvc.state().records['cart/oslo']?.state).toBe('ready');
  });

  it('a whole workload that comes back is no news either, another version of it is', () => {
    const gvc = gvcScenario({ 'web/lima': ready(3), lima: ready(11) });
    gvc.poll({ lima: 'absent' });
    gvc.poll();

    expect(gvc.poll({ lima: ready(11) }, { after: DAY })).toEqual(['edit cart/11/card: ready']);
    gvc.poll({ lima: 'absent' });
    gvc.poll();
    expect(gvc.poll({ lima: rolling(12) }, { after: DAY })).toEqual(['open cart/12/card']);
  });

  it('that come back sick are told: of what was ready within seven days, of what is new later', () => {
    for (const [after, kind] of [
      [6 * DAY, 'unhealthy'],
      [7 * DAY, 'failed'],
    ] as const) {
      const gvc = gvcScenario({ lima: ready(11), oslo: ready(11) });
      gvc.poll({ oslo: 'absent' });
      gvc.poll();

      expect(outcomes(gvc.poll({ oslo: broken(11, 'probe failed') }, { after }))).toEqual([
        `cart/11/${kind} in oslo`,
      ]);
    }
  });

  it('that come back starting have the time to start', () => {
    const gvc = gvcScenario({ lima: ready(11), oslo: ready(11) });
    gvc.poll({ oslo: 'absent' });
    gvc.poll();

    expect(outcomes(gvc.poll({ oslo: broken(11) }))).toEqual([]);
    expect(outcomes(gvc.poll())).toEqual([]);
    expect(gvc.state().records['cart/oslo']?.state).toBe('deploying');
  });

  it('are forgotten with their rollout when no message of it can be edited any more', () => {
    const gvc = gvcScenario({ 'web/lima': ready(3), lima: ready(11) });
    gvc.poll({ lima: 'absent' });
    gvc.poll();

    gvc.poll({}, { after: 44 * DAY });
    expect(Object.keys(gvc.state().rollouts)).toContain('cart');
    gvc.poll({}, { after: 2 * DAY });
    expect(Object.keys(gvc.state().rollouts)).toEqual(['web']);
    expect(Object.keys(gvc.state().records)).toEqual(['web/lima']);
  });

  it('a location that left before a version came is no part of its card', () => {
    const gvc = gvcScenario({ lima: ready(11), oslo: ready(11) });
    gvc.poll({ oslo: 'absent' });
    gvc.poll();
    gvc.poll({ lima: rolling(12) });

    expect(gvc.told()[0]?.rows.map((row) => row.location)).toEqual(['lima']);
  });

  it('a location that leaves while the card is open stays on it as gone', () => {
    const gvc = gvcScenario({ lima: ready(11), oslo: ready(11) });
    gvc.poll({ lima: rolling(12), oslo: rolling(12) });
    gvc.poll({ oslo: 'absent' });
    gvc.poll();

    expect(gvc.told()[0]?.rows.map((row) => row.state)).toEqual(['deploying', 'gone']);
  });
});

describe('a list that is suddenly empty', () => {
  const nothing = { lima: 'absent', oslo: 'absent' } as const;

  it('changes nothing, however long it lasts', () => {
    const gvc = gvcScenario({ lima: ready(11), oslo: ready(11) });
    gvc.poll({ lima: rolling(12) });
    const before = gvc.state();

    expect(gvc.poll(nothing)).toEqual([]);
    expect(gvc.poll({}, { after: 9 * MINUTE })).toEqual([]);
    expect(gvc.active()).toBe(true);
    expect(gvc.poll({}, { after: DAY })).toEqual([]);
    expect(gvc.state().records).toEqual(before.records);
    expect(gvc.state().rollouts).toEqual(before.rollouts);
    expect(gvc.active()).toBe(false);
    expect(outcomes(gvc.poll({ lima: ready(12), oslo: ready(12) }))).toEqual([
      'cart/12/ready in lima, oslo',
    ]);
  });

  it('is the end of the GVC when its workloads are not found either, which is told once, for these, too', () => {
    const gvc = gvcScenario({ lima: ready(11), 'web/lima': ready(3) });
    gvc.poll({ lima: ready(12) });
    gvc.poll({ lima: 'absent', 'web/lima': 'absent' });

    expect(gvc.poll({}, { gone: true })).toEqual([
      'edit cart/12/card: gone',
      'edit web/3/card: gone',
    ]);
    expect(gvc.news()).toEqual(['@gvc/4/gone: cart, web covers cart/12/gone web/3/gone']);
    expect(gvc.poll({}, { after: 20 * MINUTE })).toEqual([]);
    expect(gvc.news()).toEqual([]);
    expect(gvc.state().meta?.emptySince).toBeNull();
  });

  it('is not empty when an item could not be read', () => {
    const gvc = gvcScenario({ lima: ready(11), oslo: ready(11) });
    gvc.poll({ lima: 'unreadable', oslo: 'absent' });
    gvc.poll();

    expect(gvc.state().records['cart/oslo']?.state).toBe('gone');
    expect(gvc.state().records['cart/lima']?.state).toBe('ready');
  });
});

describe('names that are not names', () => {
  it.each(['__proto__', 'constructor', '<!channel>', 'a`b'])('a workload called %s', (name) => {
    const gvc = gvcScenario({ [`${name}/lima`]: ready(1) });

    expect(gvc.poll({ [`${name}/lima`]: rolling(2) })).toEqual([`open ${name}/2/card`]);
    expect(gvc.poll({ [`${name}/lima`]: ready(2) })).toEqual([
      `open ${name}/2/card: ready`,
      `${name}/2/ready in lima`,
    ]);
    expect(gvc.poll()).toEqual([]);
  });

  it('a workload called constructor that states no version has no rollout', () => {
    expect(gvcScenario({ 'constructor/lima': undefined }).state().rollouts).toEqual({});
  });

  it('a location called __proto__', () => {
    const gvc = gvcScenario({ 'cart/__proto__': ready(1) });
    gvc.poll({ 'cart/__proto__': rolling(2) });

    expect(gvc.poll({ 'cart/__proto__': ready(2) })).toContain('cart/2/ready in __proto__');
  });
});

describe('a recovery', () => {
  it('says since when the workload was away', () => {
    const gvc = gvcScenario({ lima: ready(11) });
    gvc.poll({ lima: rolling(11) });
    gvc.poll({ lima: stale(11) }, { after: MINUTE });
    gvc.poll({ lima: ready(11) }, { after: MINUTE });

    const since = NOON + 10_000;
    expect(gvc.told().at(-1)?.outcome).toMatchObject({ kind: 'recovered', since });
  });
});
