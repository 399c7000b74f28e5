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
  /** Undefined when the platform does not say them, or none of what it says can be read. */
  readonly paymentMethods: readonly Card[] | undefined;
  /** Viewers may read the alert here, not at its own endpoint. Undefined: there is none. */
  readonly alert: Alert | undefined;
}

export interface Card {
  readonly brand: string;
  /** Four digits, or empty. */
  readonly last4: string;
}

interface Accounts {
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

/** The account may come as a list of one. */
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

/** A text, or the texts and numbers in an object such as street and postal code, `depth` levels down. */
function linesOf(value: unknown, depth: number): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  const number = numberOf(value);
  if (number) return [number.toFixed()];
  if (typeof value !== 'object' || value === null || depth === 0) return [];
  return Object.values(value).flatMap((line) => linesOf(line, depth - 1));
}

/** Cards in a list or as the members of an object, or one card by itself; null is none. */
function cardsOf(value: unknown): Card[] | undefined {
  if (value === null) return [];
  const entries = entriesOf(value);
  const cards = entries?.map(toCard).filter((card) => card !== undefined);
  // What is there and no card is not "no cards".
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

/** `brand` and `last4`, which may lie in a `card` of the entry. */
function toCard(entry: unknown): Card | undefined {
  const card = objectOf(unwrap(entry, 'card'));
  if (card === undefined) return undefined;
  const brand = textOf(own(card, 'brand'));
  const last4 = lastDigitsOf(own(card, 'last4'));
  return brand === '' && last4 === '' ? undefined : { brand, last4 };
}

/** Written as a number they lose the zeros in front. */
function lastDigitsOf(value: unknown): string {
  return typeof value === 'number' && /^\d{1,4}$/.test(`${value}`)
    ? `${value}`.padStart(4, '0')
    : textOf(value);
}
