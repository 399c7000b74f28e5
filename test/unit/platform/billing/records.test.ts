import { describe, expect, test } from 'vitest';
import { isSameEmail } from '../../../../src/platform/billing/roles.ts';
import { answering, createRecords, failureOf, type Records } from './support.ts';

type Call = (records: Records) => Promise<unknown>;
type Read = (records: Records) => Promise<{ readonly value: unknown }>;

const ADA = { email: 'Ada@acme.example', roles: ['billing_admin'] };
const CLEO = { email: 'cleo@acme.example', roles: ['billing_viewer'] };
const BEN = { ...ADA, email: 'ben@acme.example' };
const TOKEN = { id: 't1', name: 'ci', roles: ['billing_viewer'] };
const DELIVERY = { recipientEmail: 'ap@acme.example', status: 'delivered' };
const RECIPIENT = { id: 'r1', email: 'ap@acme.example' };
const LINK = { id: 'i1', totalCharge: 5, externalUrl: 'https://pay.example/i1' };

const users: Read = (records) => records.listUsers();
const cleo: Read = (records) => records.getUser(CLEO.email);
const tokens: Read = (records) => records.listTokens();
const deliveries: Read = (records) => records.listDeliveries();
const recipients: Read = (records) => records.listRecipients();
const accounts: Read = (records) => records.listAccounts();
const payer: Read = (records) => records.getPayerOf('acme');
const alert: Read = (records) => records.getAlert();
const pending: Read = (records) => records.listPendingInvoices();
const newToken: Call = (records) => records.createToken({ name: 'ci', roles: ['org_creator'] });
const hooli = { org: { name: 'hooli' }, invitees: ['ada@acme.example'] };
const newOrg: Call = (records) => records.createOrg(hooli);

test.each<[what: string, read: Read, document: unknown, items: readonly unknown[]]>([
  ['users: the answer itself', users, [ADA], [ADA]],
  ['users: items', users, { items: [ADA] }, [ADA]],
  ['users: users, each wrapped', users, { users: [{ user: ADA }] }, [ADA]],
  ['users: items, each wrapped', users, { items: [{ user: ADA }] }, [ADA]],
  ['users: with more', users, [{ ...ADA, id: 'u1', since: 2024 }], [ADA]],
  ['users: wrapped with more', users, [{ kind: 'user', user: { ...ADA, name: 'Ada' } }], [ADA]],
  ['deliveries: the answer itself', deliveries, [DELIVERY], [DELIVERY]],
  ['deliveries: items', deliveries, { items: [{ ...DELIVERY, by: { host: 'mx' } }] }, [DELIVERY]],
  ['deliveries: invoiceDeliveries', deliveries, { invoiceDeliveries: [DELIVERY] }, [DELIVERY]],
  ['deliveries: an unexpected member', deliveries, { log: [DELIVERY], links: [] }, [DELIVERY]],
  ['invoices: the named one', pending, { invoices: [LINK], invoicePeriods: [] }, [{ id: 'i1' }]],
  ['tokens: an id that is a number', tokens, [{ ...TOKEN, id: 7 }], [{ id: '7' }]],
  [
    'accounts: ids that are numbers',
    accounts,
    [{ id: 7, accountId: 8 }],
    [{ id: '7', accountId: '8' }],
  ],
  [
    'orgs: an id that is a number',
    (records) => records.listOrgs(),
    [{ name: 'acme', accountId: 8 }],
    [{ name: 'acme', accountId: '8' }],
  ],
  [
    'deliveries: an id that is a number',
    deliveries,
    [{ ...DELIVERY, invoiceId: 9 }],
    [{ invoiceId: '9' }],
  ],
  ['invoices: an id that is a number', pending, [{ id: 7 }], [{ id: '7' }]],
  ...[{}, { enabled: null }, { enabled: 'yes' }].map((said): [string, Read, unknown, unknown[]] => [
    `recipients: whose switch reads ${JSON.stringify(said)}`,
    recipients,
    [{ ...RECIPIENT, ...said }],
    [{ ...RECIPIENT, enabled: undefined }],
  ]),
])(
  'a list is found wherever it is, and its rows are read: %s',
  async (_what, read, said, items) => {
    const { value } = await read(answering(said));

    expect(value).toMatchObject({ items, skipped: 0 });
  },
);

test('of two lists with names the payment pages are those of their own', async () => {
  const { items } = await answering({ invoices: [], invoicePeriods: [LINK] }).listPaymentLinks('i');

  expect(items).toEqual([{ id: LINK.id, externalUrl: LINK.externalUrl }]);
});

