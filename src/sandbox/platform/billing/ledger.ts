import type { Account, AccountOrg, BillingRole } from './model.ts';

/** All billing accounts, and the people whose user tokens exist. */
export interface Ledger {
  readonly accounts: readonly Account[];
  /** The account of that UUID. */
  account(id: string): Account | undefined;
  /** The account that pays for an org. */
  payerOf(org: string): { account: Account; org: AccountOrg } | undefined;
  /** Who a user token belongs to; people stay known when their last role is gone. */
  emailOf(userToken: string): string | undefined;
  /** Gives a person exactly these roles on an account; their address is kept in lower case. */
  setRoles(account: Account, email: string, roles: readonly BillingRole[], now: number): void;
}

const USER_TOKEN = 'sandbox-user-';

export function createLedger(accounts: readonly Account[]): Ledger {
  // The local part of an address makes the token; the first to have it keeps it.
  const people = new Map<string, string>();
  const know = (email: string) => {
    const localPart = email.slice(0, email.indexOf('@'));
    if (!people.has(localPart)) people.set(localPart, email);
  };
  for (const account of accounts) for (const email of account.users.keys()) know(email);

  return {
    accounts,
    account: (id) => accounts.find((account) => account.id === id),
    payerOf(name) {
      for (const account of accounts) {
        const org = account.orgs.get(name);
        if (org !== undefined) return { account, org };
      }
      return undefined;
    },
    emailOf(userToken) {
      if (!userToken.startsWith(USER_TOKEN)) return undefined;
      return people.get(userToken.slice(USER_TOKEN.length));
    },
    setRoles(account, address, roles, now) {
      const email = address.toLowerCase();
      const created = account.users.get(email)?.created ?? now;
      account.users.set(email, { email, roles, created });
      know(email);
    },
  };
}
