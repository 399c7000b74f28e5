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

/** An answer whose body was not read yet. */
export interface Answer {
  statusCode: number;
  headers: Record<string, string | string[] | undefined>;
  body: Readable;
}

/** A sentence needs no more; the rest of the page that a proxy sends is not read. */
const MAX_REFUSAL_BYTES = 64 * 1024;
/** First size of the buffer for a body of unknown length; it grows. */
const FIRST_BYTES = 16 * 1024;

interface JsonReading {
  parse?: (text: string) => unknown;
  /** Whether an empty answer is allowed; it is read as undefined. */
  mayBeEmpty?: boolean;
}

/**
 * The JSON document of an answer with at most `maxBytes` after decompression.
 * @throws PlatformError `too-large`, `malformed`
 */
export async function readJson(
  answer: Answer,
  maxBytes: number,
  { parse = JSON.parse, mayBeEmpty = false }: JsonReading = {},
): Promise<unknown> {
  return readDocument(answer, maxBytes, (body) => {
    const text = documentText(body);
    return mayBeEmpty && text.trim() === '' ? undefined : parse(text);
  });
}

/**
 * What `read` makes of the JSON document of an answer with at most `maxBytes` after decompression.
 * @param read throws a SyntaxError when it is none
 * @throws PlatformError `too-large`, `malformed`
 */
export async function readDocument<T>(
  answer: Answer,
  maxBytes: number,
  read: (body: Buffer) => T,
): Promise<T> {
  return parsed(await readBody(answer, maxBytes), read, answer.statusCode);
}

/**
 * The body of an answer as it came, of at most `maxBytes` after decompression and within an allowance, in
 * memory that threads share. It is read by `readDocumentIn`, elsewhere perhaps.
 * @throws PlatformError `too-large`
 */
export async function readBytes(
  answer: Answer,
  maxBytes: number,
  allowance: Allowance,
): Promise<Uint8Array> {
  return readBody(answer, maxBytes, allowance);
}

/** What `read` makes of a body. @param read throws a SyntaxError when it is no JSON @throws PlatformError `malformed` */
export function readDocumentIn<T>(body: Uint8Array, read: (body: Buffer) => T): T {
  return parsed(Buffer.from(body.buffer, body.byteOffset, body.byteLength), read);
}

function parsed<T>(body: Buffer, read: (body: Buffer) => T, status?: number): T {
  try {
    return read(body);
  } catch (error) {
    if (!isOfParser(error)) throw error;
    // The parser's own message quotes the body, which does not belong into a log.
    throw new PlatformError('malformed', 'the answer is not valid JSON', { status });
  }
}

/** Some parsers go down as deep as a document is nested. */
function isOfParser(error: unknown): boolean {
  return error instanceof SyntaxError || error instanceof RangeError;
}

/** The text of a document, without the mark that some servers begin it with. */
export function documentText(body: Buffer): string {
  return body.toString().replace(/^\uFEFF/, '');
}

/** Drains a body that is not needed; errors in it do not matter. */
export async function ignoreBody(answer: Answer): Promise<void> {
  await readBody(answer, MAX_REFUSAL_BYTES).catch(() => undefined);
}

/**
 * What an answer with a status of 300 or above means. The status alone decides: a body that cannot
 * be read costs no more than its sentence. `scrub` takes out a key that the server says back.
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
  const body = context.scrub(await readRefusedBody(answer));
  const retryAfterMs = parseRetryAfter(single(headers['retry-after']), context.nowMs);
  const sentence = sentenceOf(body, context.scrub) ?? silenceOf(status);
  const { path, sent, nowMs } = context;
  const { reason = reasonOfStatus(status), ...facts } =
    context.explain?.({ status, sentence, body, path, sent, nowMs }) ?? {};
  return new PlatformError(reason, sentence, { status, retryAfterMs, ...facts });
}

async function readRefusedBody(answer: Answer): Promise<string> {
  return (await readBody(answer, MAX_REFUSAL_BYTES).catch(() => '')).toString();
}

/** What an API knows of its refusals beyond their status; `body` holds no secret. */
export type Explain = (refusal: {
  status: number;
  sentence: string;
  body: string;
  /** Of the call that was refused, without its query. */
  path: string;
  /** The body of the call that was refused. */
  sent?: unknown;
  /** When it was refused, ms since the epoch. */
  nowMs: number;
}) => {
  readonly reason?: PlatformReason;
  readonly hint?: string;
  readonly credential?: 'account' | 'user' | undefined;
  readonly earliestStart?: number | undefined;
};

