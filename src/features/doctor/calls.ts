import type { Config } from '../../config/config.ts';
import type { Secret } from '../../lib/secret.ts';
import { HOUR_MS } from '../../lib/time.ts';
import { BareError, type BareAnswer, type BareHttp } from '../../platform/bare-http.ts';
import { createBillingClient } from '../../platform/billing/client.ts';
import { PlatformError, type PlatformReason } from '../../platform/errors.ts';
import type { Credential } from '../../platform/http.ts';
import { rfc3339 } from '../../reporting/range.ts';
import {
  CHECK_TIMEOUT_MS,
  type CheckServices,
  type Probe,
  probe,
  RUN_AGAIN,
  type Rules,
} from './probe.ts';

/** The doctor opens its own clients, to test each credential by itself and without a cache. */
export type PlatformServices = CheckServices<
  'bareHttp' | 'clock',
  'api' | 'approvals' | 'billing' | 'brand' | 'orgChargesUrl' | 'usageUrl'
>;

/** One retry, so that a momentary failure is no finding. */
export const LIMITS = { attempts: 2 };

export type CallResult<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: PlatformError };

/** @throws any error but a PlatformError: that is a defect and no finding */
export async function resultOf<T>(call: Promise<T>): Promise<CallResult<T>> {
  try {
    return { ok: true, value: await call };
  } catch (error) {
    if (error instanceof PlatformError) return { ok: false, error };
    throw error;
  }
}

export function valueOf<T>(call: Promise<{ readonly value: T }>): Promise<CallResult<T>> {
  return resultOf(call.then(({ value }) => value));
}

/** Undefined: it succeeded, or was not made. */
export function reasonOf(result: CallResult<unknown> | undefined): PlatformReason | undefined {
  return result?.ok === false ? result.error.reason : undefined;
}

/** The credential was refused, or lacks a permission (spec section 7). */
export function isRefused(result: CallResult<unknown> | undefined): boolean {
  return ['unauthorized', 'forbidden'].includes(reasonOf(result) ?? '');
}

export function isMissing(result: CallResult<unknown> | undefined): boolean {
  return reasonOf(result) === 'not-found';
}

/** Only the right path answers like this. */
export function isAnswered(result: CallResult<unknown> | undefined): boolean {
  return result?.ok === true || isRefused(result);
}

/** Closes the clients at the end or on abort, which ends running and later calls as too slow. */
export async function closing<T>(
  clients: readonly { close(): Promise<void> }[],
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  const close = () => void Promise.allSettled(clients.map((client) => client.close()));
  signal.addEventListener('abort', close, { once: true });
  try {
    if (signal.aborted) close();
    return await work();
  } finally {
    signal.removeEventListener('abort', close);
    close();
  }
}

/** The catalogue belongs to no account, and only there every valid token is accepted (spec 4.1). */
export function askCatalogue(
  { url, accountId }: NonNullable<Config['billing']>,
  accountCredential: Credential,
  signal: AbortSignal,
): Promise<CallResult<unknown>> {
  const credentialOf = () => undefined;
  const options = { baseUrl: url, accountId, accountCredential, credentialOf, limits: LIMITS };
  const client = createBillingClient(options);
  return closing([client], signal, () => valueOf(client.charges.chargeableItems()));
}

/** The full hours before the current one. @param now ms since the epoch */
export function lastHours(count: number, now: number): { startTime: string; endTime: string } {
  const end = Math.floor(now / HOUR_MS) * HOUR_MS;
  return { startTime: rfc3339(end - count * HOUR_MS), endTime: rfc3339(end) };
}

export const CHARGES = {
  timeStep: 'hour',
  groupBy: [],
  consumptionQueries: [{ aggregateBy: ['metric', 'locationType'] }],
} as const;

export interface TokenFormat {
  /** By prefix (spec 2.5 and section 5). `unknown`: an org’s key or a user’s token, which look alike. */
  readonly kind: 'billing' | 'other-billing' | 'unknown';
  /** Orgs that have it as their key; empty for a token in the billing format, even if ORG_TOKENS has it. */
  readonly keyOf: readonly string[];
}

export function formatOf(token: Secret, config: Pick<Config, 'api' | 'brand'>): TokenFormat {
  const text = token.reveal();
  if (text.startsWith(`${config.brand.prefix}-bsat-`)) return { kind: 'billing', keyOf: [] };
  if (/^[a-z][a-z0-9]*-bsat-/.test(text)) return { kind: 'other-billing', keyOf: [] };
  const keyOf = [...config.api.credentials].flatMap(([org, { kind, secret }]) =>
    kind === 'bearer' && secret.reveal() === text ? [org] : [],
  );
  return { kind: 'unknown', keyOf };
}

