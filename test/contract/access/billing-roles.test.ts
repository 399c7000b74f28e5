import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { rolesOf } from '../../../src/access/authorizer.ts';
import { Secret } from '../../../src/lib/secret.ts';
import { createBillingClient } from '../../../src/platform/billing/client.ts';
import { createSandboxPlatform } from '../../../src/sandbox/platform/server.ts';

const ACCOUNT = '5f0c9d3e-8a41-4b7e-9c26-d1a7e3b0f482';
const platform = createSandboxPlatform();
const PEOPLE = ['ada@acme.example', 'mallory@evil.example'];
const ADA = { email: 'Ada@acme.example', roles: ['billing_admin'] };

/** Answers of the platform fail like this from now on. */
async function fault(...faults: object[]) {
  const response = await fetch(`${platform.url}/_sandbox/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ faults }),
  });
  expect(response.ok).toBe(true);
}

function billing(token = 'svc-bsat-sandbox-viewer') {
  return createBillingClient({
    baseUrl: platform.billingUrl,
    accountId: ACCOUNT,
    accountCredential: { kind: 'bearer', secret: new Secret(token) },
    credentialOf: () => undefined,
    limits: { attempts: 1 },
  });
}

beforeAll(() => platform.listen());
afterEach(() => fault());
afterAll(() => platform.close());

describe('the billing roles behind an address', () => {
  it('are those of the platform', async () => {
    await expect(rolesOf(billing(), 'ada@acme.example')).resolves.toEqual(['billing_admin']);
    await expect(rolesOf(billing(), 'dana@acme.example')).resolves.toEqual(['org_creator']);
  });

  it('are found also where the platform looks up letter by letter', async () => {
    const iris = { email: 'Iris.Grau@ACME.example', roles: ['billing_viewer'] as const };
    const picky = {
      getUser: () => Promise.resolve({ value: undefined, readAt: 0 }),
      listUsers: () => Promise.resolve({ value: { items: [iris], skipped: 0 }, readAt: 0 }),
    };

    await expect(rolesOf(picky, 'iris.grau@acme.example')).resolves.toEqual(['billing_viewer']);
  });

  it.each([
    ['cannot be read', { status: 200, body: { email: 7 } }],
    ['is of another person', { status: 200, body: { email: 'ben@acme.example', roles: [] } }],
    ['fails', { status: 500 }],
    ['is not there', { status: 503 }],
  ])('are found in the list when the lookup by address %s', async (_what, answer) => {
    await fault({ path: '/user/email/', ...answer }, { path: '/user$', status: 200, body: [ADA] });

    await expect(rolesOf(billing(), 'ada@acme.example')).resolves.toEqual(['billing_admin']);
    await expect(rolesOf(billing(), 'mallory@evil.example')).resolves.toBeUndefined();
  });

  it.each([
    ['rows cannot be read', [{ path: '/user$', body: [ADA, { id: 7 }] }]],
    [
      'the look-up fails, and no user is',
      [
        { path: '/user/email/', status: 500 },
        { path: '/user$', body: [] },
      ],
    ],
  ])('are refused, and not missing, when %s in the list', async (_, faults) => {
    await fault(...faults);

    await expect(rolesOf(billing(), 'mallory@evil.example')).rejects.toThrow(
      'Purser cannot read every user of the billing account',
    );
  });

  it('are read anew, not taken from the cache', async () => {
    const asked = billing();
    const now = () => Promise.all(PEOPLE.map((email) => rolesOf(asked, email)));
    await expect(now()).resolves.toEqual([['billing_admin'], undefined]);

    const roles = ['billing_viewer'];
    await fault(
      { path: '/user/email/ada', body: { email: PEOPLE[0], roles } },
      { path: '/user$', body: [{ email: PEOPLE[1], roles }] },
    );

    await expect(now()).resolves.toEqual([roles, roles]);
  });

  it('are refused when the platform gives neither', async () => {
    await fault({ path: '/user', status: 503 });

    await expect(rolesOf(billing(), 'ada@acme.example')).rejects.toThrow('does not answer');
  });

  it('are undefined for an unknown address', async () => {
    await expect(rolesOf(billing(), 'mallory@evil.example')).resolves.toBeUndefined();
  });

  it('are refused in one sentence when the token may not ask', async () => {
    await expect(rolesOf(billing('svc-bsat-sandbox-expired'), 'ada@acme.example')).rejects.toThrow(
      'Ask your Purser administrator to check BILLING_TOKEN and BILLING_ACCOUNT_ID.',
    );
  });
});
