import { readCharges, readDetailedCharges } from '../../../../src/platform/billing/charge-rows.ts';
import type { BillingClient } from '../../../../src/platform/billing/client.ts';
import {
  readAnswerIn,
  readResult,
  readUsageRow,
} from '../../../../src/platform/consumption/result.ts';
import type { DeploymentsClient } from '../../../../src/platform/deployments/client.ts';
import type { UsageClient } from '../../../../src/platform/usage.ts';
import { anyAmount } from '../../../support/reports.ts';

export interface Clients {
  readonly billing: BillingClient;
  readonly usage: UsageClient;
  readonly deployments: DeploymentsClient;
}

/** What exists on the platform before the first call. */
export interface Known {
  readonly invoiceId: string;
  readonly tokenId: string;
  readonly recipientId: string;
}

export type Call = (clients: Clients, known: Known) => Promise<unknown>;
type Calls = Readonly<Record<string, Call>>;

const RANGE = { startTime: '2026-10-14T00:00:00Z', endTime: '2026-10-16T00:00:00Z' };
/** Two days, two groups in each, two rows in some of these. */
const QUERY = {
  ...RANGE,
  timeStep: 'day',
  aggregateByTimeStep: true,
  groupBy: ['gvc'],
  consumptionQueries: [
    {
      filterBy: { metric: 'cpu', gvc: '/^(shop|data)$/' },
      aggregateBy: ['gvc', 'metric', 'locationType'],
    },
  ],
} as const;
const ITEM_QUERY = {
  ...QUERY,
  consumptionQueries: [{ ...QUERY.consumptionQueries[0], chargeableItems: ['cpu'] }],
} as const;
const TAG = { ...RANGE, tag: 'gvc' };
const YEARS = { start: '2024-01-01T00:00:00Z', end: '2027-01-01T00:00:00Z' };

export const ADDED_USER = 'hal@hooli.example';
export const NEW_ORG = 'hooli';

/** The calls that show money and quantities. */
export const MONEY_CALLS: Calls = {
  'billing.charges.account': ({ billing }) => billing.charges.account(QUERY),
  'billing.charges.accountDetailed': ({ billing }) => billing.charges.accountDetailed(ITEM_QUERY),
  'billing.charges.org': ({ billing }) => billing.charges.org('acme', QUERY),
  'billing.charges.orgDetailed': ({ billing }) => billing.charges.orgDetailed('acme', QUERY),
  'billing.charges.accountBody': async ({ billing }) => {
    const { value, readAt } = await billing.charges.accountBody(QUERY, { allowance: anyAmount() });
    return { value: readAnswerIn(value.body, (said) => readCharges(said, QUERY.groupBy)), readAt };
  },
  'billing.charges.orgBody': async ({ billing }) => {
    const asked = { allowance: anyAmount(), detailed: true };
    const { value, readAt } = await billing.charges.orgBody('acme', QUERY, asked);
    return {
      value: readAnswerIn(value.body, (said) => readDetailedCharges(said, QUERY.groupBy)),
      readAt,
    };
  },
  'billing.charges.tagValues': ({ billing }) => billing.charges.tagValues(TAG),
  'billing.charges.chargeableItems': ({ billing }) => billing.charges.chargeableItems(),
  'billing.charges.knownItems': ({ billing }) => billing.charges.knownItems(),
  'usage.query': ({ usage }) => usage.query('acme', QUERY),
  'usage.queryBody': async ({ usage }) => {
    const { value, readAt } = await usage.queryBody('acme', QUERY, { allowance: anyAmount() });
    return {
      value: readAnswerIn(value.body, (said) => readResult(said, QUERY.groupBy, readUsageRow)),
      readAt,
    };
  },
  'usage.tagValues': ({ usage }) => usage.tagValues('acme', TAG),
  'billing.listInvoices': ({ billing }) => billing.listInvoices(YEARS),
  'billing.listPendingInvoices': ({ billing }) =>
    billing.listPendingInvoices({ includeSurcharges: true }),
  'billing.getInvoice': ({ billing }, { invoiceId }) => billing.getInvoice(invoiceId),
  'billing.downloadInvoicePdf': ({ billing }, { invoiceId }) =>
    billing.downloadInvoicePdf(invoiceId).then((pdf) => pdf.toArray()),
  'billing.listPaymentLinks': ({ billing }, { invoiceId }) => billing.listPaymentLinks(invoiceId),
};

