import { describe, expect, it } from 'vitest';
import { authorizerFor, MEMBER, usersWith, type Facts } from '../../support/authorizer.ts';

const ada = { userId: 'U0ADA' };

/** Ada has no role, and is not in the user group that may read the orgs. */
const shut = (facts: Facts = {}) =>
  authorizerFor({
    member: async () => ({ ...MEMBER, email: 'ada@acme.example' }),
    users: usersWith(async () => []),
    orgAccess: { kind: 'usergroup', id: 'S0PLATFORM' },
    ...facts,
  });

describe('the right that an answer names', () => {
  it.each([
    ['orgs', 'one user group'],
    ['billing', 'the role billing_admin or billing_viewer'],
    ['billing_admin', 'You need the role billing_admin for this.'],
  ])('%s is asked for', async (needs, sentence) => {
    await expect(shut().requireRight(ada, needs)).rejects.toThrow(sentence);
  });

  it('accepts members who have the right', async () => {
    const admin = shut({
      users: usersWith(async () => ['billing_admin']),
      groupMembers: async () => new Set([ada.userId]),
    });

    for (const name of ['orgs', 'billing', 'billing_admin']) {
      await expect(admin.requireRight(ada, name)).resolves.toBeUndefined();
    }
  });

  it('org_charges is the one of the orgs, where charges of single orgs are open (ORG_CHARGES)', async () => {
    const open = shut({ orgCharges: true });

    for (const name of ['org_charges', 'org_charges:acme']) {
      await expect(open.requireRight(ada, name)).rejects.toThrow('one user group');
    }
    await expect(shut().requireRight(ada, 'org_charges')).rejects.toThrow('run the command again');
  });

  it('org_charges is the one of the named orgs, where each has a rule of its own', async () => {
    const rules = new Map([
      ['acme', { kind: 'usergroup', id: 'S0PLATFORM' } as const],
      ['globex', { kind: 'members' } as const],
    ]);
    const open = shut({ orgCharges: true, orgAccess: { kind: 'orgs', rules } });

    await expect(open.requireRight(ada, 'org_charges:globex')).resolves.toBeUndefined();
    await expect(open.requireRight(ada, 'org_charges:globex,acme')).rejects.toThrow('user group');
  });

  it('is nothing to ask for where nothing is there', async () => {
    await expect(shut().requireRight(ada, undefined)).resolves.toBeUndefined();
  });

  it.each(['', 'everything', 'constructor'])('is a no where no one knows it: %j', async (needs) => {
    await expect(shut().requireRight(ada, needs)).rejects.toThrow('run the command again');
  });
});
