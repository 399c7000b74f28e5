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

test('an answer that breaks off is told with the status of the write that worked', async () => {
  const server = await sequence({ status: 201, body: '{"id":5' });

  const failure = await failureOf(
    startBillingClient(server.url).addRecipient({ email: 'ap@acme.example' }),
  );

  expect(failure).toMatchObject({ reason: 'malformed', status: 201 });
});
