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
} from '../../forms/harness.ts';

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

  it('asks who it is before it looks for the name', async () => {
    const harness = formHarness({ tokens });
    const form = await harness.open('token.delete', { id: 't-2' });
    harness.heard.length = 0;

    await harness.submit('token.delete', form);

    const looked = ['admit U0ADA token.delete', 'tokens'];
    expect(harness.heard).toEqual([...looked, 'preview', ...looked, 'request']);
  });

  it('needs a token', async () => {
    await expect(formHarness().open('token.delete')).rejects.toThrow(
      'There is no token to delete: /billing tokens create asks for one.',
    );
  });
});
