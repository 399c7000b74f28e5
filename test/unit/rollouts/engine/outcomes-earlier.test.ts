import { describe, expect, it } from 'vitest';
import { classify, type RecordMemory } from '../../../../src/rollouts/engine/classify.ts';
import { readFacts } from '../../../../src/rollouts/engine/facts.ts';
import { stepRollout } from '../../../../src/rollouts/engine/outcomes.ts';
import type { Records, RolloutState } from '../../../../src/rollouts/engine/rollout.ts';
import {
  deployment,
  MINUTE,
  NOON,
  ready,
  rolling,
  suspended,
  type Json,
} from '../platform-json.ts';

/** What the release before this one kept of a record. */
function record(status: Json): RecordMemory {
  const options = { now: NOON, adopting: true };
  const memory = classify(readFacts(deployment(status)), undefined, options);
  const earlier = Object.entries(memory).filter(([name]) => name !== 'climbs' && name !== 'jobs');
  return Object.fromEntries(earlier) as unknown as RecordMemory;
}

/** A rollout that was ready, and has a card, as the release before this one kept it. */
const rollout = {
  version: 12,
  startedAt: NOON,
  readyAt: NOON,
  ending: 'ready',
  announced: true,
  ready: true,
  said: {},
  told: { '12/card': 1, '12/ready': 1 },
  print: 'abc',
} as unknown as RolloutState;

function step(previous: Records, records: Records): string[] {
  const taken = stepRollout(rollout, records, { previous, now: NOON + MINUTE, adopting: false });
  return (taken?.outcomes ?? []).map(({ kind, locations }) => `${kind} in ${locations.join(', ')}`);
}

describe('what an earlier release stored', () => {
  it('goes on, and what has been added since begins with it', () => {
    const before = { lima: record(ready(12)), oslo: record(suspended(12)) };
    const taken = stepRollout(rollout, before, { previous: before, now: NOON, adopting: false });

    expect(taken?.outcomes).toEqual([]);
    expect(taken?.rollout).toMatchObject({ asleep: ['oslo'], flapping: null, wakeAt: null });
    expect(taken?.rollout).toMatchObject({ told: rollout.told, print: 'abc', ready: true });
  });

  it('has a next step like any other', () => {
    const before = { lima: record(ready(12)) };

    expect(step(before, { lima: record(suspended(12)) })).toEqual(['suspended in lima']);
    expect(step(before, { lima: { ...record(ready(12)), state: 'gone' } })).toEqual([
      'gone in lima',
    ]);
    expect(step(before, { lima: record(rolling(12)) })).toEqual([]);
  });
});
