import { describe, expect, it } from 'vitest';
import type { Applicant } from '../../../src/access/admit.ts';
import { createGate } from '../../../src/access/gate.ts';
import type { GateDeps } from '../../../src/access/gate.ts';
import { Refusal } from '../../../src/lib/refusal.ts';

const ada = { userId: 'U0ADA', teamId: 'T0ACME' };
const member: Applicant = {
  teamId: 'T0ACME',
  deleted: false,
  bot: false,
  guest: false,
  stranger: false,
  email: 'Ada@acme.example',
};

function gate(deps: Partial<GateDeps> = {}) {
  return createGate({
    applicant: async () => member,
    groupMembers: async () => new Set(['U0ADA']),
    rolesOf: async () => ['billing_admin'],
    homeTeamId: () => 'T0ACME',
    orgAccess: 'members',
    stopwatch: { elapsed: () => 0 },
    ...deps,
  });
}

const silence = () => Promise.reject(new Error('ratelimited'));
const GROUP = { orgAccess: { groupId: 'S0PLATFORM' } };

describe('what is known of a person now', () => {
  it('is the address in lower case, and the roles behind it', async () => {
    await expect(gate({ groupMembers: silence }).standing(ada)).resolves.toEqual({
      userId: 'U0ADA',
      email: 'ada@acme.example',
      roles: ['billing_admin'],
      orgRefusal: undefined,
      rolesRefusal: undefined,
    });
  });

  it('is asked afresh each time, remembering nothing', async () => {
    const asked: unknown[] = [];
    const door = gate({
      ...GROUP,
      applicant: async (_, how) => {
        asked.push(how);
        return member;
      },
      groupMembers: async (_, how) => {
        asked.push(how);
        return new Set();
      },
      rolesOf: async (email) => {
        asked.push(email);
        return [];
      },
    });
    const fresh = { fresh: true };
    await door.standing(ada);
    await door.standing(ada);

    const once = [fresh, 'ada@acme.example', fresh];

    expect(asked).toEqual([...once, ...once]);

    asked.length = 0;
    await door.admit(ada);

    expect(asked).toEqual([{ fresh: false }]);
  });

  it('has in it why somebody may not use the bot, and asks the platform for nobody such', async () => {
    const guest = gate({ applicant: async () => ({ ...member, guest: true }), rolesOf: silence });
    const { refusal, roles, orgRefusal } = await guest.standing(ada);

    expect(refusal).toContain('guests');
    expect(orgRefusal).toBe(refusal);
    expect(roles).toBeUndefined();
  });

  it('takes the workspace of the request where the profile names none', async () => {
    const nameless = gate({ applicant: async () => ({ ...member, teamId: '' }) });

    await expect(nameless.standing(ada)).resolves.not.toHaveProperty('refusal');
    await expect(nameless.standing({ ...ada, teamId: 'T0OTHER' })).resolves.toHaveProperty(
      'refusal',
    );
  });

  it.each([undefined, ''])('has no roles without an address (%j)', async (email) => {
    const nameless = gate({ applicant: async () => ({ ...member, email }), rolesOf: silence });

    await expect(nameless.standing(ada)).resolves.toMatchObject({
      email: undefined,
      roles: undefined,
    });
  });

  it('has no roles by an address that nobody confirmed, and asks the platform for none', async () => {
    const unproven = { ...member, email: undefined, unconfirmed: 'Ada@acme.example' };
    const door = gate({ applicant: async () => unproven, rolesOf: silence, orgAccess: 'roles' });

    await expect(door.standing(ada)).resolves.toMatchObject({
      email: undefined,
      unconfirmed: 'ada@acme.example',
      roles: undefined,
      orgRefusal: expect.stringContaining('is not confirmed') as string,
    });
  });

  it('says why roles cannot be looked up where billing is off', async () => {
    const { applicant, ...rest } = { applicant: async () => member };
    const off = createGate({
      ...rest,
      applicant,
      groupMembers: async () => new Set<string>(),
      homeTeamId: () => 'T0ACME',
      orgAccess: 'roles',
      stopwatch: { elapsed: () => 0 },
    });
    const { roles, rolesRefusal, orgRefusal } = await off.standing(ada);

    expect(roles).toBeUndefined();
    expect(rolesRefusal).toContain('Billing is off here');
    expect(orgRefusal).toContain('ORG_ACCESS=roles');
  });

  it('goes by the roles where those open the orgs', async () => {
    const rolesOf = async () => [];
    const none = gate({ orgAccess: 'roles', rolesOf });

    expect((await none.standing(ada)).orgRefusal).toContain('has no role');
    expect((await gate({ orgAccess: 'roles' }).standing(ada)).orgRefusal).toBeUndefined();
  });

  it('is a no while Slack or the platform does not say', async () => {
    await expect(gate({ applicant: silence }).standing(ada)).rejects.toThrow('who you are');
    await expect(gate({ rolesOf: silence }).standing(ada)).rejects.toThrow('which billing roles');
  });

  it('may lack who is in a group, unless that is what it is asked for', async () => {
    const door = gate({ ...GROUP, groupMembers: silence });

    expect((await door.standing(ada)).orgRefusal).toContain('usergroups:read');
    await expect(door.standing(ada, { orgs: true })).rejects.toThrow(Refusal);
    expect((await gate(GROUP).standing(ada, { orgs: true })).orgRefusal).toBeUndefined();
    expect((await gate(GROUP).standing({ ...ada, userId: 'U0BEN' })).orgRefusal).toContain(
      'user group',
    );
  });

  it('passes on what is nobody’s silence', async () => {
    const broken = gate({
      ...GROUP,
      groupMembers: async () => Object.create(null) as ReadonlySet<string>,
    });

    await expect(broken.standing(ada)).rejects.toThrow('has is not a function');
  });
});
