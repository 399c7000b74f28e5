import { expect, test } from 'vitest';
import { SECOND, startApis } from './spec-support.ts';

const CREATE_ALERT = { alert: { amount: 1_000_000_000, enabled: true } };

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
