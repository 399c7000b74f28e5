import { describe, expect, it } from 'vitest';
import {
  identityRefusal,
  orgRefusal,
  refusalOf,
  type RoleFacts,
  type SlackProfile,
} from '../../../src/access/policy.ts';

const HOME = 'T0ACME';
const member: SlackProfile = {
  teamId: HOME,
  deleted: false,
  bot: false,
  guest: false,
  stranger: false,
};

describe('access to the bot', () => {
  it('a full member of its workspace', () => {
    expect(refusalOf(member, HOME)).toBeUndefined();
  });

  it.each([
    [{ teamId: 'T0OTHER' }, 'stranger', 'own workspace'],
    [{ teamId: '' }, 'stranger', 'own workspace'],
    [{ stranger: true }, 'stranger', 'own workspace'],
    [{ guest: true }, 'guest', 'guests'],
    [{ bot: true }, 'bot', 'Bots'],
    [{ deleted: true }, 'deactivated', 'deactivated'],
  ])('no one with %j, and is reported why', (traits, why, words) => {
    const denial = refusalOf({ ...member, ...traits }, HOME);

    expect(denial?.why).toBe(why);
    expect(denial?.sentence).toContain(words);
  });

  it('no one while the workspace itself is not known', () => {
    expect(refusalOf({ ...member, teamId: '' }, '')).toBeDefined();
  });
});

describe('access to the orgs', () => {
  it('with ORG_ACCESS=members every member', () => {
    expect(orgRefusal({ kind: 'members' }, {})).toBeUndefined();
  });

  it('with a user group its members, and no one when it is not known who they are', () => {
    const rule = { kind: 'usergroup', id: 'S0PLATFORM' } as const;

    expect(orgRefusal(rule, { inGroup: true })).toBeUndefined();
    expect(orgRefusal(rule, { inGroup: false })).toContain('user group');
    expect(orgRefusal(rule, {})).toContain('ask your Purser administrator which one');
  });

  it('with ORG_ACCESS=roles people with a billing role', () => {
    const email = 'ada@acme.example';
    const refusal = (roles: RoleFacts): string | undefined =>
      orgRefusal({ kind: 'roles' }, { roles });

    expect(refusal({ email, roles: ['org_creator'] })).toBeUndefined();
    expect(refusal({ email, roles: [] })).toContain('Ask a billing_admin of the account');
    expect(refusal({ email, roles: undefined })).toContain(`has no user ${email}`);
  });

  it('with ORG_ACCESS=roles no one without an address, and is reported where to add one', () => {
    const roles = { email: undefined, roles: undefined };

    expect(orgRefusal({ kind: 'roles' }, { roles })).toContain(
      'Your Slack profile shows no e-mail address: add one',
    );
  });

  it('with ORG_ACCESS=roles no one while roles cannot be looked up, and names the administrator who can fix that', () => {
    const refusal = orgRefusal({ kind: 'roles' }, {});

    expect(refusal).toContain('ORG_ACCESS');
    expect(refusal).toContain('your Purser administrator');
    expect(refusal).not.toContain('billing_admin');
  });
});

it('counts the other accounts that use an e-mail address', () => {
  expect(identityRefusal(['U0OLD'])).toMatch(/by another Slack account \(U0OLD\).* both are yours/);
  expect(identityRefusal(['U0OLD', 'U0GUS'])).toMatch(
    /by 2 other Slack accounts \(U0OLD, U0GUS\).* all are yours/,
  );
});
