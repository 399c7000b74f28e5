import { beforeEach, expect, test } from 'vitest';

import type { Credential } from '../../../src/platform/http.ts';
import {
  ADA,
  ADMIN,
  CREATOR,
  MAIN,
  OF_SECOND,
  SEPTEMBER,
  startBilling,
  VIEWER,
  type Standing,
} from './billing/support.ts';
import {
  ACCOUNT_CALLS,
  ADMIN_CALLS,
  CATALOGUE,
  CREATE_ORG,
  isAllowed,
  MONEY_CALLS,
  ORG_CALLS,
  OWN_CALLS,
  refusedOf,
  USER_CALLS,
  type BillingCall,
} from './calls.ts';
import { startUsageClient } from './consumption/support.ts';
import { bearer, failureOf, startClient } from './support.ts';

let standing: Standing;

beforeEach(async () => {
  standing = await startBilling();
});

const each = Object.entries;
const OWN_GROUPS = {
  'alert, tokens, users and recipients': ADMIN_CALLS,
  'charges, invoices and the list of users': MONEY_CALLS,
  'account and orgs': ACCOUNT_CALLS,
  'new orgs': CREATE_ORG,
  'the catalogue': CATALOGUE,
};
const OTHER_GROUPS = { 'accounts of a user': USER_CALLS, 'what belongs to an org': ORG_CALLS };
const USAGE = {
  startTime: SEPTEMBER.start,
  endTime: SEPTEMBER.end,
  timeStep: 'month',
  groupBy: [],
  consumptionQueries: [{ aggregateBy: ['metric'] }],
} as const;
const chargesOfOrg = ORG_CALLS['charges.org']!;
const CLEO = 'sandbox-user-cleo';
const DANA = 'sandbox-user-dana';

/** Usage and deployments of acme, asked with the given credential of the org. */
const usageOf = (own: Credential | undefined) =>
  startUsageClient(standing.platform.usageUrl, { credentialOf: () => own }).query('acme', USAGE);
const deploymentsOf = (own: Credential | undefined) =>
  startClient(standing.platform.url, { credentialOf: () => own }).listGvc('acme', 'shop');
/** The roles whose tokens are let through. */
async function rolesThatMay(call: BillingCall): Promise<string[]> {
  const roles = [];
  for (const [role, token] of each({ admin: ADMIN, viewer: VIEWER, creator: CREATOR })) {
    if (await isAllowed(call(standing.client({ token })))) roles.push(role);
  }
  return roles;
}

test('every call goes to the base address of its own API, also one with a path', async () => {
  await standing.client().getAccount();
  await usageOf(bearer('sandbox-key-acme'));
  await deploymentsOf(bearer('sandbox-key-acme'));

  expect((await standing.calls()).map(({ path }) => path)).toEqual([
    `/billing/account/${MAIN}`,
    '/usage/org/acme/query',
    '/org/acme/gvc/shop/workload/-deployment',
  ]);
});

test.each(each(ADMIN_CALLS))(
  'alert, users, recipients, deliveries and tokens are for an admin: %s',
  async (_what, call) => {
    expect(await rolesThatMay(call)).toEqual(['admin']);

    const { hint } = await failureOf(call(standing.client({ token: VIEWER })));
    expect(hint).toContain('the role billing_admin');
  },
);

test.each(each(OWN_GROUPS))(
  'a billing token works on %s of its own account',
  async (_what, calls) => {
    const client = standing.client({ token: 'svc-bsat-sandbox-all' });

    expect(await refusedOf(calls, client)).toEqual([]);
    for (const { caller, path } of await standing.calls()) {
      expect(caller).toMatchObject({ kind: 'billing-token' });
      expect(path).toMatch(/^\/billing\/(?:account\/5f0c9d3e-|chargeable_items$)/);
    }
  },
);

test.each([
  [
    'an admin',
    ADMIN,
    Object.keys({ ...ADMIN_CALLS, ...MONEY_CALLS, ...ACCOUNT_CALLS, ...CREATE_ORG }),
  ],
  ['a viewer', VIEWER, Object.keys({ ...MONEY_CALLS, ...ACCOUNT_CALLS })],
  ['an org creator', CREATOR, Object.keys({ ...ACCOUNT_CALLS, ...CREATE_ORG })],
])('a billing token works within its roles: %s', async (_role, token, expected) => {
  const client = standing.client({ token });

  const refused = await refusedOf(OWN_CALLS, client);

  const allowed = Object.keys(OWN_CALLS).filter((name) => !refused.includes(name));
  expect(allowed).toEqual([...expected, ...Object.keys(CATALOGUE)]);
});

