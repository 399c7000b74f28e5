import type { Config } from '../../config/config.ts';
import { plural } from '../../lib/text.ts';
import { DAY_MS } from '../../lib/time.ts';
import type { Account } from '../../platform/billing/account.ts';
import type { Listing } from '../../platform/billing/calls.ts';
import { type BillingClient, createBillingClient } from '../../platform/billing/client.ts';
import type { Org } from '../../platform/billing/orgs.ts';
import { type Credential, DELAY } from '../../platform/http.ts';
import {
  askCatalogue,
  CHARGES,
  closing,
  formatOf,
  isAnswered,
  isMissing,
  isRefused,
  lastHours,
  LIMITS,
  type PlatformServices,
  reach,
  type TokenFormat,
  unanswered,
  valueOf,
  wrongPath,
} from './calls.ts';
import { type Check, checkOf, isWell, listed, type Probe, probe } from './probe.ts';

const URL = 'BILLING_URL';
const ID = 'BILLING_ACCOUNT_ID';
const TOKEN = 'BILLING_TOKEN';
const USER = 'BILLING_USER_TOKEN';

/** Spec 4.3 and section 5. */
export function createBillingCheck(services: PlatformServices): Check {
  const { bareHttp, clock, config } = services;
  const { api, approvals, billing } = config;

  async function read(signal: AbortSignal): Promise<readonly Probe[]> {
    // The settings check reports that it is off.
    if (billing === undefined) return [];
    const address = { variable: URL, url: billing.url, path: 'chargeable_items', isGet: true };
    const reached = await reach(bareHttp, address, signal);
    if (!reached.isUsable) return [reached.probe(false)];

    const facts = await readBilling(services, billing, signal);
    if (isElsewhere(facts)) return [probe(URL, false, { [wrongPath(URL)]: true })];
    const { answers, user } = facts;
    const asked = [answers?.catalogue, answers?.account, user?.accounts];
    const answering = reached.probe(asked.some(isAnswered));
    // Otherwise each token would report the same failure.
    if (!isWell(answering)) return [answering];
    const setup = { orgs: [...api.credentials.keys()], approvals, now: clock.now() };
    return [
      answering,
      ...tokenProbes(facts),
      userTokenProbe(facts),
      ...accountProbes(facts.answers, setup),
    ];
  }

  return checkOf('Billing', read, (probes) => probes);
}

/** BILLING_URL leads to another API, which asks for a token first and has no catalogue. */
export function isElsewhere({ answers, withKey }: BillingFacts): boolean {
  if (answers?.account.ok || answers?.catalogue.ok) return false;
  return isMissing(answers?.catalogue) || isMissing(withKey);
}

const NEW_TOKEN =
  'have a billing_admin create a billing service account token, and set BILLING_TOKEN to it';
const LOG_IN =
  'log in with the platform’s CLI as a billing user, and set BILLING_USER_TOKEN to the token of that profile';

/** Spec sections 5 and 7. */
export function tokenProbes(facts: BillingFacts): readonly Probe[] {
  const { answers, behaves, keyOf, kind } = facts;
  if (keyOf.length > 0 || !answers?.account.ok) return refusedToken(facts);
  return [
    probe(TOKEN, false, {
      [`? it is the token of a person: it ends with their login, and what Purser does counts as theirs → ${NEW_TOKEN}`]:
        behaves?.as === 'user',
    }),
    // The bot works with it, but shows token and tag names with the wrong prefix.
    probe('BRAND_PREFIX', false, {
      '? BILLING_TOKEN works, but begins with another prefix → set BRAND_PREFIX to the part of BILLING_TOKEN before `-bsat-`':
        kind === 'other-billing',
    }),
    roles(answers),
    unreadLists(answers),
  ];
}

