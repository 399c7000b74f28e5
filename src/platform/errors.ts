import { STATUS_CODES } from 'node:http';
import { HOUR_MS } from '../lib/time.ts';
import { PurserError, Refusal } from '../lib/errors.ts';
import type { Scrub } from '../lib/secret.ts';
import { truncate, withoutStop } from '../lib/text.ts';

/** Why a call to the platform failed (spec section 7). A closed list: metrics and sentences map from it. */
export type PlatformReason =
  | 'bad-request'
  | 'unauthorized'
  | 'forbidden'
  | 'not-found'
  | 'conflict'
  | 'rate-limited'
  | 'server-error'
  | 'unavailable'
  | 'unreachable'
  | 'timeout'
  | 'too-large'
  | 'malformed'
  | 'redirected';

/**
 * The only error of `platform/`. `message` is the server's own sentence if it sent one, cut to 300
 * characters; it never holds a credential.
 */
export class PlatformError extends PurserError<PlatformReason> {
  /** HTTP status; absent without a complete answer. */
  readonly status: number | undefined;
  /** Milliseconds, from Retry-After. */
  readonly retryAfterMs: number | undefined;
  /** The likely cause in one sentence, if the refusal does not state it (a 401). */
  readonly hint: string | undefined;
  /**
   * The configuration at fault, unless it is an org's: for a refused credential, that of the billing account
   * or a user; for `not-found`, the account itself, not a name in the command.
   */
  readonly credential: 'account' | 'user' | undefined;
  /** Earliest allowed start of a query for detailed usage, ms since the epoch (spec section 7). */
  readonly earliestStart: number | undefined;
  /** It ended while waiting for the concurrency limit, so it was never sent. */
  readonly isUnsent: boolean;

  constructor(reason: PlatformReason, message: string, options: ErrorFacts & ErrorOptions = {}) {
    super(message, { reason, retryable: RETRYABLE.has(reason), cause: options.cause });
    this.status = options.status;
    this.retryAfterMs = options.retryAfterMs;
    this.hint = options.hint;
    this.credential = options.credential;
    this.earliestStart = options.earliestStart;
    this.isUnsent = options.isUnsent ?? false;
  }
}

interface ErrorFacts {
  status?: number | undefined;
  retryAfterMs?: number | undefined;
  hint?: string | undefined;
  credential?: 'account' | 'user' | undefined;
  earliestStart?: number | undefined;
  isUnsent?: boolean | undefined;
}

const RETRYABLE: ReadonlySet<PlatformReason> = new Set<PlatformReason>([
  'rate-limited',
  'unavailable',
  'unreachable',
]);

/** For `catch`: a question that may fail alone. @throws all that is no PlatformError */
export function undefinedIfUnavailable(error: unknown): undefined {
  if (!(error instanceof PlatformError)) throw error;
}

export function isAbsence(error: unknown): boolean {
  return error instanceof PlatformError && error.reason === 'not-found';
}

/** 500 is the caller's mistake as often as the server's (spec section 7), so it is not repeated. */
export function reasonOfStatus(status: number): PlatformReason {
  switch (status) {
    case 401:
      return 'unauthorized';
    case 403:
      return 'forbidden';
    case 404:
      return 'not-found';
    case 409:
      return 'conflict';
    case 429:
      return 'rate-limited';
    case 502:
    case 503:
    case 504:
      return 'unavailable';
    default:
      return status >= 500 ? 'server-error' : status >= 400 ? 'bad-request' : 'redirected';
  }
}

/**
 * The sentence inside an error body, scrubbed and at most 300 characters: billing's `{code, error}`, the core
 * API's `{status, message}`, or plain text; also one level deeper, as gateways nest it. A bare phrase such as
 * "Bad Request" counts only without any other. HTML and anything else give undefined.
 */
