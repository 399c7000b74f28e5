import { BigNumber } from 'bignumber.js';
import { Secret } from '../../../src/lib/secret.ts';
import type { Account } from '../../../src/platform/billing/account.ts';
import type { Charges } from '../../../src/platform/billing/charge-rows.ts';
import type { Alert } from '../../../src/platform/billing/alert.ts';
import type { Org, QuotaRecord } from '../../../src/platform/billing/orgs.ts';
import type { Recipient } from '../../../src/platform/billing/recipients.ts';
import type { BillingToken } from '../../../src/platform/billing/tokens.ts';
import { isSameEmail } from '../../../src/platform/billing/roles.ts';
import type { BillingUser } from '../../../src/platform/billing/users.ts';
import { PlatformError } from '../../../src/platform/errors.ts';
import { charges } from '../../unit/features/alert/scenario.ts';
import { DAY, HOUR, NOW } from '../entry.ts';
import type { BillingClient } from '../../../src/platform/billing/client.ts';

/** The billing account as the platform stores it. */
export interface ExpectedState {
  alert: Alert | undefined;
  /** The charges of this month; undefined: the platform omits them. */
  spend: Charges | undefined;
  users: readonly BillingUser[];
  tokens: readonly BillingToken[];
  recipients: readonly Recipient[];
  orgs: readonly Org[];
  account: Account;
  quotas: readonly QuotaRecord[];
  /** Rows of each list that cannot be read. */
  skipped: number;
  /** The answer to a request for a higher quota. */
  increase: Readonly<Record<string, string>>;
  /** It says the key of a new org. */
  saysKeys: boolean;
  /** It says the id of a token that it creates. */
  namesTokens: boolean;
}

/** The calls that are made here. */
type Used = Pick<
  BillingClient,
  | 'getAlert'
  | 'createAlert'
  | 'replaceAlert'
  | 'removeAlert'
  | 'getAccount'
  | 'listUsers'
  | 'getUser'
  | 'addUser'
  | 'setUserRoles'
  | 'removeUser'
  | 'listTokens'
  | 'createToken'
  | 'removeToken'
  | 'listRecipients'
  | 'addRecipient'
  | 'setRecipientEnabled'
  | 'removeRecipient'
  | 'listOrgs'
  | 'createOrg'
  | 'listQuotas'
  | 'requestQuotaIncrease'
>;
type CallName = keyof Used;

const READS: ReadonlySet<CallName> = new Set<CallName>([
  'getAlert',
  'getAccount',
  'getUser',
  'listUsers',
  'listTokens',
  'listRecipients',
  'listOrgs',
  'listQuotas',
]);
/** Whether it is the call that changes something. */
export const isWrite = (call: CallName): boolean => !READS.has(call);

/** The failure of a call: refused, done and its answer lost, or answered with success and not done. */
type Trouble = { readonly refused: Error } | { readonly lost: Error } | 'ignored' | undefined;
/** @param before the calls before this one, the oldest first @param books another person may change them now */
export type Troubles = (
  call: CallName,
  before: readonly CallName[],
  books: ExpectedState,
) => Trouble;

export function alertOf(over: Partial<Alert> = {}): Alert {
  return {
    amount: new BigNumber(400),
    enabled: true,
    created: NOW - 200 * DAY,
    lastModified: NOW - 40 * DAY,
    lastTriggered: NOW - 40 * DAY,
    alertedTimes: 3,
    ...over,
  };
}

export function tokenOf(id: string, name: string, over: Partial<BillingToken> = {}): BillingToken {
  return {
    id,
    name,
    description: '',
    roles: ['billing_viewer'],
    createdBy: 'ada@acme.example',
    expiresAt: undefined,
    created: NOW - 90 * DAY,
    lastModified: NOW - 90 * DAY,
    lastUsedAt: NOW - HOUR,
    ...over,
  };
}