/** The account refuses the token, or did not answer. */
function refusedToken(facts: BillingFacts): readonly Probe[] {
  const { accountId, answers, behaves, keyOf, user } = facts;
  const { account, catalogue } = answers ?? {};
  const org = keyOf.length > 0 ? listed(keyOf) : behaves?.as === 'key' && behaves.org;
  const isSilent = !isRefused(account) && !isMissing(account);
  const accounts = user?.accounts?.ok === true ? user.accounts.value.items : [];
  const customer = accounts.find((one) => one.accountId === accountId);
  const payer = user?.payer;
  const [only, ...others] = accounts;
  const isOwn = payer ? payer.accountId === accountId : accounts.some(({ id }) => id === accountId);
  const token = probe(TOKEN, false, {
    [`! it is the key of an org (${org}), which opens that org and not the billing account → ${NEW_TOKEN}`]:
      org,
    ...(isSilent && unanswered(URL, account)),
    [`! the platform refuses it everywhere: it is mistyped, expired or deleted → ${NEW_TOKEN}; ${DELAY}`]:
      isRefused(catalogue),
    [`! it is valid, but belongs to another account than BILLING_ACCOUNT_ID, or has no role there → create a billing service account token in account \`${accountId}\`, and set BILLING_TOKEN to it; ${DELAY}`]:
      isOwn && !customer,
  });
  if (!account || !isWell(token)) return [token];
  const valid = catalogue?.ok ? 'BILLING_TOKEN is valid, but' : 'it seems that';
  const wrong = `! ${valid} this account refuses it: the id is wrong, or belongs to another account →`;
  const look =
    'set it to the `id` (not the `accountId`) that `GET /account` gives for the account of BILLING_TOKEN';
  return [
    probe(ID, false, {
      [`! it is the customer id of the payment processor, not the account’s own id → set it to \`${customer?.id}\`, the account’s own id`]:
        customer,
      [`${wrong} set it to \`${payer?.accountId}\`, which pays for org ${payer?.org}`]: payer,
      [`${wrong} ${look}; with BILLING_USER_TOKEN the doctor can name it`]: !only,
      // Every member can read this: show the right id and no other.
      [`${wrong} ${look}`]: others.length > 0,
      [`${wrong} set it to \`${only?.id}\`, which BILLING_USER_TOKEN belongs to`]: only,
    }),
  ];
}

/** The roles of the token, as far as its read calls show (spec section 5). */
function roles({ users, alert, recipients, tokens }: AccountAnswers): Probe {
  const forAdmins = [alert, recipients, tokens];
  const lacksAdmin = forAdmins.every(isRefused);
  const then = `, and set BILLING_TOKEN to it; ${DELAY}`;
  return probe(TOKEN, forAdmins.some(({ ok }) => ok) && 'it has billing_admin', {
    [`? it has billing_viewer, not billing_admin: tokens, recipients, deliveries, the messages about them and changes do not work → have a token created with billing_admin${then}`]:
      lacksAdmin && users.ok,
    [`! it has only org_creator: charges, invoices and the roles of people cannot be read, so billing works for no one → have a token created with billing_admin, or at least billing_viewer${then}`]:
      lacksAdmin && isRefused(users),
  });
}

function unreadLists(answers: AccountAnswers): Probe {
  // Any role that reads the account may read its orgs and the catalogue.
  const open: readonly string[] = ['catalogue', 'orgs'];
  const failed = Object.entries(answers).filter(
    ([name, one]) => !one.ok && (!isRefused(one) || open.includes(name)),
  );
  const names = listed(failed.map(([name]) => name));
  return probe(`Billing, ${names}`, false, unanswered(URL, failed[0]?.[1]));
}

/** Spec 4.3: only the user token opens `GET /account`. */
export function userTokenProbe({ accountId, answers, user }: BillingFacts): Probe {
  const { keyOf = [], accounts } = user ?? {};
  const { items = [], skipped = 0 } = accounts?.ok ? accounts.value : {};
  const isMember = items.some(({ id }) => id === accountId);
  return probe(USER, isMember && 'its owner is a user of the billing account', {
    '- it is not set, so /billing leaves out what only a user may read': !user,
    [`! it is a billing service account token, not the token of a person → ${LOG_IN}`]: !accounts,
    [`! it is the key of org ${listed(keyOf)}, not the token of a person → ${LOG_IN}`]:
      isRefused(accounts) && keyOf.length > 0,
    [`! the platform refuses it: it is mistyped or expired → ${LOG_IN}`]: isRefused(accounts),
    ...unanswered(URL, accounts),
    // An account that refuses every token has its own finding.
    [`? it works, but its user does not belong to the account of BILLING_ACCOUNT_ID → ${LOG_IN}`]:
      !isMember && skipped === 0 && answers?.account.ok,
  });
}

const SOON_MS = 14 * DAY_MS;
const NAMES = 5;

/** `orgs`: those of ORG_TOKENS; `now`: ms since the epoch. */
interface Setup extends Pick<Config, 'approvals'> {
  readonly orgs: readonly string[];
  readonly now: number;
}

