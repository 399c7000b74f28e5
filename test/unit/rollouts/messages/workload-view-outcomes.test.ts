import { describe, expect, it } from 'vitest';
import type { RolloutNotice } from '../../../../src/rollouts/engine/notices.ts';
import type { Row } from '../../../../src/rollouts/engine/rollout.ts';
import type { OutcomeKind } from '../../../../src/rollouts/engine/states.ts';
import { outcomeContent } from '../../../../src/rollouts/messages/outcome-view.ts';
import { PLACE } from '../engine/gvc-scenario.ts';
import { MINUTE, NOON, SECOND } from '../platform-json.ts';
import { outcomeOfCart, read, ref, WHERE } from './scenario.ts';

const LATER = NOON + 12 * MINUTE + 30 * SECOND;

/** What is said after `shop/cart v12`. */
function text(notice: RolloutNotice, now = LATER): string {
  const { text: whole } = outcomeContent(PLACE, notice, { now });
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
    ['recovered', 'ready', 'recovered in lima · 2 of 2 replicas ready'],
    ['suspended', 'suspended', 'suspended in lima · switched off on purpose, so nothing serves'],
    ['resumed', 'ready', 'resumed in lima · serving again'],
    ['gone', 'gone', 'gone in lima · no longer listed, so nothing serves'],
    ['diverged', 'diverged', 'diverged in lima: it reports a newer version, v12 is expected'],
    ['blocked', 'deploying', 'OUTAGE · blocked in lima · nothing serves'],
  ])('%s', (kind, state, said) => {
    expect(told(kind, [{ state, cause: '' }])).toBe(said);
  });

  it('says for how long it was away, where that is known', () => {
    const back = (since: number) =>
      text(outcomeOfCart({ kind: 'recovered', since }, { rows: [{ state: 'ready' }] }), NOON);

    expect(back(NOON - 11 * MINUTE)).toBe('recovered in lima after 11 min · 2 of 2 replicas ready');
    expect(back(NOON)).toBe('recovered in lima · 2 of 2 replicas ready');
  });

  it.each([
    [
      { reason: 'OOMKilled', exitCode: 137, memory: 512 },
      'out of memory: main, 7 restarts in 5 min, OOMKilled (exit code 137), limit 512 MiB',
    ],
    [{ reason: 'Completed', exitCode: 0 }, 'main, 7 restarts in 5 min, Completed (exit code 0)'],
    [{ reason: '', exitCode: 1 }, 'main, 7 restarts in 5 min, exit code 1'],
    [{ reason: '' }, 'main, 7 restarts in 5 min'],
  ])('a crash loop has how it ended last, also while the container is up: %o', (last, said) => {
    const crash = { container: 'main', restarts: 7, lastsMs: 4 * MINUTE, ...last };

    expect(told('crashloop', [{ state: 'ready', cause: '', crash }])).toBe(
      `Unstable, users are served · keeps crashing in lima · 2 of 2 replicas ready: ${said}`,
    );
    expect(told('crashloop', [{ state: 'ready', cause: '' }])).toBe(
      'Unstable, users are served · keeps crashing in lima · 2 of 2 replicas ready',
    );
  });

  it('says in which of many locations, and what serves there', () => {
    const served = { version: 11, ready: 2, wanted: 3 };
    const replicas = { version: 12, ready: 0, wanted: 3 };
    const rows = ['lima', 'oslo'].map((location) => ({ location, replicas, outgoing: served }));

    expect(told('failed', rows)).toBe(
      'Rollout failed, users are served · in both locations · v11 serves 4/6: `no such image`',
    );
  });

  it('counts what serves where nobody says how much it should be', () => {
    const outgoing = { version: 11, ready: 1, wanted: 0 };
    const replicas = { version: 12, ready: 0, wanted: 0 };

    expect(told('failed', [{ outgoing, replicas }])).toBe(
      'Rollout failed, nobody affected · in lima · v11 serves 1/1: `no such image`',
    );
  });
});

