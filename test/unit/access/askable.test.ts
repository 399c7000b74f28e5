import { describe, expect, it } from 'vitest';
import {
  ADMINS,
  ANY_ROLE,
  askable,
  decisionRefusal,
  READERS,
  requestRefusal,
  roleRefusal,
  type Principal,
} from '../../../src/access/policy.ts';
import { authorizerFor, MEMBER, usersWith, type Facts } from '../../support/authorizer.ts';
import { memoryIdentities } from '../../support/identities.ts';

const ADA: Principal = { userId: 'U0ADA', email: 'ada@acme.example', roles: ['billing_viewer'] };
const PERSON = { userId: 'U0ADA', teamId: 'T0ACME' };
const NEED = { roles: ADMINS };
const RULES = { request: NEED, approve: NEED, subjects: [] };

describe('a role that a person can ask for', () => {
  it('is one that is missing, also without a billing user', () => {
    expect(askable(NEED, ADA)).toEqual(ADMINS);
    expect(askable(NEED, { ...ADA, roles: undefined })).toEqual(ADMINS);
    expect(askable({ roles: READERS }, ADA)).toBeUndefined();
  });

  it.each<Partial<Principal>>([
    { email: undefined },
    { email: undefined, unconfirmed: 'ada@acme.example' },
    { refusal: 'No guests.', why: 'guest' },
    { rolesRefusal: 'Billing is off here.' },
    { rolesRefusal: 'In use by another account.', rolesWhy: 'identity', roles: undefined },
  ])('is absent where another thing is missing: %j', (standing) => {
    const who = { ...ADA, ...standing };

    expect(askable(NEED, who)).toBeUndefined();
    expect(requestRefusal(RULES, who)).toHaveProperty('sentence');
    expect(requestRefusal(RULES, who)?.roles).toBeUndefined();
  });

  it('opens the orgs only where roles do (ORG_ACCESS=roles)', () => {
    const none = { ...ADA, roles: [] };

    expect(askable('orgs', { ...none, orgRefusal: roleRefusal(ANY_ROLE, none) })).toEqual(ANY_ROLE);
    expect(askable('orgs', { ...none, orgRefusal: 'Not in the group.' })).toBeUndefined();
  });

  it('comes with the refusal of a request and of a decision', () => {
    expect(requestRefusal(RULES, ADA)?.roles).toEqual(ADMINS);
    expect(decisionRefusal(RULES, { userId: 'U0BEN' }, ADA, false)?.roles).toEqual(ADMINS);
    expect(decisionRefusal(RULES, ADA, ADA, false)?.roles).toBeUndefined();
  });
});

describe('a refusal of the authorizer', () => {
  const ada = { ...MEMBER, email: 'ada@acme.example' };
  const withRoles = (held: readonly string[] | undefined, facts: Facts = {}) =>
    authorizerFor({
      member: async () => ada,
      users: usersWith(async () => held),
      ...facts,
    });
  const rolesIn = (asked: Promise<void>): Promise<unknown> =>
    asked.then(
      () => 'allowed',
      (error: object) => ('roles' in error ? error.roles : error),
    );

  it('carries the roles that would do', async () => {
    const [viewer, none] = [withRoles(['billing_viewer']), withRoles(undefined)];

    expect(await rolesIn(viewer.requireRole(PERSON, ADMINS))).toEqual(ADMINS);
    expect(await rolesIn(none.requireRole(PERSON, READERS))).toEqual(READERS);
    expect(await rolesIn(none.requireRight(PERSON, 'billing'))).toEqual(READERS);
    expect((await viewer.roleRefusal(PERSON, ADMINS))?.roles).toEqual(ADMINS);
  });

  it('carries them for the orgs where roles open these', async () => {
    const byRoles = withRoles([], { orgAccess: { kind: 'roles' } });
    const byGroup = withRoles([], { orgAccess: { kind: 'usergroup', id: 'S0' } });

    expect(await rolesIn(byRoles.requireOrgAccess(PERSON))).toEqual(ANY_ROLE);
    expect(await rolesIn(byGroup.requireOrgAccess(PERSON))).toBeUndefined();
  });

  it.each<[string, Facts]>([
    ['without an address', { member: async () => MEMBER }],
    ['where billing is off', { users: undefined }],
    ['while roles cannot be read', { users: usersWith(() => Promise.reject(new Error('away'))) }],
    ['of another account’s address', { identities: memoryIdentities({ [ada.email]: ['U0'] }) }],
  ])('carries no role %s', async (_, facts) => {
    const door = withRoles(['billing_viewer'], { orgAccess: { kind: 'roles' }, ...facts });
    const needed = facts.identities === undefined ? ADMINS : READERS;

    expect(await rolesIn(door.requireRole(PERSON, needed))).toBeUndefined();
  });

  it('of the orgs carries no role without an address, or where billing is off', async () => {
    const byRoles: Facts = { orgAccess: { kind: 'roles' } };
    const nameless = async () => MEMBER;

    for (const facts of [{ member: nameless }, { users: undefined }]) {
      const door = withRoles([], { ...byRoles, ...facts });
      expect(await rolesIn(door.requireOrgAccess(PERSON))).toBeUndefined();
    }
  });
});
