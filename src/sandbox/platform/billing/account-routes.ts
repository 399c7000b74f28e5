import type { FastifyInstance } from 'fastify';

import { renderAlert } from './alert-routes.ts';
import type { Account } from './model.ts';
import type { Office } from './office.ts';
import { accountRoute, ANY_ROLE } from './route.ts';

/** Reading accounts (spec 2.2 and 4.3). */
export function registerAccountRoutes(app: FastifyInstance, { guard }: Office): void {
  app.get('/account', async (request) => ({
    items: guard.user(request).accounts.map(renderAccount),
  }));

  accountRoute(app, guard, { method: 'GET', path: '', roles: ANY_ROLE }, ({ account }) =>
    renderAccount(account),
  );

  app.get<{ Params: { org: string } }>('/org/:org/account', async (request) =>
    renderAccount(guard.payer(request, request.params.org)),
  );
}

/** The account as spec 2.2 names its fields; reading the account includes its alert. */
function renderAccount(account: Account): object {
  const { alert } = account;
  return {
    id: account.id,
    accountId: account.accountId,
    fullName: account.fullName,
    email: account.email,
    address: account.address,
    orgQuota: account.orgQuota,
    enabled: account.enabled,
    tou: account.tou,
    paymentMethods: account.paymentMethods,
    ...(alert === undefined ? {} : { alert: renderAlert(account, alert) }),
  };
}
