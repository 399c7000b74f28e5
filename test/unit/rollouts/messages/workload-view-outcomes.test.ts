import { describe, expect, it } from 'vitest';
import type { RolloutNotice } from '../../../../src/rollouts/engine/notices.ts';
import type { Row } from '../../../../src/rollouts/engine/rollout.ts';
import type { OutcomeKind } from '../../../../src/rollouts/engine/states.ts';
import { outcomeContent } from '../../../../src/rollouts/messages/workload-view.ts';
import { PLACE } from '../engine/gvc-scenario.ts';
import { MINUTE, NOON, SECOND } from '../platform-json.ts';
import { outcomeOfCart, read, ref } from './scenario.ts';

const LATER = NOON + 12 * MINUTE + 30 * SECOND;

/** What is said after `shop/cart v12`. */
function text(notice: RolloutNotice, now = LATER): string {
  const { text: whole } = outcomeContent(PLACE, notice, now);
  expect(whole).toContain('shop/cart v12 ');
  return whole.replace('shop/cart v12 ', '');
}

function told(
  kind: OutcomeKind,
  rows: Partial<Row>[],
  over: Partial<RolloutNotice['rollout']> = {},
): string {
  const locations = rows.map(({ location = 'lima' }) => location);
  return text(outcomeOfCart({ kind, locations }, { rows, rollout: over }));
}

describe('an outcome in one line', () => {
  it.each<[OutcomeKind, Row['state'], string]>([
    ['ready', 'ready', 'ready in lima'],
    ['recovered', 'ready', 'recovered in lima'],
    ['suspended', 'suspended', 'suspended in lima: switched off, nothing is wrong'],
    ['resumed', 'ready', 'resumed in lima: serving again'],
    ['gone', 'gone', 'gone in lima: no longer listed'],
    ['diverged', 'diverged', 'diverged in lima: it reports a newer version, v12 is expected'],
    ['blocked', 'deploying', 'blocked in lima, and does not go on by itself'],
  ])('%s', (kind, state, said) => {
    expect(told(kind, [{ state, cause: '' }])).toBe(said);
  });

  it('says for how long it was away, where that is known', () => {
    const back = (since: number) =>
      text(outcomeOfCart({ kind: 'recovered', since }, { rows: [{ state: 'ready' }] }), NOON);

    expect(back(NOON - 11 * MINUTE)).toBe('recovered in lima after 11 min');
    expect(back(NOON)).toBe('recovered in lima');
  });

  it.each([
    [
      { reason: 'OOMKilled', exitCode: 137, memory: 512 },
      'OOMKilled (exit code 137), 7 restarts in 5 min, limit 512 MiB',
    ],
    [{ reason: 'Completed', exitCode: 0 }, 'Completed (exit code 0), 7 restarts in 5 min'],
    [{ reason: '', exitCode: 1 }, 'exit code 1, 7 restarts in 5 min'],
    [{ reason: '' }, '7 restarts in 5 min'],
  ])('a crash loop has how it ended last, also while the container is up: %o', (last, said) => {
    const crash = { container: 'main', restarts: 7, lastsMs: 4 * MINUTE, ...last };

    expect(told('crashloop', [{ state: 'ready', cause: '', crash }])).toBe(
      `keeps crashing in lima: ${said}`,
    );
    expect(told('crashloop', [{ state: 'ready', cause: '' }])).toBe('keeps crashing in lima');
  });

  it('says in which of many locations, and what serves there', () => {
    const served = { version: 11, ready: 2, wanted: 3 };
    const rows = ['lima', 'oslo'].map((location) => ({ location, outgoing: served }));

    expect(told('failed', rows)).toBe(
      'failed in both locations: `no such image` – v11 still serves 2/3',
    );
  });

  it('counts what serves where nobody says how much it should be', () => {
    const outgoing = { version: 11, ready: 1, wanted: 0 };

    expect(told('failed', [{ outgoing }])).toMatch(/ – v11 still serves with 1 replica$/);
  });
});

describe('a location that lags', () => {
  it('has not been reached by the change, for whole minutes', () => {
    expect(told('lagging', [{ state: 'waiting', cause: '' }], { late: { lima: NOON } })).toBe(
      'lagging: change has not reached lima for 12 min',
    );
  });

  it('is not ready, or has not reported', () => {
    const rows: Partial<Row>[] = [
      { location: 'lima', state: 'pending', cause: '' },
      { location: 'oslo', state: 'deploying', cause: '' },
      { location: 'rome', state: 'unknown', cause: '' },
    ];

    expect(told('lagging', rows, { late: { lima: NOON + MINUTE, oslo: NOON } })).toBe(
      'lagging: change has not reached lima, not ready in oslo, nothing reported from rome for 12 min',
    );
  });

  it.each<[Row['state'][], string]>([
    [['waiting', 'pending'], 'in both locations: change has not reached them'],
    [['deploying', 'deploying', 'deploying'], 'in all 3 locations: not ready'],
    [['unknown', 'unknown'], 'in both locations: nothing reported'],
  ])('is one of all, which need no names: %s', (states, said) => {
    const rows = states.map((state, index) => ({
      location: `lima-${index}`,
      state,
      cause: '',
    }));

    expect(told('lagging', rows)).toBe(`lagging ${said} for 10 min`);
  });

  it('has lagged for ten minutes at least, else it would not be told', () => {
    expect(told('lagging', [{ state: 'waiting', cause: '' }], { late: {} })).toMatch(
      / for 10 min$/,
    );
  });
});

describe('flapping', () => {
  const rollout = { told: { '12/card': 1, '12/unhealthy': 2, '11/stale': 1 } };

  it('says between what, how often, and when it is told again', () => {
    const covers = [ref('cart', 'recovered', 2)];

    expect(text(outcomeOfCart({ kind: 'flapping', covers }, { rollout }))).toBe(
      'flapping in lima: 4 changes between ready and unhealthy; told again when settled for 10 min',
    );
  });

  it('says how it settled', () => {
    const covers = [ref('cart'), ref('cart'), ref('cart')];
    const notice = outcomeOfCart({ kind: 'flapping', covers, settled: 'ready' }, { rollout });

    expect(text(notice)).toBe('flapping in lima settled: ready for 10 min, after 6 changes');
    expect(read(outcomeContent(PLACE, notice, NOON))).toEqual([
      ':arrows_counterclockwise: *shop/cart* v12 flapping in lima settled: ready for 10 min, after 6 changes',
    ]);
  });
});

it('a card is not an outcome', () => {
  const { outcome: _, ...card } = outcomeOfCart({});

  expect(() => outcomeContent(PLACE, card, NOON)).toThrow('a card is not an outcome');
});
