import { createBillingClient } from '../../../../src/platform/billing/client.ts';
import type { HttpLimits } from '../../../../src/platform/http.ts';
import { createDeploymentsClient } from '../../../../src/platform/deployments/client.ts';
import { createUsageClient } from '../../../../src/platform/usage.ts';
import { MAIN } from '../billing/support.ts';
import { bearer } from '../support.ts';
import type { Clients } from './calls.ts';

export interface Tokens {
  readonly account: string;
  readonly user: string;
  readonly org: string;
}

const TRUE_TOKENS: Tokens = {
  account: 'svc-bsat-sandbox-admin',
  user: 'sandbox-user-ada',
  org: 'sandbox-key-acme',
};

/** All three clients of one place, which ask it once and remember nothing. */
export function startClients(
  url: string,
  tokens: Tokens = TRUE_TOKENS,
  limits: Partial<HttpLimits> = {},
): Clients & { close(): Promise<void> } {
  const credentialOf = () => bearer(tokens.org);
  const shared = { cacheMs: 0, limits: { attempts: 1, totalMs: 10_000, ...limits } };
  const billing = createBillingClient({
    baseUrl: `${url}/billing`,
    accountId: MAIN,
    accountCredential: bearer(tokens.account),
    userCredential: bearer(tokens.user),
    credentialOf,
    now: () => Date.parse('2026-10-15T12:00:00Z'),
    ...shared,
  });
  const usage = createUsageClient({ baseUrl: `${url}/usage`, credentialOf, ...shared });
  const deployments = createDeploymentsClient({
    baseUrl: url,
    credentialOf,
    limits: shared.limits,
  });
  return {
    billing,
    usage,
    deployments,
    close: async () => {
      await Promise.all([billing.close(), usage.close(), deployments.close()]);
    },
  };
}