test.each<[what: string, call: Call, document: unknown, status?: number]>([
  ...[
    { some: [DELIVERY], more: [DELIVERY] },
    { email: 'ap@acme.example', roles: ['billing_admin'] },
    { id: 'a1', paymentMethods: [{ id: 'pm1' }] },
    { items: 'none', errors: [DELIVERY] },
    2 ** 60,
    'soon',
  ].flatMap((said): [string, Call, unknown][] => [
    [`deliveries from ${JSON.stringify(said)}`, deliveries, said],
    [`accounts from ${JSON.stringify(said)}`, accounts, said],
  ]),
  ['a user from another one', cleo, { user: BEN }],
  ['a user from an address that is a number', cleo, { email: 7, roles: ['billing_admin'] }],
  ['a user from roles that are no list', cleo, { roles: 'billing_admin' }],
  ['a user from a list of others and an unreadable one', cleo, { items: [BEN, { roles: [] }] }],
  ['a user from nothing', cleo, {}],
  ['a payer from two accounts', payer, { items: [{ id: 'a1' }, { id: 'a2' }] }],
  ['a payer from one of its members', payer, { paymentMethods: [{ id: 'pm1' }] }],
  ['an alert from a word', alert, 'soon'],
  ['an alert from a number', alert, 5],
  ['an alert from a switch', alert, true],
  ['a new token without its secret', newToken, TOKEN, 201],
  ['a new org from another one', newOrg, { name: 'umbrella' }, 201],
  ...[7, true, [], ['canary'], { name: 'a', text: 'b' }].map(
    (superuserServiceAccountToken): [string, Call, unknown, number] => [
      `a new org whose key reads ${JSON.stringify(superuserServiceAccountToken)}`,
      newOrg,
      { name: 'hooli', superuserServiceAccountToken },
      201,
    ],
  ),
])(
  'nothing is guessed; the failure of a write has its status: %s',
  async (_, call, said, status) => {
    const failure = await failureOf(call(answering(said, status)));

    expect([failure.reason, failure.status]).toEqual(['malformed', status]);
  },
);

describe('users', () => {
  test('roles are never guessed: unknown ones grant nothing and are shown, a record without them is skipped', async () => {
    const { value } = await answering([
      { ...BEN, roles: ['owner', 'BILLING_ADMIN', 'org_creator', 7, null, '', 'owner'] },
      { email: 'cleo@acme.example', roles: 'billing_admin' },
      { email: 'dana@acme.example', roles: { 0: 'billing_admin', length: 1 } },
      { roles: ['billing_admin'] },
      { email: 'everybody', roles: ['billing_admin'] },
      null,
    ]).listUsers();

    expect(value.items).toEqual([
      { ...BEN, roles: ['org_creator'], otherRoles: ['owner', 'BILLING_ADMIN', '7'] },
    ]);
    expect(value.skipped).toBe(5);
  });

  test.each<[string, unknown]>([
    ['in items', { items: [BEN, CLEO] }],
    ['in a bare list, each wrapped', [{ user: CLEO }]],
    ['in users, written otherwise', { users: [{ ...CLEO, email: 'CLEO@acme.example' }, {}] }],
    ['without the e-mail that was asked for', { roles: CLEO.roles }],
    ['wrapped, without the e-mail', { user: { roles: CLEO.roles, email: null } }],
  ])('the user that was asked for is found %s', async (_where, document) => {
    const { value } = await answering(document).getUser(CLEO.email);

    expect(value?.roles).toEqual(CLEO.roles);
    expect(isSameEmail(value?.email, CLEO.email)).toBe(true);
  });

  test('a list without the user, and a 404, mean that the user does not exist', async () => {
    const gone = createRecords(() => ({ status: 404 }));

    const reads = [answering([]), answering({ items: [BEN] }), gone].map(cleo);

    expect((await Promise.all(reads)).map(({ value }) => value)).toEqual(Array(3).fill(undefined));
  });

  test('roles in a prototype do not count', async () => {
    const text = '{"__proto__":{"roles":["billing_admin"]},"email":"cleo@acme.example"}';

    expect((await failureOf(cleo(createRecords(() => ({ text }))))).reason).toBe('malformed');
  });
});

test('the end of a token that cannot be read is not "no end"', async () => {
  const ends = ['soon', '5', '2027-01-01T00:00:00', 1_790_000_000, null, ''];

  const { value } = await answering(
    ends.map((expiresAt) => ({ ...TOKEN, expiresAt })),
  ).listTokens();

  expect(value.skipped).toBe(4);
  expect(value.items.map(({ expiresAt }) => expiresAt)).toEqual([undefined, undefined]);
});

test('ids of any size are texts, and a row without one is skipped', async () => {
  const text =
    '{"items":[{"id":42,"email":"ap@acme.example"},{"id":9007199254740993,"email":"b@acme.example"},{"id":null,"email":"c@acme.example"},{"email":"d@acme.example"}]}';
  const records = createRecords(() => ({ text }));

  const { value } = await records.listRecipients();
  await records.removeRecipient(value.items[0]?.id ?? '');

  expect(value.items.map(({ id }) => id)).toEqual(['42', '9007199254740993']);
  expect(value.skipped).toBe(2);
  expect(records.sent.at(-1)?.path).toMatch(/\/recipients\/42$/);
});

