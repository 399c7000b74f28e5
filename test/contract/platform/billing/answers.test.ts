import { expect, test } from 'vitest';
import type { BillingClient } from '../../../../src/platform/billing/client.ts';
import { failureOf, sequence, serve } from '../support.ts';
import { startBillingClient } from './support.ts';

/** What the platform says to these is not shown, or nothing at all. */
const UNREAD: Readonly<Record<string, (client: BillingClient) => Promise<void>>> = {
  'adding a user': (client) => client.addUser({ email: 'hal@x.example', roles: ['org_creator'] }),
  'changing a user': (client) =>
    client.setUserRoles({ email: 'hal@x.example', roles: ['org_creator'] }),
  'removing a user': (client) => client.removeUser('hal@x.example'),
  'removing a token': (client) => client.removeToken('t1'),
  'removing a recipient': (client) => client.removeRecipient('r1'),
};
const BODIES = ['', ' \r\n', '"ok', 'OK', '<html>done</html>', '{"user":', '[]', 'null'];

test.each(Object.keys(UNREAD))(
  'what worked is not told as failed, whatever is said to it: %s',
  async (name) => {
    for (const body of BODIES) {
      const server = await sequence({ status: 200, body });

      await expect(UNREAD[name]?.(startBillingClient(server.url))).resolves.toBeUndefined();
      expect(server.seen.length).toBe(1);
    }
  },
);

test.each(BODIES)('an alert whose removal is answered with %j is removed', async (body) => {
  const server = await serve(({ method }, reply) => {
    reply.end(method === 'DELETE' ? body : '{"amount":5,"enabled":true}');
  });

  expect(await startBillingClient(server.url).removeAlert()).toEqual({ removed: true });
});

test('an alert whose removal is answered with an error, and cannot be read then, fails with that error', async () => {
  let asked = 0;
  const server = await serve(({ method }, reply) => {
    asked += 1;
    reply.statusCode = method === 'DELETE' ? 500 : asked === 1 ? 200 : 401;
    reply.end(method === 'DELETE' ? '' : '{"amount":5,"enabled":true}');
  });

  const failure = await failureOf(startBillingClient(server.url).removeAlert());

  expect(failure).toMatchObject({ reason: 'server-error', status: 500 });
});

test.each(['', ' \n', 'null'])(
  'an org, an alert and a recipient are made although %j is said to it',
  async (body) => {
    const server = await sequence({ status: 201, body });
    const client = startBillingClient(server.url);

    const org = await client.createOrg({ org: { name: 'hooli' }, invitees: ['gavin@x.example'] });
    await client.createAlert({ amount: 500, enabled: true });
    const recipient = await client.addRecipient({ email: 'ap@acme.example' });

    expect(org).toEqual({ name: 'hooli', created: true });
    expect(recipient).toMatchObject({ email: 'ap@acme.example', enabled: true });
  },
);

test('an answer that breaks off is told with the status of the write that worked', async () => {
  const server = await sequence({ status: 201, body: '{"id":5' });

  const failure = await failureOf(
    startBillingClient(server.url).addRecipient({ email: 'ap@acme.example' }),
  );

  expect(failure).toMatchObject({ reason: 'malformed', status: 201 });
});

test('a list is read over all its pages, with the same credential for each', async () => {
  const server = await serve(({ url }, reply) => {
    const isLast = url?.endsWith('?page=2');
    const page = isLast
      ? { items: [{ name: 'globex' }] }
      : { items: [{ name: 'acme' }], links: [{ rel: 'next', href: `${url}?page=2` }] };
    reply.end(JSON.stringify(page));
  });

  const { value } = await startBillingClient(`${server.url}/billing`).listOrgs();

  expect(value.items.map(({ name }) => name)).toEqual(['acme', 'globex']);
  expect(server.seen.length).toBe(2);
  expect(new Set(server.seen.map(({ authorization }) => authorization)).size).toBe(1);
});