/** Milliseconds; the rest of the check's time is for calls with a credential. */
const REACH_MS = 8_000;

/** `path` exists and needs a credential. */
export interface Address {
  readonly variable: string;
  readonly url: string;
  readonly path: string;
  /** The path takes GET, so a 404 proves that it does not exist; a path that takes POST proves nothing. */
  readonly isGet: boolean;
}

/** One GET without a credential. `isUsable`: calls with a credential make sense. */
export async function reach(bare: BareHttp, address: Address, signal: AbortSignal) {
  const { url, path } = address;
  const reached = await resultOf(bare.get(`${url}/${path}`, { signal, timeoutMs: REACH_MS }));
  return {
    isUsable: reached.ok && !isRedirect(reached.value.status),
    probe: (isKnown: boolean) => addressProbe(address, reached, isKnown),
  };
}

const isRedirect = (status: number) => status >= 300 && status < 400;

/** @param isKnown a call with a credential showed that the path is right, whatever its result */
export function addressProbe(
  { variable, url, isGet }: Address,
  reached: CallResult<BareAnswer>,
  isKnown: boolean,
): Probe {
  const status = reached.ok ? reached.value.status : 0;
  return probe(variable, 'reachable', {
    ...(reached.ok ? {} : noAnswer(variable, new URL(url).host, reached.error)),
    [`! it redirects (status ${status}), and Purser sends keys to no other address → set ${variable} to the address of the API itself`]:
      isRedirect(status),
    [wrongPath(variable)]: status === 404 && isGet && !isKnown,
    [`! the platform fails (status ${status}) → ${askOperators(variable)}`]:
      status >= 500 && !isKnown,
  });
}

/** @param variable with the address */
export function wrongPath(variable: string): string {
  return `! something answers there, but knows no such path (status 404) → check what follows the host in ${variable}: a part of the path is missing or too much`;
}

function askOperators(variable: string): string {
  return `${RUN_AGAIN}; if nothing changes, check ${variable} and ask the operator of the platform`;
}

function noAnswer(variable: string, host: string, error: PlatformError): Rules {
  const check = `check the host and the port in ${variable}`;
  const checkPort = `check the port in ${variable}, and that it takes https`;
  const why = error instanceof BareError ? error.why : 'other';
  return {
    [`! the host ${host} is not known → check the spelling in ${variable}, and the DNS of Purser’s machine`]:
      why === 'unknown-name',
    [`! nothing listens at ${host} → ${check}, and that the platform is up`]: why === 'refused',
    [`? slow: ${host} gives no answer within ${REACH_MS / 1_000} s → ${RUN_AGAIN}; if it is slow again, ${check}, and that no firewall keeps Purser from it`]:
      why === 'timeout',
    [`! the certificate of ${host} is not trusted → check the host in ${variable}; for your own certificate authority set NODE_EXTRA_CA_CERTS`]:
      why === 'certificate',
    [`! ${host} does not speak https → ${checkPort}`]: why === 'no-tls',
    [`! ${host} does not answer in HTTP → ${checkPort}`]: why === 'unreadable',
    [`! the connection to ${host} fails → ${check}, and the network in between`]: why === 'other',
  };
}

/** For a failure that proves nothing about the credential. @param variable with the address */
export function unanswered(variable: string, result: CallResult<unknown> | undefined): Rules {
  const error = result?.ok === false ? result.error : undefined;
  const status = error?.status === undefined ? '' : ` (status ${error.status})`;
  const is = (...reasons: PlatformReason[]) => error && reasons.includes(error.reason);
  const proxy = `check ${variable}, and any proxy between Purser and the platform`;
  const update = `check that ${variable} leads to the right API, and update Purser if it is old`;
  return {
    // Not broken: Purser itself waits longer than the doctor.
    [`? slow: no answer within ${CHECK_TIMEOUT_MS / 1_000} s → ${RUN_AGAIN}; if it is slow again, ask the operator of the platform; everywhere else Purser waits up to 45 s`]:
      is('timeout'),
    [`? the platform asks for fewer calls${status} → ${RUN_AGAIN}`]: is('rate-limited'),
    [`! the platform does not take Purser’s question${status} → ${update}`]: is(
      'bad-request',
      'conflict',
    ),
    [`! the answer is too large to be read${status} → ${update}`]: is('too-large'),
    [`! the connection fails${status} → ${proxy}`]: is('unreachable'),
    [`! the answer cannot be read: something else than the platform may have given it${status} → ${proxy}`]:
      is('malformed'),
    [`! the address redirects to another one${status} → ${proxy}`]: is('redirected'),
    [`! the platform fails${status} → ${askOperators(variable)}`]: error,
  };
}
