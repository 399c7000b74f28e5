import { beforeEach, expect, test } from 'vitest';
import type { BillingUser } from '../../../../src/platform/billing/users.ts';
import { failureOf } from '../support.ts';
import { ADA, MAIN, startBilling, type Standing } from './support.ts';

let standing: Standing;

beforeEach(async () => {
  standing = await startBilling();
});

const NEW: BillingUser = { email: 'hal@acme.example', roles: ['billing_viewer', 'org_creator'] };
const CLEO: BillingUser = { email: 'cleo@acme.example', roles: ['billing_viewer'] };

test('the billing users are listed, and each is read by e-mail', async () => {
  const client = standing.client();

  const { value } = await client.listUsers();
  const one = (await client.getUser('Cleo@ACME.example')).value;

  expect(value.skipped).toBe(0);
  expect(value.items.length).toBe(7);
  expect(value.items).toContainEqual(CLEO);
  expect(one).toEqual(CLEO);
  expect((await client.getUser('no.one@acme.example')).value).toBeUndefined();
});

test.each<[string, BillingUser]>([
  ['no role', { email: NEW.email, roles: [] }],
  ['an unknown role', { email: NEW.email, roles: ['owner' as 'org_creator'] }],
  ['no address', { email: 'hal', roles: ['org_creator'] }],
])(
  'a user without a role, with an unknown role or a bad address is refused before it is sent: %s',
  async (_what, user) => {
    const added = await failureOf(standing.client().addUser(user));
    const changed = await failureOf(standing.client().setUserRoles(user));
    const unchecked = await standing.raw('POST', `account/${MAIN}/user`, {
      headers: { 'content-type': 'application/json' },
      text: JSON.stringify({ user }),
    });

    expect([added.status, changed.status]).toEqual([undefined, undefined]);
    expect([added.reason, changed.reason]).toEqual(['bad-request', 'bad-request']);
    expect(unchecked.status).toBe(400);
    expect((await standing.calls()).length).toBe(1);
  },
);

test('a new user is sent wrapped, has the roles and is invited by mail', async () => {
  const client = standing.client();

  await client.addUser(NEW);

  expect((await standing.calls())[0]?.body).toEqual({ user: NEW });
  expect((await client.getUser(NEW.email)).value).toEqual(NEW);
  const mails = (await standing.mails()).filter(({ kind }) => /invit/.test(kind));
  expect(mails.map(({ to }) => to)).toEqual([NEW.email]);
});

test('an e-mail with odd signs stays one part of the path', async () => {
  const odd: BillingUser = { email: 'h/a+l?x=1#y%2f&z@acme.example', roles: ['org_creator'] };
  const client = standing.client();

  await client.addUser(odd);
  const read = (await client.getUser(odd.email)).value;
  await client.removeUser(odd.email);

  expect(read).toEqual(odd);
  expect((await client.getUser(odd.email)).value).toBeUndefined();
  const paths = (await standing.calls()).map(({ path }) => path.split('/').length);
  expect(new Set(paths.slice(1)).size).toBe(1);
});

test('the roles of a user are replaced as a whole, and a removed user is gone', async () => {
  const client = standing.client();

  await client.setUserRoles({ email: CLEO.email, roles: ['org_creator'] });
  const changed = (await client.getUser(CLEO.email)).value;
  const sent = (await standing.calls())[0];
  await client.removeUser(CLEO.email);

  expect(changed?.roles).toEqual(['org_creator']);
  expect(sent).toMatchObject({
    method: 'PUT',
    body: { user: { email: CLEO.email, roles: ['org_creator'] } },
  });
  expect((await client.getUser(CLEO.email)).value).toBeUndefined();
});

test('a user who is there already is a conflict', async () => {
  const failure = await failureOf(standing.client().addUser({ ...CLEO, roles: ['billing_admin'] }));

  expect(failure).toMatchObject({ reason: 'conflict', status: 409 });
  expect((await standing.client().getUser(CLEO.email)).value).toEqual(CLEO);
});

test.each<[string, (email: string) => Promise<unknown>]>([
  [
    'change',
    (email) => standing.client({ token: ADA }).setUserRoles({ email, roles: ['billing_viewer'] }),
  ],
  ['removal', (email) => standing.client({ token: ADA }).removeUser(email)],
])('no one changes or removes their own billing user: %s', async (_what, call) => {
  const own = await failureOf(call('ada@acme.example'));
  await call('ben@acme.example');

  expect(own).toMatchObject({ reason: 'bad-request', status: 400 });
  expect((await standing.client().getUser('ada@acme.example')).value?.roles).toEqual([
    'billing_admin',
  ]);
});
