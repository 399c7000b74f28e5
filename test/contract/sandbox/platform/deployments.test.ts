import { describe, expect, test } from 'vitest';
import { LOCATIONS, SHOP, startPlatform, type Deployment, type Page } from './support.ts';

const LIST = '/org/acme/gvc/shop/workload/-deployment';

describe('the three endpoints', () => {
  test('the list of a GVC has one item per workload and location, told apart by the workload link', async () => {
    const { page } = await startPlatform();

    const { kind, itemKind, items } = await page(LIST);

    expect({ kind, itemKind }).toEqual({ kind: 'list', itemKind: 'deployment' });
    expect(items).toHaveLength(30);
    const pairs = items.map((item) => `${linkOf(item, 'workload').split('/').at(-1)} ${item.name}`);
    expect(new Set(pairs).size).toBe(30);
    expect(pairs).toContain('cart gcp-europe-west4');
  });

  test('a deployment has the fields of the specification', async () => {
    const { deployment } = await startPlatform();

    const item = await deployment('payments');

    expect(item).toEqual({
      kind: 'deployment',
      name: 'aws-us-west-2',
      lastModified: '2026-10-05T12:00:00.000Z',
      status: {
        endpoint: expect.stringMatching(/^https:\/\/payments-[a-z0-9]{13}\.aws-us-west-2\..+\/$/),
        remote: expect.stringMatching(/^https:\/\/[^/]+$/),
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
            created: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
            ready: true,
            message: '',
            desiredScale: 2,
            containers: {
              payments: {
                name: 'payments',
                image: 'registry.example.com/acme/payments:v1.19.0',
                ready: true,
                resources: { replicas: 2, replicasReady: 2, cpu: 500, memory: 512 },
                restarts: { count: 0 },
              },
            },
          },
        ],
        internal: expect.any(Object),
      },
      links: [
        { rel: 'self', href: '/org/acme/gvc/shop/workload/payments/deployment/aws-us-west-2' },
        { rel: 'workload', href: '/org/acme/gvc/shop/workload/payments' },
        { rel: 'location', href: '/org/acme/location/aws-us-west-2' },
      ],
    });
  });

  test('one workload lists its own locations, and each is read by its name', async () => {
    const { page, deployment } = await startPlatform();

    const { items } = await page('/org/acme/gvc/shop/workload/cart/deployment');
    const one = await deployment('cart', 'azure-eastus2');

    expect(items.map(({ name }) => name)).toEqual(LOCATIONS);
    expect(linkOf(one, 'self')).toBe(linkOf(items[2] as Deployment, 'self'));
  });

  test('pages are joined by next links, relative and absolute in turn', async () => {
    const { page, act, platform } = await startPlatform();
    await act('page-size', { items: 7 });

    const pages: Page[] = [await page(LIST)];
    const nexts: string[] = [];
    for (let next = nextOf(pages[0]); next !== undefined; next = nextOf(pages.at(-1))) {
      nexts.push(next);
      pages.push(await page(next));
    }

    expect(pages.map(({ items }) => items.length)).toEqual([7, 7, 7, 7, 2]);
    expect(nexts[0]).toBe(`${LIST}?after=7`);
    expect(nexts[1]).toBe(`${platform.url}${LIST}?after=14`);
    const all = pages.flatMap(({ items }) => items.map((item) => linkOf(item, 'self')));
    expect(new Set(all).size).toBe(30);
  });
});

describe('what real answers do', () => {
  test('version numbers come as integers, as text and as floats', async () => {
    const { api } = await startPlatform();
    const raw = async (workload: string) =>
      (await api(`/org/acme/gvc/shop/workload/${workload}/deployment/aws-us-west-2`)).text();

    expect(await raw('catalog')).toContain('"expectedDeploymentVersion":27,');
    expect(await raw('cart')).toContain('"expectedDeploymentVersion":"11",');
    expect(await raw('search')).toContain('"expectedDeploymentVersion":14.0,');
  });

  test('false, empty and zero values are left out by some workloads', async () => {
    const { deployment } = await startPlatform();

    const { status } = await deployment('checkout');

    expect(status).toMatchObject({ ready: true, lastProcessedVersion: 42 });
    expect(status).not.toHaveProperty('deploying');
    expect(status).not.toHaveProperty('message');
    expect(status.versions?.[0]?.containers?.['checkout']).not.toHaveProperty('restarts');
  });

  test('links are absolute for some workloads', async () => {
    const { deployment, platform } = await startPlatform();

    const item = await deployment('catalog');

    expect(linkOf(item, 'workload')).toBe(`${platform.url}/org/acme/gvc/shop/workload/catalog`);
  });

  test('a multi-zone workload has one entry per zone that share the replicas', async () => {
    const { deployment } = await startPlatform();

    const { status } = await deployment('orders-db');

    const zones = status.versions?.map(({ zone, desiredScale }) => [zone, desiredScale]);
    expect(zones).toEqual([
      ['us-west-2a', 2],
      ['us-west-2b', 1],
    ]);
  });

  test('internal is noise that differs from call to call', async () => {
    const { deployment } = await startPlatform();

    const first = await deployment('cart');
    const second = await deployment('cart');

    expect(first.status.internal).not.toEqual(second.status.internal);
    expect({ ...first.status, internal: null }).toEqual({ ...second.status, internal: null });
  });
});

