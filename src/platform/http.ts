import { workHeaders } from '../lib/work-log.ts';
import { setMaxListeners } from 'node:events';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, type Dispatcher, request } from 'undici';
import { createScrubber, type Secret } from '../lib/secret.ts';
import { backoffDelay } from '../lib/time.ts';
import { record, type Api, type CallStatus } from '../metrics.ts';
import {
  type Allowance,
  type Answer,
  documentText,
  exactJson,
  type Explain,
  ignoreBody,
  passOn,
  readBody,
  readDocument,
  readRefusal,
} from './answer.ts';
import type { ConcurrencyLimit, ConcurrencyLimits } from './concurrency.ts';
import { endpointOf, failureOf, statusOf } from './endpoints.ts';
import { PlatformError, toPlatformError } from './errors.ts';

/** Spec section 5. */
export interface Credential {
  /** `workload`: the token injected into a workload, sent as the plain header value. */
  readonly kind: 'bearer' | 'workload';
  readonly secret: Secret;
}

function authorizationOf({ kind, secret }: Credential): string {
  return kind === 'bearer' ? `Bearer ${secret.reveal()}` : secret.reveal();
}

/** Limits of one call. Times in milliseconds, sizes in bytes. */
export interface HttpLimits {
  /** From the first attempt to the last byte, retries included. Never below 30 s (design section 7). */
  totalMs: number;
  connectMs: number;
  /** Until the head of an answer, and between two pieces of its body. */
  silenceMs: number;
  /** Cap of a body after decompression, counted while reading. */
  maxBytes: number;
  attempts: number;
}

export const DEFAULT_LIMITS: HttpLimits = {
  totalMs: 45_000,
  connectMs: 5_000,
  silenceMs: 40_000,
  maxBytes: 32 * 1024 * 1024,
  attempts: 4,
};

export interface HttpOptions {
  readonly api: Api;
  /** Base address from the configuration; only its origin is ever called. */
  baseUrl: string;
  credential: Credential;
  explain?: Explain | undefined;
  limits?: Partial<HttpLimits> | undefined;
  /** When a try may begin. Default: at once. */
  concurrency?: ConcurrencyLimit | undefined;
  now?: (() => number) | undefined;
  random?: () => number;
  wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

export interface CallOptions {
  /** Tries in all; 1 = no retries. */
  attempts?: number;
  signal?: AbortSignal | undefined;
}

export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>> | undefined;
  /** Sent as JSON; without it there is no Content-Type. */
  readonly body?: unknown;
  /**
   * It changes nothing, so it may be retried (default for GET). A write is sent once: between two tries
   * others may change the same thing, so the caller has to check before sending it again.
   */
  readonly repeatable?: boolean;
  /** `ignored`: only the status matters. An allowance: the body is returned raw, within that allowance. */
  readonly answer?: 'json' | 'ignored' | Allowance;
  /** Whether an empty body is a valid answer (default for every method but GET). */
  readonly mayBeEmpty?: boolean;
}

/** Numbers are exact (see `parseExact`). */
export interface JsonAnswer {
  readonly status: number;
  /** Undefined when it is empty or ignored; a Uint8Array when it is raw. */
  readonly body: unknown;
}

export interface Http {
  /**
   * GET of a JSON document whose numbers may be doubles. `path` is relative to the base address, or an
   * address on its origin. Retries on connect errors, 429, 502, 503 and 504 with capped jitter until the
   * total deadline.
   * @throws PlatformError and nothing else
   */
  getJson(path: string, options?: CallOptions): Promise<unknown>;
  /**
   * A call whose answer is read with exact numbers. Repeatable calls are retried like `getJson`.
   * @throws PlatformError
   */
  send(call: Call): Promise<JsonAnswer>;
  /**
   * GET of a streamed document. Retried until the first byte; then an error, the deadline and the size cap
   * end the stream with a PlatformError. Without a content type the caller has to check the document. It
   * counts as running until the head of the answer.
   * @throws PlatformError; `malformed` for another type than `accept`
   */
  download(path: string, accept: string): Promise<Readable>;
  /** The address of `path`, or of a link found at the address `from`. @throws PlatformError `redirected` */
  resolve(path: string, from?: string): string;
  /** Ends running calls, also in a pause between tries, and closes the connections. */
  close(): Promise<void>;
}

const atOnce: ConcurrencyLimit = (_signal, call) => call();

const JSON_HEADERS = { accept: 'application/json', 'accept-encoding': 'gzip' };

