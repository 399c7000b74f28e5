import { describe, expect, test } from 'vitest';
import { LOCATIONS, startPlatform, type Page } from './support.ts';

const SHOP = '/org/acme/gvc/shop/workload';
const LIST = `${SHOP}/-deployment`;

describe('the three endpoints (spec 4.2)', () => {
  test('the list of a GVC has one item per workload and location, identified by the workload link', async () => {
    const { page } = await startPlatform();

    const { kind, itemKind, items } = await page(LIST);

    const pairs = items.map((item) => `${linkOf(item, 'workload').split('/').at(-1)} ${item.name}`);
    expect({ kind, itemKind }).toEqual({ kind: 'list', itemKind: 'deployment' });
    expect(items).toHaveLength(30);
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
        { rel: 'self', href: `${SHOP}/payments/deployment/aws-us-west-2` },
        { rel: 'workload', href: `${SHOP}/payments` },
        { rel: 'location', href: '/org/acme/location/aws-us-west-2' },
      ],
    });
  });

  test('one workload lists its own locations, and each is read by its name', async () => {
    const { page, deployment } = await startPlatform();

    const { items } = await page(`${SHOP}/cart/deployment`);
    const one = await deployment('cart', 'azure-eastus2');

    expect(items.map(({ name }) => name)).toEqual(LOCATIONS);
    expect(items[2]?.links).toEqual(one.links);
  });

  test('pages are joined by next links, relative and absolute in turn', async () => {
    const { page, act, platform } = await startPlatform();
    await act('page-size', { items: 7 });

    const pages: Page[] = [];
    const nexts: string[] = [];
    for (let next = LIST; next !== ''; next = linkOf(pages.at(-1), 'next')) {
      nexts.push(next);
      pages.push(await page(next));
    }

    expect(pages.map(({ items }) => items.length)).toEqual([7, 7, 7, 7, 2]);
    expect(nexts[1]).toBe(`${LIST}?after=7`);
    expect(nexts[2]).toBe(`${platform.url}${LIST}?after=14`);
    const all = pages.flatMap(({ items }) => items.map((item) => linkOf(item, 'self')));
    expect(new Set(all).size).toBe(30);
  });
});

describe('variants of real answers', () => {
  test.each([
    ['catalog', 'an integer', '27'],
    ['cart', 'text', '"11"'],
    ['search', 'a float', '14.0'],
  ])('the version of %s is %s', async (workload, _kind, version) => {
    const { api } = await startPlatform();

    const answer = await api(`${SHOP}/${workload}/deployment/aws-us-west-2`);

    expect(await answer.text()).toContain(`"expectedDeploymentVersion":${version},`);
  });

  test('false, empty and zero values are left out by some workloads', async () => {
    const { deployment } = await startPlatform();

    const { status } = await deployment('checkout');

    expect(status).toMatchObject({ ready: true, lastProcessedVersion: 42 });
    for (const member of ['deploying', 'message']) expect(status).not.toHaveProperty(member);
    expect(status.versions?.[0]?.containers?.['checkout']).not.toHaveProperty('restarts');
  });

  test('links are absolute for some workloads', async () => {
    const { deployment, platform } = await startPlatform();

    expect(linkOf(await deployment('catalog'), 'workload')).toBe(`${platform.url}${SHOP}/catalog`);
  });

  test('a multi-zone workload has one entry per zone that share the replicas', async () => {
    const { deployment } = await startPlatform();

    const { versions = [] } = (await deployment('orders-db')).status;

    const zones = versions.map(({ zone, desiredScale }) => `${zone} ${desiredScale}`);
    expect(zones).toEqual(['us-west-2a 2', 'us-west-2b 1']);
  });

  test('internal is noise that differs from call to call', async () => {
    const { deployment } = await startPlatform();

    const [first, second] = [await deployment('cart'), await deployment('cart')];

    expect(first.status.internal).not.toEqual(second.status.internal);
    expect({ ...first.status, internal: null }).toEqual({ ...second.status, internal: null });
  });
});

describe('refusals', () => {
  const KEY = 'Bearer sandbox-key-acme';

  test.each([
    ['no token', LIST, '', 401, 'UNAUTHENTICATED'],
    ['an unknown token', LIST, 'Bearer nonsense', 401, 'UNAUTHENTICATED'],
    ['a key without Bearer', LIST, 'sandbox-key-acme', 401, 'UNAUTHENTICATED'],
    ['the key of another org', LIST, 'Bearer sandbox-key-globex', 401, 'UNAUTHENTICATED'],
    ['a billing token', LIST, 'Bearer svc-bsat-sandbox-all', 401, 'UNAUTHENTICATED'],
    ["a workload's own token", LIST, 'sandbox-workload-acme-shop-cart', 403, 'FORBIDDEN'],
    ['an unknown GVC', '/org/acme/gvc/nowhere/workload/-deployment', KEY, 404, 'NOT_FOUND'],
    ['an unknown workload', `${SHOP}/nothing/deployment`, KEY, 404, 'NOT_FOUND'],
    ['an unknown location', `${SHOP}/cart/deployment/mars`, KEY, 404, 'NOT_FOUND'],
    ['a name of JavaScript', `${SHOP}/__proto__/deployment`, KEY, 404, 'NOT_FOUND'],
  ])('%s', async (_what, path, authorization, status, code) => {
    const { api } = await startPlatform();

    const response = await api(path, authorization);

    const text = expect.any(String) as string;
    const body = { status, code, message: text, details: {}, id: text };
    expect([response.status, await response.json()]).toEqual([status, body]);
  });
});

describe('the seed', () => {
  test('it has three orgs, six GVCs, thirty workloads and three locations each', async () => {
    const { state } = await startPlatform();

    const { orgs } = await state();

    const gvcs = orgs.flatMap((org) => org.gvcs);
    const workloads = gvcs.flatMap((gvc) => gvc.workloads);
    expect(orgs.map(({ name }) => name)).toEqual(['acme', 'globex', 'initech']);
    expect([gvcs.length, workloads.length]).toEqual([6, 30]);
    expect(gvcs.every((gvc) => gvc.locations.length === 3 && gvc.alias.length === 13)).toBe(true);
    const types = new Set(workloads.map(({ type }) => type));
    expect(types).toEqual(new Set(['serverless', 'standard', 'stateful', 'cron']));
  });

  test('two runs are equal, noise included; another seed changes the noise alone', async () => {
    const runs = await Promise.all([startPlatform(), startPlatform(), startPlatform({ seed: 2 })]);

    const [first, again, other] = await Promise.all(
      runs.map(async ({ api }) =>
        (await (await api(LIST)).text()).replaceAll(/127\.0\.0\.1:\d+/g, 'host'),
      ),
    );
    const states = await Promise.all(runs.map(({ state }) => state()));

    expect(again).toBe(first);
    expect(other).not.toBe(first);
    expect(states).toEqual(states.map(() => states[0]));
  });
});

function linkOf(item: { links: { rel: string; href: string }[] } | undefined, rel: string): string {
  return item?.links.find((link) => link.rel === rel)?.href ?? '';
}
