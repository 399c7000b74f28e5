import { request, type IncomingHttpHeaders } from 'node:http';
import { beforeEach, describe, expect, test } from 'vitest';
import { LOCATIONS, SHOP, startPlatform, type Driver } from './support.ts';

/** The addresses of workloads (spec 2.14 and 4.4), identified by the Host header. */

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
  test('is balanced over all that is ready', async () => {
    const answers = await calls(CART, 60);

    expect(new Set(answers.map(({ location }) => location))).toEqual(new Set(LOCATIONS));
    expect(new Set(answers.map(({ replica }) => replica)).size).toBe(9);
  });

  test.each([
    [CART, {}],
    [CART, { 'x-svc-debug': 'false' }],
    [CART, { 'x-other-debug': 'true' }],
    [CART.replace('cart', 'web'), DEBUG],
  ])('names nothing without the option or the header: %s with %j', async (host, headers) => {
    expect(await call(host, headers)).toEqual(BARE);
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
});

test.each([
  ["an org's prefix", 'api-e5u0l8o3i9v2q.gx.apps.localhost', 200],
  ['no prefix of an org that has one', 'api-e5u0l8o3i9v2q.apps.localhost', 404],
  ['a prefix of an org that has none', 'cart-k3v9q2m7x1b8d.gx.apps.localhost', 404],
  ['no alias', 'cart.apps.localhost', 404],
  ['an unknown workload', 'nothing-k3v9q2m7x1b8d.apps.localhost', 404],
  ['another domain', 'a.svc-sandbox.example', 404],
  ['the API itself', 'apps.localhost', 401],
])('an address with %s, %s, answers %i', async (_what, host, status) => {
  expect((await call(host)).status).toBe(status);
});

test('the address of a location answers there, without a name', async () => {
  const { status } = await driver.deployment('cart');

  expect(await call(new URL(status.endpoint).host)).toEqual(BARE);
});