/** An account with something of everything, on which each order of `ORDERS` can be carried out. */
export function booksOf(over: Partial<ExpectedState> = {}): ExpectedState {
  return {
    alert: alertOf(),
    spend: charges({ org: 'acme', total: 310, projected: 420 }, { org: 'globex', total: 45 }),
    users: [
      { email: 'ada@acme.example', roles: ['billing_admin'] },
      { email: 'ben@acme.example', roles: ['billing_admin', 'org_creator'] },
      { email: 'cleo@acme.example', roles: ['billing_viewer'] },
    ],
    tokens: [
      tokenOf('f3b1c0de-1', 'ci', { description: 'Pipelines', expiresAt: NOW + 200 * DAY }),
      tokenOf('a7e2d1fa-2', 'reports', { roles: ['billing_viewer', 'org_creator'] }),
    ],
    recipients: [
      { id: 'r-1', email: 'books@acme.example', enabled: true },
      { id: 'r-2', email: 'old-books@acme.example', enabled: false },
      { id: 'r-3', email: 'cfo@acme.example', enabled: true },
    ],
    orgs: ['acme', 'acme-lab'].map((name) => ({
      name,
      accountId: 'cus_Q2acme',
      created: NOW - 300 * DAY,
    })),
    account: accountOf(),
    quotas: [quotaOf({ name: 'workloads', max: '50', unit: 'count', current: '41' })],
    skipped: 0,
    increase: { status: 'approved', org: 'acme', quotaName: 'workloads', requestedMax: '80' },
    namesTokens: true,
    saysKeys: true,
    ...over,
  };
}

export function accountOf(over: Partial<Account> = {}): Account {
  return {
    id: '5f0c9d3e-8a41-4b7e-9c26-d1a7e3b0f482',
    accountId: 'cus_Q2acme',
    fullName: 'Acme GmbH',
    email: 'billing@acme.example',
    address: [],
    orgQuota: 5,
    enabled: true,
    tou: true,
    paymentMethods: [{ brand: 'visa', last4: '4242' }],
    alert: undefined,
    ...over,
  };
}

export function quotaOf(fields: Readonly<Record<string, string>>): QuotaRecord {
  return new Map(Object.entries(fields));
}

/** No, in the platform's own words. */
export function no(status: number, message: string): PlatformError {
  const reason = { 400: 'bad-request', 404: 'not-found', 409: 'conflict' } as const;
  return new PlatformError(reason[status as 400] ?? 'server-error', message, { status });
}

/** No answer came in time. */
export const SILENCE = new PlatformError('timeout', 'no answer within 20 s');

/** A platform that carries out calls in these books, except for the given troubles. */
export function platformOf(
  books: ExpectedState,
  clock: { now(): number },
  troubles: Troubles,
): BillingClient {
  const calls: CallName[] = [];
  async function called<T>(name: CallName, work: () => T, ignored?: T): Promise<T> {
    const trouble = troubles(name, calls, books);
    calls.push(name);
    if (trouble === 'ignored') return ignored as T;
    if (trouble !== undefined && 'refused' in trouble) throw trouble.refused;
    const done = work();
    if (trouble !== undefined) throw trouble.lost;
    return done;
  }
  const platform = {
    charges: {
      account: async () => {
        if (books.spend === undefined) throw SILENCE;
        return { value: books.spend, readAt: clock.now() };
      },
    } as Partial<BillingClient['charges']> as BillingClient['charges'],
    ...readsOf(books, clock, called),
    ...alertsOf(books, clock, called),
    ...peopleOf(books, called),
    ...newThingsOf(books, clock, called),
  } satisfies Used & Pick<BillingClient, 'charges'>;
  return platform as Used as BillingClient;
}

type Called = <T>(name: CallName, work: () => T, ignored?: T) => Promise<T>;
type Clock = { now(): number };

