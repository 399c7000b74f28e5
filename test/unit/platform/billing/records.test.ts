import { describe, expect, test } from 'vitest';
import { isSameEmail } from '../../../../src/platform/billing/roles.ts';
import { answering, createRecords, failureOf, type Records } from './support.ts';

const ADA = { email: 'Ada@acme.example', roles: ['billing_admin'] };
const TOKEN = { id: 't1', name: 'ci', roles: ['billing_viewer'], token: 'svc-bsat-canary' };

describe('users', () => {
  test.each([
    ['bare', [ADA]],
    ['in items', { items: [ADA] }],
    ['in users', { users: [{ user: ADA }] }],
    ['each wrapped', { items: [{ user: ADA }] }],
    ['with more', [{ ...ADA, id: 'u1', since: 2024 }]],
    ['each wrapped with more', [{ kind: 'user', user: { ...ADA, name: 'Ada' } }]],
  ])('users are read %s', async (_shape, document) => {
    const { value } = await answering(document).listUsers();

    expect(value).toEqual({ items: [ADA], skipped: 0 });
  });

  test('roles are never guessed: unknown ones grant nothing and are shown, a record without them is skipped', async () => {
    const { value } = await answering([
      {
        email: 'ben@acme.example',
        roles: ['owner', 'BILLING_ADMIN', 'org_creator', 7, null, '', 'owner'],
      },
      { email: 'cleo@acme.example', roles: 'billing_admin' },
      { email: 'dana@acme.example', roles: { 0: 'billing_admin', length: 1 } },
      { roles: ['billing_admin'] },
      { email: 'everybody', roles: ['billing_admin'] },
      null,
    ]).listUsers();

    expect(value.items).toEqual([
      {
        email: 'ben@acme.example',
        roles: ['org_creator'],
        otherRoles: ['owner', 'BILLING_ADMIN', '7'],
      },
    ]);
    expect(value.skipped).toBe(5);
  });

  const CLEO = { email: 'cleo@acme.example', roles: ['billing_viewer'] };

  test.each<[string, unknown]>([
    ['in items', { items: [{ ...CLEO, email: 'ben@acme.example' }, CLEO] }],
    ['in a bare list, each wrapped', [{ user: CLEO }]],
    ['in users, written otherwise', { users: [{ ...CLEO, email: 'CLEO@acme.example' }, {}] }],
    ['without the e-mail that was asked for', { roles: CLEO.roles }],
    ['wrapped, without the e-mail', { user: { roles: CLEO.roles, email: null } }],
  ])('the user that was asked for is found %s', async (_where, document) => {
    const { value } = await answering(document).getUser(CLEO.email);

    expect(value?.email.toLowerCase()).toBe(CLEO.email);
    expect(value?.roles).toEqual(CLEO.roles);
  });

  test.each<[string, unknown]>([
    ['another person', { user: { email: 'ben@acme.example', roles: ['billing_admin'] } }],
    ['a user whose address is a number', { email: 7, roles: ['billing_admin'] }],
    ['roles that are not a list', { roles: 'billing_admin' }],
    ['a list of others with an unreadable one', { items: [{ roles: ['billing_admin'] }] }],
    ['nothing', {}],
  ])('an answer about %s grants no role', async (_what, document) => {
    expect((await failureOf(answering(document).getUser(CLEO.email))).reason).toBe('malformed');
  });

  test.each([[[]], [{ items: [{ email: 'ben@acme.example', roles: ['billing_admin'] }] }]])(
    'the list %j does not have the user that was asked for',
    async (document) => {
      expect((await answering(document).getUser(CLEO.email)).value).toBeUndefined();
    },
  );

  test('roles in a prototype do not count', async () => {
    const text = '{"__proto__":{"roles":["billing_admin"]},"email":"ada@acme.example"}';

    const failure = await failureOf(createRecords(() => ({ text })).getUser('ada@acme.example'));

    expect(failure.reason).toBe('malformed');
  });

  test('the case of an address does not matter', async () => {
    const records = answering({ user: ADA });

    expect((await records.getUser('ADA@acme.example')).value).toEqual(ADA);
    expect(isSameEmail('ADA@ACME.example', 'ada@acme.example')).toBe(true);
  });

  test('no one is an answer', async () => {
    const records = createRecords(() => ({ status: 404 }));

    expect((await records.getUser('ada@acme.example')).value).toBeUndefined();
  });
});

describe('tokens', () => {
  test('a created token whose secret is lost is a failure that has the status of a success', async () => {
    const { token: _token, ...rest } = TOKEN;

    const failure = await failureOf(
      answering(rest, 201).createToken({ name: 'ci', roles: ['org_creator'] }),
    );

    expect(failure).toMatchObject({ reason: 'malformed', status: 201 });
  });

  test('an end that cannot be read is not "no end"', async () => {
    const { value } = await answering({
      items: [
        { ...TOKEN, expiresAt: 'soon' },
        { ...TOKEN, expiresAt: '5' },
        { ...TOKEN, expiresAt: '2027-01-01T00:00:00' },
        { ...TOKEN, expiresAt: 1_790_000_000 },
        { ...TOKEN, expiresAt: null },
        { ...TOKEN, expiresAt: '' },
      ],
    }).listTokens();

    expect(value.skipped).toBe(4);
    expect(value.items.map(({ expiresAt }) => expiresAt)).toEqual([undefined, undefined]);
  });
});