describe('who may read', () => {
  test.each([
    ['no token', ''],
    ['an unknown token', 'Bearer nonsense'],
    ['a key without Bearer', 'sandbox-key-acme'],
    ['the key of another org', 'Bearer sandbox-key-globex'],
  ])('%s is refused with 401', async (_what, authorization) => {
    const { api } = await startPlatform();

    const response = await api(LIST, authorization);

    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({
      status: 401,
      message: expect.any(String),
      code: 'UNAUTHENTICATED',
      details: {},
      id: expect.any(String),
    });
  });

  test("a workload's own token is refused with 403 from outside", async () => {
    const { api } = await startPlatform();

    expect((await api(LIST, 'sandbox-workload-acme-shop-cart')).status).toBe(403);
  });

  test.each([
    '/org/acme/gvc/nowhere/workload/-deployment',
    '/org/acme/gvc/shop/workload/nothing/deployment',
    '/org/acme/gvc/shop/workload/cart/deployment/mars',
    '/org/acme/gvc/shop/workload/__proto__/deployment',
  ])('%s is unknown: 404 with a code in words', async (path) => {
    const { api } = await startPlatform();

    const response = await api(path);

    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ status: 404, code: 'NOT_FOUND' });
  });
});

describe('the seed', () => {
  test('it has three orgs, six GVCs, thirty workloads and three locations each', async () => {
    const { state } = await startPlatform();

    const { orgs } = await state();

    const gvcs = orgs.flatMap((org) => org.gvcs);
    const workloads = gvcs.flatMap((gvc) => gvc.workloads);
    expect(orgs.map(({ name }) => name)).toEqual(['acme', 'globex', 'initech']);
    expect(gvcs).toHaveLength(6);
    expect(workloads).toHaveLength(30);
    expect(gvcs.every((gvc) => gvc.locations.length === 3 && gvc.alias.length === 13)).toBe(true);
    expect(new Set(workloads.map(({ type }) => type))).toEqual(
      new Set(['serverless', 'standard', 'stateful', 'cron']),
    );
  });

  test('two runs are equal, noise included; another seed changes the noise alone', async () => {
    const runs = await Promise.all([startPlatform(), startPlatform(), startPlatform({ seed: 2 })]);

    const lists = await Promise.all(runs.map(async ({ api }) => withoutPort(await api(LIST))));
    const states = await Promise.all(runs.map(({ state }) => state()));

    expect(lists[1]).toBe(lists[0]);
    expect(lists[2]).not.toBe(lists[0]);
    expect(states[1]).toEqual(states[0]);
    expect(states[2]).toEqual(states[0]);
  });

  test('every control names what it does not find', async () => {
    const { control } = await startPlatform();

    expect(await control('rollout', { ...SHOP, workload: 'nothing' })).toEqual({
      status: 404,
      body: { error: 'the GVC shop has no workload nothing' },
    });
    expect(await control('gvc-rollout', { org: 'nobody', gvc: 'shop' })).toEqual({
      status: 404,
      body: { error: 'there is no org nobody' },
    });
    expect(await control('stale', { ...SHOP, location: 'mars', stale: true })).toMatchObject({
      status: 404,
    });
    expect(await control('scale', { ...SHOP, workload: 'cart' })).toMatchObject({ status: 400 });
  });
});

function linkOf(item: { links: { rel: string; href: string }[] }, rel: string): string {
  return item.links.find((link) => link.rel === rel)?.href ?? '';
}

function nextOf(page: Page | undefined): string | undefined {
  return page?.links.find(({ rel }) => rel === 'next')?.href;
}

async function withoutPort(response: Response): Promise<string> {
  return (await response.text()).replaceAll(/127\.0\.0\.1:\d+/g, 'host');
}
