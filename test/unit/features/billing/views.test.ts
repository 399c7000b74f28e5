import { BigNumber } from 'bignumber.js';
import { describe, expect, it } from 'vitest';

import { accountAnswer } from '../../../../src/features/billing/answers.ts';
import {
  orgsAnswer,
  quotasAnswer,
  recipientsAnswer,
  tokensAnswer,
  usersAnswer,
} from '../../../../src/features/billing/lists.ts';
import { proseOf, spoken, tableOf } from '../../../support/answer.ts';
import { account, ALERT, DAY, frame, NOW, token } from './scenario.ts';

const shown = (changes: Parameters<typeof account>[0] = {}, view = {}) =>
  proseOf(
    accountAnswer({
      account: account(changes),
      orgCount: 3,
      accounts: undefined,
      currency: 'USD',
      readAt: NOW,
      now: NOW,
      ...view,
    }),
  );

const SILENT_ALERT = { ...ALERT, amount: undefined, enabled: undefined };

it('the account shows a fact that is not reported as "not reported", and never as no', () => {
  const words = shown(
    {
      fullName: '',
      email: '',
      address: [],
      orgQuota: undefined,
      enabled: undefined,
      tou: undefined,
      paymentMethods: undefined,
      accountId: '',
      alert: SILENT_ALERT,
    },
    { orgCount: undefined },
  );
  for (const text of [
    'E-mail: not reported',
    'Address: not reported',
    'whether it is enabled is not reported',
    'Terms of Use: not reported',
    'its orgs could not be read',
    'cards not reported',
    'Spend alert: there is one, its amount is not reported (`/alert`)',
  ]) {
    expect(words).toContain(text);
  }
  expect(words).not.toContain('No org can be created');
});

it.each<[string, Parameters<typeof account>[0], object]>([
  ['· enabled, 3 of 10 orgs, visa ending in 4242', {}, {}],
  ['Terms of Use: accepted', {}, {}],
  [
    'on, last fired 5 November 2026',
    { alert: { ...ALERT, lastTriggered: Date.UTC(2026, 10, 5) } },
    {},
  ],
  [
    'not accepted, the account is not enabled, the org quota is used up\\n→ Have that changed on the platform, then ask: `/billing orgs create`',
    { tou: false, paymentMethods: [], enabled: false, orgQuota: 3 },
    {},
  ],
  [
    'belongs to: this one, Globex `other`, 1 more',
    {},
    { accounts: { items: [account(), account({ id: 'other', fullName: 'Globex' })], skipped: 1 } },
  ],
  ['belongs to: could not be read', {}, { accounts: 'unknown' }],
])('the account shows only facts: %s', (words, changes, view) => {
  expect(shown(changes, view)).toContain(words);
  expect(shown()).not.toMatch(/No org can be created|BILLING_USER_TOKEN|belongs to/);
});

it('recipients get the invoices, do not, or it is not reported', () => {
  const recipients = [true, false, undefined].map((enabled, at) => ({
    id: `r-${at}`,
    email: `${at}@acme.example`,
    enabled,
  }));
  const answer = recipientsAnswer({ ...frame, recipients });

  expect(
    tableOf(answer)
      .slice(1)
      .map(([, enabled]) => enabled),
  ).toEqual(['✓ yes', '✗ no', 'not reported']);
  expect(spoken(answer)).toContain('1 of 3 recipients gets the invoices (1 off, 1 not reported)');
  expect(spoken(recipientsAnswer({ ...frame, recipients: recipients.slice(0, 1) }))).toContain(
    '1 recipient of',
  );
});

describe('orgs', () => {
  const orgs = [{ name: 'acme', accountId: 'cus_Q1', created: Date.UTC(2025, 0, 31) }];

  it('have no payer without a user token', () => {
    expect(tableOf(orgsAnswer({ ...frame, orgs, payers: undefined }))).toEqual([
      ['Name', 'Created'],
      ['acme', '31 January 2025'],
    ]);
  });

  it('have one with it, and no one is named where the platform is silent', () => {
    const payers = new Map([['acme', undefined]]);
    const answer = orgsAnswer({ ...frame, orgs, payers });

    expect(tableOf(answer)[1]).toEqual(['acme', '31 January 2025', 'not reported']);
    expect(proseOf(answer)).toContain('⚠ Who pays could not be read for 1 org');
    expect(tableOf(orgsAnswer({ ...frame, orgs, payers: new Map([['acme', 'Acme']]) }))[1]).toEqual(
      ['acme', '31 January 2025', 'Acme'],
    );
  });
});

