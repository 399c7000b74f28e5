import { describe, expect, it } from 'vitest';
import {
  fieldOf,
  formHarness,
  labelsOf,
  NO_KEY,
  NOW,
  optionsOf,
  startOf,
  wordsOf,
} from '../forms/harness.ts';
import { fingerprint } from '../../../../src/changes/change.ts';
import type { BillingToken } from '../../../../src/platform/billing/tokens.ts';
import { kindOf, planOn, read, settledOn } from './planned.ts';

describe('The form that creates a token', () => {
  it('asks for name, description, roles and expiry, and says how the secret is shown', async () => {
    const harness = formHarness();

    const form = await harness.open('token.create', { name: 'ci' });

    expect(labelsOf(form)).toEqual(['Name', 'Description', 'Roles', 'Expires']);
    expect(startOf(form, 'Name')).toBe('ci');
    await harness.submit('token.create', form, {
      Description: ' for\nthe pipeline ',
      Roles: ['billing_viewer'],
      Expires: '2026-12-31',
    });
    expect(harness.orders).toEqual([
      {
        kind: 'token.create',
        name: 'ci',
        description: 'for the pipeline',
        roles: ['billing_viewer'],
        expiresAt: '2026-12-31T23:59:59Z',
      },
    ]);
  });

  it('orders one without an expiry when no day was chosen', async () => {
    const order = await formHarness().order(
      'token.create',
      { name: 'ci' },
      { Roles: ['org_creator'] },
    );

    expect(order).toEqual({
      kind: 'token.create',
      name: 'ci',
      description: '',
      roles: ['org_creator'],
    });
  });

  it('may end today, and not yesterday', async () => {
    const harness = formHarness();
    const form = await harness.open('token.create', { name: 'ci' });
    const expires = async (day: string) =>
      (await harness.submit('token.create', form, { Roles: ['org_creator'], Expires: day })).errors;

    expect(new Date(NOW).toISOString()).toContain('2026-11-20');
    expect(await expires('2026-11-20')).toBeUndefined();
    expect(await expires('2026-11-19')).toEqual({
      Expires: 'Choose a day in the future, or none for no expiry.',
    });
  });

  it.each(['2026-02-30', '31.12.2026', 'tomorrow', '2026-13-01', '2026-12-31T00:00:00Z'])(
    'says under the field that %j is no day',
    async (day) => {
      const harness = formHarness();
      const form = await harness.open('token.create', { name: 'ci' });

      const { errors } = await harness.submit('token.create', form, {
        Roles: ['org_creator'],
        Expires: day,
      });

      expect(errors).toEqual({ Expires: 'Choose a day such as 2027-12-31.' });
    },
  );

  it('says under the fields what is missing or too long', async () => {
    const harness = formHarness();
    const form = await harness.open('token.create');

    expect((await harness.submit('token.create', form)).errors).toEqual({
      Name: 'Give the token a name.',
      Roles: 'Tick at least one role.',
    });
    const { errors } = await harness.submit('token.create', form, {
      Name: 'x'.repeat(101),
      Roles: ['org_creator'],
    });
    expect(errors).toEqual({ Name: 'This is too long: at most 100 characters are possible.' });
  });

  it('is off without SECRET_KEY', async () => {
    await expect(formHarness({}, { config: NO_KEY }).open('token.create')).rejects.toThrow(
      'Creating tokens is off here because SECRET_KEY is not set, so a secret could not rest encrypted: your Purser administrator has to set it.',
    );
  });
});

