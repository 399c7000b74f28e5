import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';

const LIST = JSON.stringify({ kind: 'list', itemKind: 'deployment', items: [], links: [] });
/** More than a worker polls at once. */
const HANGING = Array.from({ length: 60 }, (_, index) => `acme/gvc-${index}`);
const LOOKS = 20;

let world: World;
let platform: Server;
/** Requests of the org that hangs: how many came, and how many of them have ended. */
const acme = { begun: 0, ended: 0 };
let beta = 0;

beforeAll(async () => {
  world = await openWorld();
  platform = createServer((request, response) => {
    if (request.url?.includes('/org/beta/') === true) {
      beta += 1;
      response.end(LIST);
      return;
    }
    acme.begun += 1;
    response.once('close', () => (acme.ended += 1));
  });
  await new Promise<void>((resolve) => {
    platform.listen(0, '127.0.0.1', resolve);
  });
});

afterAll(async () => {
  await world.close();
  platform.closeAllConnections();
  platform.close();
});

it('an org that hangs delays no other: its neighbour is looked at again and again meanwhile', async () => {
  await world.startBot({
    environment: {
      ROLE: 'worker',
      API_URL: `http://127.0.0.1:${(platform.address() as AddressInfo).port}`,
      ORG_TOKENS: '{"acme":"key-of-acme","beta":"key-of-beta"}',
      ORG_ACCESS: 'members',
      WATCHES: [...HANGING, 'beta/shop'].join(';'),
    },
  });
  // As many as ever will: more come only when one of them has ended.
  await until('the org to hang', () => acme.begun >= 12);
  const before = beta;

  await until('the other to be looked at', () => beta >= before + LOOKS || acme.ended > 0);

  expect(beta).toBeGreaterThanOrEqual(before + LOOKS);
  expect(acme).toEqual({ begun: 12, ended: 0 });
});
