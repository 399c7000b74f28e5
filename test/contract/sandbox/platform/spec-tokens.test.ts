import { describe, expect, test } from 'vitest';
import { AUTH_CACHE, MAIN, SECOND, startApis, TIME, type Apis } from './spec-support.ts';

const PATH = '/service-account-token';
const CI = { name: 'ci', description: 'pipelines', roles: ['billing_viewer', 'org_creator'] };

type Token = Record<string, unknown> & { id: string; token: string };
interface List {
  items: Token[];
}

const create = ({ account, ok }: Apis, body: object = CI) =>
  ok(account<Token>('POST', PATH, { body }));
const list = async ({ account, ok }: Apis) => (await ok(account<List>('GET', PATH))).items;
const reads = async ({ account }: Apis, token: string) =>
  (await account('GET', '', { token })).status;

describe('POST', () => {
  test('201 with the token object including the one-time secret', async () => {
    const { account } = await startApis();

    const { status, body } = await account('POST', PATH, {
      body: { ...CI, expiresAt: '2026-12-01T00:00:00Z' },
    });

    expect(status).toBe(201);
    expect(body).toEqual({
      kind: 'serviceAccountToken',
      id: expect.stringMatching(/./),
      accountUUID: MAIN,
      name: 'ci',
      description: 'pipelines',
      roles: ['billing_viewer', 'org_creator'],
      createdBy: 'ada@acme.example',
      expiresAt: expect.stringMatching(/^2026-12-01T00:00:00(\.000)?Z$/),
      created: expect.stringMatching(TIME),
      lastModified: expect.stringMatching(TIME),
      token: expect.stringMatching(/^svc-bsat-.{16,}$/),
    });
  });

  test('omitted expiresAt means no expiry', async () => {
    const apis = await startApis();

    const { token, expiresAt } = await create(apis);
    await apis.wait(365 * 86_400);

    expect(expiresAt ?? null).toBeNull();
    expect(await reads(apis, token)).toBe(200);
  });

  test('createdBy is an e-mail address, also when a token creates it', async () => {
    const { account } = await startApis();
    const token = 'svc-bsat-sandbox-admin';

    const { status, body } = await account('POST', PATH, { token, body: CI });

    expect(status).toBe(201);
    expect(body['createdBy']).toMatch(/^\S+@\S+\.\S+$/);
  });

  test('description may be left out', async () => {
    const { account } = await startApis();

    const { status } = await account('POST', PATH, {
      body: { name: 'bare', roles: ['billing_admin'] },
    });

    expect(status).toBe(201);
  });

  test.each([
    ['name is missing', { roles: ['billing_admin'] }],
    ['roles are missing', { name: 'ci' }],
    ['roles are empty', { name: 'ci', roles: [] }],
    ['a role is unknown', { name: 'ci', roles: ['billing_admin', 'owner'] }],
    ['roles are no array', { name: 'ci', roles: 'billing_admin' }],
    ['expiresAt is in the past', { ...CI, expiresAt: '2026-10-05T11:59:59Z' }],
    ['expiresAt is now', { ...CI, expiresAt: '2026-10-05T12:00:00Z' }],
    ['expiresAt is no RFC 3339 time', { ...CI, expiresAt: 'tomorrow' }],
  ])('400 when %s', async (_why, body) => {
    const apis = await startApis();
    const before = await list(apis);

    const answer = await apis.account('POST', PATH, { body });

    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ code: 400, error: expect.any(String) });
    expect(await list(apis)).toHaveLength(before.length);
  });
});

describe('GET', () => {
  test('items without secrets', async () => {
    const apis = await startApis();
    const { token, ...rest } = await create(apis);

    const { status, body, text } = await apis.account<List>('GET', PATH);

    expect(status).toBe(200);
    expect(body.items.find(({ id }) => id === rest.id)).toMatchObject(rest);
    expect(body.items.every((item) => !('token' in item))).toBe(true);
    expect(text).not.toContain(token);
    expect(text).not.toContain('svc-bsat-');
  });

  test('lastUsedAt is about when the token was used', async () => {
    const apis = await startApis();
    const { id, token } = await create(apis);

    await apis.wait(7200);
    await reads(apis, token);

    const item = (await list(apis)).find((item) => item.id === id);
    expect(item?.['lastUsedAt']).toMatch(/^2026-10-05T1[34]:/);
  });
});

describe('DELETE', () => {
  test('204, and the token is gone from the list', async () => {
    const apis = await startApis();
    const { id } = await create(apis);

    const { status, text } = await apis.account('DELETE', `${PATH}/${id}`);

    expect([status, text]).toEqual([204, '']);
    expect((await list(apis)).map((item) => item.id)).not.toContain(id);
  });

  test('404 if the account has no such token', async () => {
    const apis = await startApis();
    const { id } = await create(apis);
    await apis.account('DELETE', `${PATH}/${id}`);

    for (const unknown of [id, '11111111-2222-4333-8444-555555555555', 'nothing']) {
      const { status, body } = await apis.account('DELETE', `${PATH}/${unknown}`);
      expect([status, body]).toEqual([404, { code: 404, error: expect.any(String) }]);
    }
  });

  test("404 for another account's token, which stays", async () => {
    const apis = await startApis();
    const { id } = await create(apis);

    const { status } = await apis.billing('DELETE', `/account/${SECOND}${PATH}/${id}`);

    expect(status).toBe(404);
    expect((await list(apis)).map((item) => item.id)).toContain(id);
  });
});

describe('active, then no longer valid', () => {
  test('a new token works with its roles', async () => {
    const apis = await startApis();
    const { token } = await create(apis);

    expect(await reads(apis, token)).toBe(200);
    expect((await apis.account('GET', '/user', { token })).status).toBe(200);
    expect((await apis.account('GET', PATH, { token })).status).toBe(401);
  });

  test('a deleted token may keep working up to 5 minutes, and no longer', async () => {
    const apis = await startApis();
    const { id, token } = await create(apis);
    await reads(apis, token);
    await apis.account('DELETE', `${PATH}/${id}`);

    const cached = await reads(apis, token);
    await apis.wait(AUTH_CACHE + 1);

    expect([cached, await reads(apis, token)]).toEqual([200, 401]);
  });

  test('an expired token may keep working up to 5 minutes, and no longer', async () => {
    const apis = await startApis();
    const { token } = await create(apis, { ...CI, expiresAt: '2026-10-05T13:00:00Z' });

    await apis.wait(3599);
    const before = await reads(apis, token);
    await apis.wait(AUTH_CACHE + 2);

    expect([before, await reads(apis, token)]).toEqual([200, 401]);
  });
});
