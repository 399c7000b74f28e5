import type { Config } from '../../config/config.ts';
import { plural } from '../../lib/text.ts';
import { DAY_MS } from '../../lib/time.ts';
import type { Account } from '../../platform/billing/account.ts';
import type { Listing } from '../../platform/billing/calls.ts';
import { type BillingClient, createBillingClient } from '../../platform/billing/client.ts';
import type { Org } from '../../platform/billing/orgs.ts';
import { type Credential, DELAY } from '../../platform/http.ts';
import {
  broken,
  type Check,
  compact,
  doubtful,
  type Finding,
  listed,
  off,
  well,
} from './doctor-view.ts';
import {
  askCatalogue,
  CHARGES,
  closing,
  formatOf,
  isAnswered,
  isRefused,
  lastHours,
  LIMITS,
  type PlatformServices,
  reach,
  reasonOf,
  type TokenFormat,
  unanswered,
  valueOf,
  wrongPath,
} from './platform-calls.ts';

const URL = 'BILLING_URL';
const ID = 'BILLING_ACCOUNT_ID';
const TOKEN = 'BILLING_TOKEN';
const USER = 'BILLING_USER_TOKEN';

/** Spec 4.3 and section 5. */
export function createBillingCheck(services: PlatformServices): Check {
  const { bareHttp, clock, config } = services;
  const { api, approvals, billing } = config;
  return {
    area: 'Billing',
    async run(signal) {
      // The settings check reports that it is off.
      if (billing === undefined) return [];
      const { url } = billing;
      const address = { variable: URL, url, path: 'chargeable_items', isGet: true };
      const reached = await reach(bareHttp, address, signal);
      if (!reached.isUsable) return [reached.judge(false)];

      const facts = await readBilling(services, billing, signal);
      if (isElsewhere(facts)) return [wrongPath(URL)];
      const { answers, user } = facts;
      const asked = [answers?.catalogue, answers?.account, user?.accounts];
      const finding = reached.judge(asked.some(isAnswered));
      // Otherwise each token would report the same failure.
      if (finding.state !== 'well') return [finding];
      const setup = { orgs: [...api.credentials.keys()], approvals, now: clock.now() };
      return [
        finding,
        ...judgeToken(facts),
        ...judgeUserToken(facts),
        ...judgeAccount(facts, setup),
      ];
    },
  };
}

/** BILLING_URL leads to another API, which asks for a token first and has no catalogue. */
export function isElsewhere({ answers, withKey }: BillingFacts): boolean {
  if (answers?.account.ok || answers?.catalogue.ok) return false;
  return [answers?.catalogue, withKey].some((one) => reasonOf(one) === 'not-found');
}

const FIX = {
  token: 'have a billing_admin create a billing service account token, and set BILLING_TOKEN to it',
  prefix: 'set BRAND_PREFIX to what stands before `-bsat-` in BILLING_TOKEN',
  login:
    'log in with the platform’s CLI as a billing user, and set BILLING_USER_TOKEN to the token of that profile',
  id: 'set it to the `id` (not the `accountId`) that `GET /account` gives for the account of BILLING_TOKEN',
  orgs: 'check BILLING_ACCOUNT_ID, or take the org out of ORG_TOKENS',
  expiring:
    'look at `/billing tokens`; if it is Purser’s own, create another one in time and set BILLING_TOKEN to it',
  admin: 'have somebody made billing_admin on the platform',
  admins:
    'have a second person made billing_admin, or set ALLOW_SELF_APPROVAL=true or `APPROVALS=off`',
};

/** Spec sections 5 and 7. */
export function judgeToken(facts: BillingFacts): readonly Finding[] {
  const { answers, behaves, keyOf, kind } = facts;
  if (keyOf.length > 0) return [orgKey(listed(keyOf))];
  if (answers === undefined) return [];
  const { account, catalogue } = answers;
  if (account.ok) {
    const person =
      'it is the token of a person: it ends with their login, and what Purser does counts as theirs';
    const prefix = 'BILLING_TOKEN works, but begins with another prefix';
    return compact([
      behaves?.as === 'user' && doubtful(TOKEN, person, FIX.token),
      // The bot works with it, but shows token and tag names with the wrong prefix.
      kind === 'other-billing' && doubtful('BRAND_PREFIX', prefix, FIX.prefix),
      judgeRoles(answers),
      unreadLists(answers),
    ]);
  }
  if (!isRefused(account) && reasonOf(account) !== 'not-found')
    return [unanswered(TOKEN, URL, account.error)];
  if (behaves?.as === 'key') return [orgKey(behaves.org)];
  if (!isRefused(catalogue)) return [wrongAccount(facts, catalogue.ok)];
  const says = 'the platform refuses it everywhere: it is mistyped, expired or deleted';
  return [broken(TOKEN, says, `${FIX.token}; ${DELAY}`)];
}

