import { describe, expect, test } from 'vitest';
import { readPage } from '../../../../src/platform/deployments/client.ts';
import * as fc from '../../../support/fast-check.ts';
import { pathsOf, replaced } from '../replaced.ts';
import { emptyList, isReadOrRefused, item, read } from './items.ts';

/** A deployment with every field of spec 2.12, for the mutations to bite on. */
const WHOLE = {
  kind: 'deployment',
  name: 'aws-us-west-2',
  lastModified: '2026-10-05T12:00:00Z',
  status: {
    endpoint: 'https://web.example/',
    remote: 'https://control.example',
    ready: true,
    deploying: false,
    message: '',
    lastProcessedVersion: 11,
    expectedDeploymentVersion: '11',
    desiredScale: 2,
    versions: [
      {
        name: 'web-00011',
        workload: 11,
        gvc: 3,
        created: '2026-10-05T12:00:00Z',
        ready: true,
        message: '',
        zone: 'us-west-2a',
        desiredScale: 2,
        containers: {
          main: {
            name: 'main',
            image: 'shop:11',
            ready: true,
            message: '',
            resources: { replicas: 2, replicasReady: 2, cpu: 100, memory: 128 },
            restarts: { count: 1, exitCode: 0, reason: 'Completed', lastRestartTime: '2026-10-05' },
          },
        },
      },
    ],
    jobExecutions: [
      {
        name: 'run',
        replica: 'run-1',
        status: 'failed',
        workloadVersion: 11,
        startTime: '2026-10-05T12:00:00Z',
        completionTime: '2026-10-05T12:01:00Z',
        conditions: [
          {
            type: 'Failed',
            status: 'True',
            reason: 'BackoffLimitExceeded',
            message: '',
            lastDetectionTime: '2026-10-05T12:01:00Z',
            lastTransitionTime: '2026-10-05T12:01:00Z',
          },
        ],
        containers: { main: { image: 'shop:11', resources: { cpu: 100 }, restarts: { count: 1 } } },
        message: 'exited with code 1',
      },
    ],
    internal: { ready: false, lastProcessedVersion: 99 },
  },
  links: [
    { rel: 'self', href: '/org/acme/gvc/shop/workload/web/deployment/aws-us-west-2' },
    { rel: 'workload', href: '/org/acme/gvc/shop/workload/web' },
  ],
};

const ODD = [null, undefined, 0, -1, 1.5, '', 'yes', 'true', true, false, [], {}, [[]], [null]];

const hostileKey = fc.constantFrom('__proto__', 'constructor', 'toString', 'hasOwnProperty', 'a');
const anything = fc.oneof(
  fc.constantFrom(...ODD),
  fc.jsonValue({ maxDepth: 3 }),
  fc.dictionary(hostileKey, fc.jsonValue({ maxDepth: 1 })),
);
const mutation = fc.record({ path: fc.constantFrom(...pathsOf(WHOLE)), by: anything });

describe('whatever stands in an item', () => {
  test('its list is read, the neighbour lives, and ready is said only where it stands', () => {
    fc.assert(
      fc.property(fc.array(mutation, { minLength: 1, maxLength: 3 }), (mutations) => {
        const odd = mutations.reduce<unknown>(
          (value, { path, by }) => replaced(value, path, by),
          WHOLE,
        );

        const list = read([odd, item('neighbour')]);

        const literallyReady = (odd as typeof WHOLE | null)?.status?.ready === true;
        const told = list.deployments.slice(0, -1).map(({ ready }) => ready);
        expect(list.deployments.at(-1)).toMatchObject({ workload: 'neighbour', ready: true });
        expect(told).toEqual(told.map(() => literallyReady));
        expect(list.deployments.length + list.unreadable.length + list.unidentified).toBeLessThan(
          3,
        );
      }),
      { numRuns: 5_000 },
    );
  });

  test('every field with every wrong type', () => {
    for (const path of pathsOf(WHOLE)) {
      for (const by of ODD) expect(() => read([replaced(WHOLE, path, by)])).not.toThrow();
    }
  });
});

test('whatever a page is, it is read or refused with a PlatformError', () => {
  const link = fc.record({ rel: fc.constantFrom('next', 'self', 7), href: anything });
  const almostPage = fc.record(
    { items: fc.oneof(anything, fc.array(anything)), links: fc.oneof(anything, fc.array(link)) },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.oneof(anything, almostPage), (page) => {
      expect(isReadOrRefused(() => readPage(page, undefined, emptyList()))).toBe(true);
    }),
    { numRuns: 5_000 },
  );
});

test('fields outside of the contract change nothing, least of all status.internal', () => {
  const [plain] = read([WHOLE]).deployments;
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (internal, unknown) => {
      const noisy = { ...WHOLE, later: unknown, status: { ...WHOLE.status, internal, unknown } };
      expect(read([noisy]).deployments).toEqual([plain]);
    }),
  );
});

test('keys that mean something to JavaScript are names like others or nothing', () => {
  const text = JSON.stringify(WHOLE)
    .replaceAll('"main":', '"__proto__":')
    .replace('"kind":', '"__proto__":{"status":{"ready":false}},"constructor":');
  const list = emptyList();

  readPage({ items: [JSON.parse(text)] }, undefined, list);
  readPage(
    JSON.parse(`{"items":[{"name":"x","__proto__":{"status":{"ready":true}}}]}`),
    'web',
    list,
  );

  expect(list.deployments).toMatchObject([{ ready: true }, { hasStatus: false, ready: false }]);
  expect(Object.hasOwn(Object.prototype, 'status')).toBe(false);
});

test('a number that is too large for a number is no version', () => {
  const list = emptyList();

  readPage(
    JSON.parse('{"items":[{"name":"x","status":{"expectedDeploymentVersion":1e999}}]}'),
    'web',
    list,
  );

  expect(list.unreadable).toEqual(['web/x']);
});

test('one bad item among ten thousand costs itself alone', () => {
  const items: object[] = Array.from({ length: 10_000 }, (_, index) => item(`w${index}`));
  items[5_000] = { ...item('bad'), status: { versions: 'none' } };

  const list = read(items);

  expect(list.deployments).toHaveLength(9_999);
  expect(list.unreadable).toEqual(['bad/aws-us-west-2']);
});
