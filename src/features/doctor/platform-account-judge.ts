import { plural } from '../../lib/text.ts';
import type { Account } from '../../platform/billing/account.ts';
import type { Listing } from '../../platform/billing/listing.ts';
import type { Org } from '../../platform/billing/orgs.ts';
import type { Finding } from './check.ts';
import { broken, doubtful, listed, well } from './findings.ts';
import type { SeenAccount, SeenBilling } from './platform-billing-seen.ts';

const DAY_MS = 86_400_000;
const SOON_MS = 14 * DAY_MS;
const NAMES = 5;

interface Setup {
  /** Those of ORG_TOKENS. */
  readonly orgs: readonly string[];
  readonly approvals: { readonly required: boolean; readonly allowSelf: boolean };
  /** Ms since the epoch. */
  readonly now: number;
}

/** What of the account itself will stop something (spec 4.3), as far as the token may read it. */
export function judgeAccount({ seen }: SeenBilling, setup: Setup): readonly Finding[] {
  if (seen?.account.ok !== true) return [];
  const orgs = seen.orgs.ok ? seen.orgs.value : undefined;
  return [
    ...conditions(seen.account.value, orgs),
    ...(orgs ? strangers(orgs, setup.orgs) : []),
    ...expiring(seen, setup.now),
    ...admins(seen, setup),
  ];
}

const ACCOUNT = 'Billing account';

/** What creating an org takes. */
function conditions(account: Account, orgs: Listing<Org> | undefined): Finding[] {
  const stops = 'so no org can be created';
  const { enabled, tou, paymentMethods, orgQuota } = account;
  const found = [
    enabled === false &&
      doubtful(ACCOUNT, `it is disabled, ${stops}`, 'ask whoever runs the platform to enable it'),
    tou === false &&
      doubtful(
        ACCOUNT,
        `it has not accepted the Terms of Use, ${stops}`,
        'have a billing_admin accept them on the platform',
      ),
    paymentMethods?.length === 0 &&
      doubtful(
        ACCOUNT,
        `it has no payment method, ${stops}`,
        'have a billing_admin add one on the platform',
      ),
    orgs !== undefined &&
      orgQuota !== undefined &&
      orgs.items.length + orgs.skipped >= orgQuota &&
      doubtful(
        ACCOUNT,
        `it has used up its quota of ${plural(orgQuota, 'org')}, ${stops}`,
        'ask whoever runs the platform for a higher org quota',
      ),
  ].filter((finding) => finding !== false);
  // Whether its quota is used up, the orgs say.
  return found.length > 0 || orgs === undefined ? found : [well(ACCOUNT, 'in order')];
}

function strangers({ items, skipped }: Listing<Org>, orgs: readonly string[]): Finding[] {
  const paid = new Set(items.map(({ name }) => name));
  const others = skipped > 0 ? [] : orgs.filter((org) => !paid.has(org));
  if (others.length === 0) return [];
  return [
    doubtful(
      `Billing of ${others.length === 1 ? 'org' : 'orgs'} ${listed(others, NAMES)}`,
      'another account pays for it, so /charges has nothing of it',
      'check BILLING_ACCOUNT_ID, or take the org out of ORG_TOKENS',
    ),
  ];
}

/** A number alone: how they are called is not shown to everybody. */
function expiring({ tokens }: SeenAccount, now: number): Finding[] {
  if (!tokens.ok) return [];
  const soon = tokens.value.items.filter(
    ({ expiresAt = 0 }) => expiresAt > now && expiresAt - now <= SOON_MS,
  );
  if (soon.length === 0) return [];
  return [
    doubtful(
      'Billing tokens',
      `${plural(soon.length, 'token')} will expire within 14 days, and Purser’s own may be among them`,
      'look at /billing tokens; if it is Purser’s own, create another one in time and put it into BILLING_TOKEN',
    ),
  ];
}

/** Numbers alone: who the people are is not shown to everybody. */
function admins({ users }: SeenAccount, { approvals }: Setup): Finding[] {
  if (!users.ok) return [];
  const { items, skipped } = users.value;
  const count = items.filter(({ roles }) => roles.includes('billing_admin')).length;
  const fix =
    'have a second person made billing_admin, or set ALLOW_SELF_APPROVAL=true or APPROVALS=off';
  const needed = !approvals.required ? 0 : approvals.allowSelf ? 1 : 2;
  if (count >= needed || skipped > 0) {
    return [well('Billing users', `${plural(items.length, 'user')}, ${count} with billing_admin`)];
  }
  if (count === 0) {
    const says = 'nobody has billing_admin, so no change can be asked for or approved';
    return [broken('Billing users', says, 'have somebody made billing_admin on the platform')];
  }
  const says = 'one alone has billing_admin, so nobody can approve what that person asks for';
  return [doubtful('Billing users', says, fix)];
}
