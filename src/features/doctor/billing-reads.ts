import type { Config } from '../../config/config.ts';
import { createBillingClient, type BillingClient } from '../../platform/billing/client.ts';
import type { Credential } from '../../platform/http.ts';
import {
  askCatalogue,
  CHARGES,
  closing,
  formatOf,
  isRefused,
  lastHours,
  LIMITS,
  valueOf,
  type PlatformServices,
  type TokenFormat,
} from './platform-calls.ts';

/** Orgs that are asked about one token. */
const MAX_ORGS = 5;

/** Asks with BILLING_TOKEN and with BILLING_USER_TOKEN. */
export function readBilling(
  { clock, config }: PlatformServices,
  billing: NonNullable<Config['billing']>,
  signal: AbortSignal,
) {
  const { url, accountId, token, userToken } = billing;
  const { credentials } = config.api;
  const orgs = [...credentials.keys()].slice(0, MAX_ORGS);
  const own: Credential = { kind: 'bearer', secret: token };
  const options = {
    baseUrl: url,
    accountId,
    accountCredential: own,
    // For a token that may turn out to be an org's key; the keys themselves are not asked about here.
    credentialOf: () => own,
    limits: LIMITS,
    now: () => clock.now(),
  };
  const userCredential = userToken && ({ kind: 'bearer', secret: userToken } as const);
  const client = createBillingClient({ ...options, ...(userCredential && { userCredential }) });
  // With the token in the place of a user's, too: it may be one.
  const asUser = createBillingClient({ ...options, userCredential: own });
  return closing([client, asUser], signal, async () => {
    const isPerson = token.reveal() === userToken?.reveal();
    const format = { ...formatOf(token, config), ...(isPerson && { keyOf: [] }) };
    const [answers, user] = await Promise.all([
      format.keyOf.length > 0 ? undefined : readAccount(client),
      userToken && readUser(client, orgs, formatOf(userToken, config)),
    ]);
    const isUnclear = answers !== undefined && format.kind === 'unknown';
    const keyOrgs = isRefused(answers?.account) ? orgs : [];
    const behaves = isUnclear
      ? await behaviourOf(asUser, isPerson, keyOrgs, clock.now())
      : undefined;
    // Where the catalogue is not found with an org's key either, it is not there at all.
    const key = [...credentials.values()].find(
      ({ kind, secret }) => kind === 'bearer' && formatOf(secret, config).kind === 'unknown',
    );
    const withKey =
      key && isRefused(answers?.catalogue) ? await askCatalogue(billing, key, signal) : undefined;
    return {
      accountId,
      // Of BILLING_TOKEN.
      ...format,
      // Absent: the token is an org's key, and was not sent.
      answers,
      // The catalogue with an org's key, asked where BILLING_TOKEN is refused there.
      withKey,
      // What a token of unknown kind turns out to be.
      behaves,
      // Absent: not configured.
      user,
    };
  });
}

/** All that the judgements about billing are made of. */
export type BillingFacts = Awaited<ReturnType<typeof readBilling>>;

/** What account paths answer to BILLING_TOKEN (spec 4.3). */
async function readAccount(client: BillingClient) {
  const [catalogue, account, orgs, users, alert, recipients, tokens] = await Promise.all([
    // Takes any valid token.
    valueOf<unknown>(client.charges.chargeableItems()),
    // Take any of the three roles.
    valueOf(client.getAccount()),
    valueOf(client.listOrgs()),
    // Takes `billing_admin` or `billing_viewer`.
    valueOf(client.listUsers()),
    // Take `billing_admin`.
    valueOf<unknown>(client.getAlert()),
    valueOf<unknown>(client.listRecipients()),
    valueOf(client.listTokens()),
  ]);
  return { catalogue, account, orgs, users, alert, recipients, tokens };
}

export type AccountAnswers = Awaited<ReturnType<typeof readAccount>>;

async function readUser(client: BillingClient, orgs: readonly string[], format: TokenFormat) {
  const accounts = format.kind === 'unknown' ? await valueOf(client.listAccounts()) : undefined;
  const asked = (accounts?.ok ? orgs : []).map(async (org) => {
    const payer = await valueOf(client.getPayerOf(org));
    return payer.ok ? [{ org, accountId: payer.value.id }] : [];
  });
  const [payer] = (await Promise.all(asked)).flat();
  // Accounts: absent where the token is none for it, and was not sent. Payer: of an org of ORG_TOKENS.
  return { ...format, accounts, payer };
}

/**
 * A user's token and an org's key look alike, and are told apart by what they open (spec section 5).
 * @param orgs whose key it may be
 */
async function behaviourOf(
  client: BillingClient,
  isPerson: boolean,
  orgs: readonly string[],
  now: number,
) {
  if (isPerson || (await valueOf(client.listAccounts())).ok) return { as: 'user' } as const;
  const query = { ...lastHours(1, now), ...CHARGES };
  const tried = await Promise.all(orgs.map((org) => valueOf(client.charges.org(org, query))));
  const org = orgs.find((_, index) => tried[index]?.ok);
  return org === undefined ? undefined : ({ as: 'key', org } as const);
}
