import type { Explain } from '../answer.ts';
import { explainQuery } from '../consumption/query.ts';
import { PlatformError } from '../errors.ts';
import {
  createHttp,
  pathOf,
  type Credential,
  type Http,
  createOrgHttp,
  DELAY,
  forbiddenHint,
  orgKeyHint,
  type OrgApiOptions,
} from '../http.ts';
import { objectOf } from '../json.ts';
import { CACHE_MS, createReadCache, type ReadCache } from '../concurrency.ts';
import type { BillingRole } from './roles.ts';

/** `credentialOf` returns the keys of org service accounts: `/org/<org>/charges/-query` and the quotas. */
export interface BillingClientOptions extends OrgApiOptions {
  /** UUID of the account: the `id` of an item of `GET /account` (spec 2.1). */
  accountId: string;
  /** The billing service account token: `/account/<accountId>` endpoints and the catalogue. */
  accountCredential: Credential;
  /** A user's token, for the endpoints that accept no other; without it their calls are refused unsent. */
  userCredential?: Credential;
}

/**
 * Shared by the parts of the billing client: each credential is used only where it is valid (spec section 5).
 */
export interface BillingContext {
  accountPath(...names: string[]): string;
  /** Charges and tag values of the account, and `GET /chargeable_items`. */
  readonly account: Http;
  /** Other `/account/<accountId>` endpoints; `roles` are the sufficient ones, named in the hint of a 401. */
  accountFor(...roles: readonly BillingRole[]): Http;
  readonly hasUser: boolean;
  /** `GET /account` and `GET /org/<org>/account`. @throws PlatformError `unauthorized` without a user token */
  user(): Http;
  /** `/org/<org>/charges/-query` and the quota endpoints. @throws PlatformError `unauthorized` without a key */
  org(org: string): Http;
  readonly cache: ReadCache;
  /** Lifetime of cached reads; ms. */
  readonly cacheMs: number;
  readonly now: () => number;
  close(): Promise<void>;
}

export function createOrgContext(
  options: OrgApiOptions,
): Pick<BillingContext, 'org' | 'cache' | 'cacheMs' | 'now' | 'close'> {
  const { now = Date.now, cacheMs = CACHE_MS } = options;
  const orgs = createOrgHttp('billing', { ...options, now }, (org, credential) =>
    createExplain({ kind: 'org', org, credential }),
  );
  return {
    org: (org) => orgs.of(org),
    cache: createReadCache({ now, ttlMs: cacheMs }),
    cacheMs,
    now,
    close: () => orgs.close(),
  };
}

export function createBillingContext(options: BillingClientOptions): BillingContext {
  const { baseUrl, limits, concurrency } = options;
  const opened = new Map<string, Http>();
  const ofOrgs = createOrgContext(options);
  const { now } = ofOrgs;

  function httpOf(caller: Caller, credential: Credential): Http {
    const name = JSON.stringify(caller);
    const known = opened.get(name);
    if (known) return known;
    const http = createHttp({
      api: 'billing',
      baseUrl,
      credential,
      explain: createExplain(caller),
      limits,
      concurrency: concurrency?.of('account'),
      now,
    });
    opened.set(name, http);
    return http;
  }

  function accountFor(...roles: readonly BillingRole[]): Http {
    const { accountId, accountCredential } = options;
    const credential = accountCredential.kind;
    return httpOf({ kind: 'account', accountId, roles, credential }, accountCredential);
  }

  return {
    accountPath: (...names) => pathOf('account', options.accountId, ...names),
    account: accountFor('billing_admin', 'billing_viewer'),
    accountFor,
    hasUser: options.userCredential !== undefined,
    user() {
      const { userCredential } = options;
      if (userCredential) {
        return httpOf({ kind: 'user', credential: userCredential.kind }, userCredential);
      }
      throw new PlatformError('unauthorized', 'This takes a user token, and Purser has none', {
        credential: 'user',
      });
    },
    ...ofOrgs,
    close: async () => {
      await Promise.all([ofOrgs, ...opened.values()].map((http) => http.close()));
    },
  };
}

/**
 * Explains billing's refusals (spec section 7): the likely cause of a 401 or 403, whether a 404 means the
 * account itself, and a 500 that is the caller's mistake.
 */
export function createExplain(caller: Caller): Explain {
  return (refusal) => {
    const { status, sentence, path, sent } = refusal;
    const credential = caller.kind === 'org' ? undefined : caller.kind;
    if (status === 401) return { hint: hintOf(caller, path), credential };
    if (status === 403) return { hint: forbiddenHint(caller.credential), credential };
    if (status === 404 && caller.kind === 'account' && isOfAccount(path, sent)) {
      return { hint: unknownAccount(caller.accountId), credential };
    }
    if (status === 500 && OWN_MISTAKE.test(sentence)) return { reason: 'bad-request' };
    return explainQuery(refusal);
  };
}

export type Caller = { readonly credential: Credential['kind'] } & (
  | { readonly kind: 'account'; readonly accountId: string; readonly roles: readonly BillingRole[] }
  | { readonly kind: 'user' }
  | { readonly kind: 'org'; readonly org: string }
);

const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;

/** Sentences of a 500 that blame the caller, besides those of a query. */
const OWN_MISTAKE = /\balert\b.*\b(?:exist|found)|\bno\b.*\balert\b/i;

/** Paths that exist for every account. */
const COLLECTION =
  /\/account\/[^/]+(?:\/(?:charges\/(?:-query|invoices(?:\/pending)?)|tags\/values\/query|service-account-token|org|user|invoice-delivery\/(?:recipients|deliveries)))?$/;

/** Whether a 404 can only concern the account: nothing else is named, nor an org. */
function isOfAccount(path: string, sent: unknown): boolean {
  return COLLECTION.test(path) && !Object.hasOwn(objectOf(sent) ?? {}, 'orgs');
}

/** The likely cause of a 401 in one sentence (spec section 5). */
function hintOf(caller: Caller, path: string): string {
  switch (caller.kind) {
    case 'account':
      if (path.endsWith('/chargeable_items')) return `${TOKEN}; ${DELAY}`;
      return UUID.test(caller.accountId)
        ? `${TOKEN}, be of another account or lack ${oneOf(caller.roles)}; ${DELAY}`
        : strangeId(caller.accountId);
    case 'user':
      return path.endsWith('/account') && !path.includes('/org/')
        ? 'the user token may be mistyped or expired'
        : `the user token may be expired, or its user lack ${oneOf(['billing_admin', 'billing_viewer'])} on the paying account; ${DELAY}`;
    case 'org':
      return path.includes('/quota')
        ? orgKeyHint(caller.org, 'a permission on the quotas')
        : orgKeyHint(caller.org, 'readMetrics (readUsage does not grant it)');
    default:
      return caller satisfies never;
  }
}

const TOKEN = 'the token may be mistyped, expired or deleted';

function strangeId(accountId: string): string {
  const what = accountId.startsWith('cus_')
    ? "is the payment processor's customer id, not the account id"
    : 'is not an account id';
  return `${JSON.stringify(accountId)} ${what}, which is the UUID in the answer of GET /account`;
}

function unknownAccount(accountId: string): string {
  return UUID.test(accountId)
    ? `there may be no account ${accountId}, or not for this token; ${DELAY}`
    : strangeId(accountId);
}

function oneOf(roles: readonly BillingRole[]): string {
  return roles.length < 2
    ? `the role ${roles.join('')}`
    : `a role (${roles.slice(0, -1).join(', ')} or ${roles.at(-1)})`;
}
