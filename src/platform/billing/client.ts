import { createAccounts } from './account.ts';
import { createAlerts } from './alert.ts';
import { createCharges } from './charges.ts';
import { createBillingContext, type BillingClientOptions } from './context.ts';
import { createInvoices } from './invoices.ts';
import { createOrgs, createQuotas } from './orgs.ts';
import { createRecipients } from './recipients.ts';
import { createTokens } from './tokens.ts';
import { createUsers } from './users.ts';

/**
 * The billing API of one account (spec 4.1 to 4.3). Reads are cached for seconds and carry their time; `{
 * fresh: true }` bypasses the cache. Every failure is a PlatformError.
 */
export type BillingClient = ReturnType<typeof createBillingClient>;

export function createBillingClient(options: BillingClientOptions) {
  const context = createBillingContext(options);
  return {
    ...createInvoices(context),
    ...createAlerts(context),
    ...createTokens(context),
    ...createAccounts(context),
    ...createOrgs(context),
    ...createUsers(context),
    ...createRecipients(context),
    ...createQuotas(context),
    charges: createCharges(context),
    /** Whether a user token is configured, which `listAccounts` and `getPayerOf` need. */
    hasUser: context.hasUser,
    close: () => context.close(),
  };
}
