import { beforeEach, expect, test } from 'vitest';
import { startUsageClient } from '../consumption/support.ts';
import { bearer, failureOf } from '../support.ts';
import { ADA, ADMIN, MAIN, NOW, ORGS, SECOND, startBilling, type Standing } from './support.ts';

let standing: Standing;

beforeEach(async () => {
  standing = await startBilling();
});

const HOOLI = { org: { name: 'hooli' }, invitees: ['gavin@hooli.example'] };
const create = (accountId: string, token: string, body: object) =>
  standing.raw('POST', `account/${accountId}/org`, {
    token,
    headers: { 'content-type': 'application/json' },
    text: JSON.stringify(body),
  });
/** Gives the second account all that creating an org takes. */
const openSecond = () =>
  standing.control('account', {
    account: SECOND,
    enabled: true,
    tou: true,
    orgQuota: 3,
    paymentMethods: [{ last4: '4242', brand: 'visa' }],
  });
const invitations = async () =>
  (await standing.mails()).filter(({ kind }) => /invit/.test(kind)).map(({ to }) => to);

test('the orgs of an account are listed with name, account and day of creation', async () => {
  const { value } = await standing.client().listOrgs();
  const asSent: unknown = await (await standing.raw('GET', `account/${MAIN}/org`)).json();

  expect(value.skipped).toBe(0);
  expect(value.items.map(({ name }) => name)).toEqual(ORGS);
  expect(value.items.every(({ accountId }) => accountId !== '')).toBe(true);
  expect(value.items.every(({ created = 0 }) => created > 0 && created < Date.parse(NOW))).toBe(
    true,
  );
  expect(asSent).toMatchObject({
    kind: 'list',
    itemKind: 'org',
    accountUUID: MAIN,
    items: ORGS.map((name) => ({ kind: 'org', name })),
  });
});

test('a new org is made once: created at first, found when it is asked for again', async () => {
  const client = standing.client();

  const first = await client.createOrg(HOOLI);
  const again = await client.createOrg(HOOLI);

  expect(first).toEqual({ name: 'hooli', created: true });
  expect(again).toEqual({ name: 'hooli', created: false });
  expect((await client.listOrgs()).value.items.map(({ name }) => name)).toEqual([...ORGS, 'hooli']);
  const statuses = (await standing.calls()).map(({ method, status }) => `${method} ${status}`);
  expect(statuses).toEqual(['POST 201', 'POST 200', 'GET 200']);
});

test.each([
  ['without a name', { ...HOOLI, org: { name: '' } }],
  ['for a guest who is no address', { ...HOOLI, invitees: ['gavin'] }],
])('a new org %s is refused before it is sent', async (_what, order) => {
  const failure = await failureOf(standing.client().createOrg(order));
  const unchecked = await create(MAIN, ADMIN, order);

  expect(failure).toMatchObject({ reason: 'bad-request', status: undefined });
  expect(unchecked.status).toBe(400);
  expect((await standing.calls()).length).toBe(1);
});

test('a name that another account has is refused', async () => {
  await openSecond();
  const second = standing.client({ token: ADA, accountId: SECOND });

  const taken = await failureOf(second.createOrg({ ...HOOLI, org: { name: 'acme' } }));
  const free = await second.createOrg(HOOLI);

  expect(taken).toMatchObject({ reason: 'bad-request', retryable: false });
  expect(free.created).toBe(true);
});

test('a name is for ever: nothing renames or deletes an org, and none frees the name', async () => {
  const listed = async () => (await standing.client().listOrgs()).value.items;
  const before = await listed();
  const statuses = [];
  for (const path of [`account/${MAIN}/org/acme`, `account/${MAIN}/org`, 'org/acme']) {
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      const headers = { 'content-type': 'application/json' };
      const text = JSON.stringify({ org: { name: 'other' } });
      statuses.push((await standing.raw(method, path, { token: ADA, headers, text })).status);
    }
  }
  await standing.control('org', { org: 'acme', active: false });
  await openSecond();
  const second = standing.client({ token: ADA, accountId: SECOND });

  const taken = await failureOf(second.createOrg({ ...HOOLI, org: { name: 'acme' } }));

  expect(new Set(statuses)).toEqual(new Set([404]));
  expect(await listed()).toEqual(before);
  expect(taken).toMatchObject({ reason: 'bad-request', status: 400 });
});

