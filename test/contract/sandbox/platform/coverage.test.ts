import { expect, test } from 'vitest';
import { startPlatform } from './support.ts';

interface Coverage {
  endpoints: { api: string; method: string; path: string; coverage: string; note: string }[];
  routes: string[];
}

test('the coverage table and the routes say the same', async () => {
  const { read } = await startPlatform();

  const { endpoints, routes } = await read<Coverage>('/_sandbox/coverage');

  const built = endpoints.filter(({ coverage }) => coverage !== 'absent');
  const promised = built.map(
    ({ api, method, path }) =>
      `${method} ${api === 'deployments' ? '' : `/${api}`}${path.replaceAll(/<(\w+)>/g, ':$1')}`,
  );
  expect(routes.toSorted()).toEqual(promised.toSorted());
});

test('the table has every endpoint of the specification once, each with a note', async () => {
  const { read } = await startPlatform();

  const { endpoints } = await read<Coverage>('/_sandbox/coverage');

  const names = endpoints.map(({ method, path }) => `${method} ${path}`);
  expect(new Set(names).size).toBe(names.length);
  expect(names).toHaveLength(37);
  expect(endpoints.every(({ note }) => note !== '')).toBe(true);
});

test('an absent endpoint answers 404, and still asks for a token first', async () => {
  const { api } = await startPlatform();

  expect((await api('/org/acme/quotas')).status).toBe(404);
  expect((await api('/org/acme/quotas', 'Bearer nonsense')).status).toBe(401);
});
