import { describe, expect, it } from 'vitest';
import { classify } from '../../../../src/rollouts/engine/classify.ts';
import { readFacts } from '../../../../src/rollouts/engine/facts.ts';
import {
  broken,
  container,
  deployment,
  down,
  idle,
  MINUTE,
  NOON,
  ready,
  SECOND,
  stale,
  suspended,
  version,
  type Json,
} from '../platform-json.ts';
import { last, states } from './rollout-scenario.ts';

const INITIALIZING = 'Replica(s) Initializing...';

describe('start-up is not sickness', () => {
  const starting = (message = '', over: Json = {}): Json => broken(12, message, over);

  it('from zero replicas: ten minutes of grace, then it is confirmed', () => {
    expect(
      states(idle(12), starting(), starting(), 9 * MINUTE, starting(), MINUTE, starting()),
    ).toEqual(['idle', 'deploying', 'deploying', 'deploying', 'failed']);
  });

  it('a workload that served before its scale-down is unhealthy after the grace', () => {
    expect(states(ready(12), idle(12), starting(), 10 * MINUTE, starting())).toEqual([
      'ready',
      'idle',
      'deploying',
      'unhealthy',
    ]);
  });

  it.each([
    ['suspended', suspended(12)],
    ['unknown', undefined],
    ['idle', idle(12)],
  ])('after %s not ready counts as deploying', (_state, before) => {
    expect(states(before, starting(INITIALIZING), starting(INITIALIZING)).slice(1)).toEqual([
      'deploying',
      'deploying',
    ]);
  });

  it('resumed from suspend: it comes up and is ready', () => {
    expect(states(ready(12), suspended(12), starting(INITIALIZING), ready(12))).toEqual([
      'ready',
      'suspended',
      'deploying',
      'ready',
    ]);
  });

  it('a resume that first shows the old version has its grace, too', () => {
    const leftover = broken(12, '', { desiredScale: undefined, versions: [version(11)] });
    const unstated = (message: string): Json => broken(12, message, { desiredScale: undefined });

    expect(
      states(suspended(12, { desiredScale: undefined }), leftover, unstated(INITIALIZING)),
    ).toEqual(['suspended', 'deploying', 'deploying']);
  });

  it('a rise in wanted replicas gives grace, also to what was ready', () => {
    expect(
      states(
        ready(12),
        ready(12, { desiredScale: 4 }),
        broken(12, '', { desiredScale: 4 }),
        broken(12, '', { desiredScale: 4 }),
      ),
    ).toEqual(['ready', 'ready', 'deploying', 'deploying']);
    expect(
      states(ready(12), broken(12, '', { desiredScale: 2 }), broken(12, '', { desiredScale: 2 })),
    ).toEqual(['ready', 'ready', 'unhealthy']);
  });

  it('the grace of a rise ends when all wanted replicas have been ready', () => {
    const four = { resources: { replicas: 4, replicasReady: 4 } };
    const full = ready(12, {
      desiredScale: 4,
      versions: [version(12, { containers: { main: container(four) } })],
    });
    const partly = ready(12, { desiredScale: 4 });
    const sick = broken(12, '', { desiredScale: 4 });

    expect(states(ready(12), partly, sick, sick).at(-1)).toBe('deploying');
    expect(states(ready(12), partly, full, sick, sick).at(-1)).toBe('unhealthy');
  });

  it('a start from nothing is over once it was ready', () => {
    expect(states(idle(12), starting(), ready(12), starting(), starting())).toEqual([
      'idle',
      'deploying',
      'ready',
      'ready',
      'unhealthy',
    ]);
  });

  it('ends with a restart', () => {
    const crashed = [
      version(12, { ready: false, containers: { main: down({ restarts: { count: 1 } }) } }),
    ];

    expect(states(idle(12), starting(), starting('', { versions: crashed })).at(-1)).toBe('failed');
  });

  it('ends with a restart that only its time tells of', () => {
    const at = new Date(NOON + 15 * SECOND).toISOString();
    const again = (lastRestartTime: string): Json => ({
      versions: [
        version(12, {
          ready: false,
          containers: { main: down({ restarts: { count: 5, lastRestartTime } }) },
        }),
      ],
    });
    const before = new Date(NOON - 30 * MINUTE).toISOString();

    expect(
      states(idle(12, again(before)), starting('', again(before)), starting('', again(at))),
    ).toEqual(['idle', 'deploying', 'failed']);
  });

  it('ends with a message that says more than that replicas are initializing', () => {
    expect(states(idle(12), starting(INITIALIZING), starting('no such image'))).toEqual([
      'idle',
      'deploying',
      'failed',
    ]);
    expect(states(idle(12), starting('', { message: 'quota exceeded' }))[1]).toBe('failed');
    const inContainer = [
      version(12, { ready: false, containers: { main: down({ message: 'no such image' }) } }),
    ];
    expect(states(idle(12), starting('', { versions: inContainer }))[1]).toBe('failed');
  });

  it.each([
    'Replica(s) Initializing...',
    'replicas are initialising',
    '2 replicas still initializing',
    'Initializing: 1 of 3 replicas',
  ])('"%s" says no more than that', (message) => {
    expect(states(idle(12), starting(message), starting(message))[2]).toBe('deploying');
  });

  it('ends when deploying was true and fell', () => {
    const polls = [idle(12), starting('', { deploying: true }), starting(), starting()];

    expect(states(...polls)).toEqual(['idle', 'deploying', 'deploying', 'failed']);
    expect(states(...polls.slice(0, 3), starting(INITIALIZING)).at(-1)).toBe('failed');
  });

  it.each([
    ['idle', idle(12, { desiredScale: 0 })],
    ['suspended', suspended(12)],
  ])('reports that were missing after %s do not count as a start', (_state, before) => {
    const silent = stale(12, { desiredScale: undefined });
    const initializing = starting(INITIALIZING, { desiredScale: undefined });

    expect(
      states(before, silent, 60 * MINUTE, silent, initializing, 9 * MINUTE, initializing).slice(3),
    ).toEqual(['deploying', 'deploying']);
    expect(states(before, silent, initializing, 10 * MINUTE, initializing).at(-1)).toBe('failed');
  });

  it('reports that are missing are not watched closely, as a start is', () => {
    expect(last(idle(12), stale(12), 11 * MINUTE, stale(12))).toMatchObject({
      state: 'stale',
      grace: null,
    });
  });

  it('reports that are missing in the midst of it end nothing and prolong nothing', () => {
    const polls = [idle(12), starting(INITIALIZING), stale(12)];

    expect(states(...polls, starting(INITIALIZING)).at(-1)).toBe('deploying');
    const over = [...polls, 10 * MINUTE, starting(INITIALIZING), starting(INITIALIZING)];
    expect(states(...over).at(-1)).toBe('failed');
  });

  it('replicas that were added while reports were missing have their grace', () => {
    const four = { desiredScale: 4 };

    expect(
      states(ready(12), stale(12, four), broken(12, '', four), broken(12, '', four)).slice(2),
    ).toEqual(['deploying', 'deploying']);
  });

  it('once ended it does not come back by itself', () => {
    expect(states(idle(12), starting('no such image'), starting(), starting()).slice(1)).toEqual([
      'failed',
      'failed',
      'failed',
    ]);
  });

  it('a record that was gone is there again, even where its clock runs ahead', () => {
    const before = { ...last(ready(12)), state: 'gone' as const };
    const lastRestartTime = new Date(NOON + 60 * MINUTE).toISOString();
    const restarts = { restarts: { count: 0, lastRestartTime } };
    const versions = [
      version(12, { ready: false, created: undefined, containers: { main: down(restarts) } }),
    ];
    const facts = readFacts(deployment(starting('', { versions })));

    expect(classify(facts, before, { now: NOON, adopting: false }).state).toBe('deploying');
  });
});
