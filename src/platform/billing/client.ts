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
 * The billing API of one account (spec 4.1 to 4.3). Reads are remembered for seconds and say when
 * they were made; `{ fresh: true }` asks now. Every failure is a PlatformError.
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
    /** Priced usage, tag values and the catalogue. */
    charges: createCharges(context),
    /** Whether there is a user token, which `listAccounts` and `getPayerOf` take. */
    hasUser: context.hasUser,
    /** Ends the calls that still run and closes the connections. */
    close: () => context.close(),
  };
}