/** Spec 4.3, as far as the token may read it. */
export function accountProbes(answers: AccountAnswers | undefined, setup: Setup): readonly Probe[] {
  if (answers?.account.ok !== true) return [];
  const orgs = answers.orgs.ok ? answers.orgs.value : undefined;
  const paid = new Set(orgs?.items.map(({ name }) => name));
  const others = orgs?.skipped === 0 ? setup.orgs.filter((org) => !paid.has(org)) : [];
  // Only a number: token names are not for every member.
  const soon = (answers.tokens.ok ? answers.tokens.value.items : []).filter(
    ({ expiresAt = 0 }) => expiresAt > setup.now && expiresAt - setup.now <= SOON_MS,
  ).length;
  const expire = `${plural(soon, 'token')} ${soon === 1 ? 'expires' : 'expire'} within 14 days`;
  return [
    ...orgCreation(answers.account.value, orgs),
    probe(`Billing of ${others.length === 1 ? 'org' : 'orgs'} ${listed(others, NAMES)}`, false, {
      '? another account pays for it, so /charges shows nothing of it → check BILLING_ACCOUNT_ID, or take the org out of ORG_TOKENS':
        others.length > 0,
    }),
    probe('Billing tokens', false, {
      [`? ${expire}, Purser’s own may be among them → look at \`/billing tokens\`; if it is Purser’s own, create another one in time and set BILLING_TOKEN to it`]:
        soon > 0,
    }),
    admins(answers, setup.approvals),
  ];
}

function orgCreation(account: Account, orgs: Listing<Org> | undefined): readonly Probe[] {
  const { enabled, tou, paymentMethods, orgQuota = Infinity } = account;
  // The length of the org list shows whether the quota is used up.
  const isUsedUp = orgs !== undefined && orgs.items.length + orgs.skipped >= orgQuota;
  const rules = {
    '? it is disabled, so no org can be created → ask the operator of the platform to enable it':
      enabled === false,
    '? it has not accepted the Terms of Use, so no org can be created → have a billing_admin accept them on the platform':
      tou === false,
    [`? it has used up its quota of ${plural(orgQuota, 'org')}, so no org can be created → ask the operator of the platform for a higher org quota`]:
      isUsedUp,
  };
  const what = 'Billing account';
  const card =
    paymentMethods?.length === 0 ? ', if it pays in another way than by card: it has no card' : '';
  const isFree = orgs !== undefined && isWell(probe(what, false, rules));
  return [
    ...Object.entries(rules).map(([rule, applies]) => probe(what, false, { [rule]: applies })),
    probe(what, isFree && `nothing stops a new org${card}`),
  ];
}

/** Only numbers: the users are not for every member. */
function admins({ users }: AccountAnswers, { required, allowSelf }: Config['approvals']): Probe {
  const { items, skipped } = users.ok ? users.value : { items: [], skipped: 1 };
  const count = items.filter(({ roles: own }) => own.includes('billing_admin')).length;
  const needed = !required ? 0 : allowSelf ? 1 : 2;
  const isFew = count < needed && skipped === 0;
  return probe(
    'Billing users',
    users.ok && `${plural(items.length, 'user')}, ${count} with billing_admin`,
    {
      '! no one has billing_admin, so no change can be asked for or approved → have a person made billing_admin on the platform':
        isFew && count === 0,
      '? only one person has billing_admin, so no one can approve what that person asks for → have a second person made billing_admin, or set ALLOW_SELF_APPROVAL=true or `APPROVALS=off`':
        isFew,
    },
  );
}

const MAX_ORGS = 5;

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
    // For a token that may turn out to be an org’s key; the keys themselves are not tested here.
    credentialOf: () => own,
    limits: LIMITS,
    now: () => clock.now(),
  };
  const userCredential = userToken && ({ kind: 'bearer', secret: userToken } as const);
  const client = createBillingClient({ ...options, ...(userCredential && { userCredential }) });
  // Tries the token as a user's, too: it may be one.
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
    // When the catalogue is not found with an org's key either, it does not exist.
    const key = [...credentials.values()].find(
      ({ kind, secret }) => kind === 'bearer' && formatOf(secret, config).kind === 'unknown',
    );
    const withKey =
      key && isRefused(answers?.catalogue) ? await askCatalogue(billing, key, signal) : undefined;
    return {
      accountId,
      ...format,
      // Undefined: the token is an org's key, and was not sent.
      answers,
      // The catalogue with an org's key, read when BILLING_TOKEN is refused there.
      withKey,
      // The kind of a token whose format does not show it.
      behaves,
      user,
    };
  });
}

export type BillingFacts = Awaited<ReturnType<typeof readBilling>>;

/** Account paths with BILLING_TOKEN (spec 4.3). */
async function readAccount(client: BillingClient) {
  const [catalogue, account, orgs, users, alert, recipients, tokens] = await Promise.all([
    // Any valid token may read it.
    valueOf<unknown>(client.charges.chargeableItems()),
    // Any of the three roles may read these.
    valueOf(client.getAccount()),
    valueOf(client.listOrgs()),
    // `billing_admin` or `billing_viewer` may read it.
    valueOf(client.listUsers()),
    // Only `billing_admin` may read these.
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
  // Accounts: undefined when the token is of another kind. Payer: of an org of ORG_TOKENS.
  return { ...format, accounts, payer };
}

/** A user's token and an org's key differ only in what they open (spec section 5). @param orgs whose key it may be */
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
