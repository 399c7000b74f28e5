import { pathOf } from '../http.ts';
import { countOf, idOf, membersOf, numberOf, objectOf, textOf } from '../json.ts';
import type { ReadOptions } from '../concurrency.ts';
import { alertIn } from './alert.ts';
import { createCalls, flagOf, malformed, unwrap } from './calls.ts';
import type { BillingContext } from './context.ts';

/** Spec 2.2, 4.3. */
export function createAccounts(context: BillingContext) {
  const http = context.accountFor('billing_admin', 'billing_viewer', 'org_creator');
  const calls = createCalls(context, http);
  const asUser = createCalls(context, () => context.user());

  return {
    getAccount: async (options?: ReadOptions) =>
      calls.read({ path: context.accountPath() }, accountOf, options),
    /** The accounts of the user token's user. @throws PlatformError `unauthorized` without a token */
    listAccounts: async (options?: ReadOptions) =>
      asUser.readList({ path: pathOf('account'), wrappers: ['items'] }, toAccount, options),
    /** The paying account of an org. @throws PlatformError `unauthorized` without a user token */
    getPayerOf: async (org: string, options?: ReadOptions) =>
      asUser.read({ path: pathOf('org', org, 'account') }, accountOf, options),
  };
}

function accountOf(body: unknown): Account {
  const account = toAccount(onlyRowOf(body));
  if (account) return account;
  throw malformed('an account');
}

function onlyRowOf(body: unknown): unknown {
  const rows = Array.isArray(body) ? (body as unknown[]) : membersOf(body)['items'];
  return Array.isArray(rows) && rows.length === 1 ? rows[0] : body;
}

/** Spec 2.2, which does not show the types: unreadable values are absent. */
export type Account = NonNullable<ReturnType<typeof toAccount>>;

function toAccount(row: unknown) {
  const { id: said, tou, ...account } = membersOf(unwrap(row, 'account'));
  const id = idOf(said);
  if (id === '') return undefined;
  return {
    /** The UUID used in paths (spec 2.1). */
    id,
    /** The payment processor's customer id: a path with it gives 401. */
    accountId: idOf(account['accountId']),
    fullName: textOf(account['fullName']),
    email: textOf(account['email']),
    address: linesOf(account['address'], 2),
    orgQuota: countOf(account['orgQuota']),
    enabled: flagOf(account['enabled']),
    tou: flagOf(membersOf(tou)['accepted'] ?? tou),
    /** Undefined when absent or entirely unreadable. */
    paymentMethods: cardsOf(account['paymentMethods']),
    /** Viewers may read the alert here, not at its own endpoint. Undefined: no alert. */
    alert: alertIn(account['alert']),
  };
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
function cardsOf(value: unknown): readonly Card[] | undefined {
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

type Card = NonNullable<ReturnType<typeof toCard>>;

function toCard(entry: unknown) {
  const card = membersOf(unwrap(entry, 'card'));
  const brand = textOf(card['brand']);
  /** Four digits, or empty. */
  const last4 = lastDigitsOf(card['last4']);
  return brand === '' && last4 === '' ? undefined : { brand, last4 };
}

/** As a number they lose leading zeros. */
function lastDigitsOf(value: unknown): string {
  return typeof value === 'number' && /^\d{1,4}$/.test(`${value}`)
    ? `${value}`.padStart(4, '0')
    : textOf(value);
}
