import type { Account } from '../../platform/billing/account.ts';
import type { Listing } from '../../platform/billing/listing.ts';
import type { Org } from '../../platform/billing/orgs.ts';
import type { BillingToken } from '../../platform/billing/tokens.ts';
import type { BillingUser } from '../../platform/billing/users.ts';
import type { TokenKind } from './platform-kind.ts';
import type { Seen } from './platform-seen.ts';

/** How a token is known to be another one than its variable takes. */
export interface Looks {
  readonly kind: TokenKind;
  /** Orgs that have it as their key. */
  readonly keyOf: readonly string[];
}

/** What account paths answer to BILLING_TOKEN (spec 4.3). */
export interface SeenAccount {
  /** Takes any valid token. */
  readonly catalogue: Seen<unknown>;
  /** Take any of the three roles. */
  readonly account: Seen<Account>;
  readonly orgs: Seen<Listing<Org>>;
  /** Takes `billing_admin` or `billing_viewer`. */
  readonly users: Seen<Listing<BillingUser>>;
  /** Take `billing_admin`. */
  readonly alert: Seen<unknown>;
  readonly recipients: Seen<unknown>;
  readonly tokens: Seen<Listing<BillingToken>>;
}

/** What was found out about BILLING_USER_TOKEN. */
interface SeenUser extends Looks {
  /** Absent: the token is none for it, and was not sent. */
  readonly accounts: Seen<Listing<Account>> | undefined;
  /** An org of ORG_TOKENS, and the id of the account that pays for it. */
  readonly payer: { readonly org: string; readonly accountId: string } | undefined;
}

/** All that the judgments about billing are made of. */
export interface SeenBilling extends Looks {
  readonly accountId: string;
  /** Absent: the token is an org's key, and was not sent. */
  readonly seen: SeenAccount | undefined;
  /** The catalogue with an org's key, asked where BILLING_TOKEN is refused there. */
  readonly withKey: Seen<unknown> | undefined;
  /** What a token of unknown looks turns out to be. */
  readonly behaves:
    { readonly as: 'user' } | { readonly as: 'key'; readonly org: string } | undefined;
  /** Absent: not configured. */
  readonly user: SeenUser | undefined;
}
