import { describe, expect, it } from 'vitest';
import {
  broken,
  container,
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
import { last, restarted, states } from './rollout-scenario.ts';

describe('explanations, in their order', () => {
  const crashing = (over: Json): Json[] => [
    version(12, { ready: false, containers: { main: down(over) } }),
  ];
  const cause = (versions: Json[], message = ''): string =>
    last(broken(12, '', { versions, message })).cause;

  it('the version first, then its containers, then restarts, then the status', () => {
    const all = { message: 'of the container', ...restarted(3) };
    const withMessage = [
      version(12, { ready: false, message: 'of the version', containers: { main: down(all) } }),
    ];

    expect(cause(withMessage, 'of the status')).toBe('of the version');
    expect(cause(crashing(all), 'of the status')).toBe('of the container');
    expect(cause(crashing(restarted(3)), 'of the status')).toBe(
      'container main: 3 restarts (Error, exit code 1, memory limit 512 MiB)',
    );
    expect(cause(crashing({}), 'of the status')).toBe('of the status');
  });

  it('a crash loop with exit code 0 and reason Completed is told by its restarts', () => {
    const loop = restarted(4, { exitCode: 0, reason: 'Completed' });

    expect(cause(crashing(loop))).toBe(
      'container main: 4 restarts (Completed, exit code 0, memory limit 512 MiB)',
    );
  });

  it('out of memory names the limit and comes before the back-off that follows from it', () => {
    const killed = restarted(1, { exitCode: 137, reason: 'OOMKilled' });

    expect(cause(crashing({ message: 'Back-off restarting failed container', ...killed }))).toBe(
      'container main: 1 restart (OOMKilled, exit code 137, memory limit 512 MiB)',
    );
  });

  it('out of memory is looked for whenever a message tells that containers stop', () => {
    const killed = { restarts: { count: 4, exitCode: 137, reason: 'OOMKilled' } };
    const loop = crashing({ message: 'Back-off restarting failed container', ...killed });

    expect(cause(loop)).toMatch(/OOMKilled, exit code 137, memory limit 512 MiB/);
    expect(cause(crashing({ message: 'Readiness probe failed: HTTP 503', ...killed }))).toBe(
      'Readiness probe failed: HTTP 503',
    );
    expect(cause(crashing({ message: 'Back-off restarting failed container' }))).toBe(
      'Back-off restarting failed container',
    );
  });

  it.each([
    'exec /app/server: exec format error',
    'Readiness probe failed: HTTP probe failed with statuscode: 503',
    'The secret cart-credentials no longer exists. Workload updates are paused until it is restored.',
    'Failed to pull image "registry.example.com/acme/cart:v9": not found',
  ])('keeps the words of the platform: %s', (message) => {
    expect(cause(crashing({ message }))).toBe(message);
  });

  it('names the container that restarted most, and how often that one did', () => {
    const containers = {
      proxy: down(restarted(1, { exitCode: 2 })),
      main: down(restarted(4, { exitCode: 3 })),
    };

    expect(cause([version(12, { ready: false, containers })])).toBe(
      'container main: 4 restarts (Error, exit code 3, memory limit 512 MiB)',
    );
  });

  it('restarts from before this version began explain nothing', () => {
    const old = restarted(7, { lastRestartTime: new Date(NOON - 60 * MINUTE).toISOString() });
    const broke = broken(12, '', { versions: crashing(old) });

    expect(
      states(
        ready(12, { versions: [version(12, { containers: { main: container(old) } })] }),
        broke,
      )[1],
    ).toBe('ready');
  });

  it('a count that rose since the last poll explains, whatever the times say', () => {
    const count = (n: number): Json[] => crashing({ restarts: { count: n } });

    expect(
      states(
        ready(12, {
          versions: [version(12, { containers: { main: container({ restarts: { count: 2 } }) } })],
        }),
        broken(12, '', { versions: count(3) }),
      ),
    ).toEqual(['ready', 'unhealthy']);
    expect(
      states(rolling(12, { versions: count(2) }), broken(12, '', { versions: count(2) })),
    ).toEqual(['deploying', 'deploying']);
  });

  it('the count of another version is not compared', () => {
    const before = ready(11, {
      versions: [version(11, { containers: { main: container({ restarts: { count: 1 } }) } })],
    });
    const after = broken(12, '', { versions: crashing({ restarts: { count: 2 } }) });

    expect(states(before, after)).toEqual(['ready', 'deploying']);
  });

  it('a restart without a count explains by its time and reason', () => {
    const uncounted = restarted(1, { count: undefined });

    expect(cause(crashing(uncounted))).toBe(
      'container main: restarted (Error, exit code 1, memory limit 512 MiB)',
    );
  });
});

const crashing = (over: Json, ofVersion: Json = {}): Json[] => [
  version(12, { ready: false, containers: { main: down(over) }, ...ofVersion }),
];
const cause = (versions: Json[], message = ''): string =>
  last(broken(12, '', { versions, message })).cause;
const at = (ms: number): string => new Date(ms).toISOString();

describe('what a restart has to say', () => {
  it('is its count alone where nothing else is known of it', () => {
    const bare = restarted(2, { exitCode: undefined, reason: undefined });

    expect(cause(crashing(bare))).toBe('container main: 2 restarts (memory limit 512 MiB)');
  });

  it('is its reason where there is no exit code', () => {
    expect(cause(crashing(restarted(2, { exitCode: undefined })))).toBe(
      'container main: 2 restarts (Error, memory limit 512 MiB)',
    );
  });

  it('is no memory limit that nobody stated', () => {
    const killed = restarted(1, { exitCode: 137, reason: 'OOMKilled' });
    const resources = { replicas: 2, replicasReady: 0 };

    expect(cause(crashing({ ...killed, resources }))).toBe(
      'container main: 1 restart (OOMKilled, exit code 137)',
    );
  });

  it('is nothing where no container tells of restarts', () => {
    const containers = { main: down(restarted(2)), proxy: down() };

    expect(cause(crashing({}, { containers }))).toBe(
      'container main: 2 restarts (Error, exit code 1, memory limit 512 MiB)',
    );
    expect(cause(crashing({ message: 'Backoff restarting' }))).toBe('Backoff restarting');
  });

  it.each(['backoff', 'Back-Off', 'was OOMKilled', 'out of memory', 'is being restarted'])(
    'comes before "%s" when the container ran out of memory',
    (message) => {
      const killed = { restarts: { count: 4, exitCode: 137, reason: 'OOMKilled' } };

      expect(cause(crashing({ message, ...killed }))).toMatch(/^container main: 4 restarts \(OOM/);
    },
  );
});

describe('which restarts count', () => {
  const began = at(NOON - MINUTE);

  it.each([
    ['after the version began', at(NOON - MINUTE + 1), began, 'failed'],
    ['at the very moment it began', began, began, 'deploying'],
    ['at an unknown time', undefined, began, 'deploying'],
    ['of a version that does not say when it began', at(NOON), undefined, 'deploying'],
  ])('one %s', (_when, lastRestartTime, created, state) => {
    const versions = crashing(restarted(3, { lastRestartTime }), { created });

    expect(states(broken(12, '', { versions }))).toEqual([state]);
  });

  it('none of a version that is not there', () => {
    expect(states(pending(12, { versions: [] }))).toEqual(['pending']);
    expect(states(broken(12, '', { versions: [] }), broken(12, '', { versions: [] }))).toEqual([
      'deploying',
      'failed',
    ]);
  });
});

describe('what is kept of a record', () => {
  it('is why it is sick, and nothing once it is not', () => {
    const polls = [ready(12), broken(12, 'probe failed')];

    expect(last(...polls)).toMatchObject({ state: 'unhealthy', cause: 'probe failed' });
    expect(last(...polls, ready(12)).cause).toBe('');
    expect(last(rolling(12)).cause).toBe('');
  });

  it('is no cause where there never was one', () => {
    const polls = [rolling(12), broken(12), broken(12)];

    expect(last(...polls)).toMatchObject({ state: 'failed', cause: '' });
  });

  it('is what was wanted, also while the expected version is not listed', () => {
    const none = { version: 12, ready: 0 };

    expect(last(pending(12, { desiredScale: 3 })).replicas).toEqual({ ...none, wanted: 3 });
    expect(last(pending(12, { desiredScale: undefined })).replicas).toEqual({ ...none, wanted: 0 });
    expect(last(idle(12)).replicas).toEqual({ ...none, wanted: 0 });
  });
});
