import { describe, expect, it } from 'vitest';
import { formHarness } from './harness.ts';

/** A Cyrillic letter that looks like the Latin `a`. */
const CYRILLIC_A = '\u0430';
const UNSEEN = '\u200B';
const ROLES = ['billing_viewer'];
const ORG = { Name: 'hooli', 'Type the name again': 'hooli', Invitees: 'ada@acme.example' };

/** Where a name or an address is typed, and how it is written with another letter in it. */
const FIELDS = [
  ['user.add', 'E-mail', (a: string) => ({ 'E-mail': `d${a}n@acme.example`, Roles: ROLES })],
  ['recipient.add', 'E-mail', (a: string) => ({ 'E-mail': `d${a}n@acme.example` })],
  ['token.create', 'Name', (a: string) => ({ Name: `n${a}me`, Roles: ROLES })],
  [
    'org.create',
    'Name',
    (a: string) => ({ ...ORG, Name: `h${a}li`, 'Type the name again': `h${a}li` }),
  ],
  [
    'org.create',
    'Invitees',
    (a: string) => ({ ...ORG, Invitees: `ben@acme.example, d${a}n@acme.example` }),
  ],
  ['org.create', 'Tags', (a: string) => ({ ...ORG, Tags: `team=a\nst${a}ge=prod` })],
] as const;

describe('A letter that looks like another, or one that cannot be seen', () => {
  it.each(FIELDS)('is refused in %s below %s, and says why', async (name, label, said) => {
    const harness = formHarness();
    const form = await harness.open(name);

    const { errors: mixed } = await harness.submit(name, form, said(CYRILLIC_A));
    const { errors: unseen } = await harness.submit(name, form, said(`a${UNSEEN}`));

    expect(Object.keys(mixed ?? {})).toEqual([label]);
    expect(mixed?.[label]).toMatch(
      / has letters of two alphabets \(Latin and Cyrillic\), so it can be taken for another one: type it by hand, in one alphabet\.$/,
    );
    expect(unseen?.[label]).toContain(' has an invisible character (U+200B), so it can be taken');
    expect(JSON.stringify(unseen)).not.toContain(UNSEEN);
    expect(harness.orders).toEqual([]);
  });

  it('is cut off around an address that was pasted, where no one means it', async () => {
    const order = await formHarness().order(
      'user.add',
      {},
      {
        'E-mail': '\uFEFF dan@acme.example\u00A0',
        Roles: ROLES,
      },
    );

    expect(order).toMatchObject({ email: 'dan@acme.example' });
  });
});

describe('A description with letters that cannot be seen', () => {
  it('is no longer than a card shows it, with them written out', async () => {
    const harness = formHarness();
    const form = await harness.open('token.create');

    const { errors } = await harness.submit('token.create', form, {
      Name: 'ci',
      Roles: ROLES,
      Description: '\u00AD'.repeat(63),
    });

    expect(errors).toEqual({
      Description: 'This is too long: at most 500 characters are possible.',
    });
  });
});
