import type { FastifyRequest } from 'fastify';

import type { SandboxClock } from '../clock.ts';
import { SandboxError } from '../errors.ts';
import { nameOf, type Credential, type Credentials } from './credentials.ts';
import type { Grants } from './grants.ts';
import type { Ledger } from './ledger.ts';
import {
  BILLING_ROLES,
  type Account,
  type AccountOrg,
  type BillingRole,
  type BillingToken,
} from './model.ts';

/** Who calls, as far as a route has to know. */
export interface Caller {
  readonly kind: 'user' | 'service-account';
  /** Address of the user, or the name of the token. */
  readonly name: string;
  /** Address of the user, or of the person who created the token. */
  readonly email: string;
  readonly roles: readonly BillingRole[];
}

/**
 * The rights of callers (spec section 5). Each check answers what the route needs, or throws the 401 of
 * its API. Rights and refusals stay valid for up to five minutes; only a
 * token that never existed and an org that is not active are refused at once.
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

const READERS: readonly BillingRole[] = ['billing_admin', 'billing_viewer'];
const LAST_USED_STEP_MS = 60_000;

interface Deps {
  ledger: Ledger;
  credentials: Credentials;
  grants: Grants;
  clock: SandboxClock;
}

export function createGuard(deps: Deps): Guard {
  const { ledger, credentials, clock } = deps;
  const { rolesOn, holds, isReader, readsMetrics } = createPermits(deps);
  const identify = (request: FastifyRequest, refusal = 'unauthorized'): Credential =>
    credentials.read(request.headers.authorization) ?? refuse(refusal);
  const activeOrg = (name: string, refusal = 'unauthorized') => {
    const found = ledger.payerOf(name);
    return found?.org.active === true ? found : refuse(refusal);
  };

  return {
    account(request, accountId, roles) {
      const credential = identify(request);
      const account = ledger.account(accountId) ?? refuse();
      if (!holds(credential, account, roles)) refuse();
      return { account, caller: callerOf(credential, rolesOn(credential, account), clock.now()) };
    },
    orgCharges(request, org) {
      const credential = identify(request);
      const found = activeOrg(org);
      const isAdmitted = isReader(credential, found.account) || readsMetrics(credential, org);
      return isAdmitted ? found : refuse();
    },
    payer(request, org) {
      const credential = identify(request);
      const { account } = activeOrg(org);
      return isReader(credential, account) ? account : refuse();
    },
    orgQuotas(request, org) {
      const credential = identify(request);
      const found = activeOrg(org);
      const isUser = credential.kind === 'user' && holds(credential, found.account, BILLING_ROLES);
      return isUser || isKeyOf(credential, org) ? found.org : refuse();
    },
    user(request) {
      const credential = identify(request);
      if (credential.kind !== 'user') return refuse();
      const { email } = credential;
      return { email, accounts: ledger.accounts.filter(({ users }) => users.has(email)) };
    },
    anyToken(request) {
      const credential = identify(request);
      if (credential.kind !== 'billing-token') return;
      if (!holds(credential, credential.account, BILLING_ROLES)) refuse();
      markUsed(credential.record, clock.now());
    },
    usage(request, org) {
      const credential = identify(request, 'Unauthorized');
      const found = activeOrg(org, 'Unauthorized');
      return readsMetrics(credential, org) ? found.org : refuse('Unauthorized');
    },
  };
}

/** The rights of a credential, at most five minutes old. */
function createPermits({ grants, clock }: Deps) {
  const rolesOn = (credential: Credential, account: Account) =>
    grants.get(credential.token, `account ${account.id}`, () =>
      currentRoles(credential, account, clock.now()),
    );
  const holds = (credential: Credential, account: Account, roles: readonly BillingRole[]) =>
    rolesOn(credential, account).some((role) => roles.includes(role));

  return {
    rolesOn,
    holds,
    /** A person with `billing_admin` or `billing_viewer`; a billing token opens no path of an org. */
    isReader: (credential: Credential, account: Account) =>
      credential.kind === 'user' && holds(credential, account, READERS),
    readsMetrics: (credential: Credential, org: string) =>
      grants.get(
        credential.token,
        `metrics ${org}`,
        () => isKeyOf(credential, org) && credential.key.readMetrics,
      ),
  };
}

function refuse(refusal = 'unauthorized'): never {
  throw new SandboxError(401, refusal);
}

/** The rights of a credential on an account now, without a cache. */
function currentRoles(
  credential: Credential,
  account: Account,
  now: number,
): readonly BillingRole[] {
  if (credential.kind === 'user') return account.users.get(credential.email)?.roles ?? [];
  if (credential.kind === 'org-key' || credential.account !== account) return [];
  const { record } = credential;
  const isExpired = record.expiresAt !== undefined && record.expiresAt <= now;
  return record.deleted || isExpired ? [] : record.roles;
}

/** A key of that org that opens more than `readUsage` does. */
function isKeyOf(
  credential: Credential,
  org: string,
): credential is Extract<Credential, { kind: 'org-key' }> {
  if (credential.kind !== 'org-key') return false;
  return credential.key.org === org && credential.key.kind !== 'read-usage';
}

function callerOf(credential: Credential, roles: readonly BillingRole[], now: number): Caller {
  const name = nameOf(credential);
  if (credential.kind !== 'billing-token') return { kind: 'user', name, email: name, roles };
  markUsed(credential.record, now);
  return { kind: 'service-account', name, email: credential.record.createdBy, roles };
}

/** Approximate on purpose: noted at most once a minute (spec 2.5). */
function markUsed(record: BillingToken, now: number): void {
  if (record.lastUsedAt !== undefined && now - record.lastUsedAt < LAST_USED_STEP_MS) return;
  record.lastUsedAt = now;
}
