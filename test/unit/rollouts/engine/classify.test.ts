import { describe, expect, it } from 'vitest';
import {
  broken,
  cron,
  down,
  idle,
  pending,
  ready,
  rolling,
  stale,
  suspended,
  version,
  type Json,
} from '../platform-json.ts';
import { last, memories, states } from './rollout-scenario.ts';

const INITIALIZING = 'Replica(s) Initializing...';

describe('the table of states, first row first', () => {
  it('no status is unknown', () => {
    expect(states(undefined)).toEqual(['unknown']);
    expect(states({})).toEqual(['unknown']);
  });

  it('no version and not ready is unknown, whatever else is said', () => {
    expect(states({ deploying: true, message: 'deactivated by suspend' })).toEqual(['unknown']);
    expect(states({ expectedDeploymentVersion: 0, lastProcessedVersion: 0 })).toEqual(['unknown']);
  });

  it('either version is enough to be judged by', () => {
    expect(states({ lastProcessedVersion: 11, message: 'oh no' })).toEqual(['failed']);
    expect(states({ expectedDeploymentVersion: 11 })).toEqual(['pending']);
  });

  it('a message of deactivated and suspend, in any case, is suspended', () => {
    expect(states(suspended(12))).toEqual(['suspended']);
    expect(states(suspended(12, { message: 'SUSPEND is on: Deactivated' }))).toEqual(['suspended']);
    expect(states(suspended(12, { message: 'deactivated by an admin' }))).not.toEqual([
      'suspended',
    ]);
    expect(states(suspended(12, { message: 'suspend is pending' }))).not.toEqual(['suspended']);
  });

  it('what is ready is not suspended, whatever the message says', () => {
    expect(states(ready(12, { message: 'was deactivated by suspend until noon' }))).toEqual([
      'ready',
    ]);
  });

  it('suspended comes before diverged and pending', () => {
    expect(states(suspended(12, { lastProcessedVersion: 13 }))).toEqual(['suspended']);
    expect(states(suspended(12, { lastProcessedVersion: 11 }))).toEqual(['suspended']);
  });

  it('stale is its own state and no failure, ready or not', () => {
    expect(states(stale(12))).toEqual(['stale']);
    expect(states(stale(12, { ready: true }))).toEqual(['stale']);
    expect(states(stale(12, { deploying: true, lastProcessedVersion: 11 }))).toEqual(['stale']);
    expect(states(broken(12, '', { message: 'The status details are stale' }))).toEqual(['failed']);
  });

  it('a message that speaks of stale details further on is a message like any other', () => {
    const message = 'Probe failed, Status details are stale';

    expect(states(broken(12, '', { message }))).toEqual(['failed']);
  });

  it('an execution makes a cron workload', () => {
    expect(states(cron(3))).toEqual(['cron']);
    expect(states(cron(3, { ready: true, lastProcessedVersion: 2 }))).toEqual(['cron']);
  });

  it('once cron, always cron: also when the executions are gone and the version is another', () => {
    expect(states(cron(3), broken(3, 'anything'))).toEqual(['cron', 'cron']);
    expect(states(cron(3), ready(4), rolling(5))).toEqual(['cron', 'cron', 'cron']);
  });

  it('a change that has not been applied is pending', () => {
    expect(states(pending(12))).toEqual(['pending']);
    expect(states(pending(12, { lastProcessedVersion: undefined }))).toEqual(['pending']);
    expect(states(pending(12, { ready: true, deploying: true }))).toEqual(['pending']);
  });

  it('an explanation of the expected version says more than pending', () => {
    const versions = [version(12, { ready: false, message: 'no such image' }), version(11)];

    expect(states(pending(12, { versions }))).toEqual(['failed']);
    expect(states(pending(12, { versions, deploying: true }))).toEqual(['deploying']);
  });

  it('only the entry explains a pending change; the message of the status does not', () => {
    expect(states(pending(12, { message: 'not scheduled yet' }))).toEqual(['pending']);
  });

  it('processed above expected is diverged', () => {
    expect(states(ready(12, { lastProcessedVersion: 13 }))).toEqual(['diverged']);
    expect(states(broken(12, 'no image', { lastProcessedVersion: 13 }))).toEqual(['diverged']);
  });

  it('deploying is deploying, whether or not something is ready', () => {
    expect(states(rolling(12))).toEqual(['deploying']);
    expect(states(rolling(12, { ready: true }))).toEqual(['deploying']);
    expect(states(broken(12, INITIALIZING, { deploying: true }))).toEqual(['deploying']);
  });

  it('ready of the outgoing version is deploying', () => {
    expect(states(ready(12, { versions: [version(11)] }))).toEqual(['deploying']);
    expect(states(broken(12, '', { versions: [version(11)] }))).toEqual(['deploying']);
  });

  it('ready while the entry of the expected version is not is deploying', () => {
    const versions = [version(12, { ready: false }), version(11)];

    expect(states(ready(12, { versions }))).toEqual(['deploying']);
  });

  it('ready is ready, with or without versions, even with a message', () => {
    expect(states(ready(12))).toEqual(['ready']);
    expect(states(ready(12, { versions: [] }))).toEqual(['ready']);
    const versions = [version(12, { message: INITIALIZING })];
    expect(states(ready(12, { message: 'all is well', versions }))).toEqual(['ready']);
  });

  it('not ready without anything to judge by is unknown', () => {
    const nothing = { desiredScale: undefined, versions: [] };

    expect(states(broken(12, '', nothing))).toEqual(['unknown']);
    const silent = [version(12, { ready: false, containers: { main: { ready: false } } })];
    expect(states(broken(12, '', { ...nothing, versions: silent }))).toEqual(['unknown']);
  });

  it('zero wanted replicas are idle when they are stated: by the status, the version or every container', () => {
    const none = down({ resources: { replicas: 0, replicasReady: 0 } });
    const unsaid = down({ resources: { cpu: 250 } });
    const by = (containers: Json, over: Json = {}): Json =>
      idle(12, {
        desiredScale: undefined,
        versions: [version(12, { ready: false, containers, ...over })],
      });

    expect(states(idle(12))).toEqual(['idle']);
    expect(states(by({ main: unsaid }, { desiredScale: 0 }))).toEqual(['idle']);
    expect(states(by({ main: none, sidecar: none }))).toEqual(['idle']);
    expect(states(by({ main: none, sidecar: unsaid }))).toEqual(['unknown']);
    expect(states(by({ main: none, sidecar: down() }))).toEqual(['deploying']);
  });

  it('zero wanted with an explanation is not idle', () => {
    expect(states(idle(12, { message: 'quota exceeded' }))).toEqual(['failed']);
  });

  it('not ready is failed when this rollout was never ready here', () => {
    expect(states(broken(12, 'no such image'))).toEqual(['failed']);
    expect(states(rolling(12), broken(12, 'no such image'))).toEqual(['deploying', 'failed']);
  });

  it('not ready is unhealthy when this rollout was ready here before', () => {
    expect(states(ready(12), broken(12, 'probe failed'))).toEqual(['ready', 'unhealthy']);
    expect(states(ready(12), stale(12), rolling(12), broken(12, 'probe failed')).at(-1)).toBe(
      'unhealthy',
    );
  });
});