/** The calls about the account and its people, in an order in which each finds what it needs. */
export const RECORD_CALLS: Calls = {
  'billing.createAlert': ({ billing }) => billing.createAlert({ amount: 1e9, enabled: true }),
  'billing.getAlert': ({ billing }) => billing.getAlert(),
  'billing.replaceAlert': ({ billing }) => billing.replaceAlert({ amount: 2e9, enabled: false }),
  'billing.getAccount': ({ billing }) => billing.getAccount(),
  'billing.listAccounts': ({ billing }) => billing.listAccounts(),
  'billing.getPayerOf': ({ billing }) => billing.getPayerOf('acme'),
  'billing.removeAlert': ({ billing }) => billing.removeAlert(),
  'billing.createToken': ({ billing }) =>
    billing.createToken({
      name: 'ci',
      roles: ['billing_viewer'],
      expiresAt: '2027-01-01T00:00:00Z',
    }),
  'billing.listTokens': ({ billing }) => billing.listTokens(),
  'billing.removeToken': ({ billing }, { tokenId }) => billing.removeToken(tokenId),
  'billing.createOrg': ({ billing }) =>
    billing.createOrg({
      org: { name: NEW_ORG },
      invitees: ['gavin@hooli.example'],
      createSuperuserServiceAccount: true,
    }),
  'billing.listOrgs': ({ billing }) => billing.listOrgs(),
  'billing.addUser': ({ billing }) =>
    billing.addUser({ email: ADDED_USER, roles: ['billing_viewer'] }),
  'billing.setUserRoles': ({ billing }) =>
    billing.setUserRoles({ email: ADDED_USER, roles: ['org_creator', 'billing_viewer'] }),
  'billing.getUser': ({ billing }) => billing.getUser(ADDED_USER),
  'billing.listUsers': ({ billing }) => billing.listUsers(),
  'billing.removeUser': ({ billing }) => billing.removeUser(ADDED_USER),
  'billing.addRecipient': ({ billing }) => billing.addRecipient({ email: 'ap@acme.example' }),
  'billing.listRecipients': ({ billing }) => billing.listRecipients(),
  'billing.setRecipientEnabled': ({ billing }, { recipientId }) =>
    billing.setRecipientEnabled(recipientId, true),
  'billing.removeRecipient': ({ billing }, { recipientId }) => billing.removeRecipient(recipientId),
  'billing.listDeliveries': ({ billing }, { invoiceId }) => billing.listDeliveries({ invoiceId }),
  'billing.listQuotas': ({ billing }) => billing.listQuotas('acme'),
  'billing.requestQuotaIncrease': ({ billing }) =>
    billing.requestQuotaIncrease('acme', { quotaName: 'gvcs', requestedMax: 21 }),
};

export const DEPLOYMENT_CALLS: Calls = {
  'deployments.listGvc': ({ deployments }) => deployments.listGvc('acme', 'data'),
  'deployments.scanGvc': async ({ deployments }) => {
    const { listed, ...rest } = await deployments.scanGvc('acme', 'data');
    return { deployments: listed.map((one) => one.read()), ...rest };
  },
  'deployments.listWorkload': ({ deployments }) => deployments.listWorkload('acme', 'data', 'etl'),
  'deployments.get': ({ deployments }) =>
    deployments.get('acme', 'shop', 'orders-db', 'aws-us-west-2'),
};

/** Every method of the three clients. */
export const ALL_CALLS: Calls = { ...MONEY_CALLS, ...RECORD_CALLS, ...DEPLOYMENT_CALLS };

/** The methods of a client by their full names; `close` asks nothing. */
export function methodsOf(client: object, path: string): string[] {
  return Object.entries(client).flatMap(([name, member]: [string, unknown]) => {
    if (typeof member === 'function') return name === 'close' ? [] : [`${path}.${name}`];
    const isPart = typeof member === 'object' && member !== null;
    return isPart ? methodsOf(member, `${path}.${name}`) : [];
  });
}
