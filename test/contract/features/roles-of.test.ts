import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rolesOf } from '../../../src/features/roles-of.ts';
import { Secret } from '../../../src/lib/secret.ts';
import { createBillingClient } from '../../../src/platform/billing/client.ts';
import { createSandboxPlatform } from '../../../src/sandbox/platform/server.ts';

const ACCOUNT = '5f0c9d3e-8a41-4b7e-9c26-d1a7e3b0f482';
const platform = createSandboxPlatform();

function billing(token = 'svc-bsat-sandbox-viewer') {
  return createBillingClient({
    billingUrl: platform.billingUrl,
    accountId: ACCOUNT,
    accountCredential: { kind: 'bearer', secret: new Secret(token) },
    orgCredentialOf: () => undefined,
  });
}

beforeAll(() => platform.listen());
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

  it('are none for a stranger', async () => {
    await expect(rolesOf(billing(), 'mallory@evil.example')).resolves.toBeUndefined();
  });

  it('are refused in one sentence when the token may not ask', async () => {
    await expect(rolesOf(billing('svc-bsat-sandbox-expired'), 'ada@acme.example')).rejects.toThrow(
      'has to check BILLING_TOKEN',
    );
  });
});
