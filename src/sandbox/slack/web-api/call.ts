import { asJson, asText, isJson, parseJson, type Json } from '../json.ts';
import type { Workspace } from '../workspace.ts';

/** An error that Slack answers with HTTP 200 and `{ok: false, error}`. */
export class ApiFailure extends Error {
  readonly code: string;
  readonly details: Json;

  constructor(code: string, details: Json = {}) {
    super(code);
    this.name = 'ApiFailure';
    this.code = code;
    this.details = details;
  }
}

/** `invalid_arguments` with a reason, as Slack words it. */
export function invalidArguments(...messages: string[]): ApiFailure {
  return new ApiFailure('invalid_arguments', { response_metadata: { messages } });
}

/** The arguments of one call, whatever way they were encoded. */
export interface Args {
  /** Absent, empty or no text: undefined. Numbers are taken as text. */
  text(name: string): string | undefined;
  /** Throws `invalid_arguments`. */
  required(name: string): string;
  flag(name: string, fallback?: boolean): boolean;
  /** A whole number from 1 to `max`; throws `invalid_limit`. */
  limit(fallback: number, max: number): number;
  /** Structured arguments arrive as JSON, or as text that holds JSON. */
  json(name: string): unknown;
  has(name: string): boolean;
}

export function createArgs(raw: Json): Args {
  const text: Args['text'] = (name) => {
    const value = raw[name];
    if (typeof value === 'number' || typeof value === 'boolean') return String(value);
    return asText(value) || undefined;
  };
  return {
    text,
    required(name) {
      const value = text(name);
      if (value === undefined) throw invalidArguments(`[ERROR] missing required field: ${name}`);
      return value;
    },
    flag(name, fallback = false) {
      const value = text(name);
      return value === undefined ? fallback : value === 'true' || value === '1';
    },
    limit(fallback, max) {
      const limit = Number(text('limit') ?? fallback);
      if (!Number.isInteger(limit) || limit < 0) throw new ApiFailure('invalid_limit');
      return Math.min(limit === 0 ? fallback : limit, max);
    },
    json(name) {
      const value = raw[name];
      return typeof value === 'string' ? parseJson(value) : value;
    },
    has: (name) => raw[name] !== undefined && raw[name] !== null && raw[name] !== '',
  };
}

/** One call of a method. */
export interface Call {
  readonly args: Args;
  readonly workspace: Workspace;
  /** Throws `missing_scope` unless the token has one of these. */
  need(...anyOf: string[]): void;
  hasScope(scope: string): boolean;
  /** The meaning of `thread_ts` to Slack; without it, it refuses a reply below a deleted message. */
  readonly threads?: 'ignored' | 'open' | undefined;
}

export interface Method {
  readonly token: 'bot' | 'app' | 'none';
  /** Needed for every call; more may be asked for inside. */
  readonly scope?: string;
  run(call: Call): Json;
}

export type Methods = Readonly<Record<string, Method>>;

const readBody = (body: Buffer, contentType: string): Json | undefined => {
  const text = body.toString('utf8');
  if (contentType.startsWith('application/json')) {
    const json = parseJson(text);
    return isJson(json) ? json : undefined;
  }
  return Object.fromEntries(new URLSearchParams(text));
};

/** Reads form, JSON and multipart bodies; query parameters count too. Throws `invalid_json`. */
export async function readArgs(query: unknown, body: unknown, contentType: string): Promise<Json> {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
  if (contentType.startsWith('multipart/form-data')) {
    const headers = { 'content-type': contentType };
    const form = await new Response(new Uint8Array(bytes), { headers }).formData();
    return { ...asJson(query), ...Object.fromEntries(form) };
  }
  const fields = readBody(bytes, contentType);
  if (!fields) throw new ApiFailure('invalid_json');
  return { ...asJson(query), ...fields };
}

/** The token of the Authorization header, else of the arguments. */
export function tokenOf(authorization: string | undefined, raw: Json): string | undefined {
  return /^Bearer (.+)$/i.exec(authorization ?? '')?.[1] ?? asText(raw['token']);
}
