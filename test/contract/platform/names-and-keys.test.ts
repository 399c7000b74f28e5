import { expect, test } from 'vitest';

import { Secret } from '../../../src/lib/secret.ts';
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

test.each(['', '.', '..', '\ud800'])(
  'a name that no encoding can hold in its place, %j, is refused before anything is sent',
  async (name) => {
    const server = await sequence({ body: page([]) });
    const client = startClient(server.url);

    const failures = [
      await failureOf(client.listGvc(name, 'shop')),
      await failureOf(client.listGvc('acme', name)),
      await failureOf(client.listWorkload('acme', 'shop', name)),
    ];

    expect(failures.map(({ reason }) => reason)).toEqual(failures.map(() => 'bad-request'));
    expect(server.seen).toEqual([]);
  },
);

test('each org is read with its own key and never with that of another', async () => {
  const server = await sequence({ body: page([]) });
  const keys = new Map([
    ['acme', 'key-of-acme'],
    ['globex', 'key-of-globex'],
  ]);
  const client = startClient(server.url, { credentialOf: (org) => bearer(keys.get(org)) });

  await Promise.all([
    client.listGvc('acme', 'shop'),
    client.listGvc('globex', 'lab'),
    client.listWorkload('acme', 'shop', 'web'),
  ]);

  const used = server.seen.map(({ url, authorization }) => [url.split('/')[2], authorization]);
  expect(used).toHaveLength(3);
  for (const [org, authorization] of used) expect(authorization).toBe(`Bearer key-of-${org}`);
});

test('a workload’s own token goes as the plain value', async () => {
  const server = await sequence({ body: page([]) });
  const secret = new Secret('injected-token');
  const client = startClient(server.url, { credentialOf: () => ({ kind: 'workload', secret }) });

  await client.listGvc('acme', 'shop');

  expect(server.seen.map(({ authorization }) => authorization)).toEqual(['injected-token']);
});

test('a key that no header can carry is reported as such, and nothing is sent', async () => {
  const server = await sequence({ body: page([]) });
  const client = startClient(server.url, { credentialOf: () => bearer('two\nlines') });

  const failure = await failureOf(client.listGvc('acme', 'shop'));

  expect(failure).toMatchObject({ reason: 'bad-request', retryable: false });
  expect(failure.message).toContain('has a space or a line break in it');
  expect(server.seen).toEqual([]);
});

test('an org without a key is refused without a call', async () => {
  const server = await sequence({ body: page([]) });
  const client = startClient(server.url, { credentialOf: () => undefined });

  const failure = await failureOf(client.listGvc('initech', 'main'));

  expect(failure.reason).toBe('unauthorized');
  expect(failure.message).toContain('initech');
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
