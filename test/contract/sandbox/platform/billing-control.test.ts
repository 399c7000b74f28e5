import { describe, expect, test } from 'vitest';
import { ADMINS, MAIN, SECOND, startApis } from './spec-support.ts';

const FIVE_MINUTES = 300;
const CREATE_ALERT = { body: { alert: { amount: 1_000_000_000, enabled: true } } };

interface Logged {
  method: string;
  path: string;
  status: number | null;
  org: string | null;
  caller: { kind: string; name: string } | null;
  scheme: string;
  accept: string | null;
  contentType: string | null;
  body?: unknown;
}

async function start() {
  const apis = await startApis();
  const look = async <T>(path: string) =>
    (await (await fetch(`${apis.platform.url}/_sandbox/${path}`)).json()) as T;
  return {
    ...apis,
    look,
    logged: async () => (await look<{ requests: Logged[] }>('requests')).requests,
  };
}

describe('POST /_sandbox/alert/fire', () => {
  test('the alert rings now, however little was charged, and is quiet until the next month', async () => {
    const { account, act, emails } = await start();
    await account('POST', '/alert', CREATE_ALERT);

    const first = await act('alert/fire', {});
    const second = await act('alert/fire', {});

    expect([first, second]).toEqual([{ fired: true }, { fired: false }]);
    expect((await emails()).map(({ kind, to }) => `${kind} ${to}`)).toEqual(
      ADMINS.map((admin) => `spend-alert ${admin}`),
    );
    expect((await account('GET', '/alert')).body).toMatchObject({
      lastTriggered: '2026-10-05T12:00:00.000Z',
      alertedTimes: 1,
    });
  });

  test('there is nothing to ring without an alert, and none rings that is off', async () => {
    const { account, act } = await start();
    const absent = await act('alert/fire', {});
    await account('POST', '/alert', { body: { alert: { amount: 0, enabled: false } } });

    expect([absent, await act('alert/fire', {})]).toEqual([{ fired: false }, { fired: false }]);
  });
});

describe('what fires is stamped', () => {
  const stamped = async (settings?: object) => {
    const { account, act, wait } = await start();
    await account('POST', '/alert', CREATE_ALERT);
    if (settings !== undefined) await act('alert/stamp', settings);
    await wait(60);
    await act('alert/fire', {});
    const { lastTriggered, lastModified } = (
      await account<{ lastTriggered: string; lastModified: string }>('GET', '/alert')
    ).body;
    return { lastTriggered, lastModified };
  };

  test.each([
    ['a second later', undefined, '2026-10-05T12:01:01.000Z'],
    ['at once, if it is told so', { seconds: 0 }, '2026-10-05T12:01:00.000Z'],
    ['a minute later, if it is told so', { seconds: 60 }, '2026-10-05T12:02:00.000Z'],
    ['never, if it is told so', {}, '2026-10-05T12:00:00.000Z'],
  ])('%s', async (_when, settings, lastModified) => {
    const lastTriggered = '2026-10-05T12:01:00.000Z';

    expect(await stamped(settings)).toEqual({ lastTriggered, lastModified });
  });
});

test('a jump over months rings in each of them, when it would have', async () => {
  const { account, act, emails, wait } = await start();
  await account('POST', '/alert', { body: { alert: { amount: 1, enabled: true } } });
  await act('users', { email: 'ben@acme.example', roles: [] });
  await act('users', { email: 'gus@acme.example', roles: [] });

  await wait(60 * 86_400);

  const rang = (await emails()).filter(({ kind }) => kind === 'spend-alert').map(({ at }) => at);
  expect(rang).toEqual([
    '2026-10-05T12:10:00.000Z',
    expect.stringMatching(/^2026-11-01T\d\d:\d0:00/),
    expect.stringMatching(/^2026-12-01T\d\d:\d0:00/),
  ]);
});

describe('a change of permissions', () => {
  test('is felt after five minutes, or when the cache is cleared', async () => {
    const { account, act, wait } = await start();
    const asCleo = async () =>
      (await account('GET', '/user', { token: 'sandbox-user-cleo' })).status;
    const setRoles = (roles: string[]) => act('users', { email: 'cleo@acme.example', roles });

    const seen = [await asCleo()];
    await setRoles([]);
    await wait(FIVE_MINUTES - 1);
    seen.push(await asCleo());
    await wait(1);
    seen.push(await asCleo());
    await setRoles(['billing_viewer']);
    seen.push(await asCleo());
    await act('auth-cache/clear', {});
    seen.push(await asCleo());

    expect(seen).toEqual([200, 200, 401, 401, 200]);
  });

  test('reaches the key of one org alone', async () => {
    const { act, billing } = await start();
    const quotas = (org: string) =>
      billing('GET', `/org/${org}/quotas`, { token: `sandbox-key-${org}` });

    await act('org', { org: 'globex', active: false });

    const statuses = [await quotas('globex'), await quotas('acme')].map(({ status }) => status);
    expect(statuses).toEqual([401, 200]);
  });

  test('an account, an org and a service account that do not exist are 404', async () => {
    const { control } = await start();

    const answers = await Promise.all([
      control('account', { account: 'nobody', enabled: true }),
      control('org', { org: 'nowhere', active: true }),
      control('permissions', { org: 'nowhere', readMetrics: true }),
    ]);

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  });
});