function orgKey(org: string): Finding {
  const where = 'which opens that org and not the billing account';
  return broken(TOKEN, `it is the key of an org (${org}), ${where}`, FIX.token);
}

/** The token is valid, but the account refuses it. */
function wrongAccount({ accountId, user }: BillingFacts, isValid: boolean): Finding {
  const accounts = user?.accounts?.ok === true ? user.accounts.value.items : [];
  const ofProcessor = accounts.find((one) => one.accountId === accountId);
  if (ofProcessor) {
    const says = 'it is the customer id of the payment processor, not the account’s own id';
    return broken(ID, says, `set it to \`${ofProcessor.id}\`, the account’s own id`);
  }
  const right = user?.payer;
  const isOwn = right ? right.accountId === accountId : accounts.some(({ id }) => id === accountId);
  if (isOwn) {
    const says =
      'it is valid, but belongs to another account than BILLING_ACCOUNT_ID, or has no role there';
    const create = `create a billing service account token in account \`${accountId}\``;
    return broken(TOKEN, says, `${create}, and set BILLING_TOKEN to it; ${DELAY}`);
  }
  const token = isValid ? 'BILLING_TOKEN is valid, but' : 'it seems that';
  const says = `${token} this account refuses it: the id is wrong, or belongs to another account`;
  if (right)
    return broken(ID, says, `set it to \`${right.accountId}\`, which pays for org ${right.org}`);
  const [only, ...others] = accounts;
  if (only === undefined)
    return broken(ID, says, `${FIX.id}; with BILLING_USER_TOKEN the doctor can name it`);
  // Every member can read this: show the right id and no other.
  const own = `set it to \`${only.id}\`, which BILLING_USER_TOKEN belongs to`;
  return broken(ID, says, others.length === 0 ? own : FIX.id);
}

/** The roles of the token, as far as its read calls show (spec section 5). */
function judgeRoles({ users, alert, recipients, tokens }: AccountAnswers): Finding | undefined {
  const forAdmins = [alert, recipients, tokens];
  if (forAdmins.some(({ ok }) => ok)) return well(TOKEN, 'it has billing_admin');
  if (!forAdmins.every(isRefused) || !(users.ok || isRefused(users))) return undefined;
  const roles = users.ok ? 'billing_admin' : 'billing_admin, or at least billing_viewer';
  return (users.ok ? doubtful : broken)(
    TOKEN,
    users.ok
      ? 'it has billing_viewer, not billing_admin: tokens, recipients, deliveries, the messages about them and changes do not work'
      : 'it has only org_creator: charges, invoices and the roles of people cannot be read, so billing works for nobody',
    `have a token created with ${roles}, and set BILLING_TOKEN to it; ${DELAY}`,
  );
}

function unreadLists(answers: AccountAnswers): Finding | undefined {
  // Any role that reads the account may read its orgs and the catalogue.
  const open: readonly string[] = ['catalogue', 'orgs'];
  const failed = Object.entries(answers).flatMap(([name, one]) =>
    one.ok || (isRefused(one) && !open.includes(name)) ? [] : [{ name, error: one.error }],
  );
  const [first] = failed;
  const names = listed(failed.map(({ name }) => name));
  return first && unanswered(`Billing, ${names}`, URL, first.error);
}