test('a billing token of another account is unauthorized', async () => {
  const client = standing.client({ token: OF_SECOND });
  const { 'charges.chargeableItems': _anybody, ...calls } = OWN_CALLS;
  expect(await refusedOf(calls, client)).toEqual(Object.keys(calls));
  expect((await failureOf(client.getAccount())).hint).toContain('of another account');
});

test.each([
  ...each({ ...USER_CALLS, ...ORG_CALLS }),
  ['the usage API', () => usageOf(undefined)] as const,
  ['the org API', () => deploymentsOf(undefined)] as const,
])('a billing token is not even sent to %s', async (_where, call: BillingCall) => {
  const failure = await failureOf(call(standing.client({ orgKeyOf: () => undefined })));

  expect(failure).toMatchObject({ reason: 'unauthorized', status: undefined });
  expect(failure.message).toMatch(/Purser has no(?:ne| key)/);
  expect(await standing.calls()).toEqual([]);
  // Sent all the same, it would be refused.
  const careless = standing.client({ user: ADMIN, orgKeyOf: () => ADMIN });
  const sent = [call(careless), usageOf(bearer(ADMIN)), deploymentsOf(bearer(ADMIN))];
  expect(await Promise.all(sent.map(isAllowed))).toEqual([false, false, false]);
});

test.each(each(ACCOUNT_CALLS))(
  'reading an account and listing its orgs takes any of the three roles: %s',
  async (_what, call) => {
    expect(await rolesThatMay(call)).toEqual(['admin', 'viewer', 'creator']);

    await standing.control('users', { email: 'eve@contractor.example', roles: [] });
    const withoutRole = standing.client({ token: 'sandbox-user-eve' });
    expect(await isAllowed(call(withoutRole))).toBe(false);
  },
);

test.each([
  ['an admin', ADA, true],
  ['a viewer', CLEO, true],
  ['an org creator', DANA, false],
])(
  'the account of an org is reported to an admin or viewer of the account that pays: %s',
  async (_role, user, expected) => {
    expect(await isAllowed(standing.client({ user }).getPayerOf('acme'))).toBe(expected);
  },
);

test.each(each(CREATE_ORG))(
  'an org is made by an admin or an org creator: %s',
  async (_what, call) => {
    expect(await rolesThatMay(call)).toEqual(['admin', 'creator']);
  },
);

test.each(each(MONEY_CALLS))(
  'charges, tag values, invoices and users are read by an admin or a viewer: %s',
  async (_what, call) => {
    expect(await rolesThatMay(call)).toEqual(['admin', 'viewer']);

    const { hint } = await failureOf(call(standing.client({ token: CREATOR })));
    expect(hint).toContain('billing_admin or billing_viewer');
  },
);

test('each call carries the credential of its API as Bearer', async () => {
  const client = standing.client({ user: ADA });

  await client.getAccount();
  await client.listAccounts();
  await client.charges.chargeableItems();
  await client.listQuotas('acme');
  await usageOf(bearer('sandbox-key-acme'));

  const carried = (await standing.calls()).map(({ scheme, caller }) => [scheme, caller?.kind]);
  expect(carried).toEqual([
    ['Bearer', 'billing-token'],
    ['Bearer', 'user'],
    ['Bearer', 'billing-token'],
    ['Bearer', 'org-key'],
    ['Bearer', 'org-key'],
  ]);
});

test.each(each({ ...OWN_GROUPS, ...OTHER_GROUPS }))(
  'a user token works on %s',
  async (_what, calls) => {
    const client = standing.client({ token: ADA, user: ADA, orgKeyOf: () => ADA });

    expect(await refusedOf(calls, client)).toEqual([]);
    for (const { caller } of await standing.calls()) expect(caller).toMatchObject({ kind: 'user' });
  },
);

