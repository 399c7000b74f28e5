import { expect, test } from 'vitest';
import { readAll, scanItems, scanPage } from '../../../../src/platform/deployments/client.ts';
import { item, read, readOne } from './items.ts';

/** The items of these pages, the first in the list of the workload. */
function pages(workload: string | undefined, ...answers: unknown[]) {
  const list = scanItems([]);
  for (const answer of answers) scanPage(answer, workload, list);
  return readAll(list);
}
const EMPTY = { deployments: [], unreadable: [], unidentified: 0 };

test.each([
  ['2026-10-05T12:00:00Z', Date.UTC(2026, 9, 5, 12)],
  ['2026-10-05T14:00:00.250+02:00', Date.UTC(2026, 9, 5, 12) + 250],
  ['yesterday', undefined],
  [1_791_201_600, undefined],
  [null, undefined],
])('an item that was last modified at %j is of %j', (written, at) => {
  const { deployments } = read([{ ...item('web'), lastModified: written }]);

  expect(deployments.map(({ lastModified }) => lastModified)).toEqual([at]);
});

test.each([
  ['absent', {}],
  ['null', { status: null }],
])('an item whose status is %s exists without a status', (_what, rest) => {
  const { deployments } = read([{ ...item('web'), status: undefined, ...rest }]);

  expect(deployments).toMatchObject([
    { workload: 'web', hasStatus: false, ready: false, deploying: false, message: '' },
  ]);
});

test.each([
  ['11', 11],
  ['11.0', 11],
  [' 11 ', 11],
  [11, 11],
  ['0', 0],
  [0, 0],
  ['', 0],
  [null, 0],
  [undefined, 0],
])('the version %j is read as %j', (written, version) => {
  const { expectedDeploymentVersion, lastProcessedVersion } = readOne({
    expectedDeploymentVersion: written,
    lastProcessedVersion: written,
  });

  expect([expectedDeploymentVersion, lastProcessedVersion]).toEqual([version, version]);
});

test.each([
  ['ready', 'yes'],
  ['ready', 1],
  ['ready', 'true'],
  ['deploying', []],
  ['expectedDeploymentVersion', 11.5],
  ['expectedDeploymentVersion', -1],
  ['expectedDeploymentVersion', '1e2'],
  ['lastProcessedVersion', '9'.repeat(400)],
  ['lastProcessedVersion', {}],
  ['versions', 'none'],
  ['versions', [7]],
  ['versions', [{ workload: 11, ready: 'yes' }]],
])('with status.%s = %j nothing is known of the item, and its neighbours live', (field, value) => {
  const list = read([
    item('before'),
    { ...item('web'), status: { [field]: value } },
    item('after'),
  ]);

  expect(list.deployments.map(({ workload }) => workload)).toEqual(['before', 'after']);
  expect(list.unreadable).toEqual(['web/aws-us-west-2']);
  expect(list.unidentified).toBe(0);
});

test.each([
  ['message', 7],
  ['endpoint', {}],
  ['desiredScale', 'many'],
])('status.%s = %j costs only itself', (field, value) => {
  const { deployments, unreadable } = read([
    { ...item('web'), status: { ready: true, [field]: value } },
  ]);

  expect(unreadable).toEqual([]);
  expect(deployments).toMatchObject([{ ready: true, message: '', endpoint: undefined }]);
});

test('absent counts stay absent: they are not zero', () => {
  const { desiredScale, versions } = readOne({
    versions: [{ workload: 11, containers: { main: { resources: { cpu: 50 } } } }],
  });

  expect(desiredScale).toBeUndefined();
  expect(versions[0]?.containers[0]).toMatchObject({
    replicas: undefined,
    replicasReady: undefined,
    restarts: undefined,
  });
});

test('an empty item stands for nothing', () => {
  expect(read([{}, item('web')])).toMatchObject({
    deployments: [{ workload: 'web' }],
    unreadable: [],
    unidentified: 0,
  });
});

test.each([
  ['no name', { ...item('web'), name: undefined }],
  ['an empty name', { ...item('web'), name: '' }],
  ['no workload link', { ...item('web'), links: [] }],
  ['a workload link to nowhere', { ...item('web'), links: [{ rel: 'workload', href: '/org' }] }],
  ['a badly encoded link', { ...item('web'), links: [{ rel: 'workload', href: '/workload/%E0' }] }],
  ['a slash in its workload', item('web%2Fb')],
  ['a workload like a field of ours', item('@track')],
  ['the same, encoded', item('%40track')],
  ['white space in its workload', item('my%20web')],
  ['white space in its name', { ...item('web'), name: 'aws us-west-2' }],
  ['a line end behind its name', { ...item('web'), name: 'aws-us-west-2\n' }],
  ['a slash in its name', { ...item('web'), name: 'b/aws-us-west-2' }],
  ['a name like a part of our keys', { ...item('web'), name: '@location' }],
  ['a workload of 501 characters', item('w'.repeat(501))],
  ['a name of 501 characters', { ...item('web'), name: 'l'.repeat(501) }],
  ['links that are no list', { ...item('web'), links: 'none' }],
  ['no shape at all', 'web'],
  ['null', null],
  ['a list in its place', []],
])('an item with %s is counted, because it cannot be identified', (_what, odd) => {
  expect(read([odd, item('api')])).toMatchObject({
    deployments: [{ workload: 'api' }],
    unreadable: [],
    unidentified: 1,
  });
});

