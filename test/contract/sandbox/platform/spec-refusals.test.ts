import { describe, expect, test } from 'vitest';
import {
  CPU,
  PROCESSOR_ID,
  refusal,
  SECOND,
  select,
  SEPTEMBER,
  startApis,
} from './spec-support.ts';

type Row = [
  rule: string,
  request: string,
  body: unknown,
  status: number,
  words?: RegExp | undefined,
];

const UNKNOWN = '11111111-2222-4333-8444-555555555555';
const CI = { name: 'ci', roles: ['billing_viewer'] };
const HAL = { email: 'hal@acme.example', roles: ['billing_viewer'] };
const CLEO = { email: 'cleo@acme.example', roles: ['billing_viewer'] };
const ADA = '/user/email/ada@acme.example';
const RECIPIENTS = '/invoice-delivery/recipients';
const RECIPIENT = `${RECIPIENTS}/eeeeeeee-0000-4000-a000-000000000001`;
const ALERT = { amount: 1, enabled: true };
const TOKENS = '/service-account-token';
const QUOTA = 'POST /org/acme/quota-increase-requests';
const VALUES = 'POST /tags/values/query';
const QUERY = {
  ...SEPTEMBER,
  timeStep: 'hour',
  groupBy: ['metric'],
  consumptionQueries: select(CPU),
};

/** Rows of one endpoint: rule -> body. */
const of = (request: string, bodies: Record<string, unknown>, status = 400): Row[] =>
  Object.entries(bodies).map(([rule, body]) => [rule, request, body, status]);
const charges = (rule: string, change: object, status: number, words?: RegExp): Row => [
  rule,
  'POST /charges/-query',
  { ...QUERY, ...change },
  status,
  words,
];

const ALERTS = of('POST /alert', {
  'an amount below 0': { alert: { ...ALERT, amount: -0.01 } },
  'an amount that is no number': { alert: { ...ALERT, amount: '250' } },
  'an alert whose enabled is no boolean': { alert: { ...ALERT, enabled: 'yes' } },
  'an unknown field of the alert': { alert: { ...ALERT, currency: 'USD' } },
  'a field that only the server sets': { alert: { ...ALERT, kind: 'alert' } },
  'an unknown field beside the alert': { alert: ALERT, note: '' },
  'an alert that is not wrapped': ALERT,
  'an alert that is no object': { alert: 5 },
});
const SERVICE_TOKENS = of(`POST ${TOKENS}`, {
  'a token without a name': { roles: CI.roles },
  'a token without roles': { name: 'ci' },
  'a token with an empty list of roles': { ...CI, roles: [] },
  'a token with an unknown role': { ...CI, roles: ['billing_admin', 'owner'] },
  'a token whose roles are no list': { ...CI, roles: 'billing_admin' },
  'a token that has expired': { ...CI, expiresAt: '2026-10-05T11:59:59Z' },
  'a token that expires now': { ...CI, expiresAt: '2026-10-05T12:00:00Z' },
  'an expiry that is no RFC 3339 time': { ...CI, expiresAt: 'tomorrow' },
});
const ORGS = of('POST /org', {
  'a request without an org': {},
  'an org without a name': { org: { description: 'no name' } },
  'an org name that is no text': { org: { name: 5 } },
  'an empty org name': { org: { name: '' } },
  'org tags that are no object': { org: { name: 'hooli', tags: ['a'] } },
  'invitees that are no list': { org: { name: 'hooli' }, invitees: 'a@b.example' },
  'an invitee that is no address': { org: { name: 'hooli' }, invitees: ['no-address'] },
  'a superuser key that is no boolean': {
    org: { name: 'hooli' },
    createSuperuserServiceAccount: 'yes',
  },
});
const USERS = of('POST /user', {
  'a user that is not wrapped': HAL,
  'a user without an address': { user: { roles: HAL.roles } },
  'a user with an invalid address': { user: { ...HAL, email: 'hal' } },
  'a user without roles': { user: { email: HAL.email } },
  'a user with an empty list of roles': { user: { ...HAL, roles: [] } },
  'a user with an unknown role': { user: { ...HAL, roles: ['superuser'] } },
});
const OTHERS: Row[] = [
  ['a changed alert below 0', 'PUT /alert', { alert: { ...ALERT, amount: -1 } }, 400],
  ['a user who is one already', 'POST /user', { user: CLEO }, 409],
  [
    'a changed user with an unknown role',
    `PUT /user/email/${CLEO.email}`,
    { user: { ...CLEO, roles: ['owner'] } },
    400,
  ],
  ['a changed address of a user', `PUT /user/email/${CLEO.email}`, { user: HAL }, 400],
  ['a change of your own user', `PUT ${ADA}`, { user: { ...HAL, email: 'ada@acme.example' } }, 400],
  ['the removal of your own user', `DELETE ${ADA}`, undefined, 400],
  ['an address that is no user', 'GET /user/email/no.one@acme.example', undefined, 404],
  ['a recipient without an address', `POST ${RECIPIENTS}`, { enabled: true }, 400],
  ['a recipient with an invalid address', `POST ${RECIPIENTS}`, { email: 'bills' }, 400],
  ['a recipient that is one already', `POST ${RECIPIENTS}`, { email: 'Finance@acme.example' }, 409],
  [
    'a recipient whose enabled is no boolean',
    `POST ${RECIPIENTS}`,
    { ...HAL, enabled: 'yes' },
    400,
  ],
  ['a changed recipient whose enabled is no boolean', `PATCH ${RECIPIENT}`, { enabled: 1 }, 400],
  ['an unknown recipient to change', `PATCH ${RECIPIENTS}/nothing`, { enabled: true }, 404],
  ['an unknown recipient to remove', `DELETE ${RECIPIENTS}/nothing`, undefined, 404],
  ['an unknown token', `DELETE ${TOKENS}/${UNKNOWN}`, undefined, 404],
  [
    "another account's token",
    `DELETE /account/${SECOND}${TOKENS}/dddddddd-0000-4000-a000-000000000003`,
    undefined,
    404,
  ],
  ['an unknown invoice', `GET /charges/invoices/${UNKNOWN}`, undefined, 404],
  [
    'the payment page of an unknown invoice',
    `GET /charges/invoices/${UNKNOWN}/external-url`,
    undefined,
    404,
  ],
  ['a quota that is no number', QUOTA, { quotaName: 'workloads', requestedMax: 'more' }, 400],
  ['a request for no quota', QUOTA, { requestedMax: 5 }, 400],
  ['values of no tag', VALUES, { ...SEPTEMBER, filterBy: {} }, 400],
  ['values of a tag that is no text', VALUES, { ...SEPTEMBER, tag: 5, filterBy: {} }, 400],
  [
    'values in a range that is no time',
    VALUES,
    { tag: 'gvc', startTime: 'now', endTime: 'then' },
    400,
  ],
  ['a path that does not exist', 'GET /nothing', undefined, 404],
  ['an unknown account', `GET /account/${UNKNOWN}`, undefined, 401],
  ["the processor's id", `GET /account/${PROCESSOR_ID}`, undefined, 401, /^unauthorized$/],
  ["the processor's id above a list", `GET /account/${PROCESSOR_ID}/org`, undefined, 401],
];

