import { describe, expect, it } from 'vitest';
import { broken, container, down, ready, rolling, version } from './platform-json.ts';
import { last } from './record-story.ts';

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
