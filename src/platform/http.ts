import type { Readable } from 'node:stream';

import { Agent, request } from 'undici';
import type { Dispatcher } from 'undici';

import type { Scrub } from '../lib/scrub.ts';
import { resolveOnOrigin } from './address.ts';
import type { Allowance } from './allowance.ts';
import {
  documentText,
  ignoreBody,
  readBytes,
  readDocument,
  readJson,
  readRefusal,
} from './answer.ts';
import type { Answer, Explain } from './answer.ts';
import { startDeadline } from './deadline.ts';
import { passOn } from './download.ts';
import { parseExact } from './exact-json.ts';
import { pauseFor, repeat } from './repeat.ts';
import type { Turn } from './turns.ts';

/** Limits of one call. All times in milliseconds, sizes in bytes. */
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

export interface HttpDeps {
  /** Base address from the configuration; its origin is the only one that is ever called. */
  baseUrl: string;
  /** Value of the Authorization header, asked for each time. */
  authorization: () => string;
  /** Takes the key out of the sentences of refusals, which may quote it. */
  scrub: Scrub;
  /** What the API knows of its refusals beyond their status. */
  explain?: Explain;
  limits?: Partial<HttpLimits>;
  /** When a try may begin; at once without it. */
  turn?: Turn;
  now?: () => number;
  random?: () => number;
  wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

export interface CallOptions {
  /** How often the call is tried in all; 1 = no repetition. */
  attempts?: number;
  signal?: AbortSignal | undefined;
}

/** What is asked of the platform. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Sent as JSON; without it there is no Content-Type. */
  readonly body?: unknown;
  /**
   * It changes nothing, so it may be sent again (GET). What changes something is sent once: between two
   * tries others may change the same, and only whoever wants it sent again can look.
   */
  readonly repeatable?: boolean;
  /**
   * `ignored`: the status says all; what the body is, is not shown. An allowance: the body is given as it
   * came, as far as that allows.
   */
  readonly answer?: 'json' | 'ignored' | Allowance;
  /** Whether an answer without a body is one (every method but GET). */
  readonly mayBeEmpty?: boolean;
}

/** An answer with its numbers exact (see `parseExact`). */
export interface JsonAnswer {
  readonly status: number;
  /** Undefined when there was none and may be none, or when it is ignored; a Uint8Array of bytes as they came. */
  readonly body: unknown;
}

export interface Http {
  /**
   * GET of a JSON document whose numbers may be doubles. `path` is relative to the base address, or
   * an address on its origin. Repeats on connect errors, 429, 502, 503 and 504 with capped jitter
   * until the total deadline.
   * @throws PlatformError and nothing else
   */
  getJson(path: string, options?: CallOptions): Promise<unknown>;
  /** The same, for who parses it in another way. @param read throws a SyntaxError when it is no JSON */
  getDocument<T>(path: string, read: (body: Buffer) => T, options?: CallOptions): Promise<T>;
  /**
   * A call whose answer is read with exact numbers. What is repeatable is repeated as `getJson` does.
   * @throws PlatformError
   */
  send(call: Call): Promise<JsonAnswer>;
  /**
   * GET of a document that is passed on as it comes. Repeated until the first byte; then an error,
   * the deadline and the size cap end the stream with a PlatformError. Where the server does not
   * say the type of the document, the caller has to look. The turn is over with the head of the answer.
   * @throws PlatformError; `malformed` where it says another type than `accept`
   */
  download(path: string, accept: string): Promise<Readable>;
  /** The address of `path`; of a link, when `from` is the address where it was found. @throws PlatformError `redirected` */
  resolve(path: string, from?: string): string;
  /** Ends the calls that still run, also in a pause before the next try, and closes the connections. */
  close(): Promise<void>;
}

const atOnce: Turn = (_signal, call) => call();
const JSON_HEADERS = { accept: 'application/json', 'accept-encoding': 'gzip' };

export function createHttp(deps: HttpDeps): Http {
  const limits = { ...DEFAULT_LIMITS, ...deps.limits };
  const { now = Date.now, random = Math.random, wait = pauseFor, turn = atOnce } = deps;
  const agent = new Agent({
    connect: { timeout: limits.connectMs },
    headersTimeout: limits.silenceMs,
    bodyTimeout: limits.silenceMs,
  });
  const closing = new AbortController();
  const base = new URL(deps.baseUrl.endsWith('/') ? deps.baseUrl : `${deps.baseUrl}/`);

  const ask = createAsk(deps, agent, now);

  function begin(caller?: AbortSignal) {
    const { signal, release } = startDeadline(limits.totalMs, caller, closing.signal);
    const endsAt = now() + limits.totalMs;
    const persist = <T>(attempts: number, tryOnce: () => Promise<T>) =>
      repeat(() => turn(signal, tryOnce), { attempts, endsAt, signal }, { now, random, wait });
    return { signal, release, persist };
  }

  const getDocument: Http['getDocument'] = async (path, read, options = {}) => {
    const url = resolveOnOrigin(base, path);
    const { signal, release, persist } = begin(options.signal);
    return persist(options.attempts ?? limits.attempts, async () =>
      readDocument(await ask(url, JSON_HEADERS, signal), limits.maxBytes, read),
    ).finally(release);
  };

  return {
    getJson: (path, options) => getDocument<unknown>(path, parsed, options),
    getDocument,

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

/** One try, its body not yet read; a PlatformError for any status from 300 up. */
type Ask = (url: URL, headers: Headers, signal: AbortSignal, call?: Asked) => Promise<Answer>;

function createAsk(deps: HttpDeps, dispatcher: Dispatcher, now: () => number): Ask {
  return async (url, headers, signal, { method, body } = { method: 'GET' }) => {
    const authorization = deps.authorization();
    const sent =
      body === undefined
        ? { headers: { ...headers, authorization } }
        : {
            headers: { ...headers, authorization, 'content-type': 'application/json' },
            body: JSON.stringify(body),
          };
    const answer = await request(url, { dispatcher, method, signal, ...sent });
    if (answer.statusCode < 300) return answer;
    const { scrub, explain } = deps;
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

const parsed = (body: Buffer): unknown => JSON.parse(documentText(body));

async function readAnswer(
  answer: Answer,
  { method, answer: wanted = 'json', mayBeEmpty = method !== 'GET' }: Call,
  maxBytes: number,
): Promise<unknown> {
  if (wanted === 'ignored') return ignoreBody(answer);
  if (wanted !== 'json') return readBytes(answer, maxBytes, wanted);
  return readJson(answer, maxBytes, { parse: parseExact, mayBeEmpty });
}
