import { expect, test } from 'vitest';
import { FIRST, LOCATIONS, NOON, PAYMENTS, startReading } from './support.ts';

/** Spec 2.12 and 4.4: what a deployment says, reported by the stand-in and read by the client. */

const LIST = '/org/acme/gvc/shop/workload/-deployment';

interface RawItem {
  readonly kind: string;
  readonly name: string;
  readonly links: readonly { readonly rel: string; readonly href: string }[];
  readonly status: { readonly internal: object };
}

test('a deployment at rest is read with every field of the specification', async () => {
  const { read } = await startReading();

  expect(await read('payments')).toStrictEqual({
    workload: 'payments',
    location: FIRST,
    lastModified: NOON,
    hasStatus: true,
    endpoint: expect.stringMatching(/^https:\/\/payments-[a-z0-9]{13}\.aws-us-west-2\.[^/]+\/$/),
    remote: expect.stringMatching(/^https:\/\/[^/]*aws-us-west-2\.[^/]+$/),
    ready: true,
    deploying: false,
    message: '',
    lastProcessedVersion: 19,
    expectedDeploymentVersion: 19,
    desiredScale: 2,
    versions: [
      {
        workload: 19,
        gvc: 4,
        created: expect.any(Number),
        ready: true,
        message: '',
        zone: undefined,
        desiredScale: 2,
        containers: [
          {
            name: 'payments',
            image: 'registry.example.com/acme/payments:v1.19.0',
            ready: true,
            message: '',
            replicas: 2,
            replicasReady: 2,
            cpu: 500,
            memory: 512,
            restarts: {
              count: 0,
              exitCode: undefined,
              reason: '',
              lastRestartTime: undefined,
            },
          },
        ],
      },
    ],
    jobExecutions: undefined,
  });
});

test('each location has an endpoint and a control endpoint of its own', async () => {
  const { client } = await startReading();

  const { deployments } = await client.listWorkload('acme', 'shop', 'cart');

  expect(new Set(deployments.map(({ endpoint }) => endpoint)).size).toBe(LOCATIONS.length);
  expect(new Set(deployments.map(({ remote }) => remote)).size).toBe(LOCATIONS.length);
});

test('a deployment belongs to the workload of its link, absolute or relative; names alone repeat', async () => {
  const { api, ofShop } = await startReading();
  const raw = (await (await api(LIST)).json()) as { items: RawItem[] };
  const ownerOf = ({ links }: RawItem) => links.find(({ rel }) => rel === 'workload')?.href ?? '';

  const { deployments } = await ofShop();

  expect(raw.items.every(({ kind }) => kind === 'deployment')).toBe(true);
  expect(new Set(raw.items.flatMap(({ links }) => links.map(({ rel }) => rel)))).toEqual(
    new Set(['self', 'workload', 'location']),
  );
  expect(new Set(raw.items.map((item) => ownerOf(item).startsWith('http')))).toEqual(
    new Set([true, false]),
  );
  expect(deployments.map(({ workload, location }) => [workload, location])).toEqual(
    raw.items.map((item) => [ownerOf(item).split('/').at(-1), item.name]),
  );
  expect(new Set(deployments.map(({ location }) => location))).toEqual(new Set(LOCATIONS));
  expect(deployments).toHaveLength(30);
});

test('the list of a workload is its part of the GVC, and each location is read alone too', async () => {
  const { client, ofShop, read } = await startReading();
  const cart = (await ofShop()).deployments.filter(({ workload }) => workload === 'cart');

  const { deployments } = await client.listWorkload('acme', 'shop', 'cart');
  const alone = await Promise.all(LOCATIONS.map((location) => read('cart', location)));

  expect(deployments.map(({ location }) => location)).toEqual(LOCATIONS);
  expect(deployments).toEqual(cart);
  expect(alone).toEqual(cart);
});

test.each([
  ['an integer', 'catalog', '27', 27],
  ['text', 'cart', '"11"', 11],
  ['a float', 'search', '14.0', 14],
])('a version written as %s is that version', async (_how, workload, written, version) => {
  const { api, read } = await startReading();
  const raw = await api(`/org/acme/gvc/shop/workload/${workload}/deployment/${FIRST}`);

  const deployment = await read(workload);

  expect(await raw.text()).toContain(`"lastProcessedVersion":${written},`);
  expect(deployment).toMatchObject({
    lastProcessedVersion: version,
    expectedDeploymentVersion: version,
  });
  expect(deployment.versions.map((entry) => entry.workload)).toEqual([version]);
});

test('a missing field is false, empty or unknown, never a guess', async () => {
  const { act, read, ofShop } = await startReading();

  const lean = await read('checkout');
  await act('patch', { ...PAYMENTS, status: null });
  const silent = await read('payments');

  expect(lean).toMatchObject({ ready: true, deploying: false, message: '' });
  expect(lean.versions[0]?.containers[0]?.restarts).toBeUndefined();
  expect(silent).toMatchObject({ hasStatus: false, ready: false, versions: [] });
  expect(silent.remote).toBeUndefined();
  expect(await ofShop()).toMatchObject({ unreadable: [], unidentified: 0 });
});

test('status.internal changes from call to call, contradicts the rest, and is not read', async () => {
  const { api, act, read } = await startReading();
  const raw = async () => {
    const path = `/org/acme/gvc/shop/workload/payments/deployment/${FIRST}`;
    return ((await (await api(path)).json()) as RawItem).status.internal;
  };

  const noise = [await raw(), await raw()];
  const before = await read('payments');
  await act('patch', { ...PAYMENTS, status: { internal: { ready: false, versions: 'none' } } });
  const after = await read('payments');

  expect(noise[0]).not.toEqual(noise[1]);
  expect(after).toEqual(before);
  expect(before).not.toHaveProperty('internal');
});
