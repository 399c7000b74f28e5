import { expect, test } from 'vitest';
import { AUTH_CACHE, CLEO, CPU, select, SEPTEMBER, startApis, type Apis } from './spec-support.ts';

const QUERY = {
  ...SEPTEMBER,
  timeStep: 'month',
  groupBy: ['metric'],
  consumptionQueries: select(CPU),
};
const CREATOR = 'svc-bsat-sandbox-creator';
const CREATOR_ID = 'dddddddd-0000-4000-a000-000000000003';
const CLEO_PATH = '/user/email/cleo@acme.example';
const ADMIN = { user: { email: 'cleo@acme.example', roles: ['billing_admin'] } };

type Ask = (apis: Apis) => Promise<{ status: number }>;

const usageOf =
  (org: string): Ask =>
  ({ usage }) =>
    usage('POST', `/org/${org}/query`, { body: QUERY, token: `sandbox-key-${org}` });
const asCleo =
  (request: string): Ask =>
  ({ ask }) =>
    ask(request, undefined, CLEO);
const orgCharges: Ask = ({ ask }) => ask('POST /org/acme/charges/-query', QUERY);
const quotas: Ask = ({ ask }) => ask('GET /org/globex/quotas', undefined, 'sandbox-key-globex');

const noMetrics = ({ act }: Apis) => act('permissions', { org: 'acme', readMetrics: false });
const noGlobex = ({ act }: Apis) => act('org', { org: 'globex', active: false });
const cleoGone = ({ ask }: Apis) => ask(`DELETE ${CLEO_PATH}`);

/** Spec 5: role changes, revocations and expiry apply after five minutes at the latest. */
test.each<[rule: string, ask: Ask, change: (apis: Apis) => Promise<unknown>, statuses: number[]]>([
  [
    'a role that is given',
    asCleo('GET /invoice-delivery/recipients'),
    ({ ask }) => ask(`PUT ${CLEO_PATH}`, ADMIN),
    [401, 200],
  ],
  ['a user who is removed', asCleo('GET /charges/invoices/pending'), cleoGone, [200, 401]],
  [
    'a token that is deleted',
    ({ ask }) => ask('GET ', undefined, CREATOR),
    ({ ask }) => ask(`DELETE /service-account-token/${CREATOR_ID}`),
    [200, 401],
  ],
  ['a revoked readMetrics, for usage', usageOf('acme'), noMetrics, [200, 401]],
  ["a revoked readMetrics, for an org's charges", orgCharges, noMetrics, [200, 401]],
])('applies after five minutes: %s', async (_rule, ask, change, [before, after]) => {
  const apis = await startApis();
  const seen = [(await ask(apis)).status];

  await change(apis);
  await apis.wait(AUTH_CACHE - 1);
  seen.push((await ask(apis)).status);
  await apis.wait(1);
  seen.push((await ask(apis)).status);

  expect(seen).toEqual([before, before, after]);
});

test.each([
  ['usage', usageOf('globex')],
  ['quotas', quotas],
])('a deactivated org gets 401 for %s', async (_what, ask) => {
  const apis = await startApis();
  const before = await ask(apis);

  await noGlobex(apis);
  await apis.wait(AUTH_CACHE);

  expect([before.status, (await ask(apis)).status]).toEqual([200, 401]);
});

test('a change reaches one org alone, and no user', async () => {
  const apis = await startApis();
  await noMetrics(apis);
  await noGlobex(apis);
  await apis.wait(AUTH_CACHE);

  const statuses = [await usageOf('initech')(apis), await usageOf('acme')(apis)];
  const cleo = await apis.ask('POST /org/acme/charges/-query', QUERY, CLEO);

  expect([...statuses, cleo].map(({ status }) => status)).toEqual([200, 401, 200]);
});

test('an expired token works for five minutes more, and no longer', async () => {
  const { ask, ok, wait } = await startApis();
  const body = { name: 'ci', roles: ['billing_viewer'], expiresAt: '2026-10-05T13:00:00Z' };
  const { token } = await ok(ask<{ token: string }>('POST /service-account-token', body));
  const reads = async () => (await ask('GET ', undefined, token)).status;

  await wait(3599);
  const before = await reads();
  await wait(AUTH_CACHE + 2);

  expect([before, await reads()]).toEqual([200, 401]);
});

test('clearing the cache applies changes at once', async () => {
  const apis = await startApis();
  const pending = asCleo('GET /charges/invoices/pending');
  const before = await pending(apis);
  await cleoGone(apis);

  await apis.act('auth-cache/clear', {});

  expect([before.status, (await pending(apis)).status]).toEqual([200, 401]);
});

test('an org that does not exist gets 401', async () => {
  const { usage } = await startApis();

  const { status, body } = await usage('POST', '/org/nowhere/query', { body: QUERY });

  expect([status, body]).toEqual([401, { code: 401, error: 'Unauthorized' }]);
});
