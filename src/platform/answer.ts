import { PassThrough, pipeline, Transform, type Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { Scrub } from '../lib/secret.ts';
import {
  PlatformError,
  reasonOfStatus,
  sentenceOf,
  silenceOf,
  toPlatformError,
  type PlatformReason,
} from './errors.ts';
import { parseExact } from './json.ts';

export interface Answer {
  statusCode: number;
  headers: Record<string, string | string[] | undefined>;
  body: Readable;
}

/** Enough for a sentence; the rest of a proxy's page is not read. */
const MAX_REFUSAL_BYTES = 64 * 1024;
const FIRST_BYTES = 16 * 1024;

/**
 * Reads a document of at most `maxBytes` after decompression.
 * @param read throws a SyntaxError for invalid JSON
 * @throws PlatformError `too-large`, `malformed`
 */
export async function readDocument<T>(
  answer: Answer,
  maxBytes: number,
  read: (body: Buffer) => T,
): Promise<T> {
  return readDocumentIn(await readBody(answer, maxBytes), read, answer.statusCode);
}

/** As `readDocument`, for a body that is at hand, possibly in another thread. */
export function readDocumentIn<T>(body: Uint8Array, read: (body: Buffer) => T, status?: number): T {
  try {
    return read(Buffer.from(body.buffer, body.byteOffset, body.byteLength));
  } catch (error) {
    // RangeError: recursive parsers overflow on deep nesting.
    if (!(error instanceof SyntaxError) && !(error instanceof RangeError)) throw error;
    // The parser's message quotes the body, which must not be logged.
    throw new PlatformError('malformed', 'the answer is not valid JSON', { status });
  }
}

/** Without a byte order mark. */
export function documentText(body: Buffer): string {
  return body.toString().replace(/^\uFEFF/, '');
}

export async function ignoreBody(answer: Answer): Promise<void> {
  await readBody(answer, MAX_REFUSAL_BYTES).catch(() => undefined);
}

/**
 * The error for an answer with a status of 300 or above. The status alone decides: if the body cannot be
 * read, only its sentence is missing. `scrub` removes a key that the server echoes.
 */
export async function readRefusal(
  answer: Answer,
  context: {
    scrub: Scrub;
    nowMs: number;
    explain?: Explain | undefined;
    path: string;
    sent?: unknown;
  },
): Promise<PlatformError> {
  const { statusCode: status, headers } = answer;
  const text = await readBody(answer, MAX_REFUSAL_BYTES).catch(() => '');
  const body = context.scrub(text.toString());
  const retryAfterMs = parseRetryAfter(single(headers['retry-after']), context.nowMs);
  const sentence = sentenceOf(body, context.scrub) ?? silenceOf(status);
  const { path, sent, nowMs } = context;
  const { reason = reasonOfStatus(status), ...facts } =
    context.explain?.({ status, sentence, body, path, sent, nowMs }) ?? {};
  return new PlatformError(reason, sentence, { status, retryAfterMs, ...facts });
}

/** API-specific knowledge about refusals; `body` holds no secret. */
export type Explain = (refusal: {
  status: number;
  sentence: string;
  body: string;
  /** Of the refused call, without its query. */
  path: string;
  sent?: unknown;
  /** Time of the refusal, ms since the epoch. */
  nowMs: number;
}) => {
  readonly reason?: PlatformReason;
  readonly hint?: string;
  readonly credential?: 'account' | 'user' | undefined;
  readonly earliestStart?: number | undefined;
};

/** Milliseconds from now; Retry-After is whole seconds or an HTTP date. */
export function parseRetryAfter(value: string | undefined, nowMs: number): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  // A date begins with its weekday; without this check "-5" would be a day in May.
  const date = /^[a-z]/i.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}

/**
 * Reads and decompresses a body, and stops as soon as it exceeds `maxBytes`. With an allowance it is read within
 * that, into memory that threads share.
 * @throws PlatformError `too-large`
 */
