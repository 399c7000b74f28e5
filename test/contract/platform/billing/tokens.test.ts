import { beforeEach, expect, test } from 'vitest';
import type { NewToken } from '../../../../src/platform/billing/tokens.ts';
import { failureOf } from '../support.ts';
import { MAIN, NOW, startBilling, type Standing } from './support.ts';

let standing: Standing;

beforeEach(async () => {
  standing = await startBilling();
});

const PATH = `account/${MAIN}/service-account-token`;
const CI = { name: 'ci', roles: ['billing_viewer'] } as const;

test.each([
  ['without a name', { ...CI, name: '' }],
  ['without roles', { ...CI, roles: [] }],
  ['with an unknown role', { ...CI, roles: ['billing_owner'] }],
  ['that is over already', { ...CI, expiresAt: '2026-10-15T11:59:59Z' }],
  ['that ends at no time', { ...CI, expiresAt: 'in a year' }],
])('a token %s is refused before it is sent', async (_what, token) => {
  const failure = await failureOf(standing.client().createToken(token as NewToken));
  const unchecked = await standing.raw('POST', PATH, {
    headers: { 'content-type': 'application/json' },
    text: JSON.stringify(token),
  });

  expect(failure).toMatchObject({ reason: 'bad-request', status: undefined });
  expect(unchecked.status).toBe(400);
  expect((await standing.calls()).length).toBe(1);
});

test('a token needs no description and no expiry', async () => {
  const created = await standing.client().createToken(CI);

  expect(created).toMatchObject({ name: 'ci', description: '', expiresAt: undefined });
  expect((await standing.calls()).at(-1)?.body).toEqual(CI);
});

test('a new token comes with all that it is, and with its secret this once', async () => {
  const client = standing.client();

  const { secret, ...created } = await client.createToken({
    ...CI,
    description: 'the nightly report',
    roles: ['billing_viewer', 'org_creator'],
    expiresAt: '2026-12-31T00:00:00Z',
  });
  const listed = (await client.listTokens()).value.items.find(({ id }) => id === created.id);

  expect(created).toEqual({
    id: expect.stringMatching(/./),
    name: 'ci',
    description: 'the nightly report',
    roles: ['billing_viewer', 'org_creator'],
    createdBy: expect.stringMatching(/^\S+@\S+$/),
    expiresAt: Date.parse('2026-12-31T00:00:00Z'),
    created: Date.parse(NOW),
    lastModified: Date.parse(NOW),
    lastUsedAt: undefined,
  });
  expect(secret.reveal()).toMatch(/^svc-bsat-/);
  expect(listed).toEqual(created);
  expect((await standing.calls())[0]).toMatchObject({ method: 'POST', status: 201 });
  const own = standing.client({ token: secret.reveal() });
  expect((await own.getAccount()).value.id).toBe(MAIN);
});

test('the list of tokens has no secret, and says when each was last used', async () => {
  const { secret, id } = await standing.client().createToken(CI);
  await standing.client({ token: secret.reveal() }).getAccount();

  const { value } = await standing.client().listTokens();
  const asSent = await (await standing.raw('GET', PATH)).text();

  expect(value.skipped).toBe(0);
  expect(value.items.find((token) => token.id === id)?.lastUsedAt).toBe(Date.parse(NOW));
  expect(asSent).not.toContain(secret.reveal());
  expect(asSent).not.toContain('"token"');
  const { items } = JSON.parse(asSent) as { items: { kind: string; accountUUID: string }[] };
  expect(items.every(({ kind }) => kind === 'serviceAccountToken')).toBe(true);
  expect(items.every(({ accountUUID }) => accountUUID === MAIN)).toBe(true);
});

test('a token is removed once; one that the account does not have is not found', async () => {
  const client = standing.client();
  const { id } = await client.createToken(CI);

  await client.removeToken(id);
  const again = await failureOf(client.removeToken(id));

  expect(again).toMatchObject({ reason: 'not-found', status: 404 });
  expect((await client.listTokens()).value.items.some((token) => token.id === id)).toBe(false);
  const statuses = (await standing.calls()).map(({ method, status }) => `${method} ${status}`);
  expect(statuses.slice(1, 3)).toEqual(['DELETE 204', 'DELETE 404']);
});
