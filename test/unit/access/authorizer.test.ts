import { describe, expect, it } from 'vitest';
import { orgRight, type OrgAccessRule, type SlackProfile } from '../../../src/access/policy.ts';
import { authorizerFor, MEMBER, usersWith, type Facts } from '../../support/authorizer.ts';
import { Refusal } from '../../../src/lib/errors.ts';

const ada = { userId: 'U0ADA', teamId: 'T0ACME' };
const member = MEMBER;

const authorizer = (facts: Facts = {}) =>
  authorizerFor({
    member: () => Promise.resolve(member),
    groupMembers: () => Promise.resolve(new Set(['U0ADA'])),
    ...facts,
  });

const silence = () => Promise.reject(new Error('ratelimited'));

describe('the authorizer', () => {
  it('lets a member in', async () => {
    await expect(authorizer().authorize(ada)).resolves.toBeUndefined();
    await expect(authorizer().requireOrgAccess(ada)).resolves.toBeUndefined();
  });

  it('takes the workspace of the request where the profile names none', async () => {
    const nameless = authorizer({ member: () => Promise.resolve({ ...member, teamId: '' }) });

    await expect(nameless.authorize(ada)).resolves.toBeUndefined();
    await expect(nameless.authorize({ ...ada, teamId: 'T0OTHER' })).rejects.toThrow(Refusal);
  });

  it('uses the team of the profile where it names one', async () => {
    const guest = authorizer({ member: () => Promise.resolve({ ...member, teamId: 'T0OTHER' }) });

    await expect(guest.authorize(ada)).rejects.toThrow('own workspace');
  });

  it('stays shut while Slack omits who someone is', async () => {
    await expect(authorizer({ member: silence }).authorize(ada)).rejects.toThrow('try again');
  });

  it('stays shut for people outside of the user group, and while Slack does not name its members', async () => {
    const orgAccess = { kind: 'usergroup', id: 'S0PLATFORM' } as const;

    await expect(authorizer({ orgAccess }).requireOrgAccess(ada)).resolves.toBeUndefined();
    await expect(authorizer({ orgAccess }).requireOrgAccess({ userId: 'U0BEN' })).rejects.toThrow(
      'user group',
    );
    await expect(
      authorizer({ orgAccess, groupMembers: silence }).requireOrgAccess(ada),
    ).rejects.toThrow('Slack does not list the user group that may see this (ORG_ACCESS)');
  });
});

describe('with a rule for each org', () => {
  const orgAccess = {
    kind: 'orgs',
    rules: new Map<string, OrgAccessRule>([
      ['acme', { kind: 'members' }],
      ['beta', { kind: 'usergroup', id: 'S0PLATFORM' }],
    ]),
  } as const;
  const orgs = ['acme', 'beta', 'core'];
  const known: SlackProfile = { ...member, email: 'ada@acme.example' };
  const withRoles = (roles: string[], facts: Facts = {}) =>
    authorizer({
      orgAccess,
      orgs,
      member: async () => known,
      users: usersWith(async () => roles),
      ...facts,
    });

  it('each org follows its own, and an org without one takes a billing role', async () => {
    const ben = { userId: 'U0BEN' };
    const door = withRoles([]);

    await expect(door.requireOrgAccess(ben, 'acme')).resolves.toBeUndefined();
    await expect(door.requireOrgAccess(ada, 'beta')).resolves.toBeUndefined();
    await expect(door.requireOrgAccess(ben, 'beta')).rejects.toThrow('user group');
    await expect(door.requireOrgAccess(ada, 'core')).rejects.toThrow('a billing role');
    await expect(withRoles(['org_creator']).requireOrgAccess(ada, 'core')).resolves.toBe(undefined);
  });

  it('a question without an org needs the right to read at least one', async () => {
    const rules = new Map<string, OrgAccessRule>([['beta', orgAccess.rules.get('beta')!]]);
    const narrow = { orgAccess: { kind: 'orgs', rules }, orgs: ['beta', 'core'] } as const;

    await expect(withRoles([]).requireOrgAccess(ada)).resolves.toBeUndefined();
    await expect(withRoles([], narrow).requireOrgAccess(ada)).resolves.toBeUndefined();
    await expect(withRoles([], narrow).requireOrgAccess({ userId: 'U0BEN' })).rejects.toThrow(
      'a billing role',
    );
    await expect(
      withRoles([], { ...narrow, groupMembers: silence }).requireOrgAccess(ada),
    ).rejects.toThrow(Refusal);
  });

  it('names the orgs that a person may read', async () => {
    await expect(withRoles([]).readableOrgs(ada, orgs)).resolves.toEqual(['acme', 'beta']);
    await expect(
      withRoles(['billing_viewer'], { groupMembers: silence }).readableOrgs(ada, orgs),
    ).resolves.toEqual(['acme', 'core']);
  });

  it('an answer about some orgs needs the right to each', async () => {
    const door = withRoles([]);

    await expect(door.requireRight(ada, orgRight('acme', 'beta'))).resolves.toBeUndefined();
    await expect(door.requireRight(ada, orgRight('acme', 'core'))).rejects.toThrow(Refusal);
    await expect(door.requireRight(ada, orgRight())).resolves.toBeUndefined();
  });

  it('asking for a change of an org needs the right to read that org', async () => {
    const door = withRoles([]);

    await expect(door.principal(ada, { orgs: true, org: 'beta' })).resolves.toMatchObject({
      orgRefusal: undefined,
    });
    const { orgRefusal } = await door.principal(ada, { orgs: true, org: 'core' });
    expect(orgRefusal).toContain('a billing role');
  });
});

