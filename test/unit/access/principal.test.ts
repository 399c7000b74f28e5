import { describe, expect, it } from 'vitest';
import type { SlackProfile } from '../../../src/access/policy.ts';
import { Refusal } from '../../../src/lib/errors.ts';
import { authorizerFor, MEMBER, usersWith, type Facts } from '../../support/authorizer.ts';

const ada = { userId: 'U0ADA', teamId: 'T0ACME' };
const member: SlackProfile = { ...MEMBER, email: 'Ada@acme.example' };

const authorizer = (facts: Facts = {}) =>
  authorizerFor({
    member: async () => member,
    groupMembers: async () => new Set(['U0ADA']),
    users: usersWith(async () => ['billing_admin']),
    ...facts,
  });

const silence = () => Promise.reject(new Error('ratelimited'));
const GROUP = { orgAccess: { kind: 'usergroup', id: 'S0PLATFORM' } } as const;

describe('the facts of a person now', () => {
  it('is the address in lower case, and the roles behind it', async () => {
    await expect(authorizer({ groupMembers: silence }).principal(ada)).resolves.toEqual({
      userId: 'U0ADA',
      email: 'ada@acme.example',
      roles: ['billing_admin'],
      orgRefusal: undefined,
      rolesRefusal: undefined,
      orgCharges: false,
    });
  });

  it('is asked afresh each time, remembering nothing', async () => {
    const asked: unknown[] = [];
    const door = authorizer({
      ...GROUP,
      member: async (_, how) => {
        asked.push(how);
        return member;
      },
      groupMembers: async (_, how) => {
        asked.push(how);
        return new Set();
      },
      users: usersWith(async (email) => {
        asked.push(email);
        return [];
      }),
    });
    const fresh = { fresh: true };
    await door.principal(ada);
    await door.principal(ada);

    const once = [fresh, 'ada@acme.example', fresh];

    expect(asked).toEqual([...once, ...once]);

    asked.length = 0;
    await door.authorize(ada);

    expect(asked).toEqual([{ fresh: false }]);
  });

  it('has in it why a person may not use the bot, and asks the platform for no one such', async () => {
    const guest = authorizer({
      member: async () => ({ ...member, guest: true }),
      users: usersWith(silence),
    });
    const { refusal, roles, orgRefusal } = await guest.principal(ada);

    expect(refusal).toContain('guests');
    expect(orgRefusal).toBe(refusal);
    expect(roles).toBeUndefined();
  });

  it('takes the workspace of the request where the profile names none', async () => {
    const nameless = authorizer({ member: async () => ({ ...member, teamId: '' }) });

    await expect(nameless.principal(ada)).resolves.not.toHaveProperty('refusal');
    await expect(nameless.principal({ ...ada, teamId: 'T0OTHER' })).resolves.toHaveProperty(
      'refusal',
    );
  });

  it.each([undefined, ''])('has no roles without an address (%j)', async (email) => {
    const nameless = authorizer({
      member: async () => ({ ...member, email }),
      users: usersWith(silence),
    });

    await expect(nameless.principal(ada)).resolves.toMatchObject({
      email: undefined,
      roles: undefined,
    });
  });

  it('has no roles by an address that no one confirmed, and asks the platform for none', async () => {
    const unproven = { ...member, email: undefined, unconfirmed: 'Ada@acme.example' };
    const door = authorizer({
      member: async () => unproven,
      users: usersWith(silence),
      orgAccess: { kind: 'roles' },
    });

    await expect(door.principal(ada)).resolves.toMatchObject({
      email: undefined,
      unconfirmed: 'ada@acme.example',
      roles: undefined,
      orgRefusal: expect.stringContaining('is not confirmed') as string,
    });
  });

  it('says why roles cannot be looked up where billing is off', async () => {
    const off = authorizer({ users: undefined, orgAccess: { kind: 'roles' } });
    const { roles, rolesRefusal, orgRefusal } = await off.principal(ada);

    expect(roles).toBeUndefined();
    expect(rolesRefusal).toContain('Billing isn’t set up');
    expect(orgRefusal).toContain('ORG_ACCESS=roles');
  });

  it('grants access to the orgs by roles with ORG_ACCESS=roles', async () => {
    const none = authorizer({ orgAccess: { kind: 'roles' }, users: usersWith(async () => []) });

    expect((await none.principal(ada)).orgRefusal).toContain('You need');
    expect(
      (await authorizer({ orgAccess: { kind: 'roles' } }).principal(ada)).orgRefusal,
    ).toBeUndefined();
  });

  it('is a no while Slack or the platform is silent', async () => {
    await expect(authorizer({ member: silence }).principal(ada)).rejects.toThrow(
      'Slack cannot identify you',
    );
    await expect(authorizer({ users: usersWith(silence) }).principal(ada)).rejects.toThrow(
      'does not show your billing roles',
    );
  });

  it('show a failed lookup of the group as a refusal, unless the call is about the orgs: then it throws', async () => {
    const door = authorizer({ ...GROUP, groupMembers: silence });

    expect((await door.principal(ada)).orgRefusal).toContain(
      'Slack does not list the user group that may see this',
    );
    await expect(door.principal(ada, { orgs: true })).rejects.toThrow(Refusal);
    expect((await authorizer(GROUP).principal(ada, { orgs: true })).orgRefusal).toBeUndefined();
    expect((await authorizer(GROUP).principal({ ...ada, userId: 'U0BEN' })).orgRefusal).toContain(
      'user group',
    );
  });

  it('passes on a programming error, which is no failed lookup', async () => {
    const broken = authorizer({
      ...GROUP,
      groupMembers: async () => Object.create(null) as ReadonlySet<string>,
    });

    await expect(broken.principal(ada)).rejects.toThrow('has is not a function');
  });
});
