import { describe, expect, test } from 'vitest';
import { startPlatform, type Page } from './support.ts';

const SHOP = '/org/acme/gvc/shop/workload';
const LIST = `${SHOP}/-deployment`;

describe('the three endpoints (spec 4.2)', () => {
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