describe('the authorizer and billing roles', () => {
  const roles = (held: readonly string[] | undefined) => usersWith(() => Promise.resolve(held));
  const known = () => Promise.resolve({ ...member, email: 'ada@acme.example' });
  const READERS = ['billing_admin', 'billing_viewer'] as const;

  it('opens for any of the roles that something takes', async () => {
    const viewer = authorizer({ member: known, users: roles(['billing_viewer']) });

    await expect(viewer.requireRole(ada, READERS)).resolves.toBeUndefined();
    await expect(viewer.requireRole(ada, ['billing_admin'])).rejects.toThrow(
      'You need the role billing_admin for this.',
    );
  });

  it('asks for the address that Slack has', async () => {
    const asked: string[] = [];
    const rolesOf = (email: string) => {
      asked.push(email);
      return Promise.resolve(['billing_admin']);
    };
    await authorizer({ member: known, users: usersWith(rolesOf) }).requireRole(ada, READERS);

    expect(asked).toEqual(['ada@acme.example']);
  });

  it('stays shut without an address, and says where to add one', async () => {
    const nameless = authorizer({ users: roles(['billing_admin']) });

    await expect(nameless.requireRole(ada, READERS)).rejects.toThrow(
      'Your Slack profile shows no e-mail address: add one',
    );
  });

  it('stays shut for an address that no one confirmed, which is not even asked about', async () => {
    const asked: string[] = [];
    const rolesOf = async (email: string) => {
      asked.push(email);
      return ['billing_admin'];
    };
    const unproven = { ...member, unconfirmed: 'ada@acme.example' };
    const door = authorizer({
      member: () => Promise.resolve(unproven),
      users: usersWith(rolesOf),
      orgAccess: { kind: 'roles' },
    });

    const sentence = /Your address ada@acme\.example is not confirmed: confirm it/;
    await expect(door.requireRole(ada, READERS)).rejects.toThrow(sentence);
    await expect(door.requireOrgAccess(ada)).rejects.toThrow(sentence);
    expect(asked).toEqual([]);
  });

  it('stays shut for a stranger to the account, and for a user without a role', async () => {
    await expect(
      authorizer({ member: known, users: roles(undefined) }).requireRole(ada, READERS),
    ).rejects.toThrow(
      'has no user ada@acme.example: ask a billing_admin of the account to add you',
    );
    await expect(
      authorizer({ member: known, users: roles([]) }).requireRole(ada, READERS),
    ).rejects.toThrow('Ask a billing_admin of the account');
  });

  it('stays shut while the platform is silent, in its own words where it has some', async () => {
    await expect(
      authorizer({ member: known, users: usersWith(silence) }).requireRole(ada, READERS),
    ).rejects.toThrow('does not show your billing roles');
    const rolesOf = () => Promise.reject(new Refusal('BILLING_TOKEN is refused.'));
    await expect(
      authorizer({ member: known, users: usersWith(rolesOf) }).requireRole(ada, READERS),
    ).rejects.toThrow('BILLING_TOKEN is refused.');
  });

  it('refuses where billing is off, and names the person to ask', async () => {
    await expect(authorizer({ member: known }).requireRole(ada, READERS)).rejects.toThrow(
      'Billing isn’t set up. Ask your Purser administrator (details in /purser doctor).',
    );
  });

  it('forgets a role after five minutes, and remembers no missing one', async () => {
    let now = 0;
    let held: readonly string[] | undefined;
    const door = authorizer({
      member: known,
      users: usersWith(() => Promise.resolve(held)),
      stopwatch: { elapsed: () => now },
    });
    await expect(door.requireRole(ada, READERS)).rejects.toThrow('no user');

    held = ['billing_viewer'];
    await expect(door.requireRole(ada, READERS)).resolves.toBeUndefined();

    held = [];
    now = 5 * 60_000 - 1;
    await expect(door.requireRole(ada, READERS)).resolves.toBeUndefined();
    now += 1;
    await expect(door.requireRole(ada, READERS)).rejects.toThrow('You need the role');
  });

  it('with ORG_ACCESS=roles lets people with any role read the orgs', async () => {
    const orgAccess = { kind: 'roles' } as const;

    await expect(
      authorizer({ orgAccess, member: known, users: roles(['org_creator']) }).requireOrgAccess(ada),
    ).resolves.toBeUndefined();
    await expect(
      authorizer({ orgAccess, member: known, users: roles(undefined) }).requireOrgAccess(ada),
    ).rejects.toThrow('has no user ada@acme.example');
    await expect(
      authorizer({ orgAccess, users: roles(['org_creator']) }).requireOrgAccess(ada),
    ).rejects.toThrow('Your Slack profile shows no e-mail address: add one');
    await expect(authorizer({ orgAccess, member: known }).requireOrgAccess(ada)).rejects.toThrow(
      'ORG_ACCESS=roles',
    );
  });
});