/** Retry-After as milliseconds from now; it is whole seconds or an HTTP date. */
export function parseRetryAfter(value: string | undefined, nowMs: number): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  // A date begins with its weekday; without that, "-5" would be a day in May.
  const date = /^[a-z]/i.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}

/** Reads a body to its end, undoing gzip, and stops as soon as it is larger than `maxBytes`. */
async function readBody(
  { body, headers, statusCode: status }: Answer,
  maxBytes: number,
  allowance?: Allowance,
): Promise<Buffer> {
  // Nothing is no gzip; some servers say that it is.
  const isEmpty = status === 204 || single(headers['content-length']) === '0';
  const isPacked = !isEmpty && /^(x-)?gzip$/i.test(single(headers['content-encoding']) ?? '');
  // An error or an early end on either side of a pipeline reaches the other, so no socket is left.
  const source: Readable = isPacked ? pipeline(body, createGunzip(), () => undefined) : body;
  const stated = isPacked ? 0 : Number(single(headers['content-length']) ?? 0);
  const room = allowance === undefined ? ownRoom : sharedRoom;
  let gathered = room(Math.min(stated || FIRST_BYTES, maxBytes));
  let size = 0;
  // In one buffer and by events: an iterator joins the pieces on its way, and each join is a copy.
  source.on('data', (chunk: Buffer) => {
    const end = size + chunk.length;
    if (end > maxBytes || allowance?.take(chunk.length) === false) {
      return void source.destroy(tooLarge(maxBytes, status));
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

/** @param maxBytes what an answer may have at most */
export function tooLarge(maxBytes: number, status?: number): PlatformError {
  return new PlatformError('too-large', `the answer is larger than ${maxBytes} bytes`, { status });
}

function ownRoom(length: number): Buffer {
  return Buffer.allocUnsafeSlow(length);
}

/** What another thread reads without a copy of its own. */
function sharedRoom(length: number): Buffer {
  return Buffer.from(new SharedArrayBuffer(length));
}

/** The first value of a header. */
export function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

/** Types that say nothing. */
const UNTYPED: ReadonlySet<string> = new Set(['', 'application/octet-stream']);

/**
 * The body of an answer as a stream that ends with a PlatformError where it breaks off, is larger
 * than `maxBytes`. What says of itself to be something else than `accept` is refused.
 * @param release called once, when the stream has ended in whatever way
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
  // An error on any side destroys the others, so no socket is left.
  // It was not asked for, but some servers pack whatever they send.
  const isPacked = /^(x-)?gzip$/i.test(single(answer.headers['content-encoding']) ?? '');
  const body = isPacked ? pipeline(answer.body, createGunzip(), () => undefined) : answer.body;
  return pipeline(body, cappedAt(maxBytes), out, release);
}

function cappedAt(maxBytes: number): Transform {
  let size = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      if (size <= maxBytes) done(null, chunk);
      else done(new PlatformError('too-large', `the answer is larger than ${maxBytes} bytes`));
    },
  });
}

/** How many bytes of answers may be held at once, by one question or by all of them. */
export interface Allowance {
  /** Whether so many bytes more may be held; they count from now on. */
  take(bytes: number): boolean;
  /** Bytes that are held no more. */
  giveBack(bytes: number): void;
}

/** The allowance of one question. */
interface OwnAllowance extends Allowance {
  /** Whether something was not taken because of what other questions hold. */
  isCrowdedOut(): boolean;
  /** The question is answered: nothing of it is held, and nothing more is taken. */
  close(): void;
}

/** @param whole the allowance of all questions, of which this one is a part */
export function createAllowance(maxBytes: number, whole?: Allowance): OwnAllowance {
  let held = 0;
  let isClosed = false;
  let isCrowdedOut = false;
  const giveBack = (bytes: number): void => {
    if (isClosed) return;
    held -= bytes;
    whole?.giveBack(bytes);
  };
  return {
    take(bytes) {
      if (isClosed || held + bytes > maxBytes) return false;
      if (whole?.take(bytes) === false) {
        isCrowdedOut = true;
        return false;
      }
      held += bytes;
      return true;
    },
    giveBack,
    isCrowdedOut: () => isCrowdedOut,
    close() {
      giveBack(held);
      isClosed = true;
    },
  };
}