describe('The form that deletes a token', () => {
  const tokens = [
    { id: 't-2', name: 'deploy', roles: [], created: Date.UTC(2026, 0, 5) },
    { id: 't-1', name: 'ci', roles: ['billing_admin', 'org_creator'] as const },
    { id: 't-3', name: 'ci', created: Date.UTC(2026, 0, 5, 9, 30, 15) },
  ];

  it('offers the tokens by name, and orders by id', async () => {
    const harness = formHarness({ tokens });

    const form = await harness.open('token.delete');

    const options = optionsOf(fieldOf(form, 'Name'));
    expect(
      options.map(({ text, value, description }) => [text.text, value, description?.text]),
    ).toEqual([
      ['ci', 't-1', 'id t-1 · billing_admin, org_creator'],
      ['ci', 't-3', 'id t-3 · created 2026-01-05 09:30:15 UTC · billing_viewer'],
      ['deploy', 't-2', 'no role · created 2026-01-05'],
    ]);
    await harness.submit('token.delete', form, { Name: 'deploy' });
    expect(harness.orders).toEqual([{ kind: 'token.delete', tokenId: 't-2', name: 'deploy' }]);
  });

  it.each([
    [{ id: 't-3' }, 't-3'],
    [{ name: 'deploy' }, 't-2'],
  ])('starts with the one that %j names', async (given, tokenId) => {
    expect(await formHarness({ tokens }).order('token.delete', given)).toMatchObject({ tokenId });
  });

  it.each([{ name: 'ci' }, { id: 'gone', name: 'ci' }])(
    'starts with none where several are meant by %j, and says so',
    async (given) => {
      const form = await formHarness({ tokens }).open('token.delete', given);

      expect(startOf(form, 'Name')).toBeUndefined();
      expect(wordsOf(form)).toContain('There are 2 tokens of the name ci: choose one.');
      expect(wordsOf(form)).not.toContain('There is no token');
    },
  );

  it('shows as much of their ids as tells two of one name apart', async () => {
    const twins = ['0123456789-one', '0123456789-two'].map((id) => ({ id, name: 'ci' }));
    const form = await formHarness({ tokens: [...twins, { id: '9876543210' }] }).open(
      'token.delete',
    );

    const abouts = optionsOf(fieldOf(form, 'Name')).map(({ description }) => description?.text);
    expect(abouts).toEqual([
      'id 0123456789-o · billing_viewer',
      'id 0123456789-t · billing_viewer',
      'id 98765432 · billing_viewer',
    ]);
  });

  it('shows roles, too, that the specification does not know', async () => {
    const token = { id: 't-4', otherRoles: ['auditor'] };
    const form = await formHarness({ tokens: [token] }).open('token.delete');

    expect(optionsOf(fieldOf(form, 'Name'))[0]?.description?.text).toBe('billing_viewer, auditor');
  });

  it('says when the chosen one has gone meanwhile, and asks for nothing', async () => {
    const before = await formHarness({ tokens }).open('token.delete', { id: 't-2' });
    const harness = formHarness({ tokens: [] });

    expect(await harness.submit('token.delete', before)).toEqual({
      errors: { Name: 'That token is not there any more: /billing tokens shows those that are.' },
    });
    expect(harness.orders).toEqual([]);
  });

  it('needs a token', async () => {
    await expect(formHarness().open('token.delete')).rejects.toThrow(
      'There is no token to delete: /billing tokens create asks for one.',
    );
  });
});

const CREATE = {
  kind: 'token.create' as const,
  name: 'ci',
  description: 'the nightly report',
  roles: ['billing_viewer' as const],
  expiresAt: '2026-12-31T00:00:00Z',
};
const DELETE = { kind: 'token.delete', tokenId: 't-1', name: 'ci' } as const;
/** As requested by `CREATE`. */
const CI: Partial<BillingToken> = {
  id: 't-1',
  description: CREATE.description,
  expiresAt: Date.parse(CREATE.expiresAt),
};

describe('the plan for a new token', () => {
  it('shows what it may do and until when', async () => {
    const { plan, now, conflict } = await planOn({}, CREATE);

    expect(kindOf(CREATE).title(CREATE)).toBe('Create the token ci with billing_viewer');
    expect({ conflict, before: plan.before, now }).toEqual({ before: [], now: [] });
    expect(read(plan.after)).toEqual([
      'Name: ci',
      'Description: the nightly report',
      'Roles: billing_viewer',
      'Expires: 2026-12-31 00:00 UTC',
    ]);
    expect(plan.consequences).toEqual([
      'The secret is shown once, to the requester only, and the token is deleted if it is not revealed within 15 minutes.',
    ]);
  });

  it('without an end or a description says so, and mentions a namesake', async () => {
    const { expiresAt: _, ...endless } = CREATE;
    const { plan, now } = await planOn({ tokens: [CI] }, { ...endless, description: '' });

    expect(read(plan.after).slice(1)).toEqual([
      'Description: none',
      'Roles: billing_viewer',
      'Expires: never',
    ]);
    expect(read(now)).toContain('Description: the nightly report');
    expect(plan.consequences.slice(1)).toEqual([
      'Without an expiry the token works until somebody deletes it.',
      'There is a token ci already, and this one comes in addition to it.',
    ]);
  });

  it('that would be over already is a conflict', async () => {
    const { conflict } = await planOn({}, CREATE, Date.parse(CREATE.expiresAt));

    expect(conflict?.sentence).toBe(
      'The token would be over already: ask again with a later expiry.',
    );
  });
});

