import { expect, test } from 'vitest';
import { MAIN, ORGS, PROCESSOR_ID, startApis, TIME } from './spec-support.ts';

// Whether the values are right is asked by the tests of the client (test/contract/platform).

const TEXT = expect.stringMatching(/./) as string;
const NUMBER = expect.any(Number) as number;
const AT = expect.stringMatching(TIME) as string;
const CI = { name: 'ci', description: 'pipelines', roles: ['billing_viewer', 'org_creator'] };
const BILLS = { email: 'bills@acme.example', enabled: false };

test.each<
  [what: string, request: string, body: object | undefined, status: number, answer: object]
>([
  [
    'an account (2.2)',
    'GET ',
    undefined,
    200,
    expect.objectContaining({
      fullName: TEXT,
      email: expect.stringMatching(/@/) as string,
      address: expect.anything() as unknown,
      orgQuota: NUMBER,
      enabled: true,
      tou: true,
      id: MAIN,
      accountId: PROCESSOR_ID,
      paymentMethods: [{ last4: expect.stringMatching(/^\d{4}$/) as string, brand: TEXT }],
    }) as object,
  ],
  [
    'the orgs of an account (2.3)',
    'GET /org',
    undefined,
    200,
    {
      kind: 'list',
      itemKind: 'org',
      accountUUID: MAIN,
      items: ORGS.map(
        (name) =>
          expect.objectContaining({ kind: 'org', name, accountId: TEXT, created: AT }) as object,
      ),
    },
  ],
  [
    'an alert (2.4)',
    'POST /alert',
    { alert: { amount: 900, enabled: false } },
    201,
    {
      kind: 'alert',
      accountUUID: MAIN,
      amount: 900,
      enabled: false,
      created: AT,
      lastModified: AT,
    },
  ],
  [
    'a new token (2.5)',
    'POST /service-account-token',
    { ...CI, expiresAt: '2026-12-01T00:00:00Z' },
    201,
    {
      ...CI,
      kind: 'serviceAccountToken',
      id: TEXT,
      accountUUID: MAIN,
      createdBy: 'ada@acme.example',
      expiresAt: expect.stringMatching(/^2026-12-01T00:00:00(\.000)?Z$/) as string,
      created: AT,
      lastModified: AT,
      token: expect.stringMatching(/^svc-bsat-.{16,}$/) as string,
    },
  ],
  [
    'a new recipient (2.10)',
    'POST /invoice-delivery/recipients',
    BILLS,
    201,
    { id: TEXT, ...BILLS },
  ],
  [
    'a new org (4.3)',
    'POST /org',
    { org: { name: 'hooli' } },
    201,
    expect.objectContaining({ Created: true, name: 'hooli', created: AT }) as object,
  ],
  [
    'quotas (4.3)',
    'GET /org/acme/quotas',
    undefined,
    200,
    expect.arrayContaining([
      {
        id: TEXT,
        name: TEXT,
        description: TEXT,
        unit: TEXT,
        max: NUMBER,
        current: NUMBER,
        origin: TEXT,
      },
    ]) as object,
  ],
])('%s has the members of the specification', async (_what, request, body, status, answer) => {
  const { ask } = await startApis();

  const given = await ask(request, body);

  expect([given.status, given.body]).toEqual([status, answer]);
});

test('the list of tokens has no secret', async () => {
  const { ask } = await startApis();
  await ask('POST /service-account-token', CI);

  const { body, text } = await ask<{ items: object[] }>('GET /service-account-token');

  expect(body.items).toContainEqual(expect.objectContaining(CI));
  expect(text).not.toMatch(/"token"|svc-bsat-/);
});

test('lastUsedAt is about when the token was used, noted once a minute', async () => {
  const { ask, ok, wait } = await startApis();
  const { id, token } = await ok(
    ask<{ id: string; token: string }>('POST /service-account-token', CI),
  );
  const lastUsedAt = async () => {
    const list = ask<{ items: { id: string; lastUsedAt?: string }[] }>(
      'GET /service-account-token',
    );
    return (await ok(list)).items.find((item) => item.id === id)?.lastUsedAt;
  };
  const seen = [await lastUsedAt()];

  for (const seconds of [7200, 59, 1]) {
    await wait(seconds);
    await ask('GET ', undefined, token);
    seen.push(await lastUsedAt());
  }

  const times = ['14:00:00', '14:00:00', '14:01:00'].map((time) => `2026-10-05T${time}.000Z`);
  expect(seen).toEqual([undefined, ...times]);
});