describe('a location that lags', () => {
  it('has not been reached by the change, for whole minutes', () => {
    const replicas = { version: 11, ready: 2, wanted: 2 };
    const row = { state: 'waiting', cause: '', replicas } as const;

    expect(told('lagging', [row], { late: { lima: NOON } })).toBe(
      'lagging in lima for 12 min · v11 serves 2/2: the change has not reached lima',
    );
  });

  it('is not ready, or has not reported', () => {
    const rows: Partial<Row>[] = [
      { location: 'lima', state: 'pending', cause: '' },
      { location: 'oslo', state: 'deploying', cause: '' },
      { location: 'rome', state: 'unknown', cause: '' },
    ];

    expect(told('lagging', rows, { late: { lima: NOON + MINUTE, oslo: NOON } })).toBe(
      'OUTAGE · lagging in all 3 locations for 12 min · nothing serves: the change has not reached lima, not ready in oslo, nothing reported from rome',
    );
  });

  it.each<[Row['state'][], string]>([
    [
      ['waiting', 'pending'],
      'OUTAGE · lagging in both locations for 10 min · nothing serves: the change has not reached lima-0, lima-1',
    ],
    [
      ['deploying', 'deploying', 'deploying'],
      'OUTAGE · lagging in all 3 locations for 10 min · nothing serves: not ready in lima-0, lima-1, lima-2',
    ],
    [
      ['unknown', 'unknown'],
      'lagging in both locations for 10 min: nothing reported from lima-0, lima-1',
    ],
  ])('is one of all: %s', (states, said) => {
    const rows = states.map((state, index) => ({
      location: `lima-${index}`,
      state,
      cause: '',
    }));

    expect(told('lagging', rows)).toBe(said);
  });

  it('has lagged for ten minutes at least, else it would not be told', () => {
    expect(told('lagging', [{ state: 'waiting', cause: '' }], { late: {} })).toMatch(
      /^OUTAGE · lagging in lima for 10 min · /,
    );
  });
});

describe('flapping', () => {
  const rollout = { told: { '12/card': 1, '12/unhealthy': 2, '11/stale': 1 } };

  it('says between what, how often, and when it is told again', () => {
    const covers = [ref('cart', 'recovered', 2)];

    expect(text(outcomeOfCart({ kind: 'flapping', covers }, { rollout }))).toBe(
      'OUTAGE · flapping in lima · nothing serves · 4 changes between ready and unhealthy · silent until stable for 10 min',
    );
  });

  it('says how it settled', () => {
    const covers = [ref('cart'), ref('cart'), ref('cart')];
    const rows: Partial<Row>[] = [{ state: 'ready', cause: '' }];
    const notice = outcomeOfCart({ kind: 'flapping', covers, settled: 'ready' }, { rollout, rows });

    expect(text(notice)).toBe('ready in lima for 10 min · flapping is over after 6 changes');
    expect(read(outcomeContent(PLACE, notice, WHERE))).toEqual([
      ':white_check_mark: *shop/cart* v12 ready in lima for 10 min · flapping is over after 6 changes',
    ]);
  });

  it('says how bad it is where it settled in trouble', () => {
    const over = {
      kind: 'flapping' as const,
      covers: [ref('cart')],
      settled: 'unhealthy' as const,
    };
    const notice = outcomeOfCart(over, { rollout, rows: [{ state: 'unhealthy' }] });

    expect(text(notice)).toBe(
      'OUTAGE · unhealthy in lima for 10 min · nothing serves · flapping is over after 4 changes: `no such image`',
    );
  });
});

/** A location that served before and wants two replicas of v12, of which none is ready. */
function at(location: string, over: Partial<Row> = {}): Partial<Row> {
  const replicas = { version: 12, ready: 0, wanted: 2 };
  return {
    location,
    state: 'failed',
    cause: 'no disk',
    served: true,
    replicas,
    outgoing: null,
    ...over,
  };
}

const OLD = { version: 11, ready: 2, wanted: 2 };
const OWN = { version: 12, ready: 2, wanted: 2 };

/** The sign and the line of an outcome in lima, beside what these other locations do. */
function head(kind: OutcomeKind, lima: Partial<Row>, others: Partial<Row>[] = []): string {
  const rows = [at('lima', lima), ...others];
  const over = { rows, rollout: { moved: NOON - 20 * MINUTE } };
  const notice = outcomeOfCart({ kind, broadcast: true, locations: ['lima'] }, over);
  return read(outcomeContent(PLACE, notice, WHERE))[0] ?? '';
}