/** Of a charge query, an invalid value is a 400, and a value that makes no sense is a 500 (spec 7). */
const QUERIES: Row[] = [
  charges('a start that is no text', { startTime: 5 }, 400),
  charges('a start that is no time', { startTime: 'yesterday' }, 400),
  charges('a query without an end', { endTime: undefined }, 400),
  charges('queries that are no list', { consumptionQueries: 'all' }, 400),
  charges('a query without queries', { consumptionQueries: undefined }, 400),
  charges('a grouping that is no list', { groupBy: 'org' }, 400),
  charges('orgs that are no list', { orgs: 'acme' }, 400),
  charges('a detailed that is no boolean', { detailed: 'yes' }, 400),
  charges('steps that are no boolean', { aggregateByTimeStep: 'no' }, 400),
  ['a query that is a list', 'POST /charges/-query', [], 400],
  ['a query that is null', 'POST /charges/-query', null, 400],
  charges('half hours', { startTime: '2026-09-01T00:30:00Z' }, 500, /hour boundary/),
  charges('an end within an hour', { endTime: '2026-09-30T23:59:59Z' }, 500, /hour boundary/),
  charges('fractions of a second', { startTime: '2026-09-01T00:00:00.001Z' }, 500, /hour boundary/),
  charges('an unknown timeStep', { timeStep: 'year' }, 500, /timeStep/),
  charges('a grouping by a tag that is not aggregated', { groupBy: ['gvc'] }, 500, /gvc/),
  charges(
    'a grouping by a tag that the second query does not aggregate',
    { groupBy: ['gvc'], consumptionQueries: [...select(CPU, 'gvc'), ...select(CPU)] },
    500,
    /gvc/,
  ),
  charges('a broken expression', { consumptionQueries: select({ ...CPU, workload: '/(/' }) }, 500),
  [
    'half hours of one org',
    'POST /org/acme/charges/-query',
    { ...QUERY, startTime: '2026-09-01T00:30:00Z' },
    500,
    /hour boundary/,
  ],
];

describe('the billing API refuses, and changes nothing', () => {
  const rows = [...ALERTS, ...SERVICE_TOKENS, ...ORGS, ...USERS, ...OTHERS, ...QUERIES];

  test.each<Row>(rows)('%s: %s %j', async (_rule, request, body, status, words) => {
    const { ask, state } = await startApis();
    const { accounts } = await state();

    const answer = await ask(request, body);

    expect([answer.status, answer.body]).toEqual([status, refusal(status, words)]);
    expect(answer.type).toContain('application/json');
    expect((await state()).accounts).toEqual(accounts);
  });

  test.each([
    ['POST', '/charges/-query'],
    ['POST', '/tags/values/query'],
    ['POST', '/alert'],
    ['PUT', '/alert'],
    ['POST', TOKENS],
    ['POST', '/org'],
    ['POST', '/user'],
    ['PUT', '/user/email/cleo@acme.example'],
    ['POST', RECIPIENTS],
    ['PATCH', RECIPIENT],
  ] as const)('a body that is not valid JSON with 400: %s %s', async (method, path) => {
    const { account } = await startApis();

    const { status, body } = await account(method, path, { raw: '{"alert": {' });

    expect([status, body]).toEqual([400, refusal(400)]);
  });

  test('a caller without the right before the body is read', async () => {
    const { account, requests } = await startApis();

    const token = 'sandbox-user-cleo';
    expect((await account('POST', '/alert', { token, raw: '{"alert":' })).status).toBe(401);
    expect((await requests())[0]).not.toHaveProperty('body');
  });
});

test.each([
  ['/billing/account/%E0%A4%A', 'billing', ['code', 'error']],
  ['/usage/org/%E0%A4%A/query', 'usage', ['code', 'error']],
  [
    '/org/%E0%A4%A/gvc/shop/workload/-deployment',
    'deployments',
    ['code', 'details', 'id', 'message', 'status'],
  ],
])(
  'a path that cannot be decoded, %s, is a 400 in the shape of %s',
  async (path, _api, members) => {
    const { platform } = await startApis();

    const response = await fetch(`${platform.url}${path}`);

    expect(response.status).toBe(400);
    expect(Object.keys((await response.json()) as object).toSorted()).toEqual(members);
  },
);
