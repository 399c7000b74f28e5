import { describe, expect, it } from 'vitest';
import { statusOf, type DeploymentStatus } from '../../../../src/rollouts/engine/classify.ts';
import {
  broken,
  deployment,
  idle,
  NOON,
  pending,
  ready,
  rolling,
  SECOND,
  suspended,
  version,
  type Json,
} from '../platform-json.ts';
import { gvcScenario } from './gvc-scenario.ts';

/** What a person is told of a deployment, given what the watch engine has seen of it before. */
function status(now: Json | undefined, ...seen: Json[]): DeploymentStatus {
  const [first, ...later] = seen;
  if (first === undefined) return statusOf(deployment(now), undefined, NOON);
  const gvc = gvcScenario({ oslo: first, lima: ready(1) });
  for (const poll of later) gvc.poll({ oslo: poll });
  return statusOf(deployment(now), gvc.state().records['cart/oslo'], NOON + 60 * SECOND);
}

describe('the state of a deployment for someone who asks', () => {
  it('without a watch the answer is taken at its word', () => {
    expect(status(ready(12)).state).toBe('ready');
    expect(status(broken(12)).state).toBe('failed');
    expect(status(idle(12)).state).toBe('idle');
    expect(status(undefined)).toMatchObject({ state: 'unknown', version: 0, replicas: undefined });
  });

  it('with a watch it is what the channel heard', () => {
    expect(status(broken(12, 'oh no'), ready(12)).state).toBe('unhealthy');
    expect(status(broken(12), ready(12)).state).toBe('ready');
    expect(status(broken(12), idle(12)).state).toBe('deploying');
  });

  it('a record that was gone and is there now is not gone', () => {
    const gvc = gvcScenario({ oslo: ready(12), lima: ready(1) });
    gvc.poll({ oslo: 'absent' });
    gvc.poll();
    const memory = gvc.state().records['cart/oslo'];

    expect(memory?.state).toBe('gone');
    expect(statusOf(deployment(broken(12, 'oh no')), memory, NOON).state).toBe('failed');
  });

  it('says what is wrong, and what a rollout on its way is waiting for', () => {
    const waiting = [version(12, { ready: false, message: 'Waiting for DNS...' })];

    expect(status(broken(12, 'no such image')).cause).toBe('no such image');
    expect(status(rolling(12, { versions: waiting })).cause).toBe('Waiting for DNS...');
    expect(status(rolling(12, { ready: true, versions: waiting })).cause).toBe(
      'Waiting for DNS...',
    );
    expect(status(rolling(12)).cause).toBe('');
    expect(status(pending(12, { message: 'no room yet' })).cause).toBe('no room yet');
    expect(status(ready(12, { lastProcessedVersion: 13, message: 'held' })).cause).toBe('held');
    expect(status(suspended(12)).cause).toBe('');
    expect(status(ready(12, { message: 'all is well' })).cause).toBe('');
  });

  it('shows both versions and their replicas', () => {
    expect(status(rolling(12))).toMatchObject({
      version: 12,
      processed: 12,
      replicas: { version: 12, ready: 0, wanted: 2 },
      outgoing: { version: 11, ready: 2, wanted: 2 },
    });
    expect(status(pending(12))).toMatchObject({ state: 'pending', version: 12, processed: 11 });
  });

  it('states no replicas where the platform states none', () => {
    expect(status(ready(12, { desiredScale: undefined, versions: [] })).replicas).toBeUndefined();
    expect(status(ready(12, { versions: [] })).replicas).toEqual({
      version: 12,
      ready: 0,
      wanted: 2,
    });
  });
});
