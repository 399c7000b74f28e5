import { describe, expect, it } from 'vitest';
import { BILLING_ROLES } from '../../../../src/platform/billing/roles.ts';
import type { SlackProfile } from '../../../../src/access/policy.ts';
import { authorizerFor } from '../../../support/authorizer.ts';
import { memoryIdentities } from '../../../support/identities.ts';
import {
  fieldOf,
  formHarness,
  labelsOf,
  optionsOf,
  platformOf,
  startOf,
  user,
  type PlatformData,
} from './harness.ts';

const EMAIL = 'ada@acme.example';
const VIEWER: PlatformData = {
  users: [user(EMAIL, 'billing_viewer'), user('ben@acme.example', 'billing_admin')],
};
const STRANGER: PlatformData = { users: [user('ben@acme.example', 'billing_admin')] };
const ALL = { roles: BILLING_ROLES.join() };

const MEMBER: SlackProfile = {
  teamId: 'T0ACME',
  deleted: false,
  bot: false,
  guest: false,
  stranger: false,
};

/** The form for a person as Slack knows them. */
const formFor = (profile: Partial<SlackProfile>, data = VIEWER) =>
  formHarness(data, {
    access: authorizerFor({
      member: async () => ({ ...MEMBER, ...profile }),
      users: platformOf(data),
      identities: memoryIdentities({ [EMAIL]: ['U0OLD'] }),
    }),
  });

describe('the form that asks for access', () => {
  it.each([
    [VIEWER, ['billing_admin'], ['billing_admin', 'billing_viewer']],
    [VIEWER, ['billing_admin', 'org_creator'], ['billing_viewer', 'org_creator']],
    [VIEWER, ['billing_admin', 'billing_viewer'], ['billing_admin', 'billing_viewer']],
    [STRANGER, BILLING_ROLES, ['billing_viewer']],
    [STRANGER, ['billing_admin', 'org_creator'], ['org_creator']],
    [STRANGER, ['root', 'billing_admin,'], ['billing_admin']],
    [STRANGER, ['root'], undefined],
    [STRANGER, [], undefined],
  ])('ticks the roles held, and the least that is missing: %#', async (data, roles, ticked) => {
    const form = await formHarness(data).open('access.ask', { roles: roles.join() });

    expect(labelsOf(form)).toEqual(['Roles']);
    expect(startOf(form, 'Roles')).toEqual(ticked);
    expect(optionsOf(fieldOf(form, 'Roles'))).toHaveLength(BILLING_ROLES.length);
  });

  it('orders the roles that are ticked, marked as one’s own', async () => {
    const { order, reasons } = formHarness(VIEWER);
    const said = { Roles: ['billing_admin'], Reason: 'I look after the alert.' };

    expect(await order('access.ask', ALL, said)).toEqual({
      kind: 'user.roles',
      email: EMAIL,
      roles: ['billing_admin'],
      own: true,
    });
    expect(reasons).toEqual(['I look after the alert.']);
    expect(await formHarness(STRANGER).order('access.ask', ALL)).toEqual({
      kind: 'user.add',
      email: EMAIL,
      roles: ['billing_viewer'],
      own: true,
    });
  });

  it('takes the address from Slack when it is sent, whatever comes with it', async () => {
    const harness = formHarness(VIEWER);
    const form = await harness.open('access.ask', { ...ALL, email: 'eve@acme.example' });
    const forged = { email: 'eve@acme.example', kind: 'user.remove' };

    const verdict = await harness.routes['access.ask'].submit({
      person: { userId: 'U0ADA', teamId: 'T0ACME' },
      values: {
        ...forged,
        'user.add.email': 'eve@acme.example',
        'user.roles.email': 'eve@acme.example',
        'access.ask.roles': ['billing_admin', 'root'],
        'changes-reason': 'For good reasons.',
      },
      state: JSON.stringify({ ...forged, roles: 'x', form: form.state }),
    });
    if ('answer' in verdict) await verdict.answer();

    expect(harness.orders).toEqual([
      { kind: 'user.roles', email: EMAIL, roles: ['billing_admin'], own: true },
    ]);
  });

  it.each([
    [{}, /shows no confirmed e-mail address/, undefined],
    [{ unconfirmed: EMAIL }, /shows no confirmed e-mail address/, undefined],
    [{ email: EMAIL, guest: true }, /guests/, 'guest'],
    [{ email: EMAIL, bot: true }, /Bots/, 'bot'],
    [{ email: EMAIL, teamId: 'T0OTHER' }, /own workspace/, 'stranger'],
    [{ email: EMAIL }, /in use by another Slack account \(U0OLD\)/, 'identity'],
  ])('stays shut while the address proves nothing: %j', async (profile, sentence, why) => {
    const refusal: unknown = await formFor(profile)
      .open('access.ask', ALL)
      .catch((error: unknown) => error);

    expect(refusal).toMatchObject({ message: expect.stringMatching(sentence), roles: undefined });
    expect(refusal).toHaveProperty('why', why);
  });
});

it.each(['user.add', 'user.roles'] as const)('the form %s never asks for oneself', async (name) => {
  const { order } = formHarness(VIEWER);
  const said = {
    'E-mail': 'ben@acme.example',
    ...(name === 'user.add' && { Roles: ['billing_viewer'] }),
  };
  const given = { email: 'ben@acme.example', own: 'true', roles: 'billing_admin' };

  expect(await order(name, given, said)).not.toHaveProperty('own');
});
