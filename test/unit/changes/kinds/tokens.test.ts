import { describe, expect, it } from 'vitest';
import { fieldOf, formHarness, NOW, optionsOf } from '../forms/harness.ts';
import type { BillingToken } from '../../../../src/platform/billing/tokens.ts';
import { planOn, settledOn } from './planned.ts';

describe('The form that creates a token', () => {
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

  it.each(['2026-02-30', 'tomorrow', '2026-12-31T00:00:00Z'])(
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
});

describe('The form that deletes a token', () => {
  it('shows as much of their ids as shows two of one name apart', async () => {
    const twins = ['0123456789-one', '0123456789-two'].map((id) => ({ id, name: 'ci' }));
    const form = await formHarness({ tokens: [...twins, { id: '9876543210' }] }).open(
      'token.delete',
    );

    expect(optionsOf(fieldOf(form, 'Name')).map(({ text }) => text.text)).toEqual([
      'ci (id 0123456789-o)',
      'ci (id 0123456789-t)',
      'ci (id 98765432)',
    ]);
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
  it.each([
    [{ tokens: [CI] }, 'not done'],
    [{}, 'done'],
    [{ skipped: 1 }, 'unclear'],
  ])('is settled by the list: %o', async (after, kind) => {
    expect(await settledOn(DELETE, { tokens: [CI] }, after)).toEqual({ kind });
  });
});
