import { expect, it } from 'vitest';
import { READERS, type SlackProfile } from '../../../../src/access/policy.ts';
import { createChargesSource } from '../../../../src/features/reports/charges.ts';
import { authorizerFor, usersWith, type Facts } from '../../../support/authorizer.ts';
import { servicesOf } from '../../../support/reports.ts';

const PERSON = { userId: 'U0ADA', teamId: 'T0ACME' };
const MEMBER: SlackProfile = {
  teamId: 'T0ACME',
  deleted: false,
  bot: false,
  guest: false,
  stranger: false,
  email: 'ada@acme.example',
};
const GROUP: Facts = { orgAccess: { kind: 'usergroup', id: 'S0' } };

/** `/charges` for a person without a role. @param orgCharges whether single orgs can be asked about */
const sourceFor = (facts: Facts, orgCharges: boolean) =>
  createChargesSource(
    servicesOf({
      config: {},
      access: authorizerFor({
        member: async () => MEMBER,
        users: usersWith(async () => []),
        ...facts,
      }),
      ...(orgCharges && { orgCharges: {} }),
      orgs: { known: ['acme'], fallback: 'acme' },
    }),
  );

it.each([
  [{}, false],
  [GROUP, true],
])('charges are refused with the roles that show them: %#', async (facts, orgCharges) => {
  await expect(sourceFor(facts, orgCharges).authorize(PERSON)).rejects.toMatchObject({
    why: 'role',
    roles: READERS,
  });
});

it('charges are refused without a role to ask for where billing is off', async () => {
  const off = sourceFor({ ...GROUP, users: undefined }, true);

  await expect(off.authorize(PERSON)).rejects.toMatchObject({ why: 'role', roles: undefined });
});

it('an answer needs the rights of the orgs that were queried', async () => {
  const rules = new Map([
    ['acme', { kind: 'members' } as const],
    ['globex', { kind: 'usergroup', id: 'S0' } as const],
  ]);
  const source = createChargesSource(
    servicesOf({
      config: {},
      access: authorizerFor({
        member: async () => MEMBER,
        users: usersWith(async () => []),
        orgAccess: { kind: 'orgs', rules },
      }),
      orgCharges: {},
      orgs: { known: ['acme', 'globex'], fallback: 'acme' },
    }),
  );

  expect(source.needs(await source.authorize(PERSON))).toBe('org_charges:acme');
});
