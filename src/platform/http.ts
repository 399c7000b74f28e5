import { setTimeout as sleep } from 'node:timers/promises';

import { Agent, request } from 'undici';

import { backoffDelay } from '../lib/retry.ts';
import type { Scrub } from '../lib/scrub.ts';
import { resolveOnOrigin } from './address.ts';
import { readJson, readRefusal } from './answer.ts';
import { startDeadline } from './deadline.ts';
import { PlatformError } from './errors.ts';

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
  /** Base address from the configuration; its origin is the only one that is ever called. */
  baseUrl: string;
  /** Value of the Authorization header for a call, asked for each time. */
  authorization: (path: string) => string;
  /** Takes the key out of the sentences of refusals, which may quote it. */
  scrub: Scrub;
  limits?: Partial<HttpLimits>;
  now?: () => number;
  random?: () => number;
  wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

export interface GetOptions {
  /** How often the call is tried in all; 1 = no repetition. */
  attempts?: number;
  signal?: AbortSignal | undefined;
}

export interface Http {
  /**
   * GET of a JSON document. `path` is relative to the base address, or an address on its origin.
   * Repeats on connect errors, 429, 502, 503 and 504 with capped jitter until the total deadline.
   * @throws PlatformError and nothing else
   */
  getJson(path: string, options?: GetOptions): Promise<unknown>;
  /** The address of `path`; of a link, when `from` is the address where it was found. @throws PlatformError `redirected` */
  resolve(path: string, from?: string): string;
  /** Ends the calls that still run and closes the connections. */
  close(): Promise<void>;
}

const BACKOFF = { baseMs: 500, capMs: 5_000 };

export function createHttp(deps: HttpDeps): Http {
  const limits = { ...DEFAULT_LIMITS, ...deps.limits };
  const now = deps.now ?? Date.now;
  const random = deps.random ?? Math.random;
  const wait = deps.wait ?? waitFor;
  // The deadline of the call is the only limit on time once there is a connection.
  const agent = new Agent({
    connect: { timeout: limits.connectMs },
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const base = new URL(deps.baseUrl.endsWith('/') ? deps.baseUrl : `${deps.baseUrl}/`);

  async function once(url: URL, signal: AbortSignal): Promise<unknown> {
    const answer = await request(url, {
      dispatcher: agent,
      method: 'GET',
      signal,
      headers: {
        accept: 'application/json',
        'accept-encoding': 'gzip',
        authorization: deps.authorization(url.pathname),
      },
    });
    if (answer.statusCode >= 300) throw await readRefusal(answer, deps.scrub, now());
    return readJson(answer, limits.maxBytes);
  }

  async function getJson(path: string, options: GetOptions = {}): Promise<unknown> {
    const url = resolveOnOrigin(base, path);
    const attempts = options.attempts ?? limits.attempts;
    const endsAt = now() + limits.totalMs;
    const { signal, release } = startDeadline(limits.totalMs, options.signal);
    try {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await once(url, signal);
        } catch (error) {
          const failure = toPlatformError(error);
          const pause = failure.retryAfterMs ?? backoffDelay(attempt, { ...BACKOFF, random });
          if (!failure.retryable || attempt >= attempts || now() + pause >= endsAt) throw failure;
          await wait(pause, signal);
        }
      }
    } finally {
      release();
    }
  }

  return {
    getJson,
    resolve: (path, from) =>
      resolveOnOrigin(base, path, from === undefined ? base : new URL(from)).href,
    close: () => agent.destroy(),
  };
}

/** Codes of undici that mean a connection; its others, the parser's and zlib's mean the answer. */
const CONNECTION_CODES = new Set(['UND_ERR_SOCKET', 'UND_ERR_CONNECT_TIMEOUT']);
const ANSWER_CODES = /^(?:UND_ERR|HPE|Z)_/;

function toPlatformError(error: unknown): PlatformError {
  if (error instanceof PlatformError) return error;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  // What is left are the codes of the system and of TLS.
  if (typeof code === 'string' && (CONNECTION_CODES.has(code) || !ANSWER_CODES.test(code))) {
    const message = `the connection to the platform failed (${code})`;
    return new PlatformError('unreachable', message, { cause: error });
  }
  return new PlatformError('malformed', 'the answer broke off or cannot be read', { cause: error });
}

async function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
}
