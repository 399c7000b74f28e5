const CODES: Readonly<Record<number, string>> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHENTICATED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  429: 'TOO_MANY_REQUESTS',
};

/** The fields of a refusal besides its sentence. */
interface RefusalOptions {
  /** The body is the bare sentence, as plain text (spec section 7). */
  readonly plain?: boolean;
  /** Further members of the body. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** A refusal with its HTTP status; each API and the control routes give it their own shape. */
export class SandboxError extends Error {
  readonly status: number;
  readonly plain: boolean;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    status: number,
    message: string,
    { plain = false, details = {} }: RefusalOptions = {},
  ) {
    super(message);
    this.name = 'SandboxError';
    this.status = status;
    this.plain = plain;
    this.details = details;
  }
}

/** The error body of `{api_url}`: unlike billing's, its `code` is a word. */
export function apiErrorBody(status: number, message: string, id: string) {
  return { status, message, code: CODES[status] ?? 'INTERNAL', details: {}, id };
}

/** The error body of `{billing_url}` and `{usage_url}` (spec section 7). */
export function billingErrorBody(error: { status: number; message: string; details?: object }) {
  return { code: error.status, error: error.message, ...error.details };
}
