import { createAccounts } from '../../../../src/platform/billing/account.ts';
import { createAlerts } from '../../../../src/platform/billing/alert.ts';
import type { BillingContext } from '../../../../src/platform/billing/context.ts';
import { createInvoices } from '../../../../src/platform/billing/invoices.ts';
import { createOrgs, createQuotas } from '../../../../src/platform/billing/orgs.ts';
import { createRecipients } from '../../../../src/platform/billing/recipients.ts';
import { createTokens } from '../../../../src/platform/billing/tokens.ts';
import { createUsers } from '../../../../src/platform/billing/users.ts';
import { PlatformError } from '../../../../src/platform/errors.ts';
import { pathOf, resolveOnOrigin } from '../../../../src/platform/http.ts';
import type { Call, Http } from '../../../../src/platform/http.ts';
import { parseExact } from '../../../../src/platform/json.ts';
import { createReadCache } from '../../../../src/platform/concurrency.ts';

/** What the platform says to a call: a status and the text of a body. */
export type Respond = (call: Call) => { status?: number; text?: string };

/** Where the calls of the records go. */
export const BASE = 'https://platform.example/billing/';

/** The calls of the billing records over a platform of a few lines; `sent` is what was asked of it. */
export function createRecords(respond: Respond) {
  const sent: Call[] = [];
  const http = {
    async send(call: Call) {
      sent.push(call);
      const { status = 200, text = '' } = respond(call);
      if (status >= 400) throw refusalOf(status);
      const isSilent = call.answer === 'ignored' || text === '';
      return { status, body: isSilent ? undefined : parseExact(text) };
    },
    resolve: (path: string, from?: string) =>
      resolveOnOrigin(new URL(BASE), path, from === undefined ? undefined : new URL(from)).href,
  } as Http;
  const context: BillingContext = {
    accountPath: (...names) => pathOf('account', 'a1', ...names),
    account: http,
    accountFor: () => http,
    hasUser: true,
    user: () => http,
    org: () => http,
    cache: createReadCache({ now: () => 0 }),
    cacheMs: 0,
    now: () => Date.parse('2026-10-05T12:00:00Z'),
    close: async () => undefined,
  };
  return {
    ...createAccounts(context),
    ...createAlerts(context),
    ...createInvoices(context),
    ...createOrgs(context),
    ...createQuotas(context),
    ...createRecipients(context),
    ...createTokens(context),
    ...createUsers(context),
    sent,
  };
}

export type Records = ReturnType<typeof createRecords>;

/** Answers every call with the same document. */
export function answering(document: unknown, status = 200): Records {
  return createRecords(() => ({ status, text: JSON.stringify(document) }));
}

function refusalOf(status: number): PlatformError {
  return new PlatformError(
    status === 404 ? 'not-found' : 'server-error',
    `the platform answered with status ${status}`,
    { status },
  );
}

/** Every call of the records, with what each would send where the platform wants to be sent something. */
export const CALLS: Readonly<Record<string, (records: Records) => Promise<unknown>>> = {
  listInvoices: (records) =>
    records.listInvoices({ start: '2026-09-01T00:00:00Z', end: '2026-10-01T00:00:00Z' }),
  listPendingInvoices: (records) => records.listPendingInvoices({ includeSurcharges: true }),
  getInvoice: (records) => records.getInvoice('i1'),
  listPaymentLinks: (records) => records.listPaymentLinks('i1'),
  getAlert: (records) => records.getAlert(),
  createAlert: (records) => records.createAlert({ amount: 500, enabled: true }),
  replaceAlert: (records) => records.replaceAlert({ amount: 0.5, enabled: false }),
  removeAlert: (records) => records.removeAlert(),
  listTokens: (records) => records.listTokens(),
  createToken: (records) => records.createToken({ name: 'ci', roles: ['billing_viewer'] }),
  removeToken: (records) => records.removeToken('t1'),
  getAccount: (records) => records.getAccount(),
  listAccounts: (records) => records.listAccounts(),
  getPayerOf: (records) => records.getPayerOf('acme'),
  listOrgs: (records) => records.listOrgs(),
  createOrg: (records) =>
    records.createOrg({ org: { name: 'hooli' }, invitees: ['ada@acme.example'] }),
  listUsers: (records) => records.listUsers(),
  getUser: (records) => records.getUser('ada@acme.example'),
  addUser: (records) => records.addUser({ email: 'ada@acme.example', roles: ['billing_viewer'] }),
  setUserRoles: (records) =>
    records.setUserRoles({ email: 'ada@acme.example', roles: ['org_creator'] }),
  removeUser: (records) => records.removeUser('ada@acme.example'),
  listRecipients: (records) => records.listRecipients(),
  addRecipient: (records) => records.addRecipient({ email: 'ap@acme.example' }),
  setRecipientEnabled: (records) => records.setRecipientEnabled('r1', false),
  removeRecipient: (records) => records.removeRecipient('r1'),
  listDeliveries: (records) => records.listDeliveries({ invoiceId: 'i1' }),
  listQuotas: (records) => records.listQuotas('acme'),
  requestQuotaIncrease: (records) =>
    records.requestQuotaIncrease('acme', { quotaName: 'cpu', requestedMax: 64 }),
};

/** What the call failed with. */
export async function failureOf(call: Promise<unknown>): Promise<PlatformError> {
  const error: unknown = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof PlatformError) return error;
  throw new Error('it did not end with a PlatformError', { cause: error });
}
