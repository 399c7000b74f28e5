import type { Readable } from 'node:stream';
import { createAllowance } from '../../../src/platform/answer.ts';
import { readCharges, readDetailedCharges } from '../../../src/platform/billing/charge-rows.ts';
import type { BillingClient } from '../../../src/platform/billing/client.ts';
import {
  readAnswerIn,
  readResult,
  readUsageRow,
} from '../../../src/platform/consumption/result.ts';
import { readAll, type DeploymentsClient } from '../../../src/platform/deployments/client.ts';
import type { Reading } from '../../../src/platform/concurrency.ts';
import type { UsageClient } from '../../../src/platform/usage.ts';
import { failureOf } from './support.ts';

export interface Clients {
  readonly billing: BillingClient;
  readonly usage: UsageClient;
  readonly deployments: DeploymentsClient;
}

/** Objects that exist on the platform before the first call. */
export interface Known {
  readonly invoiceId: string;
  readonly tokenId: string;
  readonly recipientId: string;
}

const NONE = '00000000-0000-4000-8000-000000000000';
const NOTHING: Known = { invoiceId: NONE, tokenId: NONE, recipientId: NONE };

export type Call = (clients: Clients, known?: Known) => Promise<unknown>;

const RANGE = { startTime: '2026-10-14T00:00:00Z', endTime: '2026-10-16T00:00:00Z' };
const CPU = {
  filterBy: { metric: 'cpu', gvc: '/^(shop|data)$/' },
  aggregateBy: ['gvc', 'metric', 'locationType'],
};
/** Two days, two groups in each, two rows in some of these. */
const QUERY = {
  ...RANGE,
  timeStep: 'day',
  aggregateByTimeStep: true,
  groupBy: ['gvc'],
  consumptionQueries: [CPU],
} as const;
const ITEM_QUERY = { ...QUERY, consumptionQueries: [{ ...CPU, chargeableItems: ['cpu'] }] };
const TAG = { ...RANGE, tag: 'gvc' };
const YEARS = { start: '2024-01-01T00:00:00Z', end: '2027-01-01T00:00:00Z' };
const allowance = createAllowance(Number.MAX_SAFE_INTEGER);

const ADDED_USER = 'hal@hooli.example';
export const NEW_ORG = 'hooli';

type Method = (...given: never[]) => Promise<unknown>;
/** The arguments of each method of a client; `close` asks nothing. */
type Given<Client> = {
  [
    Name in keyof Client as Client[Name] extends Method ? Exclude<Name, 'close'> : never
  ]: Client[Name] extends (...given: infer Arguments) => unknown ? Arguments : never;
};

interface AllGiven {
  readonly 'billing.charges': Given<BillingClient['charges']>;
  readonly usage: Given<UsageClient>;
  readonly billing: Given<BillingClient>;
  readonly deployments: Given<DeploymentsClient>;
}

/**
 * Valid arguments for each method of the three clients, none left out, in an order in which each call
 * finds the objects that it needs.
 */
const givenOf = ({ invoiceId, tokenId, recipientId }: Known): AllGiven => ({
  'billing.charges': {
    account: [QUERY],
    org: ['acme', QUERY],
    accountBody: [ITEM_QUERY, { allowance }],
    orgBody: ['acme', QUERY, { allowance, detailed: true }],
    tagValues: [TAG],
    chargeableItems: [],
    knownItems: [],
  },
  usage: {
    queryBody: ['acme', QUERY, { allowance }],
    tagValues: ['acme', TAG],
  },
  billing: {
    listInvoices: [YEARS],
    listPendingInvoices: [{ includeSurcharges: true }],
    getInvoice: [invoiceId],
    downloadInvoicePdf: [invoiceId],
    listPaymentLinks: [invoiceId],
    createAlert: [{ amount: 1e9, enabled: true }],
    getAlert: [],
    replaceAlert: [{ amount: 2e9, enabled: false }],
    getAccount: [],
    listAccounts: [],
    getPayerOf: ['acme'],
    removeAlert: [],
    createToken: [{ name: 'ci', roles: ['billing_viewer'], expiresAt: '2027-01-01T00:00:00Z' }],
    listTokens: [],
    removeToken: [tokenId],
    createOrg: [
      {
        org: { name: NEW_ORG },
        invitees: ['gavin@hooli.example'],
        createSuperuserServiceAccount: true,
      },
    ],
    listOrgs: [],
    addUser: [{ email: ADDED_USER, roles: ['billing_viewer'] }],
    setUserRoles: [{ email: ADDED_USER, roles: ['org_creator', 'billing_viewer'] }],
    getUser: [ADDED_USER],
    listUsers: [],
    removeUser: [ADDED_USER],
    addRecipient: [{ email: 'ap@acme.example' }],
    listRecipients: [],
    setRecipientEnabled: [recipientId, true],
    removeRecipient: [recipientId],
    listDeliveries: [{ invoiceId }],
    listQuotas: ['acme'],
    requestQuotaIncrease: ['acme', { quotaName: 'gvcs', requestedMax: 21 }],
  },
  deployments: {
    listGvc: ['acme', 'data'],
    scanGvc: ['acme', 'data'],
    listWorkload: ['acme', 'data', 'etl'],
  },
});

