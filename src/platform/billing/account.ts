import { z } from 'zod';
import { pathOf } from '../http.ts';
import { countOf, idOf, numberOf, objectOf, own, textOf } from '../json.ts';
import type { Reading, ReadOptions } from '../concurrency.ts';
import { alertIn, type Alert } from './alert.ts';
import {
  createCalls,
  flagOf,
  identity,
  label,
  malformed,
  memberOf,
  unwrap,
  type Listing,
} from './calls.ts';
import type { BillingContext } from './context.ts';

/** Spec 2.2, which does not show the types: unreadable values are absent. */
export interface Account {
  /** The UUID used in paths (spec 2.1). */
  readonly id: string;
  /** The payment processor's customer id: a path with it gives 401. */
  readonly accountId: string;
  readonly fullName: string;
  readonly email: string;
  readonly address: readonly string[];
  readonly orgQuota: number | undefined;
  /** Undefined when absent in the answer. */
  readonly enabled: boolean | undefined;
  readonly tou: boolean | undefined;
  /** Undefined when absent or entirely unreadable. */
  readonly paymentMethods: readonly Card[] | undefined;
  /** Viewers may read the alert here, not at its own endpoint. Undefined: no alert. */
  readonly alert: Alert | undefined;
}

export interface Card {
  readonly brand: string;
  /** Four digits, or empty. */
  readonly last4: string;
}

interface Accounts {
  /** The configured account (spec 4.3). @throws PlatformError */
  getAccount(options?: ReadOptions): Promise<Reading<Account>>;
  /**
   * The accounts of the user token's user (spec 4.3). @throws PlatformError `unauthorized` without a token
   */
  listAccounts(options?: ReadOptions): Promise<Reading<Listing<Account>>>;
  /**
   * The paying account of an org, by the user token (spec 4.3). @throws PlatformError `unauthorized` without
   * a token
   */
  getPayerOf(org: string, options?: ReadOptions): Promise<Reading<Account>>;
}

/** Spec 2.2, 4.3. */
export function createAccounts(context: BillingContext): Accounts {
  const http = context.accountFor('billing_admin', 'billing_viewer', 'org_creator');
  const own = createCalls(context, http);
  const asUser = createCalls(context, () => context.user());

  return {
    getAccount: async (options) => own.read({ path: context.accountPath() }, accountOf, options),
    listAccounts: async (options) =>
      asUser.readList({ path: pathOf('account'), wrappers: ['items'] }, toAccount, options),
    getPayerOf: async (org, options) =>
      asUser.read({ path: pathOf('org', org, 'account') }, accountOf, options),
  };
}

/** Spec 2.2. */
const AccountRecord = z.object({
  id: identity,
  accountId: label,
  fullName: label,
  email: label,
  address: label,
  orgQuota: label,
  enabled: label,
  tou: label,
  paymentMethods: label,
  alert: label,
});

function accountOf(body: unknown): Account {
  const account = toAccount(onlyRowOf(body));
  if (account) return account;
  throw malformed('an account');
}

function onlyRowOf(body: unknown): unknown {
  const rows = Array.isArray(body) ? (body as unknown[]) : memberOf(body, 'items');
  return Array.isArray(rows) && rows.length === 1 ? rows[0] : body;
}

function toAccount(row: unknown): Account | undefined {
  const record = AccountRecord.safeParse(unwrap(row, 'account')).data;
  return (
    record && {
      id: record.id,
      accountId: idOf(record.accountId),
      fullName: textOf(record.fullName),
      email: textOf(record.email),
      address: linesOf(record.address, 2),
      orgQuota: countOf(record.orgQuota),
      enabled: flagOf(record.enabled),
      tou: flagOf(memberOf(record.tou, 'accepted') ?? record.tou),
      paymentMethods: cardsOf(record.paymentMethods),
      alert: alertIn(record.alert),
    }
  );
}

/** A text, or the texts and numbers in an object such as street and postal code, to a nesting of `depth`. */
function linesOf(value: unknown, depth: number): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  const number = numberOf(value);
  if (number) return [number.toFixed()];
  if (typeof value !== 'object' || value === null || depth === 0) return [];
  return Object.values(value).flatMap((line) => linesOf(line, depth - 1));
}

/** Cards in a list or as the members of an object, or a single card; null is an empty list. */
function cardsOf(value: unknown): Card[] | undefined {
  if (value === null) return [];
  const entries = entriesOf(value);
  const cards = entries?.map(toCard).filter((card) => card !== undefined);
  // Unreadable entries are not "no cards".
  return entries?.length && !cards?.length ? undefined : cards;
}

function entriesOf(value: unknown): unknown[] | undefined {
  if (Array.isArray(value)) return value;
  const object = objectOf(value);
  if (object === undefined) return undefined;
  if (toCard(object)) return [object];
  const members = Object.values(object);
  return members.find((member) => Array.isArray(member)) ?? (members.length ? members : undefined);
}

function toCard(entry: unknown): Card | undefined {
  const card = objectOf(unwrap(entry, 'card'));
  if (card === undefined) return undefined;
  const brand = textOf(own(card, 'brand'));
  const last4 = lastDigitsOf(own(card, 'last4'));
  return brand === '' && last4 === '' ? undefined : { brand, last4 };
}

/** As a number they lose leading zeros. */
function lastDigitsOf(value: unknown): string {
  return typeof value === 'number' && /^\d{1,4}$/.test(`${value}`)
    ? `${value}`.padStart(4, '0')
    : textOf(value);
}
