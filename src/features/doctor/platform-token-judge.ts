import { DELAY } from '../../platform/key-hints.ts';
import type { Finding } from './check.ts';
import { broken, doubtful, well } from './findings.ts';
import type { SeenAccount, SeenBilling } from './platform-billing-seen.ts';
import { isRefused, unanswered } from './platform-seen.ts';

const TOKEN = 'BILLING_TOKEN';
const ID = 'BILLING_ACCOUNT_ID';
const NEW_TOKEN =
  'have a billing_admin create a billing service account token, and put it into BILLING_TOKEN';

/** Whether something was said that only the right path says. */
export function isTokenAnswered({ seen, user }: SeenBilling): boolean {
  return [seen?.catalogue, seen?.account, user?.accounts].some(
    (one) => one !== undefined && (one.ok || isRefused(one)),
  );
}

/** Whether BILLING_URL leads to another place, which asks for a token first and knows no catalogue. */
export function isElsewhere({ seen, withKey }: SeenBilling): boolean {
  const { catalogue, account } = seen ?? {};
  if (account?.ok || catalogue?.ok) return false;
  return [catalogue, withKey].some((one) => one?.ok === false && one.error.reason === 'not-found');
}

/** What is wrong with BILLING_TOKEN, or with the account that it is asked for (spec sections 5 and 7). */
export function judgeToken(billing: SeenBilling): readonly Finding[] {
  const { keyOf, seen, behaves } = billing;
  if (keyOf.length > 0) return [orgKey(keyOf.join(', '))];
  if (seen === undefined) return [];
  const { account, catalogue } = seen;
  if (account.ok) {
    return [
      ...(behaves?.as === 'user' ? [aPerson()] : []),
      ...strangeBrand(billing),
      ...roles(seen),
    ];
  }
  const isUnknown = account.error.reason === 'not-found';
  if (!isRefused(account) && !isUnknown) {
    return [unanswered(TOKEN, 'BILLING_URL', account.error)];
  }
  if (behaves?.as === 'key') return [orgKey(behaves.org)];
  if (isRefused(catalogue)) return [dead()];
  return [wrongAccount(billing, catalogue.ok)];
}

function orgKey(org: string): Finding {
  return broken(
    TOKEN,
    `it is the key of an org (${org}), which works on paths of that org and not on those of the account`,
    NEW_TOKEN,
  );
}

function aPerson(): Finding {
  return doubtful(
    TOKEN,
    'it is the user token of a person: it ends with their login, and what Purser does counts as theirs',
    NEW_TOKEN,
  );
}

function dead(): Finding {
  return broken(
    TOKEN,
    'it is refused everywhere: mistyped, expired or deleted',
    `${NEW_TOKEN}; ${DELAY}`,
  );
}

/** The bot works with it; what it writes about tokens and tags would have the wrong prefix. */
function strangeBrand({ kind }: SeenBilling): Finding[] {
  if (kind !== 'other-billing') return [];
  return [
    doubtful(
      'BRAND_PREFIX',
      'BILLING_TOKEN works, and begins with another prefix',
      'set BRAND_PREFIX to what stands before "-bsat-" in BILLING_TOKEN',
    ),
  ];
}

/** The token is good, and the account does not take it. */
function wrongAccount({ accountId, user }: SeenBilling, isValid: boolean): Finding {
  const token = isValid ? 'BILLING_TOKEN is valid, and' : 'it seems that';
  const accounts = user?.accounts?.ok === true ? user.accounts.value.items : [];
  const processors = accounts.find((one) => one.accountId === accountId);
  if (processors) {
    const says = 'it is the customer id of the payment processor, which opens no path';
    return broken(ID, says, `set it to ${processors.id}, the account’s own id`);
  }
  const right = user?.payer;
  const isOwn =
    right === undefined
      ? accounts.some(({ id }) => id === accountId)
      : right.accountId === accountId;
  if (isOwn) {
    const says =
      'it is valid, and of another account than BILLING_ACCOUNT_ID, or without a role there';
    const fix = `create a billing service account token in account ${accountId}, and put it into BILLING_TOKEN; ${DELAY}`;
    return broken(TOKEN, says, fix);
  }
  const says = `${token} this account refuses it: the id is wrong or of another account`;
  if (right)
    return broken(ID, says, `set it to ${right.accountId}, which pays for org ${right.org}`);
  if (accounts.length > 0) {
    const ids = accounts.map(({ id }) => id).slice(0, 3);
    return broken(ID, says, `set it to ${ids.join(' or ')}, which BILLING_USER_TOKEN belongs to`);
  }
  const fix =
    'set it to the `id` (not the `accountId`) of the item of GET /account whose token BILLING_TOKEN is; BILLING_USER_TOKEN lets the doctor name it';
  return broken(ID, says, fix);
}

/** Which roles the token has, as far as reading tells (spec section 5). */
function roles({ users, alert, recipients, tokens }: SeenAccount): Finding[] {
  const forAdmins = [alert, recipients, tokens];
  const failed = [users, ...forAdmins].find((one) => !one.ok && !isRefused(one));
  const unread = failed?.ok === false ? [unanswered('Billing', 'BILLING_URL', failed.error)] : [];
  if (forAdmins.some(({ ok }) => ok)) return [well(TOKEN, 'it has billing_admin'), ...unread];
  if (!forAdmins.every((one) => isRefused(one))) return unread;
  const fix = (role: string) =>
    `have a token created with ${role}, and put it into BILLING_TOKEN; ${DELAY}`;
  if (users.ok) {
    const says =
      'it has billing_viewer, not billing_admin: /alert, /billing tokens and recipients, /invoices deliveries and all changes of them and of users do not work';
    return [doubtful(TOKEN, says, fix('billing_admin'))];
  }
  if (!isRefused(users)) return unread;
  const says =
    'it has org_creator alone: charges, invoices and the roles of people cannot be read, so billing works for nobody';
  return [broken(TOKEN, says, fix('billing_admin, or at least billing_viewer'))];
}
