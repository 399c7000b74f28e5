import { afterEach, beforeEach, expect, test } from 'vitest';

import {
  createSandboxPlatform,
  type SandboxPlatform,
} from '../../../src/sandbox/platform/server.ts';
import { bearer, startClient } from './support.ts';

/** The client against the stand-in platform, which knows the specification and not the client. */

let platform: SandboxPlatform;

beforeEach(async () => {
  platform = createSandboxPlatform();
  await platform.listen();
});
afterEach(() => platform.close());

const start = () =>
  startClient(platform.url, { credentialOf: (org) => bearer(platform.tokens[org]) });

async function control(path: string, body: object): Promise<void> {
  const response = await fetch(`${platform.url}/_sandbox/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(await response.text());
}

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
