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

/** The doctor opens its own clients: it asks with each credential by itself, and nothing from a cache. */
export type PlatformServices = CheckServices<
  'bareHttp' | 'clock',
  'api' | 'approvals' | 'billing' | 'brand' | 'orgChargesUrl' | 'usageUrl'
>;

/** One repetition, so that a flaw of a second is no finding. */
export const LIMITS = { attempts: 2 };

/** What a call gave, for a judgement that comes later. */
export type CallResult<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: PlatformError };

/** Waits for a call. @throws any error but a PlatformError: that is a defect and no finding */
export async function resultOf<T>(call: Promise<T>): Promise<CallResult<T>> {
  try {
    return { ok: true, value: await call };
  } catch (error) {
    if (error instanceof PlatformError) return { ok: false, error };
    throw error;
  }
}

/** The same of a call that gives what it read with its time. */
export function valueOf<T>(call: Promise<{ readonly value: T }>): Promise<CallResult<T>> {
  return resultOf(call.then(({ value }) => value));
}

/** Why a call failed; undefined: it did not, or it was not made. */
export function reasonOf(result: CallResult<unknown> | undefined): PlatformReason | undefined {
  return result?.ok === false ? result.error.reason : undefined;
}

/** Whether the credential was refused, or what it may do (spec section 7). */
export function isRefused(result: CallResult<unknown> | undefined): boolean {
  return ['unauthorized', 'forbidden'].includes(reasonOf(result) ?? '');
}

/** Whether the answer is one that only the right path gives. */
export function isAnswered(result: CallResult<unknown> | undefined): boolean {
  return result?.ok === true || isRefused(result);
}

/**
 * Does the work, and closes the clients of it: at its end, or when the time is over. Then the calls that
 * still run end as too slow, and so do those that begin.
 */
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

/**
 * Asks the catalogue with any credential: it belongs to no account, and takes every valid token (spec 4.1),
 * which nothing else does.
 */
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

/** The hours before the one that runs. @param now milliseconds since the epoch */
export function lastHours(count: number, now: number): { startTime: string; endTime: string } {
  const end = Math.floor(now / HOUR_MS) * HOUR_MS;
  return { startTime: rfc3339(end - count * HOUR_MS), endTime: rfc3339(end) };
}

/** The smallest question for charges of an org. */
export const CHARGES = {
  timeStep: 'hour',
  groupBy: [],
  consumptionQueries: [{ aggregateBy: ['metric', 'locationType'] }],
} as const;

/** What the text of a token tells: it may be another one than its variable takes. */
export interface TokenFormat {
  /** By its beginning (spec 2.5 and section 5). `other-billing`: of another brand; an org’s key and a user’s token look alike. */
  readonly kind: 'billing' | 'other-billing' | 'unknown';
  /** Orgs that have it as their key. A token in the format of billing is one, also where ORG_TOKENS has it. */
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

/** Milliseconds; the rest of the check's time is for the calls with a credential. */
const REACH_MS = 8_000;

/** An address of the configuration, and a path below it that is there and takes a credential. */
export interface Address {
  /** The variable: `API_URL`. */
  readonly variable: string;
  readonly url: string;
  readonly path: string;
  /** A GET of it says so when it is not there; where the API takes a POST, it says nothing. */
  readonly isGet: boolean;
}

/** One GET without a credential. `isUsable`: asking with one makes sense; `judge`: see `judgeAddress`. */
export async function reach(bare: BareHttp, address: Address, signal: AbortSignal) {
  const { url, path } = address;
  const reached = await resultOf(bare.get(`${url}/${path}`, { signal, timeoutMs: REACH_MS }));
  const judge = (known: boolean) => judgeAddress(address, reached, known);
  return { isUsable: reached.ok && !isRedirect(reached.value), judge };
}

const isRedirect = ({ status }: BareAnswer) => status >= 300 && status < 400;

/** @param known whether a call with a credential showed that the path is right, whatever came of it */
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

/** The host answers, and has the API somewhere else. @param variable with the address */
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

/** A call whose failure says nothing of its credential. @param variable with the address */
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

/** What to do; to ask again only where the answer may be another one. */
function afterNoAnswer(reason: PlatformReason, variable: string): string {
  if (NOT_OURS.includes(reason))
    return `check ${variable}, and any proxy between Purser and the platform`;
  if (NEVER_TAKEN.includes(reason))
    return `check that ${variable} leads to the right API, and update Purser if it is old`;
  return reason === 'rate-limited' ? RUN_AGAIN : askOperators(variable);
}