describe('GET /_sandbox/state', () => {
  test('has the accounts as they are, and no secret', async () => {
    const { act, look, account } = await start();
    await account('POST', '/alert', CREATE_ALERT);
    await act('account', { account: SECOND, orgQuota: 7 });
    await act('users', { account: SECOND, email: 'Zoe@Acme.example', roles: ['org_creator'] });

    const state = await look<{ accounts: { id: string; orgQuota: number; users: object[] }[] }>(
      'state',
    );

    expect(state.accounts.map(({ id }) => id)).toEqual([MAIN, SECOND]);
    expect(state.accounts[0]).toMatchObject({ alert: { amount: 1_000_000_000 } });
    expect(state.accounts[1]).toMatchObject({
      orgQuota: 7,
      users: [
        { email: 'ada@acme.example', roles: ['billing_admin'] },
        { email: 'zoe@acme.example', roles: ['org_creator'] },
      ],
    });
    expect(JSON.stringify(state)).not.toMatch(/svc-bsat|sandbox-key|sandbox-user/);
  });
});

describe('the request log of the billing API', () => {
  test('it has who called, how, and what a write sent', async () => {
    const { account, billing, usage, logged } = await start();

    await account('POST', '/alert', CREATE_ALERT);
    await account('GET', '', { token: 'svc-bsat-sandbox-viewer', headers: { accept: 'text/x' } });
    await billing('GET', '/org/acme/quotas', { token: 'sandbox-key-acme' });
    await usage('POST', '/org/acme/query', { authorization: 'sandbox-workload-cart', body: {} });
    await billing('GET', '/account', { token: 'guessed-secret' });
    const log = await logged();

    expect(log.map(({ caller, scheme, status, org }) => [caller, scheme, status, org])).toEqual([
      [{ kind: 'user', name: 'ada@acme.example' }, 'Bearer', 201, null],
      [{ kind: 'billing-token', name: 'sandbox-viewer' }, 'Bearer', 200, null],
      [{ kind: 'org-key', name: 'acme' }, 'Bearer', 200, 'acme'],
      [{ kind: 'workload', name: 'workload' }, 'plain', 403, null],
      [null, 'Bearer', 401, null],
    ]);
    expect(log[0]).toMatchObject({ contentType: 'application/json', body: CREATE_ALERT.body });
    expect(log[1]).toMatchObject({ accept: 'text/x', contentType: null });
    expect(log[1]).not.toHaveProperty('body');
    expect(JSON.stringify(log)).not.toMatch(
      /svc-bsat|sandbox-key|sandbox-user|sandbox-workload|secret/,
    );
  });

  test('a caller without the right is refused before the body is read', async () => {
    const { account, logged } = await start();

    const { status } = await account('POST', '/alert', {
      token: 'sandbox-user-cleo',
      raw: '{"alert":',
    });

    expect(status).toBe(401);
    expect((await logged())[0]).not.toHaveProperty('body');
  });
});

test('lastUsedAt is noted once a minute', async () => {
  const { account, wait } = await start();
  const token = 'svc-bsat-sandbox-viewer';
  const lastUsedAt = async () => {
    await account('GET', '', { token });
    const { body } = await account<{ items: { name: string; lastUsedAt?: string }[] }>(
      'GET',
      '/service-account-token',
    );
    return body.items.find(({ name }) => name === 'sandbox-viewer')?.lastUsedAt;
  };

  const seen = [await lastUsedAt()];
  await wait(59);
  seen.push(await lastUsedAt());
  await wait(1);
  seen.push(await lastUsedAt());

  expect(seen).toEqual(
    ['12:00:00', '12:00:00', '12:01:00'].map((time) => `2026-10-05T${time}.000Z`),
  );
});

describe('POST /_sandbox/token', () => {
  const id = 'dddddddd-0000-4000-a000-000000000003';
  const startTokens = async () => {
    const apis = await start();
    return {
      ...apis,
      lastUsedAt: async () => {
        const list = await apis.account<{ items: { id: string; lastUsedAt?: string }[] }>(
          'GET',
          '/service-account-token',
        );
        return list.body.items.find((item) => item.id === id)?.lastUsedAt;
      },
    };
  };

  test('a token was last used when it is told, or never, until it is used again', async () => {
    const { account, act, lastUsedAt } = await startTokens();
    const seen: unknown[] = [];

    await act('token', { id, lastUsedAt: '2026-08-01T10:00:00+02:00' });
    seen.push(await lastUsedAt());
    await act('token', { id, lastUsedAt: null });
    seen.push(await lastUsedAt());
    await account('GET', '', { token: 'svc-bsat-sandbox-creator' });
    seen.push(await lastUsedAt());

    expect(seen).toEqual(['2026-08-01T08:00:00.000Z', undefined, '2026-10-05T12:00:00.000Z']);
  });

  test.each([
    ['before it was created', { id, lastUsedAt: '2026-06-01T00:00:00Z' }, 400],
    ['in the future', { id, lastUsedAt: '2026-10-05T12:00:01Z' }, 400],
    ['at no time', { id, lastUsedAt: 'yesterday' }, 400],
    ['without a word of it', { id }, 400],
    ['as one that is not there', { id: 'nobody', lastUsedAt: null }, 404],
    ['as one of the other account', { account: SECOND, id, lastUsedAt: null }, 404],
  ])('it cannot have been used %s', async (_when, body, status) => {
    const { control, lastUsedAt } = await startTokens();
    const before = await lastUsedAt();

    expect(await control('token', body)).toMatchObject({ status });
    expect(await lastUsedAt()).toBe(before);
  });
});
