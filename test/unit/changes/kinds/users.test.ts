import { REASON } from '../../../support/changes.ts';
import { describe, expect, it } from 'vitest';
import type { ChangeInput, InputOf } from '../../../../src/changes/kinds/kinds.ts';
import type { FormContent, FormValues } from '../../../../src/slack/routing/routes.ts';
import { ADA, fieldOf, formHarness, platformOf, startOf, user } from '../forms/harness.ts';
import { kindOf, planOn, settledOn } from './planned.ts';

const USERS = [
  user('zoe@acme.example', 'billing_viewer'),
  user('Bob@acme.example', 'billing_admin', 'org_creator'),
];

const OTHERS_TICKS = 'The ticks are still those of another person: check them, and submit.';

describe('The form that adds a billing user', () => {
  it.each([
    '',
    'ada',
    'ada@acme',
    'ada@acme.example, bob@acme.example',
    '<@U0BOB>',
    '@',
    'a b@c.de',
    'mailto:ada@acme.example',
    'ada.@acme.example',
  ])('says under the field that %j is not an e-mail address', async (text) => {
    const harness = formHarness();

    const { errors = {} } = await harness.submit('user.add', await harness.open('user.add'), {
      'E-mail': text,
      Roles: ['superuser'],
    });

    expect(Object.keys(errors)).toEqual(['E-mail', 'Roles']);
    expect(errors['E-mail']).toContain('such as ada@example.com.');
    expect(errors['Roles']).toBe('Tick at least one role.');
    expect(harness.orders).toEqual([]);
  });
});

describe('The form that changes the roles of a user', () => {
  it('ticks the roles of anyone who is chosen, in a field of their own', async () => {
    const harness = formHarness({ users: USERS });
    const route = harness.routes['user.roles'];
    const before = await harness.open('user.roles', { email: 'zoe@acme.example' });
    const { block_id: email } = fieldOf(before, 'E-mail');

    const after = await route.refill?.({
      person: ADA,
      fieldId: email,
      values: { [email]: 'Bob@acme.example' },
      state: before.state,
    });

    expect(route.fields).toEqual([email]);
    expect(after).toBeDefined();
    const form = after ?? before;
    expect(startOf(form, 'Roles')).toEqual(['billing_admin', 'org_creator']);
    expect(fieldOf(form, 'E-mail').block_id).toBe(email);
    expect(fieldOf(form, 'Roles').block_id).not.toBe(fieldOf(before, 'Roles').block_id);
    expect(harness.heard.slice(-2)).toEqual(['admit U0ADA user.roles', 'users']);
    await harness.submit('user.roles', form);
    expect(harness.orders).toEqual([
      { kind: 'user.roles', email: 'Bob@acme.example', roles: ['billing_admin', 'org_creator'] },
    ]);
  });

  it('is sent as it is where Slack reported no choice before', async () => {
    const harness = formHarness({ users: USERS });
    const form = await harness.open('user.roles');

    await harness.submit('user.roles', form, {
      'E-mail': 'zoe@acme.example',
      Roles: ['org_creator'],
    });

    expect(harness.orders).toEqual([
      { kind: 'user.roles', email: 'zoe@acme.example', roles: ['org_creator'] },
    ]);
  });

  it('is read with the ticks of anyone who is chosen, whatever else was sent', async () => {
    const harness = formHarness({ users: USERS });
    const [ofNoOne, ofBob, ofZoe] = await Promise.all([
      harness.open('user.roles'),
      harness.open('user.roles', { email: 'bob@acme.example' }),
      harness.open('user.roles', { email: 'zoe@acme.example' }),
    ]);
    const ticked = (form: FormContent, roles: string[]) => ({
      [fieldOf(form, 'Roles').block_id]: roles,
    });
    const sent = async (state: string, ...values: object[]) => {
      const chosen = { 'user.roles.email': 'zoe@acme.example' };
      const verdict = await harness.routes['user.roles'].submit({
        person: ADA,
        values: Object.assign(chosen, { 'changes-reason': REASON }, ...values) as FormValues,
        state,
      });
      if ('errors' in verdict) return Object.values(verdict.errors);
      await verdict.answer();
      return harness.orders.at(-1);
    };
    const [viewer, creator] = [ticked(ofBob, ['billing_viewer']), ticked(ofZoe, ['org_creator'])];

    expect(await sent(ofZoe.state, viewer, creator)).toMatchObject({ roles: ['org_creator'] });
    expect(await sent(ofBob.state, viewer, creator)).toMatchObject({ roles: ['org_creator'] });
    expect(await sent('rubbish', creator)).toMatchObject({ roles: ['org_creator'] });
    expect(await sent(ofZoe.state, ticked(ofNoOne, ['billing_admin']))).toMatchObject({
      roles: ['billing_admin'],
    });
    expect(await sent(ofZoe.state, viewer)).toEqual([OTHERS_TICKS]);
    expect(await sent('rubbish', viewer)).toEqual([OTHERS_TICKS]);
  });
});

