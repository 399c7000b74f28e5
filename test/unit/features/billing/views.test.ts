import { describe, expect, it } from 'vitest';
import {
  orgsAnswer,
  quotasAnswer,
  tokensAnswer,
  usersAnswer,
} from '../../../../src/features/billing/lists.ts';
import { tableOf } from '../../../support/answer.ts';
import { DAY, frame, NOW, token } from './scenario.ts';

// The words of every list are in the catalogue.

const cellsOf = (changes: Parameters<typeof token>[0]) =>
  tableOf(tokensAnswer({ ...frame, items: [token(changes)] }))[1] ?? [];

describe('tokens', () => {
  it.each([
    [undefined, 'never'],
    [NOW, '✗ 20 November 2026 (expired)'],
    [NOW + 1, '⚠ 20 November 2026, in a minute'],
    [NOW + 14 * DAY, '⚠ 4 December 2026, in 14 days'],
    [NOW + 14 * DAY + 1, '4 December 2026'],
  ])('that expire at %s are marked as %s', (expiresAt, text) => {
    expect(cellsOf({ expiresAt })[1]).toBe(text);
  });

  it.each([
    [0, 'about a minute ago'],
    [90_000, 'about 1 minute ago'],
    [5 * 3_600_000, 'about 5 hours ago'],
  ])('that were used %s ms ago: %s', (ms, text) => {
    expect(cellsOf({ lastUsedAt: NOW - ms })[2]).toBe(text);
  });
});

it('roles that Purser does not know are shown beside those that it knows', () => {
  const items = [
    { email: 'b@acme.example', roles: ['org_creator'] as const, otherRoles: ['auditor'] },
  ];
  expect(tableOf(usersAnswer({ ...frame, items }))[1]).toEqual([
    'b@acme.example',
    'org_creator, auditor',
  ]);
});

it('a list is shared by the right that it takes', () => {
  const shared = { shareable: { question: expect.any(String) as string } };
  expect(tokensAnswer({ ...frame, items: [] })).toMatchObject({
    ...shared,
    needs: 'billing_admin',
  });
  expect(orgsAnswer({ ...frame, items: [], payers: undefined })).toMatchObject({
    ...shared,
    needs: 'billing',
  });
  expect(quotasAnswer({ ...frame, items: [], org: 'acme' })).toMatchObject({
    ...shared,
    needs: 'orgs:acme',
  });
});
