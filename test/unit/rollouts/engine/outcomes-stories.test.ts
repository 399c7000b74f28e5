import { describe, expect, it } from 'vitest';
import {
  broken,
  down,
  idle,
  NOON,
  pending,
  ready,
  rolling,
  stale,
  version,
  type Json,
} from '../platform-json.ts';
import { last, memories, states } from './rollout-scenario.ts';

describe('stories of a rollout', () => {
  it('a first deploy: nothing, then not applied, coming up, ready', () => {
    const first = { versions: [] };

    expect(
      states(
        undefined,
        { expectedDeploymentVersion: 1 },
        pending(1, { lastProcessedVersion: 0, ...first }),
        rolling(1, { versions: [version(1, { ready: false, containers: { main: down() } })] }),
        ready(1),
      ),
    ).toEqual(['unknown', 'pending', 'pending', 'deploying', 'ready']);
  });

  it('the outgoing version is still ready, in each of the ways it is reported', () => {
    expect(
      states(
        ready(11),
        pending(12, { ready: true }),
        ready(12, { versions: [version(11)] }),
        rolling(12, { ready: true }),
        ready(12, { versions: [version(12, { ready: false }), version(11)] }),
        ready(12),
      ),
    ).toEqual(['ready', 'pending', 'deploying', 'deploying', 'deploying', 'ready']);
  });

  it('a missing secret shows in the version alone and fails at once', () => {
    const message =
      'The secret cart-credentials no longer exists. Workload updates are paused until it is restored.';
    const versions = [version(12, { ready: false, message, containers: undefined }), version(11)];

    for (const processed of [11, 12]) {
      const memory = last(
        ready(11),
        broken(12, '', { lastProcessedVersion: processed, desiredScale: undefined, versions }),
      );

      expect(memory).toMatchObject({ state: 'failed', cause: message });
    }
  });

  it('a rollback to a lower version is a rollout of its own', () => {
    expect(states(ready(12), ready(11, { versions: [version(12)] }), ready(11))).toEqual([
      'ready',
      'deploying',
      'ready',
    ]);
  });

  it('a scaling-only change keeps the version and what is known of it', () => {
    const memory = last(ready(12), ready(12, { desiredScale: 6 }));

    expect(memory).toMatchObject({ state: 'ready', since: NOON, wasReady: true });
  });

  it('a re-roll by a new GVC version is a new rollout: that it was ready is forgotten', () => {
    const reroll = broken(12, '', {
      versions: [
        version(12, { gvc: 5, ready: false, message: 'no such image', containers: {} }),
        version(12, { gvc: 4 }),
      ],
    });

    expect(last(ready(12), reroll)).toMatchObject({ state: 'failed', gvc: 5, wasReady: false });
  });

  it('of two GVC versions of the expected version the higher one is judged', () => {
    const versions = [version(12, { gvc: 4 }), version(12, { gvc: 5, ready: false })];

    expect(states(ready(12, { versions }))).toEqual(['deploying']);
    expect(states(ready(12, { versions: versions.toReversed() }))).toEqual(['deploying']);
  });

  it('a GVC version that is not given is no other GVC version', () => {
    const memory = last(
      ready(12),
      ready(12, { versions: [version(12, { gvc: undefined })] }),
      ready(12, { versions: [] }),
      broken(12, 'probe failed'),
    );

    expect(memory).toMatchObject({ state: 'unhealthy', gvc: 4 });
    const unsaid = ready(12, { versions: [version(12, { gvc: undefined })] });
    expect(last(unsaid, broken(12, 'probe failed'))).toMatchObject({ state: 'unhealthy', gvc: 4 });
  });

  it('the GVC version that was last given is what the next one is compared with', () => {
    const unsaid = ready(12, { versions: [version(12, { gvc: undefined })] });
    const versions = [version(12, { gvc: 5, ready: false, message: 'no such image' })];

    expect(last(ready(12), unsaid, broken(12, '', { versions })).state).toBe('failed');
  });

  it('a version that is unset for a moment is not forgotten', () => {
    const memory = last(ready(12), undefined, broken(12, 'probe failed'));

    expect(memory).toMatchObject({ state: 'unhealthy', version: 12 });
  });
});

