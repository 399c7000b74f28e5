import { describe, expect, it } from 'vitest';
import { specOf } from '../../../../src/rollouts/watch/facts.ts';
import {
  broken,
  container,
  down,
  MINUTE,
  NOON,
  pending,
  ready,
  rolling,
  version,
  type Json,
} from '../platform-json.ts';
import { factsOf } from './polls.ts';

const counted = (replicas: number | undefined, replicasReady: number | undefined): Json =>
  container({ resources: { replicas, replicasReady, cpu: 250, memory: 512 } });
const one = (workload: number, main: Json, over: Json = {}): Json =>
  version(workload, { containers: { main }, ...over });

describe('ready replicas', () => {
  it.each<[string, Json, number]>([
    ['of its least ready container', { main: counted(3, 2), proxy: counted(3, 3) }, 2],
    [
      'of those that state replicas',
      { main: counted(3, 2), proxy: container({ resources: {} }) },
      2,
    ],
    ['none where ready ones are absent', { main: counted(3, undefined) }, 0],
    ['all where no container states any, by the flag', { main: container({ resources: {} }) }, 2],
  ])('of a version are %s', (_, containers, have) => {
    expect(factsOf(ready(12, { versions: [version(12, { containers })] }))).toMatchObject({ have });
  });

  it('count serving replicas of all versions, and fresh replicas of the newest entry alone', () => {
    expect(factsOf(rolling(12))).toMatchObject({ have: 2, fresh: 0, others: [[11, 2]] });
    expect(factsOf(ready(12))).toMatchObject({ have: 2, fresh: 2, others: [] });
  });

  it('without any version are all when it is ready, else none', () => {
    expect(factsOf(ready(12, { versions: [] }))).toMatchObject({ have: 2, fresh: 2 });
    expect(factsOf(broken(12, '', { versions: [] }))).toMatchObject({ have: 0, fresh: 0 });
  });

  it('of other versions are listed the newest first, those of zones and GVC versions added', () => {
    const versions = [
      one(12, down()),
      one(10, counted(2, 1)),
      one(11, counted(2, 2), { zone: 'a' }),
      one(11, counted(2, 1), { zone: 'b' }),
      one(12, counted(2, 2), { gvc: 3 }),
    ];
    expect(factsOf(rolling(12, { versions }))).toMatchObject({
      have: 6,
      fresh: 0,
      others: [
        [12, 2],
        [11, 3],
        [10, 1],
      ],
    });
  });
});

describe('replicas that are wanted', () => {
  const zones = [2, 3].map((scale) => version(12, { desiredScale: scale }));
  it.each<[string, Json, number, boolean]>([
    ['desiredScale', { desiredScale: 5, versions: zones }, 5, true],
    ['else the sum over the zones', { desiredScale: undefined, versions: zones }, 5, true],
    [
      'else the most that a version states',
      { desiredScale: undefined, versions: [one(12, counted(3, 0)), one(11, counted(4, 4))] },
      4,
      true,
    ],
    [
      'else one when anything is listed',
      { desiredScale: undefined, versions: [one(12, container({ resources: {} }))] },
      1,
      false,
    ],
    ['else none', { desiredScale: undefined, versions: [] }, 0, false],
  ])('are %s', (_, over, wanted, stated) => {
    expect(factsOf(broken(12, '', over))).toMatchObject({ wanted, stated });
  });
});

describe('the expected version', () => {
  it('is stated, else the highest that is listed', () => {
    expect(factsOf(pending(12))).toMatchObject({ expected: 12, processed: 11, entry: undefined });
    const unset = { expectedDeploymentVersion: undefined, versions: [version(9), version(11)] };
    expect(factsOf(ready(12, unset))).toMatchObject({ expected: 11 });
  });

  it('has as its newest entry the highest GVC version, all zones together', () => {
    const at = (ms: number): string => new Date(ms).toISOString();
    const versions = [
      version(12, { gvc: 3 }),
      version(12, { zone: 'a', message: ' no room ', created: at(NOON) }),
      version(12, { zone: 'b', message: 'no room', ready: false, created: at(NOON - MINUTE) }),
    ];
    expect(factsOf(broken(12, '', { versions })).entry).toMatchObject({
      gvc: 4,
      ready: false,
      created: NOON - MINUTE,
      messages: ['no room'],
    });
  });
});

it('absent flags are false, absent messages empty, an absent status is no status', () => {
  expect(factsOf({})).toMatchObject({
    reported: true,
    ready: false,
    deploying: false,
    message: '',
    expected: 0,
    processed: 0,
    wanted: 0,
  });
  expect(factsOf(undefined).reported).toBe(false);
});

it('status.internal is never read', () => {
  const noise = { ready: false, message: 'failed', versions: [{ workload: 99 }] };
  expect(factsOf({ ...ready(12), internal: noise })).toEqual(factsOf(ready(12)));
});

it('ad-hoc commands are no executions of a schedule', () => {
  const jobExecutions = ['command-a', 'run-for-command-a', 'nightly-1'].map((name) => ({ name }));
  const facts = factsOf(ready(12, { jobExecutions }));
  expect(facts).toMatchObject({ listsExecutions: true, adHoc: true });
  expect(facts.executions.map(({ name }) => name)).toEqual(['nightly-1']);
});

it('the containers of the newest entry are the same in whatever order its zones come', () => {
  const zones = ['v1', 'v2'].map((tag, index) =>
    one(12, container({ image: `cart:${tag}` }), { zone: String(index) }),
  );
  const specs = [zones, zones.toReversed()].map((versions) =>
    specOf(factsOf(ready(12, { versions }))),
  );
  expect(specs[0]).toEqual([['main', 'cart:v1', 250, 512]]);
  expect(specs[1]).toEqual(specs[0]);
});
