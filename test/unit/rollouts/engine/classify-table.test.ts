import { describe, expect, it } from 'vitest';
import { statusOf } from '../../../../src/rollouts/engine/classify.ts';
import { isFatal } from '../../../../src/rollouts/engine/explain.ts';
import {
  broken,
  container,
  deployment,
  down,
  idle,
  MINUTE,
  NOON,
  pending,
  ready,
  rolling,
  version,
  type Json,
} from '../platform-json.ts';
import { last, memories, restarted, states } from './rollout-scenario.ts';

const INITIALIZING = 'Replica(s) Initializing...';
const NOTHING_STATED = { desiredScale: undefined, versions: [] };

/** The platform says ready, and so says the entry, of which so many replicas are ready. */
function readyAt(replicasReady: number | undefined, over: Json = {}, entry: Json = {}): Json {
  const resources = { replicas: 2, ...(replicasReady === undefined ? {} : { replicasReady }) };
  return ready(12, {
    versions: [version(12, { containers: { main: container({ resources }) }, ...entry })],
    ...over,
  });
}

describe('which version is meant', () => {
  it('what serves and states no version at all is ready, or deploying, by its flag', () => {
    expect(states({ ready: true })).toEqual(['ready']);
    expect(states({ ready: true, deploying: true })).toEqual(['deploying']);
  });

  it('a processed version without an expected one is no change on its way', () => {
    expect(states({ ready: true, lastProcessedVersion: 11 })).toEqual(['ready']);
    expect(states({ lastProcessedVersion: 11 })).toEqual(['unknown']);
    expect(states({ lastProcessedVersion: 11, desiredScale: 0 })).toEqual(['idle']);
    expect(states({ lastProcessedVersion: 11, message: 'no such image' })).toEqual(['failed']);
  });

  it('an expected version that nothing has processed is pending while nothing serves or explains', () => {
    const unset = { lastProcessedVersion: undefined };

    expect(states(pending(12, unset))).toEqual(['pending']);
    expect(states(pending(12, { ...unset, message: 'no such image' }))).toEqual(['deploying']);
    expect(states(ready(12, unset))).toEqual(['ready']);
  });

  it('replicas that are initializing take nothing from pending', () => {
    const versions = [version(12, { ready: false, message: INITIALIZING }), version(11)];

    expect(states(pending(12, { versions }))).toEqual(['pending']);
  });

  it('a version that serves under a failing one is the other version', () => {
    const versions = [
      version(2, { ready: false, message: 'no such image', containers: { main: down() } }),
      version(1),
    ];
    const now = ready(2, { ready: false, versions });

    expect(states(now)).toEqual(['failed']);
    expect(states({ ...now, ready: true })).toEqual(['deploying']);
    expect(last({ ...now, ready: true })).toMatchObject({
      cause: 'no such image',
      outgoing: { version: 1, ready: 2, wanted: 2 },
    });
  });
});

describe('ready is not believed where the entry itself says otherwise', () => {
  it('with none of the wanted replicas it is deploying', () => {
    expect(states(readyAt(0))).toEqual(['deploying']);
  });

  it('with some of them it is ready', () => {
    expect(states(readyAt(1))).toEqual(['ready']);
    expect(states(readyAt(2))).toEqual(['ready']);
  });

  it('with one container of two it is ready: not all say none', () => {
    const containers = { main: down(), proxy: container() };

    expect(states(ready(12, { versions: [version(12, { containers })] }))).toEqual(['ready']);
  });

  it('without counts it is deploying while the entry only says that replicas are initializing', () => {
    const bare = (message: string): Json => readyAt(undefined, {}, { message });

    expect(states(bare(INITIALIZING))).toEqual(['deploying']);
    expect(states(bare('Replicas are still initializing'))).toEqual(['deploying']);
    expect(states(bare(''))).toEqual(['ready']);
    expect(states(bare('serves since noon'))).toEqual(['ready']);
  });

  it('with counts it is ready, whatever is initializing', () => {
    expect(states(readyAt(2, {}, { message: INITIALIZING }))).toEqual(['ready']);
  });

  it('scaled to zero on demand it is ready', () => {
    const resources = { replicas: 0, replicasReady: 0 };
    const entry = { containers: { main: container({ resources }) }, message: INITIALIZING };

    expect(states(readyAt(0, { desiredScale: 0 }, entry))).toEqual(['ready']);
  });

  it('unhealthy when it was ready before and an explanation holds for two polls', () => {
    const why = { message: 'Readiness probe failed' };

    expect(states(ready(12), readyAt(0), readyAt(0), readyAt(0)).at(-1)).toBe('deploying');
    expect(states(ready(12), readyAt(0, why), readyAt(0), readyAt(0, why)).at(-1)).toBe(
      'deploying',
    );
    expect(states(ready(12), readyAt(0, why), readyAt(0, why), readyAt(0, why))).toEqual([
      'ready',
      'deploying',
      'unhealthy',
      'unhealthy',
    ]);
    expect(states(readyAt(0, why), readyAt(0, why))).toEqual(['deploying', 'deploying']);
  });
});

