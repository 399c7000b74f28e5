import { request, type IncomingHttpHeaders } from 'node:http';
import { beforeEach, describe, expect, test } from 'vitest';
import { LOCATIONS, SHOP, startPlatform, type Driver } from './support.ts';

/** What answers at the addresses of workloads (spec 2.14 and 4.4), told apart by the Host header. */

const CART = 'cart-k3v9q2m7x1b8d.apps.localhost';
const DEBUG = { 'x-svc-debug': 'true' };

let driver: Driver;

beforeEach(async () => {
  driver = await startPlatform();
});

interface Answered {
  status: number | undefined;
  location: string | undefined;
  replica: string | undefined;
}

function call(host: string, headers: IncomingHttpHeaders = DEBUG): Promise<Answered> {
  return new Promise((resolve, reject) => {
    request(driver.platform.url, { headers: { host, ...headers } }, (answer) => {
      const named = (name: string) => answer.headers[name]?.toString();
      answer.resume();
      resolve({
        status: answer.statusCode,
        location: named('x-svc-location'),
        replica: named('x-svc-replica'),
      });
    })
      .on('error', reject)
      .end();
  });
}

async function calls(host: string, times: number): Promise<Answered[]> {
  const answers: Answered[] = [];
  while (answers.length < times) answers.push(await call(host));
  return answers;
}

const BARE = { status: 200, location: undefined, replica: undefined };

describe('the global address of a workload', () => {
  test('names location and replica while the debug option is on and the header asks', async () => {
    const { status, location, replica } = await call(`${CART}:4000`);

    expect([status, LOCATIONS.some((one) => one === location)]).toEqual([200, true]);
    expect(replica).toMatch(/^cart-[0-9a-f]{8}$/);
  });

  test('is balanced over all that is ready', async () => {
    const answers = await calls(CART, 60);

    expect(new Set(answers.map(({ location }) => location))).toEqual(new Set(LOCATIONS));
    expect(new Set(answers.map(({ replica }) => replica)).size).toBe(9);
  });

  test.each([{}, { 'x-svc-debug': 'false' }, { 'x-other-debug': 'true' }])(
    'names nothing with %j',
    async (headers) => {
      expect(await call(CART, headers)).toEqual(BARE);
    },
  );

  test('names nothing without the option', async () => {
    expect(await call(CART.replace('cart', 'web'))).toEqual(BARE);
  });

  test('names what answers once the workload has redeployed with the option, and until it has without', async () => {
    const web = { ...SHOP, workload: 'web' };
    const host = CART.replace('cart', 'web');
    const named = async () => (await calls(host, 10)).map(({ location }) => location !== undefined);
    const all = (value: boolean) => Array.from({ length: 10 }, () => value);

    await driver.act('debug', { ...web, on: true });
    expect(await named()).toEqual(all(false));
    await driver.act('rollout', web);
    await driver.wait(60);
    expect(await named()).toEqual(all(true));
    await driver.act('debug', { ...web, on: false });
    expect(await named()).toEqual(all(true));
    await driver.act('gvc-rollout', SHOP);
    await driver.wait(60);
    expect(await named()).toEqual(all(false));
  });

  test('leaves out a location that is suspended, and fails when all are', async () => {
    await driver.act('suspend', {
      ...SHOP,
      workload: 'cart',
      location: LOCATIONS[0],
      suspend: true,
    });
    const answers = await calls(CART, 30);
    await driver.act('suspend', { ...SHOP, workload: 'cart', suspend: true });

    expect(answers.map(({ location }) => location)).not.toContain(LOCATIONS[0]);
    expect((await call(CART)).status).toBe(503);
  });

  test('has the org’s prefix, where it has one', async () => {
    const statuses = [
      await call('api-e5u0l8o3i9v2q.gx.apps.localhost'),
      await call('api-e5u0l8o3i9v2q.apps.localhost'),
      await call('cart-k3v9q2m7x1b8d.gx.apps.localhost'),
    ].map(({ status }) => status);

    expect(statuses).toEqual([200, 404, 404]);
  });
});

describe('other addresses', () => {
  test('of a location answer there, without a name', async () => {
    const { status: deployed } = await driver.deployment('cart');

    expect(await call(new URL(deployed.endpoint).host)).toEqual(BARE);
  });

  test.each([
    'cart.apps.localhost',
    'nothing-k3v9q2m7x1b8d.apps.localhost',
    'a.svc-sandbox.example',
  ])('are nobody’s: %s', async (host) => {
    expect((await call(host)).status).toBe(404);
  });

  test('are not taken for the API’s', async () => {
    expect((await call('apps.localhost')).status).toBe(401);
    expect((await driver.api('/org/acme/gvc/shop/workload/-deployment')).status).toBe(200);
  });
});

test('calls are written down with their host', async () => {
  await call(CART);

  const answer = await fetch(`${driver.platform.url}/_sandbox/requests`);
  const { requests } = (await answer.json()) as { requests: object[] };

  expect(requests).toMatchObject([
    { method: 'GET', host: CART, path: '/', status: 200, scheme: 'none', caller: null },
  ]);
});
