import { onTestFinished } from 'vitest';

import {
  createBillingClient,
  type BillingClient,
} from '../../../../src/platform/billing/client.ts';
import type { BillingClientOptions } from '../../../../src/platform/billing/context.ts';
import { createSandboxPlatform } from '../../../../src/sandbox/platform/server.ts';
import { bearer } from '../support.ts';

/** Seed data of the stand-in that the tests name. */
export const MAIN = '5f0c9d3e-8a41-4b7e-9c26-d1a7e3b0f482';
export const SECOND = 'b2e4a6c8-1d3f-4a5b-8c7d-9e0f1a2b3c4d';
export const PROCESSOR_ID = 'cus_SandboxMain';
export const ORGS = ['acme', 'globex', 'initech'];
export const ADMINS = ['ada@acme.example', 'ben@acme.example', 'gus@acme.example'];

/** Tokens of the main account by their roles; the second is the other account's. */
export const ADMIN = 'svc-bsat-sandbox-admin';
export const VIEWER = 'svc-bsat-sandbox-viewer';
export const CREATOR = 'svc-bsat-sandbox-creator';
export const EXPIRED = 'svc-bsat-sandbox-expired';
export const OF_SECOND = 'svc-bsat-sandbox-second';
export const ADA = 'sandbox-user-ada';

/** When the tests take place; only the stand-in's clock moves on. */
export const NOW = '2026-10-15T12:00:00Z';
export const MINUTE = 60;
export const DAY = 86_400;
export const SEPTEMBER = { start: '2026-09-01T00:00:00Z', end: '2026-10-01T00:00:00Z' };
/** Every invoice there is. */
export const ALWAYS = { start: '2024-01-01T00:00:00Z', end: '2027-01-01T00:00:00Z' };

export const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/;

/** A call as the stand-in wrote it down. */
export interface LoggedCall {
  readonly method: string;
  readonly path: string;
  readonly status: number | null;
  readonly caller: { readonly kind: string; readonly name: string } | null;
  readonly scheme: string;
  readonly accept: string | null;
  readonly contentType: string | null;
  readonly body?: unknown;
}

export interface Mail {
  readonly kind: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

interface RawCall {
  readonly token?: string;
  readonly headers?: Record<string, string>;
  /** Sent as it is. */
  readonly text?: string;
}

/** Who a client calls as: an account's token, and the settings that go with it. */
export interface Identity {
  readonly token?: string;
  readonly accountId?: string;
  readonly user?: string;
  readonly orgKeyOf?: (org: string) => string | undefined;
}

/** The stand-in of the platform with its controls, and its billing clients. */
export async function startBilling() {
  const platform = createSandboxPlatform({ now: () => Date.parse(NOW) });
  await platform.listen();
  onTestFinished(() => platform.close());

  async function control<T = unknown>(path: string, body?: object): Promise<T> {
    const response = await fetch(
      `${platform.url}/_sandbox/${path}`,
      body && {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      },
    );
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as T;
  }

  /** A client that remembers nothing, so that each question is asked. */
  function client(
    identity: Identity = {},
    options: Partial<BillingClientOptions> = {},
  ): BillingClient {
    const { token = ADMIN, accountId = MAIN, user, orgKeyOf } = identity;
    const userCredential = bearer(user);
    return startBillingClient(platform.billingUrl, {
      accountId,
      accountCredential: bearer(token),
      ...(userCredential ? { userCredential } : {}),
      credentialOf: (org) => bearer(orgKeyOf ? orgKeyOf(org) : platform.tokens[org]),
      now: () => platform.clock.now(),
      ...options,
    });
  }

  return {
    platform,
    client,
    control,
    advance: (seconds: number) => control('clock', { advanceSeconds: seconds }),
    /** Sets the faults from now on. */
    fault: (...faults: object[]) => control('faults', { faults }),
    mails: async () => (await control<{ emails: Mail[] }>('emails')).emails,
    calls: async () => (await control<{ requests: LoggedCall[] }>('requests')).requests,
    /** A call of billing with nothing between. */
    raw: (method: string, path: string, { token = ADMIN, headers = {}, text }: RawCall = {}) =>
      fetch(`${platform.billingUrl}/${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, ...headers },
        ...(text === undefined ? {} : { body: text }),
      }),
  };
}

export type Standing = Awaited<ReturnType<typeof startBilling>>;

/** A client of whatever answers at `baseUrl`. */
export function startBillingClient(
  baseUrl: string,
  options: Partial<BillingClientOptions> = {},
): BillingClient {
  const client = createBillingClient({
    baseUrl,
    accountId: MAIN,
    accountCredential: bearer(ADMIN),
    credentialOf: () => bearer('sandbox-key-acme'),
    cacheMs: 0,
    ...options,
  });
  onTestFinished(() => client.close());
  return client;
}

/** The newest invoice of the account. */
export async function newestInvoice(client: BillingClient) {
  const { value } = await client.listInvoices(ALWAYS);
  const [newest] = value.items;
  if (newest === undefined) throw new Error('there is no invoice');
  return newest;
}
