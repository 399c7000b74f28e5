import type { FastifyInstance } from 'fastify';

import type { Auth } from '../auth.ts';
import type { Org } from '../deployments/model.ts';
import type { Books } from '../metering/books.ts';
import type { Random } from '../../random.ts';
import { registerAccountRoutes } from './account-routes.ts';
import { registerAlertRoutes } from './alert-routes.ts';
import { createAlertWatch } from './alert-watch.ts';
import { createCredentials, type Credentials } from './credentials.ts';
import { createGrants } from './grants.ts';
import { createGuard } from './guard.ts';
import { createLedger } from './ledger.ts';
import type { LookBack } from './look-back.ts';
import { createMailbox } from './mailbox.ts';
import type { Account } from './model.ts';
import type { Ids, Office } from './office.ts';
import { registerOrgRoutes } from './org-routes.ts';
import { registerQuotaRoutes } from './quota-routes.ts';
import { registerRecipientRoutes } from './recipient-routes.ts';
import { seedAccounts } from './seed.ts';
import { registerTokenRoutes } from './token-routes.ts';
import { registerUserRoutes } from './user-routes.ts';

export { registerBillingControl, renderAccountStates } from './control.ts';

/** The accounts, their users, and their records. */
export interface Billing extends Office {
  readonly credentials: Credentials;
  accounts(): readonly Account[];
  /** Does what falls due by the clock: the ten-minute check of the alert. */
  catchUp(): void;
}

export function createBilling(deps: {
  orgs: Map<string, Org>;
  auth: Auth;
  books: Books;
  /** The clock by which the books count. */
  clock: LookBack;
  random: Random;
}): Billing {
  const { orgs, auth, books, clock, random } = deps;
  const ledger = createLedger(seedAccounts(orgs, clock.now()));
  const credentials = createCredentials({ auth, ledger });
  const grants = createGrants(clock);
  const guard = createGuard({ ledger, credentials, grants, clock });
  const mailbox = createMailbox();
  const alerts = createAlertWatch({ ledger, books, mailbox, clock });

  return {
    ledger,
    guard,
    grants,
    mailbox,
    alerts,
    auth,
    clock,
    orgs,
    credentials,
    ids: createIds(random),
    accounts: () => ledger.accounts,
    catchUp: () => alerts.catchUp(),
  };
}

/** Everything of the billing API that is neither a charge query nor an invoice (spec 4.3). */
export function registerBillingRoutes(app: FastifyInstance, billing: Billing): void {
  registerAlertRoutes(app, billing);
  registerTokenRoutes(app, billing);
  registerAccountRoutes(app, billing);
  registerOrgRoutes(app, billing);
  registerUserRoutes(app, billing);
  registerRecipientRoutes(app, billing);
  registerQuotaRoutes(app, billing);
}

function createIds(random: Random): Ids {
  return {
    uuid: () =>
      `${random.hex(8)}-${random.hex(4)}-4${random.hex(3)}-a${random.hex(3)}-${random.hex(12)}`,
    secret: () => random.hex(40),
  };
}