describe('that replicas are initializing explains nothing', () => {
  it('so failed and unhealthy need their two polls', () => {
    expect(states(rolling(12), broken(12, INITIALIZING), broken(12, INITIALIZING))).toEqual([
      'deploying',
      'deploying',
      'failed',
    ]);
    expect(states(ready(12), broken(12, INITIALIZING), broken(12, INITIALIZING))).toEqual([
      'ready',
      'ready',
      'unhealthy',
    ]);
  });

  it('wherever it is said', () => {
    const inContainer = version(12, {
      ready: false,
      containers: { main: down({ message: INITIALIZING }) },
    });
    const polls = [
      broken(12, '', { message: INITIALIZING }),
      broken(12, '', { versions: [inContainer] }),
    ];

    for (const poll of polls) expect(states(rolling(12), poll).at(-1)).toBe('deploying');
  });

  it('and what is said beside it is the explanation', () => {
    const entry = version(12, {
      ready: false,
      message: INITIALIZING,
      containers: { main: down({ message: 'no such image' }) },
    });

    expect(last(rolling(12), broken(12, '', { versions: [entry] }))).toMatchObject({
      state: 'failed',
      cause: 'no such image',
    });
  });

  it('for somebody who asks once it is deploying, too', () => {
    const asked = (status: Json) => statusOf(deployment(status), undefined, NOON).state;

    expect(asked(broken(12, INITIALIZING))).toBe('deploying');
    expect(asked(broken(12))).toBe('failed');
  });
});

describe('nothing is wanted', () => {
  it('a restart of before does not keep it from being idle', () => {
    const before = down({ resources: { replicas: 0, replicasReady: 0 }, ...restarted(3) });
    const versions = [version(12, { ready: false, containers: { main: before } })];

    expect(states(idle(12, { versions }))).toEqual(['idle']);
    expect(states(idle(12, { versions, desiredScale: undefined }))).toEqual(['idle']);
  });

  it('a suspended location is suspended, also where it has processed more than is expected', () => {
    const message = 'This location is deactivated because suspend is set to true.';

    expect(states(broken(12, '', { message, lastProcessedVersion: 13 }))).toEqual(['suspended']);
  });

  it('what states nothing and stands at its version is at rest from the second poll on', () => {
    const silent = broken(12, '', NOTHING_STATED);
    const rests = memories([rolling(12), silent, silent]).map(({ atRest }) => atRest);

    expect(states(rolling(12), silent, silent).slice(1)).toEqual(['unknown', 'unknown']);
    expect(rests).toEqual([undefined, 1, 2]);
    expect(last(silent, ready(12)).atRest).toBeUndefined();
    expect(last(silent, { ...silent, lastProcessedVersion: undefined }).atRest).toBeUndefined();
  });
});

describe('executions', () => {
  const runs = (...jobExecutions: Json[]): Json => ready(12, { jobExecutions });

  it('of ad-hoc commands make no cron workload, and are not told', () => {
    const adHoc = runs(
      { name: 'command-abc', status: 'failed' },
      { name: 'run-for-command-abc', status: 'failed' },
    );

    expect(last(adHoc)).toMatchObject({ state: 'ready', cron: false, jobs: [] });
    expect(states(runs())).toEqual(['ready']);
  });

  it('of a schedule do, once and for all, also beside ad-hoc ones', () => {
    const both = runs({ name: 'command-abc' }, { name: 'nightly-1', status: 'failed' });

    expect(last(both)).toMatchObject({ state: 'cron', jobs: ['nightly-1 failed'] });
    expect(last(both, runs())).toMatchObject({ state: 'cron' });
  });

  it('have their status read in any case', () => {
    expect(last(runs({ name: 'nightly-1', status: 'Failed' })).jobs).toEqual(['nightly-1 failed']);
  });
});

describe('what there is to say', () => {
  it('a cause is kept while the rollout is on its way', () => {
    expect(last(broken(12, 'no such image', { deploying: true }))).toMatchObject({
      state: 'deploying',
      cause: 'no such image',
    });
  });

  it('the message of the status is kept while a change is pending or has diverged', () => {
    expect(last(pending(12, { message: 'no room yet' }))).toMatchObject({
      state: 'pending',
      cause: 'no room yet',
    });
    expect(last(ready(12, { lastProcessedVersion: 13, message: 'held' }))).toMatchObject({
      state: 'diverged',
      cause: 'held',
    });
  });
});

describe('a cause that somebody has to mend', () => {
  it.each([
    ['The secret cart-credentials no longer exists. Workload updates are paused', true],
    ['Back-off pulling image "shop/cart:v9": ErrImagePull: not found', true],
    ['One or more images could not be pulled.', true],
    ['Workload updates are held: the quota "memory" of the org is reached.', true],
    ['pods "cart" is forbidden: exceeded quota: compute', true],
    ['Pulling image "shop/cart:v9"', false],
    ['Successfully pulled image "shop/cart:v9" in 2s', false],
    ['Readiness probe failed: HTTP probe failed with statuscode: 503', false],
    ['Replica(s) Initializing...', false],
    ['back-off 5m0s restarting failed container=main', false],
    ['', false],
  ])('%s', (cause, fatal) => {
    expect(isFatal(cause)).toBe(fatal);
  });

  it('counts from when it first stood, on its way, whatever else it is then', () => {
    const held = rolling(12, { message: 'The secret db no longer exists.' });
    const pulled = rolling(12, { message: 'ErrImagePull' });
    const since = memories([rolling(12), held, MINUTE, pulled, rolling(12), held]).map(
      ({ heldUpSince }) => heldUpSince,
    );

    expect(since.map((at) => at && (at - NOON) / 1_000)).toEqual([
      undefined,
      10,
      10,
      undefined,
      90,
    ]);
  });
});