describe('two zones of a version', () => {
  const zones = (a: Json, b: Json): Json[] => [
    version(12, { zone: 'a', ...a }),
    version(12, { zone: 'b', ...b }),
  ];

  it('are ready when both are', () => {
    expect(states(ready(12, { versions: zones({}, {}) }))).toEqual(['ready']);
    expect(states(ready(12, { versions: zones({}, { ready: false }) }))).toEqual(['deploying']);
    expect(states(ready(12, { versions: zones({ ready: false }, {}) }))).toEqual(['deploying']);
  });

  it('add up their replicas and join their messages, each said once', () => {
    const memory = last(
      broken(12, '', {
        versions: zones(
          { ready: false, message: 'no capacity in a' },
          { ready: false, message: 'no such image', containers: { main: down() } },
        ),
      }),
    );

    expect(memory.replicas).toEqual({ version: 12, ready: 2, wanted: 4 });
    expect(memory.cause).toBe('no capacity in a; no such image');
    const same = zones(
      { message: 'no image', ready: false },
      { message: 'no image', ready: false },
    );
    expect(last(broken(12, '', { versions: same })).cause).toBe('no image');
  });

  it('are idle only when none of them wants a replica', () => {
    const scaled = (a: number, b: number): Json =>
      idle(12, {
        desiredScale: undefined,
        versions: zones(
          { ready: false, desiredScale: a, containers: {} },
          { ready: false, desiredScale: b, containers: {} },
        ),
      });

    expect(states(scaled(0, 0))).toEqual(['idle']);
    expect(states(scaled(0, 1))).toEqual(['deploying']);
  });
});

describe('confirmation', () => {
  it('not ready without an explanation waits for a second poll that says the same', () => {
    expect(states(ready(12), broken(12), broken(12))).toEqual(['ready', 'ready', 'unhealthy']);
    expect(states(rolling(12), broken(12), broken(12))).toEqual([
      'deploying',
      'deploying',
      'failed',
    ]);
  });

  it('until then the state before stays, since when and all', () => {
    expect(last(ready(12), broken(12))).toMatchObject({ state: 'ready', since: NOON, cause: '' });
  });

  it('one poll that says otherwise begins the count anew', () => {
    expect(states(ready(12), broken(12), ready(12), broken(12))).toEqual(Array(4).fill('ready'));
    expect(states(stale(12), broken(12), stale(12), broken(12)).at(-1)).toBe('stale');
  });

  it('the two polls have to be about the same rollout', () => {
    expect(states(ready(11), broken(11), broken(12), broken(12))).toEqual([
      'ready',
      'ready',
      'deploying',
      'failed',
    ]);
  });

  it('an explanation in this poll confirms at once: of the version, a container or the status', () => {
    const said = { message: 'crashed' };
    const inContainer = [version(12, { ready: false, containers: { main: down(said) } })];

    expect(states(ready(12), broken(12, 'crashed'))[1]).toBe('unhealthy');
    expect(states(ready(12), broken(12, '', { versions: inContainer }))[1]).toBe('unhealthy');
    expect(states(ready(12), broken(12, '', said))[1]).toBe('unhealthy');
  });

  it('what is there at the first poll of a GVC is taken at its word', () => {
    expect(memories([broken(12)], { adopting: true })[0]?.state).toBe('failed');
    expect(memories([broken(12)])[0]?.state).toBe('deploying');
  });

  it('a failure that falls silent keeps its cause', () => {
    expect(last(broken(12, 'no such image'), broken(12)).cause).toBe('no such image');
    expect(last(broken(12, 'no such image'), ready(12)).cause).toBe('');
    expect(last(broken(12, 'no such image'), broken(13), broken(13)).cause).toBe('');
  });
});
