import { createScrubber } from '../../lib/scrub.ts';
import { pathOf } from '../address.ts';
import { authorizationOf } from '../credential.ts';
import type { Credential, OrgCredentials } from '../credential.ts';
import { PlatformError } from '../errors.ts';
import { createHttp } from '../http.ts';
import type { Http, HttpLimits } from '../http.ts';
import { createOrgHttp } from '../org-http.ts';
import { CACHE_MS, createReadCache } from '../read-cache.ts';
import type { ReadCache } from '../read-cache.ts';
import type { Turns } from '../turns.ts';
import { createExplain } from './explain.ts';
import type { Caller } from './explain.ts';
import type { BillingRole } from './roles.ts';

/** What calls of single orgs take. */
export interface OrgBillingDeps {
  billingUrl: string;
  /** Keys of org service accounts: `/org/<org>/charges/-query` and the quotas. */
  orgCredentialOf: OrgCredentials;
  limits?: Partial<HttpLimits>;
  turns?: Turns;
  /** How long repeated reads are remembered, ms (see `createReadCache`). */
  cacheMs?: number;
  now?: () => number;
}

export interface BillingDeps extends OrgBillingDeps {
  /** UUID of the account: the `id` of an item of `GET /account` (spec 2.1). */
  accountId: string;
  /** The billing service account token: `/account/<accountId>` endpoints and the catalogue. */
  accountCredential: Credential;
  /** A user's token, for the endpoints that take no other; absent: they are refused unsent. */
  userCredential?: Credential;
}

/** What the parts of the billing client share: each credential only where it works (spec section 5). */
export interface BillingContext {
  /** Path of the account followed by `names`. */
  accountPath(...names: string[]): string;
  /** Charges and tag values of the own account, and `GET /chargeable_items`. */
  readonly account: Http;
  /** Other `/account/<accountId>` endpoints; `roles` are those that do, for the sentence of a 401. */
  accountFor(...roles: readonly BillingRole[]): Http;
  readonly hasUser: boolean;
  /** `GET /account` and `GET /org/<org>/account`. @throws PlatformError `unauthorized` without a user token */
  user(): Http;
  /** `/org/<org>/charges/-query` and the quota endpoints. @throws PlatformError `unauthorized` without a key */
  org(org: string): Http;
  readonly cache: ReadCache;
  /** How long what was read is remembered; ms. */
  readonly cacheMs: number;
  readonly now: () => number;
  close(): Promise<void>;
}

/** The part of it that takes the keys of orgs alone. */
export function createOrgContext(
  deps: OrgBillingDeps,
): Pick<BillingContext, 'org' | 'cache' | 'cacheMs' | 'now' | 'close'> {
  const { now = Date.now, limits, cacheMs = CACHE_MS } = deps;
  const orgs = createOrgHttp({
    baseUrl: deps.billingUrl,
    credentialOf: deps.orgCredentialOf,
    explainFor: (org, credential) => createExplain({ kind: 'org', org, credential }),
    limits,
    turns: deps.turns,
    now,
  });
  return {
    org: (org) => orgs.of(org),
    cache: createReadCache({ now, ttlMs: cacheMs }),
    cacheMs,
    now,
    close: () => orgs.close(),
  };
}

export function createBillingContext(deps: BillingDeps): BillingContext {
  const { limits, turns } = deps;
  const opened = new Map<string, Http>();
  const ofOrgs = createOrgContext(deps);
  const { now } = ofOrgs;

  function httpOf(caller: Caller, credential: Credential): Http {
    const name = JSON.stringify(caller);
    const known = opened.get(name);
    if (known) return known;
    const http = createHttp({
      baseUrl: deps.billingUrl,
      authorization: () => authorizationOf(credential),
      scrub: createScrubber([credential.secret]),
      explain: createExplain(caller),
      now,
      ...(limits ? { limits } : {}),
      ...(turns ? { turn: turns.of('account') } : {}),
    });
    opened.set(name, http);
    return http;
  }

  function accountFor(...roles: readonly BillingRole[]): Http {
    const { accountId, accountCredential } = deps;
    const credential = accountCredential.kind;
    return httpOf({ kind: 'account', accountId, roles, credential }, accountCredential);
  }

  return {
    accountPath: (...names) => pathOf('account', deps.accountId, ...names),
    account: accountFor('billing_admin', 'billing_viewer'),
    accountFor,
    hasUser: deps.userCredential !== undefined,
    user() {
      const { userCredential } = deps;
      if (userCredential) {
        return httpOf({ kind: 'user', credential: userCredential.kind }, userCredential);
      }
      throw new PlatformError('unauthorized', 'this takes a user token, and none is configured', {
        credential: 'user',
      });
    },
    ...ofOrgs,
    close: async () => {
      await Promise.all([ofOrgs, ...opened.values()].map((http) => http.close()));
    },
  };
}
