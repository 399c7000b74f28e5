import { describe, expect, it } from 'vitest';
import { classify, type RecordMemory } from '../../../../src/rollouts/engine/classify.ts';
import { readFacts } from '../../../../src/rollouts/engine/facts.ts';
import * as fc from '../../../support/fast-check.ts';
import {
  broken,
  container,
  cron,
  deployment,
  idle,
  MINUTE,
  NOON,
  pending,
  ready,
  rolling,
  SECOND,
  stale,
  suspended,
  version,
  type Json,
} from '../platform-json.ts';
import { last, memories } from './rollout-scenario.ts';

describe('the times at which the restart count rose', () => {
  const count = (restarts: number, over: Json = {}): Json =>
    ready(12, {
      versions: [
        version(12, { containers: { main: container({ restarts: { count: restarts } }) } }),
      ],
      ...over,
    });
  const climbs = (...polls: Json[]): number[] =>
    last(...polls).climbs.map((at) => (at - NOON) / SECOND);

  it('are those of the last three polls that saw more than the one before', () => {
    expect(climbs(count(1))).toEqual([]);
    expect(climbs(count(1), count(2), count(2), count(7))).toEqual([10, 30]);
    expect(climbs(...[1, 2, 3, 4, 5].map((restarts) => count(restarts)))).toEqual([20, 30, 40]);
  });

  it('do not count replicas that were replaced, but what these do later', () => {
    expect(climbs(count(5), count(0), count(1))).toEqual([20]);
  });

  it('do not count what was not reported for a while', () => {
    expect(climbs(count(5), stale(12, { versions: [] }), count(5))).toEqual([]);
    expect(climbs(count(5), stale(12, { versions: [] }), count(6))).toEqual([20]);
  });

  it('are forgotten with the rollout', () => {
    expect(climbs(count(1), count(2), ready(13))).toEqual([]);
    const gvc = [version(12, { gvc: 5 })];
    expect(climbs(count(1), count(2), ready(12, { versions: gvc }))).toEqual([]);
  });
});

describe('the executions that ended badly', () => {
  const ran = (...jobExecutions: Json[]): Json => cron(3, { jobExecutions });
  const jobs = (...polls: Json[]): readonly string[] => last(...polls).jobs;

  it('are those that failed or are invalid and listed now, sorted', () => {
    const statuses = ['pending', 'active', 'successful', 'failed', 'invalid', 'removed', ''];
    const all = statuses.map((status, index) => ({ name: `run-${9 - index}`, status }));

    expect(jobs(ran(...all))).toEqual(['run-5 invalid', 'run-6 failed']);
    expect(jobs(ran(...all), ran(...all.slice(4)))).toEqual(['run-5 invalid']);
    expect(jobs(ran(...all), ran())).toEqual([]);
  });

  it('are not forgotten while the list itself is left out', () => {
    expect(jobs(ran({ name: 'run-1', status: 'failed' }), ready(3))).toEqual(['run-1 failed']);
  });

  it.each([
    ['run/1 or 2', 'run%2F1%20or%202'],
    ['läuft', 'l%C3%A4uft'],
    ['half \uD800', 'half%20%EF%BF%BD'],
    ['run-1.a_b', 'run-1.a_b'],
  ])('%j is part of a key as %s', (name, part) => {
    expect(jobs(ran({ name, status: 'failed' }))).toEqual([`${part} failed`]);
  });

  it('without a name cannot be told apart, so they are left out', () => {
    expect(jobs(ran({ status: 'failed' }, { name: '', status: 'failed' }))).toEqual([]);
  });
});

describe('what does not change', () => {
  const loop = { restarts: { count: 3, lastRestartTime: new Date(NOON).toISOString() } };
  const statuses: readonly Json[] = [
    ready(12),
    pending(12),
    rolling(12),
    broken(12, 'no such image'),
    broken(12),
    suspended(12),
    stale(12),
    idle(12),
    cron(12, { jobExecutions: [{ name: 'run-1', status: 'failed' }] }),
    broken(12, '', { versions: [version(12, { ready: false, containers: { main: loop } })] }),
    ready(12, { versions: [version(12), version(11)] }),
    ready(12, { desiredScale: 4 }),
    {},
  ];

  it('is the very object that was there', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...statuses), { minLength: 1 }), (polls) => {
        const status = polls.at(-1);
        const seen = memories([...polls, status, status, status]);

        expect(seen.at(-1)).toBe(seen.at(-2));
      }),
      { numRuns: 300 },
    );
  });

  it('is so after a restart, too', () => {
    for (const status of statuses) {
      const stored = JSON.parse(JSON.stringify(last(status, status, status))) as RecordMemory;
      const facts = readFacts(deployment(status));

      expect(classify(facts, stored, { now: NOON + MINUTE, adopting: false })).toBe(stored);
    }
  });
});