export async function readBody(
  { body, headers, statusCode: status }: Answer,
  maxBytes: number,
  allowance?: Allowance,
): Promise<Buffer> {
  // An empty body is no gzip, whatever its header says.
  const isEmpty = status === 204 || single(headers['content-length']) === '0';
  const source = isEmpty ? body : unpacked({ body, headers });
  const stated = source !== body ? 0 : Number(single(headers['content-length']) ?? 0);
  const room = (length: number) =>
    allowance === undefined
      ? Buffer.allocUnsafeSlow(length)
      : Buffer.from(new SharedArrayBuffer(length));
  let gathered = room(Math.min(stated || FIRST_BYTES, maxBytes));
  let size = 0;
  // One buffer and events: an async iterator joins pieces on the way, and each join is a copy.
  source.on('data', (chunk: Buffer) => {
    const end = size + chunk.length;
    if (end > maxBytes || allowance?.take(chunk.length) === false) {
      const limit = end > maxBytes ? maxBytes : (allowance?.maxBytes ?? maxBytes);
      return void source.destroy(tooLarge(limit, status));
    }
    if (end > gathered.length) {
      const larger = room(Math.max(end, 2 * gathered.length));
      gathered.copy(larger, 0, 0, size);
      gathered = larger;
    }
    size += chunk.copy(gathered, size);
  });
  try {
    await finished(source, { writable: false });
  } catch (error) {
    allowance?.giveBack(size);
    throw error;
  }
  return gathered.subarray(0, size);
}

export function tooLarge(maxBytes: number, status?: number): PlatformError {
  return new PlatformError('too-large', `the answer is larger than ${maxBytes} bytes`, { status });
}

/** An error or early end on either side of a pipeline reaches the other, so no socket leaks. */
function unpacked({ body, headers }: Pick<Answer, 'body' | 'headers'>): Readable {
  const isPacked = /^(x-)?gzip$/i.test(single(headers['content-encoding']) ?? '');
  return isPacked ? pipeline(body, createGunzip(), () => undefined) : body;
}

export function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

const UNTYPED: ReadonlySet<string> = new Set(['', 'application/octet-stream']);

/**
 * The body of an answer as a stream that fails with a PlatformError when it breaks off or exceeds `maxBytes`.
 * An explicit content type other than `accept` is refused.
 * @param release called once, when the stream has ended in any way
 * @throws PlatformError `malformed`
 */
export function passOn(
  answer: Answer,
  { accept, maxBytes, release }: { accept: string; maxBytes: number; release: () => void },
): Readable {
  const said = single(answer.headers['content-type']) ?? '';
  const type = said.split(';')[0]?.trim().toLowerCase() ?? '';
  if (type !== accept && !UNTYPED.has(type)) {
    // Destroying it emits an error, which would be unhandled.
    answer.body.on('error', () => undefined).destroy();
    throw new PlatformError('malformed', `the answer is not of the type ${accept}`, {
      status: answer.statusCode,
    });
  }
  const out = new PassThrough({ destroy: (error, done) => done(error && toPlatformError(error)) });
  let size = 0;
  const capped = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      if (size <= maxBytes) done(null, chunk);
      else done(tooLarge(maxBytes));
    },
  });
  // Some servers compress unasked.
  return pipeline(unpacked(answer), capped, out, release);
}

/** Bytes of answers that may be held at once, by one question or by all. */
export interface Allowance {
  /** Of the whole allowance. */
  readonly maxBytes: number;
  /** Reserves bytes; false when they exceed the allowance. */
  take(bytes: number): boolean;
  giveBack(bytes: number): void;
}

/** @param whole the allowance of all questions together */
export function createAllowance(maxBytes: number, whole?: Allowance) {
  let held = 0;
  let isClosed = false;
  let isCrowdedOut = false;
  const giveBack = (bytes: number): void => {
    if (isClosed) return;
    held -= bytes;
    whole?.giveBack(bytes);
  };
  return {
    maxBytes,
    take(bytes: number) {
      if (isClosed || held + bytes > maxBytes) return false;
      if (whole?.take(bytes) === false) {
        isCrowdedOut = true;
        return false;
      }
      held += bytes;
      return true;
    },
    giveBack,
    /** Whether a reservation failed because of other questions. */
    isCrowdedOut: () => isCrowdedOut,
    /** The question is answered: everything is released, and nothing more is reserved. */
    close() {
      giveBack(held);
      isClosed = true;
    },
  };
}

/** Undefined for an empty body that may be empty. @throws SyntaxError, RangeError */
export function exactJson(body: Buffer, mayBeEmpty: boolean): unknown {
  const text = documentText(body);
  return mayBeEmpty && text.trim() === '' ? undefined : parseExact(text);
}
