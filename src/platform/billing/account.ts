import { pathOf } from '../address.ts';
import { countOf, textOf } from '../tolerant.ts';
import type { ReadOptions, Reading } from '../read-cache.ts';
import { toAlert } from './alert.ts';
import type { Alert } from './alert.ts';
import { createCalls } from './calls.ts';
import type { BillingContext } from './context.ts';
import { malformed, memberOf, unwrap } from './listing.ts';
import type { Listing } from './listing.ts';
import { AccountRecord } from './schema.ts';

/** A billing account (spec 2.2). Its types are not shown there: what cannot be read is absent. */
export interface Account {
  /** The UUID that paths are built from (spec 2.1). */
  readonly id: string;
  /** The payment processor's customer id: a path built from it gives 401. */
  readonly accountId: string;
  readonly fullName: string;
  readonly email: string;
  /** Lines of the postal address. */
  readonly address: readonly string[];
  readonly orgQuota: number | undefined;
  /** Undefined when the platform does not say it. */
  readonly enabled: boolean | undefined;
  /** Whether the Terms of Use are accepted. */
  readonly tou: boolean | undefined;
  readonly paymentMethods: readonly Card[];
  /** Viewers may read the alert here, not at its own endpoint. */
  readonly alert: Alert | undefined;
}

export interface Card {
  readonly brand: string;
  readonly last4: string;
}

export interface Accounts {
  /** The account of the configuration (spec 4.3). @throws PlatformError */
  getAccount(options?: ReadOptions): Promise<Reading<Account>>;
  /** The accounts that the user of the user token belongs to (spec 4.3). @throws PlatformError `unauthorized` without one */
  listAccounts(options?: ReadOptions): Promise<Reading<Listing<Account>>>;
  /** The account that pays for an org, by the user token (spec 4.3). @throws PlatformError `unauthorized` without one */
  getPayerOf(org: string, options?: ReadOptions): Promise<Reading<Account>>;
}

/** The calls that read accounts (spec 2.2, 4.3). */
export function createAccounts(context: BillingContext): Accounts {
  const http = context.accountFor('billing_admin', 'billing_viewer', 'org_creator');
  const own = createCalls(context, () => http);
  const asUser = createCalls(context, () => context.user());

  return {
    getAccount: async (options) => own.read({ path: context.accountPath() }, accountOf, options),
    listAccounts: async (options) =>
      asUser.readList({ path: pathOf('account'), wrappers: ['items'] }, toAccount, options),
    getPayerOf: async (org, options) =>
      asUser.read({ path: pathOf('org', org, 'account') }, accountOf, options),
  };
}

function accountOf(body: unknown): Account {
  const account = toAccount(unwrap(body, 'account'));
  if (account) return account;
  throw malformed('an account');
}

function toAccount(row: unknown): Account | undefined {
  const record = AccountRecord.safeParse(row).data;
  return (
    record && {
      id: record.id,
      accountId: textOf(record.accountId),
      fullName: textOf(record.fullName),
      email: textOf(record.email),
      address: linesOf(record.address),
      orgQuota: countOf(record.orgQuota),
      enabled: flagOf(record.enabled),
      tou: flagOf(record.tou),
      paymentMethods: cardsOf(record.paymentMethods),
      alert: record.alert ? toAlert(record.alert) : undefined,
    }
  );
}

function flagOf(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

/** A text, or an object of texts such as street and city. */
function linesOf(value: unknown): string[] {
  const lines: unknown[] =
    typeof value === 'object' && value !== null ? Object.values(value) : [value];
  return lines.filter((line) => typeof line === 'string' && line !== '') as string[];
}

/** Entries with `brand` and `last4`, which may lie in a `card` of theirs. */
function cardsOf(value: unknown): Card[] {
  if (!Array.isArray(value)) return [];
  return value
    .map((entry: unknown) => unwrap(entry, 'card'))
    .map((card) => ({
      brand: textOf(memberOf(card, 'brand')),
      last4: textOf(memberOf(card, 'last4')),
    }))
    .filter(({ brand, last4 }) => brand !== '' || last4 !== '');
}
