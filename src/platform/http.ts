import { pipeline } from 'node:stream';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Agent, request } from 'undici';
import { PlatformError, reasonOfStatus, sentenceOf } from './errors.ts';

/** Limits of one call. All times in milliseconds, sizes in bytes. */
export interface HttpLimits {
  /** From the first attempt to the last byte, retries included. Never below 30 s (design section 7). */
  totalMs: number;
  connectMs: number;
  /** Cap of a body after decompression, counted while reading. */
  maxBytes: number;
  attempts: number;
}

export const DEFAULT_LIMITS: HttpLimits = {
  totalMs: 45_000,
  connectMs: 5_000,
  maxBytes: 64 * 1024 * 1024,
  attempts: 4,
};

export interface HttpDeps {
  /** Base address from the configuration; the only origin that is ever called. */
  baseUrl: string;
  /** Value of the Authorization header for a call, asked for each time. */
  authorization: (path: string) => string;
  limits?: Partial<HttpLimits>;
  now?: () => number;
  random?: () => number;
  wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

export interface Http {
  /**
   * GET of a JSON document. `path` is relative to the base address, or an address on its origin.
   * Repeats on connect errors, 429, 502, 503 and 504 with capped jitter until the total deadline.
   * @throws PlatformError
   */
  getJson(path: string, options?: { attempts?: number; signal?: AbortSignal }): Promise<unknown>;
  close(): Promise<void>;
}

const BACKOFF_BASE_MS = 250;
const BACKOFF_CAP_MS = 5_000;

export function createHttp(deps: HttpDeps): Http {
  const limits = { ...DEFAULT_LIMITS, ...deps.limits };
  const now = deps.now ?? Date.now;
  const random = deps.random ?? Math.random;
  const wait = deps.wait ?? waitFor;
  const agent = new Agent({ connect: { timeout: limits.connectMs }, maxResponseSize: -1 });
  const base = new URL(deps.baseUrl.endsWith('/') ? deps.baseUrl : `${deps.baseUrl}/`);

  async function once(url: URL, signal: AbortSignal): Promise<unknown> {
    const response = await request(url, {
      dispatcher: agent,
      method: 'GET',
      signal,
      headersTimeout: limits.totalMs,
      bodyTimeout: limits.totalMs,
      headers: {
        accept: 'application/json',
        'accept-encoding': 'gzip',
        authorization: deps.authorization(url.pathname),
      },
    });
    const body = await readBody(
      response.body,
      response.headers['content-encoding'],
      limits.maxBytes,
    );
    if (response.statusCode >= 300) {
      throw errorOfAnswer(response.statusCode, body, response.headers['retry-after'], now());
    }
    return parseJson(body);
  }

  async function getJson(
    path: string,
    options: { attempts?: number; signal?: AbortSignal } = {},
  ): Promise<unknown> {
    const url = resolveOnOrigin(base, path);
    const deadline = now() + limits.totalMs;
    const timeout = AbortSignal.timeout(limits.totalMs);
    const signal = options.signal ? AbortSignal.any([timeout, options.signal]) : timeout;
    const attempts = options.attempts ?? limits.attempts;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await once(url, signal);
      } catch (error) {
        const failure = toPlatformError(error);
        const pause =
          failure.retryAfterMs ??
          random() * Math.min(BACKOFF_CAP_MS, BACKOFF_BASE_MS * 2 ** attempt);
        if (!failure.retryable || attempt >= attempts || now() + pause >= deadline) throw failure;
        await wait(pause, signal);
      }
    }
  }

  return { getJson, close: () => agent.close() };
}

/**
 * An address below the base: a relative path is joined to the base's own path, an absolute one must
 * lie on the base's origin (links in answers are foreign text).
 * @throws PlatformError `redirected` for another origin
 */
export function resolveOnOrigin(base: URL, path: string): URL {
  const prefix = base.pathname.replace(/\/$/, '');
  const rooted =
    path.startsWith('/') && !path.startsWith('//') && !path.startsWith(`${prefix}/`)
      ? `${prefix}${path}`
      : path;
  const url = new URL(rooted, base);
  if (url.origin !== base.origin) {
    throw new PlatformError('redirected', `a link leads away from ${base.origin}`);
  }
  return url;
}

/** Reads a body to its end, undoing gzip, and stops as soon as it is larger than `maxBytes`. */
async function readBody(
  body: Readable,
  encoding: string | string[] | undefined,
  maxBytes: number,
): Promise<string> {
  // pipeline hands an error of either side to the reader of the last stream.
  const source = encoding === 'gzip' ? pipeline(body, createGunzip(), () => undefined) : body;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of source as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) {
      body.destroy();
      throw new PlatformError('too-large', `the answer is larger than ${maxBytes} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    // The parser's own message quotes the body, which does not belong into a log.
    throw new PlatformError('malformed', 'the answer is not valid JSON');
  }
}

function errorOfAnswer(
  status: number,
  body: string,
  retryAfter: string | string[] | undefined,
  nowMs: number,
): PlatformError {
  const retryAfterMs = parseRetryAfter(
    Array.isArray(retryAfter) ? retryAfter[0] : retryAfter,
    nowMs,
  );
  return new PlatformError(
    reasonOfStatus(status),
    sentenceOf(body) ?? `the platform answered with status ${status}`,
    { status, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) },
  );
}

/** Retry-After as milliseconds from now; it is whole seconds or an HTTP date. */
export function parseRetryAfter(value: string | undefined, nowMs: number): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}

const CONNECT_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_SOCKET',
  'UND_ERR_CONNECT_TIMEOUT',
]);
const TIMEOUT_CODES = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);

function toPlatformError(error: unknown): PlatformError {
  if (error instanceof PlatformError) return error;
  const { code, name } = error as { code?: unknown; name?: unknown };
  if (name === 'TimeoutError' || (typeof code === 'string' && TIMEOUT_CODES.has(code))) {
    return new PlatformError('timeout', 'the platform did not answer in time', { cause: error });
  }
  if (typeof code === 'string' && CONNECT_CODES.has(code)) {
    return new PlatformError('unreachable', `the platform cannot be reached (${code})`, {
      cause: error,
    });
  }
  return new PlatformError('malformed', 'the answer broke off or cannot be read', { cause: error });
}

function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(done, ms);
    function done(): void {
      signal.removeEventListener('abort', done);
      clearTimeout(timer);
      if (signal.aborted) reject(signal.reason as Error);
      else resolve();
    }
    signal.addEventListener('abort', done, { once: true });
  });
}
