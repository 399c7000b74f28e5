import { createAccounts } from '../../../../src/platform/billing/account.ts';
import { createAlerts } from '../../../../src/platform/billing/alert.ts';
import type { BillingContext } from '../../../../src/platform/billing/context.ts';
import { createInvoices } from '../../../../src/platform/billing/invoices.ts';
import { createOrgs, createQuotas } from '../../../../src/platform/billing/orgs.ts';
import { createRecipients } from '../../../../src/platform/billing/recipients.ts';
import { createTokens } from '../../../../src/platform/billing/tokens.ts';
import { createUsers } from '../../../../src/platform/billing/users.ts';
import { PlatformError } from '../../../../src/platform/errors.ts';
import { pathOf, resolveOnOrigin, type Call, type Http } from '../../../../src/platform/http.ts';
import { parseExact } from '../../../../src/platform/json.ts';
import { createReadCache } from '../../../../src/platform/concurrency.ts';

/** The platform's answer to a call: a status and the text of a body. */
export type Respond = (call: Call) => { status?: number; text?: string };

/** Where the calls of the records go. */
export const BASE = 'https://platform.example/billing/';

/** The calls of the billing records over a platform of a few lines; `sent` lists the calls. */
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

export async function failureOf(call: Promise<unknown>): Promise<PlatformError> {
  const error: unknown = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof PlatformError) return error;
  throw new Error('it did not end with a PlatformError', { cause: error });
}
