import { describe, expect, test } from 'vitest';
import { answering, createRecords, failureOf, type Records } from './support.ts';

const NUMBER_LOOKALIKE = { _isBigNumber: true, s: 1, e: 0, c: [5] };

describe('a secret that is shown once', () => {
  const asked = {
    name: 'ci',
    description: 'the nightly report',
    roles: ['billing_viewer'],
    expiresAt: '2027-01-01T00:00:00Z',
  } as const;
  const order = { org: { name: 'hooli' }, invitees: ['ada@acme.example'] };

  test.each([
    ['roles', { id: 't1', createdBy: 'ada@acme.example' }],
    ['a readable end', { id: 't1', roles: ['org_creator'], expiresAt: 'soon' }],
    ['an id', { roles: ['org_creator'] }],
  ])('is kept although the new token comes without %s', async (_what, said) => {
    const { secret, ...created } = await answering(
      { ...said, token: 'svc-bsat-canary' },
      201,
    ).createToken(asked);

    expect(secret.reveal()).toBe('svc-bsat-canary');
    expect(created).toMatchObject({ ...asked, expiresAt: Date.parse(asked.expiresAt) });
    expect(created.id).toBe('id' in said ? 't1' : '');
  });

  test('is kept although the end of the new token is empty, so there is no end', async () => {
    const said = { id: 't1', name: 'ci', roles: ['org_creator'], expiresAt: '' };

    const created = await answering({ ...said, token: 'svc-bsat-canary' }, 201).createToken(asked);

    expect(created).toMatchObject({ id: 't1', roles: ['org_creator'], expiresAt: undefined });
  });

  test.each([
    { name: 'hooli', superuserServiceAccountToken: 'canary' },
    { org: { name: 'hooli' }, superuserServiceAccountToken: 'canary' },
    { org: { name: 'hooli', superuserServiceAccountToken: { key: 'canary' } } },
    ...[
      { token: 'canary', id: 'k1' },
      { id: 'k1', key: 'canary', token: 'another' },
      { secret: 'canary', version: 1 },
    ].map((superuserServiceAccountToken) => ({ name: 'hooli', superuserServiceAccountToken })),
  ])('is found in the answer about a new org, and hidden: %j', async (answer) => {
    const creation = await answering(answer, 201).createOrg(order);

    expect(creation.created).toBe(true);
    expect(creation.superuserServiceAccountToken?.reveal()).toBe('canary');
    expect(JSON.stringify(creation)).not.toContain('canary');
  });

  test.each([
    ['an empty key', '{"name":"hooli","superuserServiceAccountToken":""}'],
    ['no key', '{"name":"hooli","superuserServiceAccountToken":null}'],
    ['no words at all', ''],
    ['null', 'null'],
  ])(
    'is absent where the new org is answered with %s, and the org is made',
    async (_what, text) => {
      const records = createRecords(() => ({ status: 201, text }));

      expect(await records.createOrg(order)).toEqual({ name: 'hooli', created: true });
    },
  );

  test.each([[7], [true], [[]], [['canary']], [{ name: 'a', text: 'b' }]])(
    'is not taken for absent where it reads %j: the failure has the status of a success',
    async (superuserServiceAccountToken) => {
      const answer = { name: 'hooli', superuserServiceAccountToken };

      const failure = await failureOf(answering(answer, 201).createOrg(order));

      expect(failure).toMatchObject({ reason: 'malformed', status: 201 });
    },
  );
});