type Body = Reading<{ readonly body: Uint8Array }>;
const readAs =
  (read: (said: unknown, groupBy: readonly string[]) => unknown) =>
  ({ value }: Body) =>
    readAnswerIn(value.body, (said) => read(said, QUERY.groupBy));

/** Readers for the methods that return an unread body. */
const READ_AFTER: Readonly<Record<string, (value: never) => unknown>> = {
  'billing.charges.accountBody': readAs(readCharges),
  'billing.charges.orgBody': readAs(readDetailedCharges),
  'usage.queryBody': readAs((said, groupBy) => readResult(said, groupBy, readUsageRow)),
  'billing.downloadInvoicePdf': (pdf: Readable) => pdf.toArray(),
  'deployments.scanGvc': readAll,
};

/** Every method by its full name. */
export const ALL_CALLS = Object.fromEntries(
  Object.entries(givenOf(NOTHING)).flatMap(([part, methods]) =>
    Object.keys(methods).map((name) => [`${part}.${name}`, callOf(part as keyof AllGiven, name)]),
  ),
);

function callOf(part: keyof AllGiven, name: string): Call {
  return (clients, known = NOTHING) => {
    const client = { ...clients, 'billing.charges': clients.billing.charges }[part];
    const method = (client as unknown as Record<string, Method>)[name]!;
    const given = (givenOf(known)[part] as unknown as Record<string, never[]>)[name]!;
    const read = READ_AFTER[`${part}.${name}`] as (value: unknown) => unknown;
    return read === undefined ? method(...given) : method(...given).then(read);
  };
}

/** One call of the billing client. */
export type BillingCall = (billing: BillingClient) => Promise<unknown>;
type BillingCalls = Readonly<Record<string, BillingCall>>;

function billingCalls(names: string): BillingCalls {
  const calls = names.split(' ').map((name): [string, BillingCall] => {
    return [name, (billing) => ALL_CALLS[`billing.${name}`]!({ billing } as Clients)];
  });
  return Object.fromEntries(calls);
}

/** Calls that take a `billing_admin` (spec section 5). */
export const ADMIN_CALLS = billingCalls(
  'getAlert createAlert replaceAlert removeAlert listTokens createToken removeToken addUser ' +
    'setUserRoles removeUser listRecipients addRecipient setRecipientEnabled removeRecipient ' +
    'listDeliveries',
);
/** Calls that take a `billing_admin` or a `billing_viewer`. */
export const MONEY_CALLS = billingCalls(
  'charges.account charges.accountBody charges.tagValues listInvoices ' +
    'listPendingInvoices getInvoice downloadInvoicePdf listPaymentLinks listUsers getUser',
);
/** Calls that take any of the three roles. */
export const ACCOUNT_CALLS = billingCalls('getAccount listOrgs');
/** Calls that take a `billing_admin` or an `org_creator`. */
export const CREATE_ORG = billingCalls('createOrg');
/** Calls that take any valid token. */
export const CATALOGUE = billingCalls('charges.chargeableItems');
/** Calls that take a user's token. */
export const USER_CALLS = billingCalls('listAccounts getPayerOf');
/** Calls that take the key of an org. */
export const ORG_CALLS = billingCalls(
  'charges.org charges.orgBody listQuotas requestQuotaIncrease',
);
/** All calls that take the account's own token. */
export const OWN_CALLS = {
  ...ADMIN_CALLS,
  ...MONEY_CALLS,
  ...ACCOUNT_CALLS,
  ...CREATE_ORG,
  ...CATALOGUE,
};

/** Whether the platform authorizes the call, whatever its result. */
export async function isAllowed(call: Promise<unknown>): Promise<boolean> {
  const failure = await failureOf(call).catch(() => undefined);
  return failure?.reason !== 'unauthorized' && failure?.reason !== 'forbidden';
}

/** The calls that the client's credentials are too weak for. */
export async function refusedOf(calls: BillingCalls, client: BillingClient): Promise<string[]> {
  const refused = [];
  for (const [name, call] of Object.entries(calls)) {
    if (!(await isAllowed(call(client)))) refused.push(name);
  }
  return refused;
}
