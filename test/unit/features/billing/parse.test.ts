import { describe, expect, it } from 'vitest';

import { parseBilling } from '../../../../src/features/billing/feature.ts';
import { wordsIn } from '../../../support/answer.ts';
import { mistakeIn, readsAnyWords } from '../../../support/mistakes.ts';

const read = (text: string) => parseBilling(wordsIn(text));

const unreadable = (text: string) => mistakeIn(parseBilling, text);

describe('/billing', () => {
  it('suggests double quotes for a name in single ones, which can be read', () => {
    expect(unreadable("tokens create 'my ci'").suggestion).toBe('/billing tokens create "my ci"');
    expect(read('tokens create "my ci"')).toMatchObject({ given: { name: 'my ci' } });
  });

  it.each([
    ['', { kind: 'usage' }],
    ['account', { kind: 'account' }],
    ['ORGS', { kind: 'orgs' }],
    ['users', { kind: 'users' }],
    ['tokens', { kind: 'tokens' }],
    ['recipients', { kind: 'recipients' }],
    ['quotas', { kind: 'quotas', org: undefined }],
    ['quotas org acme', { kind: 'quotas', org: 'acme' }],
  ])('"%s" shows a list', (text, command) => {
    expect(read(text)).toEqual(command);
  });

  it.each([
    ['orgs create', 'org.create', {}],
    ['orgs create acme-eu', 'org.create', { name: 'acme-eu' }],
    ['users add', 'user.add', {}],
    [
      'users ADD <mailto:bob@acme.example|bob@acme.example>',
      'user.add',
      { email: 'bob@acme.example' },
    ],
    ['users roles bob@acme.example', 'user.roles', { email: 'bob@acme.example' }],
    ['users remove bob@acme.example', 'user.remove', { email: 'bob@acme.example' }],
    ['tokens create "nightly report"', 'token.create', { name: 'nightly report' }],
    ['tokens delete ci', 'token.delete', { name: 'ci' }],
    ['recipients add a@b.example', 'recipient.add', { email: 'a@b.example' }],
    ['recipients enable', 'recipient.enable', {}],
    ['recipients disable', 'recipient.disable', {}],
    ['recipients delete', 'recipient.delete', {}],
    ['quotas request', 'quota.request', {}],
    ['quotas request gpus org acme', 'quota.request', { name: 'gpus', org: 'acme' }],
    ['quotas org acme request', 'quota.request', { org: 'acme' }],
  ])('"%s" opens a form', (text, form, given) => {
    expect(read(text)).toEqual({ kind: 'open', form, given });
  });

  it.each([
    ['acount', '/billing account'],
    ['user add a@b.example', '/billing users add a@b.example'],
    ['org create', '/billing orgs create'],
    ['tokens craete', '/billing tokens create'],
    ['tokens remove ci', '/billing tokens delete ci'],
    ['users delete a@b.example', '/billing users remove a@b.example'],
    ['users invite', '/billing users add'],
    ['recipients off', '/billing recipients disable'],
    ['quotas raise', '/billing quotas request'],
    ['account delete', '/billing account'],
    ['tokens delete one two', '/billing tokens delete one'],
    ['users add bob', '/billing users add'],
    ['users add <@U1|bob>', '/billing users add'],
  ])('"%s" is near to %s', (text, suggestion) => {
    expect(unreadable(text).suggestion).toBe(suggestion);
  });

  it.each(['xyzzy', 'quotas org', 'quotas constructor', 'tokens toString', '__proto__'])(
    '"%s" is near to nothing',
    (text) => {
      expect(unreadable(text).suggestion).toBeUndefined();
    },
  );

  it('takes no quotes around its own words', () => {
    expect(unreadable('tokens "delete" ci')).toMatchObject({
      message: '`delete` works without quotes.',
      suggestion: '/billing tokens delete ci',
    });
    expect(unreadable('"acount"')).toMatchObject({
      message: 'I don’t know `acount`.',
      suggestion: undefined,
    });
  });

  it('names the word, and offers the help of the subcommand', () => {
    expect(unreadable('users xyzzy')).toMatchObject({
      message: 'I don’t know `xyzzy`.',
      usage: '/billing users',
    });
    expect(unreadable('users add <@U1|bob>').message).toContain('write that and no mention');
  });

  it('refuses a text that is too long for a name', () => {
    expect(unreadable(`orgs create ${'a'.repeat(255)}`).message).toBe('That name is too long.');
  });

  it('reads any words, or says that it cannot', () => {
    const known = 'orgs users quotas tokens create add org delete a@b'.split(' ');
    expect(readsAnyWords(parseBilling, ...known)).toBe(true);
  });
});
