import { describe, expect, it } from 'vitest';
import {
  broken,
  down,
  idle,
  MINUTE,
  NOON,
  pending,
  ready,
  rolling,
  version,
} from './platform-json.ts';
import type { Json } from './platform-json.ts';
import { last, restarted, states } from './record-story.ts';

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
