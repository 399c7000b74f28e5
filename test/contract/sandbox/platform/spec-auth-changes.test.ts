import { describe, expect, test } from 'vitest';
import { AUTH_CACHE, SEPTEMBER, startApis, type Apis } from './spec-support.ts';

const QUERY = {
  ...SEPTEMBER,
  timeStep: 'month',
  groupBy: ['metric'],
  consumptionQueries: [{ filterBy: { metric: 'cpu' }, aggregateBy: ['metric', 'locationType'] }],
};

const usageStatus = async ({ usage }: Apis, org = 'acme') =>
  (await usage('POST', `/org/${org}/query`, { body: QUERY, token: `sandbox-key-${org}` })).status;

describe('readMetrics on the org in the path', () => {
  test('a grant that is revoked may hold up to 5 minutes, and no longer', async () => {
    const apis = await startApis();
    const before = await usageStatus(apis);
    await apis.act('permissions', { org: 'acme', readMetrics: false });

    await apis.wait(AUTH_CACHE + 1);
    const revoked = await usageStatus(apis);
    await apis.act('permissions', { org: 'acme', readMetrics: true });
    await apis.wait(AUTH_CACHE + 1);

    expect([before, revoked, await usageStatus(apis)]).toEqual([200, 401, 200]);
  });

  test('the org form of the charge query needs it as well', async () => {
    const { act, wait, billing } = await startApis();
    const ask = async (token: string) =>
      (await billing('POST', '/org/acme/charges/-query', { token, body: QUERY })).status;
    await act('permissions', { org: 'acme', readMetrics: false });

    await wait(AUTH_CACHE + 1);

    expect(await ask('sandbox-key-acme')).toBe(401);
    expect(await ask('sandbox-user-cleo')).toBe(200);
  });
});

test('a deactivated org gets 401 from the usage API', async () => {
  const apis = await startApis();
  await apis.act('org', { org: 'globex', active: false });

  await apis.wait(AUTH_CACHE + 1);

  expect(await usageStatus(apis, 'globex')).toBe(401);
  expect(await usageStatus(apis, 'acme')).toBe(200);
});

test('an org that does not exist gets 401', async () => {
  const { usage } = await startApis();

  const { status, body } = await usage('POST', '/org/nowhere/query', { body: QUERY });

  expect([status, body]).toEqual([401, { code: 401, error: 'Unauthorized' }]);
});
