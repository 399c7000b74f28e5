import { describe, expect, it } from 'vitest';
import { isFatal } from '../../../../src/rollouts/engine/explain.ts';
import { container, idle, ready, rolling, version, type Json } from '../platform-json.ts';
import { last, restarted, states } from './rollout-scenario.ts';

/** The platform says ready, and so says the entry, of which so many replicas are ready. */
function readyAt(replicasReady: number | undefined, over: Json = {}, entry: Json = {}): Json {
  const resources = { replicas: 2, ...(replicasReady === undefined ? {} : { replicasReady }) };
  return ready(12, {
    versions: [version(12, { containers: { main: container({ resources }) }, ...entry })],
    ...over,
  });
}

describe('several containers', () => {
  const sidecar = { name: 'side', ready: true };
  const unsaid = { desiredScale: undefined };
  const at = (replicasReady: number, over: Json): Json =>
    ready(12, {
      ...unsaid,
      versions: [
        version(12, {
          containers: {
            main: container({ resources: { replicas: 2, replicasReady } }),
            side: sidecar,
          },
        }),
      ],
      ...over,
    });

  it('are wanted where one of them says so, though another counts nothing', () => {
    expect(states(at(0, {}))).toEqual(['deploying']);
    expect(states(at(2, {}))).toEqual(['ready']);
    expect(states(rolling(12), at(0, { ready: false }), at(0, { ready: false }))).toEqual([
      'deploying',
      'deploying',
      'failed',
    ]);
  });

  it('are wanted in a zone that counts, though another zone is scaled to zero', () => {
    const none = container({ resources: { replicas: 2, replicasReady: 0 } });
    const versions = [
      version(12, { zone: 'a', desiredScale: 0, containers: {} }),
      version(12, { zone: 'b', containers: { main: none } }),
    ];

    expect(states(ready(12, { ...unsaid, versions }))).toEqual(['deploying']);
  });

  it('are told apart: the one that restarts now is the one that is told', () => {
    const crash = (main: number, proxy: number): Json => {
      const of = (count: number, reason: string, memory: number): Json => ({
        restarts: { count, reason },
        resources: { replicas: 2, replicasReady: 2, memory },
      });
      return ready(12, {
        versions: [
          version(12, {
            containers: {
              main: container(of(main, 'OOMKilled', 512)),
              proxy: container(of(proxy, 'Completed', 64)),
            },
          }),
        ],
      });
    };

    // The sum falls when the proxy is reset, and main restarts all the same.
    const now = last(crash(0, 50), crash(1, 50), crash(2, 0), crash(3, 0));
    expect(now.climbs).toHaveLength(3);
    expect(now.crash).toMatchObject({ container: 'main', reason: 'OOMKilled', memory: 512 });
  });
});

describe('a start from nothing', () => {
  const old = { ...restarted(1), resources: { replicas: 2, replicasReady: 0 } };
  const empty = ready(12, { versions: [version(12, { containers: { main: container(old) } })] });

  it('is no sickness, also where the platform says ready and a restart of before is counted', () => {
    const before = ready(12, {
      versions: [version(12, { containers: { main: container(restarted(1)) } })],
    });

    expect(states(before, idle(12), empty, empty, empty).slice(2)).toEqual([
      'deploying',
      'deploying',
      'deploying',
    ]);
  });
});

describe('what is unhealthy at no ready replica', () => {
  it('stays so until one is ready, whether or not a poll says why', () => {
    const why = { message: 'Readiness probe failed' };
    const polls = [ready(12), readyAt(0, why), readyAt(0, why), readyAt(0), readyAt(0, why)];

    expect(states(...polls, readyAt(1)).slice(2)).toEqual([
      'unhealthy',
      'unhealthy',
      'unhealthy',
      'ready',
    ]);
  });
});

describe('words that only look fatal', () => {
  it.each([
    'Readiness probe failed: GET /quota 503',
    'Back-off restarting failed container quota',
    'Scaling within quota 10',
    'container quota: 3 restarts (Error, exit code 1)',
    'Failed readiness check, pulling metrics',
    'Container is starting; no errors, pulling image "x"',
    'Startup probe failed: image index not found yet',
    'Waiting for secret-agent sidecar: socket not found',
  ])('%s', (cause) => {
    expect(isFatal(cause)).toBe(false);
  });

  it.each([
    'The secrets a, b no longer exist.',
    'Missing secret cart',
    'Image pull failed',
    'pull access denied for shop/cart',
    'Failed to pull image "shop/cart:v9": not found',
  ])('and words that are: %s', (cause) => {
    expect(isFatal(cause)).toBe(true);
  });
});