describe('how the numbers and the odd members of real answers are read', () => {
  it.each([12, 12.0, '12', '12.0'])('version %j is 12', (twelve) => {
    const memory = last({
      ...ready(12),
      expectedDeploymentVersion: twelve,
      lastProcessedVersion: 12,
      versions: [version(12, { workload: twelve })],
    });

    expect(memory).toMatchObject({ state: 'ready', version: 12 });
  });

  it('versions are compared as numbers', () => {
    expect(
      states(pending(10, { expectedDeploymentVersion: '10', lastProcessedVersion: '9' })),
    ).toEqual(['pending']);
  });

  it('an element without a version belongs to no version', () => {
    const versions = [version(0, { ready: false })];

    expect(last({ ready: true, lastProcessedVersion: 3, versions })).toMatchObject({
      state: 'ready',
      version: 0,
      outgoing: null,
    });
    expect(
      last(
        broken(12, '', { versions: [version(0, { ready: false, containers: { main: down() } })] }),
      ).outgoing,
    ).toBeNull();
  });

  it('members that are left out are false or empty', () => {
    const lean = { expectedDeploymentVersion: 12, lastProcessedVersion: 12 };

    expect(states({ ...lean, ready: true })).toEqual(['ready']);
    expect(states({ ...lean, message: 'no such image' })).toEqual(['failed']);
  });

  it('status.internal is never read: whatever it holds, nothing moves', () => {
    const polls = [ready(11), pending(12), rolling(12), broken(12, 'no such image'), ready(12)];
    const noise = {
      ready: false,
      message: 'failed',
      versions: [{ workload: 99 }],
      jobExecutions: [],
    };
    const noisy = polls.map((poll, index) => ({ ...poll, internal: index % 2 ? noise : index }));

    expect(memories(noisy)).toEqual(memories(polls));
  });
});
