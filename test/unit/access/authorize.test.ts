import { describe, expect, it } from 'vitest';
import {
  identityRefusal,
  orgRefusal,
  refusalOf,
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

it('a user group opens the orgs to no one while its members are unknown', () => {
  expect(orgRefusal({ kind: 'usergroup', id: 'S0PLATFORM' }, {})).toContain('user group');
});

it('counts the other accounts that use an e-mail address', () => {
  expect(identityRefusal(['U0OLD'])).toMatch(/by another Slack account \(U0OLD\).* both are yours/);
  expect(identityRefusal(['U0OLD', 'U0GUS'])).toMatch(
    /by 2 other Slack accounts \(U0OLD, U0GUS\).* all are yours/,
  );
});
