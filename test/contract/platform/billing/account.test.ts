import { BigNumber } from 'bignumber.js';
import { beforeEach, expect, test } from 'vitest';
import { failureOf } from '../support.ts';
import { ADA, MAIN, PROCESSOR_ID, SECOND, startBilling, UUID, type Standing } from './support.ts';

let standing: Standing;

beforeEach(async () => {
  standing = await startBilling();
});

test('the accounts of a user are listed, and the id of each is what goes into paths', async () => {
  const { value } = await standing.client({ user: ADA }).listAccounts();

  expect(value.items.map(({ id }) => id).toSorted()).toEqual([MAIN, SECOND].toSorted());
  for (const { id } of value.items) {
    expect(id).toMatch(UUID);
    // A user's token does where an account's does (spec section 5).
    const account = await standing.client({ token: ADA, accountId: id }).getAccount();
    expect(account.value.id).toBe(id);
  }
});

test('the payment processor’s id in a path is unauthorized, and the refusal names that cause', async () => {
  const { value } = await standing.client().getAccount();

  const failure = await failureOf(standing.client({ accountId: value.accountId }).getAccount());

  expect(value.accountId).toBe(PROCESSOR_ID);
  expect(failure).toMatchObject({ reason: 'unauthorized', status: 401 });
  expect(failure.hint).toContain(`"${PROCESSOR_ID}" is the payment processor's customer id`);
});

test('an account is read with owner, quota, terms, cards, and its alert once there is one', async () => {
  const client = standing.client();

  const before = (await client.getAccount()).value;
  await client.createAlert({ amount: 1e9, enabled: true });
  const after = (await client.getAccount()).value;

  expect(before).toEqual({
    id: MAIN,
    accountId: PROCESSOR_ID,
    fullName: expect.stringMatching(/./),
    email: expect.stringMatching(/^\S+@\S+$/),
    address: expect.arrayContaining([expect.stringMatching(/./)]),
    orgQuota: expect.any(Number),
    enabled: true,
    tou: true,
    paymentMethods: [
      { brand: expect.stringMatching(/./), last4: expect.stringMatching(/^\d{4}$/) },
    ],
    alert: undefined,
  });
  expect(after.alert).toEqual((await client.getAlert()).value);
  expect(after.alert).toMatchObject({ amount: new BigNumber(1e9), enabled: true });
});

test('a member of an account that is absent or odd costs only itself', async () => {
  const account = { id: MAIN, fullName: 7, orgQuota: 'five', paymentMethods: 'card', extra: [] };
  await standing.fault({ status: 200, body: account });

  const { value } = await standing.client().getAccount();

  expect(value).toEqual({
    id: MAIN,
    accountId: '',
    fullName: '',
    email: '',
    address: [],
    orgQuota: undefined,
    enabled: undefined,
    tou: undefined,
    paymentMethods: undefined,
    alert: undefined,
  });
});

test('the account that pays for an org is found by the org', async () => {
  const { value } = await standing.client({ user: ADA }).getPayerOf('globex');

  expect(value).toEqual((await standing.client().getAccount()).value);
  expect((await standing.calls())[0]?.path).toBe('/billing/org/globex/account');
});