/** Spec 4.3: only the user token opens `GET /account`. */
export function judgeUserToken(facts: BillingFacts): readonly Finding[] {
  const { accountId, answers, user } = facts;
  if (user === undefined)
    return [off(USER, 'it is not set, so /billing leaves out what only a user may read')];
  const { keyOf, accounts } = user;
  if (accounts === undefined) {
    const says = 'it is a billing service account token, not the token of a person';
    return [broken(USER, says, FIX.login)];
  }
  if (isRefused(accounts)) {
    const key = `it is the key of org ${listed(keyOf)}, not the token of a person`;
    const says = keyOf.length > 0 ? key : 'the platform refuses it: it is mistyped or expired';
    return [broken(USER, says, FIX.login)];
  }
  if (!accounts.ok) return [unanswered(USER, URL, accounts.error)];
  const { items, skipped } = accounts.value;
  if (items.some(({ id }) => id === accountId))
    return [well(USER, 'its owner is a user of the billing account')];
  // An account that refuses every token has its own finding.
  if (skipped > 0 || answers?.account.ok !== true) return [];
  const says = 'it works, but its user does not belong to the account of BILLING_ACCOUNT_ID';
  return [doubtful(USER, says, FIX.login)];
}

const ACCOUNT = 'Billing account';
const SOON_MS = 14 * DAY_MS;
const NAMES = 5;

/** `orgs`: those of ORG_TOKENS; `now`: ms since the epoch. */
interface Setup extends Pick<Config, 'approvals'> {
  readonly orgs: readonly string[];
  readonly now: number;
}

/** Spec 4.3, as far as the token may read it. */
export function judgeAccount({ answers }: BillingFacts, setup: Setup): readonly Finding[] {
  if (answers?.account.ok !== true) return [];
  const orgs = answers.orgs.ok ? answers.orgs.value : undefined;
  const paid = new Set(orgs?.items.map(({ name }) => name));
  const others = orgs?.skipped === 0 ? setup.orgs.filter((org) => !paid.has(org)) : [];
  const unpaid = `Billing of ${others.length === 1 ? 'org' : 'orgs'} ${listed(others, NAMES)}`;
  const elsewhere = 'another account pays for it, so /charges shows nothing of it';
  // Only a number: token names are not for every member.
  const soon = (answers.tokens.ok ? answers.tokens.value.items : []).filter(
    ({ expiresAt = 0 }) => expiresAt > setup.now && expiresAt - setup.now <= SOON_MS,
  );
  const expire = `${plural(soon.length, 'token')} ${soon.length === 1 ? 'expires' : 'expire'} within 14 days, Purser’s own may be among them`;
  return compact([
    ...judgeOrgCreation(answers.account.value, orgs),
    others.length > 0 && doubtful(unpaid, elsewhere, FIX.orgs),
    soon.length > 0 && doubtful('Billing tokens', expire, FIX.expiring),
    judgeAdmins(answers, setup.approvals),
  ]);
}

const NO_CARD = ', if it pays in another way than by card: it has none';

function judgeOrgCreation(account: Account, orgs: Listing<Org> | undefined): readonly Finding[] {
  const { enabled, tou, paymentMethods, orgQuota = Infinity } = account;
  // The length of the org list shows whether the quota is used up.
  const isUsedUp = orgs !== undefined && orgs.items.length + orgs.skipped >= orgQuota;
  const stops = (does: boolean, says: string, fix: string) =>
    does && doubtful(ACCOUNT, `${says}, so no org can be created`, fix);
  const ask = 'ask whoever runs the platform';
  const have = 'have a billing_admin';
  const found = compact([
    stops(enabled === false, 'it is disabled', `${ask} to enable it`),
    stops(
      tou === false,
      'it has not accepted the Terms of Use',
      `${have} accept them on the platform`,
    ),
    stops(
      isUsedUp,
      `it has used up its quota of ${plural(orgQuota, 'org')}`,
      `${ask} for a higher org quota`,
    ),
  ]);
  return found.length > 0 || orgs === undefined
    ? found
    : [well(ACCOUNT, `nothing stops a new org${paymentMethods?.length === 0 ? NO_CARD : ''}`)];
}

/** Only numbers: the users are not for every member. */
function judgeAdmins({ users }: AccountAnswers, { required, allowSelf }: Config['approvals']) {
  const what = 'Billing users';
  if (!users.ok) return undefined;
  const { items, skipped } = users.value;
  const count = items.filter(({ roles }) => roles.includes('billing_admin')).length;
  const needed = !required ? 0 : allowSelf ? 1 : 2;
  if (count >= needed || skipped > 0)
    return well(what, `${plural(items.length, 'user')}, ${count} with billing_admin`);
  const none = 'nobody has billing_admin, so no change can be asked for or approved';
  const one = 'only one person has billing_admin, so nobody can approve what that person asks for';
  return count === 0 ? broken(what, none, FIX.admin) : doubtful(what, one, FIX.admins);
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