describe('tokens', () => {
  it('are shown with every field, and no secret', () => {
    const answer = tokensAnswer({ ...frame, tokens: [token()] });

    expect(spoken(answer)).toBe(
      '1 token\nci: expiry never; last used about 11 days ago; roles billing_viewer; description for the pipeline\nSecrets are shown once, when a token is created; one that was deleted may work for 5 more minutes',
    );
    expect(tableOf(answer)[1]).toEqual([
      'ci',
      'never',
      'about 11 days ago',
      'billing_viewer',
      'for the pipeline',
    ]);
    expect(answer.rest?.button).toBe('Details');
    expect(JSON.stringify(answer.rest?.blocks)).toContain(
      '• *ci* · created by: ann@acme.example · created: 11 October 2026 · modified: 21 October 2026 · id: tok-1',
    );
  });

  it.each([
    [undefined, 'never'],
    [NOW - DAY, '✗ expired on 19 November 2026'],
    [NOW, '✗ expired on 20 November 2026'],
    [NOW + 3 * DAY, '⚠ 23 November 2026, in 3 days'],
    [NOW + 14 * DAY, '⚠ 4 December 2026, in 14 days'],
    [NOW + 14 * DAY + 1, '4 December 2026'],
  ])('that expire at %s are marked as %s', (expiresAt, text) => {
    expect(tableOf(tokensAnswer({ ...frame, tokens: [token({ expiresAt })] }))[1]?.[1]).toBe(text);
  });

  it.each([
    [0, 'about a minute ago'],
    [90_000, 'about 1 minute ago'],
    [5 * 3_600_000, 'about 5 hours ago'],
  ])('that were used %s ms ago: %s', (ms, text) => {
    const tokens = [token({ lastUsedAt: NOW - ms })];
    expect(tableOf(tokensAnswer({ ...frame, tokens }))[1]?.[2]).toBe(text);
  });

  it('that were never seen in use are not reported to be unused', () => {
    expect(
      tableOf(tokensAnswer({ ...frame, tokens: [token({ lastUsedAt: undefined })] }))[1]?.[2],
    ).toBe('not reported');
  });
});

it('people are shown by name, with their roles', () => {
  const users = [
    { email: 'zoe@acme.example', roles: ['billing_admin', 'org_creator'] as const },
    { email: 'Ann@acme.example', roles: [] },
    { email: 'Ben@acme.example', roles: ['org_creator'] as const, otherRoles: ['auditor'] },
  ];
  expect(tableOf(usersAnswer({ ...frame, users })).slice(1)).toEqual([
    ['Ann@acme.example', 'none'],
    ['Ben@acme.example', 'org_creator, auditor'],
    ['zoe@acme.example', 'billing_admin, org_creator'],
  ]);
});

it('quotas that are used up come first, and the title is plain where there is room', () => {
  const quota = (name: string, current: string, max: string) =>
    new Map([
      ['name', name],
      ['current', current],
      ['max', max],
    ]);
  const head = (...quotas: ReturnType<typeof quota>[]) =>
    spoken(quotasAnswer({ ...frame, org: 'acme', quotas })).split('\n')[0];

  expect(head(quota('gvcs', '10', '10'), quota('gpus', '0', '4'))).toBe(
    '1 of 2 quotas is used up · org `acme`: gvcs, 10 of 10',
  );
  expect(head(quota('gpus', '3', '4'), quota('none', '0', '0'))).toBe('2 quotas of org `acme`');
  const quotas = [quota('gpus', '0', '4'), quota('gvcs', '10', '10')];
  expect(tableOf(quotasAnswer({ ...frame, org: 'acme', quotas })).map(([name]) => name)).toEqual([
    'Quota',
    '🟠 gvcs',
    'gpus',
  ]);
});