describe('a secret that is shown once', () => {
  const asked = {
    name: 'ci',
    description: 'the nightly report',
    roles: ['billing_viewer'],
    expiresAt: '2027-01-01T00:00:00Z',
  } as const;
  const AS_ASKED = { ...asked, expiresAt: Date.parse(asked.expiresAt) };

  test.each<[string, object, object]>([
    ['without roles', { id: 't1', createdBy: 'ada@acme.example' }, { id: 't1', ...AS_ASKED }],
    [
      'without a readable end',
      { id: 't1', roles: ['org_creator'], expiresAt: 'soon' },
      { id: 't1', ...AS_ASKED },
    ],
    ['without an id', { roles: ['org_creator'] }, { id: '', ...AS_ASKED }],
    [
      'with an empty end, which counts as absent',
      { id: 't1', roles: ['org_creator'], expiresAt: '' },
      { id: 't1', roles: ['org_creator'], expiresAt: undefined },
    ],
  ])('is kept although the new token comes %s', async (_what, said, created) => {
    const answer = { ...said, token: 'svc-bsat-canary' };

    const { secret, ...token } = await answering(answer, 201).createToken(asked);

    expect(secret.reveal()).toBe('svc-bsat-canary');
    expect(token).toMatchObject(created);
  });

  test.each([
    { name: 'hooli', superuserServiceAccountToken: 'canary' },
    { org: { name: 'hooli' }, superuserServiceAccountToken: 'canary' },
    { org: { name: 'hooli', superuserServiceAccountToken: { key: 'canary' } } },
    { name: 'hooli', superuserServiceAccountToken: { token: 'canary', id: 'k1' } },
    { name: 'hooli', superuserServiceAccountToken: { key: 'canary', token: 'another' } },
    { name: 'hooli', superuserServiceAccountToken: { secret: 'canary', version: 1 } },
  ])('is found in the answer about a new org, and hidden: %j', async (answer) => {
    const creation = await answering(answer, 201).createOrg(hooli);

    expect(creation.created).toBe(true);
    expect(creation.superuserServiceAccountToken?.reveal()).toBe('canary');
    expect(JSON.stringify(creation)).not.toContain('canary');
  });

  test.each<[string, string, number]>([
    ['an empty key', '{"name":"hooli","superuserServiceAccountToken":""}', 201],
    ['no key', '{"name":"hooli","superuserServiceAccountToken":null}', 201],
    ['no words at all', '', 201],
    ['null', 'null', 201],
    ['the status of one that was there', '{"name":"hooli","Created":false}', 200],
  ])('is absent where the org is answered with %s', async (_what, text, status) => {
    const records = createRecords(() => ({ status, text }));

    expect(await records.createOrg(hooli)).toEqual({ name: 'hooli', created: status === 201 });
  });
});

describe('a write that worked', () => {
  const HAL = { email: 'hal@acme.example', roles: ['org_creator'] } as const;
  const UNREAD: Readonly<Record<string, Call>> = {
    'a new alert': (records) => records.createAlert({ amount: 5, enabled: true }),
    'a changed alert': (records) => records.replaceAlert({ amount: 6, enabled: false }),
    'a new user': (records) => records.addUser(HAL),
    'a changed user': (records) => records.setUserRoles(HAL),
    'a removed user': (records) => records.removeUser(HAL.email),
    'a removed token': (records) => records.removeToken('t1'),
    'a new recipient': (records) => records.addRecipient({ email: HAL.email }),
    'a switched recipient': (records) => records.setRecipientEnabled('r1', true),
    'a removed recipient': (records) => records.removeRecipient('r1'),
  };

  test.each(Object.entries(UNREAD))(
    'is no failure whatever its answer is: %s',
    async (_what, write) => {
      for (const text of ['', '"ok', 'OK', '<html>done</html>', '[]', 'null']) {
        const records = createRecords(() => ({ text }));

        await expect(write(records)).resolves.toBeUndefined();
        expect(records.sent).toHaveLength(1);
      }
    },
  );
});

test.each<[string, string, string[][]]>([
  [
    'in full',
    '{"name":"cpu","max":1e21,"current":11132555231232001,"on":true,"origin":{"by":"plan"},"x":null}',
    [
      ['name', 'cpu'],
      ['max', '1000000000000000000000'],
      ['current', '11132555231232001'],
      ['on', 'true'],
      ['origin.by', 'plan'],
    ],
  ],
  ['bare', '{"limit":5}', [['limit', '5']]],
  ['two levels deep, and no deeper', '{"a":{"b":{"c":1},"d":"yes"}}', [['a.d', 'yes']]],
])(
  'answers that no one foresaw are shown as far as they are fields: %s',
  async (_, row, fields) => {
    for (const text of [`[${row},"x"]`, `{"items":[${row},"x"]}`, `{"quotas":[${row},"x"]}`]) {
      const { value } = await createRecords(() => ({ text })).listQuotas('acme');

      expect(value.items.map((one) => [...one])).toEqual([fields]);
      expect(value.skipped).toBe(1);
    }
  },
);