const ADD: InputOf<'user.add'> = {
  kind: 'user.add',
  email: 'New@acme.example',
  roles: ['org_creator'],
};
const SET: InputOf<'user.roles'> = {
  kind: 'user.roles',
  email: 'bob@acme.example',
  roles: ['billing_viewer'],
};
const REMOVE = { kind: 'user.remove', email: 'bob@acme.example' } as const;

describe('the title of a change of a user', () => {
  it('keeps both ends of a long address, since its domain matters most', () => {
    const email = 'firstname.lastname.contractor@finance.acme.example';
    const input = { kind: 'user.remove', email } as const;

    expect(kindOf(input).title(input)).toBe(
      'Remove the billing user firstname.lastname.c…inance.acme.example',
    );
  });
});

describe('the plan for a billing user', () => {
  it.each([
    [ADD, 'Add the billing user New@acme.example with org_creator'],
    [SET, 'Give bob@acme.example the role billing_viewer'],
    [REMOVE, 'Remove the billing user bob@acme.example'],
  ])('has a title, and concerns that user: $kind', (input, title) => {
    expect(kindOf(input).title(input)).toBe(title);
    expect(kindOf(input).subjects(input)).toEqual([input.email.toLowerCase()]);
  });

  const amy = user('amy@acme.example', 'billing_admin');
  it.each([
    ['the last billing_admin', USERS, [/^⚠ bob@acme\.example is the last billing_admin/]],
    ['the last but one', [...USERS, amy], [/^⚠ amy@acme\.example is the only billing_admin after/]],
    ['one of three', [...USERS, amy, user('cal@acme.example', 'billing_admin')], []],
    ['another user', [user('bob@acme.example', 'billing_viewer', 'org_creator'), amy], []],
  ])('warns when few admins stay: %s', async (_who, users, expected) => {
    for (const input of [SET, REMOVE]) {
      const { consequences } = (await planOn({ users }, input)).plan;
      const warnings = consequences.filter((one) => /^⚠.*billing_admin/.test(one));
      expect(warnings).toEqual(expected.map((one) => expect.stringMatching(one)));
    }
  });

  it.each([
    [0, ['users']],
    [1, ['users', 'user']],
  ])('asks for a user by name only while %d rows cannot be read', async (skipped, reads) => {
    const heard: string[] = [];

    await kindOf(ADD).read(platformOf({ users: USERS, skipped }, heard), ADD);

    expect(heard).toEqual(reads);
  });
});

describe('a call about a billing user without an answer', () => {
  const other = [user('bob@acme.example', 'org_creator')];
  it.each([
    [ADD, 'the user', [user('new@acme.example', 'org_creator')], 'done'],
    [ADD, 'no user', [], 'not done'],
    [ADD, 'other roles', [user('new@acme.example', 'billing_admin')], 'unclear'],
    [SET, 'the new roles', [user('bob@acme.example', 'billing_viewer')], 'done'],
    [SET, 'the old roles', USERS, 'not done'],
    [SET, 'other roles', other, 'unclear'],
    [SET, 'no user', [], 'unclear'],
    [REMOVE, 'no user', [], 'done'],
    [REMOVE, 'the user', other, 'not done'],
  ] as const)('$kind, that finds %s', async (input, _, users, kind) => {
    expect(await settledOn(input, { users: USERS }, { users })).toEqual({ kind });
  });
});

describe('adding an address of another domain', () => {
  const toAdd: Readonly<Record<string, (email: string) => ChangeInput>> = {
    'a user': (email) => ({ ...ADD, email }),
    'a recipient': (email) => ({ kind: 'recipient.add', email, enabled: true }),
  };
  const warningsOf = async (input: ChangeInput, ...domains: string[]) => {
    const { plan } = await planOn({ users: domains.map((domain) => user(`x@${domain}`)) }, input);
    return plan.consequences.filter((one) => one.startsWith('⚠'));
  };

  it.each(Object.entries(toAdd))('as %s has a warning', async (_, of) => {
    const known = ['acme.example', 'ACME.example', 'labs.example'];

    expect(await warningsOf(of('eve@evil.example'), ...known)).toEqual([
      '⚠ evil.example is outside your domains (acme.example, labs.example).',
    ]);
    expect(await warningsOf(of('eve@Acme.Example'), ...known)).toEqual([]);
  });

  it('counts many domains; a part of one is another', async () => {
    const many = ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}.example`);

    expect(await warningsOf(toAdd['a user']!('eve@eu.a.example'), ...many)).toEqual([
      '⚠ eu.a.example is outside your domains (a.example, b.example, c.example, 2 more).',
    ]);
  });
});
