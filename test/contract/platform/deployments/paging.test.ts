import { expect, test } from 'vitest';
import { failureOf, item, page, serve, startClient } from '../support.ts';

const FIRST_PAGE = '/org/acme/gvc/shop/workload/-deployment';

/** Two pages; `next` is what the first one says of the second, given the server's address. */
async function twoPages(next: (origin: string) => string, basePath = '') {
  const server = await serve((request, reply) => {
    const second = request.url?.includes('after=1') === true;
    reply.end(second ? page([item('b')]) : page([item('a')], next(server.url)));
  });
  return { server, client: startClient(`${server.url}${basePath}`) };
}

test.each<[string, string, (origin: string) => string]>([
  ['rooted', '', () => `${FIRST_PAGE}?after=1`],
  ['absolute', '', (origin) => `${origin}${FIRST_PAGE}?after=1`],
  ['only a query', '', () => '?after=1'],
  ['relative to its page', '', () => '-deployment?after=1'],
  ['rooted below a base', '/api/v1', () => `${FIRST_PAGE}?after=1`],
  ['rooted at the origin of a base', '/api/v1', () => `/api/v1${FIRST_PAGE}?after=1`],
  ['absolute below a base', '/api/v1', (origin) => `${origin}/api/v1${FIRST_PAGE}?after=1`],
  ['only a query below a base', '/api/v1', () => '?after=1'],
  ['relative below a base', '/api/v1', () => './-deployment?after=1'],
  ['rooted below a base like an API path', '/org', () => `/org${FIRST_PAGE}?after=1`],
])('a next link that is %s leads to the second page', async (_form, base, next) => {
  const { server, client } = await twoPages(next, base);

  const { deployments } = await client.listGvc('acme', 'shop');

  expect(deployments.map(({ workload }) => workload)).toEqual(['a', 'b']);
  expect(server.seen.map(({ url }) => url)).toEqual([
    `${base}${FIRST_PAGE}`,
    `${base}${FIRST_PAGE}?after=1`,
  ]);
});

test.each<[string, (other: string) => string]>([
  ['absolute', (other) => `${other}/steal`],
  ['without a scheme', (other) => `${other.replace('http:', '')}/steal`],
  ['with backslashes', (other) => `${other.replace('http://', '\\\\')}/steal`],
  ['hidden in a blob', (other) => `blob:${other}/steal`],
  ['without a host', () => 'http://'],
  ['broken', () => 'https://['],
  ['at no port', () => 'http://127.0.0.1:99999/'],
  ['a script', () => 'javascript:alert(1)'],
])('a next link to another origin, %s, is refused and never gets the key', async (_, toOther) => {
  const other = await serve((_request, reply) => reply.end(page([])));
  const { client } = await twoPages(() => toOther(other.url));

  const failure = await failureOf(client.listGvc('acme', 'shop'));

  expect(failure).toMatchObject({ reason: 'redirected', retryable: false });
  expect(other.seen).toEqual([]);
});

test('pages that lead back to themselves end in an error, not in a partial list', async () => {
  const { server, client } = await twoPages(() => FIRST_PAGE);

  expect((await failureOf(client.listGvc('acme', 'shop'))).reason).toBe('malformed');
  expect(server.seen).toHaveLength(1);
});

test('a second page that fails makes no half of a list', async () => {
  const server = await serve((request, reply) => {
    if (request.url?.includes('after=1') === true) reply.writeHead(500).end();
    else reply.end(page([item('a')], '?after=1'));
  });

  const failure = await failureOf(startClient(server.url).listGvc('acme', 'shop'));

  expect(failure.reason).toBe('server-error');
  expect(server.seen).toHaveLength(2);
});

test('pages without end are given up', async () => {
  let count = 0;
  const server = await serve((_request, reply) => {
    count += 1;
    reply.end(page([], `?after=${count}`));
  });

  const failure = await failureOf(startClient(server.url).listGvc('acme', 'shop'));

  expect(failure.reason).toBe('malformed');
  expect(server.seen.length).toBeLessThanOrEqual(1_000);
});

test('pages that trickle in are given up when the whole list has taken too long', async () => {
  let count = 0;
  const server = await serve((_request, reply) => {
    count += 1;
    setTimeout(() => reply.end(page([], `?after=${count}`)), 20);
  });
  const client = startClient(server.url, { listMs: 150 });

  const failure = await failureOf(client.listGvc('acme', 'shop'));

  expect(failure.reason).toBe('timeout');
  expect(server.seen.length).toBeGreaterThan(1);
});

test.each([
  ['links that are no list', { items: [], links: { next: '/more' } }],
  ['a next link without text', { items: [], links: [{ rel: 'next', href: { path: '/more' } }] }],
  ['neither items nor the kind of a list', { links: [] }],
  ['items that are no list', { items: { a: 1 } }],
  ['a bare list', [item('a')]],
  ['null', null],
])(
  'a page with %s is an error: a list that breaks off would make the rest look gone',
  async (_what, body) => {
    const server = await serve((_request, reply) => reply.end(JSON.stringify(body)));

    const failure = await failureOf(startClient(server.url).listGvc('acme', 'shop'));

    expect(failure.reason).toBe('malformed');
    expect(failure.retryable).toBe(false);
  },
);

test.each([
  ['absent links', { items: [item('a')] }],
  ['null links', { items: [item('a')], links: null }],
  ['an empty next link', { items: [item('a')], links: [{ rel: 'next', href: '' }] }],
  ['odd other links', { items: [item('a')], links: [null, 5, { rel: 7 }, { rel: 'self' }] }],
])('a page with %s is the last one', async (_what, body) => {
  const server = await serve((_request, reply) => reply.end(JSON.stringify(body)));

  const list = await startClient(server.url).listGvc('acme', 'shop');

  expect(list.deployments).toHaveLength(1);
  expect(server.seen).toHaveLength(1);
});
