import { createBillingClient } from '../../../src/platform/billing/client.ts';
import { createDeploymentsClient } from '../../../src/platform/deployments/client.ts';
import type { HttpLimits } from '../../../src/platform/http.ts';
import { createUsageClient } from '../../../src/platform/usage.ts';
import { ADA, ADMIN, MAIN, NOW } from './billing/support.ts';
import type { Clients } from './calls.ts';
import { bearer } from './support.ts';

interface Options {
  readonly account?: string;
  readonly user?: string;
  readonly orgKeyOf?: (org: string) => string | undefined;
  readonly now?: () => number;
  readonly limits?: Partial<HttpLimits>;
}

/** All three clients of one place, which remember nothing. */
export function startClients(
  url: string,
  {
    account = ADMIN,
    user = ADA,
    orgKeyOf = () => 'sandbox-key-acme',
    now = () => Date.parse(NOW),
    limits = {},
  }: Options = {},
): Clients & { close(): Promise<void> } {
  const shared = { credentialOf: (org: string) => bearer(orgKeyOf(org)), limits };
  const billing = createBillingClient({
    ...shared,
    baseUrl: `${url}/billing`,
    accountId: MAIN,
    accountCredential: bearer(account),
    userCredential: bearer(user),
    now,
    cacheMs: 0,
  });
  const usage = createUsageClient({ ...shared, baseUrl: `${url}/usage`, now, cacheMs: 0 });
  const deployments = createDeploymentsClient({ ...shared, baseUrl: url });
  return {
    billing,
    usage,
    deployments,
    close: async () => {
      await Promise.all([billing.close(), usage.close(), deployments.close()]);
    },
  };
}
