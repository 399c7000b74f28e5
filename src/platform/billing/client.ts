import { createAccounts } from './account.ts';
import type { Accounts } from './account.ts';
import { createAlerts } from './alert.ts';
import type { Alerts } from './alert.ts';
import { createCharges } from './charges.ts';
import type { ChargesClient } from './charges.ts';
import { createBillingContext } from './context.ts';
import type { BillingDeps } from './context.ts';
import { createInvoices } from './invoices.ts';
import type { Invoices } from './invoices.ts';
import { createOrgs } from './orgs.ts';
import type { Orgs } from './orgs.ts';
import { createQuotas } from './quotas.ts';
import type { Quotas } from './quotas.ts';
import { createRecipients } from './recipients.ts';
import type { Recipients } from './recipients.ts';
import { createTokens } from './tokens.ts';
import type { Tokens } from './tokens.ts';
import { createUsers } from './users.ts';
import type { Users } from './users.ts';

/**
 * The billing API of one account (spec 4.1 to 4.3). Reads are remembered for seconds and say when
 * they were made; `{ fresh: true }` asks now. Every failure is a PlatformError.
 */
export interface BillingClient
  extends Invoices, Alerts, Tokens, Accounts, Orgs, Users, Recipients, Quotas {
  /** Priced usage, tag values and the catalogue. */
  readonly charges: ChargesClient;
  /** Whether there is a user token, which `listAccounts` and `getPayerOf` take. */
  readonly hasUser: boolean;
  /** Ends the calls that still run and closes the connections. */
  close(): Promise<void>;
}

export function createBillingClient(deps: BillingDeps): BillingClient {
  const context = createBillingContext(deps);
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
    hasUser: context.hasUser,
    close: () => context.close(),
  };
}
