import { expect, test } from 'vitest';
import { AUTH_CACHE, MAIN, SEPTEMBER, startApis } from './spec-support.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Every kind of caller -> Authorization header. */
const CALLERS = {
  admin: 'Bearer sandbox-user-ada',
  viewer: 'Bearer sandbox-user-cleo',
  creator: 'Bearer sandbox-user-dana',
  'admin token': 'Bearer svc-bsat-sandbox-admin',
  'viewer token': 'Bearer svc-bsat-sandbox-viewer',
  'creator token': 'Bearer svc-bsat-sandbox-creator',
  "another account's token": 'Bearer svc-bsat-sandbox-second',
  'expired token': 'Bearer svc-bsat-sandbox-expired',
  'org key': 'Bearer sandbox-key-acme',
  "another org's key": 'Bearer sandbox-key-globex',
  'readUsage key': 'Bearer sandbox-readusage-acme',
  'workload token': 'sandbox-workload-acme-shop-cart',
  'unknown token': 'Bearer nonsense',
  'token without Bearer': 'sandbox-user-ada',
  noOne: '',
};
type Caller = keyof typeof CALLERS;

const ADMINS: Caller[] = ['admin', 'admin token'];
const VIEWERS: Caller[] = ['viewer', 'viewer token'];
const CREATORS: Caller[] = ['creator', 'creator token'];
const USERS: Caller[] = ['admin', 'viewer', 'creator'];
const TOKENS: Caller[] = [
  'admin token',
  'viewer token',
  'creator token',
  "another account's token",
];
const ORG_KEYS: Caller[] = ['org key', "another org's key", 'readUsage key'];

const USAGE = {
  ...SEPTEMBER,
  timeStep: 'month',
  groupBy: ['metric'],
  consumptionQueries: [{ filterBy: { metric: 'cpu' }, aggregateBy: ['metric', 'locationType'] }],
};
const TAG = { ...SEPTEMBER, tag: 'gvc', filterBy: {} };
const FINANCE = { user: { email: 'finance@acme.example', roles: ['billing_viewer'] } };
const ID = '11111111-2222-4333-8444-555555555555';

interface Endpoint {
  allowed: readonly Caller[];
  body: object | undefined;
  /** Callers that the specification leaves open. */
  open: readonly Caller[];
}

/** `METHOD path` and the admitted callers; everyone else gets 401, a workload's token 403. */
function row(
  title: string,
  allowed: readonly Caller[],
  body?: object,
  open: readonly Caller[] = [],
): [string, Endpoint] {
  return [title, { allowed, body, open }];
}

const ACCOUNT = '/account/<accountId>';
const READ = [...ADMINS, ...VIEWERS];

const BILLING: [string, Endpoint][] = [
  row(`POST ${ACCOUNT}/charges/-query`, READ, USAGE),
  row('POST /org/acme/charges/-query', ['admin', 'viewer', 'org key'], USAGE),
  row(`POST ${ACCOUNT}/tags/values/query`, READ, TAG),
  row('GET /chargeable_items', [...USERS, ...TOKENS, ...ORG_KEYS]),
  row(`GET ${ACCOUNT}/charges/invoices?start=2026-09-01T00:00:00Z&end=2026-10-01T00:00:00Z`, READ),
  row(`GET ${ACCOUNT}/charges/invoices/pending`, READ),
  row(`GET ${ACCOUNT}/charges/invoices/${ID}`, READ),
  row(`GET ${ACCOUNT}/charges/invoices/${ID}/external-url`, READ),
  row(`POST ${ACCOUNT}/alert`, ADMINS, { alert: { amount: 1, enabled: true } }),
  row(`PUT ${ACCOUNT}/alert`, ADMINS, { alert: { amount: 1, enabled: true } }),
  row(`GET ${ACCOUNT}/alert`, ADMINS),
  row(`DELETE ${ACCOUNT}/alert`, ADMINS),
  row(`POST ${ACCOUNT}/service-account-token`, ADMINS, { name: 'ci', roles: ['org_creator'] }),
  row(`GET ${ACCOUNT}/service-account-token`, ADMINS),
  row(`DELETE ${ACCOUNT}/service-account-token/${ID}`, ADMINS),
  row('GET /account', USERS),
  row(`GET ${ACCOUNT}`, [...READ, ...CREATORS]),
  row('GET /org/acme/account', ['admin', 'viewer']),
  row(`GET ${ACCOUNT}/org`, [...READ, ...CREATORS]),
  row(`POST ${ACCOUNT}/org`, [...ADMINS, ...CREATORS], {
    org: { name: 'hooli' },
    invitees: ['gavin@hooli.example'],
  }),
  row(`GET ${ACCOUNT}/user`, READ),
  row(`GET ${ACCOUNT}/user/email/finance@acme.example`, READ),
  row(`POST ${ACCOUNT}/user`, ADMINS, FINANCE),
  row(`PUT ${ACCOUNT}/user/email/finance@acme.example`, ADMINS, FINANCE),
  row(`DELETE ${ACCOUNT}/user/email/finance@acme.example`, ADMINS),
  row(`GET ${ACCOUNT}/invoice-delivery/recipients`, ADMINS),
  row(`POST ${ACCOUNT}/invoice-delivery/recipients`, ADMINS, { email: 'bills@acme.example' }),
  row(`PATCH ${ACCOUNT}/invoice-delivery/recipients/${ID}`, ADMINS, { enabled: true }),
  row(`DELETE ${ACCOUNT}/invoice-delivery/recipients/${ID}`, ADMINS),
  row(`GET ${ACCOUNT}/invoice-delivery/deliveries`, ADMINS),
  row('GET /org/acme/quotas', ['org key'], undefined, USERS),
  row(
    'POST /org/acme/quota-increase-requests',
    ['org key'],
    { quotaName: 'workloads', requestedMax: 1 },
    USERS,
  ),
];

