import { createBillingClient } from '../../platform/billing/client.ts';
import type { BillingClient } from '../../platform/billing/client.ts';
import type { Secret } from '../../lib/secret.ts';
import type { Check } from './check.ts';
import { judgeAccount } from './platform-account-judge.ts';
import type { Looks, SeenAccount, SeenBilling } from './platform-billing-seen.ts';
import { closing } from './platform-closing.ts';
import type { PlatformCheckDeps } from './platform-deps.ts';
import { isSameToken, kindOf, orgsWithKey } from './platform-kind.ts';
import { isThere, judgeReach, reach, wrongPath } from './platform-reach.ts';
import type { Address } from './platform-reach.ts';
import { isRefused, seeValue } from './platform-seen.ts';
import type { Seen } from './platform-seen.ts';
import { isElsewhere, isTokenAnswered, judgeToken } from './platform-token-judge.ts';
import { judgeUserToken } from './platform-user-judge.ts';

const FRESH = { fresh: true } as const;
/** One repetition, so that a flaw of a second is no finding. */
const LIMITS = { attempts: 2 };
/** Orgs that are asked about one token. */
const MAX_ORGS = 5;
const HOUR_MS = 3_600_000;

/** The billing API, its tokens and its account (spec 4.3 and section 5). */
export function createBillingCheck(deps: PlatformCheckDeps): Check {
  return {
    area: 'Billing',
    async look(signal) {
      const setup = setupOf(deps);
      // That it is off is said with the other settings.
      if (setup === undefined) return [];
      const address: Address = {
        variable: 'BILLING_URL',
        url: setup.url,
        path: 'chargeable_items',
        isGet: true,
      };
      const reached = await reach(deps.bare, address, signal);
      if (!isThere(reached)) return [judgeReach(address, reached, false)];

      const client = setup.open(setup.token, setup.userToken);
      const seen = await closing([client, setup.stranger], signal, () =>
        lookAt(setup, client, signal),
      );
      if (isElsewhere(seen)) return [wrongPath(address)];
      const url = judgeReach(address, reached, isTokenAnswered(seen));
      // Then each token would tell the same again.
      if (url.state !== 'well') return [url];
      return [
        url,
        ...judgeToken(seen),
        ...judgeUserToken(seen),
        ...judgeAccount(seen, { ...setup, approvals: deps.approvals, now: deps.clock.now() }),
      ];
    },
  };
}

type Setup = NonNullable<ReturnType<typeof setupOf>>;

function setupOf({ urls, account, credentials, prefix, clock }: PlatformCheckDeps) {
  const { billing: url } = urls;
  if (url === undefined || account === undefined) return undefined;
  const orgs = [...credentials.keys()];
  const looksOf = (token: Secret): Looks => {
    const kind = kindOf(token, prefix);
    // What is a billing token by its looks is one, also where ORG_TOKENS has it.
    return { kind, keyOf: kind === 'unknown' ? orgsWithKey(token, credentials) : [] };
  };
  const key = [...credentials.values()].find(
    ({ kind, secret }) => kind === 'bearer' && kindOf(secret, prefix) === 'unknown',
  );
  /** @param user for the endpoints that take a user's token alone */
  const open = (token: Secret, user?: Secret): BillingClient =>
    createBillingClient({
      billingUrl: url,
      accountId: account.id,
      accountCredential: { kind: 'bearer', secret: token },
      ...(user && { userCredential: { kind: 'bearer', secret: user } }),
      // For a token that may turn out to be an org's key; the keys themselves are not asked about here.
      orgCredentialOf: () => ({ kind: 'bearer', secret: token }),
      limits: LIMITS,
      now: () => clock.now(),
    });
  return {
    ...account,
    url,
    orgs,
    looksOf,
    open,
    key,
    stranger: open(account.token, account.token),
    clock,
  };
}