function readsOf(books: ExpectedState, clock: Clock, called: Called) {
  const readAt = (): number => clock.now();
  const listOf = <T>(name: CallName, items: () => readonly T[]) =>
    called(name, () => ({
      value: { items: items(), skipped: books.skipped },
      readAt: readAt(),
    }));
  return {
    getAlert: () => called('getAlert', () => ({ value: books.alert, readAt: readAt() })),
    getAccount: () => called('getAccount', () => ({ value: books.account, readAt: readAt() })),
    getUser: (email: string) =>
      called('getUser', () => {
        const value = books.users.find((user) => isSameEmail(user.email, email));
        return { value, readAt: readAt() };
      }),
    listUsers: () => listOf('listUsers', () => books.users),
    listTokens: () => listOf('listTokens', () => books.tokens),
    listRecipients: () => listOf('listRecipients', () => books.recipients),
    listOrgs: () => listOf('listOrgs', () => books.orgs),
    listQuotas: () => listOf('listQuotas', () => books.quotas),
  } satisfies Partial<Used>;
}

function alertsOf(books: ExpectedState, clock: Clock, called: Called) {
  const save = (settings: { amount: number; enabled: boolean }, created: number | undefined) => {
    const amount = new BigNumber(settings.amount);
    books.alert = alertOf({ ...books.alert, ...settings, amount, lastModified: clock.now() });
    books.alert = { ...books.alert, created: created ?? clock.now(), lastTriggered: undefined };
  };
  return {
    createAlert: (settings) => called('createAlert', () => save(settings, undefined)),
    replaceAlert: (settings) => called('replaceAlert', () => save(settings, books.alert?.created)),
    removeAlert: () =>
      called('removeAlert', () => {
        const removed = books.alert !== undefined;
        books.alert = undefined;
        return { removed };
      }),
  } satisfies Partial<Used>;
}

function peopleOf(books: ExpectedState, called: Called) {
  const without = (email: string) => books.users.filter((user) => !isSameEmail(user.email, email));
  return {
    addUser: (user) => called('addUser', () => void (books.users = [...books.users, user])),
    setUserRoles: (user) =>
      called('setUserRoles', () => void (books.users = [...without(user.email), user])),
    removeUser: (email) => called('removeUser', () => void (books.users = without(email))),
    addRecipient: ({ email, enabled = true }) =>
      called('addRecipient', () => {
        books.recipients = [...books.recipients, { id: 'r-4', email, enabled }];
      }),
    setRecipientEnabled: (id, enabled) =>
      called('setRecipientEnabled', () => {
        books.recipients = books.recipients.map((one) =>
          one.id === id ? { ...one, enabled } : one,
        );
      }),
    removeRecipient: (id) =>
      called('removeRecipient', () => {
        books.recipients = books.recipients.filter((one) => one.id !== id);
      }),
  } satisfies Partial<Used>;
}

function newThingsOf(books: ExpectedState, clock: Clock, called: Called) {
  return {
    createToken: ({ name, description = '', roles, expiresAt }) =>
      called('createToken', () => {
        const end = expiresAt === undefined ? undefined : Date.parse(expiresAt);
        const over = { description, roles, created: clock.now(), expiresAt: end };
        const token = tokenOf('c4f9ab12-3', name, over);
        books.tokens = [...books.tokens, token];
        const id = books.namesTokens ? token.id : '';
        return { ...token, id, secret: new Secret('svc-bsat-not-a-real-one') };
      }),
    removeToken: (id) =>
      called('removeToken', () => {
        books.tokens = books.tokens.filter((token) => token.id !== id);
      }),
    createOrg: ({ org: { name }, createSuperuserServiceAccount }) =>
      called('createOrg', () => {
        const isThere = books.orgs.some((org) => org.name === name);
        const made = { name, accountId: 'cus_Q2acme', created: clock.now() };
        if (!isThere) books.orgs = [...books.orgs, made];
        const key = new Secret('s4ntz3k-not-a-real-one');
        const isSaid = createSuperuserServiceAccount && !isThere && books.saysKeys;
        return { name, created: !isThere, ...(isSaid && { superuserServiceAccountToken: key }) };
      }),
    requestQuotaIncrease: () =>
      called('requestQuotaIncrease', () => {
        const { status, requestedMax = '' } = books.increase;
        if (status === 'approved') {
          books.quotas = books.quotas.map((quota) => new Map([...quota, ['max', requestedMax]]));
        }
        return quotaOf(books.increase);
      }),
  } satisfies Partial<Used>;
}