describe('an outcome says first whom it affects', () => {
  it.each<[OutcomeKind, Row['state'], string]>([
    ['failed', 'failed', '*OUTAGE* · *shop/cart* v12 failed in lima · nothing serves'],
    ['unhealthy', 'unhealthy', '*OUTAGE* · *shop/cart* v12 serves nothing in lima'],
    ['blocked', 'deploying', '*OUTAGE* · *shop/cart* v12 blocked in lima · nothing serves'],
    ['crashloop', 'failed', '*OUTAGE* · *shop/cart* v12 keeps crashing in lima · nothing serves'],
    [
      'lagging',
      'deploying',
      '*OUTAGE · Stuck for 20 min* · *shop/cart* v12 · 0 of 2 replicas · nothing serves',
    ],
  ])('an outage while nothing serves: %s', (kind, state, said) => {
    expect(head(kind, { state })).toBe(`:red_circle: ${said}`);
  });

  it('an outage while fewer than half of the replicas serve', () => {
    const replicas = { version: 12, ready: 2, wanted: 6 };

    expect(head('unhealthy', { state: 'unhealthy', replicas })).toBe(
      ':red_circle: *OUTAGE* · *shop/cart* v12 unhealthy in lima · 2 of 6 replicas ready',
    );
  });

  it.each<[OutcomeKind, Row['state'], string]>([
    ['failed', 'failed', '*Rollout failed, nobody affected* · *shop/cart* v12 in lima'],
    ['blocked', 'deploying', '*Rollout blocked, nobody affected* · *shop/cart* v12 in lima'],
    ['lagging', 'deploying', '*Stuck for 20 min* · *shop/cart* v12 · 0 of 2 replicas'],
  ])('nobody while the version before serves in full: %s', (kind, state, said) => {
    const serves = kind === 'lagging' ? 'v11 serves' : 'v11 serves 2/2';

    expect(head(kind, { state, outgoing: OLD })).toBe(`:large_orange_circle: ${said} · ${serves}`);
  });

  it('users are served while at least half of the replicas are ready', () => {
    const others = [at('oslo', { state: 'ready', replicas: OWN, cause: '' })];

    expect(head('unhealthy', { state: 'unhealthy' }, others)).toBe(
      ':large_orange_circle: *Degraded, users are served* · *shop/cart* v12 unhealthy in lima · 2 of 4 replicas ready',
    );
  });

  it('nobody where it never served before', () => {
    const notice = outcomeOfCart({});
    const rows = notice.rows.map((row) => {
      const { served: _, ...fresh } = row;
      return fresh;
    });

    expect(read(outcomeContent(PLACE, { ...notice, rows }, WHERE))[0]).toBe(
      ':large_orange_circle: *Rollout failed, never seen to serve* · *shop/cart* v12 in lima',
    );
  });

  it('what is not known is not said to serve', () => {
    expect(head('stale', { state: 'stale' })).toBe(
      ':white_circle: *No report* · *shop/cart* v12 stale in lima',
    );
    const others = [at('oslo', { state: 'ready', replicas: OWN, cause: '' })];
    expect(head('stale', { state: 'stale' }, others)).toBe(
      ':white_circle: *No report* · *shop/cart* v12 stale in lima · 2 of 2 replicas ready elsewhere',
    );
  });
});

describe('the causes of several locations', () => {
  const rows = [
    at('oslo', { cause: 'no disk' }),
    at('lima', { cause: 'no such image' }),
    at('rome', { cause: 'no network' }),
  ];
  const locations = ['oslo', 'lima', 'rome'];

  it('are counted, and the first has its place in what a telephone shows', () => {
    expect(text(outcomeOfCart({ kind: 'failed', locations }, { rows }))).toBe(
      'OUTAGE · failed in all 3 locations · nothing serves: 3 causes, in oslo `no disk`',
    );
  });

  it('are told once where all have the same', () => {
    const alike = rows.map((row) => ({ ...row, cause: 'no disk' }));

    expect(text(outcomeOfCart({ kind: 'failed', locations }, { rows: alike }))).toBe(
      'OUTAGE · failed in all 3 locations · nothing serves: `no disk`',
    );
  });

  it('have the way back as the first step while nothing serves, and as the last while something does', () => {
    const steps = (over: Partial<Row>): string | undefined => {
      const specBefore = { version: 11, replicas: 2, containers: [] };
      const notice = outcomeOfCart({}, { rows: [at('lima', { specBefore, ...over })] });
      return read(outcomeContent(PLACE, notice, WHERE)).find((line) => line.startsWith('→'));
    };

    expect(steps({})).toBe('→ roll back to v11, or look in its logs');
    expect(steps({ outgoing: OLD })).toBe('→ look in its logs, or roll back to v11');
  });
});

it('a card is not an outcome', () => {
  const { outcome: _, ...card } = outcomeOfCart({});

  expect(() => outcomeContent(PLACE, card, WHERE)).toThrow('a card is not an outcome');
});
