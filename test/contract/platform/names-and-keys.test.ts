import { expect, test } from 'vitest';

import { bearer, failureOf, item, page, sequence, startClient } from './support.ts';

test('names are encoded, so that none of them can lead to another path', async () => {
  const server = await sequence({ body: page([]) });
  const client = startClient(server.url);

  await client.listGvc('acme/x', 'shop?y#z');
  await client.listWorkload('acme', 'shop', '../../other');

  expect(server.seen.map(({ url }) => url)).toEqual([
    '/org/acme%2Fx/gvc/shop%3Fy%23z/workload/-deployment',
    '/org/acme/gvc/shop/workload/..%2F..%2Fother/deployment',
  ]);
});

test('each org is read with its own key and never with that of another', async () => {
  const server = await sequence({ body: page([]) });
  const client = startClient(server.url, { credentialOf: (org) => bearer(`key-of-${org}`) });

  await Promise.all([
    client.listGvc('acme', 'shop'),
    client.listGvc('globex', 'lab'),
    client.listWorkload('acme', 'shop', 'web'),
  ]);

  const used = server.seen.map(({ url, authorization }) => [url.split('/')[2], authorization]);
  expect(used).toHaveLength(3);
  for (const [org, authorization] of used) expect(authorization).toBe(`Bearer key-of-${org}`);
});

test.each([
  ['a name that is empty', '', 'key', 'bad-request', '"" is not a name'],
  ['a name that is a step', '.', 'key', 'bad-request', '"." is not a name'],
  ['a name that is a step up', '..', 'key', 'bad-request', '".." is not a name'],
  ['a name that is half a character', '\ud800', 'key', 'bad-request', 'is not a name'],
  ['a key that no header can carry', 'acme', 'two\nlines', 'bad-request', 'a line break in it'],
  ['an org without a key', 'initech', undefined, 'unauthorized', 'no key for org initech'],
])('%s is refused before anything is sent', async (_what, name, key, reason, message) => {
  const server = await sequence({ body: page([]) });
  const client = startClient(server.url, { credentialOf: () => bearer(key) });

  const failure = await failureOf(client.listGvc(name, 'shop'));

  expect(failure).toMatchObject({ reason, retryable: false });
  expect(failure.message).toContain(message);
  expect(server.seen).toEqual([]);
});

test.each([301, 302, 303, 307, 308])('a redirect (%i) is not followed', async (status) => {
  const other = await sequence({ body: page([item('a')]) });
  const server = await sequence({ status, headers: { location: `${other.url}/steal` } });

  const failure = await failureOf(startClient(server.url).listGvc('acme', 'shop'));

  expect(failure).toMatchObject({ reason: 'redirected', status, retryable: false });
  expect(server.seen).toHaveLength(1);
  expect(other.seen).toEqual([]);
});
