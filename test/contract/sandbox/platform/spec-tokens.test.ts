import { expect, test } from 'vitest';
import { MAIN, startApis, TIME } from './spec-support.ts';

const PATH = '/service-account-token';
const CI = { name: 'ci', description: 'pipelines', roles: ['billing_viewer', 'org_creator'] };
const SEEDED = 'dddddddd-0000-4000-a000-000000000003';

type Token = Record<string, unknown> & { id: string; token: string };

async function startTokens() {
  const apis = await startApis();
  const { ask, ok } = apis;
  const list = async () => (await ok(ask<{ items: Token[] }>(`GET ${PATH}`))).items;
  return {
    ...apis,
    list,
    create: (body: object = CI) => ok(ask<Token>(`POST ${PATH}`, body)),
    reads: async (token: string) => (await ask('GET ', undefined, token)).status,
    lastUsedAt: async (id: string) => (await list()).find((item) => item.id === id)?.['lastUsedAt'],
  };
}

test('POST: 201 with the token object including the one-time secret', async () => {
  const { ask } = await startTokens();

  const { status, body } = await ask(`POST ${PATH}`, { ...CI, expiresAt: '2026-12-01T00:00:00Z' });

  expect(status).toBe(201);
  expect(body).toEqual({
    ...CI,
    kind: 'serviceAccountToken',
    id: expect.stringMatching(/./),
    accountUUID: MAIN,
    createdBy: 'ada@acme.example',
    expiresAt: expect.stringMatching(/^2026-12-01T00:00:00(\.000)?Z$/),
    created: expect.stringMatching(TIME),
    lastModified: expect.stringMatching(TIME),
    token: expect.stringMatching(/^svc-bsat-.{16,}$/),
  });
});

test('POST: a description is optional, an omitted expiresAt means no expiry, and a token may create one', async () => {
  const { ask, reads, wait } = await startTokens();
  const bare = { name: 'bare', roles: ['billing_admin'] };

  const { status, body } = await ask<Token>(`POST ${PATH}`, bare, 'svc-bsat-sandbox-admin');
  await wait(365 * 86_400);

  expect([status, body['expiresAt'] ?? null]).toEqual([201, null]);
  expect(body['createdBy']).toMatch(/^\S+@\S+\.\S+$/);
  expect(await reads(body.token)).toBe(200);
});

test('GET: items without secrets', async () => {
  const { create, ask } = await startTokens();
  const { token, ...rest } = await create();

  const { status, body, text } = await ask<{ items: Token[] }>(`GET ${PATH}`);

  expect(status).toBe(200);
  expect(body.items.find(({ id }) => id === rest.id)).toMatchObject(rest);
  expect(body.items.every((item) => !('token' in item))).toBe(true);
  expect(text).not.toContain(token);
  expect(text).not.toContain('svc-bsat-');
});

test('DELETE: 204, the token is gone from the list, and a second time it is a 404', async () => {
  const { create, ask, list } = await startTokens();
  const { id } = await create();

  const { status, text } = await ask(`DELETE ${PATH}/${id}`);

  expect([status, text]).toEqual([204, '']);
  expect((await list()).map((item) => item.id)).not.toContain(id);
  expect((await ask(`DELETE ${PATH}/${id}`)).status).toBe(404);
});

test('a new token works with its roles, and no others', async () => {
  const { create, reads, ask } = await startTokens();
  const { token } = await create();

  expect(await reads(token)).toBe(200);
  expect((await ask('GET /user', undefined, token)).status).toBe(200);
  expect((await ask(`GET ${PATH}`, undefined, token)).status).toBe(401);
});

test('lastUsedAt is about when the token was used, noted once a minute', async () => {
  const { create, reads, wait, lastUsedAt } = await startTokens();
  const { id, token } = await create();
  const seen = [await lastUsedAt(id)];

  for (const seconds of [7200, 59, 1]) {
    await wait(seconds);
    await reads(token);
    seen.push(await lastUsedAt(id));
  }

  const times = ['14:00:00', '14:00:00', '14:01:00'].map((time) => `2026-10-05T${time}.000Z`);
  expect(seen).toEqual([undefined, ...times]);
});

test('POST /_sandbox/token sets when a token was last used, until it is used again', async () => {
  const { act, reads, lastUsedAt } = await startTokens();
  const seen: unknown[] = [];

  await act('token', { id: SEEDED, lastUsedAt: '2026-08-01T10:00:00+02:00' });
  seen.push(await lastUsedAt(SEEDED));
  await act('token', { id: SEEDED, lastUsedAt: null });
  seen.push(await lastUsedAt(SEEDED));
  await reads('svc-bsat-sandbox-creator');
  seen.push(await lastUsedAt(SEEDED));

  expect(seen).toEqual(['2026-08-01T08:00:00.000Z', undefined, '2026-10-05T12:00:00.000Z']);
});
