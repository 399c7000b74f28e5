import { describe, expect, test } from 'vitest';
import { DANA, MAIN, SECOND, startApis, type Apis } from './spec-support.ts';

const HOOLI = { org: { name: 'hooli', description: 'Search', tags: { team: 'web' } } };
const BSAT = 'svc-bsat-sandbox-creator';

const names = async ({ account }: Apis) => {
  const { body } = await account<{ items: { name: string }[] }>('GET', '/org');
  return body.items.map(({ name }) => name);
};

describe('POST /account/<accountId>/org', () => {
  test('a new org gives 201, and the account has it', async () => {
    const apis = await startApis();

    const { status, body } = await apis.account('POST', '/org', { body: HOOLI });

    expect(status).toBe(201);
    expect(body['Created']).toBe(true);
    expect(body['created']).toMatch(/^2026-10-05T12:00:00/);
    expect(await names(apis)).toContain('hooli');
    const payer = await apis.billing('GET', '/org/hooli/account');
    expect(payer.body).toMatchObject({ id: MAIN });
  });

  test('repeating the request for an org this account already created gives 200', async () => {
    const apis = await startApis();
    await apis.account('POST', '/org', { body: HOOLI });

    const { status, body } = await apis.account('POST', '/org', { body: HOOLI });

    expect(status).toBe(200);
    expect(body['Created']).toBe(false);
    expect((await names(apis)).filter((name) => name === 'hooli')).toHaveLength(1);
  });

  test('org names are global: one of another account is refused', async () => {
    const { billing, act } = await startApis();
    await act('account', {
      account: SECOND,
      enabled: true,
      tou: true,
      orgQuota: 5,
      paymentMethods: [{ last4: '4242', brand: 'visa' }],
    });
    const create = (name: string) =>
      billing('POST', `/account/${SECOND}/org`, { body: { org: { name } } });

    expect((await create('acme')).status).toBeGreaterThanOrEqual(400);
    expect((await create('hooli')).status).toBe(201);
  });

  test.each([
    ['billing_admin', 'sandbox-user-ben'],
    ['org_creator', DANA],
  ])('%s may', async (_role, token) => {
    const { account } = await startApis();

    expect((await account('POST', '/org', { token, body: HOOLI })).status).toBe(201);
  });

  test.each([
    ['org is missing', {}],
    ['org.name is missing', { org: { description: 'no name' } }],
    ['org.name is no string', { org: { name: 5 } }],
    ['org.name is empty', { org: { name: '' } }],
    ['org.tags is no object', { org: { name: 'hooli', tags: ['a'] } }],
    ['invitees is no array', { org: { name: 'hooli' }, invitees: 'a@b.example' }],
    ['an invitee is no address', { org: { name: 'hooli' }, invitees: ['nobody'] }],
    [
      'createSuperuserServiceAccount is no boolean',
      { org: { name: 'hooli' }, createSuperuserServiceAccount: 'yes' },
    ],
  ])('400 when %s', async (_why, body) => {
    const apis = await startApis();

    const answer = await apis.account('POST', '/org', { body });

    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ code: 400, error: expect.any(String) });
    expect(await names(apis)).not.toContain('hooli');
  });
});

describe('invitees', () => {
  test('are required when a billing service account token creates the org', async () => {
    const apis = await startApis();

    const without = await apis.account('POST', '/org', { token: BSAT, body: HOOLI });
    const body = { ...HOOLI, invitees: ['gavin@hooli.example'] };
    const invited = await apis.account('POST', '/org', { token: BSAT, body });

    expect([without.status, invited.status]).toEqual([400, 201]);
    expect(without.body['error']).toMatch(/invitee/i);
  });

  test('are invited by e-mail', async () => {
    const { account, emails } = await startApis();
    const invitees = ['gavin@hooli.example', 'jack@hooli.example'];

    await account('POST', '/org', { body: { ...HOOLI, invitees } });

    const invited = (await emails()).filter(({ kind }) => kind === 'invitation');
    expect(invited.map(({ to }) => to).toSorted()).toEqual(invitees);
  });
});

describe('createSuperuserServiceAccount', () => {
  const WITH_KEY = { ...HOOLI, createSuperuserServiceAccount: true };

  test('returns the key once in superuserServiceAccountToken', async () => {
    const { account } = await startApis();

    const first = await account('POST', '/org', { body: WITH_KEY });
    const again = await account('POST', '/org', { body: WITH_KEY });

    expect(first.status).toBe(201);
    expect(first.body['superuserServiceAccountToken']).toMatch(/.{16,}/);
    expect(again.status).toBe(200);
    expect(again.body).not.toHaveProperty('superuserServiceAccountToken');
  });

  test('without it there is no key', async () => {
    const { account } = await startApis();

    const { body } = await account('POST', '/org', { body: HOOLI });

    expect(body).not.toHaveProperty('superuserServiceAccountToken');
  });

  test('superusers have readMetrics through manage: the key reads the usage of its org alone', async () => {
    const { account, usage, ok } = await startApis();
    const body = await ok(account<Record<string, string>>('POST', '/org', { body: WITH_KEY }));
    const token = body['superuserServiceAccountToken'] ?? '';
    const query = {
      token,
      body: {
        startTime: '2026-10-05T00:00:00Z',
        endTime: '2026-10-05T12:00:00Z',
        timeStep: 'hour',
        groupBy: ['metric'],
        consumptionQueries: [{ filterBy: {}, aggregateBy: ['metric'] }],
      },
    };

    const own = await usage('POST', '/org/hooli/query', query);
    const other = await usage('POST', '/org/acme/query', query);

    expect([own.status, other.status]).toEqual([200, 401]);
    expect(own.body).toMatchObject({ periods: null });
  });
});

describe('preconditions: otherwise 400 naming the problem', () => {
  test.each([
    ['terms accepted', { tou: false }, /terms/i],
    ['a valid payment method', { paymentMethods: [] }, /payment/i],
    ['account enabled', { enabled: false }, /enabled|disabled/i],
    ['account under its orgQuota', { orgQuota: 3 }, /quota/i],
  ])('%s', async (_condition, state, problem) => {
    const apis = await startApis();
    await apis.act('account', state);

    const { status, body } = await apis.account('POST', '/org', { body: HOOLI });

    expect([status, body]).toEqual([400, { code: 400, error: expect.stringMatching(problem) }]);
    expect(await names(apis)).not.toContain('hooli');
  });

  test('the quota counts the orgs that were created', async () => {
    const { account, act } = await startApis();
    await act('account', { orgQuota: 4 });
    const create = async (name: string) =>
      (await account('POST', '/org', { body: { org: { name } } })).status;

    expect([await create('hooli'), await create('raviga')]).toEqual([201, 400]);
  });

  test('an account that meets none of them is refused too', async () => {
    const { billing } = await startApis();

    const { status } = await billing('POST', `/account/${SECOND}/org`, { body: HOOLI });

    expect(status).toBe(400);
  });
});
