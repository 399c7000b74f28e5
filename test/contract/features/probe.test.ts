import { describe, expect, test } from 'vitest';

import { BareError, type BareHttp } from '../../../src/platform/bare-http.ts';
import { PlatformError } from '../../../src/platform/errors.ts';
import { proseOf, rowsOf, spoken } from '../../support/answer.ts';
import { startProbe } from './probe-support.ts';
const SHOP = { org: 'acme', gvc: 'shop' };
const READY = ['aws-us-west-2', 'azure-eastus2', 'gcp-europe-west4'];
const MISSING = /The headers `x-svc-location` and `x-svc-replica` are missing/;

describe('the debug headers', () => {
  test('come with the option, the header and the global endpoint; else the answer says why not', async () => {
    const { ask, calls } = await startProbe();

    const [cart, web] = [await ask('cart'), await ask('web')];

    expect(proseOf(cart)).toContain('with `x-svc-debug: true` and no credential');
    expect(proseOf(cart)).not.toMatch(MISSING);
    expect(rowsOf(web).map(([, ...cells]) => cells.slice(0, 3))).toEqual(
      Array.from({ length: 5 }, () => ['200', '–', '–']),
    );
    expect(spoken(web).replaceAll('\n', ' · ')).toContain(
      '5 of 5 calls answered, and none says where it came from',
    );
    expect(proseOf(web)).toMatch(MISSING);
    expect(proseOf(web)).toContain('`spec.defaultOptions.debug` is off');
    expect((await calls()).map(({ host }) => host?.split('-')[0])).toEqual([
      ...Array.from({ length: 5 }, () => 'cart'),
      ...Array.from({ length: 5 }, () => 'web'),
    ]);
  });

  test('name the location of the replica that answered', async () => {
    const { ask, control } = await startProbe();

    const everywhere = rowsOf(await ask('cart')).map(([, , location]) => location);
    for (const location of READY.slice(1)) {
      await control('suspend', { ...SHOP, workload: 'cart', location, suspend: true });
    }
    const left = await ask('cart');

    expect(READY).toEqual(expect.arrayContaining(everywhere));
    expect(spoken(left).replaceAll('\n', ' · ')).toContain(
      '5 of 5 calls answered · 5 from aws-us-west-2 (',
    );
    expect(rowsOf(left).map(([, , location]) => location)).toEqual(
      Array.from({ length: 5 }, () => 'aws-us-west-2'),
    );
  });

  test('name the replica that answered', async () => {
    const { ask, control } = await startProbe();
    await control('debug', { ...SHOP, workload: 'orders-db', on: true });
    await control('rollout', { ...SHOP, workload: 'orders-db', seconds: 0.001 });

    const names = rowsOf(await ask('orders-db')).map(([, , , replica]) => replica);

    expect(names).toHaveLength(5);
    expect(names.every((name) => /^orders-db-[0-2]$/.test(name ?? ''))).toBe(true);
  });

  test('come once the workload has redeployed with the option, and not before', async () => {
    const { ask, control } = await startProbe();
    await control('debug', { ...SHOP, workload: 'web', on: true });

    const before = await ask('web');
    await control('rollout', { ...SHOP, workload: 'web', seconds: 0.001 });
    const after = await ask('web');

    expect(proseOf(before)).toMatch(MISSING);
    expect(proseOf(before)).toContain('or the workload was not redeployed since');
    expect(proseOf(after)).not.toMatch(MISSING);
    expect(spoken(after).replaceAll('\n', ' · ')).toMatch(
      /^shop\/web in org acme: 5 of 5 calls answered · \d from /,
    );
  });
});

