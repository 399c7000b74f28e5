import { expect, it } from 'vitest';
import { createKinds, type ChangeInput } from '../../../../src/changes/kinds/kinds.ts';
import { memoryIdentities } from '../../../support/identities.ts';
import { platformOf } from '../forms/harness.ts';

const USERS = ['ada@acme.example', 'ben@ACME.example', 'cleo@labs.example'].map((email) => ({
  email,
  roles: ['billing_admin'] as const,
}));
const TO_ADD = {
  'a user': (email: string): ChangeInput => ({
    kind: 'user.add',
    email,
    roles: ['billing_viewer'],
  }),
  'a recipient': (email: string): ChangeInput => ({ kind: 'recipient.add', email, enabled: true }),
};

async function warningsOf(order: ChangeInput, users: readonly object[] = USERS) {
  const kind = createKinds('USD', { now: () => 0 }, memoryIdentities())(order);
  const { plan } = await kind.plan(platformOf({ users: users as typeof USERS }), order);
  return plan.consequences.filter((one) => one.startsWith('⚠'));
}

it.each(Object.entries(TO_ADD))('adding %s from another domain has a warning', async (_, toAdd) => {
  expect(await warningsOf(toAdd('eve@evil.example'))).toEqual([
    '⚠ evil.example is outside your domains (acme.example, labs.example).',
  ]);
});

it.each(Object.entries(TO_ADD))('adding %s from a known domain has none', async (_, toAdd) => {
  expect(await warningsOf(toAdd('eve@Acme.Example'))).toEqual([]);
});

it('a part of a known domain is another domain, and many domains are counted', async () => {
  const users = ['a', 'b', 'c', 'd', 'e'].map((name) => ({
    email: `x@${name}.example`,
    roles: [],
  }));

  expect(await warningsOf(TO_ADD['a user']('eve@eu.a.example'), users)).toEqual([
    '⚠ eu.a.example is outside your domains (a.example, b.example, c.example, 2 more).',
  ]);
});