describe('the account', () => {
  test.each([
    ['1 Main St', ['1 Main St']],
    [{ street: '1 Main St', city: 'Springfield' }, ['1 Main St', 'Springfield']],
    [
      ['1 Main St', 'Apt 2'],
      ['1 Main St', 'Apt 2'],
    ],
    [{ lines: ['1 Main St'], postalCode: 62704, verified: true }, ['1 Main St', '62704']],
    [true, []],
  ])('an address of %j', async (address, lines) => {
    const { value } = await answering({ id: 'a1', address }).getAccount();

    expect(value.address).toEqual(lines);
  });

  test.each([[{}], [true], [{ amount: '100 USD' }], [{ amount: -1 }], ['soon']])(
    'an alert in it that reads %j is not "no alert", and costs nothing else',
    async (alert) => {
      const { value } = await answering({ id: 'a1', fullName: 'Ada', alert }).getAccount();

      expect(value).toMatchObject({ id: 'a1', fullName: 'Ada', alert: { amount: undefined } });
    },
  );

  test('an alert in it may lie one member deeper, or not be there', async () => {
    const alert = { alert: { amount: 100, enabled: true } };
    const records = answering({
      items: [
        { id: 'a1', alert },
        { id: 'a2', alert: null },
      ],
    });

    const { value } = await records.listAccounts();

    expect(value.items[0]?.alert).toMatchObject({ enabled: true });
    expect(value.items[1]?.alert).toBeUndefined();
  });
});

describe('ids', () => {
  test('may be numbers, and are texts from then on, whatever their size', async () => {
    const text =
      '{"items":[{"id":42,"email":"ap@acme.example"},{"id":9007199254740993,"email":"b@acme.example"},{"id":null,"email":"c@acme.example"},{"email":"d@acme.example"}]}';
    const records = createRecords(() => ({ text }));

    const { value } = await records.listRecipients();
    await records.removeRecipient(value.items[0]?.id ?? '');

    expect(value.items.map(({ id }) => id)).toEqual(['42', '9007199254740993']);
    expect(value.skipped).toBe(2);
    expect(records.sent.at(-1)?.path).toMatch(/\/recipients\/42$/);
  });

  test.each([
    ['a token', (records: Records) => records.listTokens(), { id: '7' }],
    ['an account', (records: Records) => records.listAccounts(), { id: '7', accountId: '8' }],
    ['an org', (records: Records) => records.listOrgs(), { accountId: '8' }],
    ['a delivery', (records: Records) => records.listDeliveries(), { invoiceId: '9' }],
    ['the pending charges', (records: Records) => records.listPendingInvoices(), { id: '7' }],
  ])('of %s', async (_what, list, expected) => {
    const row = { id: 7, accountId: 8, invoiceId: 9, name: 'ci', roles: [], totalCharge: 0 };
    const said = { ...row, recipientEmail: 'ap@acme.example', status: 'sent' };

    const { value } = await list(answering([said]));

    expect(value).toMatchObject({ items: [expected], skipped: 0 });
  });
});

describe('a new org', () => {
  const order = { org: { name: 'hooli' }, invitees: ['ada@acme.example'] };

  test('200 is one that was there: no key, and not created', async () => {
    const answer = { name: 'hooli', created: '2026-10-05T12:00:00Z', Created: false };

    expect(await answering(answer, 200).createOrg(order)).toEqual({
      name: 'hooli',
      created: false,
    });
  });

  test('an answer about another org is no answer', async () => {
    const failure = await failureOf(answering({ name: 'umbrella' }, 201).createOrg(order));

    expect(failure).toMatchObject({ reason: 'malformed', status: 201 });
  });
});

describe('quotas', () => {
  test('whatever fields come are kept as text, numbers in full', async () => {
    const text =
      '[{"name":"cpu","max":1e21,"current":11132555231232001,"on":true,"origin":{"by":"plan"},"x":null}]';

    const { value } = await createRecords(() => ({ text })).listQuotas('acme');

    expect([...(value.items[0] ?? [])]).toEqual([
      ['name', 'cpu'],
      ['max', '1000000000000000000000'],
      ['current', '11132555231232001'],
      ['on', 'true'],
      ['origin.by', 'plan'],
    ]);
  });

  test.each<[string, unknown, string[][]]>([
    ['bare', { limit: 5 }, [['limit', '5']]],
    [
      'two levels deep, and no deeper',
      { deep: { er: { still: 1 }, flat: 'yes' } },
      [['deep.flat', 'yes']],
    ],
  ])(
    'answers that no one foresaw are shown as far as they are fields: %s',
    async (_what, said, fields) => {
      const { value } = await answering({ items: [said, 'x'] }).listQuotas('acme');

      expect(value.items.map((one) => [...one])).toEqual([fields]);
      expect(value.skipped).toBe(1);
    },
  );
});

describe('reads', () => {
  test('are remembered until something is written', async () => {
    const records = answering({ items: [] });

    await records.listTokens();
    await records.listTokens();
    await records.removeToken('t1');
    await records.listTokens();

    expect(records.sent.map(({ method }) => method)).toEqual(['GET', 'DELETE', 'GET']);
  });

  test('that overlap a write are not remembered', async () => {
    const records = answering({ items: [] });

    const removal = records.removeToken('t1');
    await records.listTokens();
    await removal;
    await records.listTokens();

    expect(records.sent.map(({ method }) => method)).toEqual(['DELETE', 'GET', 'GET']);
  });

  test('of one user are one question, however the address is written', async () => {
    const records = answering({ user: ADA });

    await records.getUser('Ada@acme.example');
    await records.getUser('ada@ACME.example');
    await records.setUserRoles({ email: 'ADA@acme.example', roles: ['org_creator'] });
    await records.getUser('ada@acme.example');

    expect(records.sent.map(({ method, path }) => `${method} ${path.split('/').at(-1)}`)).toEqual([
      'GET Ada%40acme.example',
      'PUT ADA%40acme.example',
      'GET ada%40acme.example',
    ]);
  });
});
