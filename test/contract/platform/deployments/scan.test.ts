import { expect, test } from 'vitest';
import type { ScannedList } from '../../../../src/platform/deployments/deployment.ts';
import { item, page, serve, startClient } from '../support.ts';

const MANY = Array.from({ length: 50 }, (_, index) => item(`workload-${index}`));

/** A GVC whose list is what the test says. */
async function gvc(deps: Parameters<typeof startClient>[1] = {}) {
  const state = { items: MANY };
  const server = await serve((_request, reply) => reply.end(page(state.items)));
  const client = startClient(server.url, deps);
  return { state, see: (name = 'shop') => client.scanGvc('acme', name) };
}

/** How many items of a list are the very objects of another. */
function shared(one: ScannedList, other: ScannedList): number {
  return one.listed.filter((deployment) => other.listed.includes(deployment)).length;
}

test('what a GVC says again is not read again', async () => {
  const { see } = await gvc();

  expect(shared(await see(), await see())).toBe(MANY.length);
});

test('each GVC is held against its own last list', async () => {
  const { see } = await gvc();
  const shop = await see('shop');

  expect(shared(shop, await see('blog'))).toBe(0);
  expect(shared(shop, await see('shop'))).toBe(MANY.length);
});

test('a list that failed does not lose the one before', async () => {
  const { state, see } = await gvc();
  const before = await see();
  state.items = 'no list' as never;
  await see().catch(() => undefined);
  state.items = MANY;

  expect(shared(before, await see())).toBe(MANY.length);
});

test('lists for which there is no room are read anew, and push out no other', async () => {
  const { see } = await gvc({ keptBytes: MANY.length * 1_000 });
  const [shop, blog] = [await see('shop'), await see('blog')];

  expect(shared(shop, await see('shop'))).toBe(MANY.length);
  expect(shared(blog, await see('blog'))).toBe(0);
});
