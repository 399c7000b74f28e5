import type { FastifyRequest } from 'fastify';

import type { Account, AccountOrg, BillingRole } from './model.ts';

/** Who calls, as far as a route has to know. */
export interface Caller {
  readonly kind: 'user' | 'service-account';
  /** Address of the user, or the name of the token. */
  readonly name: string;
  readonly roles: readonly BillingRole[];
}

/**
 * Who may call what (spec section 5). Each check answers what the route needs, or throws the 401 of
 * its API. What was allowed stays allowed for up to five minutes, and the other way round.
 */
export interface Guard {
  /** A user or a billing service account token with one of `roles` on the account of that id. */
  account(
    request: FastifyRequest,
    accountId: string,
    roles: readonly BillingRole[],
  ): { account: Account; caller: Caller };
  /** `/org/<org>/charges/-query`: an org key with `readMetrics`, or a user with a role on the paying account. */
  orgCharges(request: FastifyRequest, org: string): { account: Account; org: AccountOrg };
  /** `GET /org/<org>/account`: a user with one of the roles on the paying account. */
  payer(request: FastifyRequest, org: string): Account;
  /** Quota endpoints: an org key, or a user of the paying account. */
  orgQuotas(request: FastifyRequest, org: string): AccountOrg;
  /** `GET /account`: a user, with the accounts that they belong to. */
  user(request: FastifyRequest): { email: string; accounts: Account[] };
  /** Any valid token (`GET /chargeable_items`). */
  anyToken(request: FastifyRequest): void;
  /** The usage API: an org credential with `readMetrics` on an active org. */
  usage(request: FastifyRequest, org: string): AccountOrg;
}