test('a new org takes a description and tags, and needs neither', async () => {
  const org = { name: 'hooli', description: 'the box', tags: { team: 'nucleus' } };

  const full = await standing.client().createOrg({ ...HOOLI, org });
  const bare = await standing.client().createOrg({ ...HOOLI, org: { name: 'endframe' } });

  expect([full.created, bare.created]).toEqual([true, true]);
  const bodies = (await standing.calls()).map(({ body }) => body);
  expect(bodies).toEqual([
    { ...HOOLI, org },
    { ...HOOLI, org: { name: 'endframe' } },
  ]);
});

test('a billing token that makes an org always names who is invited', async () => {
  const failure = await failureOf(standing.client().createOrg({ ...HOOLI, invitees: [] }));
  const byToken = await create(MAIN, ADMIN, { org: HOOLI.org });
  const byUser = await create(MAIN, ADA, { org: HOOLI.org });

  expect(failure).toMatchObject({ reason: 'bad-request', status: undefined });
  expect(failure.message).toContain('invitees');
  expect([byToken.status, byUser.status]).toEqual([400, 201]);
});

test('the superuser’s key comes once, and only when it was asked for', async () => {
  const client = standing.client();
  const order = { ...HOOLI, createSuperuserServiceAccount: true };

  const first = await client.createOrg(order);
  const again = await client.createOrg(order);
  const without = await client.createOrg({ ...HOOLI, org: { name: 'endframe' } });

  expect(first.superuserServiceAccountToken?.reveal()).toMatch(/./);
  expect(JSON.stringify(first)).toContain('[hidden]');
  expect(again).toEqual({ name: 'hooli', created: false });
  expect(without).toEqual({ name: 'endframe', created: true });
});

test('the superuser’s key reads the usage and the charges of its org, and of no other', async () => {
  const order = { ...HOOLI, createSuperuserServiceAccount: true };
  const key = (await standing.client().createOrg(order)).superuserServiceAccountToken!.reveal();
  const query = {
    startTime: '2026-10-01T00:00:00Z',
    endTime: '2026-10-15T00:00:00Z',
    timeStep: 'month',
    groupBy: [],
    consumptionQueries: [{ aggregateBy: ['metric', 'locationType'] }],
  } as const;
  const usage = startUsageClient(standing.platform.usageUrl, { credentialOf: () => bearer(key) });
  const { charges } = standing.client({ orgKeyOf: () => key });

  const own = [await usage.query('hooli', query), await charges.org('hooli', query)];
  const others = [
    await failureOf(usage.query('acme', query)),
    await failureOf(charges.org('acme', query)),
  ];

  expect(own.map(({ value }) => value.periods)).toEqual([[], []]);
  expect(others.map(({ status }) => status)).toEqual([401, 401]);
});

test.each([
  ['the terms are not accepted', { tou: false }, /terms/i],
  ['there is no payment method', { paymentMethods: [] }, /payment/i],
  ['the account is disabled', { enabled: false }, /enabled|disabled/i],
  ['the quota is used up', { orgQuota: 3 }, /quota/i],
])('an org is not made when %s, and the refusal names it', async (_what, account, sentence) => {
  await standing.control('account', account);

  const failure = await failureOf(standing.client().createOrg(HOOLI));

  expect(failure).toMatchObject({ reason: 'bad-request', status: 400 });
  expect(failure.message).toMatch(sentence);
  expect((await standing.client().listOrgs()).value.items.length).toBe(ORGS.length);
});

test('anyone who is invited to a new org gets an invitation by mail', async () => {
  await standing
    .client()
    .createOrg({ ...HOOLI, invitees: ['gavin@hooli.example', 'jack@x.example'] });

  expect(await invitations()).toEqual(['gavin@hooli.example', 'jack@x.example']);
});
