import { beforeEach, expect, test } from 'vitest';
import type { InputOf } from '../../../../src/changes/kinds/kinds.ts';
import { read, startKinds, type Harness } from './kinds-support.ts';

let harness: Harness;

beforeEach(async () => {
  harness = await startKinds();
});

const NEW: InputOf<'org.create'> = {
  kind: 'org.create',
  name: 'hooli',
  description: 'the new one',
  tags: { 'cost-center': '4711', note: 'a, team=b' },
  invitees: ['ada@acme.example', 'ben@acme.example'],
  superuser: false,
};
const order = (changes: Partial<typeof NEW> = {}) => harness.order({ ...NEW, ...changes });

test('an org is created with its tags, and every invitee gets an e-mail', async () => {
  expect((await order().look()).conflict).toBeUndefined();

  expect(await order().send()).toEqual({});

  expect(read((await order().look()).now)).toEqual([
    'Name: hooli',
    'Created: 2026-10-15 12:00 UTC',
  ]);
  expect((await harness.writes()).map(({ body }) => body)).toEqual([
    {
      org: { name: 'hooli', description: 'the new one', tags: NEW.tags },
      invitees: NEW.invitees,
      createSuperuserServiceAccount: false,
    },
  ]);
  expect((await harness.mails()).map(({ to }) => to)).toEqual(NEW.invitees);
});

test('a superuser key is handed out once', async () => {
  const { secret, ...sent } = await order({ superuser: true }).send();

  expect({ sent, what: secret?.what, tokenId: secret?.tokenId }).toEqual({
    sent: {},
    what: 'superuser key',
  });
  expect(secret?.value.reveal()).toMatch(/^sandbox-superuser-hooli-/);
  expect(await order({ superuser: true }).send()).toEqual({
    note: 'The org hooli was already created by this account, so nothing was created and there is no key: for a new org, ask again with another name.',
    ended: 'nothing',
  });
});

test('an org is refused in the platform’s own words when it knows better', async () => {
  await harness.control('account', { tou: false, enabled: false });

  expect((await order().refusal())?.sentence).toBe(
    'The platform does not create the org hooli (“the Terms of Use are not accepted; the account is not enabled”): put that right, which /billing account helps with, and ask again.',
  );
  expect((await order().look()).conflict?.sentence).toContain(
    'the Terms of Use are not accepted and the account is not enabled',
  );
});

test.each([
  [false, { kind: 'done' }],
  [true, { kind: 'secret lost', what: 'superuser key', tokenIds: [] }],
])('an org without an answer is found in the list; with a key: %s', async (superuser, settled) => {
  expect(await order({ superuser }).settled()).toEqual(settled);
});
