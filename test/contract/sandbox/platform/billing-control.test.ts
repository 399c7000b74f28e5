import { expect, test } from 'vitest';
import { SECOND, startApis } from './spec-support.ts';

const CREATE_ALERT = { alert: { amount: 1_000_000_000, enabled: true } };
const TOKEN = { id: 'dddddddd-0000-4000-a000-000000000003' };

test.each([
  ['account', { account: 'nobody', enabled: true }, 404],
  ['org', { org: 'nowhere', active: true }, 404],
  ['permissions', { org: 'nowhere', readMetrics: true }, 404],
  ['invoices/issue', { account: 'nobody' }, 404],
  ['invoices/status', { account: 'nobody', status: 'paid' }, 404],
  ['invoices/status', { number: 99, status: 'paid' }, 404],
  ['invoices/status', { id: 'any', number: 1, status: 'paid' }, 400],
  ['invoices/status', { status: 'lost' }, 400],
  ['invoices/status', { status: 'paid', period: 2 }, 404],
  ['invoices/patch', { id: 'nobody', at: ['status'], value: 'paid' }, 404],
  ['young', { percent: 0 }, 400],
  ['young', { percent: 101 }, 400],
  ['young', { percent: 12.5 }, 400],
  ['young', {}, 400],
  ['token', { ...TOKEN, lastUsedAt: '2026-06-01T00:00:00Z' }, 400],
  ['token', { ...TOKEN, lastUsedAt: '2026-10-05T12:00:01Z' }, 400],
  ['token', { ...TOKEN, lastUsedAt: 'yesterday' }, 400],
  ['token', TOKEN, 400],
  ['token', { id: 'nobody', lastUsedAt: null }, 404],
  ['token', { ...TOKEN, account: SECOND, lastUsedAt: null }, 404],
  ['rollout', { org: 'acme', gvc: 'shop', workload: 'nothing' }, 404],
  ['gvc-rollout', { org: 'nobody', gvc: 'shop' }, 404],
  ['stale', { org: 'acme', gvc: 'shop', location: 'mars', stale: true }, 404],
  ['scale', { org: 'acme', gvc: 'shop', workload: 'cart' }, 400],
  ['cron', { org: 'acme', gvc: 'shop', workload: 'cart', status: 'failed' }, 400],
  ['create', { org: 'acme', gvc: 'shop', workload: 'cart' }, 409],
  ['story', { org: 'acme', gvc: 'shop', workload: 'payments', name: 'nothing' }, 400],
  ['story', { org: 'acme', gvc: 'shop', workload: 'nobody', name: 'ready' }, 404],
  ['faults', { faults: [{ path: '(' }] }, 400],
])('the control %s refuses %j with %i', async (path, body, status) => {
  const { control } = await startApis();

  expect(await control(path, body)).toEqual({ status, body: { error: expect.any(String) } });
});

test('GET /_sandbox/state has the accounts as they are, and no secret', async () => {
  const { act, state, ask } = await startApis();
  await ask('POST /alert', CREATE_ALERT);
  await act('account', { account: SECOND, orgQuota: 7 });
  await act('users', { account: SECOND, email: 'Zoe@Acme.example', roles: ['org_creator'] });

  const shown = await state();

  expect(shown.accounts).toMatchObject([
    { alert: { amount: 1_000_000_000 } },
    {
      id: SECOND,
      orgQuota: 7,
      users: [
        { email: 'ada@acme.example', roles: ['billing_admin'] },
        { email: 'zoe@acme.example', roles: ['org_creator'] },
      ],
    },
  ]);
  expect(JSON.stringify(shown)).not.toMatch(/svc-bsat|sandbox-key|sandbox-user/);
});

test('the request log has the caller, the scheme and the body of a write, and no secret', async () => {
  const { ask, account, usage, requests } = await startApis();
  const headers = { accept: 'text/x' };

  await ask('POST /alert', CREATE_ALERT);
  await account('GET', '', { token: 'svc-bsat-sandbox-viewer', headers });
  await ask('GET /org/acme/quotas');
  await usage('POST', '/org/acme/query', { authorization: 'sandbox-workload-cart', body: {} });
  await ask('GET ', undefined, 'guessed-secret');
  const log = await requests();

  expect(log.map(({ caller, scheme, status, org }) => [caller, scheme, status, org])).toEqual([
    [{ kind: 'user', name: 'ada@acme.example' }, 'Bearer', 201, null],
    [{ kind: 'billing-token', name: 'sandbox-viewer' }, 'Bearer', 200, null],
    [{ kind: 'org-key', name: 'acme' }, 'Bearer', 200, 'acme'],
    [{ kind: 'workload', name: 'workload' }, 'plain', 403, null],
    [null, 'Bearer', 401, null],
  ]);
  expect(log[0]).toMatchObject({ contentType: 'application/json', body: CREATE_ALERT });
  expect(log[1]).toMatchObject({ accept: 'text/x', contentType: null });
  expect(log[1]).not.toHaveProperty('body');
  expect(JSON.stringify(log)).not.toMatch(
    /svc-bsat|sandbox-key|sandbox-user|sandbox-workload|secret/,
  );
});
