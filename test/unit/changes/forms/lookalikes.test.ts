import { describe, expect, it } from 'vitest';
import { createKinds, type ChangeInput } from '../../../../src/changes/kinds/kinds.ts';
import { fieldOf, formHarness, NOW, optionsOf, startOf, user, wordsOf } from './harness.ts';
import { memoryIdentities } from '../../../support/identities.ts';

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

describe('What is typed with a letter that looks like another, or with one that cannot be seen', () => {
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

  it('may stand around an address that was pasted, where nobody means it', async () => {
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

describe('What is there already with such letters', () => {
  const masked = `ad${CYRILLIC_A}@acme.example`;
  const hiding = `ada${UNSEEN}@acme.example`;
  const users = [user(hiding, 'billing_viewer'), user('ada@acme.example'), user(masked)];

  it.each(['user.roles', 'user.remove'] as const)(
    'can be chosen in %s, and is shown as such',
    async (name) => {
      const form = await formHarness({ users }).open(name);

      const options = optionsOf(fieldOf(form, 'E-mail'));
      expect(options.map(({ text, description }) => [text.text, description?.text])).toEqual(
        expect.arrayContaining([
          ['ada@acme.example', 'no role'],
          ['ada⟨U+200B⟩@acme.example', '⚠ an invisible character (U+200B) · billing_viewer'],
          [masked, '⚠ letters of two alphabets (Latin and Cyrillic) · no role'],
        ]),
      );
      expect(options.map(({ value }) => value)).toContain(hiding);
    },
  );

  it('is named as such where it was chosen, and in the title and words of its change', async () => {
    const harness = formHarness({ users });
    const form = await harness.open('user.remove', { email: hiding });
    const chosen = await harness.open('user.roles', { email: hiding });
    const order: ChangeInput = { kind: 'user.remove', email: hiding };
    const kind = createKinds('USD', memoryIdentities())(order);
    const { plan } = kind.plan({ items: users, skipped: 0 }, order, NOW);

    expect(await harness.order('user.remove', { email: hiding })).toEqual(order);
    expect(startOf(form, 'E-mail')).toBe('ada⟨U+200B⟩@acme.example');
    expect(wordsOf(chosen)).toContain('ada⟨U+200B⟩@acme.example has billing_viewer now.');
    expect(kind.title(order)).toBe('Remove the billing user ada⟨U+200B⟩@acme.example');
    expect(plan.consequences[0]).toContain('ada⟨U+200B⟩@acme.example can neither see');
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
