import { afterEach, beforeEach, expect, test } from 'vitest';

import {
  createSandboxPlatform,
  type SandboxPlatform,
} from '../../../src/sandbox/platform/server.ts';
import { bearer, failureOf, startClient } from './support.ts';

/** The client against the stand-in platform, which knows the specification and not the client. */

let platform: SandboxPlatform;

beforeEach(async () => {
  platform = createSandboxPlatform();
  await platform.listen();
});
afterEach(() => platform.close());

const start = (limits = {}) =>
  startClient(platform.url, { credentialOf: (org) => bearer(platform.tokens[org]), limits });

async function control(path: string, body: object): Promise<void> {
  const response = await fetch(`${platform.url}/_sandbox/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(await response.text());
}

const fault = (one: object) => control('faults', { faults: [one] });

test('a GVC is read whole, in one page or in many', async () => {
  const client = start();

  const inOne = await client.listGvc('acme', 'shop');
  await control('page-size', { items: 2 });
  const inMany = await client.listGvc('acme', 'shop');

  const names = (list: typeof inOne) =>
    list.deployments.map(({ workload, location }) => `${workload}/${location}`);
  expect(names(inOne).length).toBeGreaterThan(10);
  expect(new Set(names(inOne)).size).toBe(names(inOne).length);
  expect(names(inMany)).toEqual(names(inOne));
  expect([inMany.unreadable, inMany.unidentified]).toEqual([[], 0]);
});

test.each([
  [{ kind: 'reset' }, 'unreachable'],
  [{ kind: 'truncate' }, 'unreachable'],
  [{ kind: 'malformed' }, 'malformed'],
  [{ kind: 'html' }, 'unavailable'],
  [{ kind: 'html', status: 200 }, 'malformed'],
  [{ kind: 'gzip-bomb' }, 'too-large'],
  [{ kind: 'slow' }, 'timeout'],
  [{ delayMs: 60_000 }, 'timeout'],
  [{ status: 500, body: 'a plain sentence' }, 'server-error'],
  [{ status: 429, headers: { 'retry-after': '60' } }, 'rate-limited'],
])('the fault %j is reported as %s', async (one, reason) => {
  await fault(one);
  const totalMs = reason === 'timeout' ? 300 : 30_000;
  const client = start({ attempts: 1, totalMs, maxBytes: 2_000_000 });

  expect((await failureOf(client.listGvc('acme', 'shop'))).reason).toBe(reason);
});

test('a fault that goes away is not noticed', async () => {
  await fault({ status: 503, times: 2, headers: { 'retry-after': '0' } });

  await expect(start().listGvc('acme', 'shop')).resolves.toBeDefined();
});
