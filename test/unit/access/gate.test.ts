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
};

function gate(deps: Partial<GateDeps> = {}) {
  return createGate({
    applicant: () => Promise.resolve(member),
    groupMembers: () => Promise.resolve(new Set(['U0ADA'])),
    homeTeamId: () => 'T0ACME',
    orgAccess: 'members',
    ...deps,
  });
}

const silence = () => Promise.reject(new Error('ratelimited'));

describe('the gate', () => {
  it('lets a member in', async () => {
    await expect(gate().admit(ada)).resolves.toBeUndefined();
    await expect(gate().requireOrgAccess(ada)).resolves.toBeUndefined();
  });

  it('takes the workspace of the request where the profile names none', async () => {
    const nameless = gate({ applicant: () => Promise.resolve({ ...member, teamId: '' }) });

    await expect(nameless.admit(ada)).resolves.toBeUndefined();
    await expect(nameless.admit({ ...ada, teamId: 'T0OTHER' })).rejects.toThrow(Refusal);
  });

  it('goes by the profile where it does name one', async () => {
    const guest = gate({ applicant: () => Promise.resolve({ ...member, teamId: 'T0OTHER' }) });

    await expect(guest.admit(ada)).rejects.toThrow('own workspace');
  });

  it('stays shut while Slack does not say who someone is', async () => {
    await expect(gate({ applicant: silence }).admit(ada)).rejects.toThrow('try again');
  });

  it('stays shut for people outside of the user group, and while Slack does not name its members', async () => {
    const orgAccess = { groupId: 'S0PLATFORM' };

    await expect(gate({ orgAccess }).requireOrgAccess(ada)).resolves.toBeUndefined();
    await expect(gate({ orgAccess }).requireOrgAccess({ userId: 'U0BEN' })).rejects.toThrow(
      'user group',
    );
    await expect(gate({ orgAccess, groupMembers: silence }).requireOrgAccess(ada)).rejects.toThrow(
      'usergroups:read',
    );
  });

  it('stays shut for everyone with ORG_ACCESS=roles, which nobody can look up yet', async () => {
    await expect(gate({ orgAccess: 'roles' }).requireOrgAccess(ada)).rejects.toThrow(Refusal);
  });
});