describe('a new token without an answer', () => {
  const old = { ...CI, id: 't-0' };
  const LOST = { kind: 'secret lost', what: 'token', tokenIds: ['t-1'] };
  const settled = (...after: Partial<BillingToken>[]) =>
    settledOn(CREATE, { tokens: [old] }, { tokens: [old, ...after] });

  it.each([
    ['is there', CI],
    ['is there with a trimmed description', { ...CI, description: ` ${CREATE.description} ` }],
    ['is there without the fraction of a second', { ...CI, expiresAt: CI.expiresAt! + 999 }],
  ])('that %s has lost its secret', async (_, token) => {
    expect(await settled(token)).toEqual(LOST);
  });

  it('was not created when only others are new', async () => {
    expect(await settled({ ...CI, name: 'another' })).toEqual({ kind: 'not done' });
  });

  it.each([
    ['two new ones fit', [CI, { ...CI, id: 't-2' }]],
    ['the new one has other roles', [{ ...CI, roles: ['org_creator' as const] }]],
    ['the new one has another description', [{ ...CI, description: 'a weekly one' }]],
    ['the new one ends at another time', [{ ...CI, expiresAt: NOW }]],
    ['the new one does not end', [{ ...CI, expiresAt: undefined }]],
  ])('may be another person’s when %s, and is left alone', async (_, tokens) => {
    expect(await settled(...tokens)).toEqual({ kind: 'unclear' });
  });

  it('may be in a row that cannot be read', async () => {
    expect(await settledOn(CREATE, {}, { skipped: 1 })).toEqual({ kind: 'unclear' });
  });
});

describe('the plan to delete a token', () => {
  it('shows its last use first, which does not change the plan', async () => {
    const unused = await planOn({ tokens: [CI] }, DELETE);
    const lastUsedAt = NOW - 3_600_000;
    const used = await planOn({ tokens: [{ ...CI, lastUsedAt, created: 0 }] }, DELETE);
    const again = await planOn({ tokens: [{ ...CI, lastUsedAt: NOW, created: 0 }] }, DELETE);

    expect(read(unused.plan.before)[0]).toBe('Last used: no use reported');
    expect(read(used.plan.before)).toEqual([
      'Last used: about 1 h ago (2026-11-20 08:00 UTC)',
      'Name: ci',
      'Description: the nightly report',
      'Roles: billing_viewer',
      'Expires: 2026-12-31 00:00 UTC',
      'Created: 1970-01-01 00:00 UTC',
      'Created by: ada@acme.example',
      'Id: t-1',
    ]);
    expect(used.now).toEqual(used.plan.before.slice(1));
    expect(used.plan.after).toEqual([]);
    expect(used.plan.consequences).toEqual([
      'Whatever uses the token stops working, and it cannot be brought back.',
      'The token may go on working for up to 5 minutes.',
    ]);
    expect(fingerprint(used.plan)).toBe(fingerprint(again.plan));
  });

  it('shows what is not known of it, and a role that is not', async () => {
    const odd = { ...CI, otherRoles: ['weird_new_role'], createdBy: '' };
    const { plan } = await planOn({ tokens: [odd] }, DELETE);

    expect(read(plan.before)).toEqual(
      expect.arrayContaining([
        'Roles: billing_viewer, weird_new_role',
        'Created: not said',
        'Created by: not said',
      ]),
    );
  });

  it('is in conflict when the token is gone', async () => {
    expect((await planOn({}, DELETE)).conflict).toEqual({
      code: 'gone',
      sentence: 'The token ci is gone already: /billing tokens shows what is there.',
    });
  });

  it.each([
    [{ tokens: [CI] }, 'not done'],
    [{}, 'done'],
    [{ skipped: 1 }, 'unclear'],
  ])('is settled by the list: %o', async (after, kind) => {
    expect(await settledOn(DELETE, { tokens: [CI] }, after)).toEqual({ kind });
  });
});