describe('quotas', () => {
  const quotas = [
    new Map([
      ['id', 'acme-gpus'],
      ['name', 'gpus'],
      ['description', 'GPUs in the org'],
      ['unit', 'cards'],
      ['max', '8'],
      ['current', '3'],
      ['dimensions.region', 'eu'],
    ]),
    new Map([
      ['name', 'cpu'],
      ['note', 'shared'],
    ]),
  ];

  it('have the known fields in words, and then any other fields', () => {
    const answer = quotasAnswer({ ...frame, quotas, org: 'acme' });

    expect(spoken(answer)).toContain('2 quotas of org `acme`\ngpus: in use 3; maximum 8;');
    expect(tableOf(answer)).toEqual([
      ['Quota', 'In use', 'Maximum', 'Unit', 'Description', 'id', 'dimensions.region', 'note'],
      ['gpus', '3', '8', 'cards', 'GPUs in the org', 'acme-gpus', 'eu', '–'],
      ['cpu', '–', '–', '–', '–', '–', '–', 'shared'],
    ]);
  });

  it('of more fields than have room open them all', () => {
    const wide = new Map(Array.from({ length: 23 }, (_, at) => [`f${at}`, `${at}`] as const));
    const answer = quotasAnswer({ ...frame, quotas: [wide], org: 'acme' });

    expect(tableOf(answer)[0]).toHaveLength(19);
    expect(answer.rest?.button).toBe('Details');
    expect(JSON.stringify(answer.rest?.blocks)).toContain('f22: 22');
  });
});

it('a name with look-alikes is shown with the characters that hide in it, in every list', () => {
  const email = '\u0430da@acme.example';
  const warned = `${email} ⚠ has letters of two alphabets (Latin and Cyrillic)`;
  const users = [{ email, roles: [], otherRoles: [] }];
  const recipients = [{ id: 'r1', email, enabled: true }];
  const tokens = [token({ name: 'ci\u200B', createdBy: email })];

  expect(tableOf(usersAnswer({ ...frame, users }))[1]?.[0]).toBe(warned);
  expect(tableOf(recipientsAnswer({ ...frame, recipients }))[1]?.[0]).toBe(warned);
  const ofTokens = tokensAnswer({ ...frame, tokens });
  const ci = 'ci⟨U+200B⟩ ⚠ has an invisible character (U+200B)';
  expect(tableOf(ofTokens)[1]?.[0]).toBe(ci);
  expect(JSON.stringify(ofTokens.rest?.blocks)).toContain(`*${ci}* · created by: ${warned}`);
});

describe('a list', () => {
  const many = Array.from({ length: 31 }, (_, at) =>
    token({ name: `t-${String(at).padStart(2, '0')}` }),
  );

  it('is one table that Slack sorts, filters and turns the pages of', () => {
    const { blocks, pages } = tokensAnswer({ ...frame, tokens: many });
    const table = blocks.find(({ type }) => type === 'data_table');

    expect(table).toMatchObject({
      caption: 'Tokens',
      page_size: 20,
      row_header_column_index: 0,
    });
    expect(tableOf({ blocks })).toHaveLength(32);
    expect(pages).toBe(1);
  });

  it('says how many rows were left out, and when the list was read', () => {
    const words = proseOf(
      tokensAnswer({ ...frame, skipped: 2, readAt: NOW - 12_000, tokens: many }),
    );
    expect(words).toContain('⚠ 2 tokens could not be read and are left out');
    expect(words).toContain('Read 12 s ago');
  });

  it('when empty names the next step, and one that cannot be read is not empty', () => {
    expect(spoken(tokensAnswer({ ...frame, tokens: [] }))).toContain(
      'The account has no tokens: `/billing tokens create` asks for one.',
    );
    expect(spoken(tokensAnswer({ ...frame, skipped: 1, tokens: [] }))).toMatch(
      /^The tokens cannot be read: please try again\.\n[^]*⚠ 1 token could not be read and is left out$/,
    );
  });

  it('is shared after a question, by the right that it takes', () => {
    const shareable = { question: expect.any(String) as string };

    expect(tokensAnswer({ ...frame, tokens: many })).toMatchObject({
      needs: 'billing_admin',
      shareable,
    });
    expect(usersAnswer({ ...frame, users: [] })).toMatchObject({ needs: 'billing', shareable });
    expect(quotasAnswer({ ...frame, quotas: [], org: 'acme' })).toMatchObject({
      needs: 'orgs:acme',
      shareable,
    });
  });
});

it('an alert of the account is reported in the currency of the account', () => {
  const alert = { ...ALERT, amount: new BigNumber(500), enabled: false };
  expect(shown({ alert }, { currency: 'JPY' })).toContain('Spend alert: ¥500, off (`/alert`)');
});
