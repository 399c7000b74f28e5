import type { Finding } from './check.ts';
import { broken, doubtful, listed, off, well } from './findings.ts';
import type { SeenBilling } from './platform-billing-seen.ts';
import { isRefused, unanswered } from './platform-seen.ts';

const USER = 'BILLING_USER_TOKEN';
const NEW_LOGIN =
  'log in with the platform’s CLI as a billing user, and put the token of that profile into BILLING_USER_TOKEN';

/** What is wrong with the user token (spec 4.3: it alone opens `GET /account`). */
export function judgeUserToken({ user, seen, accountId }: SeenBilling): readonly Finding[] {
  if (user === undefined) {
    const says = 'not set, so /billing leaves out what only a user may read';
    return [off(USER, says)];
  }
  const { kind, keyOf, accounts } = user;
  if (kind !== 'unknown' || accounts === undefined) {
    const says = 'it is a billing service account token, which GET /account does not take';
    return [broken(USER, says, NEW_LOGIN)];
  }
  if (isRefused(accounts)) {
    const says =
      keyOf.length > 0
        ? `it is the key of org ${listed(keyOf)}, which opens no list of accounts`
        : 'it is refused: mistyped or expired';
    return [broken(USER, says, NEW_LOGIN)];
  }
  if (!accounts.ok) return [unanswered(USER, 'BILLING_URL', accounts.error)];
  const { items, skipped } = accounts.value;
  if (items.some(({ id }) => id === accountId))
    return [well(USER, 'its owner is a user of the billing account')];
  // An account that refuses everybody has its own finding.
  if (skipped > 0 || seen?.account.ok !== true) return [];
  const says = 'it works, and its user does not belong to the account of BILLING_ACCOUNT_ID';
  return [doubtful(USER, says, NEW_LOGIN)];
}
