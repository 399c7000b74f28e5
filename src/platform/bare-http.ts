import { lookup as lookUp, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';

import { Client } from 'undici';

import { single } from './answer.ts';
import { startDeadline } from './http.ts';
import { PlatformError, toPlatformError } from './errors.ts';

/** The body is not read. */
export interface BareAnswer {
  readonly status: number;
  /** By lower-case name; the first value of repeated headers. Foreign text. */
  readonly headers: ReadonlyMap<string, string>;
  /** The Date header, ms since the epoch. */
  readonly date: number | undefined;
  /** From the call to the head of the answer, including the connection, in milliseconds. */
  readonly ms: number;
}

interface BareOptions {
  /** Additional headers; one that could carry a credential is refused. */
  headers?: Readonly<Record<string, string>>;
  signal?: AbortSignal;
  /** Until the head of the answer (10,000). */
  timeoutMs?: number;
}

export type BareCause =
  'unknown-name' | 'refused' | 'certificate' | 'no-tls' | 'timeout' | 'unreadable' | 'other';

/** `reason` is `unreachable`, `timeout` or `malformed`; the message contains no foreign text. */
export class BareError extends PlatformError {
  readonly why: BareCause;

  constructor(why: BareCause, from: PlatformError) {
    super(from.reason, from.message);
    this.why = why;
  }
}

const TIMEOUT_MS = 10_000;
const CREDENTIALS = /^(?:authorization|proxy-authorization|cookie)$/i;

export type BareHttp = ReturnType<typeof createBareHttp>;

/**
 * Calls without credentials, to any host: the opposite of `http.ts`.
 * @param options.now milliseconds of a monotonic clock
 */
export function createBareHttp(options: { now?: () => number } = {}) {
  const { now = () => performance.now() } = options;
  const closing = new AbortController();

  return {
    /**
     * One GET on a new connection, so that a load balancer chooses again. No redirect is followed, nothing
     * is repeated, and the body is discarded. Any status is an answer.
     * @throws BareError; PlatformError `bad-request` for an invalid address or a forbidden header
     */
    async get(
      address: string,
      { headers = {}, signal: caller, timeoutMs = TIMEOUT_MS }: BareOptions = {},
    ): Promise<BareAnswer> {
      const url = addressOf(address);
      refuseCredentials(headers);
      const { signal, release } = startDeadline(timeoutMs, caller, closing.signal);
      const client = new Client(url.origin, {
        connect: { timeout: timeoutMs, lookup: withLocalhost },
        headersTimeout: timeoutMs,
      });
      const began = now();
      try {
        // Only the path is sent: userinfo in a URL is a credential, too.
        const path = url.pathname + url.search;
        const answer = await client.request({ method: 'GET', path, headers, signal, reset: true });
        const ms = Math.round(now() - began);
        // Destroying it emits an error, which would be unhandled.
        answer.body.on('error', () => undefined).destroy();
        return { status: answer.statusCode, ...headOf(answer.headers), ms };
      } catch (error) {
        throw new BareError(causeOf(error), toPlatformError(error));
      } finally {
        release();
        await client.destroy();
      }
    },
    async close() {
      closing.abort();
    },
  };
}

function addressOf(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new PlatformError('bad-request', 'that is not the address of a web server');
  }
  return url;
}

function refuseCredentials(headers: Readonly<Record<string, string>>): void {
  const name = Object.keys(headers).find((one) => CREDENTIALS.test(one));
  if (name === undefined) return;
  throw new PlatformError('bad-request', `a call without a credential has no header ${name}`);
}

function headOf(headers: Readonly<Record<string, string | string[] | undefined>>) {
  const firsts = Object.entries(headers).flatMap(([name, values]): [string, string][] => {
    const value = single(values);
    return value === undefined ? [] : [[name.toLowerCase(), value]];
  });
  const date = Date.parse(single(headers['date']) ?? '');
  return { headers: new Map(firsts), date: Number.isNaN(date) ? undefined : date };
}

/** Names below localhost are this machine (RFC 6761, 6.3); not every resolver knows that. */
const withLocalhost: LookupFunction = (hostname, options, done) => {
  if (!/(?:^|\.)localhost\.?$/i.test(hostname)) return lookUp(hostname, options, done);
  const here: LookupAddress = { address: '127.0.0.1', family: 4 };
  // Asynchronous, like the resolver.
  queueMicrotask(() =>
    options.all === true ? done(null, [here]) : done(null, here.address, here.family),
  );
};

const CERTIFICATE = /CERT|SIGNATURE|ISSUER|CRL/;

function causeOf(error: unknown): BareCause {
  if (error instanceof PlatformError) return error.reason === 'timeout' ? 'timeout' : 'other';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ENOTFOUND') return 'unknown-name';
  if (code === 'ECONNREFUSED') return 'refused';
  if (/TIMEOUT$|^ETIMEDOUT$/.test(code)) return 'timeout';
  if (CERTIFICATE.test(code)) return 'certificate';
  if (/^(?:EPROTO|ERR_SSL_|ERR_TLS_)/.test(code)) return 'no-tls';
  return toPlatformError(error).reason === 'malformed' ? 'unreadable' : 'other';
}
