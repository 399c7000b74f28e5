import { HOUR_MS } from '../../lib/time.ts';
import type { Config } from '../../config/config.ts';
import type { Secret } from '../../lib/secret.ts';
import {
  BareError,
  type BareAnswer,
  type BareCause,
  type BareHttp,
} from '../../platform/bare-http.ts';
import { createBillingClient } from '../../platform/billing/client.ts';
import { PlatformError, type PlatformReason } from '../../platform/errors.ts';
import type { Credential } from '../../platform/http.ts';
import { rfc3339 } from '../../reporting/range.ts';
import {
  broken,
  CHECK_TIMEOUT_MS,
  doubtful,
  RUN_AGAIN,
  well,
  type CheckServices,
  type Finding,
} from './doctor-view.ts';

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
  const judge = (known: boolean) => judgeAddress(address, reached, known);
  return { isUsable: reached.ok && !isRedirect(reached.value), judge };
}

const isRedirect = ({ status }: BareAnswer) => status >= 300 && status < 400;

/** @param known a call with a credential showed that the path is right, whatever its result */
export function judgeAddress(
  { variable, url, isGet }: Address,
  reached: CallResult<BareAnswer>,
  known: boolean,
): Finding {
  if (!reached.ok) return noAnswer(variable, new URL(url).host, reached.error);
  const { status } = reached.value;
  if (isRedirect(reached.value)) {
    const says = `it redirects (status ${status}), and Purser sends keys to no other address`;
    return broken(variable, says, `set ${variable} to the address of the API itself`);
  }
  if (status === 404 && isGet && !known) return wrongPath(variable);
  if (status < 500 || known) return well(variable, 'reachable');
  const says = `the platform fails (status ${status})`;
  return broken(variable, says, askOperators(variable));
}

/** @param variable with the address */
export function wrongPath(variable: string, what = variable): Finding {
  const fix = `check what follows the host in ${variable}: a part of the path is missing or too much`;
  return broken(what, 'something answers there, but knows no such path (status 404)', fix);
}

function askOperators(variable: string): string {
  return `${RUN_AGAIN}; if nothing changes, check ${variable} and ask whoever runs the platform`;
}

function noAnswer(variable: string, host: string, error: PlatformError): Finding {
  const why = error instanceof BareError ? error.why : 'other';
  const check = `check the host and the port in ${variable}`;
  const checkPort = `check the port in ${variable}, and that it takes https`;
  const sentences: Readonly<Record<BareCause, readonly [says: string, fix: string]>> = {
    'unknown-name': [
      `the host ${host} is not known`,
      `check the spelling in ${variable}, and the DNS of Purser’s machine`,
    ],
    refused: [`nobody listens at ${host}`, `${check}, and that the platform is up`],
    timeout: [
      `slow: ${host} gives no answer within ${REACH_MS / 1_000} s`,
      `${RUN_AGAIN}; if it is slow again, ${check}, and that no firewall keeps Purser from it`,
    ],
    certificate: [
      `the certificate of ${host} is not trusted`,
      `check the host in ${variable}; for your own certificate authority set NODE_EXTRA_CA_CERTS`,
    ],
    'no-tls': [`${host} does not speak https`, checkPort],
    unreadable: [`${host} does not answer in HTTP`, checkPort],
    other: [`the connection to ${host} fails`, `${check}, and the network in between`],
  };
  const [says, fix] = sentences[why];
  return (why === 'timeout' ? doubtful : broken)(variable, says, fix);
}

const SAYS: Readonly<Partial<Record<PlatformReason, string>>> = {
  'bad-request': 'the platform does not take Purser’s question',
  conflict: 'the platform does not take Purser’s question',
  'rate-limited': 'the platform asks for fewer calls',
  unreachable: 'the connection fails',
  'too-large': 'the answer is too large to be read',
  malformed: 'the answer cannot be read: something else than the platform may have given it',
  redirected: 'the address redirects to another one',
};

/** For a failure that proves nothing about the credential. @param variable with the address */
export function unanswered(what: string, variable: string, error: PlatformError): Finding {
  const { reason } = error;
  if (reason === 'timeout') {
    // Not broken: Purser itself waits longer than the doctor.
    const wait = `${RUN_AGAIN}; if it is slow again, ask whoever runs the platform`;
    const fix = `${wait}; everywhere else Purser waits up to 45 s`;
    return doubtful(what, `slow: no answer within ${CHECK_TIMEOUT_MS / 1_000} s`, fix);
  }
  const status = error.status === undefined ? '' : ` (status ${error.status})`;
  const says = `${SAYS[reason] ?? 'the platform fails'}${status}`;
  return (reason === 'rate-limited' ? doubtful : broken)(
    what,
    says,
    afterNoAnswer(reason, variable),
  );
}

const NOT_OURS: readonly PlatformReason[] = ['malformed', 'redirected', 'unreachable'];
const NEVER_TAKEN: readonly PlatformReason[] = ['bad-request', 'conflict', 'too-large'];

/** Suggests another run only when the answer may change. */
function afterNoAnswer(reason: PlatformReason, variable: string): string {
  if (NOT_OURS.includes(reason))
    return `check ${variable}, and any proxy between Purser and the platform`;
  if (NEVER_TAKEN.includes(reason))
    return `check that ${variable} leads to the right API, and update Purser if it is old`;
  return reason === 'rate-limited' ? RUN_AGAIN : askOperators(variable);
}