export function createHttp(options: HttpOptions): Http {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const { now = Date.now, random = Math.random, wait = pauseFor, concurrency = atOnce } = options;
  const agent = new Agent({
    connect: { timeout: limits.connectMs },
    headersTimeout: limits.silenceMs,
    bodyTimeout: limits.silenceMs,
  });
  const closing = new AbortController();
  const base = new URL(options.baseUrl.replace(/\/?$/, '/'));

  const ask = createAsk(options, agent, now);

  function begin(caller?: AbortSignal) {
    const { signal, release } = startDeadline(limits.totalMs, caller, closing.signal);
    const endsAt = now() + limits.totalMs;
    const persist = <T>(attempts: number, tryOnce: () => Promise<T>) =>
      repeat(
        () => concurrency(signal, tryOnce),
        { attempts, endsAt, signal },
        { now, random, wait },
      );
    return { signal, release, persist };
  }

  return {
    async getJson(path, options = {}) {
      const url = resolveOnOrigin(base, path);
      const { signal, release, persist } = begin(options.signal);
      return persist(options.attempts ?? limits.attempts, async () =>
        readDocument(await ask(url, JSON_HEADERS, signal), limits.maxBytes, (body): unknown =>
          JSON.parse(documentText(body)),
        ),
      ).finally(release);
    },

    async send(call) {
      const url = withQuery(resolveOnOrigin(base, call.path), call.query);
      const isRepeatable = call.repeatable ?? call.method === 'GET';
      const { signal, release, persist } = begin();
      return persist(isRepeatable ? limits.attempts : 1, async () => {
        const answer = await ask(url, JSON_HEADERS, signal, call);
        return { status: answer.statusCode, body: await readAnswer(answer, call, limits.maxBytes) };
      }).finally(release);
    },

    async download(path, accept) {
      const url = resolveOnOrigin(base, path);
      const { signal, release, persist } = begin();
      try {
        const answer = await persist(limits.attempts, () => ask(url, { accept }, signal));
        return passOn(answer, { accept, maxBytes: limits.maxBytes, release });
      } catch (error) {
        release();
        throw error;
      }
    },

    resolve: (path, from) =>
      resolveOnOrigin(base, path, from === undefined ? base : new URL(from)).href,
    close() {
      closing.abort();
      return agent.destroy();
    },
  };
}

/** One try, with its body unread; throws a PlatformError for any status from 300 up. */
type Ask = (url: URL, headers: Headers, signal: AbortSignal, call?: Asked) => Promise<Answer>;

function createAsk(
  { api, credential, explain }: HttpOptions,
  dispatcher: Dispatcher,
  now: () => number,
): Ask {
  const scrub = createScrubber([credential.secret]);
  return async (url, headers, signal, { method, body } = { method: 'GET' }) => {
    const all = { ...headers, ...workHeaders(), authorization: authorizationOf(credential) };
    const sent =
      body === undefined
        ? { headers: all }
        : { headers: { ...all, 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const began = performance.now();
    const measure = (status: CallStatus): void => {
      const labels = { api, endpoint: endpointOf(api, url.pathname), status };
      record.platformCalls.observe(labels, (performance.now() - began) / 1_000);
    };
    const answer = await request(url, { dispatcher, method, signal, ...sent }).catch(
      (error: unknown) => {
        measure(failureOf(toPlatformError(error)));
        throw error;
      },
    );
    measure(statusOf(answer.statusCode));
    if (answer.statusCode < 300) return answer;
    const context = { scrub, nowMs: now(), explain, path: url.pathname, sent: body };
    throw await readRefusal(answer, context);
  };
}

type Headers = Readonly<Record<string, string>>;

type Asked = Pick<Call, 'method' | 'body'>;

function withQuery(url: URL, query: Call['query'] = {}): URL {
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
}

async function readAnswer(
  answer: Answer,
  { method, answer: wanted = 'json', mayBeEmpty = method !== 'GET' }: Call,
  maxBytes: number,
): Promise<unknown> {
  if (wanted === 'ignored') return ignoreBody(answer);
  if (wanted !== 'json') return readBody(answer, maxBytes, wanted);
  return readDocument(answer, maxBytes, (body) => exactJson(body, mayBeEmpty));
}

/**
 * Retries with the pause that the server asks for, or a capped random one; none extends beyond `endsAt`.
 * @throws PlatformError of the last try
 */
async function repeat<T>(
  tryOnce: () => Promise<T>,
  { attempts, endsAt, signal }: { attempts: number; endsAt: number; signal: AbortSignal },
  { now, random, wait }: Required<Pick<HttpOptions, 'random' | 'wait'>> & { now: () => number },
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      signal.throwIfAborted();
      return await tryOnce();
    } catch (error) {
      const failure = toPlatformError(error);
      const pause = failure.retryAfterMs ?? backoffDelay(attempt, { ...BACKOFF, random });
      if (!failure.retryable || attempt >= attempts || now() + pause >= endsAt) throw failure;
      await wait(pause, signal);
    }
  }
}

const BACKOFF = { baseMs: 500, capMs: 5_000 };

