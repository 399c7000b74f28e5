import { describe, expect, test } from 'vitest';
import {
  ADA,
  CLEO,
  MAIN,
  ORGS,
  PROCESSOR_ID,
  SECOND,
  startApis,
  TIME,
  UUID,
} from './spec-support.ts';

const UNAUTHORIZED = { code: 401, error: 'unauthorized' };

describe('GET /account', () => {
  test.each([
    ['ada', [MAIN, SECOND]],
    ['cleo', [MAIN]],
    ['dana', [MAIN]],
  ])(
    "the accounts that %s belongs to; each item's id is the account id",
    async (user, accounts) => {
      const { billing } = await startApis();

      const { status, body } = await billing<{ items: { id: string; fullName: string }[] }>(
        'GET',
        '/account',
        { token: `sandbox-user-${user}` },
      );

      expect(status).toBe(200);
      expect(body.items.map(({ id }) => id).toSorted()).toEqual(accounts.toSorted());
      expect(body.items.every(({ fullName }) => fullName !== '')).toBe(true);
    },
  );
});

describe('GET /account/<accountId>', () => {
  test('the account object with the fields of spec 2.2', async () => {
    const { account } = await startApis();

    const { status, body } = await account('GET', '');

    expect(status).toBe(200);
    expect(body).toMatchObject({
      fullName: expect.any(String),
      email: expect.stringMatching(/@/),
      orgQuota: expect.any(Number),
      enabled: true,
      tou: true,
      id: MAIN,
      accountId: PROCESSOR_ID,
    });
    expect(body).toHaveProperty('address');
    expect(body['id']).toMatch(UUID);
  });

  test('paymentMethods: card entries with last4 and brand', async () => {
    const { account, billing } = await startApis();

    const { body } = await account<{ paymentMethods: unknown }>('GET', '');
    const second = await billing<{ paymentMethods: unknown }>('GET', `/account/${SECOND}`);

    expect(body.paymentMethods).toEqual([
      expect.objectContaining({
        last4: expect.stringMatching(/^\d{4}$/),
        brand: expect.stringMatching(/./),
      }),
    ]);
    expect(second.body).toMatchObject({ enabled: false, tou: false, orgQuota: 0 });
    expect(second.body.paymentMethods).toEqual([]);
  });

  test.each([
    ['GET', ''],
    ['GET', '/org'],
    ['GET', '/alert'],
    ['GET', '/user'],
    ['GET', '/charges/invoices/pending'],
  ] as const)("a path built from the processor's id returns 401: %s %s", async (method, path) => {
    const { billing } = await startApis();

    const { status, body } = await billing(method, `/account/${PROCESSOR_ID}${path}`);

    expect([status, body]).toEqual([401, UNAUTHORIZED]);
  });

  test('an account that does not exist is no account of the caller', async () => {
    const { billing } = await startApis();

    const { status } = await billing('GET', '/account/11111111-2222-4333-8444-555555555555');

    expect(status).toBe(401);
  });
});

describe('GET /org/<org>/account', () => {
  test.each(ORGS)('finds the account that pays for %s', async (org) => {
    const { billing } = await startApis();

    const { status, body } = await billing('GET', `/org/${org}/account`, { token: CLEO });

    expect(status).toBe(200);
    expect(body).toMatchObject({ id: MAIN });
  });
});

describe('GET /account/<accountId>/org', () => {
  test('the list wrapper of orgs', async () => {
    const { account } = await startApis();

    const { status, body } = await account<{ items: { name: string }[] }>('GET', '/org');

    expect(status).toBe(200);
    expect(body).toEqual({
      kind: 'list',
      itemKind: 'org',
      accountUUID: MAIN,
      items: expect.any(Array),
    });
    expect(body.items.map(({ name }) => name).toSorted()).toEqual(ORGS);
  });

  test('an org has kind, name, accountId and created', async () => {
    const { account } = await startApis();

    const { body } = await account<{ items: object[] }>('GET', '/org');

    expect(body.items).toHaveLength(3);
    for (const org of body.items) {
      expect(org).toMatchObject({
        kind: 'org',
        name: expect.any(String),
        accountId: expect.any(String),
        created: expect.stringMatching(TIME),
      });
    }
  });

  test('works with a billing service account token', async () => {
    const { account } = await startApis();

    const { status, body } = await account('GET', '/org', { token: 'svc-bsat-sandbox-viewer' });

    expect([status, body]).toEqual([200, (await account('GET', '/org', { token: ADA })).body]);
  });

  test('an account that pays for no org has none', async () => {
    const { billing } = await startApis();

    const { status, body } = await billing('GET', `/account/${SECOND}/org`);

    expect(status).toBe(200);
    expect(body).toMatchObject({ kind: 'list', itemKind: 'org', accountUUID: SECOND, items: [] });
  });
});
