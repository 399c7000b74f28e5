import { describe, expect, it } from 'vitest';
import { isYoung, lackingLocation, shouldServe } from '../../../../src/rollouts/watch/location.ts';
import {
  broken,
  container,
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
import { locationsOf, minute, newLocationsOf, stateOf, statesOf } from './polls.ts';

const CRASH = 'Back-off restarting failed container';
const NOTHING = { desiredScale: undefined, versions: [] };
const ADHOC = { jobExecutions: [{ name: 'command-a', status: 'failed' }] };
const half = (up: number, of: number): Json =>
  version(12, {
    containers: { main: container({ resources: { replicas: of, replicasReady: up } }) },
  });

/** Design section 4.2, row by row; each location is seen for the first time. */
describe('the state of a location', () => {
  it.each<[string, string, Json | undefined]>([
    ['suspended', 'its message says so', suspended(12)],
    ['suspended', 'also beyond its version', suspended(12, { lastProcessedVersion: 13 })],
    [
      'ready',
      'and not suspended, when it is ready',
      ready(12, { message: suspended(12)['message'] }),
    ],
    ['stale', 'its report is overdue', stale(12)],
    ['stale', 'also when it is ready', stale(12, { ready: true })],
    ['unknown', 'it has no status', undefined],
    ['unknown', 'it states nothing', broken(12, '', NOTHING)],
    ['cron', 'an execution is listed', cron(12)],
    ['cron', 'an empty list of executions, and nothing served', { ...NOTHING, jobExecutions: [] }],
    ['ready', 'commands alone make no schedule', ready(12, ADHOC)],
    ['idle', 'none are wanted', idle(12)],
    ['ready', 'none are wanted, and it is ready', ready(12, { desiredScale: 0 })],
    ['ready', 'all are up', ready(12)],
    ['ready', 'half are up', ready(12, { desiredScale: 4, versions: [half(2, 4)] })],
    [
      'unhealthy',
      'less than half are up, at the first poll',
      ready(12, { desiredScale: 4, versions: [half(1, 4)] }),
    ],
    ['ready', 'nothing is listed', ready(12, { versions: [] })],
    ['ready', 'another version has been acted on', ready(12, { lastProcessedVersion: 13 })],
    ['pending', 'the change has not been acted on', pending(12)],
    [
      'failed',
      'it has been acted on, whatever was processed',
      broken(12, CRASH, { lastProcessedVersion: 11 }),
    ],
    ['deploying', 'it says so', rolling(12)],
    ['deploying', 'only other versions are listed', broken(12, '', { versions: [version(11)] })],
    ['failed', 'it has stopped', broken(12)],
    ['failed', 'it has stopped, with a reason', broken(12, CRASH)],
  ])('is %s: %s', (state, _, status) => {
    expect(stateOf(status)).toBe(state);
  });

  it('is unhealthy where this version was ready, failed where only another one was', () => {
    expect(statesOf(ready(12), broken(12))).toEqual(['ready', 'unhealthy']);
    expect(statesOf(ready(11), broken(12, CRASH))).toEqual(['ready', 'failed']);
    expect(statesOf(ready(12), stale(12), broken(12))).toEqual(['ready', 'stale', 'unhealthy']);
  });

  it('is failed again under another version of the GVC', () => {
    const versions = [version(12, { gvc: 5, ready: false, containers: { main: down() } })];
    expect(statesOf(ready(12), broken(12, CRASH, { versions }))).toEqual(['ready', 'failed']);
  });

  it('is deploying for its first ten minutes without an explanation', () => {
    const all = newLocationsOf(...Array.from({ length: 11 }, () => broken(12)));
    expect(all.map(({ state }) => state)).toEqual([
      ...Array.from({ length: 10 }, () => 'deploying'),
      'failed',
    ]);
    expect(newLocationsOf(broken(12, CRASH))[0]?.state).toBe('failed');
    expect(newLocationsOf(broken(12, 'Replica(s) Initializing...'))[0]?.state).toBe('deploying');
  });

  it('is cron for a day after the last execution, unless something serves', () => {
    const all = locationsOf(cron(12), broken(12), ready(12));
    expect(all.map(({ state }) => state)).toEqual(['cron', 'cron', 'ready']);
  });

  it('keeps its facts while it does not report', () => {
    const [before, after] = locationsOf(ready(12), stale(12));
    expect(after).toMatchObject({ have: before?.have, version: 12, wasReady: true });
  });
});

describe('replicas that it should serve', () => {
  it('are the fewest wanted within ten minutes', () => {
    const scaled = (scale: number): Json => ready(12, { desiredScale: scale });
    const all = locationsOf(scaled(2), ...Array.from({ length: 11 }, () => scaled(10)));
    expect(all.map(shouldServe)).toEqual([2, ...Array.from({ length: 10 }, () => 2), 10]);
    expect(locationsOf(scaled(4), scaled(2)).map(shouldServe)).toEqual([4, 2]);
  });
});

describe('a location is young', () => {
  const younger = (all: readonly ReturnType<typeof locationsOf>[number][]): boolean[] =>
    all.map((one, index) => isYoung(one, minute(index)));

  it('for its first ten minutes, and not at the first poll', () => {
    const twelve = Array.from({ length: 12 }, () => ready(12));
    expect(younger(newLocationsOf(...twelve)).filter(Boolean)).toHaveLength(10);
    expect(younger(locationsOf(...twelve)).some(Boolean)).toBe(false);
  });

  it('for ten minutes after each new maximum of its rollout', () => {
    const up = (count: number): Json =>
      rolling(12, { desiredScale: 3, versions: [half(count, 3)] });
    const five = (count: number): Json[] => Array.from({ length: 5 }, () => up(count));
    const all = locationsOf(ready(11), ...five(0), ...five(1), ...five(0), ...five(1));
    // It moved last in minute 6.
    expect(younger(all).lastIndexOf(true)).toBe(15);
  });

  it('until it has stopped in two polls in a row', () => {
    const all = locationsOf(ready(11), rolling(12), broken(12, CRASH), broken(12, CRASH));
    expect(younger(all)).toEqual([false, true, true, false]);
  });
});

describe('a location that a list lacks', () => {
  const [known] = locationsOf(rolling(12));

  it('is gone with the second list in a row, or at once when that is certain', () => {
    if (known === undefined) throw new Error('nothing is known');
    const once = lackingLocation(known, minute(1), false);
    expect([once.state, once.missing]).toEqual(['deploying', 1]);
    expect(lackingLocation(once, minute(2), false)).toMatchObject({ state: 'gone', have: 0 });
    expect(lackingLocation(once, { ...minute(9), inRow: false }, false).state).toBe('deploying');
    expect(lackingLocation(known, minute(1), true).state).toBe('gone');
  });

  it('is remembered to have left unready', () => {
    const [well] = locationsOf(ready(12));
    const left = [known, well].map(
      (one) => one && lackingLocation(one, minute(1), true).leftUnready,
    );
    expect(left).toEqual([true, undefined]);
  });
});