describe('the address', () => {
  test('is the canonical one, with the org’s prefix where it has one, and no credential goes there', async () => {
    const { ask, calls } = await startProbe();

    await ask('api', { org: 'globex', gvc: 'prod' });

    const seen = await calls();
    expect(new Set(seen.map(({ host }) => host))).toEqual(
      new Set(['api-e5u0l8o3i9v2q.gx.apps.localhost']),
    );
    expect(seen.map(({ path, scheme }) => [path, scheme])).toEqual(
      Array.from({ length: 5 }, () => ['/', 'none']),
    );
  });

  test('is the one without the prefix, where no name has it', async () => {
    const asked: string[] = [];
    const bare: BareHttp = {
      async get(url) {
        asked.push(new URL(url).hostname);
        if (!url.includes('.gx.'))
          return { status: 200, headers: new Map(), date: undefined, ms: 1 };
        throw new BareError('unknown-name', new PlatformError('unreachable', 'ENOTFOUND'));
      },
      close: () => Promise.resolve(),
    };
    const { ask } = await startProbe({ bare });

    const answer = await ask('api', { org: 'globex', gvc: 'prod' });

    const hosts = ['api-e5u0l8o3i9v2q.gx.apps.localhost', 'api-e5u0l8o3i9v2q.apps.localhost'];
    expect(asked).toEqual([
      ...Array<string>(2).fill(hosts[0]!),
      ...Array<string>(5).fill(hosts[1]!),
    ]);
    expect(proseOf(answer)).toContain(
      '`api-e5u0l8o3i9v2q.gx.apps.localhost` does not exist, so the address without the org’s prefix was asked',
    );
  });

  test('is found by the alias of another workload, where its own endpoints show none', async () => {
    const { ask, calls, control } = await startProbe();
    const odd = { status: { endpoint: 'https://evil.example/' } };
    await control('patch', { ...SHOP, workload: 'cart', ...odd });

    expect(spoken(await ask('cart'))).toContain('calls answered');
    expect(new Set((await calls()).map(({ host }) => host))).toEqual(
      new Set(['cart-k3v9q2m7x1b8d.apps.localhost']),
    );
  });

  test('needs a deployment that shows it, which the endpoint of another location does not', async () => {
    const { ask, control } = await startProbe();
    const endpoint = 'https://cart-k3v9q2m7x1b8d.elsewhere.svc-sandbox.example/';
    await control('vanish', { ...SHOP, vanished: true });
    await control('vanish', { ...SHOP, workload: 'cart', vanished: false });
    await control('patch', { ...SHOP, workload: 'cart', status: { endpoint } });

    await expect(ask('web')).rejects.toThrow('shop/web has no deployments');
    await expect(ask('cart')).rejects.toThrow(
      'no endpoint in shop shows the alias of that GVC yet: try again after its next report',
    );
    await expect(ask('nothing')).rejects.toThrow(
      'There is no workload nothing in shop, or Purser’s key may not view it: shop has cart.',
    );
  });
});

test('a suspended workload is reported as suspended, before anything else', async () => {
  const { ask, control } = await startProbe();
  await control('suspend', { ...SHOP, workload: 'cart', suspend: true });

  const answer = await ask('cart');

  expect(spoken(answer).replaceAll('\n', ' · ')).toMatch(
    /acme: suspended in all its locations, so nothing serves · 5 of 5/,
  );
  expect(proseOf(answer)).not.toMatch(/debug option|It fails/);
});

test.each([
  [{ ready: false }, 'not ready in any location'],
  [{ ready: false, desiredScale: 0, versions: [] }, 'no replicas are wanted in any location'],
])('a workload with %j in its status is reported as not serving', async (status, words) => {
  const { ask, control } = await startProbe();
  await control('patch', { ...SHOP, workload: 'web', status });

  const answer = await ask('web');

  expect(spoken(answer).replaceAll('\n', ' · ')).toContain(`acme: ${words}`);
  expect(proseOf(answer)).not.toMatch(MISSING);
});

test('who asks the same at the same time gets the same answer', async () => {
  const { ask, calls } = await startProbe();

  const [one, two] = await Promise.all([ask('cart'), ask('cart')]);

  expect(one).toBe(two);
  expect(await calls()).toHaveLength(5);
  expect(await ask('cart')).not.toBe(one);
});

test('takes access to the orgs, and can be shared', async () => {
  const { ask } = await startProbe();

  expect(await ask('cart')).toMatchObject({ shareable: true, needs: 'orgs:acme' });
});