export function sentenceOf(body: string, scrub: Scrub): string | undefined {
  const text = body.trim();
  if (text.startsWith('<')) return undefined;
  const sentences = /^[{["]/.test(text) ? sentencesInJson(text) : [text];
  const sentence = sentences.find((one) => !PHRASES.has(one)) ?? sentences[0] ?? '';
  // Scrubbed here, where a secret is no longer escaped as in JSON and not yet cut.
  return truncate(scrub(sentence).trim(), 300) || undefined;
}

/** Standard phrases, which carry no information. */
const PHRASES: ReadonlySet<string> = new Set(Object.values(STATUS_CODES).map(String));

function sentencesInJson(text: string): string[] {
  try {
    return sentencesIn(JSON.parse(text), MAX_DEPTH);
  } catch {
    return [];
  }
}

/** Gateways nest errors, but no deeper than this. */
const MAX_DEPTH = 3;

function sentencesIn(value: unknown, depth: number): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  if (typeof value !== 'object' || value === null || depth === 0) return [];
  const { error, message } = value as { error?: unknown; message?: unknown };
  const own = Array.isArray(value) ? value : [error, message];
  const words = own.filter((one) => typeof one === 'string' && one !== '') as string[];
  const nested = Object.values(value).filter((member) => typeof member === 'object');
  return [...words, ...nested.flatMap((member) => sentencesIn(member, depth - 1))];
}

/** Undici's codes for connection problems; its others, the parser's and zlib's concern the answer. */
const CONNECTION_CODES = new Set(['UND_ERR_SOCKET', 'UND_ERR_CONNECT_TIMEOUT']);
const SILENCE_CODES = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);
const ANSWER_CODES = /^(?:UND_ERR|HPE|Z)_/;

const UNREADABLE = 'the answer broke off or cannot be read';

/**
 * A failure below HTTP, in our words and with the code. The original error is dropped: the parser's carries
 * the bytes that it could not read, in which a server may echo the key.
 */
export function toPlatformError(error: unknown): PlatformError {
  if (error instanceof PlatformError) return error;
  if (!(error instanceof Error) || !('code' in error)) {
    // A bug of ours, not of the network.
    return new PlatformError('malformed', UNREADABLE, { cause: error });
  }
  const code = typeof error.code === 'string' ? error.code : undefined;
  if (code === undefined) return new PlatformError('malformed', UNREADABLE);
  if (code === 'UND_ERR_INVALID_ARG') {
    // Addresses are checked before, so it is a character that no header can carry.
    return new PlatformError(
      'bad-request',
      'the key for this has a space or a line break in it, so it cannot be sent: ask your Purser administrator to set ORG_TOKENS or BILLING_TOKEN again',
    );
  }
  if (SILENCE_CODES.has(code)) return new PlatformError('timeout', 'the platform fell silent');
  // The remaining codes are those of the system and of TLS.
  if (CONNECTION_CODES.has(code) || !ANSWER_CODES.test(code)) {
    return new PlatformError('unreachable', `the connection to the platform failed (${code})`);
  }
  return new PlatformError('malformed', `${UNREADABLE} (${code})`);
}

const KEY_HINT = 'a key may be missing or lack a permission';

/**
 * One sentence for the user about a failed call: the problem and the next step. Undefined for errors of other
 * rooms.
 */
export function explainPlatformError(error: unknown): string | undefined {
  if (!(error instanceof PlatformError)) return undefined;
  const { what, next, says } = problemOf(error);
  const sentence = next === 'in a minute' ? `${what}: please try again in a minute.` : `${what}.`;
  return says === undefined ? sentence : `${sentence} ${says}`;
}

export interface PlatformProblem {
  /** Without a full stop. */
  readonly what: string;
  /** The next step: it is a part of `what`, another try may work, or neither. */
  readonly next: 'said' | 'in a minute' | undefined;
  /** A sentence with the server's own words. */
  readonly says?: string;
}

export function problemOf(error: PlatformError): PlatformProblem {
  const { reason, message, credential, isUnsent } = error;
  // Refused before the call was sent: the message is ours.
  const isOwn = error.status === undefined;
  switch (reason) {
    case 'unauthorized':
    case 'forbidden':
      return { what: keyProblem(error), next: 'said' };
    case 'not-found':
      return credential === 'account'
        ? {
            what: 'The platform knows no such billing account: ask your Purser administrator to check BILLING_ACCOUNT_ID',
            next: 'said',
          }
        : {
            what: 'The platform has nothing of that name: check the spelling, and the org if there are several',
            next: undefined,
          };
    case 'rate-limited':
      return { what: 'The platform asks for fewer calls just now', next: 'in a minute' };
    case 'unreachable':
    case 'timeout':
    case 'unavailable': {
      const what = isUnsent
        ? 'Purser is busy with other calls'
        : 'The platform does not answer just now';
      return { what, next: 'in a minute' };
    }
    case 'too-large':
      return {
        what: 'The platform’s answer is too large to read: ask for less, for example one workload',
        next: 'said',
      };
    case 'bad-request':
    case 'conflict':
      if (isOwn && reason === 'bad-request') {
        return { what: begun(withoutStop(message)), next: undefined };
      }
      return {
        what: 'The platform did not accept that, please check what you typed',
        next: undefined,
        says: serverSentence(error),
      };
    case 'server-error':
      return {
        what: 'The platform failed at that',
        next: 'in a minute',
        says: serverSentence(error),
      };
    case 'malformed':
    case 'redirected':
      return {
        what: 'The platform’s answer cannot be read: please try again, and contact your Purser administrator if it lasts',
        next: 'said',
      };
  }
}

function keyProblem(error: PlatformError): string {
  const { reason, status, message, credential } = error;
  const variable = VARIABLES[credential ?? 'org'];
  // Never sent: Purser has none for the call, and the message is ours.
  if (reason === 'unauthorized' && status === undefined) {
    return `${message}: ask your Purser administrator to set ${variable}`;
  }
  return `The platform refuses Purser’s key (${withoutStop(message)}): ${likelyCause(error)}. Ask your Purser administrator to check ${variable}`;
}

const VARIABLES = {
  account: 'BILLING_TOKEN and BILLING_ACCOUNT_ID',
  user: 'BILLING_USER_TOKEN',
  org: 'ORG_TOKENS',
};

/** The part after a semicolon is for operators, shown by `/purser doctor`. */
function likelyCause({ hint = KEY_HINT }: PlatformError): string {
  return hint.split('; ')[0] ?? hint;
}

export function silenceOf(status: number): string {
  return `the platform answered with status ${status}`;
}

function serverSentence({ message, status }: PlatformError): string {
  return status !== undefined && message === silenceOf(status)
    ? `It gives no reason (status ${status}).`
    : `It says: ${ended(message)}`;
}

/** The server's words as the end of our sentence, with exactly one full stop. */
function ended(message: string): string {
  const words = withoutStop(message);
  return /[!?…]$/.test(words) ? words : `${words}.`;
}

/** Capitalized, unless it begins with a name such as "endTime". */
function begun(sentence: string): string {
  return sentence.replace(/^[a-z]+(?=[\s,])/, (word) => word[0]!.toUpperCase() + word.slice(1));
}

/** An error that crosses to another thread, where classes are lost. */
type PlainError =
  | PlainPlatformError
  | { readonly kind: 'refusal'; readonly message: string; readonly cause: PlainError | undefined }
  | { readonly kind: 'defect'; readonly message: string; readonly stack: string | undefined };

export type PlainPlatformError = ReturnType<typeof plainPlatformError>;

/** Its own fields, none of which is an object. */
export function plainPlatformError(error: PlatformError) {
  const { stack: _stack, cause: _cause, ...facts } = error;
  return { ...facts, kind: 'platform', message: error.message } as const;
}

export function platformErrorOf({ reason, message, ...facts }: PlainPlatformError): PlatformError {
  return new PlatformError(reason, message, facts);
}

export function plainError(error: unknown): PlainError {
  if (error instanceof PlatformError) return plainPlatformError(error);
  if (error instanceof Refusal) {
    const cause = error.cause === undefined ? undefined : plainError(error.cause);
    return { kind: 'refusal', message: error.message, cause };
  }
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  return { kind: 'defect', message, stack };
}

/** @param crossed a `PlainError` */
export function errorOf(crossed: unknown): Error {
  const plain = crossed as PlainError;
  if (plain.kind === 'platform') return platformErrorOf(plain);
  if (plain.kind === 'refusal')
    return new Refusal(plain.message, plain.cause && errorOf(plain.cause));
  return Object.assign(new Error(plain.message), plain.stack && { stack: plain.stack });
}

// Checks before a call is sent, for calls that would fail by the specification.

const RFC_3339_UTC = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/;
const EMAIL = /^[^\s@<>",;]+@[^\s@<>",;.]+(?:\.[^\s@<>",;.]+)+$/;

export function refusal(sentence: string): PlatformError {
  return new PlatformError('bad-request', sentence);
}

/**
 * Reads a time in the API's format: RFC 3339 in UTC (spec 2.1, 4.5 rule 1).
 * @returns ms since the epoch
 * @throws PlatformError `bad-request`
 */
export function checkTime(name: string, value: string): number {
  const ms = RFC_3339_UTC.test(value) ? Date.parse(value) : Number.NaN;
  // Date.parse refuses or shifts days that do not exist.
  if (Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 19) !== value.slice(0, 19)) {
    throw refusal(`${name} must be an RFC 3339 time in UTC such as 2026-10-01T00:00:00Z`);
  }
  return ms;
}

/** As `checkTime`, on an hour boundary (spec 4.1, 4.2). @throws PlatformError `bad-request` */
export function checkHour(name: string, value: string): number {
  const ms = checkTime(name, value);
  // A fraction may be finer than the milliseconds of a Date.
  const fraction = Number(/\.\d+/.exec(value)?.[0] ?? 0);
  if (ms % HOUR_MS !== 0 || fraction !== 0) {
    throw refusal(`${name} must be on an hour boundary such as 2026-10-01T10:00:00Z`);
  }
  return ms;
}

/** A copied link (mailto:), or dots where no address has them. */
const NOT_NEW = /[:()[\]\\]|^\.|\.\.|\.@/;

/** Stricter than `checkEmail`: a user that the platform has is changed by whatever address it has. @throws as that */
export function checkNewEmail(value: string): void {
  checkEmail(NOT_NEW.test(value) ? '' : value);
}

/** @throws PlatformError `bad-request` for an invalid mailbox address */
export function checkEmail(value: string): void {
  if (!EMAIL.test(value) || value.length > 254) {
    throw refusal(`${JSON.stringify(value)} is not an e-mail address such as ada@example.com`);
  }
}
