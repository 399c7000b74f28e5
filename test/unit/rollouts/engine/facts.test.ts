import { describe, expect, it } from 'vitest';
import { readFacts } from '../../../../src/rollouts/engine/facts.ts';
import {
  broken,
  container,
  deployment,
  down,
  MINUTE,
  NOON,
  ready,
  rolling,
  version,
  type Json,
} from '../platform-json.ts';
import { last } from './rollout-scenario.ts';

describe('what is kept for the card', () => {
  it('ready and wanted replicas, by the least ready container', () => {
    const containers = {
      main: container({ resources: { replicas: 3, replicasReady: 2 } }),
      proxy: container({ resources: { replicas: 3, replicasReady: 3 } }),
    };

    expect(last(ready(12, { versions: [version(12, { containers })] })).replicas).toEqual({
      version: 12,
      ready: 2,
      wanted: 3,
    });
  });

  it('what is wanted is taken from the status where the version is silent', () => {
    const versions = [version(12, { ready: false, message: 'secret gone', containers: undefined })];

    expect(last(broken(12, '', { desiredScale: 3, versions })).replicas).toEqual({
      version: 12,
      ready: 0,
      wanted: 3,
    });
  });

  it('the newest other version that still serves', () => {
    const versions = [
      version(12, { ready: false, containers: { main: down() } }),
      version(9),
      version(10),
      version(11, { containers: { main: down() } }),
      version(0),
    ];

    expect(last(rolling(12, { versions })).outgoing).toEqual({ version: 10, ready: 2, wanted: 2 });
    expect(last(ready(12)).outgoing).toBeNull();
  });

  it('an element that states no version is no version that serves', () => {
    const versions = [
      version(12, { ready: false, containers: { main: down() } }),
      version(0, { workload: undefined }),
    ];

    expect(last(rolling(12, { versions })).outgoing).toBeNull();
  });

  it('during a re-roll the version under the GVC version before still serves', () => {
    const versions = [
      version(12, { gvc: 5, ready: false, containers: { main: down() } }),
      version(12, { gvc: 4 }),
    ];

    expect(last(rolling(12, { versions })).outgoing).toEqual({ version: 12, ready: 2, wanted: 2 });
  });

  it('after a rollback the higher version that still serves', () => {
    const versions = [version(11, { ready: false, containers: { main: down() } }), version(12)];

    expect(last(rolling(11, { versions })).outgoing).toEqual({ version: 12, ready: 2, wanted: 2 });
  });
});

const read = (status: Json) => readFacts(deployment(status));
const at = (ms: number): string => new Date(ms).toISOString();
const main = (over: Json) => ({ containers: { main: container(over) } });

describe('several zones of a version are one entry', () => {
  const zones = [
    version(12, {
      zone: ' b ',
      message: ' no room ',
      created: at(NOON - MINUTE),
      ...main({ restarts: { count: 2, lastRestartTime: at(NOON) } }),
    }),
    version(12, {
      zone: 'a',
      message: 'no room',
      ready: false,
      created: at(NOON - 2 * MINUTE),
      ...main({ restarts: { count: 3, lastRestartTime: at(NOON + MINUTE) } }),
    }),
  ];

  it('ready when all are, since the first began, restarted when the last one was', () => {
    expect(read(broken(12, '', { versions: zones })).entry).toMatchObject({
      ready: false,
      created: NOON - 2 * MINUTE,
      messages: ['no room'],
      zones: ['b', 'a'],
      replicas: { ready: 4, wanted: 4 },
      restarts: 5,
      lastRestartTime: NOON + MINUTE,
    });
  });

  it('says nothing that none of them says', () => {
    const versions = [version(12, { created: undefined, containers: { main: down() } })];

    expect(read(broken(12, '', { versions })).entry).toMatchObject({
      created: undefined,
      zones: [],
      lastRestartTime: undefined,
    });
  });

  it('wants what the location does, or more where its zones do', () => {
    const scaled = (...scales: number[]) =>
      scales.map((desiredScale) => version(12, { desiredScale }));
    const wanted = (desiredScale: number | undefined, versions: Json[]) =>
      read(broken(12, '', { desiredScale, versions })).wanted;

    expect(wanted(5, scaled(2, 2))).toBe(5);
    expect(wanted(3, scaled(2, 2))).toBe(4);
    expect(wanted(undefined, scaled(2, 2))).toBe(4);
  });

  it('wants as much as the container that states most', () => {
    const containers = {
      main: container({ resources: { replicas: 3, replicasReady: 0 } }),
      proxy: container({ resources: { replicasReady: 0 } }),
    };
    const versions = [version(12, { containers })];

    expect(read(broken(12, '', { versions })).entry?.replicas).toMatchObject({ wanted: 3 });
  });
});

describe('what still serves', () => {
  const serving = (status: Json) => read(status).outgoing;

  it('is the newest rendering of the newest version alone', () => {
    const two = { resources: { replicas: 2, replicasReady: 2 } };
    const five = { resources: { replicas: 5, replicasReady: 5 } };
    const versions = [
      version(12, { ready: false, containers: { main: down() } }),
      version(11, { gvc: 3, ...main(five) }),
      version(11, { gvc: 4, zone: 'a', ...main(two) }),
      version(11, { gvc: 4, zone: 'b', ...main(two) }),
      version(10, { gvc: 4, ...main(five) }),
    ];

    expect(serving(rolling(12, { versions }))).toEqual({ version: 11, ready: 4, wanted: 4 });
  });

  it('is not asked for where no version is expected', () => {
    expect(
      serving({ ready: true, lastProcessedVersion: 3, versions: [version(3)] }),
    ).toBeUndefined();
  });
});

it('a message is read without the space around it, and no executions are none', () => {
  expect(read(broken(12, '', { message: '  stopped \n' }))).toMatchObject({
    message: 'stopped',
    cron: false,
    executions: [],
  });
});
