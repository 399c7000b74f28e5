import { STATUS_CODES } from 'node:http';

import { PurserError } from '../lib/errors.ts';
import type { Scrub } from '../lib/scrub.ts';
import { truncate } from '../lib/text.ts';

/** Why a call to the platform did not give what was asked (spec section 7). A closed list: metrics and sentences map from it. */
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
 * The one error of `platform/`. `message` is the server's own sentence where it gave one,
 * cut to 300 characters; it never holds a credential.
 */
export class PlatformError extends PurserError<PlatformReason> {
  /** HTTP status; absent when no answer came, or not all of it. */
  readonly status: number | undefined;
  /** Milliseconds that the server asked to wait, from Retry-After. */
  readonly retryAfterMs: number | undefined;
  /** The likely cause in one sentence, where the bare refusal does not say it (a 401). */
  readonly hint: string | undefined;
  /**
   * Whose configuration is at fault, where it is not an org's: of a refused credential, the billing
   * account's or a user's; of `not-found`, the account itself, and not a name that a person typed.
   */
  readonly credential: 'account' | 'user' | undefined;
  /** The earliest start that a query for detailed usage may have, ms since the epoch (spec section 7). */
  readonly earliestStart: number | undefined;
  /** It ended while it waited for its turn, so the platform has heard nothing of it. */
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

/** Whether a call failed because what it named is not there. */
export function isAbsence(error: unknown): boolean {
  return error instanceof PlatformError && error.reason === 'not-found';
}

/** What a status means; 500 is the caller's mistake as often as the server's (spec section 7), so it is not repeated. */
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
 * API's `{status, message}`, or plain text; also one level deeper, as gateways nest it. A bare phrase
 * such as "Bad Request" counts only where nothing says more. HTML and anything else give undefined.
 */
export function sentenceOf(body: string, scrub: Scrub): string | undefined {
  const text = body.trim();
  if (text.startsWith('<')) return undefined;
  const sentences = /^[{["]/.test(text) ? sentencesInJson(text) : [text];
  const sentence = sentences.find((one) => !PHRASES.has(one)) ?? sentences[0] ?? '';
  // Here a secret stands as it is, no longer escaped as in JSON, and not yet cut in half.
  return truncate(scrub(sentence).trim(), 300) || undefined;
}

/** What servers write where they have nothing to say of their own. */
const PHRASES: ReadonlySet<string> = new Set(Object.values(STATUS_CODES).map(String));

function sentencesInJson(text: string): string[] {
  try {
    return sentencesIn(JSON.parse(text), MAX_DEPTH);
  } catch {
    return [];
  }
}

/** Gateways nest what they say, but no deeper than this. */
const MAX_DEPTH = 3;

/** What a document says in words, the outer words first. */
function sentencesIn(value: unknown, depth: number): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  if (typeof value !== 'object' || value === null || depth === 0) return [];
  const { error, message } = value as { error?: unknown; message?: unknown };
  const own = Array.isArray(value) ? value : [error, message];
  const words = own.filter((one) => typeof one === 'string' && one !== '') as string[];
  const nested = Object.values(value).filter((member) => typeof member === 'object');
  return [...words, ...nested.flatMap((member) => sentencesIn(member, depth - 1))];
}
