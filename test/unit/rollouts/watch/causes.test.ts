import { describe, expect, it } from 'vitest';
import {
  explanationOf,
  isFatal,
  nextStepFor,
  plainCause,
  restartsInShort,
  risen,
} from '../../../../src/rollouts/watch/causes.ts';
import { broken, down, MINUTE, NOON, version, type Json } from '../platform-json.ts';
import { factsOf } from './polls.ts';

const at = (ms: number): string => new Date(ms).toISOString();
const restarted = (count: number, over: Json = {}): Json => ({
  restarts: { count, exitCode: 1, reason: 'Error', lastRestartTime: at(NOON + MINUTE), ...over },
});
const OOM = { exitCode: 137, reason: 'OOMKilled' };

/** The explanation of a stopped location; a restart counts when it is later than noon, or `just` has it. */
function explained(
  { entry = '', main = {}, status = '' }: { entry?: string; main?: Json; status?: string },
  just: readonly (readonly [string, number])[] = [],
): string {
  const versions = [
    version(12, { ready: false, message: entry, containers: { main: down(main) } }),
  ];
  return explanationOf(factsOf(broken(12, '', { versions, message: status })), NOON, just);
}

describe('the explanation of a location that is not ready', () => {
  it.each<[string, Parameters<typeof explained>[0], string]>([
    ['the version', { entry: 'a', main: { message: 'b' }, status: 'c' }, 'a'],
    ['else its containers', { main: { message: 'b' }, status: 'c' }, 'b'],
    ['else the status', { status: 'c', main: restarted(3) }, 'c'],
    [
      'else a restart that is new',
      { main: restarted(3) },
      'container main: 3 restarts (Error, exit code 1, memory limit 512 MiB)',
    ],
    ['not an older restart', { main: restarted(3, { lastRestartTime: at(NOON) }) }, ''],
    [
      'a restart of unknown count',
      { main: restarted(0, { count: undefined, exitCode: undefined, reason: undefined }) },
      'container main: restarted (memory limit 512 MiB)',
    ],
    [
      'out of memory before what follows from it',
      { entry: 'Back-off restarting failed container', main: restarted(1, OOM) },
      'container main: 1 restart (OOMKilled, exit code 137, memory limit 512 MiB)',
    ],
    [
      'another cause before out of memory',
      { entry: 'Readiness probe failed', main: restarted(1, OOM) },
      'Readiness probe failed',
    ],
    ['not that replicas are initializing', { entry: 'Replica(s) Initializing...' }, ''],
    [
      'the message of a container beside it',
      { entry: 'Replicas are initializing', main: { message: 'b' } },
      'b',
    ],
  ])('is of %s', (_, said, cause) => {
    expect(explained(said)).toBe(cause);
  });

  it('is of a restart whose count rose since the poll before', () => {
    const main = restarted(3, { lastRestartTime: at(NOON - MINUTE) });
    expect(explained({ main }, [['main', 1]])).toMatch(/^container main: 3 restarts/);
    expect(risen([['main', 3]], [['main', 2]])).toEqual([['main', 1]]);
    expect(risen([['main', 3]], [['main', 5]])).toEqual([]);
  });
});

describe('a cause', () => {
  it.each([
    ['container cart exceeded its memory limit of 512Mi', 'out of memory', false],
    ['exec /app/server: exec format error', 'wrong CPU architecture', true],
    ['Back-off pulling image "cart:v12": ErrImagePull', 'the image cannot be pulled', true],
    ['Pulling image "cart:v12"', '', false],
    ['Failed to pull image "a:v1": i/o timeout', 'the image registry does not answer', true],
    ['The secret cart-key no longer exists. Updates are paused.', 'a secret is missing', true],
    ['pods "a" is forbidden: exceeded quota: memory', 'a quota is used up', true],
    ['Back-off restarting failed container', 'a container keeps stopping', false],
    ['0/3 nodes are available: 3 Insufficient cpu.', 'not enough cluster capacity', false],
    ['The moon is full', '', false],
  ])('%s', (cause, words, fatal) => {
    expect([plainCause(cause), isFatal(cause)]).toEqual([words, fatal]);
  });

  it('has a next step; going back is the first one where users are hurt, and helps against no quota', () => {
    const cause = 'Readiness probe failed';
    const back = 'roll back to v11';
    expect(nextStepFor('')).toBe('look in its logs');
    expect(nextStepFor(cause, { back })).toMatch(/^look in .*, or roll back to v11$/);
    expect(nextStepFor(cause, { back, urgent: true })).toMatch(/^roll back to v11, or look/);
    expect(nextStepFor('exceeded quota: pods', { back })).not.toContain('roll back');
    expect(nextStepFor('OOMKilled, memory limit 512 MiB')).toBe('raise memory above 512 MiB');
  });

  it('that several workloads share has a next step for every one', () => {
    const step = nextStepFor('Readiness probe failed', { several: true });
    expect(step).toBe('look in their logs for why each is not ready');
    expect(nextStepFor('', { several: true })).toBe('look in their logs');
  });

  it('of restarts has the limit where it was the cause, else the exit code', () => {
    const sentence = (details: string): string => `container main: 2 restarts (${details})`;
    expect(restartsInShort(sentence('OOMKilled, exit code 137, memory limit 512 MiB'))).toBe(
      'main, 2 restarts, limit 512 MiB',
    );
    expect(restartsInShort(sentence('Error, exit code 1, memory limit 512 MiB'))).toBe(
      'main, 2 restarts, exit code 1',
    );
    expect(restartsInShort('Readiness probe failed')).toBeUndefined();
  });
});
