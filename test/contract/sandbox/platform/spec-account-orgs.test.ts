import { expect, test } from 'vitest';
import { ADA, CLEO, MAIN, ORGS, PROCESSOR_ID, SECOND, startApis, TIME } from './spec-support.ts';

test.each([
  ['ada', [MAIN, SECOND]],
  ['cleo', [MAIN]],
  ['dana', [MAIN]],
])('GET /account: the accounts that %s belongs to', async (user, accounts) => {
  const { billing } = await startApis();

  const token = `sandbox-user-${user}`;
  const { status, body } = await billing<{ items: { id: string; fullName: string }[] }>(
    'GET',
    '/account',
    { token },
  );

  expect(status).toBe(200);
  expect(body.items.map(({ id }) => id).toSorted()).toEqual(accounts.toSorted());
  expect(body.items.every(({ fullName }) => fullName !== '')).toBe(true);
});

test('GET /account/<accountId>: the account object with the fields of spec 2.2', async () => {
  const { ask } = await startApis();

  const { status, body } = await ask('GET ');
  const second = await ask(`GET /account/${SECOND}`);

  expect(status).toBe(200);
  expect(body).toMatchObject({
    fullName: expect.any(String),
    email: expect.stringMatching(/@/),
    address: expect.anything(),
    orgQuota: expect.any(Number),
    enabled: true,
    tou: true,
    id: MAIN,
    accountId: PROCESSOR_ID,
    paymentMethods: [
      { last4: expect.stringMatching(/^\d{4}$/), brand: expect.stringMatching(/./) },
    ],
  });
  const unusable = { enabled: false, tou: false, orgQuota: 0, paymentMethods: [] };
  expect(second.body).toMatchObject(unusable);
});

test.each(ORGS)('GET /org/<org>/account finds the account that pays for %s', async (org) => {
  const { ask } = await startApis();

  const { status, body } = await ask(`GET /org/${org}/account`, undefined, CLEO);

  expect([status, body['id']]).toEqual([200, MAIN]);
});

test.each([
  ['a user', ADA],
  ['a billing service account token', 'svc-bsat-sandbox-viewer'],
])('GET /account/<accountId>/org: the list wrapper of orgs, for %s', async (_caller, token) => {
  const { ask } = await startApis();

  const { status, body } = await ask('GET /org', undefined, token);

  expect(status).toBe(200);
  expect(body).toEqual({
    kind: 'list',
    itemKind: 'org',
    accountUUID: MAIN,
    items: ORGS.map((name) =>
      expect.objectContaining({
        kind: 'org',
        name,
        accountId: expect.any(String),
        created: expect.stringMatching(TIME),
      }),
    ),
  });
});

test('an account that pays for no org has an empty list, and no invoices', async () => {
  const { ask } = await startApis();

  const orgs = await ask(`GET /account/${SECOND}/org`);
  const range = 'start=2025-10-01T00:00:00Z&end=2026-10-05T12:00:00Z';
  const billed = await ask(`GET /account/${SECOND}/charges/invoices?${range}`);

  const empty = { kind: 'list', itemKind: 'org', accountUUID: SECOND, items: [] };
  expect([orgs.status, orgs.body]).toEqual([200, empty]);
  expect([billed.status, billed.body]).toEqual([200, { invoices: [] }]);
});
