import { expect, test } from 'vitest';
import { startApis } from './spec-support.ts';

const HAL = { email: 'hal@acme.example', roles: ['billing_viewer'] };
const SEEDED = ['ada', 'ben', 'cleo', 'dana', 'gus', 'finance'].map(
  (name) => `${name}@acme.example`,
);

async function startUsers() {
  const apis = await startApis();
  return {
    ...apis,
    one: (email: string) => apis.ask(`GET /user/email/${encodeURIComponent(email)}`),
    invited: async () =>
      (await apis.emails()).filter(({ kind }) => kind === 'invitation').map(({ to }) => to),
  };
}

test('GET lists every billing user of the account, and reads one by e-mail with its roles', async () => {
  const { ask, one } = await startUsers();

  const list = await ask('GET /user');
  const dana = await one('dana@acme.example');

  expect([list.status, dana.status]).toEqual([200, 200]);
  for (const email of [...SEEDED, 'eve@contractor.example']) expect(list.text).toContain(email);
  expect(dana.text).toContain('"dana@acme.example"');
  expect(dana.text).toContain('["org_creator"]');
});

test('POST adds a user and sends an invitation', async () => {
  const { ask, one, invited } = await startUsers();

  expect((await ask('POST /user', { user: HAL })).status).toBe(201);

  expect((await one(HAL.email)).text).toContain('["billing_viewer"]');
  expect(await invited()).toEqual([HAL.email]);
});

test('POST of an existing user sends no invitation', async () => {
  const { ask, invited } = await startUsers();

  const user = { email: 'cleo@acme.example', roles: ['billing_admin'] };
  expect((await ask('POST /user', { user })).status).toBe(409);

  expect(await invited()).toEqual([]);
});

test('PUT replaces the roles', async () => {
  const { ask, one } = await startUsers();
  const email = 'cleo@acme.example';

  const user = { email, roles: ['org_creator'] };
  expect((await ask(`PUT /user/email/${email}`, { user })).status).toBe(200);

  const { text } = await one(email);
  expect(text).toContain('["org_creator"]');
  expect(text).not.toContain('billing_viewer');
});

test('DELETE removes the user', async () => {
  const { ask, one } = await startUsers();
  const email = 'eve@contractor.example';

  expect((await ask(`DELETE /user/email/${email}`)).status).toBe(204);

  expect((await one(email)).status).toBe(404);
  expect((await ask('GET /user')).text).not.toContain(email);
});
