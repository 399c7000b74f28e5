import { describe, expect, test } from 'vitest';
import { AUTH_CACHE, CLEO, startApis } from './spec-support.ts';

const HAL = { user: { email: 'hal@acme.example', roles: ['billing_viewer'] } };
const EVERYONE = ['ada', 'ben', 'cleo', 'dana', 'gus', 'finance'].map(
  (name) => `${name}@acme.example`,
);

/** The shape of the answers is open: what they say is looked for in their text. */
async function startUsers() {
  const apis = await startApis();
  return {
    ...apis,
    one: (email: string) => apis.account('GET', `/user/email/${encodeURIComponent(email)}`),
    put: (email: string, body: object) =>
      apis.account('PUT', `/user/email/${encodeURIComponent(email)}`, { body }),
    remove: (email: string) => apis.account('DELETE', `/user/email/${encodeURIComponent(email)}`),
    invited: async () =>
      (await apis.emails()).filter(({ kind }) => kind === 'invitation').map(({ to }) => to),
  };
}

describe('GET', () => {
  test('the list has every billing user of the account', async () => {
    const { account } = await startUsers();

    const { status, text } = await account('GET', '/user');

    expect(status).toBe(200);
    for (const email of [...EVERYONE, 'eve@contractor.example']) expect(text).toContain(email);
  });

  test('a user is identified by e-mail and has roles', async () => {
    const { one } = await startUsers();

    const { status, text } = await one('dana@acme.example');

    expect(status).toBe(200);
    expect(text).toContain('"dana@acme.example"');
    expect(text).toContain('["org_creator"]');
  });

  test('an address that is no billing user is not found', async () => {
    const { one } = await startUsers();

    expect((await one('nobody@acme.example')).status).toBe(404);
  });
});

describe('POST', () => {
  test('adds a user and sends an invitation e-mail', async () => {
    const { account, one, invited } = await startUsers();

    const { status } = await account('POST', '/user', { body: HAL });

    expect(status).toBeGreaterThanOrEqual(200);
    expect(status).toBeLessThan(300);
    expect((await one('hal@acme.example')).text).toContain('["billing_viewer"]');
    expect(await invited()).toEqual(['hal@acme.example']);
  });

  test('adding an existing user gives 409, and no mail', async () => {
    const { account, invited } = await startUsers();

    const { status, body } = await account('POST', '/user', {
      body: { user: { email: 'cleo@acme.example', roles: ['billing_admin'] } },
    });

    expect([status, body]).toEqual([409, { code: 409, error: expect.any(String) }]);
    expect(await invited()).toEqual([]);
  });

  test.each([
    ['not wrapped', HAL.user],
    ['without an e-mail', { user: { roles: ['billing_viewer'] } }],
    ['with an invalid e-mail', { user: { ...HAL.user, email: 'hal' } }],
    ['without roles', { user: { email: 'hal@acme.example' } }],
    ['with no role', { user: { ...HAL.user, roles: [] } }],
    ['with an unknown role', { user: { ...HAL.user, roles: ['superuser'] } }],
  ])('a user %s is refused with 400', async (_what, body) => {
    const { account, one } = await startUsers();

    const answer = await account('POST', '/user', { body });

    expect([answer.status, answer.body]).toEqual([400, { code: 400, error: expect.any(String) }]);
    expect((await one('hal@acme.example')).status).not.toBe(200);
  });
});

describe('PUT', () => {
  test('replaces the roles', async () => {
    const { put, one } = await startUsers();
    const email = 'cleo@acme.example';

    const { status } = await put(email, { user: { email, roles: ['org_creator'] } });

    expect(status).toBeLessThan(300);
    const { text } = await one(email);
    expect(text).toContain('["org_creator"]');
    expect(text).not.toContain('billing_viewer');
  });

  test('role changes apply after 5 minutes at the latest', async () => {
    const { put, account, wait } = await startUsers();
    const email = 'cleo@acme.example';
    const recipients = async () =>
      (await account('GET', '/invoice-delivery/recipients', { token: CLEO })).status;
    const before = await recipients();

    await put(email, { user: { email, roles: ['billing_admin'] } });
    await wait(AUTH_CACHE + 1);

    expect([before, await recipients()]).toEqual([401, 200]);
  });

  test.each([
    ['an unknown role', { user: { email: 'cleo@acme.example', roles: ['owner'] } }],
    ['no role', { user: { email: 'cleo@acme.example', roles: [] } }],
    ['no wrapper', { email: 'cleo@acme.example', roles: ['billing_admin'] }],
  ])('%s is refused with 400', async (_what, body) => {
    const { put, one } = await startUsers();

    expect((await put('cleo@acme.example', body)).status).toBe(400);
    expect((await one('cleo@acme.example')).text).toContain('["billing_viewer"]');
  });
});

describe('DELETE', () => {
  test('removes the user', async () => {
    const { remove, one, account } = await startUsers();

    const { status } = await remove('eve@contractor.example');

    expect(status).toBeLessThan(300);
    expect((await one('eve@contractor.example')).status).not.toBe(200);
    expect((await account('GET', '/user')).text).not.toContain('eve@contractor.example');
  });

  test('revocations apply after 5 minutes at the latest', async () => {
    const { remove, account, wait } = await startUsers();
    const pending = async () =>
      (await account('GET', '/charges/invoices/pending', { token: CLEO })).status;
    const before = await pending();

    await remove('cleo@acme.example');
    await wait(AUTH_CACHE + 1);

    expect([before, await pending()]).toEqual([200, 401]);
  });
});

describe('your own billing user', () => {
  const email = 'ada@acme.example';

  test.each([
    ['changing', 'PUT', { user: { email, roles: ['billing_viewer'] } }],
    ['removing', 'DELETE', undefined],
  ] as const)('%s it gives 400', async (_what, method, body) => {
    const { account, one } = await startUsers();

    const answer = await account(method, `/user/email/${email}`, { body });

    expect([answer.status, answer.body]).toEqual([400, { code: 400, error: expect.any(String) }]);
    expect((await one(email)).text).toContain('["billing_admin"]');
  });
});