test.each(BILLING)('%s', async (title, { allowed, body, open }) => {
  const { billing } = await startApis();
  const [method, path] = addressOf(title);

  const said = await askAll((authorization) => billing(method, path, { authorization, body }));

  expect(without(said, open)).toEqual(without(expected(allowed, 'unauthorized'), open));
});

/** Which two kinds of org credential are accepted is open, so users are left out. */
test.each([
  row('POST /org/acme/query', ['org key'], USAGE, USERS),
  row('POST /org/acme/tags/values/query', ['org key'], TAG, USERS),
])('usage API: %s', async (title, { allowed, body, open }) => {
  const { usage } = await startApis();
  const [method, path] = addressOf(title);

  const said = await askAll((authorization) => usage(method, path, { authorization, body }));

  expect(without(said, open)).toEqual(without(expected(allowed, 'Unauthorized'), open));
});

test('a change of rights reaches one org alone, and no user', async () => {
  const { act, usage, ask, wait } = await startApis();
  await act('permissions', { org: 'acme', readMetrics: false });
  await act('org', { org: 'globex', active: false });
  await wait(AUTH_CACHE);

  const statuses = [
    (await ask('POST /org/acme/charges/-query', USAGE, 'sandbox-user-cleo')).status,
  ];
  for (const org of ['acme', 'globex', 'initech']) {
    const asked = { body: USAGE, token: `sandbox-key-${org}` };
    statuses.push((await usage('POST', `/org/${org}/query`, asked)).status);
  }

  expect(statuses).toEqual([200, 401, 401, 200]);
});

test('an org that does not exist is unauthorized', async () => {
  const { usage } = await startApis();

  const { status, body } = await usage('POST', '/org/nowhere/query', { body: USAGE });

  expect([status, body]).toEqual([401, { code: 401, error: 'Unauthorized' }]);
});

function addressOf(title: string): [Method, string] {
  const [method, path] = title.replace('<accountId>', MAIN).split(' ');
  return [method as Method, path ?? ''];
}

type Said = Record<string, string>;

/** Of every caller: `in`, or the status and sentence of the refusal. */
async function askAll(
  ask: (authorization: string) => Promise<{ status: number; body: Record<string, unknown> }>,
): Promise<Said> {
  const said: Said = {};
  for (const [caller, authorization] of Object.entries(CALLERS)) {
    const { status, body } = await ask(authorization);
    said[caller] = verdict(status, body);
  }
  return said;
}

function verdict(status: number, body: Record<string, unknown>): string {
  if (status === 403) return '403';
  return status === 401 ? `401 ${JSON.stringify(body)}` : 'in';
}

function expected(allowed: readonly Caller[], error: string): Said {
  const refused = `401 ${JSON.stringify({ code: 401, error })}`;
  const callers = Object.keys(CALLERS) as Caller[];
  return Object.fromEntries(
    callers.map((caller) => {
      if (caller === 'workload token') return [caller, '403'];
      return [caller, allowed.includes(caller) ? 'in' : refused];
    }),
  );
}

function without(said: Said, open: readonly Caller[]): Said {
  return Object.fromEntries(
    Object.entries(said).filter(([caller]) => !open.includes(caller as Caller)),
  );
}