test('null in the place of an entry is no entry, and in the place of the list no items', () => {
  const { versions, jobExecutions } = readOne({
    versions: [null, { workload: 11, containers: { web: null } }],
    jobExecutions: [null, { name: 'a' }],
  });

  expect(versions).toMatchObject([{ workload: 11, containers: [] }]);
  expect(jobExecutions).toMatchObject([{ name: 'a' }]);
  expect(pages(undefined, { kind: 'list', items: null })).toEqual(EMPTY);
});

test('in the list of one workload the items need no link to it', () => {
  const { deployments } = pages('web', { items: [{ name: 'aws-us-west-2' }] });

  expect(deployments).toMatchObject([{ workload: 'web', location: 'aws-us-west-2' }]);
});

test.each(['web/b', '@track', ''])(
  'the workload that a list was asked for is no better a name than one in a link: "%s"',
  (workload) => {
    const list = pages(workload, { items: [{ name: 'aws-us-west-2' }] });

    expect(list).toEqual({ ...EMPTY, unidentified: 1 });
  },
);

test('a name may hold a sign of ours in its middle', () => {
  const { deployments } = read([{ ...item('web@2'), name: 'a@b' }]);

  expect(deployments).toMatchObject([{ workload: 'web@2', location: 'a@b' }]);
});

test.each([
  '/org/acme/gvc/shop/workload/my%2Dweb',
  'https://api.example/v1/org/acme/gvc/shop/workload/my%2Dweb?x=1',
  '/workload/other/org/acme/gvc/shop/workload/my%2Dweb',
])('the workload is the last one in its link: %s', (href) => {
  const { deployments } = read([{ name: 'a', links: [{ rel: 'workload', href }] }]);

  expect(deployments).toMatchObject([{ workload: 'my-web' }]);
});

test('a very long link takes no time, wherever it leads', () => {
  const started = performance.now();

  const list = read(
    ['x', '/workload'].map((text) => ({
      name: 'a',
      links: [{ rel: 'workload', href: text.repeat(100_000) }],
    })),
  );

  expect(list).toMatchObject({ deployments: [{ workload: 'workload' }], unidentified: 1 });
  expect(performance.now() - started).toBeLessThan(30_000);
});

test('of an execution everything but name and status may be absent', () => {
  const { jobExecutions } = readOne({
    jobExecutions: [
      { name: 'a', status: '', completionTime: null },
      { name: 'b', status: 'paused-by-a-later-version', workloadVersion: '7' },
    ],
  });

  expect(jobExecutions).toMatchObject([
    { name: 'a', status: 'pending' },
    { name: 'b', status: 'paused-by-a-later-version', workloadVersion: 7 },
  ]);
  expect(jobExecutions?.[0]).toMatchObject({
    replica: undefined,
    completionTime: undefined,
    conditions: [],
    containers: [],
  });
  expect(readOne({ jobExecutions: [] }).jobExecutions).toEqual([]);
  expect(readOne({}).jobExecutions).toBeUndefined();
});

test('the readable conditions and containers of an execution are read', () => {
  const { jobExecutions } = readOne({
    jobExecutions: [
      {
        conditions: [7, null, ['x'], { type: 'Failed', status: true, lastDetectionTime: 'soon' }],
        containers: { main: { image: 'shop:12', resources: [], restarts: 3 }, odd: 7 },
      },
      { conditions: { type: 'Failed' }, containers: ['main'] },
    ],
  });

  expect(jobExecutions?.map(({ conditions }) => conditions)).toEqual([
    [{ type: 'Failed', status: '', reason: '', message: '' }],
    [],
  ]);
  expect(jobExecutions?.map(({ containers }) => containers)).toEqual([
    [
      { name: 'main', image: 'shop:12', ready: false, message: '' },
      { name: 'odd', image: '', ready: false, message: '' },
    ],
    [],
  ]);
});

test('a field outside of the contract changes nothing, least of all status.internal', () => {
  const { status } = item('web');
  const internal = { ready: false, lastProcessedVersion: 99, versions: 'none' };
  const noisy = { ...item('web'), later: 7, status: { ...status, internal, unknown: {} } };

  expect(read([noisy])).toEqual(read([item('web')]));
});

test('keys that mean something to JavaScript are names like others or nothing', () => {
  const container = { main: { image: 'shop:11' } };
  const whole = { ...item('web'), status: { ready: true, versions: [{ containers: container }] } };
  const text = JSON.stringify(whole)
    .replaceAll('"main":', '"__proto__":')
    .replace('"kind":', '"__proto__":{"status":{"ready":false}},"constructor":');
  const named = JSON.parse(`{"name":"x","__proto__":{"status":{"ready":true}}}`) as object;

  const { deployments } = pages('web', { items: [JSON.parse(text), named] });

  expect(deployments).toMatchObject([{ ready: true }, { hasStatus: false, ready: false }]);
  expect(Object.hasOwn(Object.prototype, 'status')).toBe(false);
});

test('a number that is too large for a number is no version', () => {
  const item = JSON.parse('{"name":"x","status":{"expectedDeploymentVersion":1e999}}') as object;

  expect(pages('web', { items: [item] }).unreadable).toEqual(['web/x']);
});