test.each(each({ ...OWN_GROUPS, ...OTHER_GROUPS }).filter(([group]) => group !== 'the catalogue'))(
  'the key of an org works on its charges and quotas, and is sent nowhere else in billing: %s',
  async (group, calls) => {
    const isItsOwn = group === 'what belongs to an org';
    const all = Object.keys(calls);
    const withKey = (key: string) =>
      standing.client({ token: key, user: key, orgKeyOf: () => key });

    await refusedOf(calls, standing.client({ user: ADA }));
    const kinds = (await standing.calls()).map(({ caller }) => caller?.kind);

    expect(kinds.includes('org-key')).toBe(isItsOwn);
    expect(await refusedOf(calls, withKey('sandbox-key-acme'))).toEqual(isItsOwn ? [] : all);
    expect(await refusedOf(calls, withKey('sandbox-key-globex'))).toEqual(all);
  },
);

test.each([
  ['its key with readMetrics', 'sandbox-key-acme', true],
  ['its key without', 'sandbox-readusage-acme', false],
  ['the key of another org', 'sandbox-key-globex', false],
  ['an admin', ADA, true],
  ['a viewer', CLEO, true],
  ['an org creator', DANA, false],
])(
  'the charges of an org take readMetrics there, or an admin or viewer of the account: %s',
  async (_who, token, expected) => {
    expect(await isAllowed(chargesOfOrg(standing.client({ orgKeyOf: () => token })))).toBe(
      expected,
    );
  },
);

test('readUsage opens neither the charges nor the usage of an org, and the refusal says so', async () => {
  const key = 'sandbox-readusage-acme';

  const refusals = [
    await failureOf(chargesOfOrg(standing.client({ orgKeyOf: () => key }))),
    await failureOf(usageOf(bearer(key))),
  ];
  await standing.control('permissions', { org: 'acme', readMetrics: false });
  const withoutGrant = await isAllowed(usageOf(bearer('sandbox-key-acme')));

  expect(refusals.map(({ status }) => status)).toEqual([401, 401]);
  expect(refusals.every(({ hint }) => /readMetrics.*readUsage/.test(hint ?? ''))).toBe(true);
  expect(withoutGrant).toBe(false);
});

test('the usage of an org opens to its own key alone, and to none when the org is deactivated', async () => {
  const own = await isAllowed(usageOf(bearer('sandbox-key-acme')));
  const other = await isAllowed(usageOf(bearer('sandbox-key-globex')));
  await standing.control('org', { org: 'acme', active: false });
  const deactivated = await isAllowed(usageOf(bearer('sandbox-key-acme')));

  expect([own, other, deactivated]).toEqual([true, false, false]);
});

test.each([
  ['its key, without readMetrics', 'sandbox-key-acme', true],
  ['its key without view', 'sandbox-readusage-acme', false],
  ['the key of another org', 'sandbox-key-globex', false],
])(
  'a key that may view workloads reads their deployments, listed or alone: %s',
  async (_whose, token, expected) => {
    await standing.control('permissions', { org: 'acme', readMetrics: false });
    const client = startClient(standing.platform.url, { credentialOf: () => bearer(token) });

    const path = 'org/acme/gvc/shop/workload/web/deployment/aws-us-west-2';
    const headers = { authorization: `Bearer ${token}` };
    const alone = await fetch(`${standing.platform.url}/${path}`, { headers });
    const sent = [client.listGvc('acme', 'shop'), client.listWorkload('acme', 'shop', 'web')];
    expect(await Promise.all(sent.map(isAllowed))).toEqual(sent.map(() => expected));
    expect(alone.ok).toBe(expected);
  },
);

test.each<[string, (own: Credential) => Promise<unknown>]>([
  ['billing', (own) => standing.client({}, { accountCredential: own }).getAccount()],
  ['quotas', (own) => standing.client({}, { credentialOf: () => own }).listQuotas('acme')],
  ['usage', usageOf],
  ['the org path', deploymentsOf],
])('a workload’s own token goes plain, and is forbidden outside: %s', async (_where, call) => {
  const failure = await failureOf(call({ ...bearer('sandbox-workload-web'), kind: 'workload' }));

  expect(failure).toMatchObject({ reason: 'forbidden', status: 403, retryable: false });
  expect((await standing.calls()).map(({ scheme }) => scheme)).toEqual(['plain']);
});