/** @throws the reason of the signal when it is aborted */
export async function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
}

/**
 * A time limit of `ms` milliseconds, combined with other signals. Not AbortSignal.any: one of the signals may
 * live as long as the process, and Node 20 would keep a trace of each call on it.
 */
export function startDeadline(ms: number, ...others: readonly (AbortSignal | undefined)[]) {
  const controller = new AbortController();
  const end = (message: string) => controller.abort(new PlatformError('timeout', message));
  const giveUp = () => end('the call was given up before the platform answered');
  const timer = setTimeout(() => end('the platform did not answer in time'), ms);
  const signals = others.filter((signal) => signal !== undefined);
  for (const signal of signals) {
    // One listener per running call; Node takes more than ten for a leak.
    setMaxListeners(0, signal);
    signal.addEventListener('abort', giveUp);
    if (signal.aborted) giveUp();
  }
  return {
    /** Aborted with a PlatformError `timeout`, by the clock or by one of the other signals. */
    signal: controller.signal,
    release: () => {
      clearTimeout(timer);
      for (const signal of signals) signal.removeEventListener('abort', giveUp);
    },
  };
}

/**
 * Joins names to a path below the base address. Each stays one segment, whatever it contains.
 * @throws PlatformError `bad-request` for a name that no encoding keeps in its segment
 */
export function pathOf(...names: string[]): string {
  return names.map(segmentOf).join('/');
}

function segmentOf(name: string): string {
  // Dots are path steps even when they are encoded.
  if (name === '' || name === '.' || name === '..' || /\p{Surrogate}/u.test(name)) {
    throw new PlatformError('bad-request', `${JSON.stringify(name)} is not a name`);
  }
  return encodeURIComponent(name);
}

/**
 * Resolves a link found at `from`. Links in answers are foreign text: they must stay on the base's origin. A
 * rooted one may or may not repeat the path of the base; both occur.
 * @throws PlatformError `redirected` for another origin or an invalid address
 */
export function resolveOnOrigin(base: URL, link: string, from: URL = base): URL {
  const prefix = base.pathname.replace(/\/$/, '');
  const rooted = link.startsWith('/') && !link.startsWith('//');
  const target = rooted && !link.startsWith(`${prefix}/`) ? `${prefix}${link}` : link;
  const url = URL.canParse(target, from.href) ? new URL(target, from) : undefined;
  // Not `origin`: a blob: address has the origin of the address inside it.
  if (url?.protocol !== base.protocol || url.host !== base.host) {
    throw new PlatformError('redirected', `a link leads away from ${base.origin}`);
  }
  return url;
}

/** Likely causes of a refused credential, as the end of a sentence (spec section 5). */

export const DELAY = 'changes take up to 5 minutes';

/** For a 403: a workload's own token gives one outside of its workload. */
export function forbiddenHint(kind: Credential['kind']): string {
  return kind === 'workload'
    ? 'the token that a workload is injected with works only inside of that workload'
    : `it may lack a permission that this takes; ${DELAY}`;
}

/** For a 401 of an org's key that lacks `permission`. */
export function orgKeyHint(org: string, permission: string): string {
  return `the key of org ${org} may be mistyped, expired or of another org, or lack ${permission}; ${DELAY}`;
}

export interface OrgApiOptions {
  baseUrl: string;
  credentialOf: (org: string) => Credential | undefined;
  limits?: Partial<HttpLimits>;
  concurrency?: ConcurrencyLimits;
  /** Lifetime of cached reads in milliseconds (see `createReadCache`). */
  cacheMs?: number;
  now?: () => number;
}

/**
 * Calls each org with its own credential, never with that of another.
 * @param explainFor API-specific knowledge about refusals, by org and kind of credential
 */
export function createOrgHttp(
  api: Api,
  { baseUrl, credentialOf, limits, concurrency, now }: OrgApiOptions,
  explainFor: (org: string, kind: Credential['kind']) => Explain,
) {
  const opened = new Map<string, Http>();
  let isClosed = false;

  return {
    /** @throws PlatformError `unauthorized` when no credential is configured for the org */
    of(org: string): Http {
      const known = opened.get(org);
      if (known) return known;
      const credential = credentialOf(org);
      if (credential === undefined) {
        throw new PlatformError('unauthorized', `Purser has no key for org ${org}`);
      }
      const http = createHttp({
        api,
        baseUrl,
        credential,
        explain: explainFor(org, credential.kind),
        limits,
        concurrency: concurrency?.of(org),
        now,
      });
      opened.set(org, http);
      if (isClosed) void http.close();
      return http;
    },
    /** Ends running calls and closes the connections; a later call fails at once. */
    close: async () => {
      isClosed = true;
      await Promise.all([...opened.values()].map((http) => http.close()));
    },
  };
}
