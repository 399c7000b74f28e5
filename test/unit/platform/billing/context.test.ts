import { describe, expect, test } from 'vitest';
import { createExplain, type Caller } from '../../../../src/platform/billing/context.ts';

const UUID = '5f0c9d3e-8a41-4b7e-9c26-d1a7e3b0f482';
const ACCOUNT = `/account/${UUID}`;
const ADMIN = {
  kind: 'account',
  accountId: UUID,
  roles: ['billing_admin'],
  credential: 'bearer',
} as const;
const READER = { ...ADMIN, roles: ['billing_admin', 'billing_viewer'] } as const;
const USER = { kind: 'user', credential: 'bearer' } as const;
const ACME = { kind: 'org', org: 'acme', credential: 'bearer' } as const;

function explain(
  caller: Caller,
  status: number,
  sentence: string,
  path = ACCOUNT,
  sent: object = {},
) {
  return createExplain(caller)({
    status,
    sentence,
    path,
    sent,
    nowMs: Date.UTC(2026, 10, 20),
    body: JSON.stringify({ code: status, error: sentence }),
  });
}

describe('the hint of a refusal', () => {
  test.each<[Caller, string, RegExp]>([
    [ADMIN, `${ACCOUNT}/alert`, /mistyped, expired.*the role billing_admin; .*5 minutes/],
    [READER, ACCOUNT, /a role \(billing_admin or billing_viewer\); .*5 minutes/],
    [READER, '/chargeable_items', /^the token may be mistyped, expired or deleted; /],
    [USER, '/account', /^the user token may be mistyped or expired$/],
    [USER, '/org/acme/account', /user token.*role.*paying account; .*5 minutes/],
    [ACME, '/org/acme/charges/-query', /org acme.*readMetrics \(readUsage does not/],
    [ACME, '/org/acme/quotas', /org acme.*permission on the quotas/],
    [{ ...ADMIN, accountId: 'cus_Main' }, ACCOUNT, /"cus_Main" is the payment processor.*UUID/],
    [{ ...ADMIN, accountId: 'main' }, ACCOUNT, /"main" is not an account id, .*GET \/account/],
  ])('as a 401 of %j at %s names the likely cause', (caller, path, hint) => {
    expect(explain(caller, 401, 'unauthorized', path).hint).toMatch(hint);
  });

  test('a 403 is the token of a workload that is elsewhere, or a permission', () => {
    const workload = { ...ACME, credential: 'workload' } as const;

    expect(explain(workload, 403, 'forbidden').hint).toMatch(/workload.*only inside of that/);
    expect(explain(ACME, 403, 'forbidden').hint).toMatch(/may lack a permission/);
  });

  test('other refusals have none', () => {
    expect(explain(ADMIN, 409, 'alert already exists')).toEqual({});
  });
});

describe('a 404', () => {
  test.each([
    '',
    '/charges/-query',
    '/charges/invoices',
    '/charges/invoices/pending',
    '/tags/values/query',
    '/service-account-token',
    '/org',
    '/user',
    '/invoice-delivery/recipients',
    '/invoice-delivery/deliveries',
  ])('of a path that every account has is about the account itself: %s', (path) => {
    expect(explain(READER, 404, 'not found', `/base${ACCOUNT}${path}`)).toEqual({
      credential: 'account',
      hint: expect.stringContaining(`no account ${UUID}`) as string,
    });
    const main = { ...READER, accountId: 'main' };
    expect(explain(main, 404, 'not found', `/account/main${path}`).hint).toMatch(/GET \/account/);
  });

  test.each([
    '/alert',
    '/charges/invoices/i-1',
    '/charges/invoices/pending/external-url',
    '/charges/invoices/i-1/external-url',
    '/service-account-token/t-1',
    '/user/email/ada@acme.example',
    '/invoice-delivery/recipients/r-1',
  ])('of a path that may be missing is about that path: %s', (path) => {
    expect(explain(READER, 404, 'not found', `${ACCOUNT}${path}`)).toEqual({});
  });

  test('of a question that names orgs, or of an org or a user, may be about those', () => {
    const narrowed = { orgs: ['acme'] };

    expect(explain(READER, 404, 'no', `${ACCOUNT}/charges/-query`, narrowed)).toEqual({});
    expect(explain(ACME, 404, 'no', '/org/acme/charges/-query')).toEqual({});
    expect(explain(USER, 404, 'no', ACCOUNT)).toEqual({});
  });
});

describe('a 500', () => {
  test.each([
    'startTime and endTime must be aligned with an hour boundary',
    'invalid timeStep: minute',
    'the given metering query groups by org, but consumption query 0 does not aggregate by org',
    'alert does not exist',
    'no alert is set for this account',
  ])('that says "%s" is the caller’s mistake', (sentence) => {
    expect(explain(READER, 500, sentence).reason).toBe('bad-request');
  });

  test.each(['internal error', 'the database is away', 'unexpected alerting failure'])(
    'that says "%s" stays the server’s',
    (sentence) => {
      expect(explain(READER, 500, sentence).reason).toBeUndefined();
    },
  );
});