async function lookAt(
  setup: Setup,
  client: BillingClient,
  signal: AbortSignal,
): Promise<SeenBilling> {
  const { id: accountId, token, userToken } = setup;
  const isPerson = isSameToken(token, userToken);
  const looks = { ...setup.looksOf(token), ...(isPerson && { keyOf: [] }) };
  const isKey = looks.keyOf.length > 0;
  const [seen, user] = await Promise.all([
    isKey ? undefined : lookAtAccount(client),
    userToken && lookAtUser(setup, client, setup.looksOf(userToken)),
  ]);
  const behaves = seen && looks.kind === 'unknown' ? await behaviourOf(setup, seen) : undefined;
  const withKey =
    seen && isRefused(seen.catalogue) ? await catalogueWithKey(setup, signal) : undefined;
  return { accountId, ...looks, seen, withKey, behaves, user };
}

async function lookAtAccount(client: BillingClient): Promise<SeenAccount> {
  const [catalogue, account, orgs, users, alert, recipients, tokens] = await Promise.all([
    seeValue(client.charges.chargeableItems(FRESH)),
    seeValue(client.getAccount(FRESH)),
    seeValue(client.listOrgs(FRESH)),
    seeValue(client.listUsers(FRESH)),
    seeValue(client.getAlert(FRESH)),
    seeValue(client.listRecipients(FRESH)),
    seeValue(client.listTokens(FRESH)),
  ]);
  return { catalogue, account, orgs, users, alert, recipients, tokens };
}

async function lookAtUser(
  { orgs }: Setup,
  client: BillingClient,
  looks: Looks,
): Promise<SeenBilling['user']> {
  if (looks.kind !== 'unknown') {
    return { ...looks, accounts: undefined, payer: undefined };
  }
  const accounts = await seeValue(client.listAccounts(FRESH));
  if (!accounts.ok) return { ...looks, accounts, payer: undefined };
  const payers = await Promise.all(
    orgs.slice(0, MAX_ORGS).map(async (org) => ({
      org,
      payer: await seeValue(client.getPayerOf(org, FRESH)),
    })),
  );
  const found = payers.find(({ payer }) => payer.ok);
  return {
    ...looks,
    accounts,
    payer: found?.payer.ok ? { org: found.org, accountId: found.payer.value.id } : undefined,
  };
}

/**
 * An org's key may go to the catalogue, which belongs to no account and takes any valid token (spec 4.1):
 * so it shows whether the catalogue is there at all.
 */
async function catalogueWithKey(
  { key, open }: Setup,
  signal: AbortSignal,
): Promise<Seen<unknown> | undefined> {
  if (key === undefined) return undefined;
  const client = open(key.secret);
  return closing([client], signal, () => seeValue(client.charges.chargeableItems(FRESH)));
}

/** A user's token and an org's key look alike, and are told apart by what they open (spec section 5). */
async function behaviourOf(setup: Setup, seen: SeenAccount): Promise<SeenBilling['behaves']> {
  const { token, userToken, stranger, orgs, clock } = setup;
  if (isSameToken(token, userToken)) return { as: 'user' };
  if ((await seeValue(stranger.listAccounts(FRESH))).ok) return { as: 'user' };
  if (!isRefused(seen.account)) return undefined;
  const query = lastHour(clock.now());
  const tried = await Promise.all(
    orgs.slice(0, MAX_ORGS).map(async (org) => ({
      org,
      charges: await seeValue(stranger.charges.org(org, query)),
    })),
  );
  const found = tried.find(({ charges }) => charges.ok);
  return found && { as: 'key', org: found.org };
}

function lastHour(now: number) {
  const end = Math.floor(now / HOUR_MS) * HOUR_MS;
  return {
    startTime: new Date(end - HOUR_MS).toISOString(),
    endTime: new Date(end).toISOString(),
    timeStep: 'hour',
    groupBy: ['metric'],
    consumptionQueries: [{ aggregateBy: ['metric', 'locationType'] }],
  } as const;
}
