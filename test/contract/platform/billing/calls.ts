import type { BillingClient } from '../../../../src/platform/billing/client.ts';
import { anyAmount } from '../../../support/reports.ts';
import { failureOf } from '../support.ts';
import { SEPTEMBER } from './support.ts';

/** One call of the billing client, with arguments that the platform takes. */
export type BillingCall = (client: BillingClient) => Promise<unknown>;
type BillingCalls = Readonly<Record<string, BillingCall>>;

const RANGE = { startTime: SEPTEMBER.start, endTime: SEPTEMBER.end };
const CHARGES = {
  ...RANGE,
  timeStep: 'month',
  groupBy: ['org'],
  consumptionQueries: [
    { filterBy: { metric: 'cpu' }, aggregateBy: ['org', 'metric', 'locationType'] },
  ],
} as const;
const NONE = '00000000-0000-4000-8000-000000000000';

/** What spec section 5 says takes a `billing_admin`. */
export const ADMIN_CALLS: BillingCalls = {
  'reading the alert': (client) => client.getAlert(),
  'making the alert': (client) => client.createAlert({ amount: 1e9, enabled: true }),
  'changing the alert': (client) => client.replaceAlert({ amount: 1e9, enabled: true }),
  'removing the alert': (client) => client.removeAlert(),
  'listing tokens': (client) => client.listTokens(),
  'making a token': (client) => client.createToken({ name: 'ci', roles: ['billing_viewer'] }),
  'removing a token': (client) => client.removeToken(NONE),
  'adding a user': (client) => client.addUser({ email: 'hal@x.example', roles: ['org_creator'] }),
  'changing a user': (client) =>
    client.setUserRoles({ email: 'eve@contractor.example', roles: ['org_creator'] }),
  'removing a user': (client) => client.removeUser('eve@contractor.example'),
  'listing recipients': (client) => client.listRecipients(),
  'adding a recipient': (client) => client.addRecipient({ email: 'ap@acme.example' }),
  'switching a recipient': (client) => client.setRecipientEnabled(NONE, false),
  'removing a recipient': (client) => client.removeRecipient(NONE),
  'listing deliveries': (client) => client.listDeliveries(),
};

/** What takes a `billing_admin` or a `billing_viewer`. */
export const MONEY_CALLS: BillingCalls = {
  'charges of the account': (client) => client.charges.account(CHARGES),
  'charges as they come': (client) =>
    client.charges.accountBody(CHARGES, { allowance: anyAmount() }),
  'charges in detail': (client) => client.charges.accountDetailed(CHARGES),
  'tag values': (client) => client.charges.tagValues({ ...RANGE, tag: 'gvc' }),
  'listing invoices': (client) => client.listInvoices(SEPTEMBER),
  'pending invoices': (client) => client.listPendingInvoices(),
  'one invoice': (client) => client.getInvoice(NONE),
  'the PDF of an invoice': (client) => client.downloadInvoicePdf(NONE),
  'payment pages': (client) => client.listPaymentLinks(NONE),
  'listing users': (client) => client.listUsers(),
  'one user': (client) => client.getUser('cleo@acme.example'),
};

/** What takes any of the three roles. */
export const ACCOUNT_CALLS: BillingCalls = {
  'reading the account': (client) => client.getAccount(),
  'listing orgs': (client) => client.listOrgs(),
};

/** What takes a `billing_admin` or an `org_creator`. */
export const CREATE_ORG: BillingCalls = {
  'making an org': (client) =>
    client.createOrg({ org: { name: 'hooli' }, invitees: ['gavin@hooli.example'] }),
};

/** What any valid token does. */
export const CATALOGUE: BillingCalls = {
  'the chargeable items': (client) => client.charges.chargeableItems(),
};

/** What a user's token alone does. */
export const USER_CALLS: BillingCalls = {
  'the list of accounts': (client) => client.listAccounts(),
  'the account of an org': (client) => client.getPayerOf('acme'),
};

/** What the key of an org does. */
export const ORG_CALLS: BillingCalls = {
  'the charges of an org': (client) => client.charges.org('acme', CHARGES),
  'the charges of an org as they come': (client) =>
    client.charges.orgBody('acme', CHARGES, { allowance: anyAmount() }),
  'the quotas of an org': (client) => client.listQuotas('acme'),
  'a raise of a quota': (client) =>
    client.requestQuotaIncrease('acme', { quotaName: 'gvcs', requestedMax: 21 }),
};

/** Everything that the account's own token does. */
export const OWN_CALLS: BillingCalls = {
  ...ADMIN_CALLS,
  ...MONEY_CALLS,
  ...ACCOUNT_CALLS,
  ...CREATE_ORG,
  ...CATALOGUE,
};

export const ALL_CALLS: BillingCalls = { ...OWN_CALLS, ...USER_CALLS, ...ORG_CALLS };

/** Whether the platform lets the call through; what comes of it then is another matter. */
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
