import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createDoctorHarness, MAIN, SECOND, type SetUp } from './harness.ts';

let doctor: Awaited<ReturnType<typeof createDoctorHarness>>;

beforeAll(async () => {
  doctor = await createDoctorHarness();
});
afterAll(() => doctor.close());
beforeEach(() => doctor.reset());

const STRANGE = '11111111-2222-4333-8444-555555555555';

// The catalogue has each finding in full.
test.each<[string, SetUp, string]>([
  [
    'a wrong account id',
    { account: STRANGE },
    `BILLING_ACCOUNT_ID: .* set it to ${MAIN}, which pays for org acme$`,
  ],
  [
    'the other one of a person’s two accounts',
    { account: SECOND },
    `BILLING_ACCOUNT_ID: .*set it to ${MAIN}, which pays`,
  ],
  [
    'a wrong account id without a user token',
    { account: STRANGE, user: '' },
    'BILLING_ACCOUNT_ID: .*the id \\(not the accountId\\) that GET /account gives',
  ],
  [
    'the id at the payment processor',
    { account: 'cus_SandboxMain' },
    `BILLING_ACCOUNT_ID: it is the customer id of the payment processor.* set it to ${MAIN}, the account’s own id$`,
  ],
  [
    'a token of another account',
    { token: 'svc-bsat-sandbox-second' },
    `BILLING_TOKEN: it is valid, but belongs to another account .* account ${MAIN}, and set BILLING_TOKEN`,
  ],
  [
    'an expired token',
    { token: 'svc-bsat-sandbox-expired' },
    'BILLING_TOKEN: the platform refuses it everywhere',
  ],
  [
    'a mistyped token',
    { token: 'svc-bsat-sandbox-mistyped' },
    'BILLING_TOKEN: the platform refuses it everywhere',
  ],
  ['a user’s token', { token: 'sandbox-user-ada' }, 'BILLING_TOKEN: it is the token of a person'],
  [
    'another user’s token',
    { token: 'sandbox-user-ben' },
    'BILLING_TOKEN: it is the token of a person',
  ],
  [
    'a viewer’s token',
    { token: 'svc-bsat-sandbox-viewer' },
    'BILLING_TOKEN: it has billing_viewer, not',
  ],
  [
    'a token that may only create orgs',
    { token: 'svc-bsat-sandbox-creator' },
    'BILLING_TOKEN: it has only org_creator',
  ],
  ['a token of another brand', { prefix: 'brand' }, 'BRAND_PREFIX: BILLING_TOKEN works, but'],
  [
    'a user token that is dead',
    { user: 'sandbox-user-unknown' },
    'BILLING_USER_TOKEN: the platform refuses it: it is mistyped or expired',
  ],
  [
    'a billing token as user token',
    { user: 'svc-bsat-sandbox-all' },
    'BILLING_USER_TOKEN: it is a billing service account token',
  ],
])('reports %s, and nothing else', async (_, setUp, line) => {
  const [first, ...others] = await doctor.troubles(setUp);
  expect(first).toMatch(new RegExp(`^(broken|doubtful) ${line}`));
  expect(others).toEqual([]);
});

test('an org’s key as user token is reported by its org', async () => {
  expect((await doctor.troubles({ user: 'sandbox-key-acme' })).at(-1)).toMatch(
    /^broken BILLING_USER_TOKEN: it is the key of org acme, not the token of a person/,
  );
});

test('without an org that it pays for, the ids of a person’s accounts are not shown to everybody', async () => {
  const troubles = await doctor.troubles({ account: STRANGE, keys: { 'other-org': 'nonsense' } });

  expect(troubles.join('\n')).toMatch(
    /BILLING_ACCOUNT_ID: .* → set it to the id \(not the accountId\) that GET \/account gives for the account of BILLING_TOKEN$/m,
  );
  expect(troubles.join('\n')).not.toContain(MAIN);
  expect(troubles.join('\n')).not.toContain(SECOND);
});

test('an org’s key as billing token is reported by ORG_TOKENS, and sent to no account', async () => {
  const troubles = await doctor.troubles({ token: 'sandbox-key-acme' });
  const asked = await doctor.requests();

  expect(troubles).toStrictEqual([
    expect.stringMatching(/^broken BILLING_TOKEN: it is the key of an org \(acme\), which opens/),
  ]);
  expect(asked.some(({ path }) => path.startsWith('/billing/account/'))).toBe(false);
});

test('another key of an org as billing token is recognized by the paths that it opens', async () => {
  const keys = { acme: 'sandbox-readusage-acme' };
  const troubles = await doctor.troubles({ token: 'sandbox-key-acme', keys });

  expect(troubles.at(-1)).toMatch(/^broken BILLING_TOKEN: it is the key of an org \(acme\)/);
});

test('a billing token is sent to no path where it does not work', async () => {
  await doctor.examine({ token: 'svc-bsat-sandbox-expired', user: '' });
  const asked = await doctor.requests();
  const mine = asked.filter(({ caller }) => caller?.kind === 'billing-token');

  expect(mine.length).toBeGreaterThan(3);
  expect(mine.every(({ path }) => /^\/billing\/(?:account\/|chargeable_items)/.test(path))).toBe(
    true,
  );
});

test('a wrong path in BILLING_URL is reported, although everything there is refused', async () => {
  const troubles = await doctor.troubles({ billing: `${doctor.platform.url}/bill` });

  expect(troubles).toStrictEqual([
    'broken BILLING_URL: something answers there, but knows no such path (status 404) → check what follows the host in BILLING_URL: a part of the path is missing or too much',
  ]);
});

test('tokens that expire within 14 days are counted, and not named to everybody', async () => {
  await doctor.addToken('short-lived', 3);
  await doctor.addToken('long-lived', 30);
  const troubles = await doctor.troubles();

  expect(troubles).toStrictEqual([
    'doubtful Billing tokens: 1 token expires within 14 days, Purser’s own may be among them → look at /billing tokens; if it is Purser’s own, create another one in time and set BILLING_TOKEN to it',
  ]);
  doctor.platform.clock.advance(40 * 86_400_000);
  expect(await doctor.troubles()).toStrictEqual([]);
});

test('one admin alone can have nothing approved, unless that is allowed', async () => {
  for (const email of ['ben@acme.example', 'gus@acme.example']) {
    await doctor.control('users', { email, roles: ['billing_viewer'] });
  }
  const troubles = await doctor.troubles();

  expect(troubles).toStrictEqual([
    'doubtful Billing users: only one person has billing_admin, so no one can approve what that person asks for → have a second person made billing_admin, or set ALLOW_SELF_APPROVAL=true or APPROVALS=off',
  ]);
  expect(await doctor.troubles({ selfApproval: 'true' })).toStrictEqual([]);
  expect(await doctor.troubles({ approvals: 'off' })).toStrictEqual([]);

  await doctor.control('users', { email: 'ada@acme.example', roles: ['billing_viewer'] });
  expect((await doctor.troubles())[0]).toMatch(/^broken Billing users: no one has billing_admin/);
});

test('without billing there are no findings about it here', async () => {
  const findings = await doctor.examine({ billing: '' });

  expect(findings.some(({ what }) => what.startsWith('B'))).toBe(false);
});
