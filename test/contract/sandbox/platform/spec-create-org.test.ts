import { expect, test } from 'vitest';
import { DANA, MAIN, refusal, SECOND, startApis } from './spec-support.ts';

const HOOLI = { org: { name: 'hooli', description: 'Search', tags: { team: 'web' } } };
const WITH_KEY = { ...HOOLI, createSuperuserServiceAccount: true };

async function startOrgs() {
  const apis = await startApis();
  const { ask, billing } = apis;
  return {
    ...apis,
    create: (body: object = HOOLI, token?: string) => ask('POST /org', body, token),
    names: async () => {
      const { body } = await ask<{ items: { name: string }[] }>('GET /org');
      return body.items.map(({ name }) => name);
    },
    payerOf: async (org: string) => (await billing('GET', `/org/${org}/account`)).body,
  };
}

test('a new org gives 201, and its account has it', async () => {
  const { create, names, payerOf } = await startOrgs();

  const { status, body } = await create();

  expect([status, body['Created']]).toEqual([201, true]);
  expect(body['created']).toMatch(/^2026-10-05T12:00:00/);
  expect(body).not.toHaveProperty('superuserServiceAccountToken');
  expect(await names()).toContain('hooli');
  expect(await payerOf('hooli')).toMatchObject({ id: MAIN });
});

test('a repeated request gives 200, and its superuser key is returned once', async () => {
  const { create, names } = await startOrgs();

  const first = await create(WITH_KEY);
  const again = await create(WITH_KEY);

  expect([first.status, again.status, again.body['Created']]).toEqual([201, 200, false]);
  expect(first.body['superuserServiceAccountToken']).toMatch(/.{16,}/);
  expect(again.body).not.toHaveProperty('superuserServiceAccountToken');
  expect((await names()).filter((name) => name === 'hooli')).toHaveLength(1);
});

test('org names are global: one of another account is refused', async () => {
  const { ask, act } = await startOrgs();
  const paymentMethods = [{ last4: '4242', brand: 'visa' }];
  const account = { account: SECOND, enabled: true, tou: true, orgQuota: 5, paymentMethods };
  await act('account', account);
  const create = (name: string) => ask(`POST /account/${SECOND}/org`, { org: { name } });

  expect([(await create('acme')).status, (await create('hooli')).status]).toEqual([400, 201]);
});

test('an org_creator may create one', async () => {
  const { create } = await startOrgs();

  expect((await create(HOOLI, DANA)).status).toBe(201);
});

test('invitees are invited by e-mail, and required of a billing service account token', async () => {
  const { create, emails } = await startOrgs();
  const token = 'svc-bsat-sandbox-creator';
  const invitees = ['gavin@hooli.example', 'jack@hooli.example'];

  const without = await create(HOOLI, token);
  const invited = await create({ ...HOOLI, invitees }, token);

  expect([without.status, invited.status]).toEqual([400, 201]);
  expect(without.body['error']).toMatch(/invitee/i);
  const mails = (await emails()).filter(({ kind }) => kind === 'invitation');
  expect(mails.map(({ to }) => to).toSorted()).toEqual(invitees);
});

test('superusers have readMetrics through manage: the key reads the usage of its org alone', async () => {
  const { create, usage } = await startOrgs();
  const token = String((await create(WITH_KEY)).body['superuserServiceAccountToken']);
  const body = {
    startTime: '2026-10-05T00:00:00Z',
    endTime: '2026-10-05T12:00:00Z',
    timeStep: 'hour',
    groupBy: ['metric'],
    consumptionQueries: [{ filterBy: {}, aggregateBy: ['metric'] }],
  };

  const own = await usage('POST', '/org/hooli/query', { token, body });
  const other = await usage('POST', '/org/acme/query', { token, body });

  expect([own.status, other.status]).toEqual([200, 401]);
  expect(own.body).toMatchObject({ periods: null });
});

test.each([
  ['terms accepted', { tou: false }, /terms/i],
  ['a valid payment method', { paymentMethods: [] }, /payment/i],
  ['account enabled', { enabled: false }, /enabled|disabled/i],
  ['account under its orgQuota', { orgQuota: 3 }, /quota/i],
])('precondition, otherwise 400 naming the problem: %s', async (_condition, state, problem) => {
  const { act, create, names } = await startOrgs();
  await act('account', state);

  const { status, body } = await create();

  expect([status, body]).toEqual([400, refusal(400, problem)]);
  expect(await names()).not.toContain('hooli');
});

test('the quota counts the orgs that were created', async () => {
  const { create, act } = await startOrgs();
  await act('account', { orgQuota: 4 });

  const statuses = [await create(), await create({ org: { name: 'raviga' } })];

  expect(statuses.map(({ status }) => status)).toEqual([201, 400]);
});
