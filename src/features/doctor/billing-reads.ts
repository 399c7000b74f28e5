import type { Config } from '../../config/config.ts';
import type { Secret } from '../../lib/secret.ts';
import type { Account } from '../../platform/billing/account.ts';
import type { Listing } from '../../platform/billing/calls.ts';
import { createBillingClient } from '../../platform/billing/client.ts';
import type { BillingClient } from '../../platform/billing/client.ts';
import type { Org } from '../../platform/billing/orgs.ts';
import type { BillingToken } from '../../platform/billing/tokens.ts';
import type { BillingUser } from '../../platform/billing/users.ts';
import {
  askCatalogue,
  closing,
  isRefused,
  isSameToken,
  kindOf,
  lastHour,
  LIMITS,
  orgsWithKey,
  valueOf,
} from './platform-calls.ts';
import type { CallResult, PlatformServices, TokenKind } from './platform-calls.ts';

/** What the text of a token tells: it may be another one than its variable takes. */
interface TokenFormat {
  readonly kind: TokenKind;
  /** Orgs that have it as their key. */
  readonly keyOf: readonly string[];
}

/** What account paths answer to BILLING_TOKEN (spec 4.3). */
export interface AccountAnswers {
  /** Takes any valid token. */
  readonly catalogue: CallResult<unknown>;
  /** Take any of the three roles. */
  readonly account: CallResult<Account>;
  readonly orgs: CallResult<Listing<Org>>;
  /** Takes `billing_admin` or `billing_viewer`. */
  readonly users: CallResult<Listing<BillingUser>>;
  /** Take `billing_admin`. */
  readonly alert: CallResult<unknown>;
  readonly recipients: CallResult<unknown>;
  readonly tokens: CallResult<Listing<BillingToken>>;
}

/** What was found out about BILLING_USER_TOKEN. */
interface UserFacts extends TokenFormat {
  /** Absent: the token is none for it, and was not sent. */
  readonly accounts: CallResult<Listing<Account>> | undefined;
  /** An org of ORG_TOKENS, and the id of the account that pays for it. */
  readonly payer: { readonly org: string; readonly accountId: string } | undefined;
}

/** All that the judgements about billing are made of; the format is that of BILLING_TOKEN. */
export interface BillingFacts extends TokenFormat {
  readonly accountId: string;
  /** Absent: the token is an org's key, and was not sent. */
  readonly answers: AccountAnswers | undefined;
  /** The catalogue with an org's key, asked where BILLING_TOKEN is refused there. */
  readonly withKey: CallResult<unknown> | undefined;
  /** What a token of unknown kind turns out to be. */
  readonly behaves:
    { readonly as: 'user' } | { readonly as: 'key'; readonly org: string } | undefined;
  /** Absent: not configured. */
  readonly user: UserFacts | undefined;
}

type Billing = NonNullable<Config['billing']>;

const FRESH = { fresh: true } as const;
/** Orgs that are asked about one token. */
const MAX_ORGS = 5;

/** Asks with BILLING_TOKEN and with BILLING_USER_TOKEN. */
export function readBilling(
  services: PlatformServices,
  billing: Billing,
  signal: AbortSignal,
): Promise<BillingFacts> {
  const { accountId, token, userToken } = billing;
  const { credentials } = services.config.api;
  const { prefix } = services.config.brand;
  const orgs = [...credentials.keys()];
  const formatOf = (one: Secret): TokenFormat => {
    const kind = kindOf(one, prefix);
    // A token in the format of billing is one, also where ORG_TOKENS has it.
    return { kind, keyOf: kind === 'unknown' ? orgsWithKey(one, credentials) : [] };
  };
  const client = openClient(services, billing, userToken);
  // With the token in the place of a user's, too: it may be one.
  const asUser = openClient(services, billing, token);
  return closing([client, asUser], signal, async () => {
    const isPerson = isSameToken(token, userToken);
    const format = { ...formatOf(token), ...(isPerson && { keyOf: [] }) };
    const [answers, user] = await Promise.all([
      format.keyOf.length > 0 ? undefined : readAccount(client),
      userToken && readUser(client, orgs, formatOf(userToken)),
    ]);
    let behaves: BillingFacts['behaves'];
    if (answers && format.kind === 'unknown') {
      const now = services.clock.now();
      behaves = isPerson ? { as: 'user' } : await behaviourOf(asUser, orgs, answers.account, now);
    }
    // Where the catalogue is not found with an org's key either, it is not there at all.
    const key = [...credentials.values()].find(
      ({ kind, secret }) => kind === 'bearer' && kindOf(secret, prefix) === 'unknown',
    );
    const isAsked = answers !== undefined && isRefused(answers.catalogue) && key !== undefined;
    const withKey = isAsked ? await askCatalogue(billing, key, signal) : undefined;
    return { accountId, ...format, answers, withKey, behaves, user };
  });
}

/** @param user for the endpoints that take a user's token alone */
function openClient(
  { clock }: PlatformServices,
  { url, accountId, token }: Billing,
  user: Secret | undefined,
): BillingClient {
  return createBillingClient({
    baseUrl: url,
    accountId,
    accountCredential: { kind: 'bearer', secret: token },
    ...(user && { userCredential: { kind: 'bearer', secret: user } }),
    // For a token that may turn out to be an org's key; the keys themselves are not asked about here.
    credentialOf: () => ({ kind: 'bearer', secret: token }),
    limits: LIMITS,
    now: () => clock.now(),
  });
}

async function readAccount(client: BillingClient): Promise<AccountAnswers> {
  const [catalogue, account, orgs, users, alert, recipients, tokens] = await Promise.all([
    valueOf(client.charges.chargeableItems(FRESH)),
    valueOf(client.getAccount(FRESH)),
    valueOf(client.listOrgs(FRESH)),
    valueOf(client.listUsers(FRESH)),
    valueOf(client.getAlert(FRESH)),
    valueOf(client.listRecipients(FRESH)),
    valueOf(client.listTokens(FRESH)),
  ]);
  return { catalogue, account, orgs, users, alert, recipients, tokens };
}

async function readUser(
  client: BillingClient,
  orgs: readonly string[],
  format: TokenFormat,
): Promise<UserFacts> {
  if (format.kind !== 'unknown') return { ...format, accounts: undefined, payer: undefined };
  const accounts = await valueOf(client.listAccounts(FRESH));
  if (!accounts.ok) return { ...format, accounts, payer: undefined };
  const payers = await Promise.all(
    orgs.slice(0, MAX_ORGS).map(async (org) => {
      const payer = await valueOf(client.getPayerOf(org, FRESH));
      return payer.ok ? { org, accountId: payer.value.id } : undefined;
    }),
  );
  return { ...format, accounts, payer: payers.find((payer) => payer !== undefined) };
}

/**
 * A user's token and an org's key look alike, and are told apart by what they open (spec section 5).
 * @param account what BILLING_ACCOUNT_ID answers to the token
 * @param now milliseconds since the epoch
 */
async function behaviourOf(
  client: BillingClient,
  orgs: readonly string[],
  account: CallResult<Account>,
  now: number,
): Promise<BillingFacts['behaves']> {
  if ((await valueOf(client.listAccounts(FRESH))).ok) return { as: 'user' };
  if (!isRefused(account)) return undefined;
  const tried = await Promise.all(
    orgs.slice(0, MAX_ORGS).map(async (org) => ({
      org,
      charges: await valueOf(client.charges.org(org, lastHour(now))),
    })),
  );
  const found = tried.find(({ charges }) => charges.ok);
  return found && { as: 'key', org: found.org };
}
