import { DELAY } from '../../platform/key-hints.ts';
import type { Finding } from './check.ts';
import { broken, doubtful, listed, well } from './findings.ts';
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
  if (keyOf.length > 0) return [orgKey(listed(keyOf))];
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
  const [only, ...others] = accounts;
  // Everybody reads this: of the ids, the one to use and no other.
  if (only && others.length === 0)
    return broken(ID, says, `set it to ${only.id}, which BILLING_USER_TOKEN belongs to`);
  const fix =
    'set it to the `id` (not the `accountId`) of the item of GET /account whose token BILLING_TOKEN is';
  const help = '; BILLING_USER_TOKEN lets the doctor name it';
  return broken(ID, says, accounts.length > 0 ? fix : fix + help);
}

/** Which roles the token has, as far as reading tells (spec section 5). */
function roles(seen: SeenAccount): Finding[] {
  const { users, alert, recipients, tokens } = seen;
  const forAdmins = [alert, recipients, tokens];
  const unread = unreadOf(seen);
  if (forAdmins.some(({ ok }) => ok)) return [well(TOKEN, 'it has billing_admin'), ...unread];
  if (!forAdmins.every((one) => isRefused(one))) return unread;
  const fix = (role: string) =>
    `have a token created with ${role}, and put it into BILLING_TOKEN; ${DELAY}`;
  if (users.ok) {
    const says =
      'it has billing_viewer, not billing_admin: /alert, /billing tokens and recipients, /invoices deliveries and all changes of them and of users do not work';
    return [doubtful(TOKEN, says, fix('billing_admin')), ...unread];
  }
  if (!isRefused(users)) return unread;
  const says =
    'it has org_creator alone: charges, invoices and the roles of people cannot be read, so billing works for nobody';
  return [broken(TOKEN, says, fix('billing_admin, or at least billing_viewer')), ...unread];
}

/** What cannot be read for another reason than a role: one finding, by the first of it. */
function unreadOf({ catalogue, orgs, users, alert, recipients, tokens }: SeenAccount): Finding[] {
  const byName = { catalogue, orgs, users, alert, recipients, tokens };
  // Who reads the account may read its orgs and the catalogue.
  const open: readonly string[] = ['catalogue', 'orgs'];
  const failed = Object.entries(byName).flatMap(([name, one]) =>
    one.ok || (isRefused(one) && !open.includes(name)) ? [] : [{ name, error: one.error }],
  );
  const [first] = failed;
  if (first === undefined) return [];
  const names = listed(failed.map(({ name }) => name));
  return [unanswered(`Billing, ${names}`, 'BILLING_URL', first.error)];
}