describe('a write that worked', () => {
  const HAL = { email: 'hal@acme.example', roles: ['org_creator'] } as const;
  const UNREAD: Readonly<Record<string, (records: Records) => Promise<unknown>>> = {
    'a new alert': (records) => records.createAlert({ amount: 5, enabled: true }),
    'a changed alert': (records) => records.replaceAlert({ amount: 6, enabled: false }),
    'a new user': (records) => records.addUser(HAL),
    'a changed user': (records) => records.setUserRoles(HAL),
    'a removed user': (records) => records.removeUser(HAL.email),
    'a removed token': (records) => records.removeToken('t1'),
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

  test('is no failure when its answer is empty: a recipient is as it was requested', async () => {
    const records = createRecords(() => ({ status: 200 }));

    expect(await records.addRecipient({ email: 'ap@acme.example' })).toEqual({
      id: '',
      email: 'ap@acme.example',
      enabled: true,
    });
    expect(await records.setRecipientEnabled('r1', false)).toEqual({
      id: 'r1',
      email: '',
      enabled: false,
    });
  });

  test('may be answered in a member that is named after the record', async () => {
    const recipient = { id: 'r1', email: 'ap@acme.example', enabled: true };
    const records = answering({ recipient }, 201);

    expect(await records.addRecipient({ email: 'ap@acme.example' })).toEqual(recipient);
    expect(await records.setRecipientEnabled('r1', true)).toEqual(recipient);
  });
});

test.each([{}, { enabled: null }, { enabled: 'yes' }])(
  'recipients are shown whose switch reads %j, and whether they are on is unknown',
  async (said) => {
    const recipient = { id: 'r1', email: 'ap@acme.example' };

    const { value } = await answering([{ ...recipient, ...said }]).listRecipients();

    expect(value).toEqual({ items: [{ ...recipient, enabled: undefined }], skipped: 0 });
  },
);

describe('the account', () => {
  const visa = { brand: 'visa', last4: '4242' };

  test.each<[unknown, unknown]>([
    [visa, [visa]],
    [{ data: [visa], hasMore: false }, [visa]],
    [{ data: [] }, []],
    [
      { pm1: visa, pm2: { card: { brand: 'amex', last4: '0005' } } },
      [visa, { brand: 'amex', last4: '0005' }],
    ],
    [
      [visa, { card: { last4: '1881' } }, null, 'cash'],
      [visa, { brand: '', last4: '1881' }],
    ],
    [[{ brand: 'visa', last4: 42 }], [{ brand: 'visa', last4: '0042' }]],
    [[{ brand: 'visa', last4: 4242.5 }], [{ brand: 'visa', last4: '' }]],
    [[], []],
    [null, []],
    [{}, undefined],
    ['card', undefined],
    [['visa 4242'], undefined],
    [undefined, undefined],
  ])('payment methods that read %j', async (paymentMethods, cards) => {
    const { value } = await answering({ id: 'a1', paymentMethods }).getAccount();

    expect(value.paymentMethods).toEqual(cards);
  });

  test.each<[unknown, boolean | undefined]>([
    [{ accepted: true, at: '2026-01-01T00:00:00Z' }, true],
    [{ accepted: false }, false],
    [{ accepted: 'yes' }, undefined],
    [{}, undefined],
    ['2026-01-01T00:00:00Z', undefined],
  ])('terms that read %j', async (tou, accepted) => {
    expect((await answering({ id: 'a1', tou }).getAccount()).value.tou).toBe(accepted);
  });

  test.each<[unknown, number | undefined]>([
    ['10', 10],
    [10, 10],
    ['ten', undefined],
    ['-1', undefined],
    [NUMBER_LOOKALIKE, undefined],
  ])('a quota of orgs that reads %j', async (orgQuota, quota) => {
    expect((await answering({ id: 'a1', orgQuota }).getAccount()).value.orgQuota).toBe(quota);
  });

  test.each([[{ items: [{ id: 'a1' }] }], [[{ id: 'a1' }]], [{ account: { id: 'a1' } }]])(
    'that pays for an org is read from %j',
    async (document) => {
      expect((await answering(document).getPayerOf('acme')).value.id).toBe('a1');
    },
  );

  test.each([[{ items: [{ id: 'a1' }, { id: 'a2' }] }], [{ paymentMethods: [{ id: 'pm1' }] }]])(
    'that pays for an org is not guessed from %j',
    async (document) => {
      const failure = await failureOf(answering(document).getPayerOf('acme'));

      expect(failure.reason).toBe('malformed');
    },
  );
});
